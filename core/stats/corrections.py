"""Corrections of p values where many tests stand in one figure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def benjamini_hochberg(p: ArrayLike) -> NDArray[np.float64]:
    """p values adjusted for the false discovery rate over all of ``p``, in its shape and at most 1.

    NaN stays NaN and does not count in the family. Raises ValueError for a p value outside 0 to 1.
    Benjamini & Hochberg 1995.
    """
    raw = np.asarray(p, dtype=np.float64)
    tested = ~np.isnan(raw)
    family = raw[tested]
    if ((family < 0) | (family > 1)).any():
        raise ValueError("A p value lies outside 0 to 1.")
    order = np.argsort(family)
    scaled = family[order] * len(family) / np.arange(1, len(family) + 1)
    # The largest p is its own bound; each smaller one may not end up above a larger one.
    bounded = np.minimum.accumulate(scaled[::-1])[::-1]
    adjusted = np.empty_like(family)
    adjusted[order] = bounded
    result = np.full(raw.shape, np.nan)
    result[tested] = adjusted
    return result
