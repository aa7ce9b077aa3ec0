"""Correlations of many items with each other: do several measures, read at the same points, agree?"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.stats import pearsonr, spearmanr
from scipy.stats import t as students_t

from ..errors import OptionError
from .correlation import FEWEST_POINTS, is_constant
from .samples import ALPHA

FloatArray = NDArray[np.float64]
METHODS: dict[str, Callable[[FloatArray, FloatArray], Any]] = {"pearson": pearsonr, "spearman": spearmanr}


@dataclass(frozen=True, eq=False)
class Correlations:
    """Correlations of items with each other: symmetric arrays ``[item, item]``.

    ``r`` from −1 to 1 with its two-sided ``p``; ``n`` (int) counts the points that both items have, on the diagonal
    those of the item. NaN where a pair has under ``FEWEST_POINTS`` or where a side does not vary. The diagonal of
    ``r`` is 1, NaN for an item that has no correlation for either cause; that of ``p`` is NaN: nothing is tested.
    """

    r: FloatArray
    p: FloatArray
    n: NDArray[np.int64]


def correlations(points: FloatArray, *, method: str) -> Correlations:
    """Each item of ``points`` [point, item] against each other, over the points that both have; NaN is missing.

    ``method`` is ``pearson`` or ``spearman``. Raises OptionError for another method, ValueError for an infinite value
    or another shape. Delobelle et al. 2022.
    """
    if method not in METHODS:
        raise OptionError(f"There is no method “{method}”; choose {' or '.join(METHODS)}.")
    values = np.asarray(points, dtype=np.float64)
    if values.ndim != 2 or np.isinf(values).any():
        raise ValueError("Needs points [point, item] that are finite, or NaN where missing.")
    present = ~np.isnan(values)
    counts = present.astype(np.int64)
    items = values.shape[1]
    r, p = np.full((items, items), np.nan), np.full((items, items), np.nan)
    for item in range(items):
        own = values[present[:, item], item]
        if len(own) >= FEWEST_POINTS and not is_constant(own):
            r[item, item] = 1.0
    for a, b in combinations(range(items), 2):
        both = present[:, a] & present[:, b]
        first, second = values[both, a], values[both, b]
        if len(first) >= FEWEST_POINTS and not is_constant(first) and not is_constant(second):
            found = METHODS[method](first, second)
            r[a, b] = r[b, a] = found.statistic
            p[a, b] = p[b, a] = found.pvalue
    return Correlations(r, p, counts.T @ counts)


def critical_r(n: int, alpha: float = ALPHA) -> float:
    """|r| above which a Pearson correlation over ``n`` points is significant at ``alpha``, two-sided.

    From t = r √((n − 2) / (1 − r²)) with n − 2 degrees of freedom; for Spearman an approximation. Raises ValueError
    under 3 points.
    """
    if n < 3:
        raise ValueError(f"{n} points; needs at least 3.")
    t = float(students_t.ppf(1 - alpha / 2, n - 2))
    return t / math.sqrt(n - 2 + t * t)


def cluster_order(r: FloatArray) -> list[int]:
    """An order of the items of ``r`` [item, item] that puts together what agrees: average linkage on 1 − r.

    Items that correlate with no other come last, in their own order. A single pair without r counts as r = 0. The
    same r gives the same order.
    """
    others = ~np.isnan(r) & ~np.eye(len(r), dtype=np.bool_)
    defined, undefined = np.flatnonzero(others.any(axis=1)), np.flatnonzero(~others.any(axis=1))
    if len(defined) > 2:
        pairs = r[np.ix_(defined, defined)][np.triu_indices(len(defined), 1)]
        defined = defined[leaves_list(linkage(1 - np.nan_to_num(pairs, nan=0.0), "average", optimal_ordering=True))]
    return [*defined.tolist(), *undefined.tolist()]
