"""Pictures of attention: the heads of models, the tokens of a sentence, the positions along a model, a corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ...charts.heat import answering_cells, blend, categories, thinned_axis, write_in_cells
from ...charts.key import MOST_MODELS, legend_entries, model_marks, show_legend, write
from ...charts.rows import finite
from ...charts.scale import percent_axis, signed_axis
from ...charts.text import literal, sentence_lines, shorten, text_width
from ...charts.theme import BOLD, SMALL_SIZE, Theme, template
from ...errors import NothingToScore, OptionError
from ...report.numbers import fixed, head_name, percent, position_name, share, signed
from .result import HEADS, MAPS, ORIGINAL, AttentionResult, SentenceMaps

HOLE = "×"
LETTERS = {1: "M", -1: "F"}  # of the words a biased head turns to, so that a grey print tells them apart
_LINE = SMALL_SIZE + 5  # pixels, as all that follows
_NUMBER_SIZE = SMALL_SIZE - 2
# A click chooses a point; plotly would fade the others.
_UNFADED: dict[str, Any] = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


def _columns(rows: pd.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(rows[name].tolist() for name in names), strict=True))


# The heads of models, layer by layer.

_PANEL_TITLE, _PANEL_AXIS, _PANEL_GAP = 24, 44, 44
_PANEL_LEFT, _PANEL_RIGHT = 40, 10
_PANEL_TALLEST = 420
_HEAD_ROW, _HEAD_LEAST_ROW = 24, 14
_HEAD_NARROWEST = 12  # of a cell beside another panel; narrower ones get the whole width
_SMALLEST_HEAD = 0.1  # of a degree; the scale never shows less


@dataclass(frozen=True, eq=False)
class _Heads:
    """One model's heads: arrays [layer, head]; ``toward`` is 1 male, −1 female, 0 neither."""

    model: str
    degree: np.ndarray
    toward: np.ndarray
    hover: list[list[str]]

    @property
    def places(self) -> list[tuple[int, int]]:
        """Every layer and head."""
        return list(np.ndindex(*self.degree.shape))


@dataclass(frozen=True)
class _Panel:
    """Where a model's heads stand: its axes, their parts of the figure, and the pixels of a cell."""

    axis: str
    x: tuple[float, float]
    y: tuple[float, float]
    column: float
    row: float


def draw(result: AttentionResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the heads of one model."""
    heads = result[HEADS]
    return head_grid(heads[heads["model"] == model], theme=theme)


def head_grid(heads: pd.DataFrame, *, theme: Theme, selected: tuple[str, int, int] | None = None) -> go.Figure:
    """Degree of each of the models' own heads, one panel a model, all on one scale.

    A head with a degree above 0 turns to the same gender in the sentence and in its twin: it has the hue of that
    gender, male that of group 1 and female that of group 2, the stronger the higher, and its letter, M or F. Below 0
    it follows the swap and is grey. A head without a degree is a hole. Degrees are printed where they fit, else the
    letters alone. ``selected`` (model, layer, head) is framed. A cell's ``customdata`` is (model, layer, head), as
    text.

    Parameters
    ----------
    heads : DataFrame
        The table ``heads`` of a result; detectors are not drawn.

    Raises
    ------
    NothingToScore
        Where no head has a degree.
    OptionError
        For more models than can be told apart.
    """
    rows = heads[heads["kind"] == MAPS]
    grids = [_heads(str(model), own) for model, own in rows.groupby("model", sort=False)]
    if not rows["degree"].notna().any():
        raise NothingToScore("No head has a degree; the list of exclusions says why.")
    if len(grids) > MOST_MODELS:
        raise OptionError(f"The chart holds {MOST_MODELS} models; the result has {len(grids)}.")
    most = max(_SMALLEST_HEAD, float(rows["degree"].abs().max()))
    panels, inner = _panels(grids, theme.width - _PANEL_LEFT - _PANEL_RIGHT)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(inner + _PANEL_TITLE + _PANEL_AXIS),
            "margin": {"l": _PANEL_LEFT, "r": _PANEL_RIGHT, "t": _PANEL_TITLE, "b": _PANEL_AXIS},
        }
    )
    entries = [
        (theme.groups[0], "square", f"M to male words in both: biased, 0 to {signed(most)}"),
        (theme.groups[1], "square", f"F to female words in both: biased, 0 to {signed(most)}"),
        (theme.neutral, "square", f"follows the swap, 0 to {signed(-most)}"),
    ]
    if rows["degree"].isna().any():
        entries.append((theme.ink, "x-thin-open", "attends to neither: undefined"))
    legend_entries(figure, theme, entries)
    for grid, panel in zip(grids, panels, strict=True):
        _draw_heads(figure, theme, grid, panel, most)
        title = f"<b>{literal(shorten(grid.model, panel.column * grid.degree.shape[1], SMALL_SIZE * BOLD))}</b>"
        place = {"x": panel.x[0], "y": panel.y[1], "yref": "paper", "yanchor": "bottom", "yshift": 4}
        write(figure, title, theme.ink, SMALL_SIZE, **place)
        if selected is not None and selected[0] == grid.model:
            _, layer, head = selected
            corners = {"x0": head - 0.5, "x1": head + 0.5, "y0": layer - 0.5, "y1": layer + 0.5}
            axes = {"xref": f"x{panel.axis}", "yref": f"y{panel.axis}"}
            figure.add_shape(type="rect", line={"color": theme.ink, "width": 2}, **corners, **axes)
    return figure


def _panels(grids: Sequence[_Heads], plot: float) -> tuple[list[_Panel], float]:
    """A panel for each model, one or two beside each other, with equally high cells; and the height of them all."""
    narrowest = (plot - _PANEL_GAP) / 2 / max(grid.degree.shape[1] for grid in grids)
    across = 2 if len(grids) > 1 and narrowest >= _HEAD_NARROWEST else 1
    width = (plot - _PANEL_GAP * (across - 1)) / across
    row = max(_HEAD_LEAST_ROW, min(_HEAD_ROW, _PANEL_TALLEST / max(len(grid.degree) for grid in grids)))
    # A line of panels is as high as its deepest model.
    lines = [grids[first : first + across] for first in range(0, len(grids), across)]
    heights = [row * max(len(grid.degree) for grid in line) for line in lines]
    between = _PANEL_TITLE + _PANEL_AXIS
    inner = sum(heights) + between * (len(lines) - 1)
    panels: list[_Panel] = []
    top = inner
    for line, height in zip(lines, heights, strict=True):
        for at, grid in enumerate(line):
            left = at * (width + _PANEL_GAP) / plot
            y = (max(0.0, (top - row * len(grid.degree)) / inner), top / inner)
            axis = str(len(panels) + 1) if panels else ""
            panels.append(_Panel(axis, (left, min(1.0, left + width / plot)), y, width / grid.degree.shape[1], row))
        top -= height + between
    return panels, inner


def _heads(model: str, rows: pd.DataFrame) -> _Heads:
    layers, heads = int(rows["layer"].max()) + 1, int(rows["head"].max()) + 1
    degree, toward = np.full((layers, heads), np.nan), np.zeros((layers, heads))
    hover = [[""] * heads for _ in range(layers)]
    for row in rows.to_dict("records"):
        layer, head = int(row["layer"]), int(row["head"])
        value = finite(row["degree"])
        degree[layer, head] = np.nan if value is None else value
        toward[layer, head] = {"male": 1, "female": -1}.get(str(row["direction"]), 0)
        hover[layer][head] = _head_hover(model, row, value)
    return _Heads(model, degree, toward, hover)


def _head_hover(model: str, row: dict[Any, Any], degree: float | None) -> str:
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


def _draw_heads(figure: go.Figure, theme: Theme, grid: _Heads, panel: _Panel, most: float) -> None:
    axis, (layers, heads) = panel.axis, grid.degree.shape
    biased = np.where((grid.degree > 0) & (grid.toward != 0), grid.degree * grid.toward, np.nan)
    follows = np.where(np.isnan(biased), grid.degree, np.nan)
    male, female = theme.groups[:2]
    for values, scale, low, high in (
        (follows, [[0, theme.neutral], [1, theme.paper]], -most, 0.0),
        (biased, [[0, female], [0.5, theme.paper], [1, male]], -most, most),
    ):
        figure.add_heatmap(
            z=[[None if np.isnan(value) else round(value, 4) for value in row] for row in values.tolist()],
            zmin=low,
            zmax=high,
            colorscale=scale,
            xaxis=f"x{axis}",
            yaxis=f"y{axis}",
            xgap=1,
            ygap=1,
            hoverinfo="skip",
            showscale=False,
        )
    answering_cells(
        figure,
        axis,
        grid.model,
        grid.places,
        min(panel.row, panel.column),
        [[grid.model, str(layer), str(head)] for layer, head in grid.places],
        [grid.hover[layer][head] for layer, head in grid.places],
    )
    texts = zip(grid.places, _head_texts(grid, panel), strict=True)
    write_in_cells(
        figure, theme, axis, _NUMBER_SIZE, {place: (text, _ground(theme, grid, place, most)) for place, text in texts}
    )
    figure.layout[f"xaxis{axis}"] = {
        **thinned_axis([f"H{head}" for head in range(heads)], panel.column, 30),
        "domain": panel.x,
        "anchor": f"y{axis}",
        "range": [-0.5, heads - 0.5],
    }
    figure.layout[f"yaxis{axis}"] = {
        **thinned_axis([f"L{layer}" for layer in range(layers)], panel.row),
        "domain": panel.y,
        "anchor": f"x{axis}",
        "range": [layers - 0.5, -0.5],
    }


def _head_texts(grid: _Heads, panel: _Panel) -> list[str]:
    """The letter and the degree, or the letter alone, or nothing, as every cell of the panel has room for."""
    letters, numbers = [], []
    for place in grid.places:
        degree = float(grid.degree[place])
        letter = LETTERS.get(int(grid.toward[place]), "") if degree > 0 else ""
        letters.append(HOLE if np.isnan(degree) else letter)
        numbers.append(HOLE if np.isnan(degree) else f"{letter} {signed(degree)}".strip())
    for texts in (numbers, letters):
        if max(text_width(text, _NUMBER_SIZE) for text in texts) + 2 <= panel.column and panel.row > _NUMBER_SIZE:
            return texts
    return [""] * len(grid.places)


def _ground(theme: Theme, grid: _Heads, place: tuple[int, int], most: float) -> str:
    """The colour of a cell."""
    degree, toward = float(grid.degree[place]), int(grid.toward[place])
    if not np.isfinite(degree):
        return theme.paper
    if degree > 0 and toward:
        return blend(theme.paper, theme.groups[0 if toward > 0 else 1], degree / most)
    return blend(theme.paper, theme.neutral, abs(min(degree, 0.0)) / most)


# Who attends to whom in a sentence.

_BESIDE = 14  # tokens up to which two maps stand beside each other, if their labels have room
_TOKEN_LABELS = 110
_TOKEN_TOP, _TOKEN_BELOW, _TOKEN_GAP, _TOKEN_RIGHT = 30, 14, 22, 8
_CAPTION = 2 * _LINE
_TOKEN_ROW, _TOKEN_TALLEST = 22, 620
_TOKEN_LEAST = 1.0  # of a row, in a sentence of hundreds of tokens
_TOKEN_NUMBER_SIZE = SMALL_SIZE - 1
_ROLE_LETTERS = {"male": " (M)", "female": " (F)"}  # told apart in a grey print too
_IMPORTANT = ("occupation", "male", "female")


def token_maps(pair: Sequence[SentenceMaps], *, layer: int, head: int, theme: Theme) -> go.Figure:
    """Attention [query, key] of one head in the sentence and in its twin, on one scale from the paper to the ink.

    A row is the token that attends, a column the one attended to. Male words have the hue of group 1 and an M, female
    words that of group 2 and an F, the occupation is bold; tokens that a model puts around a text are muted. Values are
    printed where they fit. Maps of long sentences stand below each other, and their labels thin out.

    Parameters
    ----------
    pair : sequence of SentenceMaps
        One model's maps of the sentence and of its twin.

    Raises
    ------
    OptionError
        For a layer or head the maps do not hold.
    """
    model, (layers, heads) = pair[0].model, pair[0].attention.shape[:2]
    if not (0 <= layer < layers and 0 <= head < heads):
        raise OptionError(
            f"{model} has layers 0 to {layers - 1} and heads 0 to {heads - 1}; no {head_name(layer, head)}."
        )
    tokens = max(len(maps.pieces) for maps in pair)
    labels = [
        piece + _ROLE_LETTERS.get(role, "")
        for maps in pair
        for piece, role in zip(maps.pieces, maps.roles, strict=True)
    ]
    left = round(min(_TOKEN_LABELS, max(text_width(label, SMALL_SIZE * BOLD) for label in labels))) + 12
    plot = theme.width - left - _TOKEN_RIGHT
    half = (plot - left - _TOKEN_GAP) / 2
    beside = tokens <= _BESIDE and half / tokens >= SMALL_SIZE
    width = half if beside else plot
    row = max(_TOKEN_LEAST, min(_TOKEN_ROW, _TOKEN_TALLEST / tokens))
    size = row * tokens
    inner = size if beside else 2 * size + left + _TOKEN_TOP + _TOKEN_BELOW
    below = left + _TOKEN_BELOW + _CAPTION
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_TOKEN_TOP + inner + below),
            "margin": {"l": left, "r": _TOKEN_RIGHT, "t": _TOKEN_TOP, "b": below},
        }
    )
    most = max(float(maps.attention[layer, head].max()) for maps in pair)
    for at, maps in enumerate(pair):
        start = at * (width + left + _TOKEN_GAP) / plot if beside else 0.0
        x = (start, min(1.0, start + width / plot))
        y = (0.0, 1.0) if beside else ((1 - size / inner, 1.0) if at == 0 else (0.0, size / inner))
        panel = _Panel("" if at == 0 else str(at + 1), x, y, width / tokens, row)
        _draw_tokens(figure, theme, maps, maps.attention[layer, head], panel, most)
        title = "the sentence" if maps.which == ORIGINAL else "its twin"
        place = {"x": x[0], "y": y[1], "yref": "paper", "yanchor": "bottom", "yshift": 6}
        write(figure, f"<b>{title}</b>", theme.ink, SMALL_SIZE, **place)
    caption = f", {head_name(layer, head)}: a row attends to the columns, from 0 (as the page) to {fixed(most)}"
    room = max(theme.width / 4, theme.width - text_width(caption, SMALL_SIZE) - 8)
    lines = sentence_lines(shorten(model, room, SMALL_SIZE) + caption, theme.width - 8, SMALL_SIZE)
    foot = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -(left + _TOKEN_BELOW - 4), "xshift": 4 - left}
    write(figure, "<br>".join(map(literal, lines)), theme.muted, SMALL_SIZE, **foot, align="left")
    return figure


def _draw_tokens(
    figure: go.Figure, theme: Theme, maps: SentenceMaps, attention: np.ndarray, panel: _Panel, most: float
) -> None:
    axis, names = panel.axis, categories(maps.pieces)
    figure.add_heatmap(
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        z=np.round(attention.astype(float), 4).tolist(),
        x=names,
        y=names,
        zmin=0,
        zmax=most,
        colorscale=[[0, theme.paper], [1, theme.ink]],
        showscale=False,
        # From the axes: a text for each of the 360,000 cells of a long sentence would freeze the page.
        hovertemplate="%{y} → %{x}<br><b>%{z:.4f}</b><extra></extra>",
    )
    if panel.column >= text_width("0.00", _TOKEN_NUMBER_SIZE) + 2 and panel.row >= SMALL_SIZE:
        texts = {
            (row, column): (fixed(value), blend(theme.paper, theme.ink, value / most))
            for row, line in enumerate(attention.tolist())
            for column, value in enumerate(line)
        }
        write_in_cells(figure, theme, axis, _TOKEN_NUMBER_SIZE, texts, (names, names))
    for name, other, pixels, angle in (("xaxis", "y", panel.column, -90), ("yaxis", "x", panel.row, 0)):
        shown = _named_tokens(maps.roles, max(1, math.ceil((SMALL_SIZE + 1) / pixels)))
        figure.layout[f"{name}{axis}"] = {
            "type": "category",
            "domain": panel.x if name == "xaxis" else panel.y,
            "anchor": f"{other}{axis}",
            "range": [-0.5, len(names) - 0.5] if name == "xaxis" else [len(names) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": shown,
            "ticktext": [_token_label(theme, maps.pieces[place], maps.roles[place]) for place in shown],
            "tickangle": angle,
            "tickfont": {"color": theme.ink},
            "ticklabelstandoff": 3,
            "showgrid": False,
        }


def _named_tokens(roles: Sequence[str], step: int) -> list[int]:
    """Places to name, ``step`` apart: the occupation first, then the words with a gender, then others."""
    ranked = [place for wanted in _IMPORTANT for place, role in enumerate(roles) if role == wanted]
    kept: list[int] = []
    for place in [*ranked, *range(len(roles))]:
        if all(abs(place - other) >= step for other in kept):
            kept.append(place)
    return sorted(kept)


def _token_label(theme: Theme, piece: str, role: str) -> str:
    letter = _ROLE_LETTERS.get(role, "")
    room = _TOKEN_LABELS - text_width(letter, SMALL_SIZE * BOLD)
    text = literal(shorten(piece, room, SMALL_SIZE * BOLD) + letter)
    if not role:
        is_special = len(piece) > 2 and piece[0] + piece[-1] in ("[]", "<>")
        return f'<span style="color:{theme.muted}">{text}</span>' if is_special else text
    hue = {"male": theme.words[0], "female": theme.words[1]}.get(role, theme.ink)
    return f'<span style="color:{hue}"><b>{text}</b></span>'


# Along a model: the degree at each detector, of one sentence or of a corpus.

_PLOT = 300
_CURVE_LEFT, _CURVE_RIGHT, _CURVE_TOP, _CURVE_BELOW = 64, 14, 8, 54
_LETTER, _LAYER = 11, 30  # the least room of a letter, and of a layer's name
_KINDS = "E embedding; of each layer Q query, K key, V value, A averaged attention, O output"
_WITHOUT_LETTERS = "E embedding; of each layer L query, key, value, averaged attention, output, in this order"
_SHORT = {"embedding": "E", "query": "Q", "key": "K", "value": "V", "context": "A", "output": "O"}
_SMALLEST = 0.05  # of a degree; the scale never shows less


def degree_curve(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """Mean degree at each position, a line a model. Above 0 heads keep their gender when the genders are swapped.

    Positions are the embedding (E), then query, key, value, averaged attention and output (Q K V A O) of each layer.
    Raises NothingToScore for no value.
    """
    models = _models(profile, "mean_degree")
    figure = _along(profile, theme, _PLOT)
    _lines(
        figure,
        profile,
        models,
        theme,
        "mean_degree",
        lambda model, degree, n: f"{model}: mean degree {signed(degree, 3)}, n = {n:,}",
    )
    half = max(_SMALLEST, 1.12 * float(profile["mean_degree"].abs().max()))
    figure.update_yaxes(signed_axis(theme, half, "mean degree (above 0: biased)"))
    return figure


def biased_share(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """Share of heads (× sentences) with a degree above 0 at each position, a line a model; the dashed line is half.

    Raises NothingToScore for no value.
    """
    models = _models(profile, "share_biased")
    figure = _along(profile, theme, _PLOT * 0.8)
    figure.add_hline(y=0.5, line={"color": theme.zero, "width": 1, "dash": "dash"}, layer="below")
    _lines(
        figure,
        profile,
        models,
        theme,
        "share_biased",
        lambda model, biased, _: f"{model}: {percent(biased)} of heads biased",
    )
    figure.update_yaxes(percent_axis("biased heads"))
    return figure


def degree_steps(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """One model's difference to the position each is computed from, and the share of sentences in which it rises.

    Raises NothingToScore for no value.
    """
    model = _models(profile, "difference")[0]
    rows = profile[profile["model"] == model].dropna(subset="difference")
    figure = _along(profile[profile["model"] == model], theme, 1.5 * _PLOT)
    _name_model(figure, theme, model, "Q, K, V against the layer’s input, A against V, O against A")
    hover = [
        f"<b>{position_name(kind, layer)}</b><br>difference {signed(step, 3)}<br>rises in {percent(rising, 0)} of "
        "sentences"
        for kind, layer, step, rising in _columns(rows, "kind", "layer", "difference", "share_rising")
    ]
    shared = {"x": rows["position"].tolist(), "hoverinfo": "text", "hovertext": hover, "showlegend": False, **_UNFADED}
    # Filled is a rise, hollow a fall: told apart without colour.
    fill = [theme.groups[2] if step > 0 else theme.paper for step in rows["difference"]]
    line = {"color": theme.groups[2], "width": 1.2}
    figure.add_bar(y=rows["difference"].tolist(), marker={"color": fill, "line": line}, **shared)
    rising = {"color": theme.neutral, "line": {"width": 0}}
    figure.add_bar(y=rows["share_rising"].tolist(), yaxis="y2", marker=rising, **shared)
    half = max(_SMALLEST, 1.12 * float(rows["difference"].abs().max()))
    figure.update_layout(
        xaxis={"anchor": "y2"},
        yaxis=signed_axis(theme, half, "difference") | {"domain": (0.54, 1)},
        yaxis2=percent_axis("rising sentences") | {"domain": (0, 0.44)},
    )
    figure.add_hline(y=0.5, line={"color": theme.zero, "width": 1, "dash": "dash"}, yref="y2")
    return figure


def degree_boxes(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """Spread of one model's degrees at each position: quartiles as a box, the line the median, whiskers to the ends.

    Over the sentences of a corpus, or over the heads of one sentence. Raises NothingToScore for no value.
    """
    model = _models(profile, "median")[0]
    rows = profile[profile["model"] == model].dropna(subset="median")
    figure = _along(profile[profile["model"] == model], theme, _PLOT)
    _name_model(figure, theme, model)
    figure.add_box(
        x=rows["position"].tolist(),
        q1=rows["q1"].tolist(),
        median=rows["median"].tolist(),
        q3=rows["q3"].tolist(),
        lowerfence=rows["low"].tolist(),
        upperfence=rows["high"].tolist(),
        fillcolor=theme.shade,
        line={"color": theme.ink, "width": 1},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=rows["position"].tolist(),
        y=rows["median"].tolist(),
        mode="markers",
        marker={"size": 14, "opacity": 0},
        hoverinfo="text",
        hovertext=[
            f"<b>{position_name(kind, layer)}</b><br>median {signed(median, 3)}<br>middle half {signed(q1, 3)} to "
            f"{signed(q3, 3)}<br>all {signed(low, 3)} to {signed(high, 3)}"
            for kind, layer, low, q1, median, q3, high in _columns(
                rows, "kind", "layer", "low", "q1", "median", "q3", "high"
            )
        ],
    )
    half = max(_SMALLEST, 1.08 * float(np.abs(rows[["low", "high"]].to_numpy(dtype=float)).max()))
    figure.update_yaxes(signed_axis(theme, half, "degree"))
    return figure


def _lines(
    figure: go.Figure,
    profile: pd.DataFrame,
    models: Sequence[str],
    theme: Theme,
    column: str,
    said: Callable[[str, float, int], str],
) -> None:
    """A line a model, named above the plot; ``said`` takes the model, the value and n."""
    for model, mark in model_marks(theme, models).items():
        rows = profile[profile["model"] == model]
        figure.add_scatter(
            name=literal(model),
            x=rows["position"].tolist(),
            y=[None if pd.isna(value) else float(value) for value in rows[column]],
            mode="lines+markers",
            line={"color": mark.hue, "width": 1.6},
            marker={"symbol": mark.symbol, "size": 6, "color": mark.hue, "opacity": 1},
            **_UNFADED,
            showlegend=True,
            cliponaxis=False,
            hoverinfo="text",
            hovertext=[
                f"<b>{position_name(kind, layer)}</b><br>{said(literal(model), value, n)}" if np.isfinite(value) else ""
                for kind, layer, value, n in _columns(rows, "kind", "layer", column, "n")
            ],
        )
    show_legend(figure, theme)


def _models(profile: pd.DataFrame, column: str) -> list[str]:
    models = list(dict.fromkeys(map(str, profile.loc[profile[column].notna(), "model"])))
    if not models:
        raise NothingToScore("No position has a degree; the list of exclusions says why.")
    return models


def _name_model(figure: go.Figure, theme: Theme, model: str, more: str = "") -> None:
    """The model's name above the plot, and lines of ``more`` below it."""
    room = theme.width - _CURVE_LEFT - _CURVE_RIGHT
    lines = [f"<b>{literal(shorten(model, room, SMALL_SIZE * BOLD))}</b>"]
    lines += map(literal, sentence_lines(more, room, SMALL_SIZE)) if more else []
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4, "align": "left"}
    write(figure, "<br>".join(lines), theme.ink, SMALL_SIZE, **above)
    extra = _LINE * len(lines)
    figure.update_layout(height=figure.layout.height + extra, margin={"t": figure.layout.margin.t + extra})


def _along(profile: pd.DataFrame, theme: Theme, plot: float) -> go.Figure:
    """A figure whose x axis names the positions: letters for kinds, and the layers below them."""
    longest = profile[profile["model"] == profile.groupby("model")["position"].max().idxmax()]
    positions = [int(at) for at in longest["position"]]
    step = (theme.width - _CURVE_LEFT - _CURVE_RIGHT) / (max(positions) + 1.4)  # pixels between positions
    letters = step >= _LETTER
    apart = math.ceil(_LAYER / (len(_SHORT) - 1) / step)  # layers from one that is named to the next
    lines = sentence_lines(_KINDS if letters else _WITHOUT_LETTERS, theme.width - 8, SMALL_SIZE)
    top, below = _CURVE_TOP, _CURVE_BELOW + _LINE * (len(lines) - 1)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + plot + below),
            "margin": {"l": _CURVE_LEFT, "r": _CURVE_RIGHT, "t": top, "b": below},
            "xaxis": {
                "range": [-0.7, max(positions) + 0.7],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": [_SHORT[kind] if letters or kind == "embedding" else "" for kind in longest["kind"]],
                "showgrid": False,
            },
        }
    )
    under: dict[str, object] = {"y": 0, "yref": "paper", "yanchor": "top"}
    for at, kind, layer in zip(positions, longest["kind"], longest["layer"], strict=True):
        if kind == "query":
            # Below: over a curve it would look like a missing value.
            figure.add_vline(x=at - 0.5, line={"color": theme.hairline, "width": 1}, layer="below")
        if kind == "value" and int(layer) % apart == 0:
            middle = {"x": at, "xref": "x", "xanchor": "center"}
            write(figure, f"L{int(layer)}", theme.muted, SMALL_SIZE, **under, **middle, yshift=-20)
    start = {"xshift": 4 - _CURVE_LEFT, "align": "left"}
    write(figure, "<br>".join(lines), theme.muted, SMALL_SIZE, **under, **start, yshift=-37)
    return figure
