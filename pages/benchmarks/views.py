"""The views of a benchmark: its rates, the items behind them, and the numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.benchmarks import figures
from core.measures.benchmarks.result import BenchmarkResult, benchmark_table, item_table
from core.measures.benchmarks.texts import benchmark_finding, items_text
from core.report.alternatives import described
from pages.shared import panels, tables
from pages.shared.controls import choice
from pages.shared.frame import theme
from pages.shared.markdown import literal

MEASURE = Choice("measure", "Measure")
SHOWN_MODEL = Choice("shown_model", "Model")
VIEWS = (MEASURE, SHOWN_MODEL)

MOST = 10  # items shown of each end; the export holds all


def show(result: BenchmarkResult) -> None:
    """All of a result."""
    models = list(dict.fromkeys(result.summary["model"]))
    titles = {one.id: one.title for one in result.measures}
    measure = choice(replace(MEASURE, choices=titles)) if len(titles) > 1 else next(iter(titles))
    findings = []
    for model in models:
        if ((result.summary["model"] == model) & (result.summary["measure"] == measure)).any():
            findings.append(benchmark_finding(result, model, measure))
            panels.show_finding(findings[-1], ())
    panels.show_notes(result.notes)
    figure = _drawn(lambda: figures.benchmark_rates(result, theme=theme(), measure=measure))
    if figure is not None:
        alt = described(f"{result.title}: {titles[measure]}", *findings)
        panels.show_chart(figure, f"{result.benchmark} rates", alt)
    table = benchmark_table(result)
    panels.export_panel(
        f"benchmark-{result.benchmark}", result, figure=figure, title=f"{result.title}: {titles[measure]}", table=table
    )
    shown = replace(SHOWN_MODEL, choices={name: name for name in models})
    model = choice(shown) if len(models) > 1 else models[0]
    _items(result, model)
    st.subheader("The numbers", anchor=False)
    tables.show(table, "benchmark")
    panels.export_panel(f"benchmark-{result.benchmark}-table", result, table=table)
    panels.show_left_out(result.left_out)
    st.caption(literal(" ".join(f"Source: {one}." for one in result.provenance.data)))


def _drawn(draw: Callable[[], go.Figure]) -> go.Figure | None:
    """A chart; None, after saying so, where nothing can be drawn."""
    try:
        return draw()
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
        return None


def _items(result: BenchmarkResult, model: str) -> None:
    st.subheader(f"The {result.items} behind it", anchor=False)
    draw = figures.winogender_scatter if result.benchmark == "winogender" else figures.benchmark_differences
    figure = _drawn(lambda: draw(result, theme=theme(), model=model))
    if figure is not None:
        panels.show_chart(figure, f"{result.benchmark} items", items_text(result, model))
    detail: pd.DataFrame = result.detail[result.detail["model"] == model]
    panels.export_panel(
        f"benchmark-{result.benchmark}-items",
        result,
        figure=figure,
        title=f"The {result.items} of {result.title} in {model}",
        table=detail,
    )
    st.caption(f"Most and least preferred, {MOST} of each; the CSV file above holds all.")
    tables.show(item_table(result, model, MOST), "items")
