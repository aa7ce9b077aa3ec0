"""How a value of a declared column is written on screen."""

from __future__ import annotations

import math

import numpy as np

from ..plain import is_missing
from ..result import Column
from .numbers import MISSING, fixed, p_value


def cell(column: Column, value: object) -> str:
    """A value as text: a true minus sign, the column's decimals, none for counts, and a dash for what is missing."""
    if is_missing(value):
        return MISSING
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | float | np.integer | np.floating):
        number = float(value)
        if not math.isfinite(number):
            return "∞" if number > 0 else "−∞"
        return p_value(number) if column.p else fixed(number, column.decimals)
    return str(value)
