"""Who attends to whom: one head's attention between the tokens of a sentence, beside that of its twin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.charts.heat import blend, write_in_cells
from core.charts.key import write
from core.charts.text import literal, sentence_lines, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import OptionError
from core.measures.attention.result import ORIGINAL, AttentionResult, SentenceMaps
from core.report.numbers import fixed, head_name

_BESIDE = 14  # tokens up to which two maps stand beside each other, if their labels have room
_LABELS = 110  # pixels, as all that follows
_TOP, _BELOW, _GAP, _RIGHT = 30, 14, 22, 8
_CAPTION = 34  # two lines
_CELL = 22
_TALLEST = 620  # of a map
_LEAST = 1.0  # of a row, in a sentence of hundreds of tokens
_TEXT_LINE = 13
_NUMBER_SIZE = SMALL_SIZE - 1
_LETTERS = {"male": " (M)", "female": " (F)"}  # told apart in a grey print too
_IMPORTANT = ("occupation", "male", "female")
# What makes each piece one of its kind on a category axis.
_UNSEEN = "\u200b"


def token_maps(result: AttentionResult, *, model: str, layer: int, head: int, theme: Theme) -> go.Figure:
    """Attention [query, key] of one head in the sentence and in its twin, on one scale from the paper to the ink.

    A row is the token that attends, a column the one attended to. Male words have the hue of group 1 and an M, female
    words that of group 2 and an F, the occupation is bold; tokens that a model puts around a text are muted. Values are
    printed where they fit. Maps of long sentences stand below each other, and their labels thin out.

    Raises OptionError for a model, layer or head the result does not hold.
    """
    pair = [maps for maps in result.maps if maps.model == model]
    if not pair:
        known = ", ".join(dict.fromkeys(maps.model for maps in result.maps))
        raise OptionError(f"The result holds no maps of {model}; it holds {known}.")
    layers, heads = pair[0].attention.shape[:2]
    if not (0 <= layer < layers and 0 <= head < heads):
        raise OptionError(
            f"{model} has layers 0 to {layers - 1} and heads 0 to {heads - 1}; no {head_name(layer, head)}."
        )
    tokens = max(len(maps.pieces) for maps in pair)
    labels = [
        piece + _LETTERS.get(role, "") for maps in pair for piece, role in zip(maps.pieces, maps.roles, strict=True)
    ]
    left = round(min(_LABELS, max(text_width(label, SMALL_SIZE * BOLD) for label in labels))) + 12
    plot = theme.width - left - _RIGHT
    half = (plot - left - _GAP) / 2
    across = 2 if tokens <= _BESIDE and half / tokens >= _TEXT_LINE else 1
    width = half if across == 2 else plot
    row = max(_LEAST, min(_CELL, _TALLEST / tokens))
    size = row * tokens
    between = left + _TOP + _BELOW
    inner = size if across == 2 else 2 * size + between
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_TOP + inner + left + _BELOW + _CAPTION),
            "margin": {"l": left, "r": _RIGHT, "t": _TOP, "b": left + _BELOW + _CAPTION},
        }
    )
    most = max(float(maps.attention[layer, head].max()) for maps in pair)
    for at, maps in enumerate(pair):
        start = at * (width + left + _GAP) / plot if across == 2 else 0.0
        x = (start, min(1.0, start + width / plot))
        y = (0.0, 1.0) if across == 2 else ((1 - size / inner, 1.0) if at == 0 else (0.0, size / inner))
        _map(figure, theme, maps, maps.attention[layer, head], at, (x, y), (width / tokens, row), most)
        title = "the sentence" if maps.which == ORIGINAL else "its twin"
        place = {"x": x[0], "y": y[1], "yref": "paper", "yanchor": "bottom", "yshift": 6}
        write(figure, f"<b>{title}</b>", theme.ink, SMALL_SIZE, **place)
    caption = f", {head_name(layer, head)}: a row attends to the columns, from 0 (as the page) to {fixed(most)}"
    room = max(theme.width / 4, theme.width - text_width(caption, SMALL_SIZE) - 8)
    lines = sentence_lines(shorten(model, room, SMALL_SIZE) + caption, theme.width - 8, SMALL_SIZE)
    below = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -left - _BELOW}
    text = "<br>".join(map(literal, lines))
    write(figure, text, theme.muted, SMALL_SIZE, **below, xshift=4 - left, align="left")
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
    names = _categories(maps.pieces)
    fits = cell[0] >= text_width("0.00", _NUMBER_SIZE) + 2 and cell[1] >= _TEXT_LINE
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
    if fits:
        texts = {
            (row, column): (fixed(value), blend(theme.paper, theme.ink, value / most))
            for row, line in enumerate(attention.tolist())
            for column, value in enumerate(line)
        }
        write_in_cells(figure, theme, axis, _NUMBER_SIZE, texts, (names, names))
    for name, other, pixels, angle in (("xaxis", "y", cell[0], -90), ("yaxis", "x", cell[1], 0)):
        step = max(1, int(np.ceil(_TEXT_LINE / pixels)))
        shown = _named(maps.roles, step)
        figure.layout[f"{name}{axis}"] = {
            **figure.layout.template.layout.xaxis.to_plotly_json(),
            "type": "category",
            "domain": domain[0 if name == "xaxis" else 1],
            "anchor": f"{other}{axis}",
            "range": [-0.5, len(names) - 0.5] if name == "xaxis" else [len(names) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": shown,
            "ticktext": [_label(theme, maps.pieces[place], maps.roles[place]) for place in shown],
            "tickangle": angle,
            "tickfont": {"color": theme.ink, "size": SMALL_SIZE},
            "ticklabelstandoff": 3,
            "showgrid": False,
        }


def _categories(pieces: Sequence[str]) -> list[str]:
    """The pieces, each told from the same piece before by letters that are not seen."""
    seen: dict[str, int] = {}
    found = []
    for piece in pieces:
        seen[piece] = seen.get(piece, 0) + 1
        found.append(literal(piece) + _UNSEEN * seen[piece])
    return found


def _named(roles: Sequence[str], step: int) -> list[int]:
    """Places to name, ``step`` apart: the occupation first, then the words with a gender, then others."""
    ranked = [place for wanted in _IMPORTANT for place, role in enumerate(roles) if role == wanted]
    kept: list[int] = []
    for place in [*ranked, *range(len(roles))]:
        if all(abs(place - other) >= step for other in kept):
            kept.append(place)
    return sorted(kept)


def _label(theme: Theme, piece: str, role: str) -> str:
    letter = _LETTERS.get(role, "")
    text = literal(shorten(piece, _LABELS - text_width(letter, SMALL_SIZE * BOLD), SMALL_SIZE * BOLD) + letter)
    if not role:
        is_special = len(piece) > 2 and piece[0] + piece[-1] in ("[]", "<>")
        return f'<span style="color:{theme.muted}">{text}</span>' if is_special else text
    hue = {"male": theme.words[0], "female": theme.words[1]}.get(role, theme.ink)
    return f'<span style="color:{hue}"><b>{text}</b></span>'
