"""Pictures of a swap: what was changed, by kind."""

from __future__ import annotations

import plotly.graph_objects as go

from ....charts.rows import count_bars, label_column
from ....charts.text import literal
from ....charts.theme import Theme
from ....errors import NothingToScore
from ....report.numbers import counted
from .result import SUMMARY, SwapResult

_LABELS = 240
_ROW = 24


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
    return count_bars(
        theme,
        [literal(name) for name in names],
        numbers,
        left=round(label_column(theme, names, _LABELS)),
        height=_ROW,
        title="changes; hollow: doubts",
        hollow=is_doubt,
        hovers=[
            f"<b>{literal(name)}</b><br>{counted(n, 'doubt' if doubt else 'change')}"
            for name, n, doubt in zip(names, numbers, is_doubt, strict=True)
        ],
    )
