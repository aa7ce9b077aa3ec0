"""Permutation test of the difference of two means, over re-partitions that keep the sizes of the two sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .effects import two_sets
from .resampling import TIE

FloatArray = NDArray[np.float64]

EXACT_PARTITIONS = 100_000  # up to so many partitions all are looked at, beyond that some are drawn
SAMPLED_PARTITIONS = 100_000
NULL_STATISTICS = 10_000  # kept for a picture of the null distribution

_REMEMBERED_MEMBERS = 256  # 3.2 MB of drawn partitions; larger sets are drawn anew each time


@dataclass(frozen=True, eq=False)
class PermutationTest:
    """A test of S = mean of x − mean of y against the S_i of re-partitions, the observed one counted among them.

    ``p_one_sided`` = P(S_i ≥ S), ``p_two_sided`` = P(|S_i| ≥ |S|), ``p_observed_direction`` = min(P(S_i ≥ S),
    P(S_i ≤ S)). ``exact`` says that the ``partitions`` are all there are; otherwise they were drawn and each p is
    (k + 1) / (partitions + 1). ``null``: up to ``NULL_STATISTICS`` of the S_i, in the unit of S.
    """

    test_statistic: float
    p_one_sided: float
    p_two_sided: float
    p_observed_direction: float
    exact: bool
    partitions: int
    null: FloatArray


def permutation_test(x: ArrayLike, y: ArrayLike, *, seed: int, scale: float | None = None) -> PermutationTest:
    """Is the mean of ``x`` ``(n_x,)`` above that of ``y`` ``(n_y,)`` by chance? S and p values in three forms.

    Exact while C(n_x + n_y, n_x) is at most ``EXACT_PARTITIONS``, otherwise ``SAMPLED_PARTITIONS`` drawn ones, the
    same ones for the same sizes and seed. S_i within ``TIE`` × scale of S count as tied with it; ``scale`` is the
    size of the numbers that the values were computed from, None takes the largest |value|. Raises ValueError for
    empty sets or values not finite. Fisher 1935; Caliskan et al. 2017.
    """
    first, second = two_sets(x, y)
    if first.ndim != 1:
        raise ValueError(f"Sets of shapes {first.shape} and {second.shape}; needs (n_x,) and (n_y,).")
    pooled = np.concatenate([first, second])
    n, n_x, n_y = len(pooled), len(first), len(second)
    tie = TIE * (float(np.abs(pooled).max()) if scale is None else scale)
    statistic = float(first.mean() - second.mean())
    # Around their mean the values sum to 0, so that the sum over x alone gives S.
    centred = pooled - pooled.mean()
    exact = comb(n, n_x) <= EXACT_PARTITIONS
    sums = _all_sums(centred, n_x) if exact else _drawn_sums(centred, n_x, seed)
    null = sums * (1 / n_x + 1 / n_y)
    above = _share(null >= statistic - tie, exact=exact)
    return PermutationTest(
        test_statistic=statistic,
        p_one_sided=above,
        p_two_sided=_share(np.abs(null) >= abs(statistic) - tie, exact=exact),
        p_observed_direction=min(above, _share(null <= statistic + tie, exact=exact)),
        exact=exact,
        partitions=len(null),
        null=_for_a_picture(null, seed),
    )


def _share(reached: NDArray[np.bool_], *, exact: bool) -> float:
    count = int(np.count_nonzero(reached))
    return count / len(reached) if exact else (count + 1) / (len(reached) + 1)


def _for_a_picture(null: FloatArray, seed: int) -> FloatArray:
    if len(null) <= NULL_STATISTICS:
        return null
    return np.random.default_rng(seed).choice(null, NULL_STATISTICS, replace=False)


def _all_sums(centred: FloatArray, size: int) -> FloatArray:
    """Sums of all C(n, size) subsets of values that sum to 0.

    Value by value: the subsets of j values among the first m + 1 are those among the first m, and those of j − 1
    among them with the new value. Each sum is reached by one addition, and n × size steps make them all.
    """
    if size > len(centred) - size:
        return -_all_sums(centred, len(centred) - size)
    sums = [np.zeros(comb(len(centred), j)) for j in range(size + 1)]
    for m, value in enumerate(centred):
        for j in range(min(size, m + 1), 0, -1):
            known, added = comb(m, j), comb(m, j - 1)
            sums[j][known : known + added] = sums[j - 1][:added] + value
    return sums[size]


def _drawn_sums(values: FloatArray, size: int, seed: int) -> FloatArray:
    """Sums of ``SAMPLED_PARTITIONS`` drawn subsets: per run of eight values one look-up in their 256 subset sums."""
    n = len(values)
    remembered = n <= _REMEMBERED_MEMBERS
    drawn: Iterable[NDArray[np.uint8]] = (_remembered if remembered else _draw)(n, size, seed)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    runs = np.pad(values, (0, -n % 8)).reshape(-1, 8)
    sums = np.zeros(SAMPLED_PARTITIONS)
    for run, members in zip(runs, drawn, strict=True):
        sums += (bits @ run).take(members)
    return sums


def _draw(n: int, size: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Random subsets of ``size`` of n members, per run of eight members one byte for each of the subsets.

    Each member in turn is taken with probability (still needed) / (still to come), which makes all subsets equally
    likely (Knuth's algorithm S), in all subsets at once.
    """
    generator = np.random.default_rng(seed)
    needed = np.full(SAMPLED_PARTITIONS, float(size))
    for start in range(0, n, 8):
        taken = np.zeros((8, SAMPLED_PARTITIONS), dtype=np.bool_)
        for member in range(start, min(start + 8, n)):
            taken[member - start] = generator.random(SAMPLED_PARTITIONS) * (n - member) < needed
            needed -= taken[member - start]
        yield np.packbits(taken, axis=0)[0]


@lru_cache(maxsize=8)
def _remembered(n: int, size: int, seed: int) -> tuple[NDArray[np.uint8], ...]:
    """Drawn subsets serve every test of these sizes: drawing them takes ten times as long as summing."""
    return tuple(_draw(n, size, seed))
