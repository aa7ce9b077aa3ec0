"""The figures of the effects of heads: the grid of heads, the largest effects, and effects against degrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ....charts.heat import answering_cells, blend, thinned_axis, write_in_cells
from ....charts.key import legend_entries
from ....charts.rows import Bar, choose, finite
from ....charts.scale import tick_texts, ticks_between
from ....charts.scatter import Point, Scale, plot_width, point_chart
from ....charts.text import literal, sentence_lines, shorten, text_width
from ....charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, hue, template
from ....errors import NothingToScore
from ....report.numbers import head_name, interval, p_text, signed
from ....result import Contrast
from ....stats.samples import ALPHA, LEAST
from ...lpbs.figures import diverging_bars
from .result import EFFECT, CausesResult

MOST_ROWS = 16  # of the largest effects
_NAMED = 8  # points with a name
_LEFT, _RIGHT, _TOP, _BELOW = 40, 10, 8, 34  # pixels, as all that follows
_BOLD_LINE = 20
_ROW, _LEAST_ROW, _TALLEST = 26, 14, 460
_NUMBER = SMALL_SIZE - 2
_NAME = 130  # the longest name of a group
_SMALLEST = 0.1  # nats; a scale never shows less


def draw(result: CausesResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the heads of one model."""
    return effect_grid(result, model=model, theme=theme)


def effect_grid(
    result: CausesResult, *, model: str, theme: Theme, selected: tuple[int, int] | None = None
) -> go.Figure:
    """The effect of each head of a model in nats, layer by layer.

    A cell has the hue of the group that the effect moves towards, the stronger the larger; the sign is printed where a
    number has room. Bold: the adjusted p is below .05. ``selected`` (layer, head) is framed. A cell's ``customdata``
    is (model, layer, head), as text. Raises NothingToScore for a model without heads.
    """
    rows = result.heads_of(model)
    if rows.empty:
        raise NothingToScore(f"No head of {model} was measured; the list of exclusions says why.")
    layers, heads = int(rows["layer"].max()) + 1, int(rows["head"].max()) + 1
    values = rows["effect"].to_numpy(dtype=float).reshape(layers, heads)
    significant = (rows["p_adjusted"].to_numpy(dtype=float) < ALPHA).reshape(layers, heads)
    most = max(_SMALLEST, float(np.abs(values).max()))
    first, second = _hues(result, theme)
    below = _BELOW + (_BOLD_LINE if significant.any() else 0)
    height = max(_LEAST_ROW, min(_ROW, _TALLEST / layers))
    width = (theme.width - _LEFT - _RIGHT) / heads
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(height * layers + _TOP + below),
            "margin": {"l": _LEFT, "r": _RIGHT, "t": _TOP, "b": below},
        }
    )
    figure.add_heatmap(
        z=[[round(value, 4) for value in row] for row in values.tolist()],
        zmin=-most,
        zmax=most,
        colorscale=[[0, second], [0.5, theme.paper], [1, first]],
        xgap=1,
        ygap=1,
        hoverinfo="skip",
        showscale=False,
    )
    places = [(int(layer), int(head)) for layer, head in np.ndindex(layers, heads)]
    hovers = [_hover(row) for row in rows.to_dict("records")]
    data = [[model, str(layer), str(head)] for layer, head in places]
    answering_cells(figure, "", model, places, min(height, width), data, hovers)
    texts = [_cell_text(values[place], bool(significant[place])) for place in places]
    grounds = [
        blend(theme.paper, first if values[place] > 0 else second, abs(values[place]) / most) for place in places
    ]
    room = max(text_width(signed(values[place]), _NUMBER * BOLD) for place in places) + 2
    if room > width:
        texts = [_sign(values[place], most, bool(significant[place])) for place in places]
    if height > _NUMBER:
        cells = {place: (text, ground) for place, text, ground in zip(places, texts, grounds, strict=True)}
        write_in_cells(figure, theme, "", _NUMBER, cells)
    figure.update_xaxes(**thinned_axis([f"H{head}" for head in range(heads)], width, 30), range=[-0.5, heads - 0.5])
    figure.update_yaxes(**thinned_axis([f"L{layer}" for layer in range(layers)], height), range=[layers - 0.5, -0.5])
    if significant.any():
        figure.update_xaxes(title={"text": "bold: adjusted p below .05", "standoff": 6})
    if selected is not None:
        layer, head = selected
        corners = {"x0": head - 0.5, "x1": head + 0.5, "y0": layer - 0.5, "y1": layer + 0.5}
        figure.add_shape(type="rect", line={"color": theme.ink, "width": 2}, **corners)
    names = [shorten(group.name, _NAME, SMALL_SIZE) for group in result.spec.pair]
    legend_entries(
        figure,
        theme,
        [
            (first, "square", f"+ towards {names[0]}, up to {signed(most)} nats"),
            (second, "square", f"− towards {names[1]}, up to {signed(-most)} nats"),
        ],
    )
    return figure


def largest_effects(
    result: CausesResult, *, model: str, theme: Theme, selected: tuple[int, int] | None = None
) -> go.Figure:
    """The heads of a model with the largest effects, in nats, with their intervals over sentences.

    Right is positive: towards the first group. Those between are counted in one row. ``customdata`` of a bar is
    (head, model). Raises NothingToScore for a model without heads.
    """
    found = {bar.name: bar for bar in _bars(result, model)}
    if not found:
        raise NothingToScore(f"No head of {model} was measured; the list of exclusions says why.")
    chosen = None if selected is None else head_name(*selected)
    lean = {name: bar.value for name, bar in found.items()}
    rows = choose(lean, order="lean", limit=MOST_ROWS, highlight=chosen)
    shown = [found[row] for row in rows if isinstance(row, str)]
    first, second = result.spec.pair
    has_some = any(bar.interval for bar in shown)
    end = "thin line: 95 % interval over sentences" if has_some else f"no interval: fewer than {LEAST} sentences"
    return diverging_bars(
        found,
        rows,
        contrast=Contrast(first.name, second.name),
        groups=result.spec.pair,
        theme=theme,
        name=model,
        gap="heads between",
        directions=[
            (hue(theme.in_words, result.spec.pair, group.name), (f"towards {group.name}", group.name))
            for group in (second, first)
        ],
        caption=f"effect of the head, nats; {end}",
        highlight=chosen,
    )


def effect_against_degree(result: CausesResult, *, model: str, theme: Theme) -> go.Figure:
    """A point for each head of a model: Li's degree across, its effect in nats up, and their correlation above.

    A point has the hue of the group that the effect moves towards. ``customdata`` is (model, layer, head), as text.
    Raises NothingToScore where no head has both.
    """
    rows = result.heads_of(model).dropna(subset="degree")
    if rows.empty:
        raise NothingToScore(f"No head of {model} has a degree; the list of exclusions says why.")
    first, second = _hues(result, theme)
    points = [
        Point(
            head_name(row["layer"], row["head"]),
            float(row["degree"]),
            float(row["effect"]),
            first if row["effect"] > 0 else second,
            _hover(row),
            (model, str(row["layer"]), str(row["head"])),
        )
        for row in rows.to_dict("records")
    ]
    room = plot_width(theme)
    caption = [
        line
        for text in (_correlations(result, model), "Heads of a model depend on each other.")
        for line in sentence_lines(text, room, TEXT_SIZE)
    ]
    up = f"effect, nats (above 0: towards {shorten(result.spec.pair[0].name, _NAME, SMALL_SIZE)})"
    return point_chart(
        points,
        _scale([point.x for point in points], "degree (above 0: biased)", 0.05),
        _scale([point.y for point in points], literal(up), _SMALLEST),
        theme=theme,
        caption=caption,
        name="heads",
        square=False,
        named=_NAMED,
        order=sorted(range(len(points)), key=lambda at: -abs(points[at].y)),
    )


def _correlations(result: CausesResult, model: str) -> str:
    found = [
        (name, result.correlation(model, EFFECT, method))
        for name, method in (("Pearson r", "Pearson"), ("Spearman r", "Spearman"))
    ]
    said = [f"{name} = {signed(row['r'])}" for name, row in found if row is not None]
    n = next((f"n = {row['n']:.0f} heads" for _, row in found if row is not None), "")
    return ", ".join([*said, n]) if said else "No correlation: too few heads with a degree, or no variation."


def _bars(result: CausesResult, model: str) -> list[Bar]:
    bars = []
    for row in result.heads_of(model).to_dict("records"):
        low, high = finite(row["ci_low"]), finite(row["ci_high"])
        ends = None if low is None or high is None else (low, high)
        bars.append(Bar(head_name(row["layer"], row["head"]), float(row["effect"]), ends, _hover(row)))
    return bars


def _hover(row: dict[Any, Any]) -> str:
    lines = [
        f"<b>{literal(str(row['model']))}, {head_name(row['layer'], row['head'])}</b>",
        f"effect {signed(row['effect'], 3)} nats, n = {row['n']:,}",
    ]
    if pd.notna(row["ci_low"]):
        lines.append(f"{interval(row['ci_low'], row['ci_high'])}, {p_text(row['p_adjusted'])} adjusted")
    if pd.notna(row["direct"]):
        lines.append(f"direct effect {signed(row['direct'], 3)} nats")
    lines.append(f"degree {signed(row['degree'], 3)}" if pd.notna(row["degree"]) else "degree undefined")
    return "<br>".join(lines)


def _hues(result: CausesResult, theme: Theme) -> tuple[str, str]:
    first, second = (hue(theme, result.spec.pair, group.name) for group in result.spec.pair)
    return first, second


def _cell_text(value: float, is_significant: bool) -> str:
    return f"<b>{signed(value)}</b>" if is_significant else signed(value)


def _sign(value: float, most: float, is_significant: bool) -> str:
    """The sign alone, of an effect that can be seen."""
    if abs(value) < most / 20:
        return ""
    sign = "+" if value > 0 else "−"
    return f"<b>{sign}</b>" if is_significant else sign


def _scale(values: Sequence[float], title: str, least: float) -> Scale:
    low, high = min(0.0, *values), max(0.0, *values)
    middle, half = (low + high) / 2, max(high - low, least) / 2 * 1.16
    marks = ticks_between(middle - half, middle + half)
    return Scale(middle - half, middle + half, tuple(zip(marks, tick_texts(marks), strict=True)), title)
