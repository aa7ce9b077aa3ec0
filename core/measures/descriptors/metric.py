"""From log perplexities to which descriptors differ; arrays in, numbers out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...stats.corrections import benjamini_hochberg
from ...stats.rank_tests import rank_sum, signed_rank
from ...stats.resampling import RESAMPLES, Interval
from ...stats.samples import ALPHA, is_enough
from .choices import Comparison

FloatArray = NDArray[np.float64]

_BLOCK = 500  # resamples held at a time


@dataclass(frozen=True)
class Pair:
    """Two descriptors in one template.

    ``first`` and ``second`` are their places. ``difference`` is the median over nouns of the first's log perplexity
    less the second's (nats): above 0 the model expects sentences with the first less. ``statistic`` is W or U,
    ``p`` that of the test as it stands, ``adjusted`` the p that decides; NaN where there are too few nouns.
    """

    template: int
    first: int
    second: int
    difference: float
    statistic: float
    p: float
    adjusted: float

    @property
    def differs(self) -> bool:
        """Whether the two are told apart."""
        return self.adjusted < ALPHA


def log_perplexity(ln_p: ArrayLike, length: ArrayLike) -> FloatArray:
    """Mean surprise of a word or token: the natural logarithm of a perplexity.

    Parameters
    ----------
    ln_p : array
        Summed log probability of each sentence (nats, at most 0).
    length : array of the same shape
        Its words or tokens, at least 1.

    Returns
    -------
    array
        −``ln_p`` / ``length`` (nats, at least 0): the higher, the less the model expects the sentence.
    """
    values: FloatArray = -np.asarray(ln_p, dtype=np.float64) / np.asarray(length, dtype=np.float64)
    return values


def compare(values: FloatArray, comparison: Comparison) -> tuple[Pair, ...]:
    """Every two descriptors of an axis in every template.

    Parameters
    ----------
    values : array [template, descriptor, noun]
        Log perplexities (nats).
    comparison : Comparison
        ``PAIRED``: Wilcoxon's signed-rank test of the differences over the same nouns, p adjusted by Benjamini and
        Hochberg over all pairs and templates of the axis. ``PUBLISHED``: Mann–Whitney U over all nouns, unadjusted.

    Returns
    -------
    tuple of Pair
        Template by template, in the order of the descriptors.

    References
    ----------
    Smith et al. 2022; Wilcoxon 1945; Mann & Whitney 1947; Benjamini & Hochberg 1995.
    """
    _, descriptors, nouns = values.shape
    firsts, seconds = np.triu_indices(descriptors, 1)
    places = [(t, int(i), int(j)) for t in range(len(values)) for i, j in zip(firsts, seconds, strict=True)]
    tests = [
        _test(values[t, i], values[t, j], comparison) if is_enough(nouns) else (np.nan, np.nan) for t, i, j in places
    ]
    raw = np.array([p for _, p in tests])
    adjusted = benjamini_hochberg(raw) if comparison is Comparison.PAIRED else raw
    return tuple(
        Pair(t, i, j, float(np.median(values[t, i] - values[t, j])), statistic, p, float(decides))
        for (t, i, j), (statistic, p), decides in zip(places, tests, adjusted, strict=True)
    )


def _test(first: FloatArray, second: FloatArray, comparison: Comparison) -> tuple[float, float]:
    if comparison is Comparison.PUBLISHED:
        found = rank_sum(first, second)
        return found.u, found.p
    paired = signed_rank(first - second)
    return (0.0, 1.0) if paired is None else (paired.w, paired.p)


def share(pairs: tuple[Pair, ...]) -> float:
    """In how many of the pairs the two are told apart.

    Parameters
    ----------
    pairs : tuple of Pair
        Of one axis, in one template or in all.

    Returns
    -------
    float
        Percent, 0 to 100; NaN where no pair was tested.
    """
    if not pairs or np.isnan(pairs[0].adjusted):
        return np.nan
    return 100 * sum(pair.differs for pair in pairs) / len(pairs)


def distance(values: FloatArray, *, seed: int) -> tuple[float, Interval]:
    """How far two descriptors lie apart on average.

    It is at least 0, and chance alone keeps it above: with few nouns the interval lies high.

    Parameters
    ----------
    values : array [template, descriptor, noun]
        Log perplexities (nats).
    seed : int
        Of the resamples.

    Returns
    -------
    float
        The mean, over templates and pairs of descriptors, of the size of the difference of their means over nouns, in
        nats.
    Interval
        Its 95 % percentile bootstrap over nouns; NaN ends where there are too few nouns.

    References
    ----------
    Efron 1979.
    """
    nouns = values.shape[-1]
    found = float(_apart(values.mean(axis=-1)).mean())
    if not is_enough(nouns):
        return found, Interval(np.nan, np.nan)
    weights = np.random.default_rng(seed).multinomial(nouns, np.full(nouns, 1 / nouns), size=RESAMPLES) / nouns
    drawn = [
        _apart(np.einsum("tdn,rn->rtd", values, weights[start : start + _BLOCK])).mean(axis=-1)
        for start in range(0, RESAMPLES, _BLOCK)
    ]
    low, high = np.quantile(np.concatenate(drawn), (0.025, 0.975))
    return found, Interval(float(low), float(high))


def _apart(means: FloatArray) -> FloatArray:
    """Mean distance of two different values along the last axis: sorted, each counts by how many lie on its sides."""
    n = means.shape[-1]
    weights = 2 * np.arange(1, n + 1) - n - 1
    apart: FloatArray = np.sort(means, axis=-1) @ weights / (n * (n - 1) / 2)
    return apart
