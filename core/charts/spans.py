"""Where a scale that is not centred on zero is marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from core.report.numbers import fixed, signed

_ROUND = (1, 2, 5, 10)


def marks_between(low: float, high: float, most: int = 5) -> list[float]:
    """Round positions from ``low`` to ``high``, steps of 1, 2 or 5 times a power of ten: 2 to ``most`` + 1 of them.

    ``high`` is above ``low``, ``most`` at least 5.
    """
    raw = (high - low) / most
    decade = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * decade for factor in _ROUND if factor * decade >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def mark_texts(positions: Sequence[float], *, sign: bool = False, unit: str = "") -> list[str]:
    """The marks as text, as many decimals as their step needs; a bare 0; ``sign`` writes the plus too."""
    step = min(after - before for before, after in pairwise(positions))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    write = signed if sign else fixed
    return [(write(position, decimals) if position else "0") + unit for position in positions]
