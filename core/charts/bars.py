"""Which way each attribute leans: diverging bars, for one model or several side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from core.charts.panel import (
    RIGHT,
    STANDOFF,
    Panel,
    add_caption,
    add_direction,
    add_panel,
    empty_figure,
    label_rows,
    numbers_width,
    reach_of,
)
from core.charts.rows import Gap, choose, extent, models_of, values
from core.charts.text import literal, shorten, text_width, wrap
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme
from core.errors import OptionError
from core.results import Contrast, LpbsResult

MOST_PANELS = 4

_LABELS = 225  # pixels; "director of religious activities" fits
_LABELS_BESIDE_PANELS = 190
_TITLE_LINE = 16
_PANEL_GAP = 14
# Charts stretch with the page. Room for the numbers at the bars' ends is kept as if this were the width.
_NOMINAL = 640
_NOMINAL_PANELS = 780


def tilt(
    result: LpbsResult,
    *,
    contrast: Contrast,
    model: str,
    theme: Theme,
    order: str = "lean",
    limit: int | None = None,
    highlight: str | None = None,
) -> go.Figure:
    """One model's log probability bias score per attribute, in nats, as diverging horizontal bars.

    Right is positive and leans to the contrast's first group; the hue is that of the group leant to, the thin line
    the 95 % interval. ``order`` is ``lean`` or ``name``; ``limit`` keeps the outermost rows (by name: the
    strongest) and counts the others in one; the row of ``highlight`` is shaded and always shown. ``customdata`` of
    a bar is (attribute, model). An attribute without a value has no bar.

    Raises OptionError for an unknown contrast, model or order or a limit below 2, NothingToScore for no value.
    """
    found = {value.attribute: value for value in values(result, contrast, model)}
    rows = choose({name: value.lpbs for name, value in found.items()}, order=order, limit=limit, highlight=highlight)
    shown = [found[row] for row in rows if isinstance(row, str)]
    left = _label_column(rows, _LABELS)
    pixels = (_NOMINAL - left - RIGHT) / 2
    half = extent(shown) * pixels / max(pixels - numbers_width(shown), pixels / 4)
    panel = Panel(contrast, result.groups, theme, rows, half, reach_of(half, pixels), 3)

    figure = empty_figure(panel, left, top=_TITLE_LINE + 20)
    labels: dict[str | Gap, str] = {
        row: literal(shorten(row, _LABELS, TEXT_SIZE)) for row in rows if isinstance(row, str)
    }
    if highlight is not None and highlight in labels:
        labels[highlight] = f"<b>{literal(shorten(highlight, _LABELS, TEXT_SIZE * BOLD))}</b>"
        _shade(figure, rows.index(highlight), left, theme)
    label_rows(figure, labels, rows)
    add_panel(figure, panel, found, model, highlight, "", (0.0, 1.0))
    add_direction(figure, panel, pixels, 4)
    add_caption(figure, panel, shown)
    for position, row in enumerate(rows):
        if isinstance(row, Gap):
            figure.add_annotation(
                x=0,
                y=position,
                text=f"· · · {_gap_text(row, order)} · · ·",
                showarrow=False,
                bgcolor=theme.paper,
                borderpad=0,
                font={"size": SMALL_SIZE, "color": theme.muted},
            )
    return figure


def small_multiples(
    result: LpbsResult, *, contrast: Contrast, theme: Theme, order: str = "lean", limit: int | None = None
) -> go.Figure:
    """The scores of 2 to 4 models side by side: one row per attribute, one scale, a panel per model.

    Signs, hues and ``customdata`` are those of ``tilt``. Rows are ordered, and chosen under a ``limit``, by the mean
    of the models that have a value, or by name.

    Raises OptionError for another number of models, and as ``tilt`` does.
    """
    models = models_of(result)
    if not 2 <= len(models) <= MOST_PANELS:
        raise OptionError(f"Panels side by side take 2 to {MOST_PANELS} models; the result holds {len(models)}.")
    found = [{value.attribute: value for value in values(result, contrast, model)} for model in models]
    lean: dict[str, float] = {}
    for attribute in dict.fromkeys(name for column in found for name in column):
        scores = [column[attribute].lpbs for column in found if attribute in column]
        lean[attribute] = math.fsum(scores) / len(scores)
    rows = choose(lean, order=order, limit=limit)
    shown = [column[row] for column in found for row in rows if isinstance(row, str) and row in column]

    left = _label_column(rows, _LABELS_BESIDE_PANELS)
    plot = _NOMINAL_PANELS - left - RIGHT
    width = (plot - _PANEL_GAP * (len(models) - 1)) / len(models)
    numbers = numbers_width(shown)
    pixels = (width - numbers) / 2
    half = extent(shown) * 1.04
    column = half * numbers / pixels
    panel = Panel(contrast, result.groups, theme, rows, half, reach_of(half, pixels), 1, column)

    titles = [wrap(model, width, SMALL_SIZE * BOLD, 4) for model in models]
    title_height = _TITLE_LINE * max(map(len, titles)) + 4
    figure = empty_figure(panel, left, top=title_height + _TITLE_LINE + 26)
    labels: dict[str | Gap, str] = {
        row: literal(shorten(row, _LABELS_BESIDE_PANELS, TEXT_SIZE)) for row in rows if isinstance(row, str)
    }
    for row in rows:
        if isinstance(row, Gap):
            labels[row] = f'<span style="color:{theme.muted}">· · · {_gap_text(row, order)}</span>'
    label_rows(figure, labels, rows)
    for index, (model, by_attribute, title) in enumerate(zip(models, found, titles, strict=True)):
        start = index * (width + _PANEL_GAP) / plot
        axis = "" if index == 0 else str(index + 1)
        add_panel(figure, panel, by_attribute, model, None, axis, (start, min(1.0, start + width / plot)))
        figure.add_annotation(
            x=0.5,
            xref=f"x{axis} domain",
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=4,
            showarrow=False,
            text="<br>".join(f"<b>{literal(line)}</b>" for line in title),
            font={"size": SMALL_SIZE},
        )
    add_direction(figure, panel, plot / 2, title_height + 10)
    add_caption(figure, panel, shown)
    return figure


def _gap_text(gap: Gap, order: str) -> str:
    return f"{gap.count} more between" if order == "lean" else f"{gap.count} more that lean less"


def _label_column(rows: Sequence[str | Gap], most: float) -> float:
    """Pixels left of the plot: as much as the longest label takes, a bold one included, up to ``most``."""
    texts = [row if isinstance(row, str) else "· · · 00 more that lean less" for row in rows]
    return min(most, max(text_width(text, TEXT_SIZE) * BOLD for text in texts)) + STANDOFF + 4


def _shade(figure: go.Figure, position: int, left: float, theme: Theme) -> None:
    """Shade a row from the left edge of the figure, labels included, to the right edge of the plot."""
    row: dict[str, object] = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": theme.shade}
    row |= {"xref": "paper", "y0": position - 0.5, "y1": position + 0.5}
    figure.add_shape(x0=0, x1=1, **row)
    figure.add_shape(x0=-round(left), x1=0, xsizemode="pixel", xanchor=0, **row)
