"""Who attends to whom: one head's attention between the tokens of a sentence, beside that of its twin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.charts.marks import NOMINAL, write
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import OptionError
from core.results import ORIGINAL, AttentionResult, SentenceMaps

_BESIDE = 16  # tokens up to which two maps stand beside each other
_LABELS = 110  # pixels, as all that follows
_TOP, _BELOW, _GAP, _RIGHT = 30, 14, 22, 8
_CELL = 22
_TALLEST = 620  # of a map
_LEAST = 1.0  # of a row, in a sentence of hundreds of tokens
_TEXT_LINE = 14
_NARROW = 0.75  # of the nominal width: where labels must not touch either


def token_maps(result: AttentionResult, *, model: str, layer: int, head: int, theme: Theme) -> go.Figure:
    """Attention [query, key] of one head in the sentence and in its twin, on one scale from the paper to the ink.

    A row is the token that attends, a column the one attended to. Male words have the hue of group 1, female words
    that of group 2, the occupation is bold. Maps of long sentences stand below each other, and their labels thin out.

    Raises OptionError for a model, layer or head the result does not hold.
    """
    pair = [maps for maps in result.maps if maps.model == model]
    if not pair:
        known = ", ".join(dict.fromkeys(maps.model for maps in result.maps))
        raise OptionError(f"The result holds no maps of {model}; it holds {known}.")
    layers, heads = pair[0].attention.shape[:2]
    if not (0 <= layer < layers and 0 <= head < heads):
        raise OptionError(f"{model} has layers 0 to {layers - 1} and heads 0 to {heads - 1}; no L{layer} H{head}.")
    tokens = max(len(maps.pieces) for maps in pair)
    across = 2 if tokens <= _BESIDE else 1
    left = round(min(_LABELS, max(text_width(piece, SMALL_SIZE) for maps in pair for piece in maps.pieces))) + 12
    plot = NOMINAL - left - _RIGHT
    width = (plot - (left + _GAP) * (across - 1)) / across
    row = max(_LEAST, min(_CELL, _TALLEST / tokens))
    size = row * tokens
    between = left + _TOP + _BELOW
    inner = size if across == 2 else 2 * size + between
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_TOP + inner + left + _BELOW),
            "margin": {"l": left, "r": _RIGHT, "t": _TOP, "b": left + _BELOW},
        }
    )
    most = max(float(maps.attention[layer, head].max()) for maps in pair)
    for at, maps in enumerate(pair):
        start = at * (width + left + _GAP) / plot if across == 2 else 0.0
        x = (start, min(1.0, start + width / plot))
        y = (0.0, 1.0) if across == 2 else ((1 - size / inner, 1.0) if at == 0 else (0.0, size / inner))
        _map(figure, theme, maps, maps.attention[layer, head], at, (x, y), (_NARROW * width / tokens, row), most)
        title = "the sentence" if maps.which == ORIGINAL else "its twin"
        place = {"x": x[0], "y": y[1], "yref": "paper", "yanchor": "bottom", "yshift": 6}
        write(figure, f"<b>{title}</b>", theme.ink, SMALL_SIZE, **place)
    return figure


def _map(
    figure: go.Figure,
    theme: Theme,
    maps: SentenceMaps,
    attention: np.ndarray,
    at: int,
    domain: tuple[tuple[float, float], tuple[float, float]],
    cell: tuple[float, float],
    most: float,
) -> None:
    axis = "" if at == 0 else str(at + 1)
    names = [literal(piece) for piece in maps.pieces]
    figure.add_heatmap(
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        z=np.round(attention.astype(float), 4).tolist(),
        x=list(range(len(names))),
        y=list(range(len(names))),
        zmin=0,
        zmax=most,
        colorscale=[[0, theme.paper], [1, theme.ink]],
        showscale=False,
        customdata=[[[query, key] for key in names] for query in names],
        hovertemplate="%{customdata[0]} → %{customdata[1]}<br><b>%{z:.4f}</b><extra></extra>",
    )
    for name, other, pixels, angle in (("xaxis", "y", cell[0], -90), ("yaxis", "x", cell[1], 0)):
        step = max(1, int(np.ceil(_TEXT_LINE / pixels)))
        shown = _named(maps.roles, step)
        figure.layout[f"{name}{axis}"] = {
            **figure.layout.template.layout.xaxis.to_plotly_json(),
            "domain": domain[0 if name == "xaxis" else 1],
            "anchor": f"{other}{axis}",
            "range": [-0.5, len(names) - 0.5] if name == "xaxis" else [len(names) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": shown,
            "ticktext": [_label(theme, maps.pieces[place], maps.roles[place]) for place in shown],
            "tickangle": angle,
            "ticklabelstandoff": 3,
            "showgrid": False,
        }


def _named(roles: Sequence[str], step: int) -> list[int]:
    """Places to name: words with a role always, of the others every ``step`` th that stands clear of those."""
    with_role = [place for place, role in enumerate(roles) if role]
    others = [
        place
        for place in range(0, len(roles), step)
        if not roles[place] and all(abs(place - other) >= step for other in with_role)
    ]
    return sorted([*with_role, *others])


def _label(theme: Theme, piece: str, role: str) -> str:
    text = literal(shorten(piece, _LABELS, SMALL_SIZE * BOLD))
    if not role:
        return text
    hue = {"male": theme.groups[0], "female": theme.groups[1]}.get(role, theme.ink)
    return f'<span style="color:{hue}"><b>{text}</b></span>'
