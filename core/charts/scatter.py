"""One model's scores against another's."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.charts.labels import LABEL_WIDTH, POSITIONS, View, correlation_caption, place_labels
from core.charts.rows import values
from core.charts.scale import most_ticks, tick_texts, ticks
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, hue, template
from core.errors import NothingToScore
from core.measures.lpbs.result import LpbsResult
from core.report.numbers import signed
from core.result import Contrast

_MARGIN = {"l": 72, "r": 24, "t": 44, "b": 62}
_SIDE = 500  # pixels of the square, where the page has room for them
_MARKER = 9
_LABELS = 8


def model_against_model(
    result: LpbsResult, *, contrast: Contrast, x_model: str, y_model: str, theme: Theme
) -> go.Figure:
    """The log probability bias scores (nats) of one model against another, a point per attribute both have.

    Both axes have the same scale; positive leans towards the contrast's first group; on the dashed line the models
    agree. A point has the hue of the group both lean to, none where they differ. The attributes that differ most
    are named where there is room. The caption holds Pearson's r and n; under 4 points, or where a model's scores
    do not vary, it says why there is none. A point's ``customdata`` is (attribute,).

    Raises OptionError for an unknown contrast or model, NothingToScore where no attribute has both scores.
    """
    across = {value.attribute: value for value in values(result, contrast, x_model)}
    up = {value.attribute: value for value in values(result, contrast, y_model)}
    attributes = [attribute for attribute in across if attribute in up]
    if not attributes:
        raise NothingToScore(f"No attribute has a score in both {x_model} and {y_model}.")
    x = [across[attribute].lpbs for attribute in attributes]
    y = [up[attribute].lpbs for attribute in attributes]
    half = 1.08 * max(0.1, *map(abs, x), *map(abs, y))
    names = [shorten(attribute, LABEL_WIDTH, SMALL_SIZE) for attribute in attributes]
    side = min(_SIDE, theme.width - _MARGIN["l"] - _MARGIN["r"])
    labels = _place_labels(names, x, y, half, side)

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": side + _MARGIN["t"] + _MARGIN["b"],
            "margin": _MARGIN,
            "title": {
                "text": correlation_caption(x, y),
                "font": {"size": TEXT_SIZE, "color": theme.muted},
                "x": 0.5,
                "xanchor": "center",
                "xref": "paper",
                "y": 1,
                "yanchor": "top",
                "pad": {"t": 14},
            },
        }
    )
    figure.add_scatter(
        name="same in both",
        x=[-half, half],
        y=[-half, half],
        mode="lines",
        line={"color": theme.muted, "width": 1, "dash": "dash"},
        hoverinfo="skip",
    )
    figure.add_scatter(
        name=contrast.label,
        x=x,
        y=y,
        mode="markers+text",
        customdata=[[attribute] for attribute in attributes],
        text=[f" {literal(names[at])} " if at in labels else "" for at in range(len(attributes))],
        textposition=[labels.get(at, POSITIONS[0]) for at in range(len(attributes))],
        textfont={"size": SMALL_SIZE, "color": theme.ink},
        marker={
            "size": _MARKER,
            "color": [_hue(result, contrast, theme, *point) for point in zip(x, y, strict=True)],
            "opacity": 0.85,
            "line": {"width": 0},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0.85}, "textfont": {"color": theme.ink}},
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(attribute)}</b><br>{literal(x_model)}: {signed(a)}<br>{literal(y_model)}: {signed(b)}"
            f"<br>difference: {signed(b - a)} nats"
            for attribute, a, b in zip(attributes, x, y, strict=True)
        ],
    )
    positions = ticks(half, most_ticks(side / 2, 4))
    axis = {
        "range": [-half, half],
        "constrain": "domain",
        "tickmode": "array",
        "tickvals": positions,
        "ticktext": tick_texts(positions),
        "zeroline": True,
        "zerolinecolor": theme.zero,
        "zerolinewidth": 1,
    }
    figure.update_xaxes(**axis, title={"text": _axis_title(result, contrast, x_model, theme, side), "standoff": 12})
    figure.update_yaxes(
        **axis,
        scaleanchor="x",
        scaleratio=1,
        title={"text": _axis_title(result, contrast, y_model, theme, side), "standoff": 10},
    )
    return figure


def _hue(result: LpbsResult, contrast: Contrast, theme: Theme, x: float, y: float) -> str:
    if x * y <= 0:
        return theme.neutral
    return hue(theme, result.groups, contrast.first if x > 0 else contrast.second)


def _axis_title(result: LpbsResult, contrast: Contrast, model: str, theme: Theme, side: int) -> str:
    """The model between the two directions; turned upright, the arrows point down and up."""
    most = side * 0.22
    arrows = [f"◀ {shorten(contrast.second, most, SMALL_SIZE)}", f"{shorten(contrast.first, most, SMALL_SIZE)} ▶"]
    second, first = (
        f'<span style="color:{hue(theme.in_words, result.groups, group)}"><b>{literal(text)}</b></span>'
        for group, text in zip((contrast.second, contrast.first), arrows, strict=True)
    )
    room = side - sum(text_width(text, SMALL_SIZE * BOLD) for text in (*arrows, "  ·  , nats  ·  "))
    return f"{second}  ·  {literal(shorten(model, room, SMALL_SIZE))}, nats  ·  {first}"


def _place_labels(
    names: Sequence[str], x: Sequence[float], y: Sequence[float], half: float, side: int
) -> dict[int, str]:
    """Which points are named and where in the square of ``side`` pixels; most different first."""
    points = tuple(((a / half + 1) / 2 * side, (b / half + 1) / 2 * side) for a, b in zip(x, y, strict=True))
    view = View(side, side, points, lines=((0.0, 1.0),))  # the line of agreement
    order = sorted(range(len(names)), key=lambda at: -abs(x[at] - y[at]))
    return place_labels(names, order, [view], marker=_MARKER, most=_LABELS)
