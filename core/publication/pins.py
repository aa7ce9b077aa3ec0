"""Pins from what a page shows, and a report from results without any page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from uuid import uuid4

import pandas as pd
import plotly.graph_objects as go

from ..charts import Theme
from ..errors import NothingToScore
from ..measures.drawing import draw
from ..report.captions import caption
from ..report.methods import left_out_sentences
from ..report.numbers import fixed, p_text, signed
from ..result import Column, Dtype, HeadlineValue, Result
from .report import LOOKS, Kind, Pin, Report, written
from .store import Reports


def chart(
    kept: Reports,
    name: str,
    result: Result,
    draw: Callable[[Theme], go.Figure],
    *,
    title: str,
    alt: str = "",
    table: pd.DataFrame | None = None,
) -> Pin:
    """A chart, drawn for every reader, with the rows beside it where there are some. Raises as ``draw`` does."""
    above = caption(result, title or result.spec.TITLE)
    drawings = tuple(str(draw(look).to_json()) for look in LOOKS)
    return Pin(
        _id(),
        Kind.CHART,
        name,
        above.title,
        above.lines,
        kept.keep(result),
        drawings=drawings,
        rows=written(table),
        alt=alt or above.title,
    )


def table(
    kept: Reports, name: str, result: Result, rows: pd.DataFrame, *, title: str, also: Sequence[Result] = ()
) -> Pin:
    """The rows of a table; without a title it has the name of the result's table that holds its columns.

    ``also``: further results that its rows are of, which are kept with it.
    """
    above = caption(result, title or _title(result, rows))
    lines = tuple(dict.fromkeys((*above.lines, *(line for other in also for line in caption(other, title).lines))))
    return Pin(
        _id(),
        Kind.TABLE,
        name,
        above.title,
        lines,
        kept.keep(result),
        rows=written(rows),
        heads=tuple(column.heading for column in columns_of(result, rows)),
        also=tuple(map(kept.keep, also)),
    )


def columns_of(result: Result, rows: pd.DataFrame) -> list[Column]:
    """The columns of rows as the result declares them.

    Parameters
    ----------
    result : Result
        That the rows are of.
    rows : DataFrame
        Some columns of one of its tables, or others.

    Returns
    -------
    list of Column
        One for each column of ``rows``; one that no table has is a text by its own name.
    """
    declared = {
        column.name: column
        for table in reversed(list(result.SCHEMA.tables.values()))
        for column in (*table.columns, *table.optional)
    }
    return [declared.get(str(name)) or Column(str(name), Dtype.TEXT, "") for name in rows.columns]


def _title(result: Result, rows: pd.DataFrame) -> str:
    sizes = {
        name: len(declared.columns)
        for name, declared in result.SCHEMA.tables.items()
        if {column.name for column in (*declared.columns, *declared.optional)} >= set(rows.columns)
    }
    named = f": {min(sizes, key=lambda name: sizes[name]).replace('_', ' ')}" if sizes else ""
    return f"{result.spec.TITLE}{named}"


def finding(kept: Reports, name: str, result: Result, text: str) -> Pin:
    """A sentence that says what was found."""
    above = caption(result, result.spec.TITLE)
    return Pin(_id(), Kind.FINDING, name, above.title, above.lines, kept.keep(result), text=text)


def report_of(kept: Reports, results: Sequence[Result], *, title: str, summary: str = "") -> Report:
    """A report of results, without any page: of each its numbers in words, its chief figure and its chief table.

    Parameters
    ----------
    kept : Reports
        Where the report and the results are kept.
    results : sequence of Result
        In the order of the report.
    title, summary : str
        Of the report.

    Returns
    -------
    Report
        As it was kept.

    Raises
    ------
    ExportError
        Where it cannot be kept.
    HistoryError
        Where a result cannot be kept.
    """
    pins: list[Pin] = []
    for result in results:
        name = result.spec.COMMAND
        numbers = result.headlines()
        if numbers:
            pins.append(finding(kept, name, result, " ".join((*map(sentence, numbers), *beside(result)))))
        rows = next((frame for frame in result.tables.values() if len(frame)), None)
        with suppress(NothingToScore):  # of a measure that draws nothing
            pins.append(chart(kept, name, result, partial(_drawn, result), title=result.spec.TITLE, table=rows))
        if rows is not None:
            pins.append(table(kept, name, result, rows, title=""))
    begun = kept.new().id
    return kept.change(begun, lambda report: Report(report.id, title, "", summary, tuple(pins)))


def _drawn(result: Result, look: Theme) -> go.Figure:
    return draw(result, theme=look)


def sentence(value: HeadlineValue) -> str:
    """A number with its interval, p, n, unit, and what a value above the neutral one means."""
    shown = signed if value.has_sign else fixed  # a share of +0.65 would be read as a change
    unit = f" {value.unit}" if value.unit else ""
    inside = [] if value.low is None or value.high is None else [_interval(shown, value.low, value.high)]
    inside += [] if value.p is None else [f"{'adjusted ' if value.adjusted else ''}{p_text(value.p)}"]
    inside += [] if value.n is None else [f"n = {value.n:,}"]
    about = f" ({', '.join(inside)})" if inside else ""
    who = " ".join(filter(None, (f"{value.model}:" if value.model else "", value.title, value.of)))
    end = ""
    if value.neutral is not None:
        above = value.above.strip().rstrip(".")
        end = f" {value.neutral:g} is neutral" + (f"; above it: {above}." if above else ".")
    return f"{who} {shown(value.value)}{unit}{about}.{end}"


def beside(result: Result) -> tuple[str, ...]:
    """What has to be read with the numbers of a result, a sentence each: its notes, and what was excluded."""
    return (*(f"Note: {note}" for note in dict.fromkeys(result.notes)), *left_out(result))


def left_out(result: Result) -> tuple[str, ...]:
    """How much was excluded or not computed, and why; empty where nothing was."""
    return tuple(left_out_sentences(result.excluded)) if result.excluded else ()


def _interval(shown: Callable[[float], str], low: float, high: float) -> str:
    return f"95 % interval {shown(low)} to {shown(high)}"


def _id() -> str:
    return uuid4().hex[:12]
