"""Pictures of a corpus scan."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from ....charts.rows import Row, label_column, label_rows, label_width
from ....charts.text import literal, shorten
from ....charts.theme import SMALL_SIZE, TEXT_SIZE, Theme, template
from ....errors import NothingToScore, OptionError
from ....report.numbers import counted
from ..figures import degree_curve
from .result import ScanResult

_LABELS = 200
_ROW = 20
_BAR = 0.7  # of a row
_FEW = 6  # sentences; the scale then counts by ones, since half a sentence is none


def draw(result: ScanResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the mean degree along the model."""
    return degree_curve(result.profile[result.profile["model"] == model], theme=theme)


def occupation_bars(counts: pd.DataFrame, *, theme: Theme, limit: int = 30) -> go.Figure:
    """Sentences by occupation (columns occupation, n), most frequent first; those past ``limit`` are one hollow row.

    Raises NothingToScore for no occupation, OptionError for a limit below 1.
    """
    if limit < 1:
        raise OptionError(f"A limit of {limit} leaves nothing to show; it must be at least 1.")
    if counts.empty:
        raise NothingToScore("No sentence was kept, so there is no occupation to count.")
    rows = counts.sort_values("n", ascending=False, kind="stable")
    # A row that says "1 more" would take the place of the very row it hides.
    shown = len(rows) if len(rows) <= limit + 1 else limit
    names, numbers = list(map(str, rows["occupation"][:shown])), [int(n) for n in rows["n"][:shown]]
    rest = rows["n"][shown:]
    if len(rest):
        names.append(counted(len(rest), "more occupation"))
        numbers.append(int(rest.sum()))
    left = round(label_column(theme, names, _LABELS))
    room = label_width(theme, _LABELS)
    row = Row(theme, _ROW)
    labels = {at: literal(shorten(name, room, TEXT_SIZE)) for at, name in enumerate(names)}
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": 20 + 44 + row.height * len(names),
            "margin": {"l": left, "r": 60, "t": 8, "b": 44},
            "xaxis": {
                "title": {"text": "sentences", "standoff": 8},
                "rangemode": "tozero",
                "tickformat": ",",
                **({"dtick": 1} if max(numbers) < _FEW else {}),
            },
        }
    )
    label_rows(figure, row, labels, len(names))
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
            "color": [*[theme.neutral] * shown, *[theme.paper] * (len(names) - shown)],
            "line": {"color": theme.neutral, "width": 1},
            "opacity": 1,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": theme.muted}},
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(name)}</b><br>{counted(n, 'sentence')}" for name, n in zip(names, numbers, strict=True)
        ],
    )
    return figure
