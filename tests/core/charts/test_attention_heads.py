"""The grid of heads: colours by direction, holes, one scale, what is said on hover, what a click gives."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.charts import DARK, LIGHT, Theme, head_grid
from core.errors import NothingToScore, OptionError
from tests.support.attention_results import heads, result

DEGREES = [[0.5, -0.4], [0.2, None]]
DIRECTIONS = [["male", "female"], ["female", ""]]


def grids(figure: go.Figure) -> list[list[list[float | None]]]:
    """For each panel: follows, then biased."""
    return [[list(row) for row in trace.z] for trace in figure.data if trace.type == "heatmap"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_biased_head_has_its_genders_side_of_the_scale_and_the_others_are_grey(theme: Theme) -> None:
    figure = head_grid(result(heads("m", DEGREES, DIRECTIONS)), theme=theme)
    follows, biased = grids(figure)
    assert biased == [[0.5, None], [-0.2, None]]  # male above, female below
    assert follows == [[None, -0.4], [None, None]]  # the last is a hole in both
    scale = figure.data[1].colorscale
    assert (scale[0][1], scale[2][1]) == (theme.groups[1], theme.groups[0])
    assert (figure.data[1].zmin, figure.data[1].zmax) == (-0.5, 0.5)


def test_a_degree_above_zero_towards_neither_is_grey() -> None:
    follows, biased = grids(head_grid(result(heads("m", [[0.3, 0.4]], [["neither", "male"]])), theme=LIGHT))
    assert (follows, biased) == ([[0.3, None]], [[None, 0.4]])


def test_models_of_different_sizes_share_one_scale() -> None:
    rows = pd.concat([heads("a", DEGREES, DIRECTIONS), heads("b", [[0.9, 0.1, -0.2]], [["male", "female", "male"]])])
    figure = head_grid(result(rows), theme=LIGHT)
    assert {trace.zmax for trace in figure.data if trace.type == "heatmap" and trace.zmax} == {0.9}
    assert [np.shape(grid) for grid in grids(figure)] == [(2, 2), (2, 2), (1, 3), (1, 3)]
    assert [trace.name for trace in figure.data if trace.customdata] == ["a", "b"]


def test_a_click_names_the_head_and_hover_tells_all() -> None:
    figure = head_grid(result(heads("<m>", DEGREES, DIRECTIONS)), theme=LIGHT)
    points = figure.data[2]
    assert [list(one) for one in points.customdata] == [
        ["<m>", "0", "0"],
        ["<m>", "0", "1"],
        ["<m>", "1", "0"],
        ["<m>", "1", "1"],
    ]
    first, second, _, last = points.hovertext
    assert first == (
        "<b>&lt;m&gt;, L0 H0</b><br>degree +0.500: to male words in both<br>bias +0.500, of the twin +0.250"
        "<br>attention to male words 0.3000, to female words 0.1000"
    )
    assert "degree −0.400: follows the swap" in second
    assert last.endswith("undefined")


def texts(figure: go.Figure) -> dict[tuple[str, int, int], str]:
    """What is written in a cell, by the axis of its panel, layer and head."""
    return {
        (trace.xaxis, layer, head): text
        for trace in figure.data
        if trace.type == "scatter" and trace.mode == "text"
        for layer, head, text in zip(trace.y, trace.x, trace.text, strict=True)
    }


def test_degrees_are_printed_with_the_letter_of_their_words_and_a_hole_is_marked() -> None:
    figure = head_grid(result(heads("m", DEGREES, DIRECTIONS)), theme=LIGHT)
    assert texts(figure) == {("x", 0, 0): "M +0.50", ("x", 0, 1): "−0.40", ("x", 1, 0): "F +0.20", ("x", 1, 1): "×"}
    key = next(one.text for one in figure.layout.annotations if "follows" in one.text)
    assert "M to male words" in key
    assert "F to female words" in key
    assert "×</span> attends to neither" in key
    whole = head_grid(result(heads("m", [[0.5]], [["male"]])), theme=LIGHT)
    assert not any("×" in one.text for one in whole.layout.annotations)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_click_fades_no_text(theme: Theme) -> None:
    # +1 is the darkest cell in the light scheme and the lightest in the dark one; +0.01 is nearly the paper.
    figure = head_grid(result(heads("m", [[1.0, 0.01]], [["female", "male"]])), theme=theme)
    written = [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text" and trace.text]
    colours = {text: trace.textfont.color for trace in written for text in trace.text}
    assert colours == {"F +1.00": theme.paper, "M +0.01": theme.ink}
    for trace in written:
        assert trace.unselected.textfont.color == trace.selected.textfont.color == trace.textfont.color


def test_many_heads_keep_the_letters_and_take_the_whole_width() -> None:
    # Beside each other 32 heads would have (590 − 44) / 2 / 32 = 8.5 pixels each; alone 590 / 32 = 18.4.
    wide = heads("wide", [[0.5] * 32, [None, -0.5, *[0.5] * 30]], [["male"] * 32] * 2)
    figure = head_grid(result(pd.concat([heads("deep", [[0.5]] * 3, [["female"]] * 3), wide])), theme=LIGHT)
    assert list(figure.layout.xaxis.domain) == list(figure.layout.xaxis2.domain) == [0, 1]
    assert figure.layout.yaxis.domain[0] > figure.layout.yaxis2.domain[1]
    assert texts(figure)["x2", 1, 31] == "M"
    assert texts(figure)["x2", 1, 0] == "×"
    assert ("x2", 1, 1) not in texts(figure)  # it follows the swap
    assert texts(figure)["x", 2, 0] == "F +0.50"
    narrow = head_grid(result(pd.concat([heads(name, DEGREES, DIRECTIONS) for name in "ab"])), theme=LIGHT)
    assert narrow.layout.xaxis2.domain[0] > 0.5


def test_cells_of_all_panels_are_equally_high() -> None:
    rows = [heads(name, [[0.5]] * layers, [["male"]] * layers) for name, layers in (("a", 12), ("b", 6), ("c", 3))]
    layout = head_grid(result(pd.concat(rows)), theme=LIGHT).layout
    axes = ((layout.yaxis, 12), (layout.yaxis2, 6), (layout.yaxis3, 3))
    first, *others = [(axis.domain[1] - axis.domain[0]) / layers for axis, layers in axes]
    assert others == pytest.approx([first, first])
    assert layout.yaxis3.domain[0] == pytest.approx(0)


def test_the_chosen_head_is_framed() -> None:
    figure = head_grid(result(heads("m", DEGREES, DIRECTIONS)), theme=LIGHT, selected=("m", 1, 0))
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 0.5, 0.5, 1.5)


def test_the_first_layer_stands_on_top_and_is_named() -> None:
    figure = head_grid(result(heads("m", DEGREES, DIRECTIONS)), theme=LIGHT)
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]
    assert list(figure.layout.yaxis.ticktext) == ["L0", "L1"]
    assert list(figure.layout.xaxis.ticktext) == ["H0", "H1"]


def test_without_a_degree_there_is_nothing_to_draw() -> None:
    with pytest.raises(NothingToScore):
        head_grid(result(heads("m", [[None]], [[""]])), theme=LIGHT)
    with pytest.raises(OptionError, match="the result has 6"):
        head_grid(result(pd.concat([heads(name, [[0.1]], [["male"]]) for name in "abcdef"])), theme=LIGHT)
