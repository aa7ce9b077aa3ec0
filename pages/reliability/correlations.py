"""Correlations: matrices with the points behind a cell, how far orders hold, and the paper's matrix of metrics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.charts import WIDTH
from core.errors import NothingToScore
from core.inputs import Choice, Switch
from core.measures.agreement import figures, words
from core.measures.agreement.result import PAIRS, POINTS, STABILITY, AgreementResult
from core.measures.agreement.tables import (
    PAIR_COLUMNS,
    STABILITY_COLUMNS,
    agreement_table,
    stability_table,
    value_columns,
    value_table,
)
from core.report.alternatives import described
from core.report.numbers import counted
from core.stats.agreement import cluster_order
from core.stats.correlation import FEWEST_POINTS
from pages.shared import details, jobs, panels, tables
from pages.shared.controls import choice, toggle
from pages.shared.details import DETAILS, Details
from pages.shared.frame import theme
from pages.shared.markdown import literal

SHOWN_MODEL = Choice("shown_model", "Model")
CLUSTERED = Switch("clustered", "Order by agreement", help="Those that agree are placed next to each other.")
VIEWS = (SHOWN_MODEL, CLUSTERED, DETAILS)

_BESIDE, _BETWEEN = 350, 32  # pixels: the least of a matrix beside another, as in style.css, and between the two
_WIDEST = 1200  # pixels; no page is wider
_ACROSS = 2  # matrices beside each other


def show(result: AgreementResult) -> None:
    """Templates, representations or metrics against each other."""
    kind = str(result.spec.compare)
    finding = st.container()
    names = [str(name) for name in result[PAIRS]["model"].dropna().unique()]
    shown = replace(SHOWN_MODEL, choices={name: name for name in names})
    model = choice(shown) if len(names) > 1 else next(iter(names), None)
    with finding:
        panels.show_finding(result, words.finding(result, model), ())
        panels.show_notes(result.notes)
    representations = tuple(str(name) for name in result.pairs(model)["representation"].dropna().unique())
    known = result.pairs(model)["r"].notna().any()
    if known:
        _matrix(result, model, representations)
    elif result.of_models:
        st.info(
            f"Metrics are compared over models: at least {FEWEST_POINTS} are required for a correlation, and the "
            f"result has {counted(result.n_models, 'model')}. Add the paper’s five, listed below, under “More models” "
            "in the panel above; they come from the Hugging Face Hub. What was published stands below."
        )
    if len(result[STABILITY]):
        _stability(result)
    if result.of_models:
        st.subheader("The values", anchor=False)
        tables.show(value_table(result), value_columns(result))
        panels.export_panel("metric-values", result, table=result[POINTS])
    if known:
        st.subheader("The numbers", anchor=False)
        table = agreement_table(result)
        tables.show(table, PAIR_COLUMNS)
        panels.export_panel(f"{kind}-table", result, table=table)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _stability(result: AgreementResult) -> None:
    st.subheader("Does the order survive a change of template?", anchor=False)
    table = stability_table(result)
    tables.show(table.drop(columns="order"), STABILITY_COLUMNS)
    with st.expander("The orders, the highest mean first"):
        rows = table[["of", "model", "representation", "order"]].fillna("").astype(str).to_numpy()
        st.text(
            "\n\n".join(f"{model or what}, {representation}: {order}" for what, model, representation, order in rows)
        )
    panels.export_panel("stability", result, table=table)


def published() -> None:
    """The paper's matrix of metrics, from stored values: what a comparison over models looks like."""
    from core.measures.agreement.compute import published

    result = published()
    jobs.up_to_date()
    st.subheader("Published, not measured here", anchor=False)
    finding = words.finding(result)
    panels.show_finding(result, finding, ())
    panels.show_notes(result.notes)
    figure = panels.drawn(lambda: figures.correlation_matrix(result, theme=theme(), model=None))
    alt = described("Published correlations of six metrics over five models", finding)
    panels.show_chart(figure, "published metrics", alt)
    panels.export_panel(
        "published-metrics",
        result,
        figure=figure,
        title="Published correlations of six metrics over five models",
        table=agreement_table(result),
    )
    st.caption("Its models, one per line, as “More models” takes them:")
    st.code("\n".join(result.spec.models), language=None)
    panels.show_sources(result)


def _matrix(result: AgreementResult, model: str | None, representations: tuple[str, ...]) -> None:
    """The matrix, and the points behind a cell of it."""
    kind = str(result.spec.compare)
    clustered = toggle(CLUSTERED)
    first = representations[0] if representations else None
    order = _clustered(result, model, first) if clustered else None

    def drawn(*shown: str) -> go.Figure:
        beside = max(_BESIDE, (theme(_WIDEST).width - _BETWEEN) // _ACROSS)
        look = theme(beside if len(shown) == 1 < len(representations) else WIDTH)
        return figures.correlation_matrix(result, theme=look, model=model, representations=shown, order=order)

    above = st.container()
    chosen = _choose_pair(result, model)
    # A chart each, so that on a narrow page they stand below each other; the file has them side by side.
    with above:
        with st.container(key="matrices"):
            names = representations or ("",)
            rows = [names[start : start + _ACROSS] for start in range(0, len(names), _ACROSS)]
            columns = [column for row in rows for column in st.columns(len(row))]
        for column, name in zip(columns, names, strict=True):
            figure = panels.drawn(partial(drawn, name) if name else drawn)
            what = f"Correlations of {kind} with each other" + (f", {result.title(name)}" if name else "")
            alt = described(what, words.finding(result, model, name or None))
            with column:
                panels.show_chart(figure, f"{kind} matrix {name}".strip(), alt, chosen)
        panels.export_panel(
            kind,
            result,
            figure=panels.drawn(lambda: drawn(*representations)),
            title=f"Correlations of {kind} with each other",
            table=agreement_table(result),
        )
    if chosen is not None:
        _points(result, model, chosen.chosen)


def _points(result: AgreementResult, model: str | None, picked: tuple[str, ...]) -> None:
    """The points behind a cell of the matrix: its representation, if it is of one, and the two that are compared."""
    kind = str(result.spec.compare)
    st.subheader("The points behind a cell", anchor=False)
    try:
        points = panels.drawn(
            lambda: figures.agreement_scatter(
                result,
                theme=theme(),
                model=model,
                representation=picked[0] or None,
                a=picked[1],
                b=picked[2],
            )
        )
    except NothingToScore as nothing:
        st.caption(literal(str(nothing)))
        return
    panels.show_chart(points, f"{kind} points", words.points_text(result, (picked[0], picked[1], picked[2]), model))
    shown = result[POINTS][result[POINTS]["name"].isin(picked[1:])]
    panels.export_panel(f"{kind}-points", result, figure=points, title=f"{picked[1]} against {picked[2]}", table=shown)


def _clustered(result: AgreementResult, model: str | None, representation: str | None) -> tuple[str, ...]:
    """The ids in an order in which what agrees stands together."""
    ids = list(result.names)
    r = np.full((len(ids), len(ids)), np.nan)
    pairs = result.pairs(model, representation)
    for a, b, value in zip(pairs["a"], pairs["b"], pairs["r"], strict=True):
        r[ids.index(a), ids.index(b)] = r[ids.index(b), ids.index(a)] = value
    return tuple(ids[i] for i in cluster_order(r))


def _choose_pair(result: AgreementResult, model: str | None) -> Details | None:
    """Whose points are shown: at first those of the pair that agrees least. None where no pair has a correlation."""
    pairs = result.pairs(model).dropna(subset="r")
    if pairs.empty:
        return None
    marks = [
        (str(representation) if result.by_template else "", str(first), str(second))
        for representation, first, second in pairs[["representation", "a", "b"]].to_numpy()
    ]
    names = {}
    for mark in marks:
        pair = " and ".join(map(result.label, mark[1:]))
        names[mark] = f"{pair}, {result.title(mark[0])}" if result.by_template else pair
    return details.choose(st, names, marks[int(pairs["r"].argmin())])
