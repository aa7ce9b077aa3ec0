"""Descriptor likelihood: its controls, and the views of a result."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.descriptors import figures, words
from core.measures.descriptors.result import ALL, AXES, DESCRIPTORS, PAIRS, SENTENCES, DescriptorResult
from core.measures.descriptors.spec import DescriptorSpec
from core.measures.measure import MODELS, PRECISION
from core.report.alternatives import described
from core.report.texts import Finding
from pages.shared import links, panels, tables
from pages.shared.controls import ask, choice, measure_button, select, several, text, upload
from pages.shared.details import Details
from pages.shared.frame import theme
from pages.shared.markdown import literal

INPUTS = tuple(item for item in DescriptorSpec.inputs() if item.name not in (MODELS.name, PRECISION.name))
AXIS = Choice("descriptor_axis", "Axis")
SHOWN_MODEL = Choice("descriptor_model", "Model")
TEMPLATE = Choice("descriptor_template", "Template")
VIEWS = (TEMPLATE, AXIS, SHOWN_MODEL)

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
    template = _template(result)
    _shares(result, template, findings)
    _one_axis(result, models, template)
    panels.show_tables(result, _TABLES, "descriptors", (AXES,))
    panels.show_left_out(result.excluded)
    panels.show_notes(note for note in result.notes if not note.model)
    panels.show_sources(result)


def _template(result: DescriptorResult) -> str:
    """The template whose numbers are drawn, or all of them. A link names it by its place."""
    texts = [text for text in dict.fromkeys(result[AXES]["template"]) if text != ALL]
    if len(texts) == 1:
        return ALL
    places = {ALL: "all templates"} | {str(place): text for place, text in enumerate(texts, 1)}
    chosen = select(st, replace(TEMPLATE, choices=places, default=ALL))
    return ALL if chosen == ALL else places[chosen]


def _shares(result: DescriptorResult, template: str, findings: list[Finding]) -> None:
    """The share of each axis; a click on one shows its descriptors."""
    title = "Descriptors: comparisons in which two differ"
    try:
        figure = panels.drawn(lambda: figures.shares(result, theme=theme(), template=template))
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
        return
    axes = _axes(result)
    clicked = Details(_axis_option(axes), {axis: (axis,) for axis in axes}, ())
    panels.show_chart(figure, "descriptor-shares", described(title, *findings), clicked if len(axes) > 1 else None)
    shown = result[AXES][result[AXES]["template"] == template]
    panels.export_panel("descriptors", result, figure=figure, title=title, table=shown)


def _axes(result: DescriptorResult) -> list[str]:
    return list(dict.fromkeys(result[AXES]["axis"]))


def _axis_option(axes: list[str]) -> Choice:
    return replace(AXIS, choices={name: name for name in axes}, default=axes[0])


def _one_axis(result: DescriptorResult, models: list[str], template: str) -> None:
    """The perplexities behind the share of an axis, and its sentences."""
    st.subheader("The descriptors of an axis", anchor=False)
    axes = _axes(result)
    axis = select(st, _axis_option(axes)) if len(axes) > 1 else axes[0]
    have = [model for model in models if axis in set(result.of(AXES, model)["axis"])]
    model = have[0]
    if len(have) > 1:
        model = choice(replace(SHOWN_MODEL, choices={name: name for name in have}, default=have[0]))
    figure = panels.drawn(
        lambda: figures.perplexities(result, theme=theme(), axis=axis, model=model, template=template)
    )
    alt = words.perplexities_text(result, axis, model, template)
    panels.show_chart(figure, "descriptor-perplexities", alt)
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
