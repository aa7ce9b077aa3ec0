"""A scatter of points that have names: what the pair of an agreement and occupations have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.charts.key import write
from core.charts.labels import LABEL_WIDTH, POSITIONS, View, place_labels
from core.charts.text import literal, shorten
from core.charts.theme import SMALL_SIZE, TEXT_SIZE, Theme, template

SIDE = 400  # pixels of a square, where the page has room for them
MARKER = 9

_OPACITY = 0.85
_LEFT, _RIGHT, _BELOW = 72, 26, 62
_LINE = 18
_WIDER = (550, 800)  # pixels of a plot that stretches with the page; names must not touch in them either


@dataclass(frozen=True)
class Scale:
    """One axis: its ends, where it is marked and how, its title in plotly's markup."""

    low: float
    high: float
    marks: tuple[tuple[float, str], ...]
    title: str

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Point:
    """A name, a place, a hue, what hovering says and what a click gives."""

    name: str
    x: float
    y: float
    hue: str
    hover: str
    data: tuple[str, ...]


def point_chart(
    points: Sequence[Point],
    x: Scale,
    y: Scale,
    *,
    theme: Theme,
    caption: Sequence[str],
    name: str,
    square: bool,
    named: int,
    order: Sequence[int],
    line: tuple[float, float] | None = None,
) -> go.Figure:
    """Points on two scales, ``caption`` lines above; at most ``named`` are named, in ``order``, where there is room.

    ``square`` gives both axes one length, so that equal scales stay equal. ``line`` is (intercept, slope) of a dashed
    line. ``name`` is that of the points' trace.
    """
    top = _LINE * len(caption) + 14
    across = plot_width(theme)
    side = min(SIDE, across) if square else SIDE
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": side + top + _BELOW,
            "margin": {"l": _LEFT, "r": _RIGHT, "t": top, "b": _BELOW},
        }
    )
    if line is not None:
        figure.add_scatter(
            name="line",
            x=[x.low, x.high],
            y=[line[0] + line[1] * end for end in (x.low, x.high)],
            mode="lines",
            line={"color": theme.muted, "width": 1, "dash": "dash"},
            hoverinfo="skip",
        )
    shown = [shorten(point.name, LABEL_WIDTH, SMALL_SIZE) for point in points]
    sizes = [(side, side)] if square else [(width, side) for width in (across, *_WIDER)]
    views = [_view(points, x, y, line, *size) for size in sizes]
    labels = place_labels(shown, order, views, marker=MARKER, most=named)
    figure.add_scatter(
        name=name,
        x=[point.x for point in points],
        y=[point.y for point in points],
        mode="markers+text",
        customdata=[list(point.data) for point in points],
        text=[f" {literal(text)} " if at in labels else "" for at, text in enumerate(shown)],
        textposition=[labels.get(at, POSITIONS[0]) for at in range(len(shown))],
        textfont={"size": SMALL_SIZE, "color": theme.ink},
        marker={
            "size": MARKER,
            "color": [point.hue for point in points],
            "opacity": _OPACITY,
            "line": {"width": 0},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": _OPACITY}, "textfont": {"color": theme.ink}},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[point.hover for point in points],
    )
    above = {"x": 0.5, "xanchor": "center", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6}
    write(figure, "<br>".join(map(literal, caption)), theme.muted, TEXT_SIZE, **above)
    figure.update_xaxes(**_axis(x, theme, 12))
    figure.update_yaxes(**_axis(y, theme, 10))
    if square:
        figure.update_xaxes(constrain="domain")
        figure.update_yaxes(constrain="domain", scaleanchor="x", scaleratio=(x.high - x.low) / (y.high - y.low))
    return figure


def plot_width(theme: Theme) -> int:
    """Pixels between the upright axis and the right edge, for which titles are cut."""
    return theme.width - _LEFT - _RIGHT


def _axis(scale: Scale, theme: Theme, standoff: int) -> dict[str, Any]:
    return {
        "range": [scale.low, scale.high],
        "tickmode": "array",
        "tickvals": [at for at, _ in scale.marks],
        "ticktext": [text for _, text in scale.marks],
        "zeroline": True,
        "zerolinecolor": theme.zero,
        "zerolinewidth": 1,
        "title": {"text": scale.title, "standoff": standoff},
    }


def _view(
    points: Sequence[Point], x: Scale, y: Scale, line: tuple[float, float] | None, width: float, height: float
) -> View:
    """The plot in pixels: what names must keep clear of."""
    places = tuple((x.share(point.x) * width, y.share(point.y) * height) for point in points)
    lines = [(y.share(0.0) * height, 0.0)]
    if line is not None:
        start, end = (y.share(line[0] + line[1] * at) * height for at in (x.low, x.high))
        lines.append((start, (end - start) / width))
    return View(width, height, places, tuple(lines))
