"""Tables on screen: titles with a help text, numbers right-aligned with fixed decimals, long sentences wrapped."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from core.report.cells import cell
from core.report.numbers import MISSING
from core.result import Column
from pages.shared.markdown import literal

_LINE, _PADDING, _TALLEST = 21, 14, 420  # pixels: of a line, of a row beside its lines, of a table
_HEAD = 38
_LETTER = 7.6  # pixels of a letter of a text
_LONG = 60  # letters from which a text is wrapped
_WRAPS = 66  # pixels a row must have before Streamlit wraps its text
_MOST_LINES = 6
pd.set_option("styler.render.max_elements", 10_000_000)  # cells; the heads of four deep models are over its default


def show(table: pd.DataFrame, columns: Iterable[Column], right: Collection[str] = ()) -> None:
    """Draw a table with its columns as declared; what is missing is a dash, a column without any value is not shown.

    ``right``: columns of numbers that are written as texts already.
    """
    shown = table.dropna(axis="columns", how="all")
    declared = {column.name: column for column in columns}
    known = {str(name): declared[str(name)] for name in shown.columns}
    config = {}
    longest = 0
    for name, column in known.items():
        is_number = pd.api.types.is_numeric_dtype(shown[name]) and not pd.api.types.is_bool_dtype(shown[name])
        letters = 0 if is_number or shown.empty else int(shown[name].map(str).str.len().max())
        longest = max(longest, letters)
        make = st.column_config.NumberColumn if is_number else st.column_config.TextColumn
        alignment: Literal["right"] | None = "right" if name in right else None
        config[name] = make(
            column.heading, help=literal(column.help) or None, width=_width(letters), alignment=alignment
        )
    lines = min(math.ceil(longest / (0.9 * _LONG)), _MOST_LINES) if longest > _LONG else 1
    row = max(_LINE * lines + _PADDING, _WRAPS) if lines > 1 else _LINE + _PADDING
    st.dataframe(
        shown.style.format({name: partial(cell, column) for name, column in known.items()}, na_rep=MISSING),
        hide_index=True,
        placeholder=MISSING,
        column_config=config,
        row_height=row,
        height=min(_TALLEST, _HEAD + row * len(shown)),
    )


def _width(letters: int) -> int | None:
    """Pixels of a column of texts of so many letters; None where Streamlit finds it out itself."""
    return None if letters < _LONG / 2 else round(min(letters, _LONG) * _LETTER)
