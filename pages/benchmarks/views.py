"""The views of a benchmark: its rates, the items behind them, and the numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import plotly.graph_objects as go
import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.benchmarks import figures, words
from core.measures.benchmarks.result import ITEMS, MEASURES, BenchmarkResult
from core.measures.benchmarks.tables import item_columns, item_table, measure_table
from core.report.alternatives import described
from pages.shared import panels, tables
from pages.shared.controls import choice
from pages.shared.frame import theme
from pages.shared.markdown import literal
from pages.shared.pinning import Drawn

MEASURE = Choice("measure", "Measure")
SHOWN_MODEL = Choice("shown_model", "Model")
VIEWS = (MEASURE, SHOWN_MODEL)

MOST = 10  # items shown of each end; the export holds all


def show(result: BenchmarkResult) -> None:
    """All of a result."""
    benchmark, models = result.benchmark, list(dict.fromkeys(result[MEASURES]["model"]))
    titles = {scale.id: scale.title for scale in result.scales}
    measure = choice(replace(MEASURE, choices=titles)) if len(titles) > 1 else next(iter(titles))
    measured = result[MEASURES].loc[result[MEASURES]["measure"] == measure, "model"].unique()
    findings = [words.finding(result, model, measure) for model in models if model in measured]
    for finding in findings:
        panels.show_finding(result, finding, ())
    panels.show_notes(result.notes)
    figure = _drawn(lambda: figures.rates(result, theme=theme(), measure=measure))
    title = benchmark.title_of(result.scale(measure))
    if figure is not None:
        panels.show_chart(figure, f"{benchmark.id} rates", described(title, *findings))
    table = measure_table(result)
    panels.export_panel(f"benchmark-{benchmark.id}", result, figure=figure, title=title, table=table)
    shown = replace(SHOWN_MODEL, choices={name: name for name in models})
    _items(result, choice(shown) if len(models) > 1 else models[0])
    st.subheader("The numbers", anchor=False)
    tables.show(table, result.SCHEMA.tables[MEASURES].columns)
    panels.export_panel(f"benchmark-{benchmark.id}-table", result, table=table)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _drawn(draw: Callable[[], go.Figure]) -> Drawn | None:
    """A chart; None, after saying so, where nothing can be drawn."""
    try:
        return panels.drawn(draw)
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
        return None


def _items(result: BenchmarkResult, model: str) -> None:
    benchmark = result.benchmark
    st.subheader(f"The {benchmark.items} behind it", anchor=False)
    if result.of(ITEMS, model).empty:
        st.caption(literal(f"The {benchmark.items} of {model} are not here: its scores alone were published."))
        return
    draw = figures.differences if benchmark.occupations is None else figures.occupations
    figure = _drawn(lambda: draw(result, theme=theme(), model=model))
    if figure is not None:
        panels.show_chart(figure, f"{benchmark.id} items", words.items_text(result, model))
    panels.export_panel(
        f"benchmark-{benchmark.id}-items",
        result,
        figure=figure,
        title=f"The {benchmark.items} of {benchmark.title} in {model}",
        table=result.of(ITEMS, model),
    )
    st.caption(f"Most and least preferred, {MOST} of each; the CSV file above holds all.")
    tables.show(item_table(result, model, MOST), item_columns(result))
