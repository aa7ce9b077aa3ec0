"""Figures of professions: against the labour statistic, by kind of words, by template or pair, one against another.

Right and up are positive: the profession is more strongly associated with the first words of the contrast.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ....charts.heat import blend, colour_scale, write_in_cells
from ....charts.key import show_legend, write
from ....charts.rows import (
    RIGHT,
    Bar,
    Gap,
    Row,
    choose,
    finite,
    label_column,
    label_rows,
    label_width,
    write_caption,
    write_directions,
)
from ....charts.scale import most_ticks, signed_axis, tick_texts, ticks
from ....charts.scatter import Box, Point, Scale, View, add_points, correlation_text, view_of
from ....charts.text import literal, sentence_lines, shorten, text_width, wrap
from ....charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from ....errors import NothingToScore, OptionError
from ....report.numbers import fixed, signed
from ....result import Contrast, Group
from ....sources import language_name
from ....stats.correlation import Line
from ....stats.samples import is_enough
from ..figures import diverging_bars
from .result import CORRELATIONS, PROFESSIONS, ProfessionResult, Series
from .tables import differences_by, line_of, of_series

_PEOPLE = {"female": "women", "male": "men"}
_LINE = 16  # pixels, as all that follows
_SMALLEST = 0.1  # nats; the scale never shows less, so that noise stays small
# The scatter against the statistic.
MOST_SERIES = 4
_SCATTER_LEFT, _SCATTER_RIGHT, _SCATTER_BELOW = 70, 24, 62
_GAP = 34  # between panels: half of "100 %" and of "0 %"
_HEIGHT = 520  # of the figure with one panel
_PLOT_BESIDE_OTHERS = 360
_WIDER = (760, 900, 1080)  # of the figure, for which names must not touch either
_NARROWEST = 100  # of a panel beside another; those that find no room stand below
_WORDS = 26  # kept free of points above and below, for the words that say which way is which
_MARKER = 9
_BAND_POINTS = 41
_MARKS = 22  # below a panel, for its percentages
_MOST_NAMES = (14, 8, 5, 5)  # most names a panel, by the number of panels
_STEPS = (20, 25, 50, 100)  # percent between marks: the first that has room for "100 %"
_MARK = 42
# The two means of each profession.
_LABELS = 225
_BAR_ROW = 24
_AXIS = 50
_BAR = 0.36  # of a row
_OFFSET = 0.19
_COLUMN_HEAD = 110  # a longer one is said in a word
# One series against another.
_NAME = 300
# The map by template or pair.
BY = ("template", "pair")
_MOST_LABELS = 0.4  # of the width
_MAP_LABELS = 205
_COLUMN_LABELS = 170
_MOST_LINES = 3  # of a column's label
_TEXT_LINE = 15
_MAP_ROW = 19
_WIDEST_COLUMN = 90
_MAP_RIGHT = 74  # the scale
_MAP_LINE = 20
_MAP_BELOW = 44
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
class _Panel:
    """One series: its professions, those to be named first in ``order``, their line, and title and correlation."""

    title: str
    points: tuple[Point, ...]
    order: tuple[int, ...]
    line: Line | None
    correlation: str

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest share."""
        shares = [point.x for point in self.points]
        return min(shares), max(shares)


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
    panels = [_panel(result, percent, statistic.of, each, theme) for each in series]
    heights = [point.y for panel in panels for point in panel.points]
    if not heights:
        raise NothingToScore(f"No profession has both a difference and a share in “{statistic.title}”.")

    page = theme.width - _SCATTER_LEFT - _SCATTER_RIGHT
    lines = -(-len(panels) // max(1, int((page + _GAP) / (_NARROWEST + _GAP))))
    across = -(-len(panels) // lines)
    width = _panel_width(theme, theme.width, across)
    heads = [_head(panel, width, theme) for panel in panels]
    top = _LINE * max(count for _, count in heads) + 14
    plot = _HEIGHT - top - _SCATTER_BELOW if len(panels) == 1 else _PLOT_BESIDE_OTHERS
    inner = lines * plot + (lines - 1) * (top + _MARKS)
    title = sentence_lines(statistic.title, page, SMALL_SIZE)
    bottom = _SCATTER_BELOW + (len(title) - 1) * _LINE
    places = [(at // across + 1, at % across + 1) for at in range(len(panels))]
    figure = make_subplots(
        rows=lines,
        cols=across,
        shared_yaxes=True,
        horizontal_spacing=_GAP / page,
        vertical_spacing=(top + _MARKS) / inner,
        specs=[[{} if (row + 1, column + 1) in places else None for column in range(across)] for row in range(lines)],
        subplot_titles=[head for head, _ in heads],
    )
    figure.update_annotations(font={"color": theme.ink, "size": SMALL_SIZE}, yshift=6)
    figure.layout.template = template(theme)
    figure.update_layout(
        height=round(top + inner + bottom),
        margin={"l": _SCATTER_LEFT, "r": _SCATTER_RIGHT, "t": top, "b": bottom},
    )
    below: dict[str, object] = {"x": 0.5, "xanchor": "center", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -30}
    write(figure, "<br>".join(map(literal, title)), theme.ink, SMALL_SIZE, **below)
    step = next(step for step in _STEPS if step * width >= 100 * _MARK or step == 100)
    figure.update_xaxes(range=[0, 100], dtick=step, ticksuffix=" %")
    low, high = _span(heights, plot)
    # A point at 0 % reaches out of the plot.
    upright = {"range": [low, high], "ticklabelstandoff": _MARKER // 2 + 1, "title": None}
    figure.update_yaxes({**signed_axis(theme, max(-low, high), ""), **upright})
    label = shorten(result.contrast.label, plot + _SCATTER_BELOW / 2, SMALL_SIZE)
    figure.update_yaxes(title={"text": f"{literal(label)}, nats", "standoff": 10}, col=1)
    directions = _directions(result.contrast, width)
    first, second = (text_width(text, SMALL_SIZE * BOLD) + 10 for _, text, _, _ in directions)
    taken = (Box(0, first, plot - _WORDS, plot), Box(0, second, 0, _WORDS))
    scales = Scale(0, 100, (), ""), Scale(low, high, (), "")
    widths = [_panel_width(theme, figure_width, across) for figure_width in (theme.width, *_WIDER)]
    for panel, (row, column) in zip(panels, places, strict=True):
        line = None if panel.line is None else (panel.line.intercept, panel.line.slope)
        views = [replace(view_of(panel.points, *scales, line, width, plot), taken=taken) for width in widths]
        _draw(figure, panel, views, theme, _MOST_NAMES[len(panels) - 1], {"row": row, "col": column})
        corner = {"x": 0, "xref": "x domain", "yref": "y domain", "xshift": 6, "row": row, "col": column}
        for name, text, y, anchor in directions:
            hue = side_hue(theme.in_words, result.contrast, name)
            write(figure, f"<b>{literal(text)}</b>", hue, SMALL_SIZE, **corner, y=y, yanchor=anchor)
    return figure


def _panel(result: ProfessionResult, percent: str, people_counted: str, series: Series, theme: Theme) -> _Panel:
    """The professions of a series that have both a difference and a share in the column ``percent``."""
    rows = of_series(result[PROFESSIONS], series).dropna(subset=[percent, "difference"])
    points, distances = [], []
    columns = ["profession", "group", percent, "difference", "residual"]
    for name, group, share, difference, residual in rows[columns].itertuples(index=False):
        lines = [
            f"<b>{literal(name)}</b>",
            f"{fixed(share, 1)} % {literal(people_counted)}",
            f"{literal(result.contrast.label)}: {signed(difference)} nats",
        ]
        if finite(residual) is not None:
            lines.append(f"residual {signed(residual)} nats")
        hue = side_hue(theme, result.contrast, group)
        points.append(Point(name, float(share), float(difference), hue, "<br>".join(lines), (name, *series)))
        distances.append(abs(difference if finite(residual) is None else residual))
    correlations = of_series(result[CORRELATIONS], series)
    r = correlations.loc[correlations["method"] == "pearson", "r"].tolist()
    return _Panel(
        series_title(result, series),
        tuple(points),
        tuple(sorted(range(len(points)), key=lambda at: -distances[at])),
        line_of(result, series),
        correlation_text(finite(r[0]) if r else None, len(points)),
    )


def _panel_width(theme: Theme, figure: float, across: int) -> float:
    """Pixels of a panel in a figure of that width: the gaps grow with it."""
    page = theme.width - _SCATTER_LEFT - _SCATTER_RIGHT
    return (figure - _SCATTER_LEFT - _SCATTER_RIGHT) / page * (page - _GAP * (across - 1)) / across


def _head(panel: _Panel, width: float, theme: Theme) -> tuple[str, int]:
    """Title and caption of a panel in plotly's markup, and how many lines they take."""
    title = wrap(panel.title, width, SMALL_SIZE * BOLD, 4)
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


def _directions(contrast: Contrast, width: float) -> list[tuple[str, str, int, str]]:
    """What up and down mean: side of the contrast, text, and where it stands; shorter in a narrow panel."""
    directions = []
    for name, arrow, y, anchor in ((contrast.first, "▲", 1, "top"), (contrast.second, "▼", 0, "bottom")):
        phrases = [f"{arrow} {phrase}{people(name)}" for phrase in ("model leans towards ", "leans towards ", "")]
        fitting = [phrase for phrase in phrases if text_width(phrase, SMALL_SIZE * BOLD) <= width - 10]
        directions.append((name, (fitting or [shorten(phrases[-1], width - 10, SMALL_SIZE * BOLD)])[0], y, anchor))
    return directions


def _draw(
    figure: go.Figure, panel: _Panel, views: Sequence[View], theme: Theme, named: int, where: Mapping[str, int]
) -> None:
    """The band, the line and the points of a panel."""
    if panel.line is not None and is_enough(panel.line.n):
        x = np.linspace(*panel.ends, _BAND_POINTS)
        low, high = panel.line.band(x)
        figure.add_scatter(
            name="95 % band of the line",
            x=[*x.tolist(), *x[::-1].tolist()],
            y=[*high.tolist(), *low[::-1].tolist()],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=theme.neutral,
            opacity=0.18,
            hoverinfo="skip",
            **where,
        )
    if panel.line is not None:
        figure.add_scatter(
            name="least-squares line",
            x=list(panel.ends),
            y=panel.line.at(panel.ends).tolist(),
            mode="lines",
            line={"color": theme.muted, "width": 1.5},
            hoverinfo="skip",
            **where,
        )
    add_points(figure, panel.points, views, theme=theme, name=panel.title, named=named, order=panel.order, **where)


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
    top = _LINE + 12
    title = shorten(series_title(result, series), theme.width / 2, SMALL_SIZE)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + _AXIS + size.height * len(rows),
            "margin": {"l": left, "r": RIGHT, "t": top, "b": _AXIS},
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
        values = [(at, row, row.first if name == contrast.first else row.second) for at, row in drawn]
        bars = [bar for bar in values if bar[2] is not None]
        figure.add_bar(
            name=literal(words(name)),
            showlegend=True,
            orientation="h",
            x=[value for *_, value in bars],
            y=[at + size.lower + size.share(offset) for at, *_ in bars],
            width=size.share(_BAR),
            customdata=[[row.profession, *series] for _, row, _ in bars],
            marker={
                "color": side_hue(theme, contrast, name),
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
        showlegend=False,
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
    room = theme.width - left - RIGHT - column
    write_directions(figure, [(theme.ink, ["less likely"]), (theme.ink, ["more likely"])], room / 2, 4, x=0, xref="x")
    head_at = {"x": 1, "xanchor": "right", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4}
    write(figure, literal(head), theme.muted, SMALL_SIZE, **head_at)
    write_caption(figure, theme, f"{title}: mean association with the profession, nats")
    show_legend(figure, theme)
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
    minuend, subtrahend = (
        {row.profession: row.difference for row in means_of(result, series)} for series in (first, second)
    )
    pairs = {
        name: (value, subtracted)
        for name, value in minuend.items()
        if value is not None and (subtracted := subtrahend.get(name)) is not None
    }
    if not pairs:
        raise NothingToScore("No profession has a difference in both; the list of exclusions says why.")
    names = (_name(result, first, theme), _name(result, second, theme))
    bars = {
        name: Bar(name, value - other, None, _difference_hover(name, names, (value, other)))
        for name, (value, other) in pairs.items()
    }
    contrast = result.contrast
    sides = (contrast.second, contrast.first)
    verbs = (f"{names[0]} leans more towards ", "leans more towards ", "more to ", "")
    caption = f"{names[0]} minus {names[1]}, nats"
    if text_width(longer := f"{contrast.label} of {caption}", SMALL_SIZE) <= theme.width - 40:
        caption = longer
    figure = diverging_bars(
        bars,
        choose({name: bar.value for name, bar in bars.items()}, order="lean", limit=limit),
        contrast=contrast,
        groups=tuple(Group(side, ()) for side in sides),  # in these places the two sides have their hues
        theme=theme,
        name=f"{names[0]} − {names[1]}",
        gap="between",
        directions=[
            (side_hue(theme.in_words, contrast, side), [f"{verb}{people(side)}" for verb in verbs]) for side in sides
        ],
        caption=caption,
        title=sentence_lines(_finding(result, names, list(bars.values())), theme.width - 8, TEXT_SIZE * BOLD),
    )
    # A bar belongs to neither of the two.
    (drawn,) = figure.select_traces({"type": "bar"})
    drawn.customdata = [[name] for name, _ in drawn.customdata]
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
    step = max(1, math.ceil(_TEXT_LINE / column_width))
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
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + height + _MAP_BELOW,
            "margin": {"l": left, "r": right, "t": top, "b": _MAP_BELOW},
            "xaxis": {
                "range": [-0.5, len(columns) - 0.5],
                "domain": [0, share],
                "side": "top",
                "tickangle": -90,
                "tickmode": "array",
                "tickvals": list(range(0, len(columns), step)),
                "ticktext": ["<br>".join(map(literal, head)) for head in heads[::step]],
                "ticklabelstandoff": 3,
                "showgrid": False,
            },
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
    for at, row in enumerate(rows):
        if isinstance(row, Heading):
            heading = literal(shorten(heading_text(row), theme.width - right, SMALL_SIZE * BOLD))
            write(figure, f"<b>{heading}</b>", theme.ink, SMALL_SIZE, y=at, xshift=4 - left)
    words_of = zip((contrast.first, contrast.second), ends, strict=True)
    words = (
        f'<span style="color:{side_hue(theme.in_words, contrast, name)}"><b>{text}</b></span>'
        for name, text in words_of
    )
    above: dict[str, object] = {"yref": "paper", "y": 1, "yanchor": "bottom", "yshift": top - _MAP_LINE}
    write(figure, "     ".join(words), theme.ink, SMALL_SIZE, **above, xshift=4 - left)
    write_caption(figure, theme, f"{title}: {label}, nats{scale}")
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
