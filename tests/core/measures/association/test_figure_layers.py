from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore
from core.measures.association.figures import layer_curve
from tests.support.association_results import association_result

TITLES = {"a": "[CLS] in templates", "b": "pooled"}
TWO = [
    (m, "weat1", r, layer, 0.1 * layer + shift)
    for m, r, shift in (("m", "a", 0.0), ("m", "b", -1.0))
    for layer in range(4)
]


def _chart(layers: Any, theme: Any = LIGHT, titles: Any = TITLES) -> go.Figure:
    return layer_curve(association_result([], layers=layers), theme=theme, test="weat1", titles=titles)


def _label(figure: go.Figure, part: str) -> Any:
    (found,) = (one for one in figure.layout.annotations if part in one.text and "▲" not in one.text)
    return found


def test_a_line_is_the_effect_size_layer_by_layer() -> None:
    other = [("m", "weat6", "a", 0, 9.0)]
    figure = _chart([TWO[3], TWO[0], *TWO[4:], TWO[2], TWO[1], *other])  # in any order, another test left out
    first, second = figure.data
    assert list(first.x) == [0, 1, 2, 3]
    assert list(first.y) == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert list(second.y) == pytest.approx([-1.0, -0.9, -0.8, -0.7])
    assert list(first.customdata[2]) == ["m", "weat1", "a", 2]
    assert first.hovertext[2] == "<b>[CLS] in templates</b><br>m<br>layer 2: d = +0.20"
    low, high = figure.layout.yaxis.range
    assert low == -high < -1.0
    up, down = (one for one in figure.layout.annotations if "associated with" in one.text)
    assert (up.text, up.y) == ("<b>▲ X associated with A</b>", 1)
    assert (down.text, down.y) == ("<b>▼ X associated with B</b>", 0)


def test_a_layer_without_a_value_is_a_gap() -> None:
    figure = _chart([("m", "weat1", "a", layer, d) for layer, d in enumerate((0.1, math.nan, 0.3))])
    (line,) = figure.data
    assert list(line.y) == [0.1, None, 0.3]
    assert line.connectgaps is False
    assert "NaN" not in figure.to_json()
    assert "bdata" not in figure.to_json()


def test_labels_stand_at_the_ends_in_the_order_of_the_values() -> None:
    figure = _chart(TWO)
    high = figure.layout.yaxis.range[1]
    for part, end in (("[CLS]", 0.3), ("pooled", -0.7)):
        assert _label(figure, part).y == pytest.approx((end + high) / (2 * high))
        assert _label(figure, part).font.color == next(
            trace.line.color for trace in figure.data if trace.name.startswith(part)
        )


def test_labels_of_lines_that_end_together_do_not_touch() -> None:
    # Twenty lines within a hundredth at the very top: their labels have to make room for each other.
    layers = [("m", "weat1", f"r{at:02d}", layer, 2.0 + at / 2000) for at in range(20) for layer in (0, 1)]
    figure = _chart(layers)
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    heights = [_label(figure, f"r{at:02d}").y * plot for at in range(20)]
    assert all(upper - lower >= 15.9 for lower, upper in pairwise(heights))  # a line of text
    assert heights[0] >= 0
    assert heights[-1] <= plot


def test_models_have_their_marks_and_are_named_above() -> None:
    figure = _chart([*TWO, *(("n", *row[1:]) for row in TWO[:4])])
    lines = {trace.name: trace for trace in figure.data}
    m, other, n = lines["[CLS] in templates, m"], lines["pooled, m"], lines["[CLS] in templates, n"]
    assert m.line.color == other.line.color != n.line.color
    assert m.marker.symbol == other.marker.symbol != n.marker.symbol
    assert m.line.dash == n.line.dash != other.line.dash
    key = figure.layout.annotations[-1].text
    assert "</span> m" in key
    assert "</span> n" in key
    assert _label(figure, "■ [CLS]").font.color == n.line.color


def test_lines_of_one_model_differ() -> None:
    figure = _chart([("m", "weat1", f"r{at}", 0, 0.1 * at) for at in range(12)])
    assert len({(trace.line.color, trace.line.dash) for trace in figure.data}) == 12
    assert not any("</span>" in one.text for one in figure.layout.annotations)


def test_words_are_shown_as_they_stand() -> None:
    figure = _chart([("<i>m</i>", "weat1", "a", 0, 0.1)], titles={"a": "<u>r</u> $x$"})
    assert _label(figure, "r").text == "&lt;u&gt;r&lt;/u&gt; &#36;x&#36;"
    assert "<i>" not in figure.data[0].hovertext[0]


def test_nothing_to_draw_is_said() -> None:
    for layers in ([], [("m", "weat1", "a", 0, math.nan)], [("m", "weat6", "a", 0, 1.0)]):
        with pytest.raises(NothingToScore, match="no curve over layers"):
            _chart(layers)
