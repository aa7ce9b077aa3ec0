"""What a benchmark is: one object, from the format of its data to the sentences about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ...errors import OptionError
from ...result import Better, Column, ModelInfo
from ...run import Watch
from ...sources.benchmarks import Data, File, Format, Lexicon, Words, from_library
from .summary import Row

if TYPE_CHECKING:  # what lists benchmarks asks no model
    from ...engine.loading import LoadedModel
    from .spec import BenchmarkSpec

WILSON = "95 % interval by Wilson’s method"
# Of sentences about several benchmarks.
SALMON = "Blodgett et al. 2021 (Stereotyping Norwegian Salmon)"
COUNTING = "A pair counts when its first side has the higher value; ties count in n alone."
BASE = ("item", "bias_type", "first", "second", "value_first", "value_second", "difference")


@dataclass(frozen=True)
class Measure:
    """One number of a benchmark, described for screen, chart and file.

    ``id`` is the value of the column ``measure``. ``unit`` is ``%``, ``nats``, ``fills`` or ``r``.
    ``neutral`` is the value at which neither side is preferred, None where there is none; ``above`` and ``below`` say
    what a value on either side of it means ("the stereotype is preferred"), going on from "In more than half of the
    pairs" or standing alone. ``lowest`` and ``highest`` bound the axis, None where the values do.
    ``interval`` says how its interval was got where that is not as the benchmark's ``intervals`` say.
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

    @property
    def better(self) -> Better:
        """Which values are the better ones; without a neutral value, the low ones where they stand for nothing."""
        if self.neutral is not None:
            return Better.NEARER
        return Better.HIGHER if self.below else Better.LOWER


def percent(name: str, title: str, above: str, below: str) -> Measure:
    """A share of pairs in which the first is preferred."""
    return Measure(name, title, "%", 50.0, above, below, 0.0, 100.0)


class Lost(NamedTuple):
    """An item, or a word of it, that has no number, and why; the reason follows the name."""

    name: str
    reason: str
    role: str = "item"


@dataclass(frozen=True)
class Scored:
    """What a model gave for one item: its rows of the items, by column and without the model, and what was lost."""

    rows: tuple[dict[str, Any], ...] = ()
    lost: tuple[Lost, ...] = ()


# One for each item in order; None for those that a stop left unreached.
Scores = list[Scored | None]
Score = Callable[["LoadedModel", Sequence[Any], "BenchmarkSpec", Watch], Scores]


@dataclass(frozen=True)
class Benchmark:
    """One benchmark.

    Attributes
    ----------
    id, title, citation : str
        What it is called in links and commands, on screen, and whose it is.
    problems : str
        One sentence on what is known to be wrong with it.
    reads : Format, Lexicon or Words
        What its data are and how they are read.
    hub : str
        The data set's usual name in the ``datasets`` library, empty where none is known to be readable.
    options : tuple of str
        The choices of ``BenchmarkSpec`` it heeds.
    measures, causal_measures : tuple of Measure
        Its numbers in a masked and in a causal model, in the order of ``summary``.
    score : callable
        Asks a model about some items; raises the model's refusal where it cannot be asked.
    summary : callable
        Counts over the items of one model: a row for each of the measures given and each part of the data.
    sides : tuple of str
        The words for what is compared, first and second; the second is empty where nothing is compared.
    items, rows : str
        What the numbers rest on, and what a row of its items is.
    intervals : str
        How intervals were got.
    columns : tuple of Column
        The own columns of its items, behind ``BASE``.
    unit : callable
        The unit of the items' values in a masked model, empty for probabilities; in a causal one it is nats.
    method : callable
        How it was made, in sentences for a report.
    explanation : str
        What it measures and what it does not, in sentences for whoever first reads of it.
    causal_method : str
        What is different in a causal model.
    occupations : callable or None
        Of the items of one model the rows by occupation, where those are compared with their share of women.
    split : callable
        Cuts an item of the data into those that are asked.
    chunk : int
        Items asked at a time.
    attention : str
        How models are loaded: "eager" with attention outputs.
    remarks : callable
        What a reader has to know of a model and the data as a whole.
    """

    id: str
    title: str
    citation: str
    problems: str
    reads: Format[Any] | Lexicon | Words
    measures: tuple[Measure, ...]
    score: Score
    summary: Callable[[Sequence[Measure], pd.DataFrame, BenchmarkSpec], list[Row]]
    sides: tuple[str, str]
    items: str
    rows: str
    intervals: str
    method: Callable[[BenchmarkSpec], str]
    explanation: str
    causal_method: str = ""
    causal_measures: tuple[Measure, ...] = ()
    hub: str = ""
    options: tuple[str, ...] = ()
    unit: Callable[[BenchmarkSpec], str] = lambda spec: "nats"
    columns: tuple[Column, ...] = ()
    split: Callable[[Any], Sequence[Any]] = lambda item: (item,)
    occupations: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    chunk: int = 64
    attention: str = "default"
    remarks: Callable[[LoadedModel, Sequence[Any]], Sequence[str]] = lambda model, items: ()

    @property
    def expects(self) -> str:
        """Which data are recognised, in a sentence."""
        return self.reads.expects

    def measures_of(self, model: ModelInfo) -> tuple[Measure, ...]:
        """Its numbers in this model."""
        return self.causal_measures if model.kind == "causal" and self.causal_measures else self.measures

    def title_of(self, measure: Measure) -> str:
        """One of its numbers with the benchmark's name, said once: "StereoSet, intrasentence: ICAT"."""
        name = re.split(r"[,(]", self.title)[0].strip()
        return measure.title if measure.title.startswith(name) else f"{self.title}: {measure.title}"

    def read(self, files: Sequence[File]) -> Data[Any]:
        """Its data from files. Raises WordListError for files of another kind, OptionError where it takes words."""
        if isinstance(self.reads, Words):
            raise OptionError(f"{self.title} needs words, no file. {self.expects}")
        return self.reads.read(files)

    def named(self, name: str) -> Data[Any]:
        """Its data by the name of a data set. Raises OptionError where it has no tables, and as ``from_library``."""
        if not isinstance(self.reads, Format):
            raise OptionError(f"{self.title} is not read from a data set. {self.expects}")
        return from_library(self.reads, name)


def compared(
    item: str, bias_type: str, first: str, second: str, values: tuple[float, float], **own: Any
) -> dict[str, Any]:
    """A row of the items for two things that are compared."""
    return dict(zip(BASE, (item, bias_type, first, second, *values, values[0] - values[1]), strict=True)) | own


def reason(word: str, why: str) -> str:
    """Why an item is lost by one of its words; a stop is no fault of a word."""
    from ...engine.masked import STOPPED

    return why if why == STOPPED else f"“{word}” {why}"


def lost(item: str, why: str) -> Scored | None:
    """An item that has no number; None for one that a stop left unreached."""
    from ...engine.masked import STOPPED

    return None if why == STOPPED else Scored(lost=(Lost(item, why),))
