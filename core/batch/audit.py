"""What a batch file asks for: models × measures, the thresholds, and where the results go."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ..engine import catalog
from ..errors import BatchFileError, InputError, instead
from ..measures.measure import MeasureSpec, measures
from ..spec import File
from .document import Placed, known, read
from .thresholds import Threshold, threshold

KEYS = ("title", "author", "models", "measures", "fail_if", "out")
Given = Sequence[tuple[str, str]]


class Commands(Protocol):
    """How measures are asked for on the command line: what a file gives by name is read as it is there."""

    def options(self, words: Sequence[str]) -> tuple[str, ...]:
        """The options of a command, without their dashes. Raises InputError where there is no such command."""

    def spec(self, words: Sequence[str], given: Given) -> MeasureSpec[Any]:
        """The spec of a command with options by name. Raises InputError."""


@dataclass(frozen=True, eq=False)
class Planned:
    """A measurement of the batch, and what the file calls it."""

    name: str
    spec: MeasureSpec[Any]

    @property
    def title(self) -> str:
        """What it is called, with its models."""
        return f"{self.name} · {', '.join(self.spec.models)}"


@dataclass(frozen=True, eq=False)
class Audit:
    """A batch file. ``out`` is the folder of the results, ``sha256`` that of the file."""

    title: str
    author: str
    planned: tuple[Planned, ...]
    thresholds: tuple[Threshold, ...]
    out: Path
    sha256: str


def audit(text: str, name: str, commands: Commands) -> Audit:
    """What a batch file asks for. Files that it names are looked for from the working folder.

    Parameters
    ----------
    text : str
        The file.
    name : str
        What it is called.
    commands : Commands
        How a measure is read.

    Returns
    -------
    Audit
        Every measurement with its spec checked, as far as that needs no model.

    Raises
    ------
    BatchFileError
        For a file that is none, or asks for what does not exist; the sentence names its line.
    """
    whole = read(text)
    found = whole.fields("a batch file")
    known(found, KEYS, "a batch file")
    if "measures" not in found:
        raise whole.refused("“measures:” is missing; list at least one, such as “- measure: score”")
    models = _models(found.get("models"))
    planned = tuple(_all_planned(found["measures"], models, commands))
    numbers = {name: item.spec.RESULT.numbers()[name] for item in planned for name in item.spec.numbers}
    thresholds = []
    for item in found["fail_if"].items() if "fail_if" in found else ():
        try:
            thresholds.append(threshold(item.text("a threshold"), numbers))
        except InputError as error:
            raise _placed_error(item, error) from error
    stem = Path(name).stem
    return Audit(
        title=found["title"].text("“title”") if "title" in found else stem,
        author=found["author"].text("“author”") if "author" in found else "",
        planned=planned,
        thresholds=tuple(dict.fromkeys(thresholds)),
        out=Path(found["out"].text("“out”") if "out" in found else f"{stem}-results"),
        sha256=hashlib.sha256(text.encode()).hexdigest(),
    )


def _models(given: Placed | None) -> tuple[str, ...]:
    if given is None:
        return (catalog.DEFAULT,)
    names = given.texts("a model")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise given.refused(f"the model “{twice}” appears twice; give it once")
    if not names:
        raise given.refused("“models:” is empty; name at least one, or leave it out for the embedded one")
    return names


def _all_planned(given: Placed, models: Sequence[str], commands: Commands) -> Iterator[Planned]:
    entries = given.items()
    if not entries:
        raise given.refused("“measures:” is empty; list at least one, such as “- measure: score”")
    names: set[str] = set()
    for entry in entries:
        found = entry.fields("a measure")
        if "measure" not in found:
            raise entry.refused("“measure:” is missing; it is the name of a command, such as score")
        words = _words(found["measure"])
        name = found["name"].text("“name”") if "name" in found else " ".join(words)
        if name in names:
            raise entry.refused(f"two measures are called “{name}”; give this one another “name:”")
        names.add(name)
        for spec in _specs(entry, words, found, models, commands):
            yield Planned(name, spec)


def _words(given: Placed) -> list[str]:
    text = given.text("“measure”")
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise given.refused(f"“{text}” is not the name of a command ({error})") from error
    if words[0] not in measures():
        raise given.refused(f"there is no measure “{words[0]}”. {instead(words[0], measures())}")
    return words


def _specs(
    entry: Placed, words: Sequence[str], found: Mapping[str, Placed], models: Sequence[str], commands: Commands
) -> Iterator[MeasureSpec[Any]]:
    """The specs of a measure: one for each model, or one where it names its own."""
    if "spec" in found:
        known(found, ("measure", "name", "spec"), "a measure with a spec")
        yield from _restored(found["spec"], words[0], models)
        return
    try:
        options = commands.options(words)
    except InputError as error:
        raise _placed_error(found["measure"], error) from error
    known(found, ("measure", "name", "spec", *options), f"the measure {words[0]}")
    given = [
        (name, text)
        for name, value in found.items()
        if name not in ("measure", "name")
        for text in value.texts(f"“{name}”")
    ]
    model = measures()[words[0]].input("models").option.lstrip("-")
    for chosen in [[]] if model in found else [[(model, name)] for name in models]:
        try:
            yield commands.spec(words, [*chosen, *given])
        except InputError as error:
            named = next((value for name, value in found.items() if _names(str(error), name)), entry)
            raise _placed_error(named, error) from error


def _restored(given: Placed, measure: str, models: Sequence[str]) -> Iterator[MeasureSpec[Any]]:
    """The specs of a plain form, as a page writes it."""
    kind, data = measures()[measure], given.data()
    if not isinstance(data, dict):
        raise given.refused("“spec” has to be keys with values, as a page writes them")
    for own in [{}] if "models" in data else [{"models": [name]} for name in models]:
        try:
            yield _with_files(kind.restored({**data, **own}))
        except InputError as error:
            raise _placed_error(given, error) from error


def _with_files(value: Any) -> Any:
    """A spec, or a part of one, with the contents of its files, which lie in the working folder."""
    if isinstance(value, File):
        return _file(value)
    if isinstance(value, tuple):
        made = tuple(map(_with_files, value))
        return made if any(new is not old for new, old in zip(made, value, strict=True)) else value
    if not is_dataclass(value) or isinstance(value, type):
        return value
    held = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
    changed = {name: new for name, old in held.items() if (new := _with_files(old)) is not old}
    return replace(value, **changed) if changed else value


def _file(wanted: File) -> File:
    try:
        found = File.of(wanted.name, Path(wanted.name).read_bytes())
    except OSError as error:
        raise BatchFileError(
            f"the file {wanted.name} is needed beside the batch file ({error.strerror or error})"
        ) from error
    if found != wanted:
        raise BatchFileError(
            f"{wanted.name} is not the file that was measured: its SHA-256 is {found.sha256[:12]}…, not "
            f"{wanted.sha256[:12]}…"
        )
    return found


def _names(text: str, option: str) -> bool:
    return re.search(rf"--{re.escape(option)}(?![\w-])", text) is not None


def _placed_error(where: Placed, error: InputError) -> BatchFileError:
    """The error with its line."""
    text = re.sub(r"(?<!\S)--(?=\w)", "", str(error))  # a key is written without dashes
    return error if isinstance(error, BatchFileError) and text.startswith("line ") else where.refused(text)
