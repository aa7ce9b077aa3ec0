"""What is shown of attention in one sentence: its heads, and the tokens that one of them joins, or another view."""

from __future__ import annotations

import streamlit as st

from core.errors import TiltmeterError
from core.inputs import Choice
from core.measures.attention import figures
from core.measures.attention.result import (
    HEADS,
    MAPS,
    POSITIONS,
    AttentionResult,
    SentenceMaps,
    head_maps,
)
from core.measures.attention.spec import AttentionSpec
from core.measures.attention.words import FEMALE, MALE, finding, head_text
from core.report.alternatives import described
from core.report.numbers import head_name
from core.result import Group
from pages.attention import bertviz, profile
from pages.shared import details, panels, resources, tables
from pages.shared.controls import choice
from pages.shared.details import DETAILS, Details
from pages.shared.frame import theme
from pages.shared.markdown import literal

HUES = (Group(MALE, ()), Group(FEMALE, ()))
VIEW = Choice("view", "View", choices={"heads": "heads", "model": "along the model", "bertviz": "BertViz"})
VIEWS = (VIEW, DETAILS, *profile.VIEWS, *bertviz.VIEWS)


def show(spec: AttentionSpec, result: AttentionResult) -> None:
    """The finding of each model, then one of three views."""
    models = [model.name for model in result.provenance.models]
    for model in models:
        panels.show_finding(result, finding(result, model), HUES, f"{model}: " if len(models) > 1 else "")
    panels.show_notes(result.notes)
    view = choice(VIEW)
    if view == "heads":
        _heads(spec, result)
    elif view == "model":
        profile.show(result, result[POSITIONS], "attention")
    else:
        bertviz.show(models, lambda model: _maps(spec, result, model))
    st.subheader("The numbers", anchor=False)
    tables.show(result[HEADS], result.SCHEMA.tables[HEADS].columns)
    panels.export_panel("attention-table", result, table=result[HEADS])
    panels.show_left_out(result.excluded)


def _heads(spec: AttentionSpec, result: AttentionResult) -> None:
    rows = result[HEADS][result[HEADS]["kind"] == MAPS]
    above = st.container()
    chosen = _choose_head(result)
    model, layer, head = chosen.chosen[0], int(chosen.chosen[1]), int(chosen.chosen[2])
    if rows["degree"].notna().any():
        figure = panels.drawn(lambda: figures.head_grid(rows, theme=theme(), selected=(model, layer, head)))
        with above:
            findings = [finding(result, name) for name in dict.fromkeys(rows["model"])]
            alt = described("Degree of each head, layer by layer", *findings)
            panels.show_chart(figure, "heads", alt, chosen)
            panels.export_panel(
                "attention-heads",
                result,
                figure=figure,
                title="Degree of each attention head, layer by layer",
                table=rows,
            )
    st.subheader(literal(f"{model}, {head_name(layer, head)}"), anchor=False)
    st.caption("Each row is a token; the more a cell stands out, the more of the row’s attention goes to that column.")
    pair = _maps(spec, result, model)
    if pair is None:
        return
    figure = panels.drawn(lambda: figures.token_maps(pair, layer=layer, head=head, theme=theme()))
    panels.show_chart(figure, "tokens", head_text(result, pair, layer, head))
    panels.export_panel(
        "attention-map",
        result,
        figure=figure,
        title=f"Attention between the tokens in {model}, layer {layer}, head {head}",
        table=head_maps(pair, layer, head),
    )


def _choose_head(result: AttentionResult) -> Details:
    """Which head is looked at: at first the one with the largest degree, else the first of the last layer."""
    models = result.provenance.models
    names = {
        (model.name, str(layer), str(head)): head_name(layer, head) + f", {model.name}" * (len(models) > 1)
        for model in models
        for layer in range(model.layers)
        for head in range(model.heads)
    }
    model, layer, head = result.strongest() or (models[0].name, models[0].layers - 1, 0)
    return details.choose(st, names, (model, str(layer), str(head)))


def _maps(spec: AttentionSpec, result: AttentionResult, name: str) -> tuple[SentenceMaps, SentenceMaps] | None:
    """The model's maps of both sentences; None, and said, where they cannot be had."""
    model = next(model for model in result.provenance.models if model.name == name)
    try:
        with st.spinner(f"Reading the attention of {literal(name)} …"):
            return resources.attention_maps(spec, model)
    except TiltmeterError as error:
        st.info(literal(str(error)))
        return None
