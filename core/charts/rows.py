"""Rows with names: which are shown in which order, bars with intervals and numbers, and the frame around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from numbers import Real

import plotly.graph_objects as go

from ..errors import NothingToScore, OptionError
from ..report.numbers import signed
from ..result import Contrast, Group
from .key import Mark, hatching, write
from .scale import most_ticks, signed_axis, tick_texts, ticks, ticks_between
from .text import literal, sentence_lines, shorten, text_width
from .theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, hue, template

ORDERS = ("lean", "name")
_FEW_COUNTED = 6
_COUNT_BAR = 0.7  # of a row


@dataclass(frozen=True)
class Bar:
    """A row's name and value, positive to the contrast's first group, with its interval where there is one.

    ``hover`` is the text of the tooltip, in plotly's markup with every word made literal.
    """

    name: str
    value: float
    interval: tuple[float, float] | None
    hover: str


@dataclass(frozen=True)
class Gap:
    """A row that stands for ``count`` attributes that are not shown."""

    count: int


def choose(
    lean: Mapping[str, float], *, order: str, limit: int | None, highlight: str | None = None
) -> tuple[str | Gap, ...]:
    """The rows from top to bottom: attributes, and a gap wherever some are passed over.

    ``lean`` sorts from the second group's side to the first's and leaves out the middle. ``name`` sorts by
    alphabet and leaves out the smallest leans, counted in one last row. ``highlight`` is always shown. Raises
    OptionError for another order or a limit below 2, NothingToScore where there is no value.
    """
    if order not in ORDERS:
        raise OptionError(f"There is no order {order}; choose one of {', '.join(ORDERS)}.")
    if limit is not None and limit < 2:
        raise OptionError(f"A limit of {limit} leaves nothing to compare; it must be at least 2.")
    if not lean:
        raise NothingToScore("No attribute has a score in this contrast; the list of exclusions says why.")
    by_lean = sorted(lean, key=lambda attribute: lean[attribute])
    if limit is None or limit >= len(by_lean):
        kept = set(by_lean)
    elif order == "lean":
        kept = {*by_lean[: math.ceil(limit / 2)], *by_lean[len(by_lean) - limit // 2 :]}
    else:
        kept = set(sorted(lean, key=lambda attribute: -abs(lean[attribute]))[:limit])
    kept.update(attribute for attribute in lean if attribute == highlight)
    if order == "name":
        named = sorted(kept, key=lambda attribute: (attribute.casefold(), attribute))
        return (*named, Gap(len(lean) - len(kept))) if len(kept) < len(lean) else tuple(named)
    rows: list[str | Gap] = []
    for is_kept, run in groupby(by_lean, key=kept.__contains__):
        attributes = tuple(run)
        # A row that says "1 more" takes the place of the very row it hides.
        rows.extend(attributes if is_kept or len(attributes) == 1 else (Gap(len(attributes)),))
    return tuple(rows)


def finite(value: object) -> float | None:
    """The value as a float, or None where it is missing or infinite."""
    if not isinstance(value, Real) or not math.isfinite(value):
        return None
    return float(value)


def extent(shown: Sequence[Bar]) -> float:
    """The furthest any bar or whisker reaches from zero; at least 0.1, so that noise stays small."""
    ends = [0.1, *(abs(bar.value) for bar in shown)]
    ends += [abs(end) for bar in shown for end in bar.interval or ()]
    return max(ends)


STANDOFF = 8  # pixels between a label and the plot
RIGHT = 16
EDGE = 4

AXIS = 50  # below the rows: the marks and a line of text
ABOVE = 15  # of a label that stands above its row

_LABELS = 225  # pixels, at most, of the names beside bars
_TOP = 29  # above bars: the line that says which way is which
_ROW = 22
_BAR = 0.56  # of a row
_OPACITY = 0.85
_CAPTION_LINE = 16


@dataclass(frozen=True)
class Row:
    """The rows of a chart: ``bare`` pixels each, and more on a narrow page, where labels stand above their rows."""

    theme: Theme
    bare: int

    @property
    def height(self) -> int:
        """Pixels of a row."""
        return self.bare + (ABOVE if self.theme.is_narrow else 0)

    @property
    def lower(self) -> float:
        """How far below the middle of a row its bar stands, in rows."""
        return ABOVE / 2 / self.height if self.theme.is_narrow else 0.0

    def share(self, of_bare: float) -> float:
        """A part of the row without its label, as a part of the whole row."""
        return of_bare * self.bare / self.height


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

    @property
    def row(self) -> Row:
        """How high the rows are."""
        return Row(self.theme, _ROW)


def numbers_width(shown: Sequence[Bar]) -> float:
    """Pixels the widest number takes, with the space around it."""
    return max(text_width(signed(bar.value), SMALL_SIZE) for bar in shown) + 8


def reach_of(half: float, pixels: float) -> float:
    """The furthest mark on a scale whose text stays within the panel."""
    return half * (1 - 16 / pixels)


def axis_name(index: int) -> str:
    """What plotly appends to the name of an axis: nothing for the first."""
    return "" if index == 0 else str(index + 1)


def empty_figure(panel: Panel, left: float, *, top: float, inner: float | None = None) -> go.Figure:
    """A figure as high as its rows need, or ``inner`` pixels, with room left of them for labels and ``top`` pixels."""
    return go.Figure(
        layout={
            "template": template(panel.theme),
            "height": round(top + AXIS + (panel.row.height * len(panel.rows) if inner is None else inner)),
            "margin": {"l": round(left), "r": RIGHT, "t": round(top), "b": AXIS},
            # The whole row answers to the pointer: a bar near zero is too thin to hit.
            "hovermode": "y",
            "bargap": 0,
        }
    )


def label_column(theme: Theme, labels: Iterable[str], most: float) -> float:
    """Pixels left of the plot: what the longest label takes, up to ``most``; on a narrow page they stand above."""
    if theme.is_narrow:
        return EDGE
    return min(most, max(text_width(label, TEXT_SIZE) for label in labels)) + STANDOFF + 4


def label_rows(
    figure: go.Figure, row: Row, labels: Mapping[int, str], count: int, axis: str = "", **place: object
) -> None:
    """Give ``count`` rows their places, 0 on top, and their labels, already in plotly's markup.

    The labels stand beside the rows, right-aligned, or above them where the page is narrow. ``place`` are further
    settings of ``y<axis>``.
    """
    theme = row.theme
    figure.layout[f"yaxis{axis}"] = {
        **figure.layout.template.layout.yaxis.to_plotly_json(),
        "range": [count - 0.5, -0.5],
        "tickmode": "array",
        "tickvals": list(range(count)),
        "ticktext": ["" if theme.is_narrow else labels.get(at, "") for at in range(count)],
        "tickfont": {"size": TEXT_SIZE, "color": theme.ink},
        "ticklabelstandoff": STANDOFF - 3,
        "showgrid": False,
        **place,
    }
    if theme.is_narrow:
        above = {"yref": f"y{axis}", "yshift": (row.height - ABOVE) / 2 - 1, "bgcolor": theme.paper}
        for at, label in labels.items():
            write(figure, label, theme.ink, TEXT_SIZE, y=at, **above)


def write_directions(
    figure: go.Figure, sides: Sequence[tuple[str, Sequence[str]]], room: float, lift: float, **place: object
) -> None:
    """Say above the middle of the plot, or at ``place``, which way is which; ``lift`` is how many pixels up.

    ``sides``, left and right, are a hue and as many phrases each: shown is the first pair of which both fit into
    ``room`` pixels, so that both have one form; where none does, the last, cut.
    """
    room -= 14 + text_width("◀ ", SMALL_SIZE * BOLD)
    above: dict[str, object] = {"x": 0.5, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": lift, **place}
    pairs = list(zip(*(phrases for _, phrases in sides), strict=True))
    fitting = [pair for pair in pairs if max(text_width(phrase, SMALL_SIZE * BOLD) for phrase in pair) <= room]
    shown = [*fitting, pairs[-1]][0]
    for (colour, _), phrase, anchor, shift in zip(sides, shown, ("right", "left"), (-8, 8), strict=True):
        text = literal(shorten(phrase, room, SMALL_SIZE * BOLD))
        arrow = f"<b>◀ {text}</b>" if anchor == "right" else f"<b>{text} ▶</b>"
        write(figure, arrow, colour, SMALL_SIZE, **above, xanchor=anchor, xshift=shift)


def write_caption(figure: go.Figure, theme: Theme, text: str) -> None:
    """Say below the scale what is shown, for a picture that travels alone, and make room for its lines."""
    lines = sentence_lines(text, theme.width - figure.layout.margin.r - EDGE, SMALL_SIZE)
    more = _CAPTION_LINE * (len(lines) - 1)
    figure.update_layout(height=figure.layout.height + more, margin={"b": figure.layout.margin.b + more})
    below = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24, "align": "right"}
    write(figure, "<br>".join(map(literal, lines)), theme.muted, SMALL_SIZE, **below)


def label_width(theme: Theme, most: float) -> float:
    """Pixels a label may take before it is cut."""
    return theme.width - 2 * EDGE if theme.is_narrow else most


@dataclass(frozen=True)
class SignedBar:
    """A row of ``signed_bars``: its name, value and hue, what hovering says, in plotly's markup, and a click gives.

    Beyond the ends of its ``interval``, where it has one, stands its number.
    """

    name: str
    value: float
    hue: str
    hover: str
    data: tuple[str, ...]
    hatched: bool = False
    interval: tuple[float, float] | None = None

    @property
    def reach(self) -> float:
        """How far from zero it reaches."""
        low, high = self.interval or (self.value, self.value)
        return max(abs(self.value), abs(low), abs(high))


def signed_bars(
    rows: Sequence[SignedBar | Gap],
    *,
    theme: Theme,
    name: str,
    smallest: float,
    sides: tuple[Sequence[str], Sequence[str]],
    caption: str,
) -> go.Figure:
    """Bars to both sides of zero, in the order given, each with its name and its number to three decimals.

    ``name`` is that of the bars' trace. The scale never shows less than ±``smallest``. ``sides``, left and right, are
    phrases for ``write_directions``, ``caption`` stands below the scale. At least one row is a bar.
    """
    bars = [(at, row) for at, row in enumerate(rows) if isinstance(row, SignedBar)]
    left = round(label_column(theme, (bar.name for _, bar in bars), _LABELS))
    pixels = (theme.width - left - RIGHT) / 2
    numbers = max(text_width(signed(bar.value, 3), SMALL_SIZE) for _, bar in bars) + 8
    half = max(smallest, *(bar.reach for _, bar in bars)) * pixels / max(pixels - numbers, pixels / 4)
    height = Row(theme, _ROW)
    room = label_width(theme, _LABELS)
    labels = {
        at: f'<span style="color:{theme.muted}">· · · {row.count} more between</span>'
        if isinstance(row, Gap)
        else literal(shorten(row.name, room, TEXT_SIZE))
        for at, row in enumerate(rows)
    }
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": _TOP + AXIS + height.height * len(rows),
            "margin": {"l": left, "r": RIGHT, "t": _TOP, "b": AXIS},
            "hovermode": "y",
            "bargap": 0,
            "xaxis": signed_axis(theme, half, per_side=most_ticks(pixels, 4), reach=reach_of(half, pixels)),
        }
    )
    label_rows(figure, height, labels, len(rows))
    figure.add_bar(
        name=name,
        orientation="h",
        x=[bar.value for _, bar in bars],
        y=[at + height.lower for at, _ in bars],
        width=height.share(_BAR),
        customdata=[list(bar.data) for _, bar in bars],
        marker={
            "color": [bar.hue for _, bar in bars],
            "opacity": _OPACITY,
            "line": {"width": 0},
            "pattern": hatching(theme, ["/" if bar.hatched else "" for _, bar in bars]),
        },
        text=["" if bar.interval else signed(bar.value, 3) for _, bar in bars],
        textposition="outside",
        constraintext="none",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        selected={"marker": {"opacity": _OPACITY}},
        unselected={"marker": {"opacity": _OPACITY}, "textfont": {"color": theme.muted}},
        showlegend=False,
        hoverinfo="text",
        hovertext=[bar.hover for _, bar in bars],
    )
    _add_intervals(figure, height, [(at, bar) for at, bar in bars if bar.interval])
    write_directions(figure, [(theme.ink, phrases) for phrases in sides], pixels + RIGHT, 4)
    write_caption(figure, theme, caption)
    return figure


def _add_intervals(figure: go.Figure, row: Row, bars: Sequence[tuple[int, SignedBar]]) -> None:
    """The intervals of bars on both sides of zero, and the numbers beyond them."""
    if not bars:
        return
    theme, places = row.theme, [at + row.lower for at, _ in bars]
    figure.add_scatter(
        name="95 % interval",
        x=[x for _, bar in bars for x in (*(bar.interval or ()), None)],
        y=[y for place in places for y in (place, place, None)],
        mode="lines",
        line={"color": theme.ink, "width": 1.2},
        showlegend=False,
        hoverinfo="skip",
    )
    figure.add_scatter(
        name="numbers",
        x=[_outer_end(bar) for _, bar in bars],
        y=places,
        mode="text",
        text=[f" {signed(bar.value, 3)} " for _, bar in bars],
        textposition=["middle left" if bar.value < 0 else "middle right" for _, bar in bars],
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        unselected={"textfont": {"color": theme.muted}},
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )


def add_panel(
    figure: go.Figure,
    panel: Panel,
    found: dict[str, Bar],
    model: str,
    highlight: str | None,
    axes: tuple[str, str],
    domain: tuple[float, float],
) -> None:
    """Draw a model's bars, whiskers and numbers on the two ``axes``; the first spans ``domain`` of the plot's width."""
    axis, rows = axes
    theme = panel.theme
    drawn = [(at, found[row]) for at, row in enumerate(panel.rows) if isinstance(row, str) and row in found]
    figure.add_bar(
        name=model,
        orientation="h",
        xaxis=f"x{axis}",
        yaxis=f"y{rows}",
        x=[bar.value for _, bar in drawn],
        y=[at + panel.row.lower for at, _ in drawn],
        width=panel.row.share(_BAR),
        customdata=[[bar.name, model] for _, bar in drawn],
        hoverinfo="text",
        hovertext=[bar.hover for _, bar in drawn],
        marker={
            "color": [_hue(panel, bar.value) for _, bar in drawn],
            "opacity": [1 if bar.name == highlight else _OPACITY for _, bar in drawn],
            "line": {"width": 0},
            "cornerradius": 2,
        },
        # The highlight marks the chosen row; plotly would fade all the others as well.
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": _OPACITY}},
    )
    whiskers = [(at, bar.interval) for at, bar in drawn if bar.interval is not None]
    if whiskers:
        figure.add_scatter(
            name="95 % interval",
            xaxis=f"x{axis}",
            yaxis=f"y{rows}",
            x=[x for _, interval in whiskers for x in (*interval, None)],
            y=[y for at, _ in whiskers for y in (at + panel.row.lower, at + panel.row.lower, None)],
            mode="lines",
            line={"color": theme.ink, "width": 1.2},
            hoverinfo="skip",
        )
    # In a column the numbers are right-aligned; at the bars they stand on the side away from zero.
    numbers_at = [panel.half + panel.column if panel.column else _outer_end(bar) for _, bar in drawn]
    figure.add_scatter(
        name="numbers",
        xaxis=f"x{axis}",
        yaxis=f"y{rows}",
        x=numbers_at,
        y=[at + panel.row.lower for at, _ in drawn],
        mode="text",
        text=[f" {signed(bar.value)}" if panel.column else f" {signed(bar.value)} " for _, bar in drawn],
        textposition=["middle left" if panel.column or bar.value < 0 else "middle right" for _, bar in drawn],
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        unselected={"textfont": {"color": theme.muted}},
        cliponaxis=False,
        hoverinfo="skip",
    )
    positions = ticks(panel.reach, panel.ticks_per_side)
    figure.layout[f"xaxis{axis}"] = {
        **figure.layout.template.layout.xaxis.to_plotly_json(),
        "domain": domain,
        "anchor": f"y{rows}",
        "range": [-panel.half, panel.half + panel.column],
        "tickmode": "array",
        "tickvals": positions,
        "ticktext": tick_texts(positions),
        "zeroline": True,
        "zerolinecolor": theme.zero,
        "zerolinewidth": 1,
    }


def _hue(panel: Panel, value: float) -> str:
    if value == 0:
        return panel.theme.neutral
    return hue(panel.theme, panel.groups, panel.contrast.first if value > 0 else panel.contrast.second)


def _outer_end(bar: Bar | SignedBar) -> float:
    """Where the number stands: beyond the bar and beyond its whisker."""
    low, high = bar.interval or (bar.value, bar.value)
    return min(low, bar.value) if bar.value < 0 else max(high, bar.value)


_SLOT = 15  # of a band: a line of marks
_PADDING = 8  # of a band, above its marks and below them together
_MARK = 9


@dataclass(frozen=True)
class Band:
    """A row with several lines of marks, one for each model: from ``top`` pixels down, where its name is above them."""

    top: float
    name: float  # pixels above the marks that are kept for the row's name; 0 where it stands beside them
    lines: int

    @property
    def bottom(self) -> float:
        """Where the next begins."""
        return self.top + self.name + _SLOT * self.lines + _PADDING

    @property
    def middle(self) -> float:
        """Where a name beside the marks stands."""
        return (self.top + self.bottom) / 2

    def at(self, line: int) -> float:
        """How far down a line of marks is, from 0; −1 is the last."""
        return self.top + self.name + _PADDING / 2 + _SLOT * (line % self.lines + 0.5)


@dataclass(frozen=True)
class Dot:
    """A mark at ``value``, ``y`` pixels down, on a thin line between the ends of ``span``, where it has one.

    ``hover`` is what hovering says, in plotly's markup, ``data`` what a click gives, ``text`` what stands behind it. A
    mark that is not ``filled`` is an outline.
    """

    value: float
    y: float
    span: tuple[float, float] | None
    hover: str
    data: tuple[str, ...] = ()
    text: str = ""
    filled: bool = True


def stack_bands(rows: Iterable[tuple[float, int]], name: float) -> list[Band]:
    """Bands below each other, from how many pixels are free above each and how many lines it has."""
    bands: list[Band] = []
    for above, lines in rows:
        bands.append(Band((bands[-1].bottom if bands else 0.0) + above, name, lines))
    return bands


def name_bands(figure: go.Figure, theme: Theme, bands: Sequence[Band], names: Sequence[str], most: float) -> None:
    """Name the bands above their marks, whole on hover, or beside them up to ``most`` pixels wide.

    y runs in pixels from the top.
    """
    figure.layout.yaxis = {
        "range": [bands[-1].bottom, 0],
        "tickmode": "array",
        "tickvals": [band.middle for band in bands],
        "ticktext": [
            "" if band.name else literal(shorten(name, most, TEXT_SIZE))
            for band, name in zip(bands, names, strict=True)
        ],
        "tickfont": {"size": TEXT_SIZE, "color": theme.ink},
        "ticklabelstandoff": STANDOFF - 3,
        "showgrid": False,
    }
    for band, name in zip(bands, names, strict=True):
        if band.name:
            shown = literal(shorten(name, theme.width - 2 * EDGE, TEXT_SIZE))
            above = {"y": band.top + band.name / 2 + 2, "bgcolor": theme.paper, "hovertext": literal(name)}
            write(figure, shown, theme.ink, TEXT_SIZE, **above)


def signed_bands(
    theme: Theme,
    bands: Sequence[Band],
    names: Sequence[str],
    half: float,
    *,
    labels: float,
    top: float,
    right: float = RIGHT,
) -> tuple[go.Figure, int, float]:
    """A figure for marks in bands, on a scale with zero in its middle.

    Parameters
    ----------
    theme : Theme
        Colours and width.
    bands : sequence of Band
        The rows, from the top.
    names : sequence of str
        Of each band.
    half : float
        The largest value that the scale shows, on either side.
    labels : float
        The most pixels for the names.
    top, right : float
        Pixels above the bands, and to their right.

    Returns
    -------
    Figure
        With the names written, and no mark yet.
    int
        The pixels left of its plot.
    float
        Those of each side of zero.
    """
    left = round(label_column(theme, names, labels))
    side = (theme.width - left - right) / 2
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + bands[-1].bottom + AXIS),
            "margin": {"l": left, "r": right, "t": top, "b": AXIS},
            "xaxis": signed_axis(theme, half, per_side=most_ticks(side, 4), reach=reach_of(half, side)),
        }
    )
    name_bands(figure, theme, bands, names, labels)
    return figure, left, side


def add_dots(
    figure: go.Figure, theme: Theme, name: str, mark: Mark, dots: Sequence[Dot], span: str, axis: str = ""
) -> None:
    """Draw a model's marks in bands, on ``x<axis>``; ``span`` names what their thin lines are."""
    spans = [(dot.y, *dot.span) for dot in dots if dot.span is not None]
    if spans:
        figure.add_scatter(
            name=span,
            xaxis=f"x{axis}",
            x=[x for _, start, end in spans for x in (start, end, None)],
            y=[at for y, *_ in spans for at in (y, y, None)],
            mode="lines",
            line={"color": mark.hue, "width": 1.4},
            showlegend=False,
            hoverinfo="skip",
        )
    figure.add_scatter(
        name=name,
        xaxis=f"x{axis}",
        x=[dot.value for dot in dots],
        y=[dot.y for dot in dots],
        mode="markers+text",
        customdata=[list(dot.data) for dot in dots] if any(dot.data for dot in dots) else None,
        marker={
            "symbol": mark.symbol,
            "size": _MARK,
            "opacity": 1,
            "color": [mark.hue if dot.filled else theme.paper for dot in dots],
            "line": {"color": mark.hue, "width": 1.6},
        },
        text=[dot.text for dot in dots],
        textposition="middle right",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        # Plotly would fade the others after a click; hollow and filled have to stay what they are.
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": theme.muted}},
        cliponaxis=False,
        showlegend=False,
        hoverinfo="text",
        hovertext=[dot.hover for dot in dots],
    )


def write_not_computed(figure: go.Figure, theme: Theme, y: float, axis: str = "", of: str = "", why: str = "") -> None:
    """Say in a line of marks that there is none, ``of`` which model, and when hovering ``why``."""
    named = f"{literal(shorten(of, 150, SMALL_SIZE))}: " if of else ""
    beside_zero: dict[str, object] = {"x": 0, "xref": f"x{axis}", "xshift": 6, "y": y, "bgcolor": theme.paper}
    write(figure, f"{named}not computed", theme.muted, SMALL_SIZE, **beside_zero, hovertext=literal(why))


def count_bars(
    theme: Theme,
    labels: Sequence[str],
    numbers: Sequence[int],
    *,
    left: float,
    height: int,
    title: str,
    hollow: Sequence[bool],
    hovers: Sequence[str],
) -> go.Figure:
    """Counts as bars from zero, one below the other, the number at the end of each; ``hollow`` ones are outlined.

    ``left`` is the width of the column of ``labels``, ``height`` that of a row, both in pixels.
    """
    row = Row(theme, height)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": 20 + 44 + row.height * len(labels),
            "margin": {"l": left, "r": 60, "t": 8, "b": 44},
            "xaxis": {
                "title": {"text": title, "standoff": 8},
                "rangemode": "tozero",
                "tickformat": ",",
                # Few are counted by ones, since half of one is none.
                **({"dtick": 1} if max(numbers) < _FEW_COUNTED else {}),
            },
        }
    )
    label_rows(figure, row, dict(enumerate(labels)), len(labels))
    figure.add_bar(
        orientation="h",
        x=list(numbers),
        y=[at + row.lower for at in range(len(labels))],
        width=row.share(_COUNT_BAR),
        text=[f" {number:,}" for number in numbers],
        textposition="outside",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        marker={
            "color": [theme.paper if is_hollow else theme.neutral for is_hollow in hollow],
            "line": {"color": theme.neutral, "width": 1},
            "opacity": 1,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": theme.muted}},
        hoverinfo="text",
        hovertext=list(hovers),
    )
    return figure


_VALUE_ROW, _VALUE_BAR = 26, 0.5
_VALUE_LABELS = 170  # pixels, at most, of the names beside bars from zero
_VALUE_AXIS = 28  # pixels from the plot to the caption below it


@dataclass(frozen=True)
class ValueBar:
    """A row of ``value_bars``: its name, value, interval and hue, the number beside it, what hovering and a click give.

    ``mark`` is a value of another kind that an upright stroke shows beside the bar.
    """

    name: str
    value: float
    interval: tuple[float, float] | None
    hue: str
    number: str
    hover: str
    data: tuple[str, ...]
    hatched: bool = False
    mark: float | None = None


def value_bars(
    rows: Sequence[ValueBar | str],
    *,
    theme: Theme,
    name: str,
    high: float,
    caption: str,
    marked: str = "",
    scale: Sequence[tuple[float, str]] = (),
) -> go.Figure:
    """Bars from zero to at most ``high``, in the order given, under headings (rows that are texts).

    ``name`` is that of the bars' trace, ``marked`` that of the strokes'. Thin lines are intervals; the numbers stand at
    the right, on a narrow page with the names. ``caption`` stands below the scale, whose marks are ``scale`` (where and
    what) where they are not plain numbers. At least one row is a bar.
    """
    row = Row(theme, _VALUE_ROW)
    bars = [(at, line) for at, line in enumerate(rows) if isinstance(line, ValueBar)]
    left = label_column(theme, [bar.name for _, bar in bars], _VALUE_LABELS)
    widest = max(text_width(bar.number, SMALL_SIZE) for _, bar in bars)
    right = RIGHT if theme.is_narrow else round(widest) + RIGHT
    plain = ticks_between(0, high)
    marks = scale or list(zip(plain, tick_texts(plain, sign=False), strict=True))
    below = sentence_lines(caption, theme.width - 2 * EDGE, SMALL_SIZE)
    top, bottom = 12, _VALUE_AXIS + _CAPTION_LINE * len(below) + EDGE
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + bottom + row.height * len(rows)),
            "margin": {"l": round(left), "r": right, "t": top, "b": bottom},
            "bargap": 0,
            "xaxis": {
                "range": [0, high],
                "tickmode": "array",
                "tickvals": [position for position, _ in marks],
                "ticktext": [text for _, text in marks],
            },
        }
    )
    labels = {at: literal(shorten(bar.name, label_width(theme, _VALUE_LABELS), TEXT_SIZE)) for at, bar in bars}
    if theme.is_narrow:  # there is no room at the right
        labels = {at: f"{labels[at]}  {literal(bar.number)}" for at, bar in bars}
    label_rows(figure, row, labels, len(rows))
    for at, line in enumerate(rows):
        if isinstance(line, str):
            text = f"<b>{literal(shorten(line, theme.width - 2 * EDGE, TEXT_SIZE * BOLD))}</b>"
            write(figure, text, theme.ink, TEXT_SIZE, y=at, xshift=EDGE - left)
    _add_value_bars(figure, row, bars, name, marked)
    for at, bar in () if theme.is_narrow else bars:
        end = {"x": 1, "xref": "paper", "xanchor": "right", "xshift": right - STANDOFF, "y": at + row.lower}
        write(figure, literal(bar.number), theme.muted, SMALL_SIZE, **end)
    under = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -_VALUE_AXIS, "align": "left", "xshift": EDGE - left}
    write(figure, "<br>".join(map(literal, below)), theme.muted, SMALL_SIZE, **under)
    return figure


def _add_value_bars(figure: go.Figure, row: Row, bars: Sequence[tuple[int, ValueBar]], name: str, marked: str) -> None:
    theme = row.theme
    places = [at + row.lower for at, _ in bars]
    marker: dict[str, object] = {"opacity": _OPACITY}
    figure.add_bar(
        name=name,
        orientation="h",
        x=[bar.value for _, bar in bars],
        y=places,
        width=row.share(_VALUE_BAR),
        customdata=[list(bar.data) for _, bar in bars],
        hoverinfo="text",
        hovertext=[bar.hover for _, bar in bars],
        marker={
            "color": [bar.hue for _, bar in bars],
            "opacity": _OPACITY,
            "line": {"width": 0},
            "pattern": hatching(theme, ["/" if bar.hatched else "" for _, bar in bars]),
        },
        selected={"marker": marker},
        unselected={"marker": marker},
    )
    known = [(at, bar.interval) for at, (_, bar) in zip(places, bars, strict=True) if bar.interval is not None]
    figure.add_scatter(
        name="95 % interval",
        x=[x for _, (low, high) in known for x in (low, high, None)],
        y=[y for at, _ in known for y in (at, at, None)],
        mode="lines",
        line={"color": theme.ink, "width": 1.4},
        hoverinfo="skip",
    )
    if marked:
        figure.add_scatter(
            name=marked,
            x=[bar.mark for _, bar in bars],
            y=places,
            mode="markers",
            marker={
                "symbol": "line-ns-open",
                "size": row.share(0.8) * row.height,
                "color": theme.ink,
                "line": {"width": 2.5},
            },
            hoverinfo="skip",
        )
