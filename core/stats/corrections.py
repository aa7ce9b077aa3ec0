"""Corrections of p values where many tests stand in one figure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import false_discovery_control


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """p values adjusted for the false discovery rate over all of ``p``, in its shape and at most 1.

    NaN stays NaN and does not count in the family. Raises ValueError for a p value outside 0 to 1.
    Benjamini & Hochberg 1995.
    """
    raw = np.asarray(p, dtype=np.float64)
    tested = ~np.isnan(raw)
    result = np.full(raw.shape, np.nan)
    result[tested] = false_discovery_control(raw[tested])
    return result
