"""Tables and whole results as CSV, JSON and text for a terminal."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd

from core.export.plain import Plain, is_missing, plain, strict_json
from core.export.wording import left_out_lines, provenance_line
from core.results import Provenance, Result

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes a cell that starts with one of these
_MISSING = "–"
_DOCUMENT_KEYS = ("summary", "detail", "left_out", "options", "provenance")


def to_csv(frame: pd.DataFrame, provenance: Provenance) -> bytes:
    """A tidy frame as CSV: UTF-8 with byte order mark, commas, CRLF, the index not written.

    Text and headers that a spreadsheet would compute get an apostrophe in front; numbers keep every digit and
    stay numbers; a missing value is an empty cell. The last column, ``provenance``, repeats on every row where
    it comes from: the row's own model where the frame has a column ``model``, else all of them.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([*(_csv_cell(str(column)) for column in frame.columns), "provenance"])
    models = frame["model"] if "model" in frame.columns else [None] * len(frame)
    for row, model in zip(frame.itertuples(index=False, name=None), models, strict=True):
        line = provenance_line(provenance, None if is_missing(model) else str(model))
        writer.writerow([*(_csv_cell(value) for value in row), _csv_cell(line)])
    return buffer.getvalue().encode("utf-8-sig")


def as_document(result: Result) -> dict[str, Plain]:
    """A result as the plain values JSON knows, under summary, detail, left_out, options and provenance.

    The two frames are lists of row dicts; what is missing or not finite is None.
    """
    return {key: plain(getattr(result, key)) for key in _DOCUMENT_KEYS}


def to_json(result: Result) -> bytes:
    """``as_document(result)`` as strict JSON in UTF-8, indented, with a final line break."""
    return (strict_json(as_document(result), indent=2) + "\n").encode()


def to_table(result: Result) -> str:
    """The summary as aligned text for a terminal, then what was left out, a line each.

    Numbers stand right-aligned with 4 decimals and a true minus sign, whole numbers without decimals; a missing
    value is "–"; a p value below 0.0001 says so instead of reading as zero.
    """
    columns = []
    for name in result.summary.columns:
        series = result.summary[name]
        numeric = pd.api.types.is_numeric_dtype(series) and not pd.api.types.is_bool_dtype(series)
        cells = [str(name), *(_table_cell(value, str(name)) for value in series)]
        width = max(len(cell) for cell in cells)
        columns.append([cell.rjust(width) if numeric else cell.ljust(width) for cell in cells])
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    left_out = left_out_lines(result.left_out)
    return "\n".join([*lines, *([""] if left_out else []), *left_out]) + "\n"


def _csv_cell(value: object) -> str:
    if is_missing(value):
        return ""
    if isinstance(value, float | np.floating):
        return repr(float(value))
    text = str(value)
    is_number = isinstance(value, int | np.integer)
    return f"'{text}" if not is_number and text.startswith(_FORMULA_STARTS) else text


def _table_cell(value: object, column: str) -> str:
    if is_missing(value):
        return _MISSING
    if not isinstance(value, float | np.floating):
        text = str(value)
        return text.replace("-", "−", 1) if isinstance(value, int | np.integer) else text
    if (column == "p" or column.startswith("p_")) and 0 <= value < 0.0001:
        return "<0.0001"
    text = f"{value:.4f}"
    if float(text) == 0:
        return text.removeprefix("-")
    return text.replace("-", "−", 1)
