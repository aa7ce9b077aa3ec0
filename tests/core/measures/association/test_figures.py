"""Figures of association tests: what is drawn of a result made by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT, Theme
from core.errors import NothingToScore, OptionError
from core.measures.association.figures import (
    Which,
    association_matrix,
    effect_sizes,
    layer_curve,
    member_associations,
    null_distribution,
)
from core.measures.association.result import AssociationResult
from core.result import Excluded
from tests.support.association_results import WHICH, asked_test, association_result, bars, matrix, members, row

OCHRE, TEAL = LIGHT.groups[:2]
WEAT1, WEAT6 = asked_test("weat1", "WEAT 1: flowers"), asked_test("weat6", "WEAT 6: careers")
LPBS: Which = ("m", "weat1", "lpbs")
NARROW = replace(LIGHT, width=360)


def trace(figure: go.Figure, name: str) -> Any:
    return next(found for found in figure.data if found.name == name)


def annotation(figure: go.Figure, part: str) -> Any:
    (found,) = (text for text in figure.layout.annotations if part in text.text)
    return found


DRAWN: dict[str, Callable[[AssociationResult], go.Figure]] = {
    "No test has an effect size": lambda result: effect_sizes(result, theme=LIGHT),
    "No member of X or Y": lambda result: member_associations(result, WHICH, theme=LIGHT),
    "WEAT 1: flowers: no distribution": lambda result: null_distribution(result, WHICH, theme=LIGHT),
    "no matrix to draw": lambda result: association_matrix(result, WHICH, theme=LIGHT),
    "no curve over layers": lambda result: layer_curve(result, "weat1", theme=LIGHT),
}


@pytest.mark.parametrize("sentence", DRAWN)
def test_nothing_to_draw_is_said(sentence: str) -> None:
    with pytest.raises(NothingToScore, match=sentence):
        DRAWN[sentence](association_result([row(*WHICH, None)], tests=[WEAT1]))


# Effect sizes


def forest(rows: Sequence[dict[str, object]], **more: Any) -> go.Figure:
    published = more.pop("show", False)
    result = association_result(rows, tests=[WEAT1, WEAT6], **more)
    return effect_sizes(result, theme=LIGHT, published=published)


def test_a_mark_is_the_effect_size_with_its_interval() -> None:
    figure = forest([row("m", "weat1", "vulic", 0.75), row("m", "weat1", "lpbs", -1.25)])
    marks = trace(figure, "m")
    assert list(marks.x) == [0.75, -1.25]
    assert [list(data) for data in marks.customdata] == [["m", "weat1", "vulic"], ["m", "weat1", "lpbs"]]
    lines = trace(figure, "95 % interval")
    assert list(lines.x) == [0.25, 1.25, None, -1.75, -0.75, None]  # d ± .5
    assert list(lines.y)[:2] == [marks.y[0]] * 2
    low, high = figure.layout.xaxis.range
    assert low == -high < -1.75


def test_right_is_x_with_a() -> None:
    figure = forest([row("m", "weat1", "vulic", 0.75)])
    assert annotation(figure, "▶").text == "<b>X associated with A ▶</b>"
    assert annotation(figure, "▶").xanchor == "left"
    assert annotation(figure, "◀").text == "<b>◀ X associated with B</b>"
    assert figure.layout.xaxis.range[0] < figure.layout.xaxis.range[1]


def test_rows_are_grouped_by_test_under_a_heading() -> None:
    figure = forest([row(m, t, r, 0.5) for m in ("m", "n") for r in ("vulic", "lpbs") for t in ("weat6", "weat1")])
    assert list(figure.layout.yaxis.ticktext) == ["Vulić: layers 1–4, no context", "LPBS"] * 2
    first, second = (annotation(figure, title).y for title in ("WEAT 6", "WEAT 1"))
    at = list(figure.layout.yaxis.tickvals)
    assert first < at[0] < at[1] < second < at[2] < at[3]
    assert figure.layout.yaxis.range[0] > at[3]  # row 0 is on top
    # Two marks a row, on lines of their own, around the row's label.
    for y, m, n in zip(at, sorted(trace(figure, "m").y), sorted(trace(figure, "n").y), strict=True):
        assert m < y < n
        assert m + n == pytest.approx(2 * y)


def test_filled_only_where_the_result_says_significant() -> None:
    figure = forest([row("m", "weat1", kind, 0.5, significant=kind == "lpbs") for kind in ("lpbs", "vulic", "ceat")])
    marker = trace(figure, "m").marker
    assert list(marker.color) == [marker.line.color, LIGHT.paper, LIGHT.paper]
    assert "p &lt; .05 after correction over 3 tests" in annotation(figure, "filled").text.replace("<br>", " ")


def test_models_differ_in_shape_and_hue_and_are_named_above() -> None:
    names = ["m", "n", "o", "p", "glove.txt"]
    figure = forest([row(name, "weat1", "vulic", 0.5) for name in names])
    marks = [trace(figure, name).marker for name in names]
    assert len({mark.symbol for mark in marks}) == len({mark.line.color for mark in marks}) == 5
    key = [(entry.name, entry.marker.symbol, entry.marker.color) for entry in figure.data if entry.showlegend]
    assert key == [(name, mark.symbol, mark.line.color) for name, mark in zip(names, marks, strict=True)]
    with pytest.raises(OptionError, match="tells 5 models apart; the result holds 6"):
        forest([row(f"m{at}", "weat1", "vulic", 0.5) for at in range(6)])


def test_what_was_not_computed_says_so_in_its_row() -> None:
    why = Excluded("m", "statistic", "weat1", "X kept <1> of 3", test="weat1", representation="lpbs")
    figure = forest([row("m", "weat1", "vulic", 0.5), row("m", "weat1", "lpbs", None)], excluded=[why])
    text = annotation(figure, "not computed")
    assert text.text == "not computed"
    assert text.hovertext == "weat1: X kept &lt;1&gt; of 3."
    assert text.font.color == LIGHT.muted
    assert text.y == figure.layout.yaxis.tickvals[1]
    assert list(trace(figure, "m").x) == [0.5]


def test_one_model_without_a_value_is_named_beside_the_others() -> None:
    rows = [row("m", "weat1", "lpbs", None), row("n", "weat1", "lpbs", 0.5), row("m", "weat1", "vulic", 0.5)]
    assert annotation(forest(rows), "not computed").text == "m: not computed"
    # Where all lack it, the row says it once.
    rows = [row("m", "weat1", "lpbs", None), row("n", "weat1", "lpbs", None), row("m", "weat1", "vulic", 0.5)]
    assert annotation(forest(rows), "not computed").text == "not computed"


def test_published_values_stand_in_the_row_of_their_representation_only() -> None:
    columns = ("test", "representation", "source", "model", "effect_size", "p_value")
    printed = [
        dict(zip(columns, values, strict=True))
        for values in (
            ("weat1", "lpbs", "Kurita et al. 2019", "<b>bert</b>", 2.5, 0.01),
            ("weat1", "partner-masked", "Kurita et al. 2019", "bert", 0.9, np.nan),  # was not measured
            ("weat6", "lpbs", "Kurita et al. 2019", "bert", 0.8, np.nan),  # another test
            ("weat1", "vulic", "nobody", "bert", 0.0, np.nan),
        )
    ]
    rows = [row("m", "weat1", "lpbs", 0.5), row("m", "weat1", "vulic", 0.5)]
    figure = forest(rows, published=printed, show=True)
    diamonds = trace(figure, "published")
    assert list(diamonds.x) == [2.5, 0.0]
    assert diamonds.marker.symbol == "diamond"
    assert set(diamonds.marker.color) == {LIGHT.neutral}
    assert diamonds.hovertext[0] == (
        "<b>published</b>: d = +2.50, p = 0.010<br>&lt;b&gt;bert&lt;/b&gt;<br>Kurita et al. 2019"
    )
    assert diamonds.customdata is None
    assert diamonds.y[0] > trace(figure, "m").y[0]  # on a line of its own
    assert figure.layout.xaxis.range[1] > 2.5
    assert figure.data[-1].name.startswith("published")  # in the key
    assert not any("published" in found.name for found in forest(rows, published=printed).data)


def test_hover_holds_every_number() -> None:
    figure = forest(
        [
            row("m", "weat1", "lpbs", 0.5, p_one_sided=0.0001),
            row("m", "weat1", "ceat", 0.5, p_one_sided=np.nan, p_kind="random effects", n_permutations=1000),
        ]
    )
    exact, ceat = trace(figure, "m").hovertext
    assert exact.split("<br>") == [
        "<b>m</b>",
        "WEAT 1: flowers",
        "LPBS",
        "d = +0.50, 95 % interval 0.00 to +1.00",
        "one-sided p < 0.001, two-sided p = 0.020, adjusted p = 0.040 over 2 tests",
        "exact, 12,870 partitions",
        "n: X 8, Y 8, A 25, B 24",
    ]
    assert "one-sided" not in ceat
    assert "random effects, 1,000 samples" in ceat


# Members


def drawn_members(*args: Any, which: Which = WHICH) -> go.Figure:
    test = asked_test("weat1", permuted=("A", "B"))
    return member_associations(
        association_result(tests=[test], members=members(*args, which=which)), which, theme=LIGHT
    )


def test_bars_are_sorted_from_b_to_a_in_the_hue_of_their_set() -> None:
    figure = drawn_members([0.2, -0.1], [-0.3, 0.05])
    found = figure.data[0]
    assert list(found.x) == [-0.3, -0.1, 0.05, 0.2]
    assert [list(data) for data in found.customdata] == [["y1", "Y"], ["x2", "X"], ["y2", "Y"], ["x1", "X"]]
    assert list(found.marker.color) == [TEAL, OCHRE, TEAL, OCHRE]
    assert list(found.marker.pattern.shape) == ["/", "", "/", ""]  # told apart in black and white
    assert list(figure.layout.yaxis.ticktext) == ["y1", "x2", "y2", "x1"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # row 0 is on top
    assert list(found.text) == ["−0.300", "−0.100", "+0.050", "+0.200"]
    low, high = figure.layout.xaxis.range
    assert low == -high < -0.3


def test_right_is_nearer_to_a() -> None:
    figure = drawn_members([0.2], [-0.3])
    texts = [text.text for text in figure.layout.annotations]
    assert texts[:2] == ["<b>◀ nearer to unpleasant</b>", "<b>nearer to pleasant ▶</b>"]
    legend = {entry.name: entry.marker for entry in figure.data if entry.showlegend is not False}
    assert {name: marker.color for name, marker in legend.items()} == {"flowers": OCHRE, "insects": TEAL}
    assert legend["flowers"].pattern.shape != legend["insects"].pattern.shape  # told apart in black and white
    assert figure.data[0].hovertext[0] == "<b>y1</b>, insects<br>nearer to unpleasant by 0.300"
    assert figure.data[0].hovertext[1] == "<b>x1</b>, flowers<br>nearer to pleasant by 0.200"


def test_lpbs_leans_to_its_groups_and_names_the_sets_that_it_permutes() -> None:
    figure = drawn_members([0.2], [-0.3], which=LPBS)
    texts = [text.text for text in figure.layout.annotations]
    assert texts[:2] == ["<b>◀ leans towards women</b>", "<b>leans towards men ▶</b>"]
    assert [entry.name for entry in figure.data if entry.showlegend is not False] == ["pleasant", "unpleasant"]
    assert texts[-1] == "LPBS, nats"


def test_both_directions_have_one_form_on_a_narrow_page() -> None:
    result = association_result(
        tests=[asked_test("weat1", names=("flowers", "insects", "agreeable things", "war"))],
        members=members([0.2], [-0.3], which=WHICH),
    )
    texts = [text.text for text in member_associations(result, WHICH, theme=NARROW).layout.annotations]
    # "nearer to agreeable things" does not fit: "nearer to war" would, and does without its verb too.
    assert "<b>◀ war</b>" in texts
    assert "<b>agreeable things ▶</b>" in texts


def test_a_member_with_several_values_shows_their_mean() -> None:
    names = (("rose", "tulip", "rose", "tulip"), ("ant",))
    found = drawn_members([0.1, 0.5, 0.3, 0.7], [-0.2], names, which=LPBS).data[0]
    assert [data[0] for data in found.customdata] == ["ant", "rose", "tulip"]
    assert list(found.x) == pytest.approx([-0.2, 0.2, 0.6])
    assert found.hovertext[1].endswith("mean of 2 values")
    assert "mean of" not in found.hovertext[0]


def test_a_member_of_both_sets_has_a_bar_in_each() -> None:
    found = drawn_members([0.1], [-0.2], (("may",), ("may",))).data[0]
    assert [list(data) for data in found.customdata] == [["may", "Y"], ["may", "X"]]


def test_long_lists_keep_the_outermost_and_count_the_rest() -> None:
    figure = drawn_members([at / 100 for at in range(100)], [-at / 100 for at in range(1, 101)])
    assert len(figure.data[0].x) == 80
    assert min(figure.data[0].x) == -1.0
    assert max(figure.data[0].x) == 0.99
    assert "120 more between" in figure.layout.yaxis.ticktext[40]


# The null distribution


def null(observed: float, ends: Sequence[float], counts: Sequence[int], tail: Sequence[bool], **of: Any) -> go.Figure:
    which = ("m", "weat1", of.pop("representation", "vectors"))
    values = {"test_statistic": observed, "p_one_sided": 0.1, "p_observed_direction": 0.1, "n_permutations": 10, **of}
    rows = [row(*which, of.pop("effect_size", observed * 10), **values)]
    result = association_result(rows, distribution=bars(ends, counts, tail, which))
    return null_distribution(result, which, theme=LIGHT)


def words(figure: go.Figure) -> str:
    return next(str(text.text) for text in figure.layout.annotations if ";" in text.text)


def in_tail(figure: go.Figure) -> int:
    return sum(
        n for n, colour in zip(figure.data[0].y, figure.data[0].marker.color, strict=True) if colour != LIGHT.neutral
    )


def test_bars_are_those_of_the_result_and_the_tail_is_coloured() -> None:
    figure = null(1.227, [-1.3, 0.0, 1.227, 1.3], [5, 4, 1], [False, False, True])
    assert list(figure.data[0].y) == [5, 4, 1]
    assert list(figure.data[0].x) == pytest.approx([-0.65, 0.6135, 1.2635])
    assert words(figure) == "<b>observed +1.227; 1 of 10 at or beyond</b>"
    assert in_tail(figure) == 1
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == 1.227
    assert set(figure.data[0].marker.color) == {OCHRE, LIGHT.neutral}
    assert figure.layout.yaxis.title.text == "partitions"
    low, high = figure.layout.xaxis.range
    assert low == -high < -1.3


def test_the_mirrored_test_is_the_mirrored_picture() -> None:
    figure = null(-1.227, [-1.3, -1.227, 0.0, 1.3], [1, 4, 5], [True, False, False], p_one_sided=1.0)
    assert set(figure.data[0].marker.color) == {TEAL, LIGHT.neutral}
    assert words(figure) == "<b>observed −1.227; 1 of 10 at or beyond</b>"


def test_the_words_count_in_all_partitions_where_the_picture_shows_a_share() -> None:
    asked = ([-1, 0, 1], [90, 10], [False, True])
    figure = null(1.0, *asked, p_observed_direction=12 / 12870, p_one_sided=12 / 12870, n_permutations=12870)
    assert words(figure) == "<b>observed +1.000; 12 of 12,870 at or beyond</b>"
    assert figure.layout.yaxis.title.text == "partitions, 100 shown"
    # 100,000 drawn partitions and the observed one: p = (11 + 1) / 100,001.
    p = 12 / 100001
    figure = null(1.0, *asked, p_observed_direction=p, p_one_sided=p, n_permutations=100000, p_kind="sampled")
    assert words(figure) == "<b>observed +1.000; 12 of 100,001 at or beyond</b>"


def test_ceat_shows_its_samples_and_the_side_of_the_combined_value() -> None:
    of: dict[str, Any] = {"representation": "ceat", "p_kind": "random effects", "p_one_sided": np.nan}
    figure = null(-0.03, [-0.5, 0.0, 0.5], [3, 1], [True, False], **of, p_observed_direction=np.nan)
    assert words(figure) == "<b>combined −0.300; 3 of 4 samples below 0</b>"
    assert in_tail(figure) == 3
    assert figure.layout.xaxis.title.text == "effect size d of a sample"
    (line,) = figure.layout.shapes
    assert line.x0 == -0.3


# The matrix


ROWS = (("rose", "tulip"), ("ant",))
COLUMNS = (("love",), ("war", "crash"))
VALUES = [[0.5, -0.25, 0.0], [0.1, 0.2, math.nan], [-0.3, 0.4, 0.12345678]]


def heat(values: Any = VALUES, rows: Any = ROWS, columns: Any = COLUMNS) -> go.Figure:
    return association_matrix(association_result(matrix=matrix(values, rows, columns)), WHICH, theme=LIGHT)


def seen(names: Any) -> list[str]:
    return [str(name).replace("\u200b", "") for name in names]


def test_cells_are_the_matrix_and_a_missing_value_is_a_hole() -> None:
    figure = heat()
    cells = figure.data[0]
    assert [list(line) for line in cells.z] == [[0.5, -0.25, 0.0], [0.1, 0.2, None], [-0.3, 0.4, 0.1235]]
    assert seen(cells.y) == ["rose", "tulip", "ant"]
    assert seen(cells.x) == ["love", "war", "crash"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # X on top
    written = {
        (*seen([down, across]), text)
        for texts in figure.data[1:]
        for down, across, text in zip(texts.y, texts.x, texts.text, strict=True)
    }
    assert written == {
        *(("rose", "love", "+0.50"), ("rose", "war", "−0.25"), ("rose", "crash", "0.00")),
        *(("tulip", "love", "+0.10"), ("tulip", "war", "+0.20")),
        *(("ant", "love", "−0.30"), ("ant", "war", "+0.40"), ("ant", "crash", "+0.12")),
    }
    assert cells.hoverongaps is False


def test_the_scale_is_centred_on_zero_with_the_paper_there() -> None:
    cells = heat().data[0]
    assert (cells.zmin, cells.zmax) == (-0.5, 0.5)
    assert cells.colorscale == ((0, LIGHT.groups[1]), (0.5, LIGHT.paper), (1, LIGHT.groups[0]))
    assert list(cells.colorbar.ticktext) == ["−0.50", "0", "+0.50"]
    # All on one side, the scale still reaches as far on the other.
    cells = heat([[0.5, 0.8, 0.7]] * 3).data[0]
    assert (cells.zmin, cells.zmax) == (-0.8, 0.8)


def test_sets_are_set_apart_and_named() -> None:
    figure = heat(np.ones((9, 3)).tolist(), (tuple("abcde"), tuple("fghi")))
    lines = {(shape.x0, shape.x1, shape.y0, shape.y1) for shape in figure.layout.shapes}
    assert lines == {(0, 1, 4.5, 4.5), (0.5, 0.5, 0, 1)}  # five rows of X, one column of A
    names = {text.text: text for text in figure.layout.annotations}
    assert set(names) == {f"<b>{name}</b>" for name in ("flowers", "insects", "pleasant", "unpleasant")}
    # In the middle of rows 0 to 4 and 5 to 8, of column 0 and of columns 1 and 2.
    assert [names[f"<b>{name}</b>"].y for name in ("flowers", "insects")] == [2, 6.5]
    assert [names[f"<b>{name}</b>"].x for name in ("pleasant", "unpleasant")] == [0, 1.5]
    # Three rows of 20 pixels have no room for the names along them: cut, and whole on hover.
    cut = [text for text in heat().layout.annotations if "…" in text.text]
    assert [text.hovertext for text in cut] == ["flowers", "insects"]


def test_names_alike_or_like_numbers_stay_rows_of_their_own() -> None:
    figure = heat(rows=(("1",), ("1", "0")), columns=(("2",), ("<b>w</b>", "$x$")))
    rows, columns = figure.data[0].y, figure.data[0].x
    assert len(set(rows)) == 3
    assert not any(str(name).isdecimal() for name in [*rows, *columns])
    assert seen(columns) == ["2", "&lt;b&gt;w&lt;/b&gt;", "&#36;x&#36;"]
    assert list(figure.layout.xaxis.ticktext) == seen(columns)


def test_two_hundred_sentences_square() -> None:
    sentences = tuple(f"This is a rather long sentence about the {at}th of the things." for at in range(200))
    values = np.random.default_rng(0).uniform(-1, 1, (200, 200)).tolist()
    figure = heat(values, (sentences[:100], sentences[100:]), (sentences[:100], sentences[100:]))
    assert len(figure.to_json()) < 3_000_000
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    marks = list(figure.layout.yaxis.tickvals)
    assert min(b - a for a, b in pairwise(marks)) * plot / 200 >= 12  # the height of a text
    assert all(len(text) < 40 and text.endswith("…") for text in figure.layout.yaxis.ticktext)
    assert seen(figure.data[0].y)[7] == sentences[7]
    assert len(figure.data) == 1


# The curves over layers


Point = tuple[str, str, str, int, float]
CLS, POOLED = "cls-in-templates", "pooled-in-templates"
TWO: list[Point] = [
    ("m", "weat1", kind, layer, 0.1 * layer + shift)
    for kind, shift in ((CLS, 0.0), (POOLED, -1.0))
    for layer in range(4)
]


def curves(points: Sequence[Point], theme: Theme = LIGHT) -> go.Figure:
    columns = ("model", "test", "representation", "layer", "effect_size")
    layers = [dict(zip(columns, point, strict=True)) for point in points]
    return layer_curve(association_result(layers=layers), "weat1", theme=theme)


def label(figure: go.Figure, part: str) -> Any:
    (found,) = (text for text in figure.layout.annotations if part in text.text and "▲" not in text.text)
    return found


def test_a_line_is_the_effect_size_layer_by_layer() -> None:
    other: Point = ("m", "weat6", CLS, 0, 9.0)
    figure = curves([TWO[3], TWO[0], *TWO[4:], TWO[2], TWO[1], other])  # in any order, another test left out
    first, second = figure.data
    assert list(first.x) == [0, 1, 2, 3]
    assert list(first.y) == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert list(second.y) == pytest.approx([-1.0, -0.9, -0.8, -0.7])
    assert list(first.customdata[2]) == ["m", "weat1", CLS, 2]
    assert first.hovertext[2] == "<b>[CLS] in templates</b><br>m<br>layer 2: d = +0.20"
    low, high = figure.layout.yaxis.range
    assert low == -high < -1.0
    up, down = (text for text in figure.layout.annotations if "associated with" in text.text)
    assert (up.text, up.y) == ("<b>▲ X associated with A</b>", 1)
    assert (down.text, down.y) == ("<b>▼ X associated with B</b>", 0)


def test_a_layer_without_a_value_is_a_gap() -> None:
    (line,) = curves([("m", "weat1", CLS, layer, d) for layer, d in enumerate((0.1, math.nan, 0.3))]).data
    assert list(line.y) == [0.1, None, 0.3]
    assert line.connectgaps is False
    # The table of a result has no row for such a layer.
    (line,) = curves([("m", "weat1", CLS, layer, d) for layer, d in ((1, 0.1), (4, 0.3))]).data
    assert list(line.x) == [1, 2, 3, 4]
    assert list(line.y) == [0.1, None, None, 0.3]


def test_labels_stand_at_the_ends_in_the_order_of_the_values() -> None:
    figure = curves(TWO)
    high = figure.layout.yaxis.range[1]
    for part, end in (("[CLS]", 0.3), ("pooled", -0.7)):
        assert label(figure, part).y == pytest.approx((end + high) / (2 * high))
        assert label(figure, part).font.color == next(
            line.line.color for line in figure.data if line.name.startswith(part)
        )


def test_labels_of_lines_that_end_together_do_not_touch() -> None:
    # Twenty lines within a hundredth at the very top: their labels have to make room for each other.
    figure = curves([("m", "weat1", f"r{at:02d}", layer, 2.0 + at / 2000) for at in range(20) for layer in (0, 1)])
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    heights = [label(figure, f"r{at:02d}").y * plot for at in range(20)]
    assert all(upper - lower >= 15.9 for lower, upper in pairwise(heights))  # a line of text
    assert heights[0] >= 0
    assert heights[-1] <= plot


def test_models_have_their_marks_and_are_named_above() -> None:
    figure = curves([*TWO, *(("n", *point[1:]) for point in TWO[:4])])
    lines = {line.name: line for line in figure.data}
    m, other, n = lines["[CLS] in templates, m"], lines["pooled in templates, m"], lines["[CLS] in templates, n"]
    assert m.line.color == other.line.color != n.line.color
    assert m.marker.symbol == other.marker.symbol != n.marker.symbol
    assert m.line.dash == n.line.dash != other.line.dash
    key = {entry.name: entry.marker for entry in figure.data if entry.showlegend}
    assert {name: (marker.color, marker.symbol) for name, marker in key.items()} == {
        "m": (m.line.color, m.marker.symbol),
        "n": (n.line.color, n.marker.symbol),
    }
    assert label(figure, "■ [CLS]").font.color == n.line.color


def test_lines_of_one_model_differ() -> None:
    figure = curves([("m", "weat1", f"r{at}", 0, 0.1 * at) for at in range(12)])
    assert len({(line.line.color, line.line.dash) for line in figure.data}) == 12
    assert not any(line.showlegend for line in figure.data)  # named at their ends


def test_a_narrow_page_names_lines_in_the_legend() -> None:
    points = [("m", "weat1", kind, layer, 0.1 * layer) for kind in (CLS, POOLED) for layer in (0, 1)]
    figure = curves(points, NARROW)
    assert [line.name for line in figure.data if line.showlegend] == ["[CLS] in templates", "pooled in templates"]
    figure = curves([*points, *(("n", *point[1:]) for point in points)], NARROW)
    dashes = {line.name: line.line.dash for line in figure.data if line.showlegend and line.mode == "lines"}
    assert dashes == {
        "[CLS] in templates": trace(figure, "[CLS] in templates, n").line.dash,
        "pooled in templates": trace(figure, "pooled in templates, n").line.dash,
    }
    assert [line.name for line in figure.data if line.showlegend and line.mode == "markers"] == ["m", "n"]
