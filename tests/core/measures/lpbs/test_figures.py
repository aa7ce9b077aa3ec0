from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.charts.rows import extent
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.figures import small_multiples, tilt, values
from core.result import Contrast
from tests.support.lpbs import replaced

HE_SHE = Contrast("he", "she")
OCHRE, TEAL, THIRD = LIGHT.groups[:3]


def _bars(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.type == "bar"]


def _numbers(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.name == "numbers"]


def _texts(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


def _label_of(figure: go.Figure, row: int) -> str:
    return str(figure.layout.yaxis.ticktext[row])


def test_bars_equal_the_frame_from_second_group_to_first(make_result: Any, sixty: Any) -> None:
    figure = tilt(make_result(sixty), contrast=HE_SHE, model="model-a", theme=LIGHT)
    (bars,) = _bars(figure)
    frame = sorted(sixty["model-a"].items(), key=lambda pair: pair[1])
    assert list(bars.x) == [lpbs for _, lpbs in frame]
    assert list(bars.y) == list(range(60))
    assert list(figure.layout.yaxis.ticktext) == [name for name, _ in frame]
    assert [list(row) for row in bars.customdata] == [[name, "model-a"] for name, _ in frame]
    top, bottom = figure.layout.yaxis.range[1], figure.layout.yaxis.range[0]
    assert top < 0 < bottom  # row 0 is on top


def test_each_bar_prints_its_value(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.35, "judge": -0.001, "pilot": 0.4}})
    (numbers,) = _numbers(tilt(result, contrast=HE_SHE, model="m", theme=LIGHT))
    assert [text.strip() for text in numbers.text] == ["−1.35", "0.00", "+0.40"]
    assert list(numbers.textposition) == ["middle left", "middle left", "middle right"]


def test_the_number_stands_beyond_the_whisker(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "pilot": 0.4}}, intervals={"nurse": (-1.4, -0.5)})
    figure = tilt(result, contrast=HE_SHE, model="m", theme=LIGHT)
    (whiskers,) = (trace for trace in figure.data if trace.name == "95 % interval")
    assert list(whiskers.x) == [-1.4, -0.5, None]
    assert list(whiskers.y) == [0, 0, None]
    assert list(_numbers(figure)[0].x) == [-1.4, 0.4]
    assert "95 % interval" in _texts(figure)[-1]


def test_swapping_the_groups_mirrors_the_chart(make_result: Any, sixty: Any) -> None:
    mirrored = {model: {name: -lpbs for name, lpbs in column.items()} for model, column in sixty.items()}
    there = tilt(make_result(sixty), contrast=HE_SHE, model="model-a", theme=LIGHT)
    swapped = make_result(mirrored, groups=("she", "he", "they"))
    back = tilt(swapped, contrast=Contrast("she", "he"), model="model-a", theme=LIGHT)
    assert list(_bars(back)[0].x) == [-x for x in reversed(_bars(there)[0].x)]
    assert list(back.layout.yaxis.ticktext) == list(reversed(there.layout.yaxis.ticktext))
    other = {OCHRE: TEAL, TEAL: OCHRE}  # the first group's hue is the first one
    assert list(_bars(back)[0].marker.color) == [other[hue] for hue in reversed(_bars(there)[0].marker.color)]
    assert list(back.layout.xaxis.range) == list(there.layout.xaxis.range)
    assert _texts(there)[:2] == ["<b>◀ leans towards she</b>", "<b>leans towards he ▶</b>"]
    assert _texts(back)[:2] == ["<b>◀ leans towards he</b>", "<b>leans towards she ▶</b>"]


def test_hue_is_that_of_the_group_leant_to(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "zero": 0.0, "pilot": 1.0}})
    colours = {
        contrast.label: list(_bars(tilt(result, contrast=contrast, model="m", theme=LIGHT))[0].marker.color)
        for contrast in result.contrasts
    }
    assert colours == {
        "he − she": [TEAL, LIGHT.neutral, OCHRE],
        "he − they": [THIRD, LIGHT.neutral, OCHRE],
        "she − they": [THIRD, LIGHT.neutral, TEAL],
    }


def test_the_scale_is_centred_and_holds_every_bar(make_result: Any) -> None:
    figure = tilt(make_result({"m": {"nurse": -2.0, "pilot": 0.1}}), contrast=HE_SHE, model="m", theme=LIGHT)
    low, high = figure.layout.xaxis.range
    assert low == -high
    assert high > 2.0
    assert figure.layout.xaxis.ticktext[len(figure.layout.xaxis.ticktext) // 2] == "0"


def test_limit_counts_what_it_leaves_out(make_result: Any, sixty: Any) -> None:
    figure = tilt(make_result(sixty), contrast=HE_SHE, model="model-a", theme=LIGHT, limit=26)
    (bars,) = _bars(figure)
    assert len(bars.x) == 26
    assert list(bars.y) == [*range(13), *range(14, 27)]
    assert "34 more between" in _label_of(figure, 13)


def test_by_name_the_weakest_are_left_out_and_counted_last(make_result: Any, sixty: Any) -> None:
    figure = tilt(make_result(sixty), contrast=HE_SHE, model="model-a", theme=LIGHT, order="name", limit=4)
    # The four furthest from zero of −1.475 … 1.475 are the two at each end.
    assert list(figure.layout.yaxis.ticktext[:4]) == ["job 00", "job 01", "job 58", "job 59"]
    assert "56 more that lean less" in _label_of(figure, 4)


def test_height_follows_the_rows(make_result: Any, sixty: Any) -> None:
    result = make_result(sixty)
    tall = tilt(result, contrast=HE_SHE, model="model-a", theme=LIGHT).layout.height
    short = tilt(result, contrast=HE_SHE, model="model-a", theme=LIGHT, limit=29).layout.height
    assert tall - short == 30 * 22  # 60 rows against 29 and the row that counts


def test_highlight_shades_the_row_and_sets_its_label_bold(make_result: Any, sixty: Any) -> None:
    figure = tilt(make_result(sixty), contrast=HE_SHE, model="model-a", theme=LIGHT, limit=4, highlight="job 30")
    row = list(figure.layout.yaxis.ticktext).index("<b>job 30</b>")
    assert {(shape.y0, shape.y1, shape.fillcolor) for shape in figure.layout.shapes} == {
        (row - 0.5, row + 0.5, LIGHT.shade)
    }
    plain = tilt(make_result(sixty), contrast=HE_SHE, model="model-a", theme=LIGHT, limit=4)
    assert not plain.layout.shapes


def test_missing_values_are_not_drawn(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "judge": None, "odd": float("inf"), "pilot": 0.5}})
    figure = tilt(result, contrast=HE_SHE, model="m", theme=LIGHT)
    assert [row[0] for row in _bars(figure)[0].customdata] == ["nurse", "pilot"]
    for word in ("NaN", "Infinity", "bdata", "judge"):
        assert word not in figure.to_json()
    with pytest.raises(NothingToScore):
        tilt(make_result({"m": {"judge": None}}), contrast=HE_SHE, model="m", theme=LIGHT)


def test_words_are_shown_as_they_stand(make_result: Any) -> None:
    word = "<b>x</b> & $y$"
    result = make_result({"m": {word: 0.5}}, groups=("<i>he</i>", "she"))
    figure = tilt(result, contrast=result.contrasts[0], model="m", theme=LIGHT, highlight=word)
    assert _label_of(figure, 0) == "<b>&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;</b>"
    assert _bars(figure)[0].customdata[0][0] == word
    assert _bars(figure)[0].hovertext[0].startswith("<b>&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;</b><br>&lt;i&gt;he")
    assert _texts(figure)[1] == "<b>leans towards &lt;i&gt;he&lt;/i&gt; ▶</b>"


def test_a_long_word_is_short_on_the_axis_and_whole_on_hover(make_result: Any) -> None:
    word = "a" * 100
    figure = tilt(make_result({"m": {word: 0.5}}), contrast=HE_SHE, model="m", theme=LIGHT)
    assert _label_of(figure, 0).endswith("a…")
    assert len(_label_of(figure, 0)) < 40
    assert word in _bars(figure)[0].hovertext[0]
    assert figure.layout.margin.l < 250


def test_a_long_group_name_drops_its_verb_before_it_is_cut(make_result: Any) -> None:
    result = make_result({"m": {"nurse": 0.5}}, groups=("women over sixty years", "x" * 90))
    texts = _texts(tilt(result, contrast=result.contrasts[0], model="m", theme=LIGHT))
    assert texts[0].endswith("x…</b>")
    assert "women over sixty years ▶" in texts[1]


def test_panels_share_rows_and_scale(make_result: Any, sixty: Any) -> None:
    figure = small_multiples(make_result(sixty), contrast=HE_SHE, theme=LIGHT, limit=10)
    left, right = _bars(figure)
    # Both models rise with the number in the name, so their mean does.
    names = [f"job {at:02d}" for at in (0, 1, 2, 3, 4, 55, 56, 57, 58, 59)]
    for bars, model in ((left, "model-a"), (right, "model-b")):
        assert [list(row) for row in bars.customdata] == [[name, model] for name in names]
        assert list(bars.x) == [sixty[model][name] for name in names]
        assert list(bars.y) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert "50 more between" in _label_of(figure, 5)
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range
    assert figure.layout.xaxis.domain[1] < figure.layout.xaxis2.domain[0]
    assert (left.xaxis, right.xaxis) == ("x", "x2")
    assert _texts(figure)[:2] == ["<b>model-a</b>", "<b>model-b</b>"]


def test_panels_are_ordered_by_the_mean_of_the_models(make_result: Any) -> None:
    result = make_result({"m": {"a": -1.0, "b": 0.0, "c": 0.6}, "n": {"a": 1.2, "b": -0.2, "c": None}})
    # Means: a .1, b −.1, c .6 (of m alone).
    figure = small_multiples(result, contrast=HE_SHE, theme=LIGHT)
    assert list(figure.layout.yaxis.ticktext) == ["b", "a", "c"]
    assert list(_bars(figure)[1].y) == [0, 1]
    assert "NaN" not in figure.to_json()


def test_panel_numbers_stand_in_a_column_past_every_bar(make_result: Any, sixty: Any) -> None:
    figure = small_multiples(make_result(sixty), contrast=HE_SHE, theme=LIGHT)
    for numbers, bars in zip(_numbers(figure), _bars(figure), strict=True):
        (column,) = set(numbers.x)
        assert column == figure.layout.xaxis.range[1] > max(map(abs, bars.x))
        assert set(numbers.textposition) == {"middle left"}


def test_panels_take_two_to_four_models(make_result: Any) -> None:
    column = {"nurse": -1.0, "pilot": 0.5}
    for count in (1, 5):
        result = make_result({f"m{at}": column for at in range(count)})
        with pytest.raises(OptionError, match=f"2 to 4 models; the result holds {count}"):
            small_multiples(result, contrast=HE_SHE, theme=LIGHT)
    figure = small_multiples(make_result({f"m{at}": column for at in range(4)}), contrast=HE_SHE, theme=LIGHT)
    assert figure.layout.xaxis4.domain[1] <= 1
    assert len(json.loads(figure.to_json())["data"]) == 8


def test_values_leave_out_what_is_missing(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "judge": None, "pilot": 0.5}})
    assert [(bar.name, bar.value) for bar in values(result, HE_SHE, "m")] == [("nurse", -1.0), ("pilot", 0.5)]


def test_values_name_what_exists(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0}})
    with pytest.raises(OptionError, match="it holds he − she, he − they, she − they"):
        values(result, Contrast("she", "he"), "m")
    with pytest.raises(OptionError, match="no model n; it holds m"):
        values(result, HE_SHE, "n")


def test_hover_tells_the_whole_number(make_result: Any) -> None:
    # Per group two words at 2 P and P / 2: the geometric mean is P, the arithmetic one 1.25 P.
    result = make_result({"m": {"nurse": -1.0}}, intervals={"nurse": (-1.4, -0.5)})
    (nurse,) = values(result, HE_SHE, "m")
    assert nurse.interval == (-1.4, -0.5)
    assert nurse.hover.split("<br>") == [
        "<b>nurse</b>",
        "he − she: −1.00 nats",
        "he: 20.00 %, prior 10.00 %",
        "she: 30.00 %, prior 15.00 %",
        "n = 9 values",
        "95 % interval −1.40 to −0.50",
        "sign-flip p = 0.031, adjusted p = 0.062 over 3 tests",
    ]


def test_hover_of_a_causal_model_stays_in_nats(make_result: Any) -> None:
    (nurse,) = values(make_result({"m": {"nurse": -1.0}}, kind="causal"), HE_SHE, "m")
    # ln .2 = −1.6094, ln .1 = −2.3026
    assert "he: ln P −1.61, prior ln P −2.30" in nurse.hover
    assert "%" not in nurse.hover


def test_hover_against_the_others_names_each_of_them(make_result: Any) -> None:
    made = make_result({"m": {"nurse": -1.0}})
    contrast = Contrast("she", "the others")
    scores = made["attributes"].assign(contrast=contrast.label).drop_duplicates("attribute")
    against_others = replace(made, spec=replace(made.spec, contrasts="others"))
    result = replaced(against_others, attributes=scores.to_dict("records"))
    (nurse,) = values(result, contrast, "m")
    assert [line.split(":")[0] for line in nurse.hover.split("<br>")[2:5]] == ["she", "he", "they"]


def test_extent_includes_the_whiskers(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "pilot": 0.3}}, intervals={"nurse": (-1.4, -0.5)})
    assert extent(values(result, HE_SHE, "m")) == 1.4
    assert extent(values(make_result({"m": {"nurse": 0.001}}), HE_SHE, "m")) == 0.1
