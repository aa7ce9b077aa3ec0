"""Tables and whole results as CSV, JSON and text for a terminal."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd

from ..plain import Plain, is_missing, plain, strict_json
from ..result import Provenance, Result, Table
from .numbers import MISSING, counted, fixed, p_value
from .wording import exclusion_lines, provenance_line, provenance_lines

_MOST_ROWS = 100  # of a table on a terminal
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes a cell that starts with one of these


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
    """A whole result as the plain values JSON knows: ``{"schema", "spec", "tables", "excluded", "notes", …}``.

    Tables are lists of row dicts by the table's name; what is missing or not finite is None.
    """
    document = result.document()
    tables: dict[str, Plain] = {name: plain(frame) for name, frame in result.tables.items()}
    return {"schema": document.pop("schema"), "spec": document.pop("spec"), "tables": tables, **document}


def to_json(result: Result) -> bytes:
    """The whole result as strict JSON in UTF-8, indented, with a final line break."""
    return (strict_json(as_document(result), indent=2) + "\n").encode()


def to_table(result: Result) -> str:
    """A result as text for a terminal: its tables aligned, then notes, exclusions and provenance, a line each.

    Numbers stand right-aligned with 4 decimals and a true minus sign, whole numbers without decimals; a missing value
    is "–"; a p value below 0.0001 says so instead of reading as zero. A table that is ``long`` is counted; of another
    the first hundred rows stand there.
    """
    shown = [name for name, table in result.SCHEMA.tables.items() if not table.long and len(result[name])]
    tables = {name: _begun(result[name], result.SCHEMA.tables[name]) for name in shown}
    blocks = [f"{name}:\n{table}" if len(shown) > 1 else table for name, table in tables.items()]
    return "\n\n".join([*blocks, remarks(result)]) + "\n"


def _begun(frame: pd.DataFrame, table: Table) -> str:
    more = len(frame) - _MOST_ROWS
    rest = f"\n… and {counted(more, 'more row')}; --format json prints all" if more > 0 else ""
    return f"{_aligned(frame.head(_MOST_ROWS), table)}{rest}"


def remarks(result: Result) -> str:
    """What a reader of a result must know beside its tables, a line each."""
    counts = [
        f"{name}: {counted(len(result[name]), 'row')}; --format json prints them"
        for name, table in result.SCHEMA.tables.items()
        if table.long and len(result[name])
    ]
    stopped = ["stopped before its end: what was not reached is missing"] if result.stopped else []
    notes = [f"note: {note}" for note in result.notes]
    lines = [*stopped, *counts, *notes, *exclusion_lines(result.excluded)]
    # What is noted on a model stands in its provenance too.
    return "\n".join([*lines, *(line for line in provenance_lines(result.provenance) if f"note: {line}" not in notes)])


def rows_as_table(rows: pd.DataFrame) -> str:
    """Rows as aligned text for a terminal."""
    return _aligned(rows) + "\n"


def rows_as_csv(rows: pd.DataFrame) -> str:
    """Rows as CSV."""
    return rows.to_csv(index=False)


def rows_as_json(rows: pd.DataFrame) -> str:
    """Rows as a JSON list."""
    return strict_json(rows, indent=2) + "\n"


def _aligned(frame: pd.DataFrame, table: Table | None = None) -> str:
    columns = []
    for name in frame.columns:
        series = frame[name]
        whole = table is not None and table.column(str(name)).decimals == 0
        numeric = pd.api.types.is_numeric_dtype(series) and not pd.api.types.is_bool_dtype(series)
        cells = [str(name), *(_table_cell(value, str(name), 0 if whole else 4) for value in series)]
        width = max(len(cell) for cell in cells)
        columns.append([cell.rjust(width) if numeric else cell.ljust(width) for cell in cells])
    return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))


def _csv_cell(value: object) -> str:
    if is_missing(value):
        return ""
    if isinstance(value, float | np.floating):
        return repr(float(value))
    text = str(value)
    is_number = isinstance(value, int | np.integer)
    return f"'{text}" if not is_number and text.startswith(_FORMULA_STARTS) else text


def _table_cell(value: object, column: str, decimals: int) -> str:
    if is_missing(value):
        return MISSING
    if not isinstance(value, float | np.floating):
        text = str(value)
        return text.replace("-", "−", 1) if isinstance(value, int | np.integer) else text
    if not np.isfinite(value):
        return "∞" if value > 0 else "−∞"
    return p_value(float(value)) if column == "p" or column.startswith("p_") else fixed(float(value), decimals)
