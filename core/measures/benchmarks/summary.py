"""Rows of the measures: numbers of a measure over all of the data and over its parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ...stats.resampling import bootstrap_mean_interval
from ...stats.samples import is_enough, too_few
from .metric import preference

ALL = "all"


class Row(NamedTuple):
    """One row of the measures, without its model. ``reason`` says why it has no value, or no interval."""

    measure: str
    bias_type: str
    value: float
    ci_low: float
    ci_high: float
    n: int
    ties: int | None = None
    reason: str = ""


def parts(items: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The whole of the items, then each type of bias in the order of the file."""
    types = list(dict.fromkeys(items["bias_type"]))
    return [(ALL, items), *((name, items[items["bias_type"] == name]) for name in types if len(types) > 1)]


def preference_row(measure: str, name: str, items: pd.DataFrame) -> Row:
    """In how many of the pairs the first is preferred, in percent."""
    found = preference(
        items["value_first"].to_numpy(dtype=np.float64), items["value_second"].to_numpy(dtype=np.float64)
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
