"""Benchmarks: what a model prefers in a published data set, and how far that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

from core import spec as limits
from core.result import Result


@dataclass(frozen=True)
class Measure:
    """One number of a benchmark, described for screen, chart and file.

    ``id`` is the value of the summary's column ``measure``. ``unit`` is ``%``, ``nats``, ``fills`` or ``r``.
    ``neutral`` is the value at which neither side is preferred, None where there is none; ``above`` and ``below`` say
    what a value on either side of it means ("the stereotype is preferred"), going on from "In more than half of the
    pairs" or standing alone. ``lowest`` and ``highest`` bound the axis, None where the values do.
    ``interval`` says how its interval was got where that is not as the result's ``intervals`` say.
    """

    id: str
    title: str
    unit: str
    neutral: float | None
    above: str
    below: str
    lowest: float | None = None
    highest: float | None = None
    interval: str = ""


@dataclass(frozen=True)
class BenchmarkOptions:
    """The choices of the benchmarks.

    ``pieces``: the tokens of a StereoSet candidate are masked ``together`` and the candidate has their mean log
    probability, or they are ``revealed`` from left to right, as in the authors' code, and it has their mean
    probability. ``average``: StereoSet's scores are means over target ``terms`` or over ``pairs``. ``fills``: DisCo
    looks at the ``top`` three fills (Webster et al.) or at all of ``probability`` above .1 (Lauscher et al.).
    ``text``: sentences are scored ``exact``, as the file has them, or ``normalised`` (Unicode NFC, white space made
    single spaces). ``seed`` feeds every bootstrap.
    """

    pieces: str = limits.choice("together", "revealed")
    average: str = limits.choice("terms", "pairs")
    fills: str = limits.choice("top", "probability")
    text: str = limits.choice("exact", "normalised")
    seed: int = limits.seed()


@dataclass(frozen=True, eq=False)
class BenchmarkResult(Result):
    """One benchmark in one or more models.

    ``summary`` columns: model, measure (an id of ``measures``), bias_type (``all``, then the parts of the data in the
    order of the file), value (in the measure's unit), ci_low, ci_high (95 %, see ``intervals``), n (``items`` it rests
    on), ties (those of them in which the two sides have one value; they count in n alone; missing where the measure is
    no rate of preference). A value or an interval that could not be computed is missing and has its reason in
    ``left_out``.

    ``detail``: a row per pair or item and model. Columns of all benchmarks: model, item, bias_type, first, second
    (what is compared, as text), value_first, value_second, difference (first − second: positive means that the first
    is preferred). Benchmarks add columns of their own behind these (see each experiment). Where nothing is compared,
    second and value_second are missing and difference is the item's own number. ``rows`` says what a row is ("fills"),
    ``unit`` what its values are in: ``nats``, ``words``, ``%``, or empty for probabilities.

    ``benchmark`` is the id, ``title`` and ``citation`` name it; ``problems`` is a sentence on what is known to be
    wrong with it. ``sides`` are the words for first and second ("stereotype", "anti-stereotype"). ``intervals`` says
    how the intervals were got. ``stopped``: the run was stopped before its end, the models that were reached are in.
    """

    options: BenchmarkOptions
    benchmark: str
    title: str
    citation: str
    problems: str
    sides: tuple[str, str]
    items: str
    intervals: str
    measures: tuple[Measure, ...]
    rows: str = "pairs"
    unit: str = "nats"
    stopped: bool = False

    def interval_of(self, measure: Measure) -> str:
        """How the interval of a measure was got."""
        return measure.interval or self.intervals

    def measure(self, name: str) -> Measure:
        """The description of a measure by its id."""
        return next(one for one in self.measures if one.id == name)
