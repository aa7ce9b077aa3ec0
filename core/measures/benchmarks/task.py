"""What a benchmark is to the runner: how items are scored, and what is counted over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.measures.benchmarks.preference import preference
from core.measures.benchmarks.result import BenchmarkOptions, Measure
from core.result import ModelInfo
from core.run import Watch
from core.stats.resampling import bootstrap_mean_interval
from core.stats.samples import is_enough, too_few

ALL = "all"
WILSON = "95 % interval by Wilson’s method"
BASE = ("item", "bias_type", "first", "second", "value_first", "value_second", "difference")


class Row(NamedTuple):
    """One row of the summary, without its model. ``reason`` says why it has no value, or no interval."""

    measure: str
    bias_type: str
    value: float
    ci_low: float
    ci_high: float
    n: int
    ties: int | None = None
    reason: str = ""


class Lost(NamedTuple):
    """An item, or a word of it, that has no number, and why; the reason goes on from the name."""

    name: str
    reason: str
    role: str = "item"


@dataclass(frozen=True)
class Scored:
    """What a model gave for one item: its rows of the detail, by column and without the model, and what was lost."""

    rows: tuple[dict[str, Any], ...] = ()
    lost: tuple[Lost, ...] = ()


# One for each item in order; None for those that a stop left unreached.
Scores = list[Scored | None]
Score = Callable[[LoadedModel, Sequence[Any], BenchmarkOptions, Watch], Scores]


@dataclass(frozen=True)
class Task:
    """One benchmark.

    ``score`` asks a model about some items, a ``chunk`` of them at a time; it raises the model's refusal where the
    model cannot be asked. ``summary`` counts over a model's detail. ``columns`` are the detail's own, behind ``BASE``.
    ``split`` cuts an item of the data into those that are asked. ``attention`` says how models are lent. ``remarks``
    are what a reader has to know of a model and the data as a whole. ``sides``, ``items``, ``intervals``, ``rows`` and
    ``unit`` as in ``BenchmarkResult``.
    """

    measures: Callable[[Sequence[ModelInfo]], tuple[Measure, ...]]
    score: Score
    summary: Callable[[ModelInfo, pd.DataFrame, BenchmarkOptions], list[Row]]
    sides: tuple[str, str]
    items: str
    intervals: str
    rows: str
    unit: Callable[[BenchmarkOptions], str] = lambda options: "nats"
    columns: tuple[str, ...] = ()
    split: Callable[[Any], Sequence[Any]] = lambda item: (item,)
    chunk: int = 64
    attention: str = "default"
    remarks: Callable[[LoadedModel, Sequence[Any]], Sequence[str]] = lambda model, items: ()


def compared(
    item: str, bias_type: str, first: str, second: str, values: tuple[float, float], **own: Any
) -> dict[str, Any]:
    """A row of the detail for two things that are compared."""
    return dict(zip(BASE, (item, bias_type, first, second, *values, values[0] - values[1]), strict=True)) | own


def reason(word: str, why: str) -> str:
    """Why an item is lost by one of its words; a stop is no fault of a word."""
    return why if why == STOPPED else f"“{word}” {why}"


def lost(item: str, why: str) -> Scored | None:
    """An item that has no number; None for one that a stop left unreached."""
    return None if why == STOPPED else Scored(lost=(Lost(item, why),))


def parts(detail: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The whole detail, then each type of bias in the order of the file."""
    types = list(dict.fromkeys(detail["bias_type"]))
    return [(ALL, detail), *((one, detail[detail["bias_type"] == one]) for one in types if len(types) > 1)]


def preference_row(measure: str, name: str, detail: pd.DataFrame) -> Row:
    """In how many of the pairs the first is preferred, in percent."""
    found = preference(
        detail["value_first"].to_numpy(dtype=np.float64), detail["value_second"].to_numpy(dtype=np.float64)
    )
    ends = found.ci_low, found.ci_high
    return Row(measure, name, found.percent, *ends, found.n, found.ties, no_interval(found.n, "pairs"))


def mean_row(measure: str, name: str, values: NDArray[np.float64], units: str, seed: int) -> Row:
    """The mean of values, one for each of ``units``, with its bootstrap interval where they are enough."""
    n, mean = len(values), float(values.mean())
    if not is_enough(n):
        return Row(measure, name, mean, np.nan, np.nan, n, None, no_interval(n, units))
    interval = bootstrap_mean_interval(values, seed=seed)
    return Row(measure, name, mean, float(interval.low), float(interval.high), n)


def no_interval(n: int, units: str) -> str:
    """Why a value of ``n`` units has no interval; empty where it has one."""
    return "" if is_enough(n) else f"interval not computed, n too small ({too_few(n)} {units})"


def percent(name: str, title: str, above: str, below: str) -> Measure:
    """A share of pairs in which the first is preferred."""
    return Measure(name, title, "%", 50.0, above, below, 0.0, 100.0)
