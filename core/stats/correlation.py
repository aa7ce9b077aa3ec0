"""Correlations with their intervals, and the line through a scatter with its band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import linregress, pearsonr, rankdata, spearmanr
from scipy.stats import t as students_t

from .resampling import bootstrap_interval

FloatArray = NDArray[np.float64]

FEWEST_POINTS = 4  # Fisher's interval divides by √(n − 3); under 4 points no correlation is computed


@dataclass(frozen=True)
class Correlation:
    """r from −1 to 1 with its 95 % interval and two-sided p over ``n`` points."""

    r: float
    ci_low: float
    ci_high: float
    p: float
    n: int


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation | None:
    """Pearson's r; interval by Fisher's z. None under ``FEWEST_POINTS`` or where a side does not vary."""
    first, second = _points(x, y)
    if not _can_correlate(first, second):
        return None
    found = pearsonr(first, second)
    interval = found.confidence_interval(0.95)
    return Correlation(
        float(found.statistic), float(interval.low), float(interval.high), float(found.pvalue), len(first)
    )


def spearman(x: ArrayLike, y: ArrayLike, *, seed: int) -> Correlation | None:
    """Spearman's r; percentile bootstrap interval over the points. None as in ``pearson``.

    A resample in which a side does not vary has no r and is excluded from the interval.
    """
    first, second = _points(x, y)
    if not _can_correlate(first, second):
        return None
    found = spearmanr(first, second)
    interval = bootstrap_interval([first, second], _spearman_of_resamples, seed=seed, paired=True)
    return Correlation(
        float(found.statistic), float(interval.low), float(interval.high), float(found.pvalue), len(first)
    )


@dataclass(frozen=True)
class Line:
    """The least-squares line y = intercept + slope · x, with what its band needs."""

    slope: float
    intercept: float
    residual_sd: float
    x_mean: float
    x_squares: float
    n: int

    def at(self, x: ArrayLike) -> FloatArray:
        """The line's height at each x."""
        return self.intercept + self.slope * np.asarray(x, dtype=np.float64)

    def band(self, x: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Lower and upper end of the 95 % confidence band of the line at each x."""
        places = np.asarray(x, dtype=np.float64)
        spread = np.sqrt(1 / self.n + (places - self.x_mean) ** 2 / self.x_squares)
        half = float(students_t.ppf(0.975, self.n - 2)) * self.residual_sd * spread
        return self.at(places) - half, self.at(places) + half


def regression(x: ArrayLike, y: ArrayLike) -> Line | None:
    """The least-squares line of y on x; None under ``FEWEST_POINTS`` or where x does not vary."""
    first, second = _points(x, y)
    if len(first) < FEWEST_POINTS or is_constant(first):
        return None
    found = linregress(first, second)
    residuals = second - (found.intercept + found.slope * first)
    sd = float(np.sqrt((residuals**2).sum() / (len(first) - 2)))
    squares = float(((first - first.mean()) ** 2).sum())
    return Line(float(found.slope), float(found.intercept), sd, float(first.mean()), squares, len(first))


def is_constant(values: ArrayLike) -> bool:
    """Whether values do not vary beyond rounding."""
    numbers = np.asarray(values, dtype=np.float64)
    return bool(np.ptp(numbers) <= 1e-12 * max(1.0, float(np.abs(numbers).max())))


def _points(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"Points of shapes {first.shape} and {second.shape}; needs two lists of one length.")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("A point is not finite; exclude what could not be computed.")
    return first, second


def _can_correlate(first: FloatArray, second: FloatArray) -> bool:
    return len(first) >= FEWEST_POINTS and not is_constant(first) and not is_constant(second)


def _spearman_of_resamples(x: FloatArray, y: FloatArray, axis: int) -> FloatArray:
    """Spearman's r of each resample in which both sides vary."""
    ranks = [rankdata(side, axis=axis) for side in (x, y)]
    first, second = (side - side.mean(axis=axis, keepdims=True) for side in ranks)
    sizes = np.sqrt((first**2).sum(axis=axis) * (second**2).sum(axis=axis))
    r: FloatArray = (first * second).sum(axis=axis)[sizes > 0] / sizes[sizes > 0]
    return r
