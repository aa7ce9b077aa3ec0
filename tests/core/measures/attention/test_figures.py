"""Pictures of attention: what data they are given, what is said on hover, what a click gives."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.charts.theme import DARK, LIGHT, Theme
from core.errors import NothingToScore, OptionError
from core.measures.attention.figures import (
    biased_share,
    degree_boxes,
    degree_curve,
    degree_steps,
    head_grid,
    token_maps,
)
from core.measures.attention.scan.figures import occupation_bars
from tests.support.attention_results import heads, maps, profile

DEGREES = [[0.5, -0.4], [0.2, None]]
DIRECTIONS = [["male", "female"], ["female", ""]]


def grids(figure: go.Figure) -> list[list[list[float | None]]]:
    """For each panel: follows, then biased."""
    return [[list(row) for row in trace.z] for trace in figure.data if trace.type == "heatmap"]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_biased_head_has_its_genders_side_of_the_scale_and_the_others_are_grey(theme: Theme) -> None:
    figure = head_grid(heads("m", DEGREES, DIRECTIONS), theme=theme)
    follows, biased = grids(figure)
    assert biased == [[0.5, None], [-0.2, None]]  # male above, female below
    assert follows == [[None, -0.4], [None, None]]  # the last is a hole in both
    cells = [trace for trace in figure.data if trace.type == "heatmap"][1]
    assert (cells.colorscale[0][1], cells.colorscale[2][1]) == (theme.groups[1], theme.groups[0])
    assert (cells.zmin, cells.zmax) == (-0.5, 0.5)


def test_a_degree_above_zero_towards_neither_is_grey() -> None:
    follows, biased = grids(head_grid(heads("m", [[0.3, 0.4]], [["neither", "male"]]), theme=LIGHT))
    assert (follows, biased) == ([[0.3, None]], [[None, 0.4]])


def test_models_of_different_sizes_share_one_scale() -> None:
    rows = pd.concat([heads("a", DEGREES, DIRECTIONS), heads("b", [[0.9, 0.1, -0.2]], [["male", "female", "male"]])])
    figure = head_grid(rows, theme=LIGHT)
    assert {trace.zmax for trace in figure.data if trace.type == "heatmap" and trace.zmax} == {0.9}
    assert [np.shape(grid) for grid in grids(figure)] == [(2, 2), (2, 2), (1, 3), (1, 3)]
    assert [trace.name for trace in figure.data if trace.customdata] == ["a", "b"]


def test_a_click_names_the_head_and_hover_tells_all() -> None:
    figure = head_grid(heads("<m>", DEGREES, DIRECTIONS), theme=LIGHT)
    points = next(trace for trace in figure.data if trace.customdata)
    assert [list(item) for item in points.customdata] == [
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


def legend(figure: go.Figure) -> list[str]:
    """What the legend says."""
    return [trace.name for trace in figure.data if trace.showlegend]


def texts(figure: go.Figure) -> dict[tuple[str, int, int], str]:
    """What is written in a cell, by the axis of its panel, layer and head."""
    return {
        (trace.xaxis, layer, head): text
        for trace in figure.data
        if trace.type == "scatter" and trace.mode == "text"
        for layer, head, text in zip(trace.y, trace.x, trace.text, strict=True)
    }


def test_degrees_are_printed_with_the_letter_of_their_words_and_a_hole_is_marked() -> None:
    figure = head_grid(heads("m", DEGREES, DIRECTIONS), theme=LIGHT)
    assert texts(figure) == {("x", 0, 0): "M +0.50", ("x", 0, 1): "−0.40", ("x", 1, 0): "F +0.20", ("x", 1, 1): "×"}
    assert [name.partition(" in both")[0] for name in legend(figure)] == [
        "M to male words",
        "F to female words",
        "follows the swap, 0 to −0.50",
        "attends to neither: undefined",
    ]
    assert len(legend(head_grid(heads("m", [[0.5]], [["male"]]), theme=LIGHT))) == 3


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_click_fades_no_text(theme: Theme) -> None:
    # +1 is the darkest cell in the light scheme and the lightest in the dark one; +0.01 is nearly the paper.
    figure = head_grid(heads("m", [[1.0, 0.01]], [["female", "male"]]), theme=theme)
    written = [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text" and trace.text]
    colours = {text: trace.textfont.color for trace in written for text in trace.text}
    assert colours == {"F +1.00": theme.paper, "M +0.01": theme.ink}
    for trace in written:
        assert trace.unselected.textfont.color == trace.selected.textfont.color == trace.textfont.color


def test_many_heads_keep_the_letters_and_take_the_whole_width() -> None:
    # Beside each other 32 heads would have (590 − 44) / 2 / 32 = 8.5 pixels each; alone 590 / 32 = 18.4.
    wide = heads("wide", [[0.5] * 32, [None, -0.5, *[0.5] * 30]], [["male"] * 32] * 2)
    figure = head_grid(pd.concat([heads("deep", [[0.5]] * 3, [["female"]] * 3), wide]), theme=LIGHT)
    assert list(figure.layout.xaxis.domain) == list(figure.layout.xaxis2.domain) == [0, 1]
    assert figure.layout.yaxis.domain[0] > figure.layout.yaxis2.domain[1]
    assert texts(figure)["x2", 1, 31] == "M"
    assert texts(figure)["x2", 1, 0] == "×"
    assert ("x2", 1, 1) not in texts(figure)  # it follows the swap
    assert texts(figure)["x", 2, 0] == "F +0.50"
    narrow = head_grid(pd.concat([heads(name, DEGREES, DIRECTIONS) for name in "ab"]), theme=LIGHT)
    assert narrow.layout.xaxis2.domain[0] > 0.5


def test_cells_of_all_panels_are_equally_high() -> None:
    rows = [heads(name, [[0.5]] * layers, [["male"]] * layers) for name, layers in (("a", 12), ("b", 6), ("c", 3))]
    layout = head_grid(pd.concat(rows), theme=LIGHT).layout
    axes = ((layout.yaxis, 12), (layout.yaxis2, 6), (layout.yaxis3, 3))
    first, *others = [(axis.domain[1] - axis.domain[0]) / layers for axis, layers in axes]
    assert others == pytest.approx([first, first])
    assert layout.yaxis3.domain[0] == pytest.approx(0)


def test_the_chosen_head_is_framed() -> None:
    figure = head_grid(heads("m", DEGREES, DIRECTIONS), theme=LIGHT, selected=("m", 1, 0))
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 0.5, 0.5, 1.5)


def test_the_first_layer_stands_on_top_and_is_named() -> None:
    figure = head_grid(heads("m", DEGREES, DIRECTIONS), theme=LIGHT)
    assert list(figure.layout.yaxis.range) == [1.5, -0.5]
    assert list(figure.layout.yaxis.ticktext) == ["L0", "L1"]
    assert list(figure.layout.xaxis.ticktext) == ["H0", "H1"]


def test_without_a_degree_there_is_nothing_to_draw() -> None:
    with pytest.raises(NothingToScore):
        head_grid(heads("m", [[None]], [[""]]), theme=LIGHT)
    with pytest.raises(OptionError, match="the result has 6"):
        head_grid(pd.concat([heads(name, [[0.1]], [["male"]]) for name in "abcdef"]), theme=LIGHT)


PIECES = ("[CLS]", "<he>", "she", "nurse")
ROLES = ("", "male", "female", "occupation")


def drawn(size: int = 4) -> go.Figure:
    pieces = [*PIECES, *(f"word{at}" for at in range(size - 4))]
    held = maps("m", pieces, [*ROLES, *[""] * (size - 4)])
    return token_maps(held, layer=1, head=0, theme=LIGHT)


def test_both_maps_are_the_heads_on_one_scale() -> None:
    held = maps("m", PIECES, ROLES)[0]
    first, second = (trace for trace in drawn().data if trace.type == "heatmap")
    np.testing.assert_allclose(np.array(first.z), held.attention[1, 0], atol=5e-5)
    np.testing.assert_allclose(np.array(second.z), held.attention[1, 0][:, ::-1], atol=5e-5)
    assert first.zmin == second.zmin == 0
    assert first.zmax == second.zmax == pytest.approx(held.attention[1, 0].max())


def test_labels_carry_the_roles_and_stand_as_written() -> None:
    figure = drawn()
    male, female = LIGHT.words[:2]
    assert list(figure.layout.yaxis.ticktext) == [
        f'<span style="color:{LIGHT.muted}">[CLS]</span>',
        f'<span style="color:{male}"><b>&lt;he&gt; (M)</b></span>',
        f'<span style="color:{female}"><b>she (F)</b></span>',
        f'<span style="color:{LIGHT.ink}"><b>nurse</b></span>',
    ]
    assert list(drawn(5).layout.yaxis.ticktext)[4] == "word0"
    assert "m, L1 H0" in figure.layout.annotations[-1].text


def test_hover_names_both_pieces_and_a_piece_that_comes_twice_has_two_places() -> None:
    held = maps("m", ("a", "<a>", "a"), ("male", "female", "occupation"))
    first = token_maps(held, layer=0, head=1, theme=LIGHT).data[0]
    assert [name.rstrip("\u200b") for name in first.x] == ["a", "&lt;a&gt;", "a"]
    assert len(set(first.x)) == 3
    assert first.x == first.y
    assert first.hovertemplate.startswith("%{y} → %{x}<br><b>%{z:.4f}")


def test_values_are_printed_where_they_fit() -> None:
    attention = maps("m", PIECES, ROLES)[0].attention[1, 0]
    written = {
        (row, column): text
        for trace in drawn(4).data
        if trace.type == "scatter" and trace.xaxis == "x"
        for row, column, text in zip(trace.y, trace.x, trace.text, strict=True)
    }
    names = list(drawn(4).data[0].x)
    assert written == {
        (row, column): f"{attention[at, to]:.2f}" for at, row in enumerate(names) for to, column in enumerate(names)
    }
    assert not [trace for trace in drawn(13).data if trace.type == "scatter"]


def test_short_sentences_stand_beside_each_other_and_long_ones_below() -> None:
    short, long = drawn(13), drawn(40)
    assert len(short.layout.xaxis.ticktext) == 13
    assert short.layout.xaxis2.domain[0] > 0.4
    assert list(short.layout.yaxis.domain) == list(short.layout.yaxis2.domain) == [0, 1]
    assert list(long.layout.xaxis.domain) == list(long.layout.xaxis2.domain) == [0, 1]
    assert long.layout.yaxis.domain[0] > long.layout.yaxis2.domain[1]


def test_six_hundred_tokens_are_drawn_with_few_labels_but_the_words_that_matter() -> None:
    figure = drawn(600)
    names, places = list(figure.layout.yaxis.ticktext), list(figure.layout.yaxis.tickvals)
    assert 40 < len(names) < 100
    assert "nurse" in names[0]
    # 620 pixels / 600 tokens: labels 13 pixels high need 13 places each.
    assert min(after - before for before, after in pairwise(places)) >= 12
    assert figure.layout.height < 2_500
    # Nothing is said cell by cell but the 2 × 360,000 values, of at most 7 characters each.
    assert len(figure.to_json()) < 6_000_000


def test_words_with_a_role_far_apart_are_all_named() -> None:
    roles = [""] * 200
    roles[10], roles[100], roles[190] = "male", "occupation", "female"
    held = maps("m", [f"w{at}" for at in range(200)], roles)
    figure = token_maps(held, layer=0, head=0, theme=LIGHT)
    assert {10, 100, 190} <= set(figure.layout.yaxis.tickvals)
    assert {10, 100, 190} <= set(figure.layout.xaxis.tickvals)


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(OptionError, match="no L2 H0"):
        token_maps(maps("m", PIECES, ROLES), layer=2, head=0, theme=LIGHT)


MEANS = [0.1, -0.2, 0.3, None, 0.05, 0.2]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_curve_is_the_mean_degree_with_gaps(theme: Theme) -> None:
    figure = degree_curve(profile("m", MEANS), theme=theme)
    (line,) = figure.data
    assert list(line.y) == MEANS
    assert list(line.x) == [0, 1, 2, 3, 4, 5]
    assert list(figure.layout.xaxis.ticktext) == ["E", "Q", "K", "V", "A", "O"]
    assert figure.layout.yaxis.range[0] == -figure.layout.yaxis.range[1]
    assert line.hovertext[1] == "<b>query of L0</b><br>m: mean degree −0.200, n = 7"
    assert line.hovertext[3] == ""


def test_models_share_one_chart_and_are_named() -> None:
    rows = pd.concat([profile("<a>", MEANS), profile("b", MEANS[:4])], ignore_index=True)
    figure = degree_curve(rows, theme=LIGHT)
    assert legend(figure) == ["&lt;a&gt;", "b"]
    assert len(figure.layout.xaxis.tickvals) == 6  # of the longer one


def test_steps_stand_above_the_share_that_rises() -> None:
    rows = profile(
        "m", MEANS, difference=[None, -0.3, 0.5, None, -0.25, 0.15], share_rising=[None, 0, 1, None, 0.4, 0.6]
    )
    steps, share = degree_steps(rows, theme=LIGHT).data
    assert list(steps.x) == [1, 2, 4, 5]
    assert list(steps.y) == [-0.3, 0.5, -0.25, 0.15]
    assert list(share.y) == pytest.approx([0, 1, 0.4, 0.6])
    assert [colour == LIGHT.paper for colour in steps.marker.color] == [True, False, True, False]
    assert "rises in 40 % of sentences" in steps.hovertext[2]


def test_boxes_are_the_quartiles_given() -> None:
    ends = {"low": [-0.5], "q1": [-0.25], "median": [0.0], "q3": [0.125], "high": [0.75]}
    box, marks = degree_boxes(profile("m", [0.1], **ends), theme=LIGHT).data
    assert [float(getattr(box, name)[0]) for name in ("lowerfence", "q1", "median", "q3", "upperfence")] == [
        -0.5,
        -0.25,
        0,
        0.125,
        0.75,
    ]
    assert marks.hovertext[0] == (
        "<b>embedding</b><br>median 0.000<br>middle half −0.250 to +0.125<br>all −0.500 to +0.750"
    )


def test_the_share_of_biased_heads_is_in_percent() -> None:
    figure = biased_share(profile("m", [0.1, 0.2], share_biased=[0.25, None]), theme=LIGHT)
    assert list(figure.data[0].y) == [0.25, None]
    assert figure.data[0].hovertext == ("<b>embedding</b><br>m: 25.0 % of heads biased", "")


DRAWN = [degree_curve, degree_steps, degree_boxes, biased_share]


@pytest.mark.parametrize("draw", DRAWN)
def test_every_chart_names_its_model_as_it_stands(draw: Any) -> None:
    figure = draw(profile("<i>m</i>", MEANS), theme=LIGHT)
    assert any(
        "&lt;i&gt;m&lt;/i&gt;" in text
        for text in [annotation.text for annotation in figure.layout.annotations] + legend(figure)
    )


@pytest.mark.parametrize("draw", DRAWN)
def test_layers_are_parted_below_the_marks(draw: Any) -> None:
    # Over a curve a line in the colour of the grid would look like a missing value.
    parting = [shape for shape in draw(profile("m", MEANS), theme=LIGHT).layout.shapes if shape.x0 == shape.x1]
    assert [(item.x0, item.layer) for item in parting] == [(0.5, "below")]


@pytest.mark.parametrize("draw", [degree_curve, degree_steps, biased_share])
def test_a_click_fades_nothing(draw: Any) -> None:
    for trace in draw(profile("m", MEANS), theme=LIGHT).data:
        assert trace.unselected.marker.opacity == 1


@pytest.mark.parametrize("draw", DRAWN)
def test_without_values_there_is_nothing_to_draw(draw: object) -> None:
    with pytest.raises(NothingToScore, match="No position has a degree"):
        draw(profile("m", [None], share_biased=[None]), theme=LIGHT)  # type: ignore[operator]


def test_sixty_one_positions_are_named_by_their_layers() -> None:
    figure = degree_curve(profile("m", [0.1] * 61), theme=LIGHT)
    assert sum(bool(text) for text in figure.layout.xaxis.ticktext) == 1
    assert [annotation.text for annotation in figure.layout.annotations if annotation.text.startswith("L")][-1] == "L11"


def test_the_most_frequent_stand_first_and_the_rest_is_one_row() -> None:
    counts = pd.DataFrame({"occupation": ["a", "<b>", "c", "d"], "n": [2, 1500, 7, 1]})
    figure = occupation_bars(counts, theme=LIGHT, limit=2)
    assert list(figure.data[0].x) == [1500, 7, 3]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "c", "2 more occupations"]
    assert list(figure.data[0].text) == [" 1,500", " 7", " 3"]
    assert list(figure.data[0].marker.color) == [LIGHT.neutral, LIGHT.neutral, LIGHT.paper]  # no occupation: hollow
    assert figure.data[0].hovertext[0] == "<b>&lt;b&gt;</b><br>1,500 sentences"


def test_one_more_is_shown_itself() -> None:
    counts = pd.DataFrame({"occupation": ["a", "b", "c"], "n": [3, 2, 1]})
    assert list(occupation_bars(counts, theme=LIGHT, limit=2).layout.yaxis.ticktext) == ["a", "b", "c"]


def test_few_sentences_are_counted_by_ones() -> None:
    assert occupation_bars(pd.DataFrame({"occupation": ["a"], "n": [2]}), theme=LIGHT).layout.xaxis.dtick == 1
    assert occupation_bars(pd.DataFrame({"occupation": ["a"], "n": [60]}), theme=LIGHT).layout.xaxis.dtick is None


def test_without_an_occupation_there_is_nothing_to_count() -> None:
    with pytest.raises(NothingToScore):
        occupation_bars(pd.DataFrame({"occupation": [], "n": []}), theme=LIGHT)
    with pytest.raises(OptionError, match="limit of 0"):
        occupation_bars(pd.DataFrame({"occupation": ["a"], "n": [1]}), theme=LIGHT, limit=0)
