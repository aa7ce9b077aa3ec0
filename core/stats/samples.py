"""One rule for small samples: from how many values on a spread is worth an interval, a p value and a verdict."""

from __future__ import annotations

LEAST = 6  # values; a sign-flip test of 5 cannot come below p = .0625, and a bootstrap of 2 is [min, max]

ALPHA = 0.05  # a p value below it counts as significant


def is_enough(n: int) -> bool:
    """Whether ``n`` values carry an interval and a verdict; with fewer, only the value itself is shown."""
    return n >= LEAST


def too_few(n: int) -> str:
    """What to say instead of a verdict: "3 of at least 6"."""
    return f"{n} of at least {LEAST}"
