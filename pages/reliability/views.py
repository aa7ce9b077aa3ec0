"""The views of the reliability page: matrices with the scatter behind a cell, divergences, and how far orders hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.charts import WIDTH
from core.errors import NothingToScore
from core.inputs import Choice, Switch
from core.measures.agreement import figures
from core.measures.agreement.result import METRICS, TEMPLATES, AgreementResult, DivergenceResult
from core.report.alternatives import contributions_text, described, points_text
from core.report.finding_rulers import agreement_finding, divergence_finding
from core.report.numbers import counted
from core.report.tables import agreement_table, divergence_table, stability_table
from core.stats.agreement import cluster_order
from core.stats.correlation import FEWEST_POINTS
from pages.reliability import controls
from pages.shared import details, jobs, panels, resources, tables
from pages.shared.controls import choice, toggle
from pages.shared.details import DETAILS, Details
from pages.shared.frame import theme
from pages.shared.markdown import literal

SHOWN_MODEL = Choice("shown_model", "Model")
CLUSTERED = Switch("clustered", "Order by agreement", help="What agrees stands together.")
VIEWS = (SHOWN_MODEL, CLUSTERED, DETAILS)

_BESIDE = 350  # pixels of a matrix beside another, as in style.css


def agreement(models: tuple[str, ...], kind: str) -> None:
    """Templates, or representations, against each other."""
    _, result = jobs.measured(kind, lambda: controls.agreement_inputs(models, kind), resources.measure)
    _show_agreement(result)


def metrics(models: tuple[str, ...]) -> None:
    """Metrics against each other over models."""
    _, result = jobs.measured("metrics", lambda: controls.metric_inputs(models), resources.measure_metrics)
    _show_agreement(result)
    _published()


def divergence(models: tuple[str, ...]) -> None:
    """How far each template's blank is from the base template's."""
    _, result = jobs.measured("divergence", lambda: controls.divergence_inputs(models), resources.measure)
    finding = divergence_finding(result)
    panels.show_finding(finding, ())
    panels.show_notes(result.notes)
    figure = figures.divergences(result, theme=theme())
    place = st.container()
    table = divergence_table(result)
    names = list(dict.fromkeys(result.summary["model"]))
    texts = {name: f"{name}  {text}" for name, text in result.templates if name != result.options.base}
    names_of_scopes = {"full": "all words", "gendered": "the gendered words"}
    marks = {
        (model, template, scope): f"{texts[template]}: {title}" + f", {model}" * (len(names) > 1)
        for model in names
        for template in texts
        for scope, title in names_of_scopes.items()
    }
    st.subheader("The words that contribute most", anchor=False)
    chosen = details.choose(st, marks, (names[0], _furthest(result, names[0]), "full"))
    model, template, scope = chosen.chosen
    with place:
        alt = described("Divergence of each template from the base template", finding)
        panels.show_chart(figure, "divergences", alt, chosen)
        panels.export_panel(
            "divergence",
            result,
            figure=figure,
            title="Divergence of each template from the base template, in nats",
            table=table,
        )
    words = figures.contributions(result, theme=theme(), model=model, template=template, scope=scope)
    panels.show_chart(words, "contributions", contributions_text(result, model, template, scope))
    detail = result.detail
    shown = detail[(detail["model"] == model) & (detail["template"] == template) & (detail["scope"] == scope)]
    panels.export_panel(
        "contributions",
        result,
        figure=words,
        title=f"What single words add to the divergence of {template} in {model}",
        table=shown,
    )
    st.subheader("The numbers", anchor=False)
    tables.show(table, "divergence")
    panels.export_panel("divergence-table", result, table=table)
    panels.show_left_out(result.left_out)
    _sources(result)


def _show_agreement(result: AgreementResult) -> None:
    finding = st.container()
    names = [str(name) for name in result.summary["model"].dropna().unique()]
    shown = replace(SHOWN_MODEL, choices={name: name for name in names})
    model = choice(shown) if len(names) > 1 else next(iter(names), None)
    with finding:
        panels.show_finding(agreement_finding(result, model), ())
        panels.show_notes(result.notes)
    found = tuple(str(name) for name in result.summary["representation"].dropna().unique())
    if result.summary["r"].notna().any():
        _matrix(result, model, found)
    elif result.kind == METRICS:
        st.info(
            f"Metrics are compared over models: at least {FEWEST_POINTS} are required for a correlation, and this is "
            f"{counted(result.detail['point'].nunique(), 'model')}. Add the paper’s five, listed below, under “More "
            "models” in the panel above; they come from the Hugging Face Hub. What was published stands below."
        )
    if result.stabilities:
        st.subheader("Does the order survive a change of template?", anchor=False)
        stabilities = stability_table(result)
        rows = list(stabilities[["of", "model", "representation", "order"]].itertuples(index=False))
        tables.show(stabilities.drop(columns="order"), "stability")
        with st.expander("The orders, the highest mean first"):
            st.text("\n\n".join(f"{row.model or row.of}, {row.representation}: {row.order}" for row in rows))
        panels.export_panel("stability", result, table=stabilities)
    if result.kind == METRICS:
        st.subheader("The values", anchor=False)
        values = result.detail.pivot_table(index="point", columns="name", values="value", sort=False)
        values = values.reindex(columns=[name for name, _ in result.names if name in values]).rename(
            columns=dict(result.names)
        )
        tables.show(values.rename_axis("model").reset_index(), "metrics")
        panels.export_panel("metric-values", result, table=result.detail)
    if result.summary["r"].notna().any():
        st.subheader("The numbers", anchor=False)
        table = agreement_table(result)
        tables.show(table, "agreement")
        panels.export_panel(f"{result.kind}-table", result, table=table)
    panels.show_left_out(result.left_out)
    _sources(result)


def _published() -> None:
    """The paper's matrix of metrics, from stored values: what a comparison over models looks like."""
    from core.measures.agreement.compute import published

    result = published()
    st.subheader("Published, not measured here", anchor=False)
    finding = agreement_finding(result)
    panels.show_finding(finding, ())
    panels.show_notes(result.notes)
    figure = figures.correlation_matrix(result, theme=theme(), model=None)
    alt = described("Published correlations of six metrics over five models", finding)
    panels.show_chart(figure, "published metrics", alt)
    panels.export_panel(
        "published-metrics",
        result,
        figure=figure,
        title="Published correlations of six metrics over five models",
        table=agreement_table(result),
    )
    points = list(dict.fromkeys(result.detail["point"]))
    st.caption("Its models, one a line, as “More models” takes them:")
    st.code("\n".join(points), language=None)
    _sources(result)


def _matrix(result: AgreementResult, model: str | None, representations: tuple[str, ...]) -> None:
    """The matrix, and the points behind a cell beside it."""
    clustered = toggle(CLUSTERED)
    first = representations[0] if representations else None
    order = _clustered(result, model, first) if clustered else None

    def drawn(*shown: str) -> go.Figure:
        look = theme(_BESIDE if len(shown) == 1 < len(representations) else WIDTH)
        return figures.correlation_matrix(result, theme=look, model=model, representations=shown, order=order)

    place = st.container()
    chosen = _choose_pair(result, model)
    # A chart each, so that on a narrow page they stand below each other; the file has them side by side.
    with place:
        with st.container(key="matrices"):
            columns = st.columns(max(1, len(representations)))
        for column, name in zip(columns, representations or ("",), strict=True):
            figure = drawn(name) if name else drawn()
            what = f"Correlations of {result.kind} with each other" + (f", {result.title(name)}" if name else "")
            alt = described(what, agreement_finding(result, model, name or None))
            with column:
                panels.show_chart(figure, f"{result.kind} matrix {name}".strip(), alt, chosen)
        panels.export_panel(
            result.kind,
            result,
            figure=drawn(*representations),
            title=f"Correlations of {result.kind} with each other",
            table=agreement_table(result),
        )
    if chosen is None:
        return
    picked = chosen.chosen
    st.subheader("The points behind a cell", anchor=False)
    try:
        points = figures.agreement_scatter(
            result,
            theme=theme(),
            model=model,
            representation=picked[0] or None,
            a=picked[1],
            b=picked[2],
        )
    except NothingToScore as nothing:
        st.caption(literal(str(nothing)))
        return
    panels.show_chart(points, f"{result.kind} points", points_text(result, picked, model))
    shown = result.detail[result.detail["name"].isin(picked[1:])]
    panels.export_panel(
        f"{result.kind}-points", result, figure=points, title=f"{picked[1]} against {picked[2]}", table=shown
    )


def _rows(result: AgreementResult, model: str | None, representation: str | None) -> list[tuple[str, str, float]]:
    """(a, b, r) of every pair with a correlation, in one model and representation."""
    summary = result.summary.dropna(subset="r")
    if model is not None:
        summary = summary[summary["model"] == model]
    if representation is not None:
        summary = summary[summary["representation"] == representation]
    a, b = result.columns
    return list(zip(summary[a], summary[b], summary["r"], strict=True))


def _clustered(result: AgreementResult, model: str | None, representation: str | None) -> tuple[str, ...]:
    ids = [name for name, _ in result.names]
    r = np.full((len(ids), len(ids)), np.nan)
    for a, b, value in _rows(result, model, representation):
        r[ids.index(a), ids.index(b)] = r[ids.index(b), ids.index(a)] = value
    return tuple(ids[i] for i in cluster_order(r))


def _choose_pair(result: AgreementResult, model: str | None) -> Details | None:
    """Whose points are shown: at first those of the pair that agrees least. None where no pair has a correlation."""
    summary = result.summary.dropna(subset="r")
    if model is not None:
        summary = summary[summary["model"] == model]
    if summary.empty:
        return None
    a, b = result.columns
    by_representation = result.kind == TEMPLATES
    named = dict(result.names)
    names, places = {}, {}
    for place, representation, first, second in summary[["representation", a, b]].itertuples():
        mark = (str(representation) if by_representation else "", str(first), str(second))
        pair = " and ".join(mark[1:] if by_representation else (named[name] for name in mark[1:]))
        names[mark] = f"{pair}, {result.title(mark[0])}" if by_representation else pair
        places[place] = mark
    return details.choose(st, names, places[summary["r"].idxmin()])


def _furthest(result: DivergenceResult, model: str) -> str:
    rows = result.summary[result.summary["model"] == model]
    return str(rows.loc[rows["kl_full"].idxmax(), "template"])


def _sources(result: AgreementResult | DivergenceResult) -> None:
    st.caption(literal(" ".join(f"Source: {source}." for source in result.provenance.data)))
