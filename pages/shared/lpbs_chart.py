"""The playground's chart: bars for one model, panels or a scatter for several."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st

from core import charts
from core.results import Contrast, LpbsResult
from pages.shared.controls import choice
from pages.shared.frame import theme

EXTREMES = 26  # bars that fit on a screen


@dataclass(frozen=True)
class Look:
    """How the chart is drawn: ``order`` lean or name, ``limit`` of bars or None, the ``pair`` of a scatter or None."""

    order: str
    limit: int | None
    pair: tuple[str, str] | None


def choose(result: LpbsResult, models: Sequence[str]) -> Look:
    """The controls above the chart."""
    count = len(result.attributes)
    pair = None
    with st.container(horizontal=True, vertical_alignment="center"):
        order = choice("Sort", {"lean": "by lean", "name": "by name"}, "order")
        every = count <= EXTREMES + 1 or st.toggle(f"Show all {count:,}", key="all", bind="query-params")
        if len(models) > 1:
            view = choice("View", {"bars": "side by side", "scatter": "one against the other"}, "view")
            if view == "scatter":
                pairs = list(itertools.combinations(models, 2))
                pair = pairs[0]
                if len(pairs) > 1:
                    pair = st.selectbox(
                        "Pair", pairs, format_func=" and ".join, key="pair", label_visibility="collapsed"
                    )
    return Look(order, None if every else EXTREMES, pair)


def draw(result: LpbsResult, contrast: Contrast, models: Sequence[str], look: Look, highlight: str) -> go.Figure:
    """The figure for these models; ``highlight`` is the attribute of the card."""
    if look.pair is not None:
        x_model, y_model = look.pair
        return charts.model_against_model(result, contrast=contrast, x_model=x_model, y_model=y_model, theme=theme())
    if len(models) > 1:
        return charts.small_multiples(result, contrast=contrast, theme=theme(), order=look.order, limit=look.limit)
    return charts.tilt(
        result,
        contrast=contrast,
        model=models[0],
        theme=theme(),
        order=look.order,
        limit=look.limit,
        highlight=highlight,
    )
