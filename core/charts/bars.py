"""Which way each attribute leans: diverging bars, for one model or several side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from core.charts.panel import (
    AXIS,
    RIGHT,
    Panel,
    add_caption,
    add_direction,
    add_panel,
    axis_name,
    empty_figure,
    label_column,
    label_rows,
    label_width,
    numbers_width,
    reach_of,
)
from core.charts.rows import Gap, choose, extent, models_of, values
from core.charts.scale import most_ticks
from core.charts.text import literal, shorten, wrap
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme
from core.errors import OptionError
from core.measures.lpbs.result import LpbsResult
from core.result import Contrast

MOST_PANELS = 4

_LABELS = 225  # pixels; "director of religious activities" fits
_LABELS_BESIDE_PANELS = 190
_TITLE_LINE = 16
_PANEL_GAP = 14
_NARROWEST = 121  # of a panel beside another; those that find no room stand below


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

    Right is positive and leans towards the contrast's first group; the hue is that of the favoured group, the thin line
    the 95 % interval. ``order`` is ``lean`` or ``name``; ``limit`` keeps the outermost rows (by name: the
    strongest) and counts the others in one; the row of ``highlight`` is shaded and always shown. ``customdata`` of
    a bar is (attribute, model). An attribute without a value has no bar.

    Raises OptionError for an unknown contrast, model or order or a limit below 2, NothingToScore for no value.
    """
    found = {value.attribute: value for value in values(result, contrast, model)}
    rows = choose({name: value.lpbs for name, value in found.items()}, order=order, limit=limit, highlight=highlight)
    shown = [found[row] for row in rows if isinstance(row, str)]
    left = label_column(theme, _texts(rows, order), _LABELS)
    pixels = (theme.width - left - RIGHT) / 2
    half = extent(shown) * pixels / max(pixels - numbers_width(shown), pixels / 4)
    panel = Panel(contrast, result.groups, theme, rows, half, reach_of(half, pixels), most_ticks(pixels, 3))

    figure = empty_figure(panel, left, top=_TITLE_LINE + 20)
    room = label_width(theme, _LABELS)
    labels = {at: literal(shorten(row, room, TEXT_SIZE)) for at, row in enumerate(rows) if isinstance(row, str)}
    if highlight is not None and highlight in rows:
        place = rows.index(highlight)
        labels[place] = f"<b>{literal(shorten(highlight, room, TEXT_SIZE * BOLD))}</b>"
        _shade(figure, place, left, theme)
    label_rows(figure, panel.row, labels, len(rows))
    add_panel(figure, panel, found, model, highlight, ("", ""), (0.0, 1.0))
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

    left = label_column(theme, _texts(rows, order), _LABELS_BESIDE_PANELS)
    plot = theme.width - left - RIGHT
    fitting = max(1, int((plot + _PANEL_GAP) / (_NARROWEST + _PANEL_GAP)))
    lines = -(-len(models) // fitting)
    across = -(-len(models) // lines)
    width = (plot - _PANEL_GAP * (across - 1)) / across
    numbers = numbers_width(shown)
    pixels = (width - numbers) / 2
    half = extent(shown) * 1.04
    column = half * numbers / pixels
    panel = Panel(contrast, result.groups, theme, rows, half, reach_of(half, pixels), 1, column)

    titles = [wrap(model, width, SMALL_SIZE * BOLD, 4) for model in models]
    title_height = _TITLE_LINE * max(map(len, titles)) + 4
    tall, between = panel.row.height * len(rows), AXIS + title_height
    inner = lines * tall + (lines - 1) * between
    figure = empty_figure(panel, left, top=title_height + _TITLE_LINE + 26, inner=inner)
    room = label_width(theme, _LABELS_BESIDE_PANELS)
    labels = {at: literal(shorten(row, room, TEXT_SIZE)) for at, row in enumerate(rows) if isinstance(row, str)}
    for at, row in enumerate(rows):
        if isinstance(row, Gap):
            labels[at] = f'<span style="color:{theme.muted}">· · · {_gap_text(row, order)}</span>'
    for line in range(lines):
        top = 1 - line * (tall + between) / inner
        place = {"domain": (max(0.0, top - tall / inner), top)}
        label_rows(figure, panel.row, labels, len(rows), axis_name(line), **place)
    for index, (model, by_attribute, title) in enumerate(zip(models, found, titles, strict=True)):
        start = index % across * (width + _PANEL_GAP) / plot
        domain = (start, min(1.0, start + width / plot))
        axes = (axis_name(index), axis_name(index // across))
        add_panel(figure, panel, by_attribute, model, None, axes, domain)
        figure.add_annotation(
            x=0.5,
            xref=f"x{axes[0]} domain",
            y=1,
            yref=f"y{axes[1]} domain",
            yanchor="bottom",
            yshift=4,
            showarrow=False,
            text="<br>".join(f"<b>{literal(line)}</b>" for line in title),
            font={"size": SMALL_SIZE},
        )
    add_direction(figure, panel, plot / 2, title_height + 10)
    add_caption(figure, panel, shown)
    return figure


def _texts(rows: Sequence[str | Gap], order: str) -> list[str]:
    """The labels of rows at their widest, in bold."""
    return [row if isinstance(row, str) else f"· · · {_gap_text(row, order)}" for row in rows]


def _gap_text(gap: Gap, order: str) -> str:
    return f"{gap.count} more between" if order == "lean" else f"{gap.count} more that lean less"


def _shade(figure: go.Figure, position: int, left: float, theme: Theme) -> None:
    """Shade a row from the left edge of the figure, labels included, to the right edge of the plot."""
    row: dict[str, object] = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": theme.shade}
    row |= {"xref": "paper", "y0": position - 0.5, "y1": position + 0.5}
    figure.add_shape(x0=0, x1=1, **row)
    figure.add_shape(x0=-round(left), x1=0, xsizemode="pixel", xanchor=0, **row)
