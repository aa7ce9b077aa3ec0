"""Thresholds that are fixed before a run: how one is written, and how a result is judged by it."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ..errors import OptionError, instead
from ..report.numbers import fixed
from ..result import Headline, HeadlineValue, Result

_WRITTEN = re.compile(
    r"(?P<name>[\w-]+\.[\w-]+)(?: of (?P<of>.+?))?(?:\.(?P<how>abs|distance))?"
    r"\s*(?P<sign>>=|<=|>|<)\s*(?P<limit>[-−+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)"
)
_SAME = 1e-12  # numbers that differ by less, as a part of them or at all, are equal
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
}


class How(StrEnum):
    """What of a number is compared with the limit: its value, its size, or its distance from the neutral value."""

    VALUE = "value"
    SIZE = "abs"
    DISTANCE = "distance"


@dataclass(frozen=True)
class Threshold:
    """A threshold as it was ``written``: crossed by a number ``name`` (and ``of``, where given) that is so.

    ``sign`` and ``limit``: beyond which the number crosses it, in the number's own unit. Two that say the same are one,
    however they are written.
    """

    written: str = field(compare=False)
    name: str
    of: str
    how: How
    sign: str
    limit: float

    def fits(self, value: HeadlineValue) -> bool:
        """Whether it is about this number."""
        return value.name == self.name and self.of in ("", _plain(value.of))

    def number(self, value: HeadlineValue) -> float:
        """What of a number is compared with the limit."""
        if self.how is How.VALUE:
            return value.value
        if self.how is How.SIZE:
            return abs(value.value)
        assert value.distance is not None  # refused before anything is measured
        return value.distance

    def crossed(self, value: HeadlineValue) -> bool:
        """Whether a number crosses it. A distance such as .6 − .5 is .1 but for its last digits, which do not count."""
        number = self.number(value)
        same = math.isclose(number, self.limit, rel_tol=_SAME, abs_tol=_SAME)
        return _SIGNS[self.sign](self.limit if same else number, self.limit)


@dataclass(frozen=True)
class Judgement:
    """A number compared with a threshold; ``crossed`` is None, and ``why`` a clause, where there is no number.

    ``notes``: sentences that a reader of the number must see.
    """

    threshold: str
    run: str
    model: str
    of: str = ""
    value: float | None = None
    judged: float | None = None
    unit: str = ""
    crossed: bool | None = None
    why: str = ""
    notes: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Whose number it is, and of what; empty where nothing has it."""
        return ", ".join(filter(None, (self.run, self.model, self.of)))

    @property
    def number(self) -> str:
        """The number with whose it is, and what of it was compared; without one, why there is none."""
        if self.value is None or self.judged is None:
            return f"for {self.where} ({self.why})" if self.where else f"({self.why})"
        unit = f" {self.unit}" if self.unit else ""
        judged = "" if self.judged == self.value else f", compared as {fixed(self.judged, 3)}"
        return f"{self.where}: {fixed(self.value, 3)}{unit}{judged}"


def sentences(judged: Iterable[Judgement]) -> Iterator[str]:
    """Each threshold once with all numbers that cross it, those that could not be judged, and those that do not."""
    alike: dict[tuple[bool | None, str], list[Judgement]] = {}
    for item in judged:
        alike.setdefault((item.crossed, item.threshold), []).append(item)
    for crossed in (True, None, False):
        for (verdict, text), items in alike.items():
            if verdict is crossed:
                yield _sentence(text, crossed, items)


def _sentence(text: str, crossed: bool | None, items: Sequence[Judgement]) -> str:
    numbers = "; ".join(item.number for item in items)
    if crossed is None:
        return f"{text}: could not be judged {numbers}."
    notes = dict.fromkeys(note for item in items for note in item.notes)
    verdict = f"{text}: {'crossed' if crossed else 'not crossed'} ({numbers})."
    return " ".join((verdict, *(f"Note: {note}" for note in notes)))


def threshold(text: str, numbers: Mapping[str, Headline]) -> Threshold:
    """A threshold for these kinds of number.

    Parameters
    ----------
    text : str
        Such as ``lpbs.overall.abs > 0.8`` or ``lpbs.overall of he − she > 0.8``.
    numbers : mapping of str to Headline
        That the measures which are asked for can give, by name.

    Returns
    -------
    Threshold
        About one of them.

    Raises
    ------
    OptionError
        Where it is not written so, or names a number that none of them has.
    """
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        raise OptionError(f"“{text}” is not a threshold such as “lpbs.overall.abs > 0.8” (or >=, <, <=)")
    name = found["name"]
    if name not in numbers:
        raise OptionError(f"the measures of this file give no number “{name}”. {instead(name, numbers)}")
    how = How(found["how"] or How.VALUE)
    if how is How.DISTANCE and numbers[name].neutral is None:
        raise OptionError(f"“{name}” has no neutral value to be distant from; leave .distance out")
    limit = float(found["limit"].replace("−", "-"))
    return Threshold(text.strip(), name, _plain(found["of"] or ""), how, found["sign"], limit)


def judged(threshold: Threshold, run: str, result: Result) -> Iterator[Judgement]:
    """A result compared with a threshold.

    Parameters
    ----------
    threshold : Threshold
        About a number that the result's measure gives.
    run : str
        What the measurement is called.
    result : Result
        What it gave.

    Yields
    ------
    Judgement
        Of each number that the threshold is about, then of each model that has none, or was refused, and why.
    """
    kind = result.numbers()[threshold.name]
    numbers = [value for value in result.headlines() if value.name == threshold.name]
    fitting = [value for value in numbers if threshold.fits(value)]
    for value in fitting:
        yield Judgement(
            threshold.written,
            run,
            value.model,
            value.of,
            value.value,
            threshold.number(value),
            value.unit,
            threshold.crossed(value),
            notes=tuple(str(note) for note in result.notes if not value.model or note.model in (None, value.model)),
        )
    having = {value.model for value in fitting}
    if "" not in having:
        for model in result.summed_up(threshold.name):
            if model not in having:
                known = dict.fromkeys(value.of for value in numbers if value.model == model)
                why = f"it has this number only of: {'; '.join(known)}" if known else ""
                why = why or kind.why_none(result, model)
                yield Judgement(threshold.written, run, model, threshold.of, why=why)
    for item in result.excluded:
        if item.kind == "model":
            yield Judgement(threshold.written, run, item.what, threshold.of, why=item.why.rstrip("."))


def unmeasured(threshold: Threshold, run: str, models: Iterable[str], why: str) -> Iterator[Judgement]:
    """The judgements of a run that gave no result.

    Parameters
    ----------
    threshold : Threshold
        About a number that its measure gives.
    run : str
        What the measurement is called.
    models : iterable of str
        As they were requested.
    why : str
        Why there is no result.

    Yields
    ------
    Judgement
        For each model, without a number.
    """
    for model in models:
        yield Judgement(threshold.written, run, model, threshold.of, why=why)


def _plain(of: str) -> str:
    """Which of several, with the minus that a keyboard has."""
    return " ".join(of.replace("−", "-").split())
