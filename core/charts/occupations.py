"""How often each occupation occurs in a corpus."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from core.charts.text import literal, shorten, text_width
from core.charts.theme import SMALL_SIZE, TEXT_SIZE, Theme, template
from core.errors import NothingToScore

_LABELS = 200  # pixels, as all that follows
_ROW = 20


def occupation_bars(counts: pd.DataFrame, *, theme: Theme, limit: int = 30) -> go.Figure:
    """Sentences by occupation (columns occupation, n), most frequent first; those past ``limit`` are one row.

    Raises NothingToScore for no occupation.
    """
    if counts.empty:
        raise NothingToScore("No sentence was kept, so there is no occupation to count.")
    rows = counts.sort_values("n", ascending=False, kind="stable")
    names, numbers = list(map(str, rows["occupation"][:limit])), [int(n) for n in rows["n"][:limit]]
    rest = rows["n"][limit:]
    if len(rest):
        names.append(f"{len(rest):,} more occupations")
        numbers.append(int(rest.sum()))
    left = round(min(_LABELS, max(text_width(name, TEXT_SIZE) for name in names))) + 12
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": 20 + 44 + _ROW * len(names),
            "margin": {"l": left, "r": 60, "t": 8, "b": 44},
            "bargap": 0.3,
            "yaxis": {
                "range": [len(names) - 0.5, -0.5],
                "tickmode": "array",
                "tickvals": list(range(len(names))),
                "ticktext": [literal(shorten(name, _LABELS, TEXT_SIZE)) for name in names],
                "tickfont": {"color": theme.ink, "size": TEXT_SIZE},
                "ticklabelstandoff": 4,
                "showgrid": False,
            },
            "xaxis": {"title": {"text": "sentences", "standoff": 8}, "rangemode": "tozero"},
        }
    )
    figure.add_bar(
        orientation="h",
        x=numbers,
        y=list(range(len(names))),
        text=[f" {number:,}" for number in numbers],
        textposition="outside",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        marker={"color": [theme.neutral] * len(names), "line": {"width": 0}},
        hoverinfo="text",
        hovertext=[f"<b>{literal(name)}</b><br>{n:,} sentences" for name, n in zip(names, numbers, strict=True)],
    )
    return figure
