"""Descriptor likelihood: its controls, and the views of a result."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.descriptors import figures, words
from core.measures.descriptors.result import ALL, AXES, DESCRIPTORS, PAIRS, SENTENCES, DescriptorResult
from core.measures.descriptors.spec import DescriptorSpec
from core.measures.measure import MODELS, PRECISION
from core.report.alternatives import described
from pages.shared import links, panels, tables
from pages.shared.controls import ask, choice, measure_button, select, several, text, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

INPUTS = tuple(item for item in DescriptorSpec.inputs() if item.name not in (MODELS.name, PRECISION.name))
AXIS = Choice("descriptor_axis", "Axis")
SHOWN_MODEL = Choice("descriptor_model", "Model")
VIEWS = (AXIS, SHOWN_MODEL)

_METHOD = (("descriptor_test", "descriptor_per"), ("descriptor_seed", PRECISION.name))
_TABLES = {AXES: "Axis by axis", DESCRIPTORS: "Descriptor by descriptor", PAIRS: "Pair by pair"}


def descriptor_spec(models: tuple[str, ...]) -> DescriptorSpec:
    """Draw the controls. Raises TiltmeterError, also for a file that cannot be used."""
    st.caption(
        "The same sentences about a person with one descriptor after the other (after Smith et al. 2022). Axes and "
        "words are a small choice of ours; bring your own for a study."
    )
    axes, own = st.columns([3, 2])
    several(axes, DescriptorSpec.input("axes"))
    upload(own, DescriptorSpec.input("descriptor_list"))
    with st.expander("Nouns and templates", key="descriptor_words"):
        for place, name in zip(st.columns(2), ("descriptor_nouns", "descriptor_templates"), strict=True):
            text(place, DescriptorSpec.input(name))
    with st.expander("Method", key="descriptor_method"):
        for place, names in zip(st.columns(2), _METHOD, strict=True):
            for name in names:
                ask(place, DescriptorSpec.input(name))
    measure_button(st.columns((1, 4))[0])
    links.settle()
    return DescriptorSpec.of({**links.values(), MODELS.name: models})


def show(result: DescriptorResult) -> None:
    """All of a result."""
    models = list(dict.fromkeys(result[AXES]["model"]))
    findings = [words.finding(result, model) for model in models]
    for finding in findings:
        panels.show_finding(result, finding, ())
    panels.show_notes(note for note in result.notes if note.model)
    title = "Descriptors: comparisons in which two differ"
    try:
        figure = panels.drawn(lambda: figures.shares(result, theme=theme()))
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
    else:
        panels.show_chart(figure, "descriptor-shares", described(title, *findings))
        panels.export_panel("descriptors", result, figure=figure, title=title, table=_whole(result))
    _one_axis(result, models)
    st.subheader("The numbers", anchor=False)
    for name, heading in _TABLES.items():
        with st.expander(heading, expanded=name == AXES):
            shown = _whole(result) if name == AXES else result[name]
            tables.show(shown, result.SCHEMA.tables[name].columns)
            panels.export_panel(f"descriptors-{name}", result, table=result[name])
    panels.show_left_out(result.excluded)
    panels.show_notes(note for note in result.notes if not note.model)
    panels.show_sources(result)


def _whole(result: DescriptorResult) -> pd.DataFrame:
    """The rows of the axes over all templates."""
    return result[AXES][result[AXES]["template"] == ALL]


def _one_axis(result: DescriptorResult, models: list[str]) -> None:
    """The perplexities behind the share of an axis, and its sentences."""
    st.subheader("The descriptors of an axis", anchor=False)
    model, axis_place = models[0], st.container()
    if len(models) > 1:
        model = choice(replace(SHOWN_MODEL, choices={name: name for name in models}, default=models[0]))
    axes = list(dict.fromkeys(result.of(AXES, model)["axis"]))
    axis = axes[0]
    if len(axes) > 1:
        axis = select(axis_place, replace(AXIS, choices={name: name for name in axes}, default=axes[0]))
    figure = panels.drawn(lambda: figures.perplexities(result, theme=theme(), axis=axis, model=model))
    panels.show_chart(figure, "descriptor-perplexities", words.perplexities_text(result, axis, model))
    rows = result.of(DESCRIPTORS, model)
    panels.export_panel(
        "descriptors-axis",
        result,
        figure=figure,
        title=f"{axis}: median perplexity in {model}",
        table=rows[rows["axis"] == axis],
    )
    with st.expander("Sentence by sentence"):
        sentences = result.of(SENTENCES, model)
        tables.show(sentences[sentences["axis"] == axis], result.SCHEMA.tables[SENTENCES].columns)
        panels.export_panel("descriptors-sentences", result, table=result[SENTENCES])
