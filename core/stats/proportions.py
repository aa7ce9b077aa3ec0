"""The interval of a share."""

from __future__ import annotations

import math

from scipy.stats import norm

from core.stats.resampling import Interval


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval of the share ``successes`` / ``n``; its ends are shares, 0 to 1.

    Unlike the plain normal interval it never leaves 0 to 1 and has a width where all or none succeed.
    Raises ValueError for n under 1 or successes that are not within 0 and n. Wilson 1927.
    """
    if n < 1 or not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n}; needs n of at least 1 and successes from 0 to n.")
    z = float(norm.ppf((1 + level) / 2))
    share, squared = successes / n, z * z / n
    middle = share + squared / 2
    half = math.sqrt(squared * (share * (1 - share) + squared / 4))
    # At 0 and n one end is exactly 0 or 1, which rounding can miss.
    low = 0.0 if successes == 0 else (middle - half) / (1 + squared)
    high = 1.0 if successes == n else (middle + half) / (1 + squared)
    return Interval(low, high)
