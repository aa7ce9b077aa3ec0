"""The points behind a correlation."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.charts.agreement_parts import pairs_of
from core.charts.points import Point, Scale, plot_width, point_chart
from core.charts.rows import finite
from core.charts.scale import tick_texts, ticks_between
from core.charts.text import literal, shorten
from core.charts.theme import SMALL_SIZE, TEXT_SIZE, Theme
from core.errors import NothingToScore, OptionError
from core.measures.agreement.result import METRICS, TEMPLATES, AgreementResult
from core.report.numbers import p_text, signed
from core.stats.correlation import FEWEST_POINTS

_NAMED = 12  # models; the subsets of templates and representations have numbers alone
_UP = 380  # pixels of the title of an upright axis
_PAD = 0.08  # of the span, free on either side
_LEAST = 0.1  # the scale never shows less, so that noise stays small


def agreement_scatter(
    result: AgreementResult,
    *,
    theme: Theme,
    model: str | None,
    representation: str | None,
    a: str,
    b: str,
) -> go.Figure:
    """A point for each subset of words, or each model, by what two measures say of it; ``a`` across, ``b`` up.

    Templates and representations are effect sizes d, positive where the female-typical professions go with the female
    words: both axes have one scale, and on the dashed line the two agree. Metrics have a scale each, and their points
    are named. The caption holds r, p and n of the summary, or why there is no r. What a
    kind does not have is not looked at. ``customdata`` of a point is (point,), as text.

    Raises OptionError for what the result does not hold, NothingToScore where no point has both values.
    """
    named = dict(result.names)
    for name in (a, b):
        if name not in named:
            raise OptionError(f"The result holds no {name}; it holds {', '.join(named)}.")
    if a == b:
        raise OptionError(f"{a} is not compared with itself; choose two.")
    rows = pairs_of(result, model, representation)
    across, up = _values(result, model, representation, a), _values(result, model, representation, b)
    both = [point for point in across if point in up]
    if not both:
        raise NothingToScore(f"No point has a value in both {a} and {b}; the list of exclusions says why.")
    models = result.kind == METRICS
    x, y = [across[point] for point in both], [up[point] for point in both]
    labels = [_title(result, name) for name in (a, b)]
    ends = [x, y] if models else [[*x, *y]] * 2
    room = plot_width(theme)
    scales = [_scale(values, label, models, min(room, _UP)) for values, label in zip(ends, labels, strict=True)]
    points = [
        Point(
            point if models else "",
            across[point],
            up[point],
            theme.groups[2],
            f"<b>{literal(point if models else f'subset {point}')}</b><br>{literal(labels[0])}: {signed(across[point])}"
            f"<br>{literal(labels[1])}: {signed(up[point])}",
            (point,),
        )
        for point in both
    ]
    where = [str(one) for one in rows.iloc[:1][["model", "representation"]].to_numpy().ravel() if pd.notna(one)]
    caption = [_caption(result, rows, a, b, len(both))]
    if where:
        where = [result.title(one) for one in where]
        caption.append(shorten(", ".join(where), room, TEXT_SIZE))
    return point_chart(
        points,
        *scales,
        theme=theme,
        caption=caption,
        name=f"{a} and {b}",
        square=not models,
        named=_NAMED if models else 0,
        order=range(len(points)),
        line=None if models else (0.0, 1.0),
    )


def _values(result: AgreementResult, model: str | None, representation: str | None, name: str) -> dict[str, float]:
    rows = result.detail[result.detail["name"] == name]
    for column, wanted in (("model", model), ("representation", representation)):
        if rows[column].notna().any():
            rows = rows[rows[column] == wanted]
    found = zip(rows["point"], rows["value"], strict=True)
    return {str(point): number for point, value in found if (number := finite(value)) is not None}


def _title(result: AgreementResult, name: str) -> str:
    title = dict(result.names)[name]
    return f"{name} “{title}”" if result.kind == TEMPLATES else title


def _scale(values: Sequence[float], label: str, models: bool, room: float) -> Scale:
    low, high = min(values), max(values)
    middle, half = (low + high) / 2, max(high - low, _LEAST) / 2 * (1 + 2 * _PAD)
    marks = ticks_between(middle - half, middle + half)
    texts = tick_texts(marks, sign=not models)
    title = literal(shorten(label if models else f"d by {label}", room, SMALL_SIZE))
    return Scale(middle - half, middle + half, tuple(zip(marks, texts, strict=True)), title)


def _caption(result: AgreementResult, rows: pd.DataFrame, a: str, b: str, points: int) -> str:
    columns = list(result.columns)
    pair = rows[rows[columns].isin([a, b]).all(axis=1)]
    r, p = (finite(pair.iloc[0][column]) if len(pair) else None for column in ("r", "p"))
    if points < FEWEST_POINTS:
        return f"n = {points}: too few for a correlation (at least {FEWEST_POINTS} are required)"
    if r is None:
        return f"r undefined: no variation, n = {points}"
    method = "Pearson" if result.options.method == "pearson" else "Spearman"
    return f"{method} r = {signed(r)}" + (f", {p_text(p)}" if p is not None else "") + f", n = {points}"
