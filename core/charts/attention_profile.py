"""Attention bias along a model: the degree at each detector, its steps, its spread, and the share of biased heads.

All read a ``profile`` (see ``AttentionResult``), of one sentence or of a corpus.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.charts.key import key_lines, model_marks, write
from core.charts.scale import tick_texts, ticks
from core.charts.text import literal, sentence_lines, shorten
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore
from core.report.numbers import percent, position_name, signed

_LEFT, _RIGHT, _TOP, _BELOW = 64, 14, 14, 54  # pixels, as all that follows
_PLOT = 300
_LINE = 16
_LETTER, _LAYER = 11, 30  # the least room of a letter, and of a layer's name
_LETTERS = "E embedding; of each layer Q query, K key, V value, A averaged attention, O output"
_WITHOUT_LETTERS = "E embedding; of each layer L query, key, value, averaged attention, output, in this order"
_SHORT = {"embedding": "E", "query": "Q", "key": "K", "value": "V", "context": "A", "output": "O"}
_SMALLEST = 0.05
# A click chooses a point; plotly would fade the others.
_UNFADED: dict[str, Any] = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


def degree_curve(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """Mean degree at each position, a line a model. Above 0 heads keep their gender when the genders are swapped.

    Positions are the embedding (E), then query, key, value, averaged attention and output (Q K V A O) of each layer.
    Raises NothingToScore for no value.
    """
    models = _models(profile, "mean_degree")
    marks = model_marks(theme, models)
    key = key_lines(theme, [(mark.hue, mark.glyph, model) for model, mark in marks.items()])
    figure = _figure(profile, theme, _PLOT, len(key))
    _above(figure, theme, key)
    half = max(_SMALLEST, 1.12 * float(profile["mean_degree"].abs().max()))
    for model, mark in marks.items():
        rows = profile[profile["model"] == model]
        figure.add_scatter(
            name=model,
            x=rows["position"].tolist(),
            y=_values(rows["mean_degree"]),
            mode="lines+markers",
            line={"color": mark.hue, "width": 1.6},
            marker={"symbol": mark.symbol, "size": 6, "color": mark.hue, "opacity": 1},
            **_UNFADED,
            cliponaxis=False,
            hoverinfo="text",
            hovertext=[
                f"<b>{position_name(kind, layer)}</b><br>{literal(model)}: mean degree {signed(degree, 3)}, n = {n:,}"
                if np.isfinite(degree)
                else ""
                for kind, layer, degree, n in _columns(rows, "kind", "layer", "mean_degree", "n")
            ],
        )
    _signed_axis(figure, "yaxis", half, "mean degree (above 0: biased)")
    return figure


def degree_steps(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """One model's difference to the position each is computed from, and the share of sentences in which it rises.

    Raises NothingToScore for no value.
    """
    (model,) = _models(profile, "difference")[:1]
    rows = profile[profile["model"] == model].dropna(subset="difference")
    against = "Q, K, V against the layer’s input, A against V, O against A"
    key = [_named(model, theme), *sentence_lines(against, theme.width - _LEFT - _RIGHT, SMALL_SIZE)]
    figure = _figure(profile[profile["model"] == model], theme, 2 * _PLOT * 0.75, len(key))
    _above(figure, theme, key)
    half = max(_SMALLEST, 1.12 * float(rows["difference"].abs().max()))
    hover = [
        f"<b>{position_name(kind, layer)}</b><br>difference {signed(step, 3)}<br>rises in {percent(share, 0)} of "
        "sentences"
        for kind, layer, step, share in _columns(rows, "kind", "layer", "difference", "share_rising")
    ]
    shared = {"x": rows["position"].tolist(), "hoverinfo": "text", "hovertext": hover, **_UNFADED}
    # Filled is a rise, hollow a fall: told apart without colour.
    fill = [theme.groups[2] if step > 0 else theme.paper for step in rows["difference"]]
    line = {"color": theme.groups[2], "width": 1.2}
    figure.add_bar(y=rows["difference"].tolist(), marker={"color": fill, "line": line}, **shared)
    figure.add_bar(
        y=[100 * share for share in rows["share_rising"]],
        yaxis="y2",
        marker={"color": theme.neutral, "line": {"width": 0}},
        **shared,
    )
    _signed_axis(figure, "yaxis", half, "difference")
    figure.layout.yaxis.domain = (0.54, 1)
    figure.layout.xaxis.anchor = "y2"
    figure.layout.yaxis2 = _percent_axis(figure, "rising, % of sentences") | {"domain": (0, 0.44)}
    figure.add_hline(y=50, line={"color": theme.zero, "width": 1, "dash": "dash"}, yref="y2")
    return figure


def degree_boxes(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """Spread of one model's degrees at each position: quartiles as a box, the line the median, whiskers to the ends.

    Over the sentences of a corpus, or over the heads of one sentence. Raises NothingToScore for no value.
    """
    (model,) = _models(profile, "median")[:1]
    rows = profile[profile["model"] == model].dropna(subset="median")
    figure = _figure(profile[profile["model"] == model], theme, _PLOT, 1)
    _above(figure, theme, [_named(model, theme)])
    half = max(_SMALLEST, 1.08 * float(np.abs(rows[["low", "high"]].to_numpy(dtype=float)).max()))
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
    _signed_axis(figure, "yaxis", half, "degree")
    return figure


def biased_share(profile: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """Share of heads (× sentences) with a degree above 0 at each position, a line a model; the dashed line is half.

    Raises NothingToScore for no value.
    """
    models = _models(profile, "share_biased")
    marks = model_marks(theme, models)
    key = key_lines(theme, [(mark.hue, mark.glyph, model) for model, mark in marks.items()])
    figure = _figure(profile, theme, _PLOT * 0.8, len(key))
    _above(figure, theme, key)
    figure.add_hline(y=50, line={"color": theme.zero, "width": 1, "dash": "dash"}, layer="below")
    for model, mark in marks.items():
        rows = profile[profile["model"] == model]
        figure.add_scatter(
            name=model,
            x=rows["position"].tolist(),
            y=[None if share is None else 100 * share for share in _values(rows["share_biased"])],
            mode="lines+markers",
            line={"color": mark.hue, "width": 1.6},
            marker={"symbol": mark.symbol, "size": 6, "color": mark.hue, "opacity": 1},
            **_UNFADED,
            cliponaxis=False,
            hoverinfo="text",
            hovertext=[
                f"<b>{position_name(kind, layer)}</b><br>{literal(model)}: {percent(share)} of heads biased"
                if np.isfinite(share)
                else ""
                for kind, layer, share in _columns(rows, "kind", "layer", "share_biased")
            ],
        )
    figure.layout.yaxis = _percent_axis(figure, "biased heads, %")
    return figure


def _models(profile: pd.DataFrame, column: str) -> list[str]:
    models = list(dict.fromkeys(map(str, profile.loc[profile[column].notna(), "model"])))
    if not models:
        raise NothingToScore("No position has a degree; the list of exclusions says why.")
    return models


def _figure(profile: pd.DataFrame, theme: Theme, plot: float, key: int) -> go.Figure:
    """A figure whose x axis names the positions: letters for kinds, and the layers below them."""
    longest = profile[profile["model"] == profile.groupby("model")["position"].max().idxmax()]
    positions = [int(at) for at in longest["position"]]
    kinds = longest["kind"].tolist()
    top = _TOP + _LINE * key
    step = (theme.width - _LEFT - _RIGHT) / (max(positions) + 1.4)  # pixels from one position to the next
    letters = step >= _LETTER
    apart = math.ceil(_LAYER / (len(_SHORT) - 1) / step)  # layers from one that is named to the next
    caption = _LETTERS if letters else _WITHOUT_LETTERS
    lines = sentence_lines(caption, theme.width - 8, SMALL_SIZE)
    below_plot = _BELOW + _LINE * (len(lines) - 1)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + plot + below_plot),
            "margin": {"l": _LEFT, "r": _RIGHT, "t": top, "b": below_plot},
            "xaxis": {
                "range": [-0.7, max(positions) + 0.7],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": [_SHORT[kind] if letters or kind == "embedding" else "" for kind in kinds],
                "showgrid": False,
            },
        }
    )
    below: dict[str, object] = {"y": 0, "yref": "paper", "yanchor": "top", "xref": "x", "xanchor": "center"}
    for at, kind, layer in zip(positions, kinds, longest["layer"], strict=True):
        if kind == "query":
            # Below: over a curve it would look like a missing value.
            figure.add_vline(x=at - 0.5, line={"color": theme.hairline, "width": 1}, layer="below")
        if kind == "value" and int(layer) % apart == 0:
            write(figure, f"L{int(layer)}", theme.muted, SMALL_SIZE, **below, x=at, yshift=-20)
    write(
        figure,
        "<br>".join(lines),
        theme.muted,
        SMALL_SIZE,
        y=0,
        yref="paper",
        yanchor="top",
        yshift=-37,
        xshift=-_LEFT + 4,
        align="left",
    )
    return figure


def _named(model: str, theme: Theme) -> str:
    return f"<b>{literal(shorten(model, theme.width - _LEFT - _RIGHT, SMALL_SIZE * BOLD))}</b>"


def _above(figure: go.Figure, theme: Theme, lines: Sequence[str]) -> None:
    place = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4, "align": "left"}
    write(figure, "<br>".join(lines), theme.ink, SMALL_SIZE, **place)


def _signed_axis(figure: go.Figure, name: str, half: float, title: str) -> None:
    marks = ticks(half, 4)
    figure.update_layout(
        {
            name: {
                "range": [-half, half],
                "tickmode": "array",
                "tickvals": marks,
                "ticktext": tick_texts(marks),
                "zeroline": True,
                "zerolinecolor": figure.layout.template.layout.hoverlabel.bordercolor,
                "zerolinewidth": 1,
                "title": {"text": title, "standoff": 8},
            }
        }
    )


def _percent_axis(figure: go.Figure, title: str) -> dict[str, object]:
    plain: dict[str, object] = figure.layout.template.layout.yaxis.to_plotly_json()
    return {
        **plain,
        "range": [0, 102],
        "tickmode": "array",
        "tickvals": [0, 25, 50, 75, 100],
        "title": {"text": title, "standoff": 8},
    }


def _columns(rows: pd.DataFrame, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(rows[name].tolist() for name in names), strict=True))


def _values(column: pd.Series) -> list[float | None]:
    return [None if pd.isna(value) else float(value) for value in column]
