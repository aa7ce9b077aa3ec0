"""What a result must have been measured with to stand beside a print: the inputs of its spec that decide a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from ..inputs import Choice, Number, Several, Switch
from ..measures.association.spec import AskedTest
from ..measures.measure import MeasureSpec
from ..measures.mitigation.change.spec import Measured
from ..report.wording import listed
from ..sources import Corpus
from ..sources.blanks import TemplateSet
from ..sources.corpus_files import CorpusFile
from ..sources.lists import OWN, GroupPreset, WordList
from ..sources.marking import MarkedSentence
from ..sources.templates import Template
from ..spec import File
from .printed import Key

# A card says of whom its numbers are; a seed moves no value but by chance, and what was published is named as such.
_NEVER = ("models", "seed", "published")


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Which inputs of a measure decide the values of a card: every one but ``free``, also those it may get some day.

    Parameters
    ----------
    of : class of a MeasureSpec
        The measure.
    free : tuple of str
        Fields of its spec that change no value of the card, or of which the print says nothing.
    only : mapping
        By field, the rows or columns that it decides, where it does not decide all.
    parts : mapping
        Fields that hold several of which the card reads its own, each with what an item is called there: a result may
        lack some and hold others, but none that is called the same and is another.
    other : mapping
        Fields in which the print has what nobody can bring here, each with what a value is of instead: it stands beside
        the print, and no difference is told.
    """

    of: type[MeasureSpec[Any]]
    free: tuple[str, ...] = ()
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    parts: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    other: Mapping[str, str] = field(default_factory=dict)

    @property
    def decisive(self) -> tuple[str, ...]:
        """The fields that decide, in their order."""
        return tuple(item.name for item in fields(self.of) if item.name not in (*_NEVER, *self.free, *self.other))

    def instead(self, found: MeasureSpec[Any]) -> str:
        """What a value is of where it is not of what was printed, and what that is called; empty where it is."""
        return ", ".join(f"{what} ({_text(getattr(found, name))})" for name, what in self._others(found))

    def of_what(self, found: MeasureSpec[Any]) -> str:
        """The same in few words."""
        return ", ".join(what for _, what in self._others(found))

    def _others(self, found: MeasureSpec[Any]) -> list[tuple[str, str]]:
        return [(name, what) for name, what in self.other.items() if getattr(found, name)]


@dataclass(frozen=True)
class Refusal:
    """Why values of a result are not put beside the print.

    ``only``: those of some rows or columns; ``model``: those of one of its models. Empty: all.
    """

    text: str
    only: tuple[str, ...] = ()
    model: str = ""

    def concerns(self, model: str, key: Key) -> bool:
        """Whether the value of this model, row and column is refused."""
        return self.model in ("", model) and (not self.only or not set(self.only).isdisjoint(key))


@dataclass(frozen=True)
class _Apart:
    """An input by its label, what the result has, what is needed, and the rows or columns that it decides."""

    label: str
    has: str
    needs: str
    only: tuple[str, ...]


def refusals(
    found: MeasureSpec[Any], needed: Sequence[MeasureSpec[Any]], inputs: Sequence[Inputs]
) -> tuple[Refusal, ...]:
    """The inputs of a result that are not what a print needs.

    Parameters
    ----------
    found : MeasureSpec
        What was measured.
    needed : sequence of MeasureSpec
        What a print allows: at least one of the same measure; the nearest counts.
    inputs : sequence of Inputs
        Which inputs decide, for each measure.

    Returns
    -------
    tuple of Refusal
        One for each input that is another, empty where none is.
    """
    every = [tuple(dict.fromkeys(_apart(found, spec, inputs))) for spec in needed if type(spec) is type(found)]
    first, *others = sorted(every, key=len)
    near = [first, *(other for other in others if [item.label for item in other] == [item.label for item in first])]
    return tuple(_refusal(item, [other[place].needs for other in near]) for place, item in enumerate(first))


def _refusal(item: _Apart, needs: Sequence[str]) -> Refusal:
    other = ", but with other content" if item.has in needs else ""
    needed = " or ".join(dict.fromkeys(needs))
    return Refusal(f"{item.label}: this result has {item.has}{other}; the print needs {needed}.", item.only)


def _apart(found: MeasureSpec[Any], needed: MeasureSpec[Any], inputs: Sequence[Inputs]) -> Iterator[_Apart]:
    of = next(item for item in inputs if item.of is type(needed))
    for name in of.decisive:
        has, needs = getattr(found, name), getattr(needed, name)
        if isinstance(needs, Measured) and has.command == needs.command:
            yield from _apart(has.spec, needs.spec, inputs)
        elif name in of.parts:
            others = _others(has, needs, of.parts[name])
            if others:
                yield _told(of, name, others, needs)
        elif _deciding(has) != _deciding(needs):
            yield _told(of, name, has, needs)


def _others(has: Sequence[Any], needs: Sequence[Any], called: Callable[[Any], str]) -> tuple[Any, ...]:
    """Those that are called as one that is needed and are another; all, where none is one that is needed."""
    known = {called(item): _deciding(item) for item in needs}
    clashing = tuple(item for item in has if called(item) in known and known[called(item)] != _deciding(item))
    return clashing if clashing or any(called(item) in known for item in has) else tuple(has)


def _deciding(value: Any) -> Any:
    """What of a value decides numbers: not what it is called, nor where it is from."""
    match value:
        case tuple():
            return tuple(map(_deciding, value))
        case WordList() | AskedTest():
            return value.words
        case GroupPreset():
            return value.groups
        case TemplateSet():
            return tuple(template.text for template in value.templates)
        case Corpus():
            return value.language, value.templates, value.persons, value.paired, value.articles, value.professions
        case File():
            return value.sha256
    return value


def _told(of: Inputs, name: str, has: Any, needs: Any) -> _Apart:
    how = of.of.givens().get(name)
    option = None if how is None else how.inputs[0]
    label = option.label if option is not None and option.name == name else name.replace("_", " ").capitalize()
    plain = isinstance(option, Choice | Number | Several | Switch) and not isinstance(needs, Measured)
    if option is not None and plain and how is not None and len(how.inputs) == 1:
        first, second = (f"“{option.shown(value)}”" for value in (has, needs))
    else:
        first, second = _text(has), _text(needs)
    return _Apart(label, first, second, of.only.get(name, ()))


def _text(value: Any) -> str:
    """A value as a reader knows it; of several, all."""
    return (", ".join(map(_text, value)) or "none") if isinstance(value, tuple) else _name(value)


def _name(value: Any) -> str:
    match value:
        case Template() | MarkedSentence():
            return f"“{value.text}”"
        case WordList() if value.id == OWN:
            return listed(value.words, most=3)
        case Measured():
            return f"“{value.spec.TITLE}”"
        case WordList() | AskedTest() | GroupPreset() | TemplateSet():
            return str(value.title)
        case Corpus():
            return f"{value.name} (templates: {len(value.templates)}, professions: {len(value.professions)})"
        case CorpusFile():
            return value.path.name
        case File():
            return f"{value.name} (SHA-256 {value.sha256[:12]})"
    return "none" if value is None else str(value)
