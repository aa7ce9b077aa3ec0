"""How models, or the lines of a chart, are told apart: marks, their key, and texts on a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from ..errors import OptionError
from .text import literal, sentence_lines, shorten, text_width
from .theme import SMALL_SIZE, Theme

MOST_MODELS = 5  # four and a file of vectors
_SYMBOL = 45  # pixels that plotly takes for an entry's symbol and the gap behind it
_LEGEND_LINE, _ABOVE = 19, 20
_SHAPES = (("circle", "●"), ("square", "■"), ("triangle-up", "▲"), ("triangle-down", "▼"), ("star", "★"))


@dataclass(frozen=True)
class Mark:
    """How a model is told from the others: hue, plotly's symbol, and that symbol as a letter for the key."""

    hue: str
    symbol: str
    glyph: str


def model_marks(theme: Theme, models: Sequence[str]) -> dict[str, Mark]:
    """A mark for each model, by its place. The hues of groups 1 and 2 come last: with few models they mean groups.

    Raises OptionError for more than ``MOST_MODELS``.
    """
    if len(models) > MOST_MODELS:
        raise OptionError(f"The chart tells {MOST_MODELS} models apart; the result holds {len(models)}.")
    third, fourth = theme.groups[2:4]
    hues = (third, fourth, theme.groups[1], theme.groups[0], theme.ink)
    return {model: Mark(hues[at], *_SHAPES[at]) for at, model in enumerate(models)}


def hatching(theme: Theme, shape: str | Sequence[str]) -> dict[str, object]:
    """Of a bar's marker, plotly's pattern ``shape`` over its hue, for it or for each bar; "" is none."""
    return {
        "shape": shape,
        "fillmode": "overlay",
        "fgcolor": theme.paper,
        "fgopacity": 0.6,
        "size": 5,
        "solidity": 0.25,
    }


def legend_entries(figure: go.Figure, theme: Theme, entries: Sequence[tuple[str, str, str]]) -> None:
    """What hues and symbols mean, from (hue, plotly's symbol, name), as a legend (``show_legend``)."""
    for hue, symbol, name in entries:
        marker = {"color": hue, "symbol": symbol, "size": 10, "line": {"color": hue, "width": 1.5}}
        figure.add_scatter(
            x=[None], y=[None], mode="markers", name=legend_name(figure, theme, name), marker=marker, showlegend=True
        )
    show_legend(figure, theme)


def set_legend(figure: go.Figure, theme: Theme, entries: Sequence[tuple[str, str, str]]) -> None:
    """What hues and hatching of bars mean, from (hue, plotly's pattern, name), as a legend (``show_legend``)."""
    for hue, shape, name in entries:
        marker = {"color": hue, "line": {"width": 0}, "pattern": hatching(theme, shape)}
        figure.add_bar(x=[None], y=[None], name=legend_name(figure, theme, name), marker=marker, showlegend=True)
    show_legend(figure, theme)


def legend_name(figure: go.Figure, theme: Theme, name: str) -> str:
    """A name in a legend, in as many lines as the plot's width asks for; only a single word is ever cut."""
    room = _room(figure, theme) - _SYMBOL
    return "<br>".join(literal(shorten(line, room, SMALL_SIZE)) for line in sentence_lines(name, room, SMALL_SIZE))


def show_legend(figure: go.Figure, theme: Theme) -> None:
    """Make room above everything else for the legend of the traces that have ``showlegend``, and show it there."""
    names = [trace.name.split("<br>") for trace in figure.data if trace.showlegend]
    widths = [max(text_width(line, SMALL_SIZE) for line in lines) + _SYMBOL for lines in names]
    # Plotly puts them in one row where they fit into it, else in columns as wide as the widest.
    room = _room(figure, theme)
    columns = len(names) if sum(widths) <= room else max(1, int(room / max(widths)))
    rows = [max(map(len, names[start : start + columns])) for start in range(0, len(names), columns)]
    height = _LEGEND_LINE * sum(rows) + _ABOVE
    layout = figure.layout
    above = layout.margin.t / (layout.height - layout.margin.t - layout.margin.b)
    figure.update_layout(
        showlegend=True,
        legend={"y": 1 + above},
        height=round(layout.height + height),
        margin={"t": round(layout.margin.t + height)},
    )


def _room(figure: go.Figure, theme: Theme) -> float:
    """Pixels that a legend has across: plotly never makes it wider than the plot."""
    margin = figure.layout.margin
    return float(theme.width - margin.l - margin.r)


def write(figure: go.Figure, text: str, color: str, size: int, **place: object) -> None:
    """Put a text, in plotly's markup, where ``place`` says: the left edge of the plot, at a height on the y axis."""
    at: dict[str, object] = {"x": 0, "xref": "paper", "xanchor": "left", "yref": "y", "yanchor": "middle"}
    figure.add_annotation(text=text, showarrow=False, borderpad=0, font={"size": size, "color": color}, **(at | place))
