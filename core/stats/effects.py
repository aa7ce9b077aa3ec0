"""Effect size d of two sets of values, and its bootstrap interval."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .resampling import TIE, Interval, bootstrap_interval

FloatArray = NDArray[np.float64]


def two_sets(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both as float64 arrays ``[..., members]``; ValueError for an empty set or a value that is not finite."""
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.ndim == 0 or first.shape[:-1] != second.shape[:-1] or 0 in (first.size, second.size):
        raise ValueError(f"Sets of shapes {first.shape} and {second.shape}; needs [..., members], at least 1 in each.")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("A value is not finite; exclude what could not be computed before testing.")
    return first, second


def varies(values: FloatArray, scale: float | None) -> NDArray[np.bool_]:
    """Whether values ``[..., members]`` differ along the last axis by more than rounding does, ``[...]``.

    ``scale``: size of the numbers that the values were computed from; None takes the largest |value|.
    """
    size = np.abs(values).max(axis=-1) if scale is None else scale
    spread: NDArray[np.bool_] = np.ptp(values, axis=-1) > TIE * size
    return spread


def effect_size(x: ArrayLike, y: ArrayLike, *, ddof: int = 1, scale: float | None = None) -> FloatArray:
    """d = (mean of x − mean of y) / standard deviation of both together; above 0 where x is higher.

    ``x`` ``[..., n_x]`` and ``y`` ``[..., n_y]`` give d ``[...]`` in standard deviations, NaN where the values do not
    vary (see ``varies``). Raises ValueError for empty sets, values not finite, or a ddof that is neither 0 nor 1.
    Caliskan et al. 2017.
    """
    if ddof not in (0, 1):
        raise ValueError(f"ddof is {ddof}; needs 0 or 1.")
    first, second = two_sets(x, y)
    pooled = np.concatenate([first, second], axis=-1)
    difference = first.mean(axis=-1) - second.mean(axis=-1)
    spread = varies(pooled, scale)
    d: FloatArray = np.divide(
        difference, np.std(pooled, axis=-1, ddof=ddof), out=np.full(spread.shape, np.nan), where=spread
    )
    return d


def effect_size_interval(
    x: ArrayLike, y: ArrayLike, *, seed: int, ddof: int = 1, scale: float | None = None, level: float = 0.95
) -> Interval:
    """Percentile bootstrap interval of d; ``x`` ``(n_x,)`` and ``y`` ``(n_y,)`` are resampled each within itself.

    A resample in which all values are equal has no d and is excluded. It takes a value that x and y share, drawn
    throughout; as long as the sets vary these stay under about 1/e of all. Raises ValueError where d itself does not
    exist, or for a set of fewer than 2 values. Efron 1979.
    """
    first, second = two_sets(x, y)
    if first.ndim != 1 or not varies(np.concatenate([first, second]), scale):
        raise ValueError("d has an interval only for two sets (n_x,) and (n_y,) whose values vary.")
    size = float(max(np.abs(first).max(), np.abs(second).max())) if scale is None else scale

    def of_resamples(x: FloatArray, y: FloatArray, axis: int) -> FloatArray:
        d = effect_size(x, y, ddof=ddof, scale=size)
        return d[~np.isnan(d)]

    found = bootstrap_interval([first, second], of_resamples, seed=seed, level=level)
    return Interval(float(found.low), float(found.high))
