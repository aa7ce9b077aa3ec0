"""The interval of a share."""

from __future__ import annotations

from scipy.stats import binomtest

from .resampling import Interval


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval of the share ``successes`` / ``n``; its ends are shares, 0 to 1.

    Unlike the plain normal interval it never leaves 0 to 1 and has a width where all or none succeed.
    Raises ValueError for n under 1 or successes that are not within 0 and n. Wilson 1927.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n}; needs n of at least 1 and successes from 0 to n.")
    found = binomtest(successes, n).proportion_ci(level, method="wilson")
    return Interval(float(found.low), float(found.high))
