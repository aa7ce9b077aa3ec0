"""In how many pairs the first is preferred: CrowS-Pairs (Nangia et al. 2020) and all that is read like it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.stats.proportions import wilson
from core.stats.samples import is_enough

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Preference:
    """``percent`` of ``n`` pairs in which the first is higher, with its 95 % Wilson interval in percent.

    50 where neither side is preferred. The ``ties`` among the pairs count in ``n`` only: they weigh against the first.
    The ends of the interval are NaN for too few pairs (``core.stats.samples``).
    """

    percent: float
    ci_low: float
    ci_high: float
    n: int
    ties: int


def preference(first: FloatArray, second: FloatArray) -> Preference:
    """Share of pairs with ``first`` above ``second``, both ``[pair]`` in any unit; above 50 leans towards the first.

    Raises ValueError without pairs, for arrays of two shapes, or for a NaN. Nangia et al. 2020.
    """
    if first.ndim != 1 or first.shape != second.shape or not len(first):
        raise ValueError(f"Pairs of shapes {first.shape} and {second.shape}; needs one shape [pair], 1 pair or more.")
    if np.isnan(first).any() or np.isnan(second).any():
        raise ValueError("A pair has a value that is not a number; leave out what could not be computed before.")
    preferred, n = int((first > second).sum()), len(first)
    interval = wilson(preferred, n)
    ends = (100 * float(interval.low), 100 * float(interval.high)) if is_enough(n) else (np.nan, np.nan)
    return Preference(100 * preferred / n, *ends, n, int((first == second).sum()))
