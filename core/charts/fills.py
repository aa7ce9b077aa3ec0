"""What a model would say in the target's place: the small bars of the card."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from core.charts.text import literal, shorten, text_width
from core.charts.theme import SMALL_SIZE, TEXT_SIZE, Theme, template
from core.report.numbers import percent

_ROW = 21  # pixels
_WORDS = 110
_NUMBERS = 62
_NOMINAL = 290  # the width of the card, for which room is kept beside the longest bar


def top_fills(words: Sequence[str], probabilities: Sequence[float], theme: Theme) -> go.Figure:
    """Words with their probabilities (0 to 1) as grey bars, in the order given, the first on top.

    A bar's ``customdata`` is (word,). A probability that is not finite has no bar. Raises ValueError where the
    two sequences differ in length.
    """
    found = [(word, p) for word, p in zip(words, probabilities, strict=True) if math.isfinite(p)]
    most = max((p for _, p in found), default=1.0) or 1.0
    left = round(min(_WORDS, max((text_width(word, TEXT_SIZE) for word, _ in found), default=0))) + 12
    plot = _NOMINAL - left - 4
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": _ROW * max(1, len(found)) + 8,
            "margin": {"l": left, "r": 4, "t": 4, "b": 4},
            "xaxis": {"range": [0, most * plot / (plot - _NUMBERS)], "visible": False},
            "yaxis": {
                "range": [max(1, len(found)) - 0.5, -0.5],
                "tickmode": "array",
                "tickvals": list(range(len(found))),
                "ticktext": [literal(shorten(word, _WORDS, TEXT_SIZE)) for word, _ in found],
                "tickfont": {"size": TEXT_SIZE, "color": theme.ink},
                "ticklabelstandoff": 4,
                "showgrid": False,
            },
        }
    )
    figure.add_bar(
        orientation="h",
        x=[float(p) for _, p in found],
        y=list(range(len(found))),
        width=0.42,
        marker={"color": theme.neutral, "line": {"width": 0}, "cornerradius": 2},
        customdata=[[word] for word, _ in found],
        text=[percent(p) for _, p in found],
        textposition="outside",
        constraintext="none",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[f"<b>{literal(word)}</b>: {percent(p, 2)}" for word, p in found],
    )
    return figure
