"""The figures of a benchmark: its rates, the items behind them, and occupations against their share of women."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ...charts.key import Mark, legend_entries, model_marks, write
from ...charts.rows import ABOVE, finite
from ...charts.scale import most_ticks, tick_texts, ticks, ticks_between
from ...charts.scatter import Point, Scale, point_chart
from ...charts.text import literal, sentence_lines, shorten, text_width, wrap
from ...charts.theme import BOLD, SMALL_SIZE, Theme, template
from ...errors import NothingToScore, OptionError
from ...report.numbers import counted, fixed, short, signed
from .benchmark import Benchmark, Measure
from .result import DIFFERENCES, ITEMS, MEASURES, OCCUPATIONS, BenchmarkResult
from .summary import ALL

MOST_BINS = 100

_LABELS = 132  # pixels, as all that follows
_SLOT, _PADDING, _APART = 16, 8, 10
_LINE = 16
_AXIS = 28
_MARKER = 10
_LEFT = 4
_SYMBOL = 60  # of the legend, with the space around it
_PAD = 1.08  # of the furthest end from the neutral value
_LEAST = 0.1  # of the measure's range, or in its unit where it has none; the scale never shows less on a side

# Of the histogram, in pixels.
_BIN_LEFT, _BIN_RIGHT, _BIN_BELOW = 48, 12, 58
_PLOT = 240
_BAR = 0.92  # of a bin
_STEPS = (1, 2, 5, 10)
_NAMED = 14  # occupations

Row = Mapping[Hashable, object]


@dataclass(frozen=True)
class _Band:
    """One part of the data, ``top`` pixels down: a line for each model that was asked, below ``label`` pixels."""

    name: str
    top: float
    lines: tuple[Row, ...]
    label: float

    @property
    def bottom(self) -> float:
        return self.top + self.label + _SLOT * len(self.lines) + _PADDING

    def at(self, slot: int) -> float:
        """The height of a line."""
        return self.top + self.label + _PADDING / 2 + _SLOT * (slot + 0.5)


def draw(result: BenchmarkResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the first measure of one model."""
    return rates(result, theme=theme, measure=result.of(MEASURES, model)["measure"].iloc[0], model=model)


def _rows_of(result: BenchmarkResult, measure: str, model: str) -> tuple[Measure, list[Row]]:
    """The scale of a measure and its rows, of one model or of all."""
    names = [scale.id for scale in result.scales]
    if measure not in names:
        raise OptionError(f"The result holds no measure {measure}; it holds {', '.join(names)}.")
    table = result.of(MEASURES, model) if model else result[MEASURES]
    rows: list[Row] = list(table[table["measure"] == measure].to_dict("records"))
    shown = result.scale(measure)
    if all(finite(row["value"]) is None for row in rows):
        raise NothingToScore(f"{shown.title} has no value; the list below says why.")
    return shown, rows


def rates(result: BenchmarkResult, *, theme: Theme, measure: str, model: str = "") -> go.Figure:
    """One measure of a benchmark: a row for all of the data, then each of its parts, a mark for each model.

    ``model`` leaves that one alone in the figure.

    Thin lines are 95 % intervals; value, n and the number of ties stand at the right. The upright line is the neutral
    value, where neither side is preferred; above the chart stands what either side of it means. A mark whose interval
    includes the neutral value, or that has none, is hollow. A mark's ``customdata`` is (model, bias type).

    Raises OptionError for a measure the result does not have or too many models, NothingToScore where it has no value.
    """
    shown, rows = _rows_of(result, measure, model)
    marks = model_marks(theme, list(dict.fromkeys(str(row["model"]) for row in rows)))
    bands = _stack(rows, ABOVE if theme.is_narrow else 0)
    total = bands[-1].bottom
    low, high = _span(shown, rows)
    numbers = {id(line): _numbers(shown, line) for band in bands for line in band.lines}
    widest = max(text_width(_shown(band.name), SMALL_SIZE * BOLD) for band in bands)
    left = 2 * _LEFT if theme.is_narrow else round(min(_LABELS, widest)) + 12
    room = theme.width - left if theme.is_narrow else _LABELS
    labels = [_label(band.name, room) for band in bands]
    right = round(max(text_width(text, SMALL_SIZE) for text in numbers.values())) + _MARKER + 6
    heads = _heads(shown, theme)
    neutral_line = _LINE if shown.neutral is not None else 0
    top = _LINE * len(heads) + neutral_line + 12
    below = _below(result, shown, theme)
    bottom = _AXIS + _LINE * len(below) + 8
    positions = ticks_between(low, high)
    unit = " %" if shown.unit == "%" else ""
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + total + bottom),
            "margin": {"l": left, "r": right, "t": top, "b": bottom},
            "xaxis": {
                "range": [low, high],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions, sign=shown.unit in ("nats", "r"), unit=unit),
            },
            "yaxis": {
                "range": [total, 0],
                "tickmode": "array",
                "tickvals": [(band.top + band.bottom) / 2 for band in bands],
                "ticktext": ["" if theme.is_narrow else label for label in labels],
                "tickfont": {"size": SMALL_SIZE, "color": theme.ink},
                "ticklabelstandoff": 5,
                "showgrid": False,
            },
        }
    )
    if theme.is_narrow:
        for band, label in zip(bands, labels, strict=True):
            write(figure, label, theme.ink, SMALL_SIZE, y=band.top + ABOVE / 2 + 2, xshift=_LEFT - left)
    if shown.neutral is not None:
        figure.add_shape(
            type="line", x0=shown.neutral, x1=shown.neutral, y0=0, y1=1, yref="paper", layer="below",
            line={"color": theme.muted, "width": 1.5},
        )  # fmt: skip
        at = {"x": shown.neutral, "xref": "x", "xanchor": "center", "y": 1, "yref": "paper", "yanchor": "bottom"}
        write(figure, neutral_text(shown), theme.muted, SMALL_SIZE, **at, yshift=1)
    for model, mark in marks.items():
        _add_model(figure, result, shown, bands, model, mark, theme)
    for band in bands:
        for slot, line in enumerate(band.lines):
            y = band.at(slot)
            end = {"x": 1, "xref": "paper", "xanchor": "right", "xshift": right - 4, "y": y}
            write(figure, numbers[id(line)], theme.muted, SMALL_SIZE, **end)
            if finite(line["value"]) is None:
                why = _reason(result, line)
                place = {"x": 0, "xref": "paper", "xshift": 6, "y": y, "bgcolor": theme.paper}
                write(figure, "not computed", theme.muted, SMALL_SIZE, **place, hovertext=literal(why))
    if len(bands) > 1 and bands[0].name == ALL:
        y = (bands[0].bottom + bands[1].top) / 2
        figure.add_shape(
            type="line", x0=0, x1=1, xref="paper", y0=y, y1=y, line={"color": theme.zero, "width": 1}, layer="below"
        )
    text = "<br>".join(map(literal, heads))
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": neutral_line + 6, "align": "left"}
    write(figure, text, theme.ink, SMALL_SIZE, **above, xshift=_LEFT - left)
    under = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -_AXIS, "align": "left", "xshift": _LEFT - left}
    write(figure, "<br>".join(map(literal, below)), theme.muted, SMALL_SIZE, **under)
    room = theme.width - _SYMBOL
    legend_entries(
        figure, theme, [(mark.hue, mark.symbol, shorten(name, room, SMALL_SIZE)) for name, mark in marks.items()]
    )
    return figure


def written(measure: Measure, value: float) -> str:
    """A value of a measure with its unit's sign and decimals: "56.2 %", "+0.72", "1.25"."""
    if measure.unit == "%":
        return f"{fixed(value, 1)} %"
    return signed(value) if measure.unit in ("nats", "r") else fixed(value)


def neutral_text(measure: Measure) -> str:
    """The neutral value without needless decimals: "50 %", "0"."""
    number = "" if measure.neutral is None else short(measure.neutral)
    return f"{number}{' %' if measure.unit == '%' else ''}"


def interval_text(measure: Measure, low: float, high: float) -> str:
    """An interval in the measure's decimals: "53.7 to 58.7"."""
    return " to ".join(written(measure, end).removesuffix(" %") for end in (low, high))


def ties_text(line: Row) -> str:
    """How many ties lie in a rate of preference: "3 ties"; empty where the measure is no such rate."""
    ties = finite(line["ties"])
    return "" if ties is None else "no ties" if ties == 0 else counted(ties, "tie")


def _stack(rows: Sequence[Row], label: float) -> list[_Band]:
    """The bands from top to bottom: all first and apart, then the others in the order of the data."""
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(str(row["bias_type"]), []).append(row)
    bands: list[_Band] = []
    y = 0.0
    for name in sorted(grouped, key=lambda name: name != ALL):
        bands.append(_Band(name, y, tuple(grouped[name]), label))
        y = bands[-1].bottom + (_APART if name == ALL and len(grouped) > 1 else 0)
    return bands


def _span(measure: Measure, rows: Sequence[Row]) -> tuple[float, float]:
    """The axis: as far on both sides of the neutral value as anything reaches; without one, from bound to bound."""
    ends = [end for row in rows for name in ("value", "ci_low", "ci_high") if (end := finite(row[name])) is not None]
    lowest, highest = measure.lowest, measure.highest
    if measure.neutral is None:
        low = min(0.0, *ends) if lowest is None else lowest
        return low, (_PAD * max(_LEAST, *ends) if highest is None else highest)
    least = _LEAST if lowest is None or highest is None else _LEAST * (highest - lowest)
    half = _PAD * max([least, *(abs(end - measure.neutral) for end in ends)])
    low, high = measure.neutral - half, measure.neutral + half
    return (low if lowest is None else max(low, lowest)), (high if highest is None else min(high, highest))


def _heads(measure: Measure, theme: Theme) -> list[str]:
    """What a value on either side means, in lines that a narrow page holds."""
    above, below = "higher", "lower"
    if measure.neutral is not None:
        above, below = f"above {neutral_text(measure)}", f"below {neutral_text(measure)}"
    found = []
    for arrow, word, meaning in (("▶", above, measure.above), ("◀", below, measure.below)):
        if meaning:
            found += sentence_lines(f"{arrow} {word}: {meaning}", theme.width - 2 * _LEFT, SMALL_SIZE)
    return found


def _below(result: BenchmarkResult, measure: Measure, theme: Theme) -> list[str]:
    text = f"{result.benchmark.title_of(measure)}. Thin lines: {measure.interval}."
    if measure.neutral is not None:
        text += f" Hollow: the interval includes {neutral_text(measure)}, or there is none."
    return sentence_lines(text, theme.width - 2 * _LEFT, SMALL_SIZE)


def _shown(name: str) -> str:
    return name.replace("_", " ")


def _label(name: str, room: float) -> str:
    text = literal(shorten(_shown(name), room, SMALL_SIZE * BOLD))
    return f"<b>{text}</b>" if name == ALL else text


def _numbers(measure: Measure, line: Row) -> str:
    """Value and n of a line, at the right of the chart."""
    value, n = finite(line["value"]), finite(line["n"])
    count = ", ".join(filter(None, ("" if n is None else f"n = {n:,.0f}", ties_text(line))))
    return count if value is None else f"{written(measure, value)}  {count}"


def _reason(result: BenchmarkResult, line: Row) -> str:
    found = [
        item.why
        for item in result.excluded
        if item.kind == "statistic"
        and (item.model, item.test, item.group) == (line["model"], line["measure"], line["bias_type"])
    ]
    return "; ".join(dict.fromkeys(found))


def _add_model(
    figure: go.Figure,
    result: BenchmarkResult,
    measure: Measure,
    bands: Sequence[_Band],
    model: str,
    mark: Mark,
    theme: Theme,
) -> None:
    drawn = [
        (band, band.at(slot), line, value, finite(line["ci_low"]), finite(line["ci_high"]))
        for band in bands
        for slot, line in enumerate(band.lines)
        if line["model"] == model and (value := finite(line["value"])) is not None
    ]
    whole = [(y, low, high) for _, y, _, _, low, high in drawn if low is not None and high is not None]
    figure.add_scatter(
        name="95 % interval",
        showlegend=False,
        x=[x for _, low, high in whole for x in (low, high, None)],
        y=[at for y, _, _ in whole for at in (y, y, None)],
        mode="lines",
        line={"color": mark.hue, "width": 1.4},
        hoverinfo="skip",
    )
    hollow = [measure.neutral is not None and not line["clear"] for _, _, line, *_ in drawn]
    hovers = []
    for band, _, line, value, low, high in drawn:
        interval = "" if low is None or high is None else f", 95 % interval {interval_text(measure, low, high)}"
        n, ties = finite(line["n"]), ties_text(line)
        hovers.append(
            f"<b>{literal(model)}</b><br>{literal(band.name)}<br>{written(measure, value)}{interval}"
            + ("" if n is None else f"<br>n = {n:,.0f} {literal(result.benchmark.items)}")
            + (f", {ties}" if ties else "")
        )
    figure.add_scatter(
        name=model,
        showlegend=False,
        x=[value for _, _, _, value, _, _ in drawn],
        y=[y for _, y, *_ in drawn],
        mode="markers",
        customdata=[[model, band.name] for band, *_ in drawn],
        marker={
            "symbol": mark.symbol,
            "size": _MARKER,
            "opacity": 1,
            "color": [theme.paper if empty else mark.hue for empty in hollow],
            "line": {"color": mark.hue, "width": 1.6},
        },
        # Plotly would fade the others after a click; hollow and filled have to stay what they are.
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=hovers,
    )


def differences(result: BenchmarkResult, *, theme: Theme, model: str) -> go.Figure:
    """How many items have which difference, first − second, as a histogram around the line where neither is preferred.

    Right is positive: the first is preferred. Bins end at 0, so that none holds both sides; ties are counted in the
    caption and in no bar. Where nothing is compared, the items' own numbers, in the unit of the first measure.

    Raises OptionError for a model the result does not hold.
    """
    _check_model(result, model)
    benchmark, compared = result.benchmark, result.is_compared
    spread = result.of(DIFFERENCES, model).iloc[0]
    values = result.of(ITEMS, model)["difference"].to_numpy(dtype=np.float64)
    binned = values[values != 0] if compared else values
    step = _step(values)
    bins = np.floor(binned / step).astype(int)
    places, counts = np.unique(bins, return_counts=True)
    unit = f" {spread['unit']}" if spread["unit"] else ""
    reach = max(step, float(np.abs(values).max()))
    half = step * math.ceil(reach / step + 1e-9)
    low, high = (-half, half) if compared else (min(0.0, step * float(places.min())), half)
    heads = sentence_lines(_caption(benchmark, spread, compared), theme.width - 16, SMALL_SIZE)
    wide = theme.width - _BIN_LEFT - _BIN_RIGHT
    room = wide / 2 - 8
    sides = (f"{benchmark.sides[0]} ▶", f"◀ {benchmark.sides[1]}")
    phrases = [wrap(side, room, SMALL_SIZE * BOLD, 2) for side in sides]
    words = max(map(len, phrases)) if compared else 0
    top = _LINE * (len(heads) + words) + 14
    positions = ticks(half * 0.96, most_ticks(wide / 2, 3)) if compared else ticks_between(low, high)
    most = int(counts.max()) if len(counts) else 1
    upright = [at for at in ticks_between(0, most * 1.06) if at == int(at)]
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + _PLOT + _BIN_BELOW,
            "margin": {"l": _BIN_LEFT, "r": _BIN_RIGHT, "t": top, "b": _BIN_BELOW},
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
                "title": {"text": literal(benchmark.rows), "standoff": 6},
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
            f"<b>{count:,} of the {literal(benchmark.rows)}</b><br>{_number(start, compared)} to "
            f"{_number(start + step, compared)}{literal(unit)}"
            for start, count in zip(starts.tolist(), counts.tolist(), strict=True)
        ],
    )
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    lines = "<br>".join(map(literal, heads))
    shift = {"yshift": _LINE * words + 8, "xshift": 8 - _BIN_LEFT}
    write(figure, lines, theme.muted, SMALL_SIZE, **above, **shift, align="left")
    if compared:
        figure.add_vline(x=0, line={"color": theme.ink, "width": 1.5})
        for sign, phrase in zip((1, -1), phrases, strict=True):
            text = "<br>".join(f"<b>{literal(line)}</b>" for line in phrase)
            side = {"xanchor": "left", "align": "left"} if sign > 0 else {"xanchor": "right", "align": "right"}
            place = {"x": 0.5, "xshift": 6 * sign, "yshift": 4, **side}
            write(figure, text, theme.ink, SMALL_SIZE, **above, **place)
    return figure


def occupations(result: BenchmarkResult, *, theme: Theme, model: str) -> go.Figure:
    """Mean ln P(he) − ln P(she) of each occupation (nats) against its percentage of women, with the line through them.

    Up is positive: he is more probable. The caption holds Pearson's r and n; too few occupations have no line. Those
    with the largest residuals are named where there is room. ``customdata`` of a point is (occupation,).

    Raises OptionError for a result without occupations or without the model, NothingToScore where there is no point.
    """
    benchmark = result.benchmark
    if benchmark.occupations is None:
        raise OptionError(f"{benchmark.title} has no occupations with their percentage of women.")
    _check_model(result, model)
    rows = result.of(OCCUPATIONS, model).dropna(subset="percent_women")
    if rows.empty:
        raise NothingToScore("No occupation has both a difference and a percentage of women.")
    half = 1.12 * max(_LEAST, float(rows["difference"].abs().max()))
    marks = ticks(half, 4)
    percents = [(float(at), f"{at} %") for at in range(0, 101, 25)]
    distances = rows["residual"].where(rows["residual"].notna(), rows["difference"]).abs().tolist()
    return point_chart(
        [_occupation(theme, row) for row in rows.to_dict("records")],
        Scale(0, 100, tuple(percents), "women in the occupation"),
        Scale(
            -half,
            half,
            tuple(zip(marks, tick_texts(marks), strict=True)),
            _upright(theme, *benchmark.sides, _is_causal(result, model)),
        ),
        theme=theme,
        caption=[model, _correlation(result, model)],
        name=model,
        square=False,
        named=_NAMED,
        order=sorted(range(len(rows)), key=lambda at: -distances[at]),
        line=_line(rows.dropna(subset="fitted")),
    )


def _occupation(theme: Theme, row: Row) -> Point:
    name, x, y, residual = (
        str(row["occupation"]),
        *(finite(row[key]) for key in ("percent_women", "difference", "residual")),
    )
    assert x is not None
    assert y is not None
    hover = f"<b>{literal(name)}</b><br>{fixed(x, 1)} % women<br>{signed(y)} nats"
    if residual is not None:
        hover += f"<br>residual {signed(residual)} nats"
    return Point(name, x, y, theme.neutral if y == 0 else theme.groups[0 if y > 0 else 1], hover, (name,))


def _correlation(result: BenchmarkResult, model: str) -> str:
    """Pearson's r and n of the points, and whether they are too few for a verdict; or why there is no r."""
    correlations = [scale.id for scale in result.scales if scale.unit == "r"]
    rows = result.of(MEASURES, model)
    row = rows[rows["measure"].isin(correlations)].to_dict("records")[0]
    value = finite(row["value"])
    if value is None:
        return _reason(result, row)
    few = "" if finite(row["ci_low"]) is not None else ": too few to say"
    return f"Pearson r = {signed(value)}, n = {row['n']:,}{few}"


def _line(rows: pd.DataFrame) -> tuple[float, float] | None:
    """Intercept and slope of the line that the fitted values lie on; None where there are none."""
    if rows.empty:
        return None
    ordered = rows.sort_values("percent_women")
    (left, *_, right), (start, *_, end) = (ordered[column].tolist() for column in ("percent_women", "fitted"))
    slope = (end - start) / (right - left)
    return start - slope * left, slope


def _check_model(result: BenchmarkResult, model: str) -> None:
    if model not in result.models:
        raise OptionError(f"The result holds no model {model}; it holds {', '.join(result.models)}.")


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


def _caption(benchmark: Benchmark, spread: pd.Series[Any], compared: bool) -> str:
    text = f"{spread['model']}, n = {spread['n']:,} {benchmark.rows}"
    if not compared:
        return text
    ties = f", {spread['equal']:,} on it" if spread["equal"] else ""
    return f"{text}: {spread['above']:,} right of the line, {spread['below']:,} left{ties}"


def _axis_title(result: BenchmarkResult, unit: str, compared: bool, theme: Theme) -> str:
    end = f",{unit}" if unit else ""
    first, second = result.benchmark.sides
    what = f"{first} − {second}" if compared else result.scales[0].title
    return shorten(what, theme.width - _BIN_LEFT - _BIN_RIGHT - text_width(end, SMALL_SIZE), SMALL_SIZE) + end


def _number(value: float, sign: bool) -> str:
    return signed(value) if sign else fixed(value)
