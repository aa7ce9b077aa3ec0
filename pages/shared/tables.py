"""Tables on screen: numbers right-aligned with a fixed number of decimals."""

from __future__ import annotations

import pandas as pd
import streamlit as st

_SMALL = "%.2g"  # p values: 3 decimals would read as zero
_TITLES = {
    "lpbs": "LPBS",
    "ci_low": "95 % from",
    "ci_high": "to",
    "p_adjusted": "adjusted p",
    "n": "n",
    "model": "model",
    "bias_type": "bias type",
    "attribute": "attribute",
    "percent_women": "% women",
    "percent_black": "% Black",
    "median_difference": "median difference",
}
# A rank sum ends in .0 or .5.
_ONE_DECIMAL = ("W", "percent_women", "percent_black", "order kept %", "pairs flipped %")


def show(table: pd.DataFrame, digits: int = 3) -> None:
    """Draw a table; what is missing is a dash, and columns without any number are left away."""
    shown = table.dropna(axis="columns", how="all")
    columns = {
        name: st.column_config.NumberColumn(_TITLES.get(name, name), format=_format(name, digits))
        if pd.api.types.is_float_dtype(shown[name])
        else st.column_config.Column(_TITLES.get(name, name))
        for name in shown.columns
    }
    st.dataframe(shown, hide_index=True, placeholder="–", column_config=columns, height=min(420, 38 + 35 * len(shown)))


def _format(column: str, digits: int) -> str:
    if column == "p" or column.startswith("p_"):
        return _SMALL
    return "%.1f" if column in _ONE_DECIMAL else f"%.{digits}f"
