"""The cells of a heat map: their colours, texts that can be read on them, and what answers to clicks."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import plotly.graph_objects as go

from ..report.numbers import signed
from .text import literal
from .theme import SMALL_SIZE, Theme

# What makes each name one of its kind on a category axis, and keeps one like "12" from being read as a place.
_UNSEEN = "\u200b"

Place = tuple[int, int]  # row, column


def categories(names: Sequence[str]) -> list[str]:
    """The names, each told from the same name before it by letters that are not seen, as a category axis needs."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(literal(name) + _UNSEEN * seen[name])
    return found


def thinned_axis(names: Sequence[str], pixels: float, apart: float = SMALL_SIZE + 2) -> dict[str, object]:
    """Of a layout, the axis of cells ``pixels`` wide: as many of their names as keep ``apart`` pixels."""
    shown = range(0, len(names), max(1, math.ceil(apart / pixels)))
    return {
        "tickmode": "array",
        "tickvals": list(shown),
        "ticktext": [literal(names[at]) for at in shown],
        "showgrid": False,
    }


def answering_cells(
    figure: go.Figure,
    axis: str,
    name: str,
    places: Sequence[Place],
    size: float,
    customdata: Sequence[Sequence[str]],
    hovertext: Sequence[str],
) -> None:
    """Unseen points on top of the cells: those of a heat map itself do not answer to clicks. ``axis`` is "" or "2" …"""
    figure.add_scatter(
        name=name,
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        x=[column for _, column in places],
        y=[row for row, _ in places],
        mode="markers",
        marker={"size": size, "symbol": "square", "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=customdata,
        showlegend=False,
        hoverinfo="text",
        hovertext=hovertext,
    )


def outline(figure: go.Figure, theme: Theme, axis: str, places: Collection[Place]) -> None:
    """A line in ink around these cells: along each side behind which none of them lies."""
    x, y = list[float | None](), list[float | None]()
    for row, column in sorted(places):
        sides = {
            (row - 1, column): ((-0.5, -0.5), (0.5, -0.5)),
            (row + 1, column): ((-0.5, 0.5), (0.5, 0.5)),
            (row, column - 1): ((-0.5, -0.5), (-0.5, 0.5)),
            (row, column + 1): ((0.5, -0.5), (0.5, 0.5)),
        }
        for beyond, ((left, top), (right, bottom)) in sides.items():
            if beyond not in places:
                x += [column + left, column + right, None]
                y += [row + top, row + bottom, None]
    figure.add_scatter(
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        x=x,
        y=y,
        mode="lines",
        line={"color": theme.ink, "width": 2},
        showlegend=False,
        hoverinfo="skip",
    )


def write_in_cells(
    figure: go.Figure,
    theme: Theme,
    axis: str,
    size: float,
    texts: Mapping[Place, tuple[str, str]],
    names: tuple[Sequence[str], Sequence[str]] | None = None,
) -> None:
    """Write in the middle of cells: at each place a text and the colour of its cell, on which it has to be read.

    ``names`` are the categories of rows and columns, where the axes have some.
    """
    by_colour: dict[str, list[Place]] = {}
    for place, (text, ground) in texts.items():
        if text:
            by_colour.setdefault(text_on(theme, ground), []).append(place)
    # A trace a colour: after a click plotly fades all texts but the chosen one's, unless told one colour for them.
    for colour, places in by_colour.items():
        figure.add_scatter(
            xaxis=f"x{axis}",
            yaxis=f"y{axis}",
            x=[column if names is None else names[1][column] for _, column in places],
            y=[row if names is None else names[0][row] for row, _ in places],
            mode="text",
            text=[texts[place][0] for place in places],
            textposition="middle center",
            textfont={"size": size, "color": colour},
            unselected={"textfont": {"color": colour}},
            selected={"textfont": {"color": colour}},
            showlegend=False,
            hoverinfo="skip",
        )


READABLE = 4.5  # the contrast that WCAG 2 asks of a text; black or white has it on any colour


def blend(start: str, end: str, share: float) -> str:
    """The colour ``share`` (0 to 1) of the way from ``start`` to ``end``; all are written ``#RRGGBB``."""
    pairs = zip(_channels(start), _channels(end), strict=True)
    return "#" + "".join(f"{round(first + (last - first) * share):02X}" for first, last in pairs)


def text_on(theme: Theme, colour: str) -> str:
    """Ink or paper, whichever stands out more from ``colour``, or black or white where neither can be read."""
    return next(
        text
        for texts in ((theme.ink, theme.paper), ("#000000", "#FFFFFF"))
        if contrast(text := max(texts, key=lambda text: contrast(text, colour)), colour) >= READABLE
    )


def contrast(first: str, second: str) -> float:
    """The contrast of two colours by WCAG 2: from 1, none, to 21."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [channel / 255 for channel in _channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def colour_scale(
    theme: Theme, most: float, *, hues: tuple[str, str], length: float, right_of: float, shown: bool
) -> dict[str, object]:
    """Of a heatmap, the scale from −``most`` to ``most``: from the first of ``hues`` over the paper to the second.

    Its bar, where ``shown``, is ``length`` pixels long and stands right of that share of the plot's width.
    """
    return {
        "zmin": -most,
        "zmax": most,
        "colorscale": [[0, hues[0]], [0.5, theme.paper], [1, hues[1]]],
        "showscale": shown,
        "colorbar": {
            "thickness": 10,
            "len": length,
            "lenmode": "pixels",
            "y": 1,
            "yanchor": "top",
            "x": right_of,
            "xpad": 10,
            "ypad": 0,
            "outlinewidth": 0,
            "tickmode": "array",
            "tickvals": [-most, 0, most],
            "ticktext": [signed(-most), "0", signed(most)],
            "tickfont": {"color": theme.muted, "size": SMALL_SIZE},
        },
    }
