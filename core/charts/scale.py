"""Where a scale is marked, and how the marks are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ..report.numbers import fixed, signed
from .theme import Theme

_ROUND = (1, 2, 5, 10)
_STEPS = 5  # between two ends, at most
_APART = 46  # pixels from one mark to the next, for texts such as "−0.25"


def ticks(half: float, per_side: int) -> list[float]:
    """Round positions within ±half, zero among them: steps of 1, 2 or 5, one to ``per_side`` on each side.

    ``half`` is above 0, ``per_side`` at least 1.
    """
    decade = math.floor(math.log10(half))
    steps = [factor * 10.0**exponent for exponent in (decade, decade - 1) for factor in (5, 2, 1)]
    fitting = [(step, math.floor(half / step + 1e-9)) for step in steps if step <= half * (1 + 1e-9)]
    # The largest step is kept even where it fits twice and once is asked for.
    step, count = [fitting[0], *(pair for pair in fitting[1:] if pair[1] <= per_side)][-1]
    count = min(count, per_side)
    return [round(index * step, 10) for index in range(-count, count + 1)]


def most_ticks(pixels: float, most: int) -> int:
    """How many marks a side of ``pixels`` has room for, up to ``most``, at least one."""
    return max(1, min(most, int(pixels / _APART)))


def ticks_between(low: float, high: float) -> list[float]:
    """Round positions from ``low`` to ``high``, steps of 1, 2 or 5 times a power of ten: 2 to 6 of them.

    ``high`` is above ``low``.
    """
    raw = (high - low) / _STEPS
    decade = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * decade for factor in _ROUND if factor * decade >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def tick_texts(positions: Sequence[float], *, sign: bool = True, unit: str = "") -> list[str]:
    """The marks as text, as many decimals as their step needs; a bare 0; ``sign`` writes the plus too."""
    step = min(after - before for before, after in pairwise(positions))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    write = signed if sign else fixed
    return [(write(position, decimals) if position else "0") + unit for position in positions]


def signed_axis(
    theme: Theme, half: float, title: str = "", per_side: int = 4, reach: float | None = None
) -> dict[str, object]:
    """Of a layout, an axis from −``half`` to ``half`` with a line at zero; its marks lie within ``reach`` of it."""
    marks = ticks(half if reach is None else reach, per_side)
    return {
        "range": [-half, half],
        "tickmode": "array",
        "tickvals": marks,
        "ticktext": tick_texts(marks),
        "zeroline": True,
        "zerolinecolor": theme.zero,
        "zerolinewidth": 1,
        "title": {"text": title, "standoff": 8},
    }


def percent_axis(title: str) -> dict[str, object]:
    """Of a layout, an axis of shares from 0 to 1, marked in percent."""
    return {"range": [0, 1.02], "tickformat": ".0%", "dtick": 0.25, "title": {"text": title, "standoff": 8}}
