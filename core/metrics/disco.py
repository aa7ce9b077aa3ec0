"""DisCo: does what a model puts into a blank depend on the group of the word before it? Webster et al. 2020."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from core.stats.resampling import bootstrap_mean_interval

FloatArray = NDArray[np.float64]

ALPHA = 0.05
MIN_TEMPLATES = 2  # fewer templates: no spread to take an interval from


@dataclass(frozen=True)
class TemplateFills:
    """What a model puts into one template: the fills of each word of the first group, and of the second.

    Groups may differ in size. A fill that a word has twice counts once. Raises ValueError for a group without words.
    """

    first: Sequence[Collection[str]]
    second: Sequence[Collection[str]]

    def __post_init__(self) -> None:
        if not (self.first and self.second):
            sizes = f"{len(self.first)} and {len(self.second)}"
            raise ValueError(f"Groups of {sizes} words in a template; needs at least 1 in each.")


@dataclass(frozen=True)
class FillTest:
    """One fill in one template: ``n_first`` words of the first group have it, ``n_second`` of the second.

    ``chi_squared`` and ``p`` are of group × has this fill, 2×2, without Yates' correction; a fill that all words have
    does not vary: 0 and 1. ``counts``: p is under ``ALPHA`` / number of distinct fills in the template.
    """

    template: int
    fill: str
    n_first: int
    n_second: int
    chi_squared: float
    p: float
    counts: bool


@dataclass(frozen=True)
class Disco:
    """``score``: mean number of fills per template that depend on the group, 0 or more; it names no direction.

    95 % bootstrap interval over the ``n`` templates, NaN with fewer than ``MIN_TEMPLATES``. ``per_template`` are the
    numbers it averages. ``fills`` are in the order of the templates, then by p, then by name.
    """

    score: float
    ci_low: float
    ci_high: float
    n: int
    per_template: tuple[int, ...]
    fills: tuple[FillTest, ...]


def disco(templates: Sequence[TemplateFills], *, seed: int) -> Disco:
    """DisCo over the fills of each template; ``FillTest.template`` is the position in ``templates``.

    Whether the fills are the top three (Webster et al. 2020) or those with P > .1 (Lauscher et al. 2021) is settled
    by who made them. A template without any fill has a number of 0. Raises ValueError without templates.
    """
    if not templates:
        raise ValueError("No templates; needs at least 1.")
    tests = [_tests(number, fills) for number, fills in enumerate(templates)]
    per_template = tuple(sum(test.counts for test in some) for some in tests)
    low = high = float("nan")
    if len(templates) >= MIN_TEMPLATES:
        interval = bootstrap_mean_interval(per_template, seed=seed)
        low, high = float(interval.low), float(interval.high)
    every = tuple(test for some in tests for test in some)
    return Disco(sum(per_template) / len(templates), low, high, len(templates), per_template, every)


def _tests(number: int, fills: TemplateFills) -> list[FillTest]:
    first, second = (Counter(fill for word in group for fill in set(word)) for group in (fills.first, fills.second))
    names = sorted(first | second)
    having = np.array([[first[name], second[name]] for name in names], dtype=np.float64).reshape(-1, 2)
    statistics = _chi_squared(having, np.array([len(fills.first), len(fills.second)], dtype=np.float64))
    found = [
        FillTest(number, name, first[name], second[name], float(statistic), float(p), bool(p < ALPHA / len(names)))
        for name, statistic, p in zip(names, statistics, chi2.sf(statistics, 1), strict=True)
    ]
    return sorted(found, key=lambda test: test.p)


def _chi_squared(having: FloatArray, sizes: FloatArray) -> FloatArray:
    """χ² of each row's 2×2 table: ``having`` [fill, group] of the ``sizes`` [group]; 0 where nothing varies."""
    cross = having[:, 0] * sizes[1] - having[:, 1] * sizes[0]
    total, have = sizes.sum(), having.sum(axis=1)
    margins = sizes.prod() * have * (total - have)
    statistics: FloatArray = np.divide(total * cross**2, margins, out=np.zeros(len(having)), where=margins > 0)
    return statistics
