"""A panel of bars and the frame around it: what one model's chart and several side by side have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.charts.axis import tick_texts, ticks
from core.charts.rows import Gap, Value
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, hue, signed, template
from core.results import Contrast, Group

STANDOFF = 8  # pixels between a label and the plot
RIGHT = 16

_ROW = 22
_BAR = 0.56  # of a row
_OPACITY = 0.85
_AXIS = 50  # below the rows: the marks and a line of text


@dataclass(frozen=True)
class Panel:
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


def numbers_width(shown: Sequence[Value]) -> float:
    """Pixels the widest number takes, with the space around it."""
    return max(text_width(signed(value.lpbs), SMALL_SIZE) for value in shown) + 8


def reach_of(half: float, pixels: float) -> float:
    """The furthest mark on a scale whose text stays within the panel."""
    return half * (1 - 16 / pixels)


def empty_figure(panel: Panel, left: float, *, top: float) -> go.Figure:
    """A figure as high as its rows need, with ``left`` pixels for their labels and ``top`` pixels above them."""
    return go.Figure(
        layout={
            "template": template(panel.theme),
            "height": round(top + _AXIS + _ROW * len(panel.rows)),
            "margin": {"l": round(left), "r": RIGHT, "t": round(top), "b": _AXIS},
            # The whole row answers to the pointer: a bar near zero is too thin to hit.
            "hovermode": "y",
            "bargap": 0,
        }
    )


def label_rows(figure: go.Figure, labels: dict[str | Gap, str], rows: Sequence[str | Gap]) -> None:
    """Give the rows their places, 0 on top, and their labels, already in plotly's markup."""
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickmode="array",
        tickvals=list(range(len(rows))),
        ticktext=[labels.get(row, "") for row in rows],
        tickfont={"size": TEXT_SIZE, "color": figure.layout.template.layout.font.color},
        ticklabelstandoff=STANDOFF - 3,
        showgrid=False,
    )


def add_panel(
    figure: go.Figure,
    panel: Panel,
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


def _hue(panel: Panel, lpbs: float) -> str:
    if lpbs == 0:
        return panel.theme.neutral
    return hue(panel.theme, panel.groups, panel.contrast.first if lpbs > 0 else panel.contrast.second)


def _outer_end(value: Value) -> float:
    """Where the number stands: beyond the bar and beyond its whisker."""
    low, high = value.interval or (value.lpbs, value.lpbs)
    return min(low, value.lpbs) if value.lpbs < 0 else max(high, value.lpbs)


def add_direction(figure: go.Figure, panel: Panel, room: float, lift: float) -> None:
    """Say above the middle of the plot, ``lift`` pixels up, which side leans to which group.

    ``room`` is the width of a side in pixels; a long name does without its verb before it is cut.
    """
    size = SMALL_SIZE * BOLD
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


def add_caption(figure: go.Figure, panel: Panel, shown: Sequence[Value]) -> None:
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
