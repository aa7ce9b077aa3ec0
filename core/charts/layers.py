"""How deep an association sits: effect size over the layers of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.charts.key import Mark, key_lines, model_marks, write
from core.charts.rows import finite
from core.charts.scale import tick_texts, ticks
from core.charts.text import literal, shorten, text_width
from core.charts.theme import SMALL_SIZE, Theme, template
from core.errors import NothingToScore
from core.measures.association.result import AssociationResult
from core.report.numbers import signed

_MARGIN = {"l": 56, "b": 52}  # pixels, as all that follows
_PLOT = 340
_TEXT_LINE = 16
_LABELS = 200
_LEADER = 22  # between the plot and its labels
_DIRECTION = 24  # kept free of lines above and below, for the words that say which way is which
_MARKER = 6
_NARROWEST = 1.0  # the scale never shows less than ±1
_MOST_TICKS = 14
_DRAWN = {"solid": "──", "dash": "╌╌", "dot": "┈┈", "dashdot": "─·─"}
_DASHES = tuple(_DRAWN)


@dataclass(frozen=True)
class _Curve:
    """One model's effect sizes in one representation; None at a layer that has none."""

    model: str
    representation: str
    title: str
    layers: tuple[int, ...]
    values: tuple[float | None, ...]

    @property
    def end(self) -> tuple[int, float]:
        """The last point there is."""
        return [(at, d) for at, d in zip(self.layers, self.values, strict=True) if d is not None][-1]


def layer_curve(result: AssociationResult, *, theme: Theme, test: str, titles: Mapping[str, str]) -> go.Figure:
    """Effect size d of one test over the layers, 0 the embedding output: a line for each representation and model.

    Up is positive: X goes with A. Each line is named at its end by ``titles``. One model's lines differ in hue;
    several models differ in hue and mark, named above, and their representations in dashes. A layer without a value
    is a gap. A point's ``customdata`` is (model, test, representation, layer).

    Raises NothingToScore where the test has no value in any layer, OptionError for more models than can be told apart.
    """
    curves = _curves(result, test, titles)
    if not curves:
        raise NothingToScore("This test has no curve over layers: no representation reads a model's layers.")
    marks = model_marks(theme, list(dict.fromkeys(curve.model for curve in curves)))
    representations = list(dict.fromkeys(curve.representation for curve in curves))
    deepest = max(curve.layers[-1] for curve in curves)
    plot = max(_PLOT, _TEXT_LINE * (len(curves) + 2))
    furthest = max(_NARROWEST, *(abs(d) for curve in curves for d in curve.values if d is not None))
    half = furthest / (1 - 2 * _DIRECTION / plot)
    several = len(marks) > 1
    glyphs = {model: f"{mark.glyph} " if several else "" for model, mark in marks.items()}
    labels = [shorten(glyphs[curve.model] + curve.title, _LABELS, SMALL_SIZE) for curve in curves]
    right = 14.0 if theme.is_narrow else max(text_width(label, SMALL_SIZE) for label in labels) + _LEADER + 8
    hues = (*theme.groups[2:], theme.groups[1], theme.groups[0])
    styles = [_style(curve, marks, representations, hues) for curve in curves]
    entries = [(mark.hue, mark.glyph, model) for model, mark in marks.items()] if several else []
    if theme.is_narrow:  # no room for the names at the lines' ends
        lines = {curve.title: (hue, _DRAWN[dash]) for curve, (hue, dash) in zip(curves, styles, strict=True)}
        entries += [(theme.ink if several else hue, drawn, title) for title, (hue, drawn) in lines.items()]
    key = key_lines(theme, entries)
    top = _TEXT_LINE * len(key) + 12
    positions = ticks(half * (1 - 16 / plot), 4)

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(plot) + top + _MARGIN["b"],
            "margin": {**_MARGIN, "t": top, "r": round(right)},
            "xaxis": {
                "range": [-0.25, deepest + 0.25],
                "tickmode": "linear",
                "tick0": 0,
                "dtick": -(-(deepest + 1) // _MOST_TICKS),
                "showgrid": False,
                "title": {"text": "layer (0: embedding output)", "standoff": 8},
            },
            "yaxis": {
                "range": [-half, half],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions),
                "zeroline": True,
                "zerolinecolor": theme.zero,
                "zerolinewidth": 1.5,
                "title": {"text": "effect size d", "standoff": 8},
            },
        }
    )
    heights = _spread([(half - curve.end[1]) / (2 * half) * plot for curve in curves], plot)
    for curve, label, height, (hue, dash) in zip(curves, labels, heights, styles, strict=True):
        mark = marks[curve.model]
        figure.add_scatter(
            name=f"{curve.title}, {curve.model}",
            x=list(curve.layers),
            y=list(curve.values),
            mode="lines+markers",
            connectgaps=False,
            line={"color": hue, "width": 1.8, "dash": dash},
            marker={"color": hue, "symbol": mark.symbol, "size": _MARKER, "opacity": 1, "line": {"width": 0}},
            unselected={"marker": {"opacity": 1}},
            cliponaxis=False,
            customdata=[[curve.model, test, curve.representation, layer] for layer in curve.layers],
            hoverinfo="text",
            hovertext=[
                f"<b>{literal(curve.title)}</b><br>{literal(curve.model)}<br>layer {layer}: d = {signed(d)}"
                if d is not None
                else ""
                for layer, d in zip(curve.layers, curve.values, strict=True)
            ],
        )
        if not theme.is_narrow:
            words = dict(zip(theme.groups, theme.words, strict=True)).get(hue, hue)
            _label(figure, curve, label, hue, words, height / plot)
    for text, y, anchor in (("▲ X associated with A", 1, "top"), ("▼ X associated with B", 0, "bottom")):
        place = {"y": y, "yref": "paper", "yanchor": anchor, "xshift": 8}
        write(figure, f"<b>{text}</b>", theme.ink, SMALL_SIZE, **place)
    if key:
        above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6, "align": "left"}
        write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, xshift=4 - _MARGIN["l"], **above)
    return figure


def _curves(result: AssociationResult, test: str, titles: Mapping[str, str]) -> list[_Curve]:
    frame = result.layers[result.layers["test"] == test]
    curves = []
    for (model, representation), part in frame.groupby(["model", "representation"], sort=False):
        ordered = part.sort_values("layer")
        values = tuple(finite(value) for value in ordered["effect_size"].tolist())
        if all(value is None for value in values):
            continue
        title = titles.get(str(representation), str(representation))
        layers = tuple(int(layer) for layer in ordered["layer"])
        curves.append(_Curve(str(model), str(representation), title, layers, values))
    return curves


def _style(
    curve: _Curve, marks: Mapping[str, Mark], representations: Sequence[str], hues: Sequence[str]
) -> tuple[str, str]:
    """Hue and dash of a line."""
    which = representations.index(curve.representation)
    if len(marks) > 1:
        return marks[curve.model].hue, _DASHES[which % len(_DASHES)]
    return hues[which % len(hues)], _DASHES[which // len(hues) % len(_DASHES)]


def _spread(wanted: Sequence[float], room: float) -> list[float]:
    """Heights as near to the ``wanted`` ones as lines of text allow, in the same order, within 0 to ``room``."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed = [0.0] * len(wanted)
    least = _TEXT_LINE / 2
    for at in order:
        placed[at] = least = max(least, wanted[at])
        least += _TEXT_LINE
    most = room - _TEXT_LINE / 2
    for at in reversed(order):
        placed[at] = most = min(most, placed[at])
        most -= _TEXT_LINE
    return placed


def _label(figure: go.Figure, curve: _Curve, label: str, hue: str, words: str, down: float) -> None:
    """The line's name right of the plot, that share of its height ``down``, and a thin line to its last point."""
    write(figure, literal(label), words, SMALL_SIZE, x=1, xshift=_LEADER, y=1 - down, yref="paper")
    layer, d = curve.end
    low, high = figure.layout.yaxis.range
    leader: dict[str, object] = {"type": "line", "line": {"color": hue, "width": 0.8, "dash": "dot"}, "y0": d}
    figure.add_shape(x0=layer, x1=figure.layout.xaxis.range[1], y1=d, **leader)
    # In pixels right of the plot, where no axis reaches.
    outside: dict[str, object] = {"xref": "paper", "xsizemode": "pixel", "xanchor": 1, "x0": 0, "x1": _LEADER - 4}
    figure.add_shape(y1=high - down * (high - low), **outside, **leader)
