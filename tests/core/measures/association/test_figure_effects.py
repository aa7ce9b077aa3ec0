from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.association.figures import effect_sizes
from core.measures.association.result import AssociationResult
from core.result import LeftOut
from tests.support.association_results import association_result, row

TITLES = {"lpbs": "LPBS", "vulic": "Vulić"}
TESTS = {"weat1": "WEAT 1: flowers", "weat6": "WEAT 6: careers"}


def _chart(result: AssociationResult, *, published: bool = False, theme: Any = LIGHT) -> go.Figure:
    return effect_sizes(result, theme=theme, titles=TITLES, test_titles=TESTS, published=published)


def _trace(figure: go.Figure, name: str) -> Any:
    return next(trace for trace in figure.data if trace.name == name)


def _annotation(figure: go.Figure, part: str) -> Any:
    (found,) = (one for one in figure.layout.annotations if part in one.text)
    return found


def test_a_mark_is_the_effect_size_with_its_interval() -> None:
    figure = _chart(association_result([row("m", "weat1", "vulic", 0.75), row("m", "weat1", "lpbs", -1.25)]))
    marks = _trace(figure, "m")
    assert list(marks.x) == [0.75, -1.25]
    assert [list(data) for data in marks.customdata] == [["m", "weat1", "vulic"], ["m", "weat1", "lpbs"]]
    lines = _trace(figure, "95 % interval")
    assert list(lines.x) == [0.25, 1.25, None, -1.75, -0.75, None]  # d ± .5
    assert list(lines.y)[:2] == [marks.y[0]] * 2
    low, high = figure.layout.xaxis.range
    assert low == -high < -1.75


def test_right_is_x_with_a() -> None:
    figure = _chart(association_result([row("m", "weat1", "vulic", 0.75)]))
    assert _annotation(figure, "▶").text == "<b>X associated with A ▶</b>"
    assert _annotation(figure, "▶").xanchor == "left"
    assert _annotation(figure, "◀").text == "<b>◀ X associated with B</b>"
    assert figure.layout.xaxis.range[0] < figure.layout.xaxis.range[1]


def test_rows_are_grouped_by_test_under_a_heading() -> None:
    rows = [row(m, t, r, 0.5) for m in ("m", "n") for r in ("vulic", "lpbs") for t in ("weat6", "weat1")]
    figure = _chart(association_result(rows))
    assert list(figure.layout.yaxis.ticktext) == ["Vulić", "LPBS", "Vulić", "LPBS"]
    first, second = (_annotation(figure, title).y for title in ("WEAT 6", "WEAT 1"))
    at = list(figure.layout.yaxis.tickvals)
    assert first < at[0] < at[1] < second < at[2] < at[3]
    assert figure.layout.yaxis.range[0] > at[3]  # row 0 is on top
    # Two marks a row, on lines of their own, around the row's label.
    for y, m, n in zip(at, sorted(_trace(figure, "m").y), sorted(_trace(figure, "n").y), strict=True):
        assert m < y < n
        assert m + n == pytest.approx(2 * y)


def test_filled_only_where_the_adjusted_p_is_below_the_level() -> None:
    p_values = {"a": 0.049, "b": 0.05, "c": 0.9, "d": np.nan}
    figure = _chart(association_result([row("m", "weat1", r, 0.5, p_adjusted=p) for r, p in p_values.items()]))
    marker = _trace(figure, "m").marker
    hue = marker.line.color
    assert list(marker.color) == [hue, LIGHT.paper, LIGHT.paper, LIGHT.paper]
    assert "p < .05 after correction over 12 tests" in _annotation(figure, "filled").text


def test_models_differ_in_shape_and_hue_and_are_named_above() -> None:
    names = ["m", "n", "o", "p", "glove.txt"]
    figure = _chart(association_result([row(name, "weat1", "vulic", 0.5) for name in names]))
    marks = [_trace(figure, name).marker for name in names]
    assert len({mark.symbol for mark in marks}) == len({mark.line.color for mark in marks}) == 5
    key = _annotation(figure, "glove.txt").text
    for name, mark in zip(names, marks, strict=True):
        assert f'<span style="color:{mark.line.color}">' in key
        assert f"</span> {name}" in key
    with pytest.raises(OptionError, match="tells 5 models apart; the result holds 6"):
        _chart(association_result([row(f"m{at}", "weat1", "vulic", 0.5) for at in range(6)]))


def test_what_was_not_computed_says_so_in_its_row() -> None:
    why = LeftOut("m", "statistic", "weat1", "X kept <1> of 3", test="weat1", representation="lpbs")
    rows = [row("m", "weat1", "vulic", 0.5), row("m", "weat1", "lpbs", None)]
    figure = _chart(association_result(rows, left_out=[why]))
    text = _annotation(figure, "not computed")
    assert text.text == "not computed"
    assert text.hovertext == "X kept &lt;1&gt; of 3"
    assert text.font.color == LIGHT.muted
    assert text.y == figure.layout.yaxis.tickvals[1]
    assert list(_trace(figure, "m").x) == [0.5]
    assert "NaN" not in figure.to_json()
    assert "bdata" not in figure.to_json()


def test_one_model_without_a_value_is_named_beside_the_others() -> None:
    rows = [row("m", "weat1", "lpbs", None), row("n", "weat1", "lpbs", 0.5), row("m", "weat1", "vulic", 0.5)]
    assert _annotation(_chart(association_result(rows)), "not computed").text == "m: not computed"
    # Where all lack it, the row says it once.
    rows = [row("m", "weat1", "lpbs", None), row("n", "weat1", "lpbs", None), row("m", "weat1", "vulic", 0.5)]
    assert _annotation(_chart(association_result(rows)), "not computed").text == "not computed"


def test_published_values_stand_in_the_row_of_their_representation_only() -> None:
    printed = [
        ("weat1", "lpbs", "Kurita et al. 2019", "<b>bert</b>", 2.5, 0.01),
        ("weat1", "partner-masked", "Kurita et al. 2019", "bert", 0.9, np.nan),  # was not measured
        ("weat6", "lpbs", "Kurita et al. 2019", "bert", 0.8, np.nan),  # another test
        ("weat1", "vulic", "nobody", "bert", 0.0, np.nan),
    ]
    rows = [row("m", "weat1", "lpbs", 0.5), row("m", "weat1", "vulic", 0.5)]
    result = association_result(rows, published=printed)
    figure = _chart(result, published=True)
    diamonds = _trace(figure, "published")
    assert list(diamonds.x) == [2.5, 0.0]
    assert diamonds.marker.symbol == "diamond"
    assert diamonds.marker.color == LIGHT.neutral
    assert diamonds.hovertext[0] == (
        "<b>published</b>: d = +2.50, p = 0.010<br>&lt;b&gt;bert&lt;/b&gt;<br>Kurita et al. 2019"
    )
    assert diamonds.customdata is None
    assert diamonds.y[0] > _trace(figure, "m").y[0]  # on a line of its own
    assert figure.layout.xaxis.range[1] > 2.5
    assert list(_trace(_chart(result), "published").x) == []


def test_hover_holds_every_number() -> None:
    rows = [
        row("m", "weat1", "lpbs", 0.5, p_one_sided=0.0001),
        row("m", "weat1", "ceat", 0.5, p_one_sided=np.nan, p_kind="random effects", n_permutations=1000),
    ]
    exact, ceat = _trace(_chart(association_result(rows)), "m").hovertext
    assert exact.split("<br>") == [
        "<b>m</b>",
        "WEAT 1: flowers",
        "LPBS",
        "d = +0.50, 95 % interval 0.00 to +1.00",
        "one-sided p < 0.001, two-sided p = 0.020, adjusted p = 0.040 over 12 tests",
        "exact, 12,870 partitions",
        "n: X 8, Y 8, A 25, B 24",
    ]
    assert "one-sided" not in ceat
    assert "random effects, 1,000 samples" in ceat


def test_words_are_shown_as_they_stand() -> None:
    figure = effect_sizes(
        association_result([row("<i>m</i>", "own", "lpbs", 0.5)]),
        theme=LIGHT,
        titles={"lpbs": "<u>r</u>"},
        test_titles={"own": "$x$ & <b>y</b>"},
    )
    assert list(figure.layout.yaxis.ticktext) == ["&lt;u&gt;r&lt;/u&gt;"]
    for raw in ("<i>", "<u>", "<b>y", "$x$"):
        texts = [one.text for one in figure.layout.annotations] + list(_trace(figure, "<i>m</i>").hovertext)
        assert not any(raw in text for text in texts)


def test_nothing_to_draw_is_said() -> None:
    for rows in ([], [row("m", "weat1", "lpbs", None)]):
        with pytest.raises(NothingToScore, match="No test has an effect size"):
            _chart(association_result(rows))
