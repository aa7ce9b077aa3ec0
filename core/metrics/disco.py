"""DisCo: does what a model puts into a blank depend on the group of the word before it? Webster et al. 2020."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

FloatArray = NDArray[np.float64]

ALPHA = 0.05


@dataclass(frozen=True)
class FillTest:
    """One fill in one template: ``n_first`` words of the first group have it, ``n_second`` of the second.

    ``chi_squared`` and ``p`` are of group × has this fill, 2×2, without Yates' correction; a fill that all words have
    does not vary: 0 and 1. ``counts``: p is under ``ALPHA`` / number of distinct fills in the template.
    """

    fill: str
    n_first: int
    n_second: int
    chi_squared: float
    p: float
    counts: bool


def dependent_fills(first: Sequence[Collection[str]], second: Sequence[Collection[str]]) -> tuple[FillTest, ...]:
    """A test of each distinct fill of one template, by p, then by name.

    ``first`` and ``second`` hold the fills of each word of a group; groups may differ in size, and a fill that a word
    has twice counts once. Whether the fills are the top three (Webster et al. 2020) or those with P > .1 (Lauscher et
    al. 2021) is settled by who made them. Raises ValueError for a group without words.
    """
    if not (first and second):
        raise ValueError(f"Groups of {len(first)} and {len(second)} words; needs at least 1 in each.")
    having = [Counter(fill for word in group for fill in set(word)) for group in (first, second)]
    names = sorted(having[0] | having[1])
    counts = np.array([[group[name] for group in having] for name in names], dtype=np.float64).reshape(-1, 2)
    statistics = _chi_squared(counts, np.array([len(first), len(second)], dtype=np.float64))
    found = [
        FillTest(name, having[0][name], having[1][name], float(statistic), float(p), bool(p < ALPHA / len(names)))
        for name, statistic, p in zip(names, statistics, chi2.sf(statistics, 1), strict=True)
    ]
    return tuple(sorted(found, key=lambda test: test.p))


def _chi_squared(having: FloatArray, sizes: FloatArray) -> FloatArray:
    """χ² of each row's 2×2 table: ``having`` [fill, group] of the ``sizes`` [group]; 0 where nothing varies."""
    cross = having[:, 0] * sizes[1] - having[:, 1] * sizes[0]
    total, have = sizes.sum(), having.sum(axis=1)
    margins = sizes.prod() * have * (total - have)
    statistics: FloatArray = np.divide(total * cross**2, margins, out=np.zeros(len(having)), where=margins > 0)
    return statistics
