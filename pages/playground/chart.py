"""The playground's chart: bars for one model, panels or a scatter for several."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go
import streamlit as st

from core import charts
from core.inputs import Choice, Switch
from core.measures.lpbs import figures
from core.measures.lpbs.result import LpbsResult
from core.result import Contrast
from pages.shared.controls import choice, select, toggle
from pages.shared.frame import theme_beside_card

CONTRAST = Choice("contrast", "Contrast")
ORDER = Choice("order", "Sort", choices={"lean": "by lean", "name": "by name"})
ALL = Switch("all", "Show all")
VIEW = Choice("view", "View", choices={"bars": "side by side", "scatter": "one against the other"})
PAIR = Choice("pair", "Pair")
VIEWS = (CONTRAST, ORDER, ALL, VIEW, PAIR)
_SIDE_BY_SIDE = 6  # contrasts that are read at a glance; more open in a box


@dataclass(frozen=True)
class Look:
    """How the chart is drawn: ``order`` lean or name, ``limit`` of bars or None, the ``pair`` of a scatter or None."""

    order: str
    limit: int | None
    pair: tuple[str, str] | None


def choose_contrast(result: LpbsResult) -> Contrast:
    """The contrast that is shown, chosen where there are several."""
    contrasts = {contrast.label: contrast for contrast in result.contrasts}
    if len(contrasts) == 1:
        return result.contrasts[0]
    named = replace(CONTRAST, choices={label: label for label in contrasts})
    return contrasts[choice(named) if len(contrasts) <= _SIDE_BY_SIDE else select(st, named)]


def choose(count: int, models: Sequence[str]) -> Look:
    """The controls above the chart of ``count`` attributes."""
    pair = None
    with st.container(horizontal=True, vertical_alignment="center"):
        order = choice(ORDER)
        every = count <= figures.EXTREMES + 1 or toggle(replace(ALL, label=f"Show all {count:,}"))
        if len(models) > 1 and choice(VIEW) == "scatter":
            pairs = {f"{a} and {b}": (a, b) for a, b in itertools.combinations(models, 2)}
            pair = pairs[next(iter(pairs))]
            if len(pairs) > 1:
                pair = pairs[select(st, replace(PAIR, choices={name: name for name in pairs}), bare=True)]
    return Look(order, None if every else figures.EXTREMES, pair)


def draw(result: LpbsResult, contrast: Contrast, models: Sequence[str], look: Look, highlight: str) -> go.Figure:
    """The figure for these models; ``highlight`` is the attribute of the card."""
    drawn_for = theme_beside_card(charts.PANELS_WIDTH if len(models) > 1 else charts.WIDTH)
    if look.pair is not None:
        x_model, y_model = look.pair
        return figures.model_against_model(result, contrast=contrast, x_model=x_model, y_model=y_model, theme=drawn_for)
    if len(models) > 1:
        return figures.small_multiples(result, contrast=contrast, theme=drawn_for, order=look.order, limit=look.limit)
    return figures.tilt(
        result,
        contrast=contrast,
        model=models[0],
        theme=drawn_for,
        order=look.order,
        limit=look.limit,
        highlight=highlight,
    )
