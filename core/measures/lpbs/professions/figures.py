"""Figures of professions: against the labour statistic, by kind of words, by template or pair, one against another.

Right and up are positive: the profession is more strongly associated with the first words of the contrast.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ....charts.heat import blend, colour_scale, write_in_cells
from ....charts.key import key_lines, write
from ....charts.rows import (
    RIGHT,
    Bar,
    Gap,
    Panel,
    Row,
    add_panel,
    axis_name,
    choose,
    empty_figure,
    extent,
    finite,
    label_column,
    label_rows,
    label_width,
    numbers_width,
    reach_of,
)
from ....charts.scale import most_ticks, tick_texts, ticks
from ....charts.scatter import LABEL_WIDTH, POSITIONS, Box, View, correlation_text, place_labels
from ....charts.text import literal, sentence_lines, shorten, text_width, wrap
from ....charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from ....errors import NothingToScore, OptionError
from ....report.numbers import fixed, signed
from ....result import Contrast, Group
from ....sources import language_name
from ....stats.correlation import Line
from ....stats.samples import is_enough
from .result import CORRELATIONS, PROFESSIONS, ProfessionResult, Series
from .tables import differences_by, line_of, of_series

_PEOPLE = {"female": "women", "male": "men"}
# The scatter against the statistic.
MOST_SERIES = 4
_SCATTER_LEFT, _SCATTER_RIGHT, _SCATTER_BELOW = 70, 24, 62  # pixels, as all that follows
_GAP = 34  # between panels: half of "100 %" and of "0 %"
_HEIGHT = 520  # of the figure with one panel
_PLOT_BESIDE_OTHERS = 360
_WIDER = (760, 900, 1080)  # of the figure, for which names must not touch either
_NARROWEST = 100  # of a panel beside another; those that find no room stand below
_SCATTER_LINE = 16
_WORDS = 26  # kept free of points above and below, for the words that say which way is which
_MARKER = 9
_OPACITY = 0.85
_BAND_POINTS = 41
_MARKS = 22  # below a panel, for its percentages
_MOST_NAMES = (14, 8, 5, 5)  # most names a panel, by the number of panels
_STEPS = (20, 25, 50, 100)  # percent between marks: the first that has room for "100 %"
_MARK = 42
_SMALLEST = 0.1  # nats; the scale never shows less, so that noise stays small
# The two means of each profession.
_LABELS = 225  # pixels, as all that follows
_BAR_ROW = 24
_LINE = 17
_AXIS = 50
_BAR = 0.36  # of a row
_OFFSET = 0.19
_COLUMN_HEAD = 110  # a longer one is said in a word
# One series against another.
_NAME = 300
# The map by template or pair.
BY = ("template", "pair")
_MOST_LABELS = 0.4  # of the width
_MAP_LABELS = 205  # pixels, as all that follows
_COLUMN_LABELS = 170
_MOST_LINES = 3  # of a column's label
_TEXT_LINE = 15
_MAP_ROW = 19
_WIDEST_COLUMN = 90
_MAP_RIGHT = 74  # the scale
_MAP_LINE = 20
_MAP_BELOW = 32
_NUMBER_SIZE = SMALL_SIZE - 1


@dataclass(frozen=True)
class Means:
    """One profession: mean associations (nats) of the contrast's first and second words, None where none was scored.

    ``counts`` are the sentences behind each.
    """

    profession: str
    group: str
    first: float | None
    second: float | None
    counts: tuple[int, int]

    @property
    def difference(self) -> float | None:
        """First minus second; None where one of them is missing."""
        return None if self.first is None or self.second is None else self.first - self.second


@dataclass(frozen=True)
class Heading:
    """The row above a section: its group and how many professions it has."""

    group: str
    count: int


def check_series(result: ProfessionResult, wanted: Iterable[Series]) -> None:
    """Raises OptionError for a series the result does not hold, NothingToScore where it holds none."""
    held = result.series
    if not held:
        raise NothingToScore("No profession was scored; the list of exclusions says why.")
    for model, language in wanted:
        if (model, language) not in held:
            known = ", ".join(f"{name} ({code})" for name, code in held)
            raise OptionError(f"The result holds no {model} ({language}); it holds {known}.")


def series_title(result: ProfessionResult, series: Series) -> str:
    """The model, and the language in parentheses where the result holds several."""
    model, language = series
    if len({code for _, code in result.series}) < 2:
        return model
    return f"{model} ({language_name(language)})"


def means_of(result: ProfessionResult, series: Series) -> tuple[Means, ...]:
    """The professions of a series with their mean associations, in the order they were scored.

    Raises as ``check_series``.
    """
    check_series(result, [series])
    columns = ["profession", "group", "mean_first", "mean_second", "n_first", "n_second"]
    return tuple(
        Means(str(profession), str(group), finite(first), finite(second), (n_first, n_second))
        for profession, group, first, second, n_first, n_second in of_series(result[PROFESSIONS], series)[
            columns
        ].itertuples(index=False)
    )


def sections(
    rows: Sequence[Means], groups: Sequence[str], limit: int | None = None
) -> tuple[Heading | Means | Gap, ...]:
    """The rows under the headings of their groups, the largest difference first, those without one last.

    ``limit`` is the most rows of a section; the others are counted in one. Raises OptionError for one below 1.
    """
    if limit is not None and limit < 1:
        raise OptionError(f"A limit of {limit} shows no profession; it must be at least 1.")
    found: list[Heading | Means | Gap] = []
    for group in dict.fromkeys((*groups, *(row.group for row in rows))):
        own = sorted((row for row in rows if row.group == group), key=_by_size)
        if not own:
            continue
        # A row that says "1 more" would take the place of the very row it hides.
        kept = len(own) if limit is None or len(own) <= limit + 1 else limit
        found += [Heading(group, len(own)), *own[:kept]]
        if kept < len(own):
            found.append(Gap(len(own) - kept))
    return tuple(found)


def _by_size(row: Means) -> tuple[bool, float]:
    return (row.difference is None, -abs(row.difference or 0.0))


def heading_text(heading: Heading) -> str:
    """The heading as the chart shows it."""
    return f"{heading.group} · {heading.count} {'profession' if heading.count == 1 else 'professions'}"


def people(name: str) -> str:
    """Whom a side of the contrast stands for, to end "leans towards": women for female, men for male, else its name."""
    return _PEOPLE.get(name, name)


def words(name: str) -> str:
    """What a side of the contrast is called: female words, male words, else its name."""
    return f"{name} words" if name in _PEOPLE else name


def side_hue(theme: Theme, contrast: Contrast, name: str) -> str:
    """The hue of a side of the contrast, and of the professions named like it; neutral for other professions.

    The first side is female words, which have the hue of group 2 all over the project.
    """
    return {contrast.first: theme.groups[1], contrast.second: theme.groups[0]}.get(name, theme.neutral)


@dataclass(frozen=True)
class _Point:
    """A profession: its share (0 to 100), its difference and its residual (nats; None without a line)."""

    name: str
    group: str
    x: float
    y: float
    residual: float | None


@dataclass(frozen=True)
class _Panel:
    """One series: its professions, their line, and what is said of their correlation."""

    series: Series
    points: tuple[_Point, ...]
    line: Line | None
    correlation: str

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest share."""
        shares = [point.x for point in self.points]
        return min(shares), max(shares)


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


def draw(result: ProfessionResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: one model against the statistic, or both its mean associations where there is none."""
    series = [series for series in result.series if series[0] == model]
    if not series:
        raise NothingToScore(f"No profession was scored with {model}; the list of exclusions says why.")
    if result.statistic is None:
        return profession_bars(result, series=series[0], theme=theme)
    return profession_scatter(result, series=series[:MOST_SERIES], theme=theme)


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
    heights = [point.y for panel in panels for point in panel.points]
    if not heights:
        raise NothingToScore(f"No profession has both a difference and a share in “{statistic.title}”.")

    page = theme.width - _SCATTER_LEFT - _SCATTER_RIGHT
    lines = -(-len(panels) // max(1, int((page + _GAP) / (_NARROWEST + _GAP))))
    across = -(-len(panels) // lines)
    width = _panel_width(theme, theme.width, across)
    directions = _directions(result.contrast, width)
    heads = [_head(result, panel, width, theme) for panel in panels]
    top = _SCATTER_LINE * max(count for _, count in heads) + 14
    plot = _HEIGHT - top - _SCATTER_BELOW if len(panels) == 1 else _PLOT_BESIDE_OTHERS
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
            "text": f"{literal(shorten(result.contrast.label, plot + _SCATTER_BELOW / 2, SMALL_SIZE))}, nats",
            "standoff": 10,
        },
    }
    room = theme.width - 16
    title = [shorten(line, room, SMALL_SIZE) for line in sentence_lines(statistic.title, room, SMALL_SIZE)]
    bottom = _SCATTER_BELOW + (len(title) - 1) * _SCATTER_LINE
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + inner + bottom),
            "margin": {"l": _SCATTER_LEFT, "r": _SCATTER_RIGHT, "t": top, "b": bottom},
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
    side = {"x": 0, "xshift": 8 - _SCATTER_LEFT} if wide else {"x": 0.5, "xanchor": "center"}
    below: dict[str, object] = {**side, "y": 0, "yref": "paper", "yanchor": "top", "yshift": -30}
    text = "<br>".join(map(literal, title))
    write(figure, text, theme.ink, SMALL_SIZE, **below, align="left", hovertext=literal(statistic.title))
    return figure


def _panel(result: ProfessionResult, percent: str, series: Series) -> _Panel:
    """The professions of a series that have both a difference and a share in the column ``percent``."""
    rows = of_series(result[PROFESSIONS], series).dropna(subset=[percent, "difference"])
    points = []
    columns = ["profession", "group", percent, "difference", "residual"]
    for name, group, *numbers in rows[columns].itertuples(index=False):
        x, y, residual = map(finite, numbers)
        assert x is not None
        assert y is not None
        points.append(_Point(str(name), str(group), x, y, residual))
    correlations = of_series(result[CORRELATIONS], series)
    r = correlations.loc[correlations["method"] == "pearson", "r"].tolist()
    said = correlation_text(finite(r[0]) if r else None, len(points))
    return _Panel(series, tuple(points), line_of(result, series), said)


def _panel_width(theme: Theme, figure: float, across: int) -> float:
    """Pixels of a panel in a figure of that width: the gaps grow with it."""
    page = theme.width - _SCATTER_LEFT - _SCATTER_RIGHT
    return (figure - _SCATTER_LEFT - _SCATTER_RIGHT) / page * (page - _GAP * (across - 1)) / across


def _head(result: ProfessionResult, panel: _Panel, width: float, theme: Theme) -> tuple[str, int]:
    """Title and caption of a panel in plotly's markup, and how many lines they take."""
    title = wrap(series_title(result, panel.series), width, SMALL_SIZE * BOLD, 4)
    caption = sentence_lines(panel.correlation, width, SMALL_SIZE)
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
        lowest, highest = panel.ends
        x = np.linspace(lowest, highest, _BAND_POINTS)
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
        figure.add_scatter(
            name="least-squares line",
            xaxis=f"x{axis}",
            yaxis=f"y{upright}",
            x=list(panel.ends),
            y=panel.line.at(panel.ends).tolist(),
            mode="lines",
            line={"color": theme.muted, "width": 1.5},
            hoverinfo="skip",
        )
    shown = [shorten(point.name, LABEL_WIDTH, SMALL_SIZE) for point in panel.points]
    from_what = [point.y if point.residual is None else point.residual for point in panel.points]
    order = sorted(range(len(shown)), key=lambda at: -abs(from_what[at]))
    widths = (_panel_width(theme, figure_width, frame.across) for figure_width in (theme.width, *_WIDER))
    views = [_view(frame, panel, width) for width in widths]
    labels = place_labels(shown, order, views, marker=_MARKER, most=_MOST_NAMES[frame.panels - 1])
    figure.add_scatter(
        name=title,
        xaxis=f"x{axis}",
        yaxis=f"y{upright}",
        x=[point.x for point in panel.points],
        y=[point.y for point in panel.points],
        mode="markers+text",
        customdata=[[point.name, *panel.series] for point in panel.points],
        text=[f" {literal(shown[at])} " if at in labels else "" for at in range(len(shown))],
        textposition=[labels.get(at, POSITIONS[0]) for at in range(len(shown))],
        textfont={"size": SMALL_SIZE, "color": theme.ink},
        marker={
            "size": _MARKER,
            "color": [side_hue(theme, frame.contrast, point.group) for point in panel.points],
            "opacity": _OPACITY,
            "line": {"width": 0},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": _OPACITY}, "textfont": {"color": theme.ink}},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[_point_hover(frame, point) for point in panel.points],
    )


def _view(frame: _Frame, panel: _Panel, width: float) -> View:
    """The panel in pixels: what its names must keep clear of."""
    low, high = frame.span
    up = frame.plot / (high - low)
    points = tuple((point.x / 100 * width, (point.y - low) * up) for point in panel.points)
    lines = [(-low * up, 0.0)]
    if panel.line is not None:
        lines.append(((panel.line.intercept - low) * up, panel.line.slope * up * 100 / width))
    first, second = (text_width(text, SMALL_SIZE * BOLD) + 10 for _, text, _, _ in frame.directions)
    taken = (Box(0, first, frame.plot - _WORDS, frame.plot), Box(0, second, 0, _WORDS))
    return View(width, frame.plot, points, tuple(lines), taken)


def _point_hover(frame: _Frame, point: _Point) -> str:
    lines = [
        f"<b>{literal(point.name)}</b>",
        f"{fixed(point.x, 1)} % {literal(frame.of)}",
        f"{literal(frame.contrast.label)}: {signed(point.y)} nats",
    ]
    if point.residual is not None:
        lines.append(f"residual {signed(point.residual)} nats")
    return "<br>".join(lines)


def profession_bars(result: ProfessionResult, *, series: Series, theme: Theme, limit: int | None = None) -> go.Figure:
    """Mean association (nats) of a profession with the words of each side of the contrast: two bars a row.

    Right is positive: the profession makes the words likelier. The upper, hatched bar is the contrast's first side;
    the column on the right holds first minus second. Rows stand under the headings of their groups, the largest
    difference first; ``limit`` is the most rows of a section, the rest is counted in one. ``customdata`` of a bar is
    (profession, model, language). A side that was not scored has no bar.

    Raises OptionError for an unknown series or a limit below 1, NothingToScore where nothing was scored.
    """
    means = means_of(result, series)
    rows = sections(means, result.groups, limit)
    drawn = [(at, row) for at, row in enumerate(rows) if isinstance(row, Means)]
    furthest = [abs(value) for _, row in drawn for value in (row.first, row.second) if value is not None]
    if not furthest:
        raise NothingToScore("No profession has an association; the list of exclusions says why.")
    contrast = result.contrast
    labels = {at: _label(row, theme) for at, row in enumerate(rows)}
    left = round(label_column(theme, _texts(rows), _LABELS))
    size = Row(theme, _BAR_ROW)
    fits = text_width(contrast.label, SMALL_SIZE) <= _COLUMN_HEAD
    head = contrast.label if fits else "difference"
    column = max(text_width(text, SMALL_SIZE) for text in (head, *(_number(row) for _, row in drawn))) + 12
    pixels = (theme.width - left - RIGHT - column) / 2
    half = max(_SMALLEST, *furthest) * 1.04
    numbers_at = half * (1 + column / pixels)
    positions = ticks(half * (1 - 16 / pixels), most_ticks(pixels, 3))
    hues = {name: side_hue(theme, contrast, name) for name in (contrast.first, contrast.second)}
    key = key_lines(
        theme,
        [(hues[contrast.first], "▨", words(contrast.first)), (hues[contrast.second], "■", words(contrast.second))],
    )
    top = _LINE * (len(key) + 1) + 12
    title = shorten(series_title(result, series), theme.width / 2, SMALL_SIZE)
    text = f"{title}: mean association with the profession, nats"
    caption = sentence_lines(text, theme.width - 2 * RIGHT, SMALL_SIZE)
    bottom = _AXIS + _LINE * (len(caption) - 1)

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + bottom + size.height * len(rows),
            "margin": {"l": left, "r": RIGHT, "t": top, "b": bottom},
            "hovermode": "y",
            "barmode": "overlay",
            "bargap": 0,
            "xaxis": {
                "range": [-half, numbers_at],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions),
                "zeroline": True,
                "zerolinecolor": theme.zero,
                "zerolinewidth": 1,
            },
        }
    )
    label_rows(figure, size, labels, len(rows))
    for name, offset, hatch in ((contrast.first, -_OFFSET, "/"), (contrast.second, _OFFSET, "")):
        is_first = name == contrast.first
        bars = [(at, row, row.first if is_first else row.second) for at, row in drawn]
        bars = [bar for bar in bars if bar[2] is not None]
        figure.add_bar(
            name=words(name),
            orientation="h",
            x=[value for *_, value in bars],
            y=[at + size.lower + size.share(offset) for at, *_ in bars],
            width=size.share(_BAR),
            customdata=[[row.profession, *series] for _, row, _ in bars],
            marker={
                "color": hues[name],
                "opacity": 0.85,
                "line": {"width": 0},
                "pattern": {
                    "shape": hatch,
                    "fillmode": "overlay",
                    "fgcolor": theme.paper,
                    "fgopacity": 0.6,
                    "size": 5,
                    "solidity": 0.25,
                },
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 0.85}},
            hoverinfo="text",
            hovertext=[_bar_hover(result, row) for _, row, _ in bars],
        )
    figure.add_scatter(
        name="difference",
        x=[numbers_at] * len(drawn),
        y=[at + size.lower for at, _ in drawn],
        mode="text",
        text=[_number(row) for _, row in drawn],
        textposition="middle left",
        textfont={"size": SMALL_SIZE, "color": theme.ink},
        unselected={"textfont": {"color": theme.ink}},
        cliponaxis=False,
        hoverinfo="skip",
    )
    for at, row in enumerate(rows):
        if isinstance(row, Heading):
            heading = literal(shorten(heading_text(row), theme.width - 2 * RIGHT, TEXT_SIZE * BOLD))
            write(figure, f"<b>{heading}</b>", theme.ink, TEXT_SIZE, y=at, xshift=4 - left)
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4}
    zero: dict[str, object] = {"x": 0, "xref": "x"}
    write(figure, "<b>◀ less likely</b>", theme.ink, SMALL_SIZE, **above, **zero, xanchor="right", xshift=-8)
    write(figure, "<b>more likely ▶</b>", theme.ink, SMALL_SIZE, **above, **zero, xshift=8)
    write(figure, literal(head), theme.muted, SMALL_SIZE, **above, x=1, xanchor="right")
    lifted = {**above, "yshift": _LINE + 6}
    write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, **lifted, xshift=4 - left, align="left")
    below = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24}
    write(figure, "<br>".join(map(literal, caption)), theme.muted, SMALL_SIZE, **below, align="right")
    return figure


def _label(row: Heading | Means | Gap, theme: Theme) -> str:
    if isinstance(row, Heading):
        return ""  # wider than this column: written over the plot's edge
    if isinstance(row, Gap):
        return f'<span style="color:{theme.muted}">{_gap_text(row)}</span>'
    return literal(shorten(row.profession, label_width(theme, _LABELS), TEXT_SIZE))


def _gap_text(gap: Gap) -> str:
    return f"· · · {gap.count} more that differ less"


def _texts(rows: Sequence[Heading | Means | Gap]) -> list[str]:
    """The labels beside the rows."""
    return [_gap_text(row) if isinstance(row, Gap) else row.profession for row in rows if not isinstance(row, Heading)]


def _number(row: Means) -> str:
    return "" if row.difference is None else signed(row.difference)


def _bar_hover(result: ProfessionResult, row: Means) -> str:
    lines = [f"<b>{literal(row.profession)}</b>"]
    sides = zip((result.contrast.first, result.contrast.second), (row.first, row.second), row.counts, strict=True)
    for name, value, count in sides:
        number = "not scored" if value is None else f"{signed(value, 4)}, mean of {count}"
        lines.append(f"{literal(words(name))}: {number}")
    if row.difference is not None:
        lines.append(f"difference: {signed(row.difference, 4)} nats")
    return "<br>".join(lines)


def profession_differences(
    result: ProfessionResult, *, first: Series, second: Series, theme: Theme, limit: int | None = None
) -> go.Figure:
    """The difference (nats, contrast's first minus second) of one series minus that of another, a bar a profession.

    Right is positive: ``first`` leans more towards the contrast's first side than ``second`` does. The title says so of
    the mean. Bars go from one side to the other; ``limit`` keeps the outermost and counts the others in one row.
    ``customdata`` of a bar is (profession,).

    Raises OptionError for an unknown series, twice the same or a limit below 2, NothingToScore where no profession
    has a difference in both.
    """
    if first == second:
        raise OptionError(f"{first[0]} ({first[1]}) cannot be compared with itself; choose two models or languages.")
    sides = [{row.profession: row.difference for row in means_of(result, series)} for series in (first, second)]
    pairs = {
        name: (value, other)
        for name, value in sides[0].items()
        if value is not None and (other := sides[1].get(name)) is not None
    }
    if not pairs:
        raise NothingToScore("No profession has a difference in both; the list of exclusions says why.")
    names = (_name(result, first, theme), _name(result, second, theme))
    found = {
        name: Bar(name, value - other, None, _difference_hover(name, names, (value, other)))
        for name, (value, other) in pairs.items()
    }
    rows = choose({name: bar.value for name, bar in found.items()}, order="lean", limit=limit)
    shown = [found[row] for row in rows if isinstance(row, str)]
    room = label_width(theme, _LABELS)
    labels = {
        at: literal(shorten(row, room, TEXT_SIZE))
        if isinstance(row, str)
        else f'<span style="color:{theme.muted}">· · · {row.count} more between</span>'
        for at, row in enumerate(rows)
    }
    texts = [row if isinstance(row, str) else f"· · · {row.count} more between" for row in rows]
    left = label_column(theme, texts, _LABELS)
    pixels = (theme.width - left - RIGHT) / 2
    half = extent(shown) * pixels / max(pixels - numbers_width(shown), pixels / 4)
    contrast = result.contrast
    # In these places the two sides have their hues.
    groups = (Group(contrast.second, ()), Group(contrast.first, ()))
    panel = Panel(contrast, groups, theme, rows, half, reach_of(half, pixels), most_ticks(pixels, 3))
    comparison = f"{names[0]} − {names[1]}"
    title = sentence_lines(_finding(result, names, list(found.values())), theme.width - 8, TEXT_SIZE * BOLD)

    figure = empty_figure(panel, left, top=_LINE * (len(title) + 1) + 16)
    label_rows(figure, panel.row, labels, len(rows))
    add_panel(figure, panel, found, comparison, None, ("", ""), (0.0, 1.0))
    figure.update_traces(selector={"mode": "text"}, name="difference")
    # A bar belongs to neither of the two.
    figure.update_traces(selector={"type": "bar"}, customdata=[[bar.name] for bar in shown])
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4}
    for name, anchor, shift in ((contrast.second, "right", -8), (contrast.first, "left", 8)):
        phrases = [
            f"{verb}{people(name)}"
            for verb in (f"{names[0]} leans more towards ", "leans more towards ", "more to ", "")
        ]
        room = pixels - 24
        phrase = next((text for text in phrases if text_width(text, SMALL_SIZE * BOLD) <= room), phrases[-1])
        text = literal(shorten(phrase, room, SMALL_SIZE * BOLD))
        write(
            figure,
            f"<b>◀ {text}</b>" if anchor == "right" else f"<b>{text} ▶</b>",
            side_hue(theme.in_words, contrast, name),
            SMALL_SIZE,
            **{**above, "x": 0.5, "xanchor": anchor, "xshift": shift},
        )
    lines = "<br>".join(f"<b>{literal(line)}</b>" for line in title)
    lifted = {**above, "yshift": _LINE + 8}
    write(figure, lines, theme.ink, TEXT_SIZE, **lifted, xshift=4 - round(left), align="left")
    caption = f"{names[0]} minus {names[1]}, nats"
    if text_width(longer := f"{contrast.label} of {caption}", SMALL_SIZE) <= theme.width - 40:
        caption = longer
    below: dict[str, object] = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24}
    write(figure, literal(shorten(caption, theme.width - 40, SMALL_SIZE)), theme.muted, SMALL_SIZE, **below)
    return figure


def _name(result: ProfessionResult, series: Series, theme: Theme) -> str:
    return shorten(series_title(result, series), min(_NAME, theme.width / 2), SMALL_SIZE * BOLD)


def _finding(result: ProfessionResult, names: tuple[str, str], found: list[Bar]) -> str:
    """Which of the two leans more towards which side, on average and in how many professions."""
    mean = math.fsum(bar.value for bar in found) / len(found)
    contrast = result.contrast
    rounded = fixed(abs(mean))
    way, side = (1, contrast.first) if mean > 0 else (-1, contrast.second)
    more = sum(way * bar.value > 0 for bar in found)
    count = f"{more} of {len(found)} {'profession' if len(found) == 1 else 'professions'}"
    if float(rounded) == 0:
        return f"{names[0]} and {names[1]} lean alike on average; {names[0]} more towards {people(side)} for {count}."
    return (
        f"{names[0]} leans more towards {people(side)} than {names[1]}: by {rounded} nats on average, and for {count}."
    )


def _difference_hover(name: str, names: tuple[str, str], values: tuple[float, float]) -> str:
    lines = [f"{literal(title)}: {signed(value, 4)}" for title, value in zip(names, values, strict=True)]
    return "<br>".join((f"<b>{literal(name)}</b>", *lines, f"difference: {signed(values[0] - values[1], 4)} nats"))


def profession_heat(result: ProfessionResult, *, series: Series, by: str, theme: Theme) -> go.Figure:
    """Mean difference (nats, contrast's first minus second) of each profession in each template or pair of persons.

    ``by`` is ``template`` or ``pair``. Rows are those of ``profession_bars``, columns in the order of the corpus. The
    scale is centred on zero, which is the paper; positive has the hue of the contrast's first side. A cell where one
    side was not scored is a hole. Values are printed where they fit, and whole on hover.

    Raises OptionError for an unknown series or ``by``, or for pairs where persons are none; NothingToScore where no
    cell has a value.
    """
    if by not in BY:
        raise OptionError(f"There is no map by {by}; choose one of {', '.join(BY)}.")
    rows = sections(means_of(result, series), result.groups)
    columns, cells = _cells(result, series, by) if rows else ([], {})
    if not cells:
        raise NothingToScore("No profession was scored with both sides; the list of exclusions says why.")
    professions = [row.profession if isinstance(row, Means) else None for row in rows]
    values = [[cells.get((name, column)) if name else None for column in columns] for name in professions]
    named = [name for name in professions if name]
    left = round(min(_MAP_LABELS, _MOST_LABELS * theme.width, max(text_width(name, SMALL_SIZE) for name in named))) + 14
    right = 8 if theme.is_narrow else _MAP_RIGHT  # no room for the scale, which the words above say too
    plot = theme.width - left - right
    share = min(1.0, _WIDEST_COLUMN * len(columns) / plot)
    column_width = plot * share / len(columns)
    most = max(_SMALLEST, *map(abs, cells.values()))
    printed = max(text_width(signed(value), _NUMBER_SIZE) for value in cells.values()) + 3 <= column_width
    lines = max(1, min(_MOST_LINES, int(column_width / _TEXT_LINE)))
    heads = [wrap(column, _COLUMN_LABELS, SMALL_SIZE, lines) for column in columns]
    top = _MAP_LINE + round(max(text_width(line, SMALL_SIZE) for head in heads for line in head)) + 16
    height = _MAP_ROW * len(rows)
    contrast = result.contrast
    hues = (side_hue(theme, contrast, contrast.second), side_hue(theme, contrast, contrast.first))
    ends = [
        literal(shorten(f"{sign} leans towards {people(name)}", theme.width / 2 - 20, SMALL_SIZE * BOLD))
        for sign, name in (("+", contrast.first), ("−", contrast.second))
    ]

    title = shorten(series_title(result, series), theme.width / 2, SMALL_SIZE)
    label = shorten(contrast.label, theme.width - 60, SMALL_SIZE)
    scale = f"; palest 0, darkest ±{fixed(most)}" if theme.is_narrow else ""
    caption = sentence_lines(f"{title}: {label}, nats{scale}", theme.width - 8, SMALL_SIZE)
    bottom = _MAP_BELOW + _TEXT_LINE * (len(caption) - 1)

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + height + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom},
            "xaxis": {"range": [-0.5, len(columns) - 0.5], "domain": [0, share], "showgrid": False, "tickvals": []},
            "yaxis": {
                "range": [len(rows) - 0.5, -0.5],
                "tickmode": "array",
                "tickvals": [at for at, name in enumerate(professions) if name],
                "ticktext": [literal(shorten(name, left - 12, SMALL_SIZE)) for name in named],
                "tickfont": {"color": theme.ink, "size": SMALL_SIZE},
                "ticklabelstandoff": 4,
                "showgrid": False,
            },
        }
    )
    figure.add_heatmap(
        z=[[None if value is None else round(value, 4) for value in row] for row in values],
        x=list(range(len(columns))),
        y=list(range(len(rows))),
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hoverinfo="text",
        hovertext=[
            [
                "" if value is None else _cell_hover(result, str(name), column, value)
                for column, value in zip(columns, row, strict=True)
            ]
            for name, row in zip(professions, values, strict=True)
        ],
        **colour_scale(
            theme,
            most,
            hues=hues,
            length=min(220, height),
            right_of=share,
            shown=not theme.is_narrow,
        ),
    )
    if printed:
        texts = {
            (at, column): (signed(value), blend(theme.paper, hues[int(value > 0)], abs(value) / most))
            for at, row in enumerate(values)
            for column, value in enumerate(row)
            if value is not None
        }
        write_in_cells(figure, theme, "", _NUMBER_SIZE, texts)
    step = max(1, math.ceil(_TEXT_LINE / column_width))
    above: dict[str, object] = {"yref": "paper", "y": 1, "yanchor": "bottom"}
    for at in range(0, len(columns), step):
        text = "<br>".join(literal(line) for line in heads[at])
        place = {**above, "x": at, "xref": "x", "xanchor": "center", "yshift": 5, "textangle": -90, "align": "left"}
        write(figure, text, theme.muted, SMALL_SIZE, **place, hovertext=literal(columns[at]))  # whole, where cut
    for at, row in enumerate(rows):
        if isinstance(row, Heading):
            heading = literal(shorten(heading_text(row), theme.width - right, SMALL_SIZE * BOLD))
            write(figure, f"<b>{heading}</b>", theme.ink, SMALL_SIZE, y=at, xshift=4 - left)
    words_of = zip((contrast.first, contrast.second), ends, strict=True)
    words = (
        f'<span style="color:{side_hue(theme.in_words, contrast, name)}"><b>{text}</b></span>'
        for name, text in words_of
    )
    write(figure, "     ".join(words), theme.ink, SMALL_SIZE, **above, yshift=top - _MAP_LINE, xshift=4 - left)
    below: dict[str, object] = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -6}
    write(figure, "<br>".join(map(literal, caption)), theme.muted, SMALL_SIZE, **below, xshift=4 - left, align="left")
    return figure


def _cells(result: ProfessionResult, series: Series, by: str) -> tuple[list[str], dict[tuple[str, str], float]]:
    """The columns in the order of the corpus, and the difference of each (profession, column) that has one."""
    rows = differences_by(result, series, by)
    if rows.empty:
        raise OptionError("The persons of this measurement are not pairs; show it by template.")
    columns = [str(name) for name in rows[by].drop_duplicates()]
    keys = zip(rows["profession"], rows[by], map(finite, rows["difference"]), strict=True)
    return columns, {(str(name), str(column)): value for name, column, value in keys if value is not None}


def _cell_hover(result: ProfessionResult, name: str, column: str, value: float) -> str:
    difference = f"{literal(result.contrast.label)}: <b>{signed(value, 4)}</b> nats"
    return f"<b>{literal(name)}</b><br>{literal(column)}<br>{difference}"
