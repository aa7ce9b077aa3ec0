"""Percentile bootstrap, by scipy, and the sign-flip test of a mean, which in scipy takes a hundred times as long.

What is computed of a mean takes one sample ``(n,)`` or ``k`` samples side by side ``(n, k)``. All columns meet the same
resamples, so what a column gets depends on its own values and the seed, not on the columns beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import bootstrap

FloatArray = NDArray[np.float64]

RESAMPLES = 10_000
EXACT_FLIPS = 2**16  # up to so many sign patterns all are looked at, beyond that some are drawn
SAMPLED_FLIPS = 100_000
TIE = 1e-12  # relative to the mean absolute value: arrangements this close are equal but for rounding

_CELLS = 2**20  # numbers held in one working array, 8 MB: bounds memory whatever n and k are
_FLIP_BLOCK = 4096
_FLIP_COLUMNS = 32  # with the block above 1 MB of sums, which stays in the processor's cache


@dataclass(frozen=True, eq=False)
class Interval:
    """Ends of an interval in the unit of the values: floats for one sample, arrays ``(k,)`` for k samples."""

    low: float | FloatArray
    high: float | FloatArray


@dataclass(frozen=True, eq=False)
class SignFlip:
    """A sign-flip test: two-sided ``p_value`` (float, or ``(k,)``) from ``flips`` sign patterns.

    ``exact`` says that the patterns are all there are (2^n, the observed one among them); otherwise they are drawn.
    """

    p_value: float | FloatArray
    exact: bool
    flips: int


def bootstrap_interval(
    samples: Sequence[NDArray[Any]],
    statistic: Callable[..., FloatArray],
    *,
    seed: int,
    paired: bool = False,
    level: float = 0.95,
) -> Interval:
    """Percentile bootstrap interval of a statistic of samples ``[..., n]``, from ``RESAMPLES`` resamples.

    ``statistic`` gets a block of resamples ``[..., resample, n]`` of each sample and ``axis``, which is −1, and gives
    ``[..., resample]``, fewer of them where a resample has no value. ``paired`` samples meet the same draws; others are
    drawn each within itself. Raises ValueError for a sample of fewer than 2 values. Efron 1979.
    """
    found = bootstrap(
        samples,
        statistic,
        n_resamples=RESAMPLES,
        batch=max(1, _CELLS // sum(sample.size for sample in samples)),
        vectorized=True,
        paired=paired,
        axis=-1,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return Interval(found.confidence_interval.low, found.confidence_interval.high)


def resampled_sums(parts: NDArray[Any], *, seed: int) -> NDArray[np.int64]:
    """[resample, part] sums over ``RESAMPLES`` bootstrap resamples of whole-numbered parts ``[item, part]``.

    As drawing items with replacement, by how often each distinct row of parts is drawn, which is multinomial: much
    quicker where many items are alike. Raises ValueError for no item. Efron 1979.
    """
    if not len(parts):
        raise ValueError("No items; needs at least one.")
    kinds, counts = np.unique(np.asarray(parts, dtype=np.int64), axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(parts), counts / len(parts), size=RESAMPLES)
    sums: NDArray[np.int64] = drawn @ kinds
    return sums


def resampled_shares(hits: NDArray[np.int64], n: NDArray[np.int64], *, seed: int) -> FloatArray:
    """[resample, group] shares of hits in ``RESAMPLES`` bootstrap resamples within each group of ``n`` items.

    As drawing each group's items with replacement: the hits are then binomial. Groups have at least one item. Efron
    1979.
    """
    drawn = np.random.default_rng(seed).binomial(n, hits / n, size=(RESAMPLES, len(n)))
    shares: FloatArray = drawn / n
    return shares


def bootstrap_mean_interval(values: ArrayLike, *, seed: int, level: float = 0.95) -> Interval:
    """Percentile bootstrap interval of the mean; ``values`` ``(n,)`` or ``(n, k)`` are resampled along axis 0.

    Raises ValueError for fewer than 2 values or a value that is not finite. Efron 1979.
    """
    samples = _samples(values)
    width = _CELLS // RESAMPLES
    blocks = [samples.T[start : start + width] for start in range(0, samples.shape[1], width)]
    found = [bootstrap_interval([block], np.mean, seed=seed, level=level) for block in blocks]
    low, high = (np.concatenate(ends) for ends in zip(*((each.low, each.high) for each in found), strict=True))
    return Interval(float(low[0]), float(high[0])) if np.ndim(values) == 1 else Interval(low, high)


def sign_flip_test(values: ArrayLike, *, seed: int) -> SignFlip:
    """Two-sided test of mean 0 by flipping signs; ``values`` ``(n,)`` or ``(n, k)``, one test a column.

    p is the share of sign patterns whose |mean| reaches the observed one, over all 2^n of them while there are
    at most ``EXACT_FLIPS``; else over ``SAMPLED_FLIPS`` drawn ones, the observed pattern counted in:
    (k + 1) / (flips + 1). Values that are all zero give p = 1. Supposes values symmetric about 0 if the mean is 0.
    Raises ValueError for no values or a value that is not finite. Fisher 1935.
    """
    samples = _samples(values)
    n, columns = samples.shape
    exact = 2**n <= EXACT_FLIPS
    total = np.abs(samples).sum(axis=0)
    least = np.abs(samples.sum(axis=0)) - TIE * total
    reached = np.zeros(columns, dtype=np.int64)
    runs = -(-n // 8)
    width = max(1, min(_CELLS // (256 * runs), _FLIP_COLUMNS))
    for start in range(0, columns, width):
        block = slice(start, start + width)
        tables = _signed_sums(samples[:, block])
        for patterns in _all_patterns(n) if exact else _draw_patterns(n, seed):
            sums = np.zeros((patterns.shape[1], tables.shape[2]))
            for table, pattern in zip(tables, patterns, strict=True):
                sums += table.take(pattern, axis=0)
            reached[block] += (np.abs(sums) >= least[block]).sum(axis=0)
    # A pattern and its opposite have the same |mean|, so the exact test looks at half of them.
    p = reached / 2 ** (n - 1) if exact else (reached + 1) / (SAMPLED_FLIPS + 1)
    return SignFlip(float(p[0]) if np.ndim(values) == 1 else p, exact, 2**n if exact else SAMPLED_FLIPS)


def _samples(values: ArrayLike) -> FloatArray:
    """The values as ``(n, k)``, checked."""
    samples = np.asarray(values, dtype=np.float64)
    if samples.ndim not in (1, 2) or samples.shape[0] == 0:
        raise ValueError(f"Values of shape {samples.shape}; needs (n,) or (n, k) with n of at least 1.")
    if not np.isfinite(samples).all():
        raise ValueError("A value is not finite; exclude what could not be computed before resampling.")
    return samples.reshape(len(samples), -1)


def _signed_sums(samples: FloatArray) -> FloatArray:
    """Sums of each run of eight values under the 256 ways to set their signs: ``(runs, 256, k)``.

    A sign pattern of n values is then n / 8 look-ups instead of n products, which makes long samples quick. A set
    bit is a minus; a sample is filled up to whole runs with zeros.
    """
    n, columns = samples.shape
    runs = np.pad(samples, ((0, -n % 8), (0, 0))).reshape(-1, 8, columns)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    signed: FloatArray = (1.0 - 2.0 * bits) @ runs
    return signed


def _all_patterns(n: int) -> Iterator[NDArray[np.uint8]]:
    """Every sign pattern that leaves the last value's sign, as bytes ``(runs, patterns in block)``."""
    runs = -(-n // 8)
    numbers = np.arange(2 ** (n - 1))
    for start in range(0, len(numbers), _FLIP_BLOCK):
        block = numbers[start : start + _FLIP_BLOCK]
        yield np.stack([(block >> 8 * run & 255).astype(np.uint8) for run in range(runs)])


def _draw_patterns(n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """``SAMPLED_FLIPS`` random sign patterns as bytes ``(runs, patterns in block)``."""
    generator = np.random.default_rng(seed)
    for start in range(0, SAMPLED_FLIPS, _FLIP_BLOCK):
        size = (-(-n // 8), min(_FLIP_BLOCK, SAMPLED_FLIPS - start))
        yield generator.integers(256, size=size, dtype=np.uint8)
