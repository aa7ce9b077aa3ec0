"""Pictures of a corpus scan."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from ....charts.rows import count_bars, label_column, label_width
from ....charts.text import literal, shorten
from ....charts.theme import TEXT_SIZE, Theme
from ....errors import NothingToScore, OptionError
from ....report.numbers import counted
from ..figures import degree_curve
from .result import ScanResult

_LABELS = 200
_ROW = 20


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
    room = label_width(theme, _LABELS)
    return count_bars(
        theme,
        [literal(shorten(name, room, TEXT_SIZE)) for name in names],
        numbers,
        left=round(label_column(theme, names, _LABELS)),
        height=_ROW,
        title="sentences",
        hollow=[at >= shown for at in range(len(names))],
        hovers=[f"<b>{literal(name)}</b><br>{counted(n, 'sentence')}" for name, n in zip(names, numbers, strict=True)],
    )
