"""Occupation classification: its controls, and the views of a result."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.downstream.occupations import figures, words
from core.measures.downstream.occupations.result import (
    BIOGRAPHIES,
    CORRELATIONS,
    ERASED,
    OCCUPATIONS,
    OVERALL,
    OccupationResult,
)
from core.measures.downstream.occupations.spec import OccupationSpec
from core.measures.measure import MODELS, PRECISION
from core.report.alternatives import described
from core.report.texts import Finding
from pages.shared import links, panels, saved
from pages.shared.controls import ask, choice, measure_button, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

INPUTS = tuple(item for item in OccupationSpec.inputs() if item.name not in (MODELS.name, PRECISION.name))
CLASSIFIER = Choice("bios_shown", "Classifier")
AGAINST = Choice("bios_against", "Against", choices=dict(figures.AGAINST))
VIEWS = (CLASSIFIER, AGAINST)

_COLUMNS = ("bios_text", "bios_occupation", "bios_gender", "bios_split")
_METHOD = (("bios_texts", "bios_vector", "bios_layer"), ("bios_erase", "bios_seed", PRECISION.name))
_TABLES = {
    OVERALL: "Means and accuracy",
    OCCUPATIONS: "Occupation by occupation",
    CORRELATIONS: "Gap and percentage of women",
    ERASED: "What gender was erased by",
    BIOGRAPHIES: "Biography by biography",
}


def result(models: tuple[str, ...]) -> OccupationResult:
    """The controls, and their result."""
    _, found = saved.measured(OccupationSpec, lambda: _asked(models))
    measured: OccupationResult = found
    return measured


def _asked(models: tuple[str, ...]) -> OccupationSpec:
    """Draw the controls. Raises TiltmeterError, also for files that cannot be used."""
    st.caption(
        "A linear classifier reads a model’s vector of a short biography and names the occupation. Give your "
        "biographies (Bias in Bios, or a table like it), what another classifier made of some, or both."
    )
    for place, name in zip(st.columns(2), ("bios", "bios_predictions"), strict=True):
        upload(place, OccupationSpec.input(name))
    with st.expander("Columns of the file", key="bios_columns"):
        for place, name in zip(st.columns(4), _COLUMNS, strict=True):
            ask(place, OccupationSpec.input(name))
    with st.expander("Method", key="bios_method"):
        for place, names in zip(st.columns(2), _METHOD, strict=True):
            for name in names:
                ask(place, OccupationSpec.input(name))
    measure_button(st.columns((1, 4))[0])
    links.settle()
    with st.spinner("Reading the files …"):
        return OccupationSpec.of({**links.values(), MODELS.name: models})


def show(result: OccupationResult) -> None:
    """All of a result."""
    findings = {classifier: words.finding(result, classifier) for classifier in result.classifiers}
    for finding in findings.values():
        panels.show_finding(result, finding, figures.GROUPS)
    panels.show_notes(result.notes)
    classifier = _chosen(result)
    try:
        _charts(result, classifier, findings[classifier])
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
    panels.show_tables(result, _TABLES, "occupations", (OVERALL,))
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _chosen(result: OccupationResult) -> tuple[str, str]:
    """The classifier whose charts are shown."""
    names = {" · ".join(classifier): classifier for classifier in result.classifiers}
    if len(names) == 1:
        return next(iter(names.values()))
    return names[choice(replace(CLASSIFIER, choices={name: name for name in names}, default=next(iter(names))))]


def _charts(result: OccupationResult, classifier: tuple[str, str], finding: Finding) -> None:
    """The gaps, and the gaps against a percentage of women. Raises NothingToScore."""
    figure = panels.drawn(lambda: figures.gaps(result, classifier=classifier, theme=theme()))
    title = f"Occupations: gap in true positive rate, {' · '.join(classifier)}"
    panels.show_chart(figure, "occupations-gaps", described(title, finding))
    panels.export_panel("occupations-gaps", result, figure=figure, title=title)
    against = AGAINST.choices[choice(AGAINST)]
    scatter = panels.drawn(lambda: figures.against_women(result, classifier=classifier, against=against, theme=theme()))
    title = f"Occupations: gap and {against}, {' · '.join(classifier)}"
    panels.show_chart(scatter, "occupations-women", described(title, finding))
    panels.export_panel("occupations-women", result, figure=scatter, title=title)
