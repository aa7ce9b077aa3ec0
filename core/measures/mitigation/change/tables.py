"""The numbers of a comparison as a page shows them: one row for what a reader looks up."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ....result import Column
from .result import CHANGES, LEAN, SIDES, ChangeResult

_PARTS = ("before", "after", "difference")
_TEST = ("W", "r", "p_adjusted", "n")


def section_table(result: ChangeResult) -> pd.DataFrame:
    """The paper's Table 4: a row a model and section with before, after and difference of each side, and W and r.

    Where values have no sides, before, after and difference are those of the values.
    """
    changes = result[CHANGES][result[CHANGES]["quantity"] == LEAN]
    keys = ["model", "section"]
    sides = result[SIDES]
    if sides.empty:
        return changes[[*keys, *_PARTS, *_TEST]].reset_index(drop=True)
    table = changes[[*keys, *_TEST]]
    for side in reversed(list(dict.fromkeys(sides["side"]))):
        named = {part: f"{part} {side}" for part in _PARTS}
        table = sides.loc[sides["side"] == side, [*keys, *_PARTS]].rename(columns=named).merge(table, on=keys)
    return table


def section_columns(result: ChangeResult) -> tuple[Column, ...]:
    """What the columns of ``section_table`` hold."""
    changes, sides = result.SCHEMA.tables[CHANGES], result.SCHEMA.tables[SIDES]
    of_sides = [
        replace(sides.column(part), name=f"{part} {side}", title=f"{part}, {side}")
        for side in dict.fromkeys(result[SIDES]["side"])
        for part in _PARTS
    ]
    return (*changes.columns, *of_sides)
