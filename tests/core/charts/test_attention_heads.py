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
    assert {trace.name for trace in figure.data if trace.type == "scatter"} == {"a", "b"}


def test_a_click_names_the_head_and_hover_tells_all() -> None:
    figure = head_grid(result(heads("<m>", DEGREES, DIRECTIONS)), theme=LIGHT)
    points = figure.data[2]
    assert [list(one) for one in points.customdata] == [
        ["<m>", "0", "0"],
        ["<m>", "0", "1"],
        ["<m>", "1", "0"],
        ["<m>", "1", "1"],
    ]
    assert list(points.text) == ["+0.50", "−0.40", "+0.20", ""]
    first, second, _, last = points.hovertext
    assert first == (
        "<b>&lt;m&gt;, L0 H0</b><br>degree +0.500: to male words in both<br>bias +0.500, of the twin +0.250"
        "<br>attention to male words 0.3000, to female words 0.1000"
    )
    assert "degree −0.400: follows the swap" in second
    assert last.endswith("undefined")


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
