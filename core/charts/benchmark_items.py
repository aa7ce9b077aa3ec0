"""The items behind a benchmark's number: how far each one leans, and occupations against their share of women."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.charts.key import write
from core.charts.labels import correlation_caption
from core.charts.points import Point, Scale, point_chart
from core.charts.scale import most_ticks, tick_texts, ticks, ticks_between
from core.charts.text import literal, sentence_lines, shorten, text_width, wrap
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore, OptionError
from core.measures.benchmarks.result import BenchmarkResult
from core.report.numbers import fixed, signed
from core.stats.correlation import regression
from core.stats.samples import is_enough

MOST_BINS = 100

_LEFT, _RIGHT, _BELOW = 48, 12, 58  # pixels, as all that follows
_PLOT = 240
_LINE = 16
_BAR = 0.92  # of a bin
_NAMED = 14
_LEAST = 0.1  # nats; the scale never shows less
_STEPS = (1, 2, 5, 10)


def benchmark_differences(result: BenchmarkResult, *, theme: Theme, model: str) -> go.Figure:
    """How many items have which difference, first − second, as a histogram around the line where neither is preferred.

    Right is positive: the first is preferred. Bins end at 0, so that none holds both sides; ties are counted in the
    caption and in no bar. Where nothing is compared, the items' own numbers, in the unit of the first measure.

    Raises OptionError for a model the result does not hold, NothingToScore where no item has a number.
    """
    rows = items_of(result, model)
    values = rows["difference"].dropna().to_numpy(dtype=np.float64)
    values = values[np.isfinite(values)]
    if not len(values):
        raise NothingToScore(f"No item of {result.title} has a number in {model}; the list below says why.")
    compared = is_compared(result)
    counted = values[values != 0] if compared else values
    step = _step(values)
    bins = np.floor(counted / step).astype(int)
    places, counts = np.unique(bins, return_counts=True)
    unit = unit_of(result, model)
    reach = max(step, float(np.abs(values).max()))
    half = step * math.ceil(reach / step + 1e-9)
    low, high = (-half, half) if compared else (min(0.0, step * float(places.min())), half)
    heads = sentence_lines(_caption(result, model, values, compared), theme.width - 16, SMALL_SIZE)
    room = (theme.width - _LEFT - _RIGHT) / 2 - 8
    sides = (f"{result.sides[0]} ▶", f"◀ {result.sides[1]}")
    phrases = [wrap(side, room, SMALL_SIZE * BOLD, 2) for side in sides]
    words = max(map(len, phrases)) if compared else 0
    top = _LINE * (len(heads) + words) + 14
    positions = (
        ticks(half * 0.96, most_ticks((theme.width - _LEFT - _RIGHT) / 2, 3)) if compared else ticks_between(low, high)
    )
    most = int(counts.max()) if len(counts) else 1
    upright = [at for at in ticks_between(0, most * 1.06) if at == int(at)]
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + _PLOT + _BELOW,
            "margin": {"l": _LEFT, "r": _RIGHT, "t": top, "b": _BELOW},
            "bargap": 0,
            "xaxis": {
                "range": [low, high],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions, sign=compared),
                "showgrid": False,
                "title": {"text": literal(_axis_title(result, unit, compared, theme)), "standoff": 8},
            },
            "yaxis": {
                "range": [0, most * 1.06],
                "tickmode": "array",
                "tickvals": upright,
                "ticktext": [fixed(at, 0) for at in upright],
                "title": {"text": literal(result.rows), "standoff": 6},
            },
        }
    )
    starts = places * step
    figure.add_bar(
        name=model,
        x=(starts + step / 2).tolist(),
        y=counts.tolist(),
        width=step * _BAR,
        marker={
            "color": [theme.groups[2] if start >= 0 else theme.neutral for start in starts.tolist()],
            "line": {"width": 0},
        },
        hoverinfo="text",
        hovertext=[
            f"<b>{count:,} of the {literal(result.rows)}</b><br>{_number(start, compared)} to "
            f"{_number(start + step, compared)}{literal(unit)}"
            for start, count in zip(starts.tolist(), counts.tolist(), strict=True)
        ],
    )
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    lines = "<br>".join(map(literal, heads))
    shift = {"yshift": _LINE * words + 8, "xshift": 8 - _LEFT}
    write(figure, lines, theme.muted, SMALL_SIZE, **above, **shift, align="left")
    if compared:
        figure.add_vline(x=0, line={"color": theme.ink, "width": 1.5})
        for sign, phrase in zip((1, -1), phrases, strict=True):
            text = "<br>".join(f"<b>{literal(line)}</b>" for line in phrase)
            side = {"xanchor": "left", "align": "left"} if sign > 0 else {"xanchor": "right", "align": "right"}
            place = {"x": 0.5, "xshift": 6 * sign, "yshift": 4, **side}
            write(figure, text, theme.ink, SMALL_SIZE, **above, **place)
    return figure


def winogender_scatter(result: BenchmarkResult, *, theme: Theme, model: str) -> go.Figure:
    """Mean ln P(he) − ln P(she) of each occupation (nats) against its percentage of women, with the line through them.

    Up is positive: he is more probable. The caption holds Pearson's r and n; too few occupations have no line. Those
    with the largest residuals are named where there is room. ``customdata`` of a point is (occupation,).

    Raises OptionError for a result without occupations or without the model, NothingToScore where there is no point.
    """
    if not {"occupation", "percent_women"} <= set(result.detail.columns):
        raise OptionError(f"{result.title} has no occupations with their percentage of women.")
    rows = items_of(result, model)
    means = rows.groupby("occupation", sort=False)[["difference", "percent_women"]].mean().dropna()
    if means.empty:
        raise NothingToScore("No occupation has both a difference and a percentage of women.")
    names = [str(name) for name in means.index]
    across, up = (means[column].astype(float).tolist() for column in ("percent_women", "difference"))
    line = regression(across, up) if is_enough(len(across)) else None
    distances = [y - float(line.at(x)) if line is not None else y for x, y in zip(across, up, strict=True)]
    first, second = result.sides
    half = 1.12 * max(_LEAST, *map(abs, up))
    marks = ticks(half, 4)
    percents = [(float(at), f"{at} %") for at in range(0, 101, 25)]
    points = [
        Point(
            name,
            x,
            y,
            theme.neutral if y == 0 else theme.groups[0 if y > 0 else 1],
            f"<b>{literal(name)}</b><br>{fixed(x, 1)} % women<br>{signed(y)} nats"
            + (f"<br>residual {signed(distance)} nats" if line is not None else ""),
            (name,),
        )
        for name, x, y, distance in zip(names, across, up, distances, strict=True)
    ]
    return point_chart(
        points,
        Scale(0, 100, tuple(percents), "women in the occupation"),
        Scale(
            -half,
            half,
            tuple(zip(marks, tick_texts(marks), strict=True)),
            _upright(theme, first, second, _is_causal(result, model)),
        ),
        theme=theme,
        caption=[model, correlation_caption(across, up)],
        name=model,
        square=False,
        named=_NAMED,
        order=sorted(range(len(points)), key=lambda at: -abs(distances[at])),
        line=None if line is None else (line.intercept, line.slope),
    )


def items_of(result: BenchmarkResult, model: str) -> pd.DataFrame:
    """The rows of the detail of a model. Raises OptionError for one the result does not hold."""
    detail = result.detail
    held = [str(name) for name in detail["model"].unique()]
    if model not in held:
        raise OptionError(f"The result holds no model {model}; it holds {', '.join(held)}.")
    return detail[detail["model"] == model]


def is_compared(result: BenchmarkResult) -> bool:
    """Whether items are two things held against each other, and not numbers of their own."""
    return bool(result.detail["value_second"].notna().any())


def unit_of(result: BenchmarkResult, model: str) -> str:
    """The unit of a model's numbers with a space before it; empty for probabilities, which have none."""
    unit = (
        "nats" if _is_causal(result, model) else result.unit
    )  # a causal model is compared by log likelihoods, whatever the option
    return f" {unit}" if unit else ""


def _is_causal(result: BenchmarkResult, model: str) -> bool:
    return any(info.name == model and info.kind == "causal" for info in result.provenance.models)


def _upright(theme: Theme, first: str, second: str, causal: bool) -> str:
    """The title of the upright axis, turned: its arrows point down and up."""
    how = " of the sentence" if causal else ""
    low, high = (
        f'<span style="color:{theme.words[at]}"><b>{literal(text)}</b></span>'
        for at, text in ((1, f"◀ {second}"), (0, f"{first} ▶"))
    )
    return f"{low}  ·  ln P({literal(first)}) − ln P({literal(second)}){how}, nats  ·  {high}"


def _step(values: np.ndarray) -> float:
    """The width of a bin by Freedman and Diaconis, made round, and so wide that ``MOST_BINS`` are enough."""
    low, high = np.quantile(values, (0.25, 0.75))
    reach = float(np.abs(values).max()) or _LEAST
    width = max(2 * float(high - low) / len(values) ** (1 / 3), 2 * reach / MOST_BINS)
    decade = 10.0 ** math.floor(math.log10(width))
    return next(factor * decade for factor in _STEPS if factor * decade >= width * (1 - 1e-9))


def _caption(result: BenchmarkResult, model: str, values: Sequence[float] | np.ndarray, compared: bool) -> str:
    n = len(values)
    text = f"{model}, n = {n:,} {result.rows}"
    if not compared:
        return text
    above, below = (int((np.asarray(values) * sign > 0).sum()) for sign in (1, -1))
    ties = n - above - below
    return text + f": {above:,} right of the line, {below:,} left" + (f", {ties:,} on it" if ties else "")


def _axis_title(result: BenchmarkResult, unit: str, compared: bool, theme: Theme) -> str:
    end = f",{unit}" if unit else ""
    what = f"{result.sides[0]} − {result.sides[1]}" if compared else result.measures[0].title
    return shorten(what, theme.width - _LEFT - _RIGHT - text_width(end, SMALL_SIZE), SMALL_SIZE) + end


def _number(value: float, sign: bool) -> str:
    return signed(value) if sign else fixed(value)
