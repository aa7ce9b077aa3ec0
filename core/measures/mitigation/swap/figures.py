"""Pictures of a swap: what was changed, by kind."""

from __future__ import annotations

import plotly.graph_objects as go

from ....charts.rows import Row, label_column, label_rows
from ....charts.text import literal
from ....charts.theme import SMALL_SIZE, Theme, template
from ....errors import NothingToScore
from ....report.numbers import counted
from .result import SUMMARY, SwapResult

_LABELS = 240
_ROW = 24
_BAR = 0.7  # of a row
_FEW = 6  # changes; the scale then counts by ones


def draw(result: SwapResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: changes and doubts by their kind."""
    return kinds(result, theme=theme)


def kinds(result: SwapResult, *, theme: Theme) -> go.Figure:
    """How many words were changed, by kind, filled; how many are doubtful, by kind, hollow.

    Raises NothingToScore where nothing was changed.
    """
    rows = result[SUMMARY]
    rows = rows[rows["what"].isin(["changes", "doubts"]) & (rows["kind"] != "all")]
    if not rows["n"].any():
        raise NothingToScore("Nothing was changed, so there is nothing to count.")
    names = [f"{kind}" for kind in rows["kind"]]
    numbers = [int(n) for n in rows["n"]]
    is_doubt = [what == "doubts" for what in rows["what"]]
    row = Row(theme, _ROW)
    left = round(label_column(theme, names, _LABELS))
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": 20 + 44 + row.height * len(names),
            "margin": {"l": left, "r": 60, "t": 8, "b": 44},
            "xaxis": {
                "title": {"text": "changes; hollow: doubts", "standoff": 8},
                "rangemode": "tozero",
                "tickformat": ",",
                **({"dtick": 1} if max(numbers) < _FEW else {}),
            },
        }
    )
    label_rows(figure, row, {at: literal(name) for at, name in enumerate(names)}, len(names))
    figure.add_bar(
        orientation="h",
        x=numbers,
        y=[at + row.lower for at in range(len(names))],
        width=row.share(_BAR),
        text=[f" {number:,}" for number in numbers],
        textposition="outside",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        marker={
            "color": [theme.paper if doubt else theme.neutral for doubt in is_doubt],
            "line": {"color": theme.neutral, "width": 1},
            "opacity": 1,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": theme.muted}},
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(name)}</b><br>{counted(n, 'doubt' if doubt else 'change')}"
            for name, n, doubt in zip(names, numbers, is_doubt, strict=True)
        ],
    )
    return figure
