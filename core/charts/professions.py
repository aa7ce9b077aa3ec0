"""Difference between person words against the share of people in a profession: points, the line and its band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.charts.key import write
from core.charts.labels import LABEL_WIDTH, POSITIONS, Box, View, correlation_caption, place_labels
from core.charts.panel import axis_name
from core.charts.profession_parts import Series, check_series, people, series_title, side_hue
from core.charts.rows import finite
from core.charts.scale import tick_texts, ticks
from core.charts.text import literal, sentence_lines, shorten, text_width, wrap
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.result import ProfessionResult
from core.report.numbers import fixed, signed
from core.result import Contrast
from core.stats.correlation import Line, regression
from core.stats.samples import is_enough

MOST_SERIES = 4

_LEFT, _RIGHT, _BELOW = 70, 24, 62  # pixels, as all that follows
_GAP = 34  # between panels: half of "100 %" and of "0 %"
_HEIGHT = 520  # of the figure with one panel
_PLOT_BESIDE_OTHERS = 360
_WIDER = (760, 900, 1080)  # of the figure, for which names must not touch either
_NARROWEST = 100  # of a panel beside another; those that find no room stand below
_LINE = 16
_WORDS = 26  # kept free of points above and below, for the words that say which way is which
_MARKER = 9
_OPACITY = 0.85
_MARKS = 22  # below a panel, for its percentages
_LABELS = (14, 8, 5, 5)  # most names a panel, by the number of panels
_STEPS = (20, 25, 50, 100)  # percent between marks: the first that has room for "100 %"
_MARK = 42
_SMALLEST = 0.1  # nats; the scale never shows less, so that noise stays small
_BAND_POINTS = 41


@dataclass(frozen=True)
class _Panel:
    """One series: its professions with their group, share (0 to 100) and difference (nats), and the line."""

    series: Series
    names: tuple[str, ...]
    groups: tuple[str, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    line: Line | None

    @property
    def distances(self) -> tuple[float | None, ...]:
        """How far above the line each point is, in nats; None without a line."""
        if self.line is None:
            return (None,) * len(self.x)
        return tuple(float(y - at) for y, at in zip(self.y, self.line.at(self.x), strict=True))


@dataclass(frozen=True)
class _Frame:
    """What the panels have in common: ``plot`` is their height in pixels, ``span`` its lowest and highest nats.

    ``across`` is how many stand side by side. ``of`` are the people whose share is across; ``directions`` say what up
    and down mean (see ``_directions``).
    """

    contrast: Contrast
    of: str
    theme: Theme
    panels: int
    across: int
    plot: float
    span: tuple[float, float]
    directions: tuple[tuple[str, str, int, str], ...]


def profession_scatter(result: ProfessionResult, *, series: Sequence[Series], theme: Theme) -> go.Figure:
    """Difference of mean associations (nats) against the share of people, a point a profession, a panel a series.

    1 to 4 panels side by side on one scale. Up is positive and leans towards the contrast's first words. Professions
    named like a side of the contrast have its hue. Under the title stand Pearson's r and n, or why there is no r; the
    line is that of least squares over the points' span, grey its 95 % band where n is enough for one. The professions
    furthest from the line (without one, from zero) are named where there is room. ``customdata`` of a point is
    (profession, model, language). A profession without a share is not drawn.

    Raises OptionError for an unknown series or another number of them, NothingToScore where there is no point.
    """
    if not 1 <= len(series) <= MOST_SERIES:
        raise OptionError(f"Panels side by side take 1 to {MOST_SERIES} series; {len(series)} were given.")
    check_series(result, series)
    statistic, percent = result.statistic, result.percent_column
    if statistic is None or percent is None:
        raise NothingToScore("The professions are not yet compared with a labour statistic; choose one.")
    panels = [_panel(result, percent, one) for one in series]
    heights = [y for panel in panels for y in panel.y]
    if not heights:
        raise NothingToScore(f"No profession has both a difference and a share in “{statistic.title}”.")

    page = theme.width - _LEFT - _RIGHT
    lines = -(-len(panels) // max(1, int((page + _GAP) / (_NARROWEST + _GAP))))
    across = -(-len(panels) // lines)
    width = _panel_width(theme, theme.width, across)
    directions = _directions(result.contrast, width)
    heads = [_head(result, panel, width, theme) for panel in panels]
    top = _LINE * max(count for _, count in heads) + 14
    plot = _HEIGHT - top - _BELOW if len(panels) == 1 else _PLOT_BESIDE_OTHERS
    span = _span(heights, plot)
    positions = [at for at in ticks(max(map(abs, span)), 4) if span[0] <= at <= span[1]]
    frame = _Frame(result.contrast, statistic.of, theme, len(panels), across, plot, span, directions)
    between = top + _MARKS
    inner = lines * plot + (lines - 1) * between
    percents = list(range(0, 101, next(step for step in _STEPS if step * width >= 100 * _MARK or step == 100)))
    upright = {
        "range": span,
        "tickmode": "array",
        "tickvals": positions,
        "ticktext": tick_texts(positions) if len(positions) > 1 else ["0"],
        "ticklabelstandoff": _MARKER // 2 + 1,  # a point at 0 % reaches out of the plot
        "zeroline": True,
        "zerolinecolor": theme.zero,
        "zerolinewidth": 1.5,
        "title": {
            "text": f"{literal(shorten(result.contrast.label, plot + _BELOW / 2, SMALL_SIZE))}, nats",
            "standoff": 10,
        },
    }
    room = theme.width - 16
    title = [shorten(line, room, SMALL_SIZE) for line in sentence_lines(statistic.title, room, SMALL_SIZE)]
    bottom = _BELOW + (len(title) - 1) * _LINE
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + inner + bottom),
            "margin": {"l": _LEFT, "r": _RIGHT, "t": top, "b": bottom},
        }
    )
    for at, (panel, (head, _)) in enumerate(zip(panels, heads, strict=True)):
        axis, line = axis_name(at), axis_name(at // across)
        # Shares of the page: panels and the gaps between them grow with it.
        start = at % across * (width + _GAP) / page
        if at % across == 0:
            high = 1 - at // across * (plot + between) / inner
            figure.layout[f"yaxis{line}"] = {
                **figure.layout.template.layout.yaxis.to_plotly_json(),
                **upright,
                "domain": [max(0.0, high - plot / inner), high],
                "anchor": f"x{axis}",
            }
        figure.layout[f"xaxis{axis}"] = {
            **figure.layout.template.layout.xaxis.to_plotly_json(),
            "domain": [start, min(1.0, start + width / page)],
            "anchor": f"y{line}",
            "range": [0, 100],
            "tickmode": "array",
            "tickvals": percents,
            "ticktext": [f"{mark} %" for mark in percents],
        }
        _draw(figure, frame, panel, (axis, line), series_title(result, panel.series))
        corner = {"x": 0, "xref": f"x{axis} domain", "yref": f"y{line} domain"}
        write(figure, head, theme.ink, SMALL_SIZE, **corner, y=1, yanchor="top", yshift=top - 4, align="left")
        for name, text, y, anchor in directions:
            hue = side_hue(theme.in_words, result.contrast, name)
            write(figure, f"<b>{literal(text)}</b>", hue, SMALL_SIZE, **corner, y=y, yanchor=anchor, xshift=6)
    # Centred under the plot where it fits there, else from the left edge.
    wide = len(title) > 1 or text_width(title[0], SMALL_SIZE) > page
    side = {"x": 0, "xshift": 8 - _LEFT} if wide else {"x": 0.5, "xanchor": "center"}
    below: dict[str, object] = {**side, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -30}
    text = "<br>".join(map(literal, title))
    write(figure, text, theme.ink, SMALL_SIZE, **below, align="left", hovertext=literal(statistic.title))
    return figure


def _panel(result: ProfessionResult, percent: str, series: Series) -> _Panel:
    """The professions of a series that have both a difference and a share in the column ``percent``."""
    summary = result.summary
    rows = summary[
        (summary["kind"] == "profession") & (summary["model"] == series[0]) & (summary["language"] == series[1])
    ]
    x, y = ([finite(value) for value in rows[column].tolist()] for column in (percent, "difference"))
    points = [
        (str(name), str(group), share, height)
        for name, group, share, height in zip(rows["profession"], rows["group"], x, y, strict=True)
        if share is not None and height is not None
    ]
    names, groups = tuple(name for name, *_ in points), tuple(group for _, group, *_ in points)
    across = tuple(share for *_, share, _ in points)
    up = tuple(height for *_, height in points)
    return _Panel(series, names, groups, across, up, regression(across, up))


def _panel_width(theme: Theme, figure: float, across: int) -> float:
    """Pixels of a panel in a figure of that width: the gaps grow with it."""
    page = theme.width - _LEFT - _RIGHT
    return (figure - _LEFT - _RIGHT) / page * (page - _GAP * (across - 1)) / across


def _head(result: ProfessionResult, panel: _Panel, width: float, theme: Theme) -> tuple[str, int]:
    """Title and caption of a panel in plotly's markup, and how many lines they take."""
    title = wrap(series_title(result, panel.series), width, SMALL_SIZE * BOLD, 4)
    caption = sentence_lines(correlation_caption(panel.x, panel.y), width, SMALL_SIZE)
    lines = [f"<b>{literal(line)}</b>" for line in title]
    lines += [f'<span style="color:{theme.muted}">{literal(line)}</span>' for line in caption]
    return "<br>".join(lines), len(lines)


def _span(heights: Sequence[float], plot: float) -> tuple[float, float]:
    """The vertical scale: all points and zero, with room for words above and below."""
    low, high = min(0.0, *heights), max(0.0, *heights)
    if high - low < 2 * _SMALLEST:
        low, high = min(low, -_SMALLEST), max(high, _SMALLEST)
    pad = (high - low) * (_WORDS + _MARKER) / (plot - 2 * (_WORDS + _MARKER))
    return low - pad, high + pad


def _directions(contrast: Contrast, width: float) -> tuple[tuple[str, str, int, str], ...]:
    """What up and down mean: side of the contrast, text, and where it stands; shorter in a narrow panel."""
    found = []
    sides = ((contrast.first, "▲", 1, "top"), (contrast.second, "▼", 0, "bottom"))
    for name, arrow, y, anchor in sides:
        phrases = [f"{arrow} {phrase}{people(name)}" for phrase in ("model leans towards ", "leans towards ", "")]
        fitting = [phrase for phrase in phrases if text_width(phrase, SMALL_SIZE * BOLD) <= width - 10]
        found.append((name, (fitting or [shorten(phrases[-1], width - 10, SMALL_SIZE * BOLD)])[0], y, anchor))
    return tuple(found)


def _draw(figure: go.Figure, frame: _Frame, panel: _Panel, axes: tuple[str, str], title: str) -> None:
    """The band, the line and the points of a panel on the two ``axes``."""
    theme = frame.theme
    axis, upright = axes
    if panel.line is not None and is_enough(panel.line.n):
        x = np.linspace(min(panel.x), max(panel.x), _BAND_POINTS)
        low, high = panel.line.band(x)
        figure.add_scatter(
            name="95 % band of the line",
            xaxis=f"x{axis}",
            yaxis=f"y{upright}",
            x=[*x.tolist(), *x[::-1].tolist()],
            y=[*high.tolist(), *low[::-1].tolist()],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=theme.neutral,
            opacity=0.18,
            hoverinfo="skip",
        )
    if panel.line is not None:
        ends = [min(panel.x), max(panel.x)]
        figure.add_scatter(
            name="least-squares line",
            xaxis=f"x{axis}",
            yaxis=f"y{upright}",
            x=ends,
            y=panel.line.at(ends).tolist(),
            mode="lines",
            line={"color": theme.muted, "width": 1.5},
            hoverinfo="skip",
        )
    shown = [shorten(name, LABEL_WIDTH, SMALL_SIZE) for name in panel.names]
    distances = panel.distances
    from_what = [y if distance is None else distance for y, distance in zip(panel.y, distances, strict=True)]
    order = sorted(range(len(shown)), key=lambda at: -abs(from_what[at]))
    widths = (_panel_width(theme, figure_width, frame.across) for figure_width in (theme.width, *_WIDER))
    views = [_view(frame, panel, width) for width in widths]
    labels = place_labels(shown, order, views, marker=_MARKER, most=_LABELS[frame.panels - 1])
    figure.add_scatter(
        name=title,
        xaxis=f"x{axis}",
        yaxis=f"y{upright}",
        x=list(panel.x),
        y=list(panel.y),
        mode="markers+text",
        customdata=[[name, *panel.series] for name in panel.names],
        text=[f" {literal(shown[at])} " if at in labels else "" for at in range(len(shown))],
        textposition=[labels.get(at, POSITIONS[0]) for at in range(len(shown))],
        textfont={"size": SMALL_SIZE, "color": theme.ink},
        marker={
            "size": _MARKER,
            "color": [side_hue(theme, frame.contrast, group) for group in panel.groups],
            "opacity": _OPACITY,
            "line": {"width": 0},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": _OPACITY}, "textfont": {"color": theme.ink}},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[_hover(frame, panel, at, distance) for at, distance in enumerate(distances)],
    )


def _view(frame: _Frame, panel: _Panel, width: float) -> View:
    """The panel in pixels: what its names must keep clear of."""
    low, high = frame.span
    up = frame.plot / (high - low)
    points = tuple((x / 100 * width, (y - low) * up) for x, y in zip(panel.x, panel.y, strict=True))
    lines = [(-low * up, 0.0)]
    if panel.line is not None:
        lines.append(((panel.line.intercept - low) * up, panel.line.slope * up * 100 / width))
    first, second = (text_width(text, SMALL_SIZE * BOLD) + 10 for _, text, _, _ in frame.directions)
    taken = (Box(0, first, frame.plot - _WORDS, frame.plot), Box(0, second, 0, _WORDS))
    return View(width, frame.plot, points, tuple(lines), taken)


def _hover(frame: _Frame, panel: _Panel, at: int, distance: float | None) -> str:
    lines = [
        f"<b>{literal(panel.names[at])}</b>",
        f"{fixed(panel.x[at], 1)} % {literal(frame.of)}",
        f"{literal(frame.contrast.label)}: {signed(panel.y[at])} nats",
    ]
    if distance is not None:
        lines.append(f"{signed(distance)} nats from the line")
    return "<br>".join(lines)
