"""``batch``: models × measures and thresholds from a file, with one report and an exit code for a CI job."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pandas as pd

from .. import whole
from ..engine import catalog
from ..errors import BatchFileError, ExportError, OptionError
from ..inputs import Option, Switch
from ..measures.measure import MeasureSpec, measures
from ..run import Callbacks
from .command import INNER, inputs_by_option, measured, values
from .command import add_arguments as add_options
from .shared import Listing, read_file, say, show_progress

if TYPE_CHECKING:
    from ..batch.outcome import Outcome

NAME = "batch"
HELP = "models × measures and thresholds from a file"
DESCRIPTION = (
    "Measure what a YAML file lists: “models”, “measures” with the options of their commands by name, and thresholds "
    "(“fail_if”). Run again after a stop it goes on. Its folder gets every result, report.html, report.zip, "
    "summary.json and summary.md. What the file names lies beside it."
)
EPILOG = (
    "Exit codes: 0 done; 1 something could not be measured, or a threshold not judged; 2 the file is not valid; "
    "3 a threshold was crossed."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("file", metavar="FILE", help="the batch file, such as audit.yaml")
    parser.add_argument("--device", choices=catalog.DEVICES, help="default: the best there is")
    parser.add_argument("--no-history", action="store_true", help="do not keep the runs in the history")


def run(options: argparse.Namespace) -> Listing:
    """Measure the batch; a row for each number that a threshold is about, and for each run without one."""
    from ..batch.audit import audit
    from ..batch.outcome import Outcome
    from ..batch.running import run as run_all

    path = Path(options.file)
    text = _text(path)
    with contextlib.chdir(path.parent):
        try:
            asked = audit(text, path.name, Commands())
        except BatchFileError as error:
            raise BatchFileError(f"{path.name}, {error}" if str(error).startswith("line") else str(error)) from error
        measure = partial(measured, device=options.device, history=not options.no_history, note=f"Batch: {asked.title}")
        done = run_all(asked, lambda spec, file: measure(spec, save=str(file)), say)
        try:
            outcome = Outcome(asked, tuple(done))
        except KeyboardInterrupt:
            say(f"\nWhat is done is kept in {path.parent / asked.out}; run it again to go on.")
            raise
        _write(outcome)
    for line in outcome.lines:
        say(line)
    return Listing(_rows(outcome), code=outcome.code)


def _text(path: Path) -> str:
    try:
        return read_file(str(path)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BatchFileError(f"{path.name} is not text in UTF-8; save it as that.") from error


def _write(outcome: Outcome) -> None:
    """The files of the batch beside its results. What cannot be made here is said."""
    from ..batch.outcome import report, to_json, to_markdown
    from ..publication.bundle import to_zip
    from ..publication.document import to_html
    from ..report.renderer import image_export_available

    folder = outcome.audit.out
    whole.write(folder / "summary.json", to_json(outcome))
    whole.write(folder / "summary.md", to_markdown(outcome))
    made = report(outcome)
    if made is None:
        return
    whole.write(folder / "report.html", to_html(made))
    if missing := image_export_available():
        say(f"report.zip was not made: {missing}")
        return
    try:
        whole.write(folder / "report.zip", to_zip(made, Callbacks(show_progress)))
    except ExportError as error:
        say(f"report.zip was not made: {error}")


def _rows(outcome: Outcome) -> pd.DataFrame:
    columns = ["run", "model", "of", "value", "unit", "threshold", "judged", "why"]
    return pd.DataFrame(list(_judged(outcome)), columns=columns)


def _judged(outcome: Outcome) -> Iterator[tuple[Any, ...]]:
    from ..batch.running import judgements

    said = {True: "crossed", False: "not crossed", None: "not judged"}
    for done in outcome.done:
        found = judgements(outcome.audit, done)
        for item in found:
            about = (item.threshold, said[item.crossed], item.why)
            yield (item.run, item.model, item.of, item.value, item.unit, *about)
        if not found:
            why = "; ".join(done.missing)
            models = ", ".join(done.planned.spec.models)
            yield (done.planned.name, models, "", None, "", "", "measured" if done.complete else "not measured", why)


class _Parser(argparse.ArgumentParser):
    """One that says what is wrong instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise OptionError(message.removeprefix("argument "))


class Commands:
    """The commands of the measures, as a batch file names them and their options."""

    def options(self, words: Sequence[str]) -> tuple[str, ...]:
        """The options of a command, without their dashes. Raises OptionError for a command that needs another word."""
        return tuple(option.lstrip("-") for option in _options(words) if option.startswith("-"))

    def spec(self, words: Sequence[str], given: Sequence[tuple[str, str]]) -> MeasureSpec[Any]:
        """The spec of a command with options by name. Raises InputError."""
        kind, inner = _kind(words)
        parser = _Parser(prog=words[0], add_help=False, allow_abbrev=False)
        add_options(parser, kind, inner)
        known = _options(words)
        arguments = [_argument(name, text, known[f"--{name}"]) for name, text in given]
        found = parser.parse_args([*words[2 if inner else 1 :], *filter(None, arguments)])
        setattr(found, INNER, inner)
        return kind.of(values(found, kind))


def _argument(name: str, text: str, inputs: Sequence[Option]) -> str:
    """An option as a command line has it; empty for a switch that is left as it is."""
    if not isinstance(inputs[0], Switch):
        return f"--{name}={text}"
    if text.casefold() not in ("yes", "no", "true", "false"):
        raise OptionError(f"--{name} is yes or no, not “{text}”")
    return f"--{name}" if text.casefold() in ("yes", "true") else ""


def _options(words: Sequence[str]) -> dict[str, Sequence[Option]]:
    return dict(inputs_by_option(*_kind(words)))


def _kind(words: Sequence[str]) -> tuple[type[MeasureSpec[Any]], str]:
    """The spec of a command, and the measure it is made with where it needs one. Raises OptionError."""
    kind = measures()[words[0]]
    dashed = next((word for word in words if word.startswith("-")), None)
    if dashed is not None:
        raise OptionError(f"“{dashed}” is an option; write it as a key below “measure:”, without dashes")
    if not kind.inner():
        return kind, ""
    if len(words) < 2 or words[1] not in kind.inner():
        raise OptionError(f"{words[0]} needs a measure behind it: {', '.join(kind.inner())}")
    return kind, words[1]
