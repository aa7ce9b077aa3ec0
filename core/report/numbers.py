"""How numbers are written, in one place: on charts, in sentences, in tables and in messages."""

from __future__ import annotations

import math

MISSING = "–"

_SMALLEST_P = 0.001
_POSITIONS = {
    "embedding": "embedding",
    "query": "query",
    "key": "key",
    "value": "value",
    "context": "averaged attention",
    "output": "output",
    "attention": "attention",
}


def fixed(value: float, decimals: int = 2) -> str:
    """A number with fixed decimals, commas and a true minus: "1,234.50", "−0.30"; what rounds to zero has no sign.

    Raises
    ------
    ValueError
        For a value that is not finite: what could not be computed has no number to write.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number; say why it was not computed instead.")
    digits = f"{abs(value):,.{decimals}f}"
    return f"−{digits}" if value < 0 and digits.strip("0,.") else digits


def signed(value: float, decimals: int = 2) -> str:
    """A number with fixed decimals and its sign: "+0.40", "−1.35"; what rounds to zero has none.

    Raises
    ------
    ValueError
        For a value that is not finite.
    """
    text = fixed(value, decimals)
    return f"+{text}" if value > 0 and text.strip("0,.") else text


def short(value: float) -> str:
    """A number without needless decimals, such as a setting: "50", "0.25", "−1"."""
    return f"{value:.6g}".replace("-", "−")


def coefficient(value: float) -> str:
    """A number from −1 to 1 with two decimals, as correlations are written: ".44", "−.12", "1.00"."""
    return fixed(value).replace("0.", ".", 1)


def share(value: float, decimals: int = 4) -> str:
    """A share from 0 to 1; one too small for the decimals is said to be smaller, not rounded to zero: "< 0.0001"."""
    smallest = 10.0**-decimals
    return f"< {smallest:.{decimals}f}" if 0 < value < smallest else fixed(value, decimals)


def percent(value: float, decimals: int = 1) -> str:
    """A share from 0 to 1 as a percentage; one too small for them is said to be smaller: "12.3 %", "< 0.1 %"."""
    return f"{share(100 * value, decimals)} %"


def p_value(p: float) -> str:
    """A p value with three decimals; one below 0.001 is said to be smaller, rounded neither to it nor to zero."""
    return f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.3f}"


def p_text(p: float) -> str:
    """A p value with its sign: "p = 0.031", "p < 0.001"."""
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def interval(low: float, high: float, decimals: int = 2) -> str:
    """A confidence interval: "95 % interval +0.10 to +0.30"."""
    return f"95 % interval {signed(low, decimals)} to {signed(high, decimals)}"


def counted(count: float, singular: str, plural: str | None = None) -> str:
    """A number with its noun: "1 word", "3,000 words"."""
    return f"{count:,.0f} {singular if count == 1 else plural or singular + 's'}"


def position_name(kind: object, layer: float | None) -> str:
    """A position of the path through a model: "query of L3", "embedding"."""
    name = _POSITIONS[str(kind)]
    return name if layer is None or kind == "embedding" else f"{name} of L{int(layer)}"


def head_name(layer: float, head: float) -> str:
    """A head of a model, both from 0: "L3 H5"."""
    return f"L{int(layer)} H{int(head)}"
