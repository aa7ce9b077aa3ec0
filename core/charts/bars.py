"""Which way each attribute leans: diverging bars, for one model or several side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.charts.axis import tick_texts, ticks
from core.charts.rows import Gap, Value, choose, extent, models_of, values
from core.charts.text import literal, shorten, text_width, wrap
from core.charts.theme import SMALL_SIZE, TEXT_SIZE, Theme, hue, signed, template
from core.errors import OptionError
from core.results import Contrast, Group, LpbsResult

MOST_PANELS = 4

_ROW = 22  # pixels
_BOLD = 1.12  # how much wider bold text is
_BAR = 0.56  # of a row
_OPACITY = 0.85
_LABELS = 225  # pixels; "director of religious activities" fits
_LABELS_BESIDE_PANELS = 190
_STANDOFF = 8  # between a label and the plot
_RIGHT = 16
_AXIS = 50  # below the rows: the marks and a line of text
_TITLE_LINE = 16
_PANEL_GAP = 14
# Charts stretch with the page. Room for the numbers at the bars' ends is kept as if this were the width.
_NOMINAL = 640
_NOMINAL_PANELS = 780


@dataclass(frozen=True)
class _Panel:
    """What the panels of one figure have in common.

    The scale runs from −``half`` to ``half`` nats, ``reach`` the furthest mark on it. ``column`` nats further right
    ends a column for the numbers; at 0 they stand at the ends of the bars.
    """

    contrast: Contrast
    groups: tuple[Group, ...]
    theme: Theme
    rows: tuple[str | Gap, ...]
    half: float
    reach: float
    ticks_per_side: int
    column: float = 0.0


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
    pixels = (_NOMINAL - left - _RIGHT) / 2
    half = extent(shown) * pixels / max(pixels - _numbers_width(shown), pixels / 4)
    panel = _Panel(contrast, result.groups, theme, rows, half, _reach(half, pixels), 4)

    figure = _figure(panel, left, top=_TITLE_LINE + 20)
    labels: dict[str | Gap, str] = {
        row: literal(shorten(row, _LABELS, TEXT_SIZE)) for row in rows if isinstance(row, str)
    }
    if highlight is not None and highlight in labels:
        labels[highlight] = f"<b>{literal(shorten(highlight, _LABELS, TEXT_SIZE * _BOLD))}</b>"
        _shade(figure, rows.index(highlight), left, theme)
    _label_rows(figure, labels, rows)
    _add_panel(figure, panel, found, model, highlight, "", (0.0, 1.0))
    _add_direction(figure, panel, pixels, 4)
    _add_caption(figure, panel, shown)
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
    plot = _NOMINAL_PANELS - left - _RIGHT
    width = (plot - _PANEL_GAP * (len(models) - 1)) / len(models)
    numbers = _numbers_width(shown)
    pixels = (width - numbers) / 2
    half = extent(shown) * 1.04
    ticks_per_side = 3 if len(models) == 2 else 1
    column = half * numbers / pixels
    panel = _Panel(contrast, result.groups, theme, rows, half, _reach(half, pixels), ticks_per_side, column)

    titles = [wrap(model, width, SMALL_SIZE * _BOLD, 4) for model in models]
    title_height = _TITLE_LINE * max(map(len, titles)) + 4
    figure = _figure(panel, left, top=title_height + _TITLE_LINE + 26)
    labels: dict[str | Gap, str] = {
        row: literal(shorten(row, _LABELS_BESIDE_PANELS, TEXT_SIZE)) for row in rows if isinstance(row, str)
    }
    for row in rows:
        if isinstance(row, Gap):
            labels[row] = f'<span style="color:{theme.muted}">· · · {_gap_text(row, order)}</span>'
    _label_rows(figure, labels, rows)
    for index, (model, column, title) in enumerate(zip(models, found, titles, strict=True)):
        start = index * (width + _PANEL_GAP) / plot
        axis = "" if index == 0 else str(index + 1)
        _add_panel(figure, panel, column, model, None, axis, (start, min(1.0, start + width / plot)))
        figure.add_annotation(
            x=0,
            xref=f"x{axis}",
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=4,
            showarrow=False,
            text="<br>".join(f"<b>{literal(line)}</b>" for line in title),
            font={"size": SMALL_SIZE},
        )
    _add_direction(figure, panel, plot / 2, title_height + 10)
    _add_caption(figure, panel, shown)
    return figure


def _gap_text(gap: Gap, order: str) -> str:
    return f"{gap.count} more between" if order == "lean" else f"{gap.count} more that lean less"


def _label_column(rows: Sequence[str | Gap], most: float) -> float:
    """Pixels left of the plot: as much as the longest label takes, a bold one included, up to ``most``."""
    texts = [row if isinstance(row, str) else "· · · 00 more that lean less" for row in rows]
    return min(most, max(text_width(text, TEXT_SIZE) * _BOLD for text in texts)) + _STANDOFF + 4


def _numbers_width(shown: Sequence[Value]) -> float:
    """Pixels the widest number takes, with the space around it."""
    return max(text_width(signed(value.lpbs), SMALL_SIZE) for value in shown) + 8


def _reach(half: float, pixels: float) -> float:
    """The furthest mark on a scale whose text stays within the panel."""
    return half * (1 - 16 / pixels)


def _figure(panel: _Panel, left: float, *, top: float) -> go.Figure:
    return go.Figure(
        layout={
            "template": template(panel.theme),
            "height": round(top + _AXIS + _ROW * len(panel.rows)),
            "margin": {"l": round(left), "r": _RIGHT, "t": round(top), "b": _AXIS},
            # The whole row answers to the pointer: a bar near zero is too thin to hit.
            "hovermode": "y",
            "bargap": 0,
        }
    )


def _label_rows(figure: go.Figure, labels: dict[str | Gap, str], rows: Sequence[str | Gap]) -> None:
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[labels.get(row, "") for row in rows],
        tickfont={"size": TEXT_SIZE, "color": figure.layout.template.layout.font.color},
        ticklabelstandoff=_STANDOFF - 3,
        showgrid=False,
    )


def _add_panel(
    figure: go.Figure,
    panel: _Panel,
    found: dict[str, Value],
    model: str,
    highlight: str | None,
    axis: str,
    domain: tuple[float, float],
) -> None:
    """Draw a model's bars, whiskers and numbers on ``x<axis>``, which spans ``domain`` of the plot's width."""
    theme = panel.theme
    drawn = [(at, found[row]) for at, row in enumerate(panel.rows) if isinstance(row, str) and row in found]
    figure.add_bar(
        name=model,
        orientation="h",
        xaxis=f"x{axis}",
        x=[value.lpbs for _, value in drawn],
        y=[at for at, _ in drawn],
        width=_BAR,
        customdata=[[value.attribute, model] for _, value in drawn],
        hoverinfo="text",
        hovertext=[value.hover for _, value in drawn],
        marker={
            "color": [_hue(panel, value.lpbs) for _, value in drawn],
            "opacity": [1 if value.attribute == highlight else _OPACITY for _, value in drawn],
            "line": {"width": 0},
            "cornerradius": 2,
        },
        # The highlight marks the chosen row; plotly would fade all the others as well.
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": _OPACITY}},
    )
    whiskers = [(at, value.interval) for at, value in drawn if value.interval is not None]
    if whiskers:
        figure.add_scatter(
            name="95 % interval",
            xaxis=f"x{axis}",
            x=[x for _, interval in whiskers for x in (*interval, None)],
            y=[y for at, _ in whiskers for y in (at, at, None)],
            mode="lines",
            line={"color": theme.ink, "width": 1.2},
            hoverinfo="skip",
        )
    # In a column the numbers are right-aligned; at the bars they stand on the side away from zero.
    numbers_at = [panel.half + panel.column if panel.column else _outer_end(value) for _, value in drawn]
    figure.add_scatter(
        name="LPBS",
        xaxis=f"x{axis}",
        x=numbers_at,
        y=[at for at, _ in drawn],
        mode="text",
        text=[f" {signed(value.lpbs)}" if panel.column else f" {signed(value.lpbs)} " for _, value in drawn],
        textposition=["middle left" if panel.column or value.lpbs < 0 else "middle right" for _, value in drawn],
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        unselected={"textfont": {"color": theme.muted}},
        cliponaxis=False,
        hoverinfo="skip",
    )
    positions = ticks(panel.reach, panel.ticks_per_side)
    figure.layout[f"xaxis{axis}"] = {
        **figure.layout.template.layout.xaxis.to_plotly_json(),
        "domain": domain,
        "anchor": "y",
        "range": [-panel.half, panel.half + panel.column],
        "tickmode": "array",
        "tickvals": positions,
        "ticktext": tick_texts(positions),
        "zeroline": True,
        "zerolinecolor": theme.zero,
        "zerolinewidth": 1,
    }


def _hue(panel: _Panel, lpbs: float) -> str:
    if lpbs == 0:
        return panel.theme.neutral
    return hue(panel.theme, panel.groups, panel.contrast.first if lpbs > 0 else panel.contrast.second)


def _outer_end(value: Value) -> float:
    """Where the number stands: beyond the bar and beyond its whisker."""
    low, high = value.interval or (value.lpbs, value.lpbs)
    return min(low, value.lpbs) if value.lpbs < 0 else max(high, value.lpbs)


def _add_direction(figure: go.Figure, panel: _Panel, room: float, lift: float) -> None:
    """Say above the middle of the plot, ``lift`` pixels up, which side leans to which group.

    ``room`` is the width of a side in pixels; a long name does without its verb before it is cut.
    """
    size = SMALL_SIZE * _BOLD
    room -= 14 + text_width("◀ ", size)
    for group, anchor, shift in ((panel.contrast.second, "right", -8), (panel.contrast.first, "left", 8)):
        sentence = f"leans to {group}"
        name = literal(sentence if text_width(sentence, size) <= room else shorten(group, room, size))
        figure.add_annotation(
            x=0.5,
            xref="paper",
            xanchor=anchor,
            xshift=shift,
            y=1,
            yref="paper",
            yanchor="bottom",
            yshift=lift,
            showarrow=False,
            text=f"<b>◀ {name}</b>" if anchor == "right" else f"<b>{name} ▶</b>",
            font={"size": SMALL_SIZE, "color": hue(panel.theme, panel.groups, group)},
        )


def _add_caption(figure: go.Figure, panel: _Panel, shown: Sequence[Value]) -> None:
    """Name the quantity, its unit and the thin lines below the scale, for a picture that travels alone."""
    contrast = f"{shorten(panel.contrast.first, 150, SMALL_SIZE)} − {shorten(panel.contrast.second, 150, SMALL_SIZE)}"
    lines = "; thin line: 95 % interval" if any(value.interval for value in shown) else ""
    figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=0,
        yref="paper",
        yanchor="top",
        yshift=-24,
        showarrow=False,
        text=f"LPBS {literal(contrast)}, nats{lines}",
        font={"size": SMALL_SIZE, "color": panel.theme.muted},
    )


def _shade(figure: go.Figure, position: int, left: float, theme: Theme) -> None:
    """Shade a row from the left edge of the figure, labels included, to the right edge of the plot."""
    row: dict[str, object] = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": theme.shade}
    row |= {"xref": "paper", "y0": position - 0.5, "y1": position + 0.5}
    figure.add_shape(x0=0, x1=1, **row)
    figure.add_shape(x0=-round(left), x1=0, xsizemode="pixel", xanchor=0, **row)
