"""What is worked out of outcomes in nats: effects, their means over sentences, and their correlation with degrees.

With y the outcome (above 0: towards the first group), after Vig et al. 2020, who take ratios where these are logs:

- total effect = y(twin) − y(sentence);
- indirect effect of a head = y(sentence, the head's value from the twin) − y(sentence);
- direct effect of a head = y(twin, the head's value from the sentence) − y(sentence);
- effect of a knock-out = y(sentence, the head's output replaced) − y(sentence).

The effects of heads do not add up: what heads do together is no sum of what each does alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from ....stats.corrections import benjamini_hochberg
from ....stats.correlation import Correlation, pearson
from ....stats.resampling import bootstrap_mean_interval, sign_flip_test
from ....stats.samples import is_enough
from .result import EFFECT, SIZE

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Means:
    """Means of columns over ``n`` sentences, all ``[column]``; NaN where ``n`` is too small for an interval and p."""

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    n: int

    @property
    def adjusted(self) -> FloatArray:
        """p adjusted over the columns (Benjamini & Hochberg 1995)."""
        return self.p if np.isnan(self.p).all() else benjamini_hochberg(self.p)


def means(values: FloatArray, *, seed: int) -> Means:
    """Means ``[column]`` of values ``[sentence, column]``; percentile bootstrap, two-sided sign-flip test of mean 0."""
    n, columns = values.shape
    if not is_enough(n):
        missing = np.full(columns, np.nan)
        return Means(values.mean(axis=0), missing, missing, missing, n)
    interval, test = bootstrap_mean_interval(values, seed=seed), sign_flip_test(values, seed=seed)
    low, high, p = (np.asarray(found, dtype=np.float64) for found in (interval.low, interval.high, test.p_value))
    return Means(values.mean(axis=0), low, high, p, n)


def mean_degrees(degrees: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
    """Mean ``[head]`` over the sentences with a degree of ``[sentence, head]``, NaN without any; and how many."""
    defined = ~np.isnan(degrees)
    counts = defined.sum(axis=0)
    sums = np.where(defined, degrees, 0.0).sum(axis=0)
    return np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0), counts


def correlations(effects: FloatArray, degrees: FloatArray) -> Iterator[tuple[str, str, Correlation]]:
    """Quantity, method and correlation of effects, and of their sizes, with degrees over the heads that have both.

    Spearman's r is Pearson's of the ranks.
    """
    both = ~np.isnan(degrees)
    for quantity, values in ((EFFECT, effects), (SIZE, np.abs(effects))):
        first, second = degrees[both], values[both]
        for method, found in (
            ("Pearson", pearson(first, second)),
            ("Spearman", pearson(rankdata(first), rankdata(second))),
        ):
            if found is not None:
                yield quantity, method, found
