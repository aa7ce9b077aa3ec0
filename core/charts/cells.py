"""What stands on the cells of a heat map: texts that can be read, and what answers to clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.charts.shades import text_on
from core.charts.theme import Theme

Place = tuple[int, int]  # row, column


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
        hoverinfo="text",
        hovertext=hovertext,
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
            hoverinfo="skip",
        )
