"""Figures of a gender direction. Right and up are positive: towards the first words of the pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ....charts.key import Mark, legend_entries
from ....charts.rows import (
    ABOVE,
    AXIS,
    RIGHT,
    Dot,
    Gap,
    add_dots,
    choose,
    finite,
    label_column,
    name_bands,
    signed_bands,
    stack_bands,
    write_caption,
    write_directions,
)
from ....charts.scale import percent_axis, tick_texts, ticks_between
from ....charts.scatter import Point, Scale, correlation_text, plot_width, point_chart
from ....charts.text import literal, sentence_lines
from ....charts.theme import TEXT_SIZE, Theme, template
from ....errors import NothingToScore
from ....report.numbers import fixed, interval, percent, signed
from ....stats.samples import LEAST
from .result import COMPONENTS, CORRELATIONS, DIRECTIONS, PROJECTIONS, DirectionResult, Which

MOST_ROWS = 60  # words; more are counted in one row, and the table has them all
MOST_COMPONENTS = 10
_LABELS = 225  # pixels, as all that follows
_TOP = 29
_SMALLEST = 0.05  # a scale of cosines never shows less, so that noise looks small
_NAMED = 12
_TITLE = 12  # of a scale below the rows
_RANDOM = ("diamond", "◆")


def draw(result: DirectionResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: how the words lie along the direction of one model, in its first representation."""
    which = next((which for which in result.places if which[0] == model), (model, ""))
    return projections(result, which, theme=theme)


def side_names(result: DirectionResult) -> tuple[str, str]:
    """What lies in the positive and in the negative direction: "female words", or “xe” for pairs of the user's own."""
    first, second = result.spec.pairs.names
    return (f"{first} words", f"{second} words") if result.spec.pairs.source else (f"“{first}”", f"“{second}”")


def side_hues(theme: Theme) -> tuple[str, str]:
    """The hues of both sides: the first words have that of group 2, as female words have everywhere."""
    return theme.groups[1], theme.groups[0]


def projections(result: DirectionResult, which: Which, *, theme: Theme) -> go.Figure:
    """The projection of each word on one direction, with its interval over resampled pairs.

    Words are ordered from the second side to the first; a mark has the hue of its side. Beyond ``MOST_ROWS`` the
    innermost are counted in one row. ``customdata`` of a mark is (word, model, representation).

    Raises NothingToScore where there is no direction.
    """
    rows = {str(row["word"]): row for row in _rows(result, PROJECTIONS, which).to_dict("records")}
    shown = choose({word: float(row["projection"]) for word, row in rows.items()}, order="lean", limit=MOST_ROWS)
    names = [f"· · · {row.count} more between" if isinstance(row, Gap) else row for row in shown]
    bands = stack_bands(((0, 1) for _ in shown), ABOVE if theme.is_narrow else 0)
    kept = [rows[row] for row in shown if isinstance(row, str)]
    ends = [number for row in kept for name in ("projection", "ci_low", "ci_high") if (number := finite(row[name]))]
    half = 1.06 * max(_SMALLEST, *map(abs, ends), 0.0)
    figure, _, pixels = signed_bands(theme, bands, names, half, labels=_LABELS, top=_TOP)
    sides = side_names(result)
    for hue, side, sign in zip(side_hues(theme), sides, (1, -1), strict=True):
        dots = [
            _dot(rows[row], band.at(0), side, which)
            for row, band in zip(shown, bands, strict=True)
            if isinstance(row, str) and (float(rows[row]["projection"]) >= 0) == (sign > 0)
        ]
        add_dots(figure, theme, side, Mark(hue, "circle", "●"), dots, "95 % interval")
    first, second = side_hues(theme.in_words)
    towards = [(hue, (f"towards {side}", side)) for hue, side in ((second, sides[1]), (first, sides[0]))]
    write_directions(figure, towards, pixels + RIGHT, 4)
    has_some = any(finite(row["ci_low"]) is not None for row in kept)
    end = "thin line: 95 % interval over pairs" if has_some else f"no interval: fewer than {LEAST} pairs"
    write_caption(figure, theme, f"projection (cosine); {end}")
    return figure


def _dot(row: dict[object, object], y: float, side: str, which: Which) -> Dot:
    value, low, high, share = (finite(row[name]) for name in ("projection", "ci_low", "ci_high", "percent"))
    assert value is not None
    lines = [f"<b>{literal(str(row['word']))}</b>", f"projection {signed(value, 3)}, towards {literal(side)}"]
    span = None if low is None or high is None else (low, high)
    if span is not None:
        lines.append(interval(*span, 3))
    if share is not None:
        lines.append(f"{fixed(share, 1)} % women")
    return Dot(value, y, span, "<br>".join(lines), (str(row["word"]), *which))


def variance(result: DirectionResult, which: Which, *, theme: Theme) -> go.Figure:
    """The share of the variance of the pairs along each of the first components, beside that of random pairs.

    The direction is the first component. Raises NothingToScore where there is no direction.
    """
    rows = _rows(result, COMPONENTS, which).head(MOST_COMPONENTS).to_dict("records")
    names = [f"component {row['component']}" + (", the direction" if row["component"] == 1 else "") for row in rows]
    bands = stack_bands(((0, 2) for _ in rows), ABOVE if theme.is_narrow else 0)
    left = round(label_column(theme, names, _LABELS))
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_TITLE + bands[-1].bottom + AXIS),
            "margin": {"l": left, "r": RIGHT * 2, "t": _TITLE, "b": AXIS},
            "xaxis": percent_axis("share of the variance"),
        }
    )
    name_bands(figure, theme, bands, names, _LABELS)
    hue = side_hues(theme)[0]
    kinds = (
        ("share", "the pairs", Mark(hue, "circle", "●"), 0),
        ("random", "as many random pairs of the words, mean of 100 draws", Mark(theme.neutral, *_RANDOM), 1),
    )
    key = []
    for column, said, mark, line in kinds:
        dots = [
            Dot(share, band.at(line), None, f"{literal(name)}<br>{said}: {percent(share)}", text=f" {percent(share)}")
            for row, band, name in zip(rows, bands, names, strict=True)
            if (share := finite(row[column])) is not None
        ]
        if dots:
            add_dots(figure, theme, said, mark, dots, "")
            key.append((mark.hue, mark.symbol, said))
    legend_entries(figure, theme, key)
    return figure


def against_share(result: DirectionResult, which: Which, *, theme: Theme) -> go.Figure:
    """A point a word: the share of women across, its projection up; the line of least squares, r and n above.

    The words furthest from the line are named where there is room. ``customdata`` is (word, model, representation).
    Raises NothingToScore where no word has a share.
    """
    rows = _rows(result, PROJECTIONS, which).dropna(subset="percent")
    if rows.empty:
        raise NothingToScore("No word has a row in the statistic; take professions, or a statistic of these words.")
    (of,) = _rows(result, DIRECTIONS, which).to_dict("records")
    slope, intercept = finite(of["slope"]), finite(of["intercept"])
    sides, hues = side_names(result), side_hues(theme)
    points = []
    for row in rows.to_dict("records"):
        side = 0 if row["projection"] >= 0 else 1
        hover = _dot(row, 0, sides[side], which).hover
        data = (str(row["word"]), *which)
        points.append(Point(str(row["word"]), float(row["percent"]), float(row["projection"]), hues[side], hover, data))
    at_line = [0.0 if slope is None or intercept is None else intercept + slope * point.x for point in points]
    distances = [abs(point.y - line) for point, line in zip(points, at_line, strict=True)]
    correlations = _rows(result, CORRELATIONS, which)
    r = correlations.loc[correlations["method"] == "pearson", "r"].tolist()
    caption = sentence_lines(correlation_text(finite(r[0]) if r else None, len(points)), plot_width(theme), TEXT_SIZE)
    marks = (0, 25, 50, 75, 100)
    return point_chart(
        points,
        Scale(-3, 103, tuple((at, f"{at} %") for at in marks), "women"),
        _scale([point.y for point in points], literal(f"projection (above 0: towards {sides[0]})")),
        theme=theme,
        caption=caption,
        name="words",
        square=False,
        named=_NAMED,
        order=np.argsort(-np.array(distances), kind="stable").tolist(),
        line=None if slope is None or intercept is None else (intercept, slope),
    )


def _scale(values: Sequence[float], title: str) -> Scale:
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    middle, half = (low + high) / 2, max(high - low, _SMALLEST) / 2 * 1.16
    marks = ticks_between(middle - half, middle + half)
    return Scale(middle - half, middle + half, tuple(zip(marks, tick_texts(marks), strict=True)), title)


def _rows(result: DirectionResult, table: str, which: Which) -> pd.DataFrame:
    """The rows of a table for a direction. Raises NothingToScore where there is no such direction."""
    if which not in result.places:
        raise NothingToScore(f"There is no direction of {which[0]}; the list of exclusions says why.")
    return result.of(table, which)
