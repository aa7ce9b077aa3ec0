"""BertViz: the attention between the tokens of a sentence, drawn as lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from core.errors import TiltmeterError
from core.inputs import Choice, Span
from core.measures.attention.result import ORIGINAL, TWIN, SentenceMaps
from pages.shared.controls import choice, select, span, steps
from pages.shared.frame import theme
from pages.shared.markdown import literal

TEXT = Choice("bertviz_text", "Text", choices={ORIGINAL: "the sentence", TWIN: "its twin"})
VIEW = Choice("bertviz_view", "BertViz view", choices={"head": "head view", "model": "model view"})
MODEL = Choice("bertviz_model", "Model")
LAYER = Choice("bertviz_layer", "Layer")
LAYERS = Span("bertviz_layers", "Layers")
VIEWS = (TEXT, VIEW, MODEL, LAYER, LAYERS)
_HEIGHT = 640  # pixels; the view scrolls inside


def show(models: list[str], maps_of: Callable[[str], tuple[SentenceMaps, SentenceMaps] | None]) -> None:
    """The controls and the view of one model, of which ``maps_of`` gives the maps of both sentences, if it can."""
    from core.engine import bertviz_views

    with st.container(horizontal=True, vertical_alignment="center"):
        which = choice(TEXT)
        kind = choice(VIEW)
        model = models[0]
        if len(models) > 1:
            model = select(st, replace(MODEL, choices={name: name for name in models}), bare=True)
    pair = maps_of(model)
    if pair is None:
        return
    maps = next(maps for maps in pair if maps.which == which)
    layers, dark = list(range(len(maps.attention))), theme().name == "dark"
    try:
        if kind == "head":
            numbers = {str(layer): str(layer) for layer in layers}
            layer = int(steps(st, replace(LAYER, choices=numbers, default=str(layers[-1]))))
            view = bertviz_views.head_view(maps.pieces, maps.attention, layer=layer, dark=dark)
        else:
            ends = (layers[max(0, len(layers) - 4)], layers[-1])
            first, last = span(replace(LAYERS, default=ends, low=layers[0], high=layers[-1]))
            chosen = range(first, last + 1)
            view = bertviz_views.model_view(maps.pieces, maps.attention, layers=chosen, dark=dark)
    except TiltmeterError as error:
        st.info(literal(str(error)))
        return
    if view.note:
        st.caption(literal(view.note))
    st.iframe(view.html, height=_HEIGHT)
