"""How values stand in the cells of a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.report.cells import cell
from core.result import number, p_value


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-0.5, 3, "−0.500"),
        (0.0625, 3, "0.062"),  # to the even digit, as everywhere
        (-0.0001, 3, "0.000"),  # no negative zero
        (1234.5, 1, "1,234.5"),
        (np.int64(-7), None, "−7"),
        (12_870, None, "12,870"),
        (float("nan"), 3, "–"),
        (None, None, "–"),
        (pd.NA, None, "–"),
        (float("-inf"), 3, "−∞"),
        (True, None, "yes"),
        (np.bool_(False), None, "no"),
        ("nurse", None, "nurse"),
        ("-5", None, "-5"),  # a text stays as it is
    ],
)
def test_cells(value: object, decimals: int | None, text: str) -> None:
    assert cell(number("x", "A number.", decimals=decimals or 0), value) == text


@pytest.mark.parametrize(("p", "text"), [(0.5, "0.500"), (0.03125, "0.031"), (0.001, "0.001"), (0.00099, "< 0.001")])
def test_p_values_are_never_zero(p: float, text: str) -> None:
    assert cell(p_value("p", "A p value."), p) == text
