"""What an export is about: one model of a result and the numbers that sum it up, with how each is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from ...errors import ExportError, OptionError
from ...report.captions import material
from ...report.numbers import counted
from ...result import Better, Excluded, HeadlineValue, ModelInfo, Note, Provenance, Result
from ...sources.published import NOT_MEASURED

UNITLESS = "no unit"
_SHORT = 12  # hex digits of a digest
_MOST = 20  # numbers that are written out as sentences
_BETTER = {
    Better.NEARER: "nearer to it is better",
    Better.HIGHER: "higher is better",
    Better.LOWER: "lower is better",
    Better.NEITHER: "neither higher nor lower is better",
}


@dataclass(frozen=True, eq=False)
class Subject:
    """A model of a result. ``info`` is None for a system that was not run here, whose answers were given in a file."""

    result: Result
    model: str
    info: ModelInfo | None
    numbers: tuple[HeadlineValue, ...]

    @property
    def id(self) -> str:
        """What the model is known by elsewhere: its id, where it was run here."""
        return self.model if self.info is None else self.info.id

    @property
    def developer(self) -> str:
        """Whose it is on the hub; empty where its id does not say so."""
        owner, slash, _ = self.id.partition("/")
        return owner if slash else ""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader must know of its numbers: the notes on it and on the whole result."""
        return tuple(note for note in self.result.notes if note.model in (None, self.model))

    @property
    def provenance(self) -> Provenance:
        """Where its numbers are from, without the other models."""
        return replace(self.result.provenance, models=() if self.info is None else (self.info,), data=self.data)

    @property
    def data(self) -> tuple[str, ...]:
        """Where words and files are from; not where the published numbers of another model are."""
        infos = self.result.provenance.models
        others = tuple(f"{info.name}: " for info in infos if info.published and info.name != self.model)
        return tuple(source for source in self.result.provenance.data if not source.startswith(others))

    @property
    def dataset(self) -> str:
        """What was put to the model and where it is from; the user's own words are told apart by the inputs' digest."""
        inputs = f"inputs SHA-256 {self.result.spec.digest[:_SHORT]}"
        return "; ".join((*self.data, *(line.rstrip(".") for line in material(self.result)), inputs))

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """What was left out, but for what another model lacks alone."""
        others = {name for name in self.result.models if name != self.model}
        return tuple(item for item in self.result.excluded if item.model not in others)

    @property
    def origin(self) -> str:
        """How its numbers came about: measured with Tiltmeter, or published and not measured here."""
        return NOT_MEASURED if self.info is not None and self.info.published else "measured with Tiltmeter"

    @property
    def version(self) -> str:
        """The version of Tiltmeter that measured it."""
        return self.result.provenance.tool.rpartition(" ")[2]

    @property
    def measured(self) -> str:
        """When it was measured, UTC, as ISO 8601 has it; empty for what others published, whose day is not known."""
        return "" if self.info is not None and self.info.published else self.result.provenance.created

    @property
    def made(self) -> datetime:
        """When its result was made here, UTC."""
        return datetime.fromisoformat(self.result.provenance.created)


def models(result: Result) -> tuple[str, ...]:
    """The models that an export of a result can be about.

    Parameters
    ----------
    result : Result
        Of any measure.

    Returns
    -------
    tuple of str
        By name in the result: those with a number, and one that the whole result is of.
    """
    named = dict.fromkeys(value.model or _alone(result) for value in result.headlines())
    return tuple(name for name in named if name)


def _alone(result: Result) -> str:
    """The model that all of a result is of; empty where there are several."""
    return result.models[0] if len(result.models) == 1 else ""


def subject(result: Result, model: str | None = None) -> Subject:
    """What an export of a result is about.

    Parameters
    ----------
    result : Result
        Of any measure.
    model : str or None
        By its name in the result; None where there is one alone.

    Returns
    -------
    Subject
        The model with its numbers.

    Raises
    ------
    ExportError
        Where no number belongs to a model.
    OptionError
        Where the model is not in the result, or has to be named.
    """
    known = models(result)
    if not known:
        raise ExportError("No number of this result belongs to a model, so that there is nothing to export.")
    if model is None and len(known) > 1:
        raise OptionError(f"The result has several models; choose one with --model: {', '.join(known)}.")
    if model is not None and model not in known:
        raise OptionError(f"The result has no number of a model “{model}”; there are: {', '.join(known)}.")
    name = model or known[0]
    info = next((info for info in result.provenance.models if info.name == name), None)
    numbers = tuple(value for value in result.headlines() if (value.model or _alone(result)) == name)
    return Subject(result, name, info, numbers)


def called(value: HeadlineValue) -> str:
    """What a number is called, with which of several it is."""
    return f"{value.title}, {value.of}" if value.of else value.title


def unit(value: HeadlineValue) -> str:
    """The unit of a number, or that it has none."""
    return value.unit or UNITLESS


def reading(value: HeadlineValue) -> str:
    """How a number is read.

    Parameters
    ----------
    value : HeadlineValue
        A number with its declaration.

    Returns
    -------
    str
        Where its neutral point is, what a higher value means, and which values are better.
    """
    above = value.above.strip().rstrip(".")
    if value.neutral is None:
        parts = ["no value is neutral", f"a higher value means: {above}" if above else ""]
    else:
        parts = [f"{value.neutral:g} is neutral", f"above it: {above}" if above else ""]
    return "; ".join([*filter(None, parts), _BETTER[value.better]])


def said(subject: Subject, where: str) -> tuple[str, ...]:
    """The first numbers of a model, a sentence each.

    Parameters
    ----------
    subject : Subject
        A model with its numbers.
    where : str
        Where the others stand, such as “in the table below”.

    Returns
    -------
    tuple of str
        The numbers, and how many more there are ``where``.
    """
    from ..pins import sentence  # brings the libraries of charts, for which no list of forms waits

    more = len(subject.numbers) - _MOST
    rest = (f"{counted(more, 'more number')} {'is' if more == 1 else 'are'} {where}.",) if more > 0 else ()
    return (*map(sentence, subject.numbers[:_MOST]), *rest)
