"""Which heads keep their gender when the sentence is swapped: a grid of layers and heads for each model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.charts.heat import answering_cells, blend, write_in_cells
from core.charts.key import MOST_MODELS, key_lines, write
from core.charts.rows import finite
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore, OptionError
from core.measures.attention.result import AttentionResult
from core.report.numbers import head_name, share, signed

MAPS = "attention"
LETTERS = {1: "M", -1: "F"}  # of the words a biased head turns to, so that a grey print tells them apart
HOLE = "×"

_LEFT, _RIGHT, _GAP = 40, 10, 44  # pixels, as all that follows
_LINE, _TITLE, _BELOW = 17, 24, 44  # of the key above all panels, above each row of them, below each row
_ROW = 24
_LEAST_ROW = 14
_TALLEST = 420  # of a panel
_NUMBER_SIZE = SMALL_SIZE - 2
_NARROWEST = 12  # of a cell beside another panel; narrower ones get the whole width
_SMALLEST = 0.1  # of a degree; the scale never shows less


@dataclass(frozen=True, eq=False)
class _Grid:
    """One model's heads: arrays [layer, head]; ``toward`` is 1 male, −1 female, 0 neither."""

    model: str
    degree: np.ndarray
    toward: np.ndarray
    hover: list[list[str]]


def head_grid(result: AttentionResult, *, theme: Theme, selected: tuple[str, int, int] | None = None) -> go.Figure:
    """Degree of each of the models' own heads, one panel a model, all on one scale.

    A head with a degree above 0 turns to the same gender in the sentence and in its twin: it has the hue of that
    gender, male that of group 1 and female that of group 2, the stronger the higher, and its letter, M or F. Below 0
    it follows the swap and is grey. A head without a degree is a hole. Degrees are printed where they fit, else the
    letters alone. ``selected`` (model, layer, head) is framed. A cell's ``customdata`` is (model, layer, head), as
    text.

    Raises NothingToScore where no head has a degree, OptionError for more models than can be told apart.
    """
    rows = result.summary[result.summary["kind"] == MAPS]
    grids = [_grid(str(model), own) for model, own in rows.groupby("model", sort=False)]
    if not any(np.isfinite(grid.degree).any() for grid in grids):
        raise NothingToScore("No head has a degree; the list of exclusions says why.")
    if len(grids) > MOST_MODELS:
        raise OptionError(f"The chart holds {MOST_MODELS} models; the result has {len(grids)}.")
    most = max(_SMALLEST, *(float(np.nanmax(np.abs(grid.degree))) for grid in grids if np.isfinite(grid.degree).any()))
    plot = theme.width - _LEFT - _RIGHT
    narrowest = (plot - _GAP) / 2 / max(grid.degree.shape[1] for grid in grids)
    across = 2 if len(grids) > 1 and narrowest >= _NARROWEST else 1
    starts = range(0, len(grids), across)
    width = (plot - _GAP * (across - 1)) / across
    layers = max(len(grid.degree) for grid in grids)
    row = max(_LEAST_ROW, min(_ROW, _TALLEST / layers))
    # A line of panels is as high as its deepest model; ``tops`` are where their cells begin.
    heights = [row * max(len(grid.degree) for grid in grids[first : first + across]) for first in starts]
    tops = [sum(heights[:line]) + line * (_TITLE + _BELOW) + _TITLE for line in range(len(heights))]
    inner = tops[-1] + heights[-1]
    key = _key(theme, most, holes=any(np.isnan(grid.degree).any() for grid in grids))
    top = _LINE * len(key) + _TITLE + 4
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + inner + _BELOW),
            "margin": {"l": _LEFT, "r": _RIGHT, "t": top, "b": _BELOW},
        }
    )
    for at, grid in enumerate(grids):
        left = (at % across) * (width + _GAP) / plot
        bottom = 1 - (tops[at // across] + row * len(grid.degree)) / inner
        domain = ((left, min(1.0, left + width / plot)), (max(0.0, bottom), bottom + row * len(grid.degree) / inner))
        _panel(figure, theme, grid, at, domain, most, width, row)
        title = f"<b>{literal(shorten(grid.model, width, SMALL_SIZE * BOLD))}</b>"
        place = {"x": left, "y": domain[1][1], "yref": "paper", "yanchor": "bottom", "yshift": 4}
        write(figure, title, theme.ink, SMALL_SIZE, **place)
        if selected is not None and selected[0] == grid.model:
            _frame(figure, theme, at, selected[1], selected[2])
    write(
        figure,
        "<br>".join(key),
        theme.ink,
        SMALL_SIZE,
        y=1,
        yref="paper",
        yanchor="bottom",
        yshift=24,
        xshift=-_LEFT + 4,
        align="left",
    )
    return figure


def _key(theme: Theme, most: float, *, holes: bool) -> list[str]:
    """What the hues mean, in lines that the page holds."""
    entries = [
        (theme.groups[0], "■", f"M to male words in both: biased, 0 to {signed(most)}"),
        (theme.groups[1], "■", f"F to female words in both: biased, 0 to {signed(most)}"),
        (theme.neutral, "■", f"follows the swap, 0 to {signed(-most)}"),
    ]
    if holes:
        entries.append((theme.ink, HOLE, "attends to neither: undefined"))
    return key_lines(theme, entries)


def _grid(model: str, rows: pd.DataFrame) -> _Grid:
    layers, heads = int(rows["layer"].max()) + 1, int(rows["head"].max()) + 1
    degree, toward = np.full((layers, heads), np.nan), np.zeros((layers, heads))
    hover = [[""] * heads for _ in range(layers)]
    for row in rows.to_dict("records"):
        layer, head = int(row["layer"]), int(row["head"])
        value = finite(row["degree"])
        degree[layer, head] = np.nan if value is None else value
        toward[layer, head] = {"male": 1, "female": -1}.get(str(row["direction"]), 0)
        hover[layer][head] = _hover(model, row, value)
    return _Grid(model, degree, toward, hover)


def _hover(model: str, row: dict[Any, Any], degree: float | None) -> str:
    name = f"<b>{literal(model)}, {head_name(row['layer'], row['head'])}</b>"
    if degree is None:
        return f"{name}<br>no attention to either gender: undefined"
    said = (
        f"to {row['direction']} words in both" if degree > 0 and row["direction"] != "neither" else "follows the swap"
    )
    return (
        f"{name}<br>degree {signed(degree, 3)}: {said}<br>bias {signed(row['bias'], 3)}, of the twin "
        f"{signed(row['bias_swapped'], 3)}<br>attention to male words {share(row['t_male'])}, to female words "
        f"{share(row['t_female'])}"
    )


def _panel(
    figure: go.Figure,
    theme: Theme,
    grid: _Grid,
    at: int,
    domain: tuple[tuple[float, float], tuple[float, float]],
    most: float,
    width: float,
    row: float,
) -> None:
    axis = "" if at == 0 else str(at + 1)
    layers, heads = grid.degree.shape
    biased = np.where((grid.degree > 0) & (grid.toward != 0), grid.degree * grid.toward, np.nan)
    follows = np.where(np.isnan(biased), grid.degree, np.nan)
    male, female = theme.groups[:2]
    cell = {"xaxis": f"x{axis}", "yaxis": f"y{axis}", "xgap": 1, "ygap": 1, "hoverinfo": "skip", "showscale": False}
    for values, scale, low, high in (
        (follows, [[0, theme.neutral], [1, theme.paper]], -most, 0.0),
        (biased, [[0, female], [0.5, theme.paper], [1, male]], -most, most),
    ):
        figure.add_heatmap(z=_plain(values), zmin=low, zmax=high, colorscale=scale, **cell)
    places = [(layer, head) for layer in range(layers) for head in range(heads)]
    answering_cells(
        figure,
        axis,
        grid.model,
        places,
        min(row, width / heads),
        [[grid.model, str(layer), str(head)] for layer, head in places],
        [grid.hover[layer][head] for layer, head in places],
    )
    texts = dict(zip(places, _texts(grid, places, width / heads, row), strict=True))
    cells = {place: (text, _ground(theme, grid, place, most)) for place, text in texts.items()}
    write_in_cells(figure, theme, axis, _NUMBER_SIZE, cells)
    figure.layout[f"xaxis{axis}"] = {
        **_axis(figure, [f"H{head}" for head in range(heads)], width / heads, 30),
        "domain": domain[0],
        "anchor": f"y{axis}",
        "range": [-0.5, heads - 0.5],
    }
    figure.layout[f"yaxis{axis}"] = {
        **_axis(figure, [f"L{layer}" for layer in range(layers)], row, 14),
        "domain": domain[1],
        "anchor": f"x{axis}",
        "range": [layers - 0.5, -0.5],
    }


def _texts(grid: _Grid, places: Sequence[tuple[int, int]], width: float, row: float) -> list[str]:
    """The letter and the degree, or the letter alone, or nothing, as every cell of the panel has room for."""
    letters, numbers = [], []
    for place in places:
        degree = float(grid.degree[place])
        letter = LETTERS.get(int(grid.toward[place]), "") if degree > 0 else ""
        letters.append(HOLE if np.isnan(degree) else letter)
        numbers.append(HOLE if np.isnan(degree) else f"{letter} {signed(degree)}".strip())
    for texts in (numbers, letters):
        if max(text_width(text, _NUMBER_SIZE) for text in texts) + 2 <= width and row > _NUMBER_SIZE:
            return texts
    return [""] * len(places)


def _ground(theme: Theme, grid: _Grid, place: tuple[int, int], most: float) -> str:
    """The colour of a cell."""
    degree, toward = float(grid.degree[place]), int(grid.toward[place])
    if not np.isfinite(degree):
        return theme.paper
    if degree > 0 and toward:
        return blend(theme.paper, theme.groups[0 if toward > 0 else 1], degree / most)
    return blend(theme.paper, theme.neutral, abs(min(degree, 0.0)) / most)


def _axis(figure: go.Figure, names: Sequence[str], pixels: float, room: float) -> dict[str, Any]:
    step = max(1, int(np.ceil(room / pixels)))
    shown = range(0, len(names), step)
    plain: dict[str, Any] = figure.layout.template.layout.xaxis.to_plotly_json()
    return {
        **plain,
        "tickmode": "array",
        "tickvals": list(shown),
        "ticktext": [names[at] for at in shown],
        "showgrid": False,
    }


def _plain(values: np.ndarray) -> list[list[float | None]]:
    return [[None if np.isnan(value) else round(value, 4) for value in row] for row in values.tolist()]


def _frame(figure: go.Figure, theme: Theme, at: int, layer: int, head: int) -> None:
    axis = "" if at == 0 else str(at + 1)
    figure.add_shape(
        type="rect",
        xref=f"x{axis}",
        yref=f"y{axis}",
        x0=head - 0.5,
        x1=head + 0.5,
        y0=layer - 0.5,
        y1=layer + 0.5,
        line={"color": theme.ink, "width": 2},
    )
