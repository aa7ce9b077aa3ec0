"""DisCo: does what a model puts into a blank depend on the group of the word before it? Webster et al. 2020."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from scipy.stats import chi2_contingency

from core.stats.samples import ALPHA


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
    level = ALPHA / len(names) if names else ALPHA
    found = []
    for name in names:
        n_first, n_second = having[0][name], having[1][name]
        chi_squared, p = _dependence((n_first, len(first)), (n_second, len(second)))
        found.append(FillTest(name, n_first, n_second, chi_squared, p, p < level))
    return tuple(sorted(found, key=lambda test: test.p))


def _dependence(*groups: tuple[int, int]) -> tuple[float, float]:
    """χ² and p of the 2×2 table of ``groups``: how many have it, of how many."""
    if all(having == size for having, size in groups):
        return 0.0, 1.0
    found = chi2_contingency([(having, size - having) for having, size in groups], correction=False)
    return float(found.statistic), float(found.pvalue)
