"""What stands on the cells of a heat map and answers to clicks."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

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
