"""What vectors linearly tell of a group, erased in closed form: LEACE (Belrose et al. 2023), by concept-erasure."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Vectors = NDArray[np.float64]

# Of the covariance of whitened vectors and groups, at most about 1/2: below it the groups differ by rounding alone.
_LEAST = 1e-6


@dataclass(frozen=True, eq=False)
class Eraser:
    """Erases from vectors what it was fitted on.

    ``rank``: how many dimensions it takes away, 1 for two groups, 0 where the means of the fitted vectors do not
    differ, so that there is nothing to erase. Erasing twice is erasing once.
    """

    rank: int
    _fitted: Any

    def __call__(self, vectors: Vectors) -> Vectors:
        """The vectors [n, width] without it."""
        erased: Vectors = self._fitted(torch.from_numpy(vectors)).numpy()
        return erased


def leace(first: Vectors, second: Vectors) -> Eraser:
    """What erases the difference of two groups of vectors, each [n, width], with the least change on average.

    On the fitted vectors no linear classifier finds the group afterwards: both groups have one mean. On others that
    holds as far as they are of the same distribution. What is not linear stays. The covariance behind "least" is that
    of the fitted vectors, shrunk towards a sphere (the library's default), since there may be fewer than dimensions;
    the fitted means are one whatever the covariance.

    Raises ValueError for a group of fewer than 2 vectors.
    """
    if min(len(first), len(second)) < 2:
        raise ValueError("each group needs at least 2 vectors")
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # it compiles a part not used here
        from concept_erasure import LeaceFitter

    vectors = torch.from_numpy(np.concatenate([first, second]))
    groups = torch.cat([torch.zeros(len(first)), torch.ones(len(second))]).double()
    # The library's bound on the trace would only let a trace of the groups stay: erasing never increases it.
    fitted = LeaceFitter.fit(vectors, groups, svd_tol=_LEAST, constrain_cov_trace=False).eraser
    return Eraser(int(fitted.proj_right.any(dim=1).sum()), fitted)
