"""What is shown of attention in one sentence: heads, tokens, positions along the model, BertViz."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.errors import TiltmeterError
from core.inputs import Choice, Span
from core.measures.attention import figures
from core.measures.attention.result import (
    HEADS,
    MAPS,
    ORIGINAL,
    POSITIONS,
    TWIN,
    AttentionResult,
    SentenceMaps,
    head_maps,
)
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.spec import AttentionSpec
from core.measures.attention.words import FEMALE, MALE, finding, head_text, profile_text
from core.report.alternatives import described
from core.report.numbers import head_name
from core.result import Group
from pages.shared import details, panels, resources, tables
from pages.shared.controls import choice, select, span, steps
from pages.shared.details import DETAILS, Details
from pages.shared.frame import theme
from pages.shared.markdown import literal

HUES = (Group(MALE, ()), Group(FEMALE, ()))
VIEW = Choice("view", "View", choices={"heads": "heads", "model": "along the model", "bertviz": "BertViz"})
PROFILE_MODEL = Choice("profile_model", "Model")
BERTVIZ_TEXT = Choice("bertviz_text", "Text", choices={ORIGINAL: "the sentence", TWIN: "its twin"})
BERTVIZ_VIEW = Choice("bertviz_view", "BertViz view", choices={"head": "head view", "model": "model view"})
BERTVIZ_MODEL = Choice("bertviz_model", "Model")
BERTVIZ_LAYER = Choice("bertviz_layer", "Layer")
BERTVIZ_LAYERS = Span("bertviz_layers", "Layers")
VIEWS = (VIEW, DETAILS, PROFILE_MODEL, BERTVIZ_TEXT, BERTVIZ_VIEW, BERTVIZ_MODEL, BERTVIZ_LAYER, BERTVIZ_LAYERS)
_BERTVIZ_HEIGHT = 640  # pixels; the view scrolls inside


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
        profile(result, result[POSITIONS], "attention")
    else:
        _bertviz(spec, result, models)
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


def profile(result: AttentionResult | ScanResult, rows: pd.DataFrame, name: str) -> None:
    """The charts along the model, of a sentence's or a corpus's profile; some are of one model."""
    if rows["mean_degree"].notna().sum() == 0:
        st.info("No position can be judged here.")
        return
    models = list(dict.fromkeys(rows["model"]))
    _chart(result, rows, f"{name}-curve", "Mean degree along the model", "mean_degree", figures.degree_curve)
    model = models[0]
    if len(models) > 1:
        model = select(st, _of_models(PROFILE_MODEL, models), bare=True)
    of_model = rows[rows["model"] == model]
    _chart(result, of_model, f"{name}-steps", "Differences between neighbours", "difference", figures.degree_steps)
    _chart(result, of_model, f"{name}-boxes", "Spread of the degrees", "median", figures.degree_boxes)
    _chart(result, rows, f"{name}-share", "Share of biased heads", "share_biased", figures.biased_share)


def _of_models(option: Choice, models: list[str]) -> Choice:
    return replace(option, choices={model: model for model in models})


def _chart(
    result: AttentionResult | ScanResult,
    rows: pd.DataFrame,
    name: str,
    title: str,
    column: str,
    draw: Callable[..., object],
) -> None:
    st.subheader(title, anchor=False)
    figure = panels.drawn(lambda: draw(rows, theme=theme()))
    panels.show_chart(figure, name, profile_text(rows, column, title, share=column == "share_biased"))
    panels.export_panel(name, result, figure=figure, title=title, table=rows)


def _bertviz(spec: AttentionSpec, result: AttentionResult, models: list[str]) -> None:
    from core.engine import bertviz_views

    with st.container(horizontal=True, vertical_alignment="center"):
        which = choice(BERTVIZ_TEXT)
        kind = choice(BERTVIZ_VIEW)
        model = models[0]
        if len(models) > 1:
            model = select(st, _of_models(BERTVIZ_MODEL, models), bare=True)
    pair = _maps(spec, result, model)
    if pair is None:
        return
    maps = next(maps for maps in pair if maps.which == which)
    layers, dark = list(range(len(maps.attention))), theme().name == "dark"
    try:
        if kind == "head":
            numbers = {str(layer): str(layer) for layer in layers}
            layer = int(steps(st, replace(BERTVIZ_LAYER, choices=numbers, default=str(layers[-1]))))
            view = bertviz_views.head_view(maps.pieces, maps.attention, layer=layer, dark=dark)
        else:
            ends = (layers[max(0, len(layers) - 4)], layers[-1])
            first, last = span(replace(BERTVIZ_LAYERS, default=ends, low=layers[0], high=layers[-1]))
            chosen = range(first, last + 1)
            view = bertviz_views.model_view(maps.pieces, maps.attention, layers=chosen, dark=dark)
    except TiltmeterError as error:
        st.info(literal(str(error)))
        return
    if view.note:
        st.caption(literal(view.note))
    st.iframe(view.html, height=_BERTVIZ_HEIGHT)
