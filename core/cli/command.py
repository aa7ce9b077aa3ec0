"""A measure's command, made of the inputs of its spec: options, their reading, and the run."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..engine import catalog
from ..errors import OptionError, instead
from ..inputs import Choice, Number, Option, Roles, Several, Sourced, Span, Switch, Text, Upload
from ..measures.measure import MODELS, MeasureSpec, measures
from ..result import Result
from ..run import Run
from ..spec import File
from . import shared

_SAID = 8  # choices whose meaning the help says
_FEW = 20  # values that a refusal names; --help names all
_ONE_PER_LINE = re.compile(r", one per line\b.*")
INNER = "inner"  # where a command is one of several below another: its name
_NAME = re.compile(r"\w+:|\w+[A-Z]")  # what a label is about, or a name: neither loses its capital


def add_arguments(parser: argparse.ArgumentParser, spec: type[MeasureSpec[Any]], inner: str = "") -> None:
    """Declare the command's options: one for each input of the spec, or for each that shares an option with others.

    ``inner``: with those of the measure of that command, where the spec is made with another one.
    """
    for option, inputs in _by_option(_inputs(spec, inner)).items():
        _add(parser, option, inputs)
    parser.add_argument("--device", choices=catalog.DEVICES, help="default: the best there is")
    parser.add_argument("--save", metavar="FILE", help="save the whole result too, such as result.tilt")
    parser.add_argument("--no-history", action="store_true", help="do not keep this run in the history")


def run(options: argparse.Namespace, spec: type[MeasureSpec[Any]]) -> Result:
    """Measure what was requested. Everything that needs no model is checked before one is loaded."""
    wanted = spec.of(values(options, spec))
    shared.check_models(wanted.models)
    if options.save:
        shared.check_writable(options.save)
    return measured(wanted, device=options.device, save=options.save or "", history=not options.no_history)


def measured(
    wanted: MeasureSpec[Any], *, device: str | None, save: str = "", history: bool = True, note: str = ""
) -> Result:
    """The result of a spec, with its progress on standard error; saved where asked for, and kept in the history.

    ``note`` stands beside it there.
    """
    watched: Run[Any] = Run(wanted, heard=lambda progress: shared.show_progress(progress, watched.seconds_left()))
    began = time.monotonic()
    result: Result = wanted.run(watched, device=device)
    if save:
        result.save(save)
    if history and not result.stopped:
        from ..history.history import COMMAND, keep

        if problem := keep(result, origin=COMMAND, seconds=time.monotonic() - began, note=note):
            shared.say(f"tiltmeter: {problem}")
    return result


def values(options: argparse.Namespace, spec: type[MeasureSpec[Any]]) -> dict[str, Any]:
    """The values of the spec's inputs by name. Raises InputError."""
    inner = getattr(options, INNER, "")
    known, found = _inputs(spec, inner), dict[str, Any]()
    for option, inputs in _by_option(known).items():
        given = getattr(options, _destination(option))
        if given is None:
            continue
        if len(inputs) == 1 or _is_list(inputs[0]):  # boxes of lines that share an option hold the same
            found |= dict.fromkeys((item.name for item in inputs), _value(inputs[0], given))
        else:  # the first input takes the first text, the next the others, a line each
            found[inputs[0].name] = given[:1] if isinstance(inputs[0], Several) else given[0]
            found[inputs[1].name] = _lines(given[1:])
    if inner:
        found[_chooser(spec).name] = inner
    for item in known:
        if isinstance(item, Choice) and item.own and item.own in found:
            if item.name in found:
                own = next(other for other in known if other.name == item.own)
                raise OptionError(f"Give either {item.option} or {own.option}, not both.")
            found[item.name] = item.own_value
        elif isinstance(item, Several) and item.name not in found and not found.keys().isdisjoint(item.instead):
            found[item.name] = ()
    return found


def inputs_by_option(spec: type[MeasureSpec[Any]], inner: str = "") -> Mapping[str, Sequence[Option]]:
    """The inputs that each of the command's options is for; ``inner`` as in ``add_arguments``."""
    return _by_option(_inputs(spec, inner))


def _inputs(spec: type[MeasureSpec[Any]], inner: str) -> tuple[Option, ...]:
    """The inputs that options are made of; the measure it is made with is chosen by a command of its own."""
    if not inner:
        return spec.inputs()
    return (*(item for item in spec.inputs() if item != _chooser(spec)), *spec.inner()[inner])


def _chooser(spec: type[MeasureSpec[Any]]) -> Option:
    """The input that chooses the measure a spec is made with."""
    return next(item for item in spec.inputs() if isinstance(item, Choice) and item.default in spec.inner())


def _by_option(inputs: Sequence[Option]) -> Mapping[str, list[Option]]:
    found: dict[str, list[Option]] = {}
    for item in inputs:
        found.setdefault(item.option, []).append(item)
    return found


def _destination(option: str) -> str:
    return f"of {option}"


def _add(parser: argparse.ArgumentParser, option: str, inputs: list[Option]) -> None:
    item = inputs[0]
    more: dict[str, Any] = {"dest": _destination(option), "help": _help(inputs), "default": None}
    if item.metavar:
        more["metavar"] = item.metavar
    if not option.startswith("-"):
        choices = item.choices if isinstance(item, Choice) else None
        if choices and len(choices) > _SAID:
            more["help"] += f"; choose from {', '.join(choices)}"
        parser.add_argument(more.pop("dest"), nargs="?", choices=choices, **more)
        return
    if isinstance(item, Switch):
        parser.add_argument(option, action="store_const", const=not item.default, **more)
    elif isinstance(item, Choice):
        if item.choices:
            more["choices"] = [value for value in item.choices if value != item.own_value]
            more.setdefault("metavar", "CHOICE" if len(more["choices"]) > 8 else None)
        parser.add_argument(option, **more)
    elif isinstance(item, Number):
        parser.add_argument(option, **{"metavar": "N", **more, "type": shared.whole_number(item.low, item.high)})
    elif isinstance(item, Several | Roles) or _is_repeatable(inputs):
        parser.add_argument(option, action="append", **more)
    else:
        parser.add_argument(option, **more)


def _is_repeatable(inputs: list[Option]) -> bool:
    item = inputs[0]
    return len(inputs) > 1 or _is_list(item) or (isinstance(item, Upload) and item.several)


def _is_list(item: Option) -> bool:
    return isinstance(item, Text) and item.height > 0


def _help(inputs: list[Option]) -> str:
    item = inputs[0]
    label = _ONE_PER_LINE.sub("", item.label) if _is_list(item) else item.label  # each line is an option of its own
    parts = [label if _NAME.match(label) else label[:1].lower() + label[1:]]
    if isinstance(item, Choice) and 0 < len(item.choices) <= _SAID and not item.own:
        parts += [_meaning(value, meaning) for value, meaning in item.choices.items() if value != meaning.casefold()]
    names = "catalog name, hub id (owner/name, owner/name@revision) or folder"
    if item is MODELS:
        parts = [names, f"at most {item.most} times" if len(inputs) == 1 else "may be repeated"]
    elif item.name == MODELS.name:  # a command of one model
        parts.append(names)
    elif isinstance(item, Several) or _is_repeatable(inputs):
        parts.append("may be repeated")
    elif isinstance(item, Roles):
        roles = ", ".join(f"{letter} {role or 'none'}" for letter, role in item.letters.items())
        parts.append(f"such as 2o where the second word is the occupation ({roles}); may be repeated")
    if isinstance(item, Several) and item.choices:
        parts.append(f"choose from {', '.join(item.choices)}")
        parts += [f"default: {' '.join(item.default)}"] if item.default else []
    if isinstance(item, Switch) and item.default:
        parts = [item.off]
    elif isinstance(item, Number) or (isinstance(item, Choice) and item.choices):
        parts.append(f"default: {item.default}")
    return "; ".join(parts).replace("%", "%%")


def _meaning(value: str, meaning: str) -> str:
    return meaning if meaning.startswith(value) else f"{value}: {meaning}"


def _value(item: Option, given: Any) -> Any:
    if isinstance(item, Text):
        if not item.height:
            return given
        lines = _lines(given)
        if len(lines.splitlines()) < item.least:
            raise OptionError(f"{item.option} is needed at least {item.least} times, each time as {item.metavar}.")
        return lines
    if isinstance(item, Upload):
        paths = given if isinstance(given, list) else [given]
        return tuple(File.of(Path(path).name, shared.read_file(path)) for path in paths)
    if isinstance(item, Several | Roles | Span):
        texts = given if isinstance(given, list) else [given]
        twice = next((text for text in texts if texts.count(text) > 1), None)
        if twice is not None:
            raise OptionError(f"{item.option} names “{twice}” twice; choose different ones.")
        value, problem = item.read(texts)
        if problem is not None:
            raise OptionError(f"{item.option} cannot be {problem}.{_hint(item, texts)}")
        return value
    return given


def _hint(item: Option, texts: list[str]) -> str:
    """What there is instead, where only some values are possible."""
    choices = item.choices if isinstance(item, Several) else {}
    unknown = [text for text in texts if text not in choices]
    if not choices:
        return ""
    if unknown and len(choices) > _FEW:
        return " " + instead(unknown[0], choices, f"--help names all {len(choices)}.")
    return f" Choose {', '.join(choices)}."


def _lines(texts: list[str]) -> str:
    """Texts as the lines of a box; of @FILE or NAME=@FILE the words of the file, which the text names as its source."""
    lines: list[str] = []
    origins: list[str] = []
    for text in texts:
        name, equals, words = text.partition("=")
        if text.startswith("@"):
            found, origin = shared.words_of_file(text)
            lines += found
        elif equals and words.startswith("@"):
            found, origin = shared.words_of_file(words)
            lines.append(f"{name}={', '.join(found)}")
        else:
            lines.append(text)
            continue
        origins.append(origin)
    return Sourced("\n".join(lines), "; ".join(origins)) if origins else "\n".join(lines)


class Command:
    """The command of a measure, as the command line's other commands are.

    ``inner`` is the command of the measure it is made with; a measure that needs one has a command for each ``below``.
    """

    BELOW = "MEASURE"

    def __init__(self, spec: type[MeasureSpec[Any]], inner: str = "") -> None:
        self.spec, self.inner = spec, inner
        self.NAME, self.HELP, self.DESCRIPTION = inner or spec.COMMAND, spec.TITLE, spec.DESCRIPTION
        if inner:
            self.HELP = measures()[inner].TITLE
        self.EPILOG = shared.FILES if any(_is_list(item) for item in _inputs(spec, inner)) else ""

    @property
    def below(self) -> tuple[Command, ...]:
        """The commands below this one."""
        return () if self.inner else tuple(Command(self.spec, name) for name in self.spec.inner())

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        add_arguments(parser, self.spec, self.inner)

    def run(self, options: argparse.Namespace) -> Result:
        """Measure what was requested."""
        return run(options, self.spec)
