"""Tests of ranks: signed ranks of paired differences, and rank sums of two samples."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import mannwhitneyu, norm, rankdata, wilcoxon

# scipy's own bounds: up to so many pairs p is exact, with tied sizes up to so many.
EXACT_PAIRS, EXACT_TIED_PAIRS = 50, 13


@dataclass(frozen=True)
class SignedRank:
    """A Wilcoxon signed-rank test: ``w`` is the sum of the ranks of the positive differences, ``n`` the pairs kept.

    ``r`` = |z| / √(2n) has no sign; the direction is that of ``median_difference``, over all pairs. ``exact`` says
    that p is that of all 2^n ways to set the signs; otherwise it is that of z.
    """

    w: float
    z: float
    r: float
    p: float
    exact: bool
    n: int
    median_difference: float


def signed_rank(differences: ArrayLike, *, normal: bool = False) -> SignedRank | None:
    """Two-sided test that paired differences ``(n,)`` lie symmetrically about 0; None where all of them are 0.

    Zeros are dropped, and tied sizes share their mean rank. p is exact up to ``EXACT_PAIRS`` pairs, with tied sizes
    up to ``EXACT_TIED_PAIRS``; beyond that, or where ``normal`` asks for it as in Bartl, Nissim & Gatt 2020, it is that
    of z, the plain normal approximation without corrections for ties or continuity. Raises ValueError for no
    difference or one that is not finite. Wilcoxon 1945.
    """
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError("Needs one or more finite differences in one dimension.")
    kept = values[values != 0]
    if not len(kept):
        return None
    w = float(rankdata(np.abs(kept))[kept > 0].sum())
    z, r = normal_approximation(w, len(kept))
    most = EXACT_PAIRS if len(np.unique(np.abs(kept))) == len(kept) else EXACT_TIED_PAIRS
    exact = not normal and len(kept) <= most
    p = float(wilcoxon(kept, method="auto").pvalue) if exact else 2 * float(norm.sf(abs(z)))
    return SignedRank(w, z, r, p, exact, len(kept), float(np.median(values)))


def normal_approximation(w: float, n: int) -> tuple[float, float]:
    """(z, r) of a rank sum ``w`` over ``n`` pairs: z against its mean and deviation under no difference."""
    z = (w - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return z, abs(z) / math.sqrt(2 * n)


@dataclass(frozen=True)
class RankSum:
    """A Mann–Whitney U test: ``u`` counts the pairs in which the first sample's value is higher, ties as half."""

    u: float
    p: float


def rank_sum(first: ArrayLike, second: ArrayLike) -> RankSum:
    """Two-sided test that two independent samples come from one distribution.

    p is exact where one sample has at most 8 values and no two are equal, and otherwise that of the normal
    approximation with corrections for ties and continuity. Raises ValueError for an empty sample or a value that is not
    finite. Mann & Whitney 1947.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if not all(sample.ndim == 1 and len(sample) and np.isfinite(sample).all() for sample in (x, y)):
        raise ValueError("Needs two samples of one or more finite values.")
    found = mannwhitneyu(x, y, alternative="two-sided", method="auto")
    return RankSum(float(found.statistic), float(found.pvalue))
