"""Gaps in true positive rate: hits by occupation and gender in, numbers out (De-Arteaga et al. 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....stats.resampling import RESAMPLES, resampled_shares
from ....stats.samples import is_enough

FloatArray = NDArray[np.float64]
Counts = NDArray[np.int64]  # [gender, occupation], men first

ENDS = (0.025, 0.975)


@dataclass(frozen=True, eq=False)
class Gaps:
    """True positive rates [gender, occupation], and the gaps women − men [end, occupation].

    The ends are the value and the low and the high end of its interval; NaN where a gender has too few biographies, the
    ends also where no resample differs. Over the occupations with a gap: ``mean`` (value, low, high); ``absolute`` and
    ``rms``, and by ``chance`` both with genders shuffled within each occupation. Distances have no interval: those of
    resamples are larger than the observed one.
    """

    rates: FloatArray
    gaps: FloatArray
    mean: FloatArray
    absolute: float
    rms: float
    chance: tuple[float, float]

    @property
    def counted(self) -> NDArray[np.bool_]:
        """[occupation] whether it has a gap."""
        found: NDArray[np.bool_] = ~np.isnan(self.gaps[0])
        return found


def enough(n: Counts) -> NDArray[np.bool_]:
    """[occupation] whether both genders have enough biographies."""
    return np.array([all(is_enough(int(count)) for count in counts) for counts in n.T], dtype=bool)


def measured(hits: Counts, n: Counts, *, seed: int) -> Gaps:
    """Gaps of ``hits`` among ``n`` biographies; intervals by bootstrap of the biographies of each cell."""
    rates = np.divide(hits, n, out=np.full(n.shape, np.nan), where=n > 0)
    of = enough(n)
    gaps = np.full((3, n.shape[1]), np.nan)
    missing = np.full(3, np.nan)
    if not of.any():
        return Gaps(rates, gaps, missing, np.nan, np.nan, (np.nan, np.nan))
    shares = resampled_shares(hits[:, of].ravel(), n[:, of].ravel(), seed=seed)
    men, women = np.split(shares, 2, axis=1)
    drawn = women - men  # [resample, occupation]
    observed = rates[1, of] - rates[0, of]
    gaps[:, of] = _with_ends(observed, drawn)
    chance = _by_chance(hits[:, of], n[:, of], seed)
    return Gaps(
        rates,
        gaps,
        _with_ends(observed.mean(), drawn.mean(axis=1)),
        float(np.abs(observed).mean()),
        float(_rms(observed)),
        (float(np.abs(chance).mean()), float(_rms(chance).mean())),
    )


def share_ends(hits: int, n: int, *, seed: int) -> tuple[float, float]:
    """The interval of one share; NaN for too few, or where no resample differs."""
    if not is_enough(n):
        return np.nan, np.nan
    _, low, high = _with_ends(np.array(hits / n), resampled_shares(np.array([hits]), np.array([n]), seed=seed)[:, 0])
    return float(low), float(high)


def _rms(gaps: FloatArray) -> FloatArray:
    found: FloatArray = np.sqrt((gaps**2).mean(axis=-1))
    return found


def _with_ends(value: FloatArray | np.floating, drawn: FloatArray) -> FloatArray:
    """[end, …] the value and the ends of its resamples ``[resample, …]``."""
    ends = np.quantile(drawn, ENDS, axis=0)
    ends = np.where(np.ptp(drawn, axis=0) == 0, np.nan, ends)
    return np.stack([np.asarray(value, dtype=np.float64), *ends])


def _by_chance(hits: Counts, n: Counts, seed: int) -> FloatArray:
    """[draw, occupation] gaps where the hits of an occupation fall on the genders by chance."""
    of_women = np.random.default_rng(seed).hypergeometric(
        hits.sum(axis=0), (n - hits).sum(axis=0), n[1], size=(RESAMPLES, n.shape[1])
    )
    found: FloatArray = of_women / n[1] - (hits.sum(axis=0) - of_women) / n[0]
    return found
