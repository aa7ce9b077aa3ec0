"""What chance gives: the distribution an association test's value is held against."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core.charts.key import write
from core.charts.scale import most_ticks, tick_texts, ticks
from core.charts.text import literal, sentence_lines, text_width, wrap
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from core.errors import NothingToScore
from core.measures.association.result import AssociationCell
from core.report.numbers import counted, signed

_CEAT = "ceat"
_MARGIN = {"l": 64, "r": 24, "b": 52}
_LINE = 18
_PLOT = 230  # pixels high
_FEWEST_BARS, _MOST_BARS = 10, 50
_TIE = 1e-12  # differences up to that share of the values' size are rounding


@dataclass(frozen=True)
class _Bars:
    """Bars of equal ``width`` at ``middles``, none across the edge of the tail; ``tail`` says which are in it."""

    middles: NDArray[np.float64]
    counts: NDArray[np.int64]
    width: float
    tail: NDArray[np.bool_]

    @property
    def in_tail(self) -> int:
        return int(self.counts[self.tail].sum())


def null_distribution(
    cell: AssociationCell,
    *,
    theme: Theme,
    test_statistic: float,
    title: str,
    p_observed_direction: float | None = None,
    n_permutations: int | None = None,
) -> go.Figure:
    """The test statistics of the re-partitions as a histogram, the observed one as a line.

    The bars at the observed value and beyond, on the side where fewer are, have the hue of that side: right,
    positive, is X with A. A cell holds at most 10,000 re-partitions: with ``p_observed_direction`` and
    ``n_permutations`` of its summary row the words count in all of them, else in those of the cell.

    For CEAT the values are the effect sizes of the samples, ``test_statistic`` is the combined one, and the words
    count the samples on its side of zero.

    Raises NothingToScore where the cell has no such values or ``test_statistic`` is missing.
    """
    values = cell.null[np.isfinite(cell.null)]
    if not len(values) or not math.isfinite(test_statistic):
        raise NothingToScore(f"{title}: no distribution to draw, since the test could not be computed.")
    is_ceat = cell.representation == _CEAT
    size = max(1.0, *(float(np.abs(s).max(initial=0.0)) for s in (cell.s_x, cell.s_y)))
    tie = _TIE * size
    if is_ceat:
        bars = _bars(values, 0.0, -1.0 if test_statistic < 0 else 1.0)
        side = "above" if test_statistic >= 0 else "below"
        words = f"combined {signed(test_statistic, 3)}; {bars.in_tail:,} of {len(values):,} samples {side} 0"
        unit, axis, height = "sample", "effect size d of a sample", "samples"
        right = test_statistic >= 0
    else:
        right = bool((values >= test_statistic - tie).sum() <= (values <= test_statistic + tie).sum())
        sign = 1.0 if right else -1.0
        bars = _bars(values, test_statistic - sign * tie, sign)
        reached = _reached(cell, bars.in_tail, len(values), p_observed_direction, n_permutations)
        words = f"observed {signed(test_statistic, 3)}; {reached} at or beyond"
        unit, axis = "partition", "difference of the two sets’ mean associations, in re-partitions of their members"
        height = (
            "partitions" if len(values) == (n_permutations or len(values)) else f"partitions, {len(values):,} shown"
        )

    half = 1.06 * max(float(np.abs(bars.middles).max()) + bars.width / 2, abs(test_statistic))
    positions = ticks(half, most_ticks((theme.width - _MARGIN["l"] - _MARGIN["r"]) / 2, 4))
    lines = wrap(title, theme.width - 20, TEXT_SIZE * BOLD, 2)
    top = _LINE * (len(lines) + 1) + 14
    plot = theme.width - _MARGIN["l"] - _MARGIN["r"]
    axis_lines = sentence_lines(axis, plot, SMALL_SIZE)
    below = _MARGIN["b"] + _LINE * (len(axis_lines) - 1)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + _PLOT + below,
            "margin": {**_MARGIN, "t": top, "b": below},
            "bargap": 0,
            "xaxis": {
                "range": [-half, half],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions),
                "zeroline": True,
                "zerolinecolor": theme.zero,
                "zerolinewidth": 1,
                "showgrid": False,
                "ticklabelstandoff": 5,  # clear of the 0 of the other axis
                "title": {"text": "<br>".join(axis_lines), "standoff": 8},
            },
            "yaxis": {
                # Room above the tallest bar, so that the line of the observed value ends in the open.
                "range": [0, 1.05 * int(bars.counts.max())],
                "nticks": 4,
                "tickformat": ",d",
                "title": {"text": height, "standoff": 8},
                **({"dtick": 1} if bars.counts.max() < 4 else {}),
            },
        }
    )
    hue = theme.groups[0 if right else 1]
    figure.add_bar(
        name=f"{unit}s",
        x=bars.middles.tolist(),
        y=bars.counts.tolist(),
        width=bars.width,
        marker={
            "color": [hue if in_tail else theme.neutral for in_tail in bars.tail.tolist()],
            "opacity": 0.85,
            "line": {"width": 0.5, "color": theme.paper},
        },
        hoverinfo="text",
        hovertext=[
            f"{signed(middle - bars.width / 2, 3)} to {signed(middle + bars.width / 2, 3)}: {counted(count, unit)}"
            for middle, count in zip(bars.middles.tolist(), bars.counts.tolist(), strict=True)
        ],
    )
    observed: dict[str, object] = {"x0": test_statistic, "x1": test_statistic, "y0": 0, "y1": 1, "yref": "paper"}
    figure.add_shape(type="line", line={"color": theme.ink, "width": 1.6}, **observed)
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    # Centred over the line, or as near to it as the edges of the plot allow.
    at: dict[str, object] = {"x": test_statistic, "xref": "x", "xanchor": "center"}
    if text_width(words, SMALL_SIZE * BOLD) / 2 > (1 - abs(test_statistic) / half) * plot / 2:
        at = {"x": 1, "xanchor": "right"} if test_statistic > 0 else {"x": 0, "xanchor": "left"}
    write(figure, f"<b>{words}</b>", theme.ink, SMALL_SIZE, **at, **above, yshift=3)
    heading = "<br>".join(f"<b>{literal(line)}</b>" for line in lines)
    write(figure, heading, theme.ink, TEXT_SIZE, **above, xshift=4 - _MARGIN["l"], yshift=_LINE + 6, align="left")
    return figure


def _bars(values: NDArray[np.float64], edge: float, sign: float) -> _Bars:
    """A histogram in which ``edge`` is the edge of a bar; the tail lies beyond it in the direction of ``sign``."""
    count = min(_MOST_BARS, max(_FEWEST_BARS, math.ceil(2 * len(values) ** (1 / 3))))
    spread = float(values.max() - values.min())
    width = spread / count if spread > _TIE else 0.05 * max(1.0, abs(edge))
    places, counts = np.unique(np.floor(sign * (values - edge) / width).astype(np.int64), return_counts=True)
    return _Bars(edge + sign * (places + 0.5) * width, counts, width, places >= 0)


def _reached(cell: AssociationCell, found: int, drawn: int, p: float | None, n: int | None) -> str:
    """How many partitions reach the observed value, of how many: all that were looked at where p and n are known."""
    partitions = math.comb(len(cell.s_x) + len(cell.s_y), len(cell.s_x))
    if p is None or n is None or not math.isfinite(p):
        return f"{found:,} of {drawn:,}" + ("" if drawn == partitions else " drawn for this picture")
    # Where not all are looked at, the observed partition is counted beside those drawn.
    looked_at = n if n == partitions else n + 1
    return f"{round(p * looked_at):,} of {looked_at:,}"
