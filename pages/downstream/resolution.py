"""Pronoun resolution: its controls, and the views of a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.downstream.resolution import figures, words
from core.measures.downstream.resolution.result import (
    ACCURACY,
    CLASSES,
    DIFFERENCES,
    F1,
    LOG_LOSS,
    NETWORKS,
    P_NEITHER,
    SCORES,
    SPLITS,
    TITLES,
    TOPICS,
    ResolutionResult,
)
from core.measures.downstream.resolution.spec import ResolutionSpec
from core.measures.measure import MODELS, PRECISION
from core.report.alternatives import described
from core.report.texts import Finding
from pages.shared import links, panels, saved, tables
from pages.shared.controls import ask, choice, measure_button, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

INPUTS = tuple(item for item in ResolutionSpec.inputs() if item.name not in (MODELS.name, PRECISION.name))
MEASURE = Choice("measure", "Measure", choices={name: TITLES[name] for name in (F1, ACCURACY, LOG_LOSS)})
SHOWN = Choice("shown", "Resolver")
VIEWS = (MEASURE, SHOWN)

_METHOD = (("network", "layer", "networks", "topics"), ("missing", "dtype", "seed"))
_TABLES = {
    SCORES: "By gender",
    DIFFERENCES: "Feminine against masculine",
    CLASSES: "By label",
    NETWORKS: "Network by network",
    SPLITS: "What the documents hold",
}


def result(models: tuple[str, ...]) -> ResolutionResult:
    """The controls, and their result."""
    _, found = saved.measured(ResolutionSpec, lambda: _asked(models))
    measured: ResolutionResult = found
    return measured


def _asked(models: tuple[str, ...]) -> ResolutionSpec:
    """Draw the controls. Raises TiltmeterError, also for files that cannot be used."""
    st.caption(
        "A small network reads a model’s vectors of a pronoun and two names and says whom the pronoun refers to. Give "
        "your copy of GAP (gap-development.tsv, gap-validation.tsv and gap-test.tsv), or files like them."
    )
    for place, name in zip(st.columns(3), ("train", "validation", "test"), strict=True):
        upload(place, ResolutionSpec.input(name))
    with st.expander("Predictions and corrections of yours", key="brought"):
        for place, name in zip(st.columns(2), ("predictions", "corrections"), strict=True):
            upload(place, ResolutionSpec.input(name))
    with st.expander("Method", key="method"):
        for place, names in zip(st.columns(2), _METHOD, strict=True):
            for name in names:
                ask(place, ResolutionSpec.input(name))
    measure_button(st.columns((1, 4))[0])
    links.settle()
    with st.spinner("Reading the files …"):
        return ResolutionSpec.of({**links.values(), MODELS.name: models})


def show(result: ResolutionResult) -> None:
    """All of a result."""
    findings = [words.finding(result, resolver) for resolver in result.resolvers]
    for finding in findings:
        panels.show_finding(result, finding, figures.GROUPS)
    panels.show_notes(result.notes)
    measure = choice(MEASURE)
    _chart(
        result,
        f"resolution-{measure}",
        f"Pronoun resolution: {TITLES[measure]} by gender",
        lambda: figures.by_gender(result, theme=theme(), measure=measure),
        findings,
    )
    st.subheader("Left unresolved", anchor=False)
    unresolved = [words.neither(result, resolver) for resolver in result.resolvers]
    for finding in unresolved:
        panels.show_finding(result, finding, figures.GROUPS)
    _chart(
        result,
        "resolution-neither",
        "Pronoun resolution: mean P(neither) by gender",
        lambda: figures.by_gender(result, theme=theme(), measure=P_NEITHER),
        unresolved,
    )
    _show_topics(result)
    panels.show_tables(result, _TABLES, "resolution", (DIFFERENCES,), _told)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _show_topics(result: ResolutionResult) -> None:
    rows = result[TOPICS]
    pairs = list(dict.fromkeys(zip(rows["model"], rows["words_by"], strict=True)))
    if not pairs:
        return
    st.subheader("Topics", anchor=False)
    names = {f"{model} · {by}": model if model == by else f"{model}, words by {by}" for model, by in pairs}
    chosen = choice(replace(SHOWN, choices=names)) if len(names) > 1 else next(iter(names))
    resolver, by = dict(zip(names, pairs, strict=True))[chosen]
    finding = words.topics(result, resolver, by)
    panels.show_finding(result, finding, ())
    _chart(
        result,
        "resolution-topics",
        f"Pronoun resolution: topics and P(neither), {resolver}",
        lambda: figures.topic_scatter(result, theme=theme(), resolver=resolver, words_by=by),
        [finding],
    )
    shown = rows[(rows["model"] == resolver) & (rows["words_by"] == by)].drop(columns=["model", "words_by"])
    tables.show(shown, result.SCHEMA.tables[TOPICS].columns)


def _told(table: pd.DataFrame) -> pd.DataFrame:
    """The table without a column of labels that are all published."""
    return table.drop(columns="labels") if "labels" in table and table["labels"].nunique() == 1 else table


def _chart(
    result: ResolutionResult, name: str, title: str, draw: Callable[[], go.Figure], findings: list[Finding]
) -> None:
    """A chart with its export; where nothing can be drawn, a sentence."""
    try:
        figure = panels.drawn(draw)
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
        return
    panels.show_chart(figure, name, described(title, *findings))
    panels.export_panel(name, result, figure=figure, title=title)
