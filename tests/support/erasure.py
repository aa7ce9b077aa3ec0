"""LEACE for two groups, in numpy alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float64]


def erased(vectors: Vectors, first: Vectors, second: Vectors) -> Vectors:
    """The vectors without what is linear of the two groups, by the closed form for one dimension."""
    every = np.vstack([first, second])
    inverse = np.linalg.inv(shrunk(np.cov(every.T, ddof=0), len(every)))
    difference = second.mean(axis=0) - first.mean(axis=0)
    along = inverse @ difference
    share = (vectors - every.mean(axis=0)) @ along / (difference @ along)
    return vectors - np.outer(share, difference)


def shrunk(covariance: Vectors, n: int) -> Vectors:
    """A sample covariance shrunk towards a sphere of its trace (Bodnar, Gupta & Parolya 2014)."""
    width = len(covariance)
    trace = np.trace(covariance)
    sphere = np.eye(width) * trace / width
    both = np.trace(covariance @ sphere)
    alpha = 1 - trace**2 * (sphere**2).sum() / n / ((covariance**2).sum() * (sphere**2).sum() - both**2)
    beta = (1 - alpha) * both / (sphere**2).sum()
    return alpha * covariance + beta * sphere
