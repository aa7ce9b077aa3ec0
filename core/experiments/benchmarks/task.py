"""What a benchmark is to the runner: how items are scored, and what is counted over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.metrics.preference import preference
from core.models.loading import LoadedModel
from core.models.masked import STOPPED
from core.results import BenchmarkOptions, IsCancelled, Measure, ModelInfo, ReportProgress
from core.stats.resampling import bootstrap_mean_interval

ALL = "all"
WILSON = "95 % interval by Wilson’s method"
BASE = ("item", "bias_type", "first", "second", "value_first", "value_second", "difference")


class Row(NamedTuple):
    """One row of the summary, without its model. ``reason`` says why it has no value."""

    measure: str
    bias_type: str
    value: float
    ci_low: float
    ci_high: float
    n: int
    reason: str = ""


class Lost(NamedTuple):
    """An item without a number, and why; the reason goes on from the item."""

    item: str
    reason: str


@dataclass(frozen=True)
class Scored:
    """Rows of the detail by column, without the model, and the items that have none."""

    rows: list[dict[str, Any]]
    lost: list[Lost]


Score = Callable[[LoadedModel, Sequence[Any], BenchmarkOptions, ReportProgress, IsCancelled], Scored]


@dataclass(frozen=True)
class Task:
    """One benchmark.

    ``score`` asks a model about some items, a ``chunk`` of them at a time; it raises the model's refusal where the
    model cannot be asked. ``summary`` counts over a model's detail. ``columns`` are the detail's own, behind ``BASE``.
    ``split`` cuts an item of the data into those that are asked. ``attention`` says how models are lent. ``sides``,
    ``items``, ``intervals``, ``rows`` and ``unit`` as in ``BenchmarkResult``.
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


def compared(
    item: str, bias_type: str, first: str, second: str, values: tuple[float, float], **own: Any
) -> dict[str, Any]:
    """A row of the detail for two things that are compared."""
    return dict(zip(BASE, (item, bias_type, first, second, *values, values[0] - values[1]), strict=True)) | own


def reason(word: str, why: str) -> str:
    """Why an item is lost by one of its words; a stop is no fault of a word."""
    return why if why == STOPPED else f"“{word}” {why}"


def lost_items(reasons: Iterable[tuple[str, str]]) -> list[Lost]:
    """Items with a reason, but for those that a stop left unreached."""
    return [Lost(item, why) for item, why in reasons if why and why != STOPPED]


def parts(detail: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The whole detail, then each type of bias in the order of the file."""
    types = list(dict.fromkeys(detail["bias_type"]))
    return [(ALL, detail), *((one, detail[detail["bias_type"] == one]) for one in types if len(types) > 1)]


def preference_row(measure: str, name: str, detail: pd.DataFrame) -> Row:
    """In how many of the pairs the first is preferred, in percent."""
    found = preference(
        detail["value_first"].to_numpy(dtype=np.float64), detail["value_second"].to_numpy(dtype=np.float64)
    )
    return Row(measure, name, found.percent, found.ci_low, found.ci_high, found.n)


def mean_row(measure: str, name: str, values: NDArray[np.float64], seed: int) -> Row:
    """The mean of values, with its bootstrap interval."""
    interval = bootstrap_mean_interval(values, seed=seed)
    return Row(measure, name, float(values.mean()), float(interval.low), float(interval.high), len(values))


def percent(name: str, title: str, above: str, below: str) -> Measure:
    """A share of pairs in which the first is preferred."""
    return Measure(name, title, "%", 50.0, above, below, 0.0, 100.0)
