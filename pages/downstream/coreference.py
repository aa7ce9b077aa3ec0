"""Coreference skew: its controls, and the views of a result."""

from __future__ import annotations

import streamlit as st

from core.inputs import Choice
from core.measures.downstream.coreference import figures, words
from core.measures.downstream.coreference.result import ALL, SCORES, SENTENCES, SKEWS, CoreferenceResult
from core.measures.downstream.coreference.spec import CoreferenceSpec
from core.measures.measure import MODELS, PRECISION
from core.report.alternatives import described
from pages.shared import links, panels, saved
from pages.shared.controls import ask, choice, measure_button, upload
from pages.shared.frame import theme

INPUTS = tuple(item for item in CoreferenceSpec.inputs() if item.name not in (MODELS.name, PRECISION.name))
KIND = Choice("wino_type", "Type", choices={ALL: "All sentences", "type 1": "Type 1", "type 2": "Type 2"})
VIEWS = (KIND,)

_TABLES = {SKEWS: "Skew and stereo", SCORES: "F1 by condition and gender", SENTENCES: "Sentence by sentence"}


def result(models: tuple[str, ...]) -> CoreferenceResult:
    """The controls, and their result."""
    _, found = saved.measured(CoreferenceSpec, lambda: _asked(models))
    measured: CoreferenceResult = found
    return measured


def _asked(models: tuple[str, ...]) -> CoreferenceSpec:
    """Draw the controls. Raises TiltmeterError, also for files that cannot be used."""
    st.caption(
        "A model chooses the pronoun of a sentence that names two occupations. Give your copy of WinoBias (pro and "
        "anti files of each type and split, or a table)."
    )
    for place, name in zip(st.columns(2), ("wino_sentences", "wino_answers"), strict=True):
        upload(place, CoreferenceSpec.input(name))
    with st.expander("Method", key="wino_method"):
        for place, name in zip(st.columns(2), ("wino_seed", PRECISION.name), strict=True):
            ask(place, CoreferenceSpec.input(name))
    measure_button(st.columns((1, 4))[0])
    links.settle()
    with st.spinner("Reading the files …"):
        return CoreferenceSpec.of({**links.values(), MODELS.name: models})


def show(result: CoreferenceResult) -> None:
    """All of a result."""
    findings = [words.finding(result, resolver) for resolver in result.resolvers]
    for finding in findings:
        panels.show_finding(result, finding, figures.GROUPS)
    panels.show_notes(result.notes)
    kind = choice(KIND)
    kind = kind if kind in set(result[SCORES]["type"]) else ALL
    figure = panels.drawn(lambda: figures.by_gender(result, theme=theme(), kind=kind))
    panels.show_chart(figure, f"coreference-{kind}", described(words.scores_text(result, kind), *findings))
    panels.export_panel("coreference", result, figure=figure, title="Coreference: F1 by condition and gender")
    panels.show_tables(result, _TABLES, "coreference", (SKEWS,))
    panels.show_left_out(result.excluded)
    panels.show_sources(result)
