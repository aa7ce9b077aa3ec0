"""Points that have names on two scales: where names find room, and what is said of the correlation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ..report.numbers import signed
from ..stats.correlation import FEWEST_POINTS, pearson
from ..stats.samples import is_enough, too_few
from .key import write
from .text import literal, shorten, text_width
from .theme import SMALL_SIZE, TEXT_SIZE, Theme, template

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
    sizes = [(side, side)] if square else [(width, side) for width in (across, *_WIDER)]
    views = [view_of(points, x, y, line, *size) for size in sizes]
    add_points(figure, points, views, theme=theme, name=name, named=named, order=order)
    above = {"x": 0.5, "xanchor": "center", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6}
    write(figure, "<br>".join(map(literal, caption)), theme.muted, TEXT_SIZE, **above)
    figure.update_xaxes(**_axis(x, theme, 12))
    figure.update_yaxes(**_axis(y, theme, 10))
    if square:
        figure.update_xaxes(constrain="domain")
        figure.update_yaxes(constrain="domain", scaleanchor="x", scaleratio=(x.high - x.low) / (y.high - y.low))
    return figure


def add_points(
    figure: go.Figure,
    points: Sequence[Point],
    views: Sequence[View],
    *,
    theme: Theme,
    name: str,
    named: int,
    order: Sequence[int],
    **where: object,
) -> None:
    """Draw points; at most ``named`` have their names beside them, in ``order``, where every view has room.

    ``name`` is that of the trace; ``where`` are its axes, or row and column.
    """
    shown = [shorten(point.name, LABEL_WIDTH, SMALL_SIZE) for point in points]
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
        **where,
    )


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


def view_of(
    points: Sequence[Point], x: Scale, y: Scale, line: tuple[float, float] | None, width: float, height: float
) -> View:
    """The plot in pixels: what names must keep clear of."""
    places = tuple((x.share(point.x) * width, y.share(point.y) * height) for point in points)
    lines = [(y.share(0.0) * height, 0.0)]
    if line is not None:
        start, end = (y.share(line[0] + line[1] * at) * height for at in (x.low, x.high))
        lines.append((start, (end - start) / width))
    return View(width, height, places, tuple(lines))


LABEL_WIDTH = 190  # pixels; a longer name is cut to that before it is placed
POSITIONS = ("middle right", "middle left", "top center", "bottom center")

_TALL = SMALL_SIZE + 4
_GAP = 4  # the space beside a text, which is written with a blank at both ends


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, from the lower left corner of the plot."""

    left: float
    right: float
    bottom: float
    top: float

    def meets(self, other: Box) -> bool:
        """Whether the two have a point in common inside."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def is_cut_by(self, line: tuple[float, float]) -> bool:
        """Whether the line y = intercept + slope · x runs through it."""
        intercept, slope = line
        ends = (intercept + slope * self.left, intercept + slope * self.right)
        return min(ends) < self.top and self.bottom < max(ends)


@dataclass(frozen=True)
class View:
    """A plot at one size, in pixels from its lower left corner: what a text must keep clear of.

    ``lines`` are (intercept, slope); ``taken`` are places where something else is written.
    """

    width: float
    height: float
    points: tuple[tuple[float, float], ...]
    lines: tuple[tuple[float, float], ...] = ()
    taken: tuple[Box, ...] = ()


def place_labels(
    names: Sequence[str], order: Iterable[int], views: Sequence[View], *, marker: float, most: int
) -> dict[int, str]:
    """Indices of at most ``most`` points to name, with plotly's position of the text.

    A text meets no point, line, other text or edge, and that in every view: a chart is drawn at many sizes. Points
    come in ``order``, as long as there is room; ``names`` are those shown, one a point, ``marker`` the points' width.
    """
    dots = [tuple(_around(*point, marker) for point in view.points) for view in views]
    written = [list(view.taken) for view in views]
    chosen: dict[int, str] = {}
    for at in order:
        if len(chosen) == most:
            break
        width = text_width(names[at], SMALL_SIZE)
        for position in POSITIONS:
            boxes = [_text_box(around[at], width, position) for around in dots]
            if all(map(_is_free, boxes, views, written, [(*around[:at], *around[at + 1 :]) for around in dots])):
                for box, taken in zip(boxes, written, strict=True):
                    taken.append(box)
                chosen[at] = position
                break
    return chosen


def correlation_caption(x: Sequence[float], y: Sequence[float]) -> str:
    """Pearson's r and n of the points, as ``correlation_text`` says them."""
    found = pearson(x, y)
    return correlation_text(None if found is None else found.r, len(x))


def correlation_text(r: float | None, n: int) -> str:
    """Pearson's r over n points, and whether they are too few for a verdict; or why there is no r."""
    if n < FEWEST_POINTS:
        return f"n = {n}: too few for a correlation (at least {FEWEST_POINTS} are required)"
    if r is None:
        return f"Pearson r undefined: no variation, n = {n}"
    if not is_enough(n):
        return f"Pearson r = {signed(r)}, n = {too_few(n)}: too few to say"
    return f"Pearson r = {signed(r)}, n = {n}"


def _is_free(box: Box, view: View, taken: Sequence[Box], dots: Sequence[Box]) -> bool:
    return (
        box.left >= 0
        and box.right <= view.width
        and box.bottom >= 0
        and box.top <= view.height
        and not any(box.is_cut_by(line) for line in view.lines)
        and not any(box.meets(other) for other in (*dots, *taken))
    )


def _around(x: float, y: float, size: float) -> Box:
    return Box(x - size / 2, x + size / 2, y - size / 2, y + size / 2)


def _text_box(point: Box, width: float, position: str) -> Box:
    """The rectangle of a text beside the marker it names, as plotly sets it."""
    middle_x, middle_y = (point.left + point.right) / 2, (point.bottom + point.top) / 2
    if position == "middle right":
        return Box(point.right, point.right + width + 2 * _GAP, middle_y - _TALL / 2, middle_y + _TALL / 2)
    if position == "middle left":
        return Box(point.left - width - 2 * _GAP, point.left, middle_y - _TALL / 2, middle_y + _TALL / 2)
    below = position == "bottom center"
    bottom = point.bottom - _TALL - 2 if below else point.top + 2
    return Box(middle_x - width / 2 - _GAP, middle_x + width / 2 + _GAP, bottom, bottom + _TALL)
