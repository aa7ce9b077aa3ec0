"""Tables and whole results as CSV, JSON and text for a terminal."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterator

import numpy as np
import pandas as pd

from core.report.numbers import MISSING, counted, fixed, p_value, short
from core.report.plain import Plain, is_missing, plain, strict_json
from core.report.wording import exclusion_lines, provenance_line, provenance_lines
from core.result import Contrast, Group, MeasureResult, Provenance, Result, Table

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet computes a cell that starts with one of these
# Fields that stand elsewhere in the text of a result, or are only drawn.
_TITLES = {
    "problems": "problems of the data",
    "family_size": "p values adjusted together",
    "family_sizes": "p values adjusted together",
    "stopped": "stopped before its end",
}
_TOLD = ("summary", "detail", "left_out", "provenance", "notes", "cells")


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


def document_of(result: MeasureResult) -> dict[str, Plain]:
    """A whole result as the plain values JSON knows: ``{"schema", "spec", "tables", "excluded", "notes", …}``.

    Tables are lists of row dicts by the table's name; what is missing or not finite is None.
    """
    document = result.document()
    tables: dict[str, Plain] = {name: plain(frame) for name, frame in result.tables.items()}
    return {"schema": document.pop("schema"), "spec": document.pop("spec"), "tables": tables, **document}


def as_document(result: Result) -> dict[str, Plain]:
    """A whole result as the plain values JSON knows: every field by its name.

    Frames are lists of row dicts; what is missing or not finite is None.
    """
    document = plain(result)
    assert isinstance(document, dict)
    return document


def to_json(result: Result | MeasureResult) -> bytes:
    """The whole result as strict JSON in UTF-8, indented, with a final line break."""
    document = document_of(result) if isinstance(result, MeasureResult) else as_document(result)
    return (strict_json(document, indent=2) + "\n").encode()


def to_text(result: MeasureResult) -> str:
    """A result as text for a terminal: its tables aligned, then notes, exclusions and provenance, a line each.

    Numbers stand right-aligned with 4 decimals and a true minus sign, whole numbers without decimals; a missing value
    is "–"; a p value below 0.0001 says so instead of reading as zero. A table that is ``long`` is counted.
    """
    shown = [name for name, table in result.SCHEMA.tables.items() if not table.long and len(result[name])]
    tables = {name: _aligned(result[name], result.SCHEMA.tables[name]) for name in shown}
    blocks = [f"{name}:\n{table}" if len(shown) > 1 else table for name, table in tables.items()]
    return "\n\n".join([*blocks, remarks_of(result)]) + "\n"


def remarks_of(result: MeasureResult) -> str:
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


def to_table(result: Result) -> str:
    """The summary as aligned text for a terminal, then everything else that a reader of it must know (``remarks``).

    Numbers stand right-aligned with 4 decimals and a true minus sign, whole numbers without decimals; a missing
    value is "–"; a p value below 0.0001 says so instead of reading as zero.
    """
    return f"{_aligned(result.summary)}\n{remarks(result)}"


def remarks(result: Result) -> str:
    """A result without its summary, as text: its further tables, its facts, notes and exclusions, a line each.

    Only ``detail`` is counted instead of printed, and what is drawn from arrays is for JSON alone.
    """
    blocks = []
    for field in dataclasses.fields(result):
        value = getattr(result, field.name)
        if isinstance(value, pd.DataFrame) and field.name not in ("summary", "detail") and len(value):
            blocks.append(f"{_title(field.name)}:\n{_aligned(value)}")
    detail = f"detail: {counted(len(result.detail), 'row')}; --format json prints them" if len(result.detail) else ""
    lines = [*([detail] if detail else []), *_facts(result), *_noted(result), *exclusion_lines(result.left_out)]
    # What is noted on a model stands in its provenance too.
    lines += [line for line in provenance_lines(result.provenance) if f"note: {line}" not in lines]
    return "\n".join(f"\n{block}" for block in [*blocks, "\n".join(lines)]) + "\n"


def _facts(result: Result) -> Iterator[str]:
    """The fields that are neither tables nor told otherwise, a line each."""
    for field in dataclasses.fields(result):
        value = getattr(result, field.name)
        if (
            field.name in _TOLD
            or isinstance(value, pd.DataFrame)
            or value is None
            or value is False
            or value in ((), {})
        ):
            continue
        yield f"{_title(field.name)}: {_phrase(value)}"


def _noted(result: Result) -> Iterator[str]:
    """Each note about the result, and each about one of its models."""
    for note in result.notes:
        yield f"note: {note}"


def _title(name: str) -> str:
    return _TITLES.get(name, name.replace("_", " "))


def _phrase(value: object) -> str:
    """A field's value as a phrase: "male (he, him); female (she)"."""
    if isinstance(value, Contrast):
        return value.label
    if isinstance(value, Group):
        return f"{value.name} ({', '.join(value.words)})"
    if dataclasses.is_dataclass(value):
        held = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return ", ".join(f"{_title(name)} {_phrase(item)}" for name, item in held.items() if item not in (None, (), ""))
    if isinstance(value, tuple):
        nested = any(isinstance(item, tuple) or dataclasses.is_dataclass(item) for item in value)
        return ("; " if nested else ", ").join(map(_phrase, value))
    if isinstance(value, float):
        return MISSING if is_missing(value) else short(value)
    return str(value)


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
