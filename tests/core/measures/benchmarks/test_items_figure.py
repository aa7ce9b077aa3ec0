"""The items of a benchmark: the histogram of differences, and occupations against percent women."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import DARK, LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.benchmarks.figures import MOST_BINS, differences, occupations
from tests.support.benchmark_results import LMS, Row, benchmark_result, excluded, winogender_result


def _of(*values: float, **changes: Any) -> Any:
    """Items with these differences."""
    return benchmark_result(scored=[(str(at), "t", "a", "b", value, 0.0) for at, value in enumerate(values)], **changes)


def _chart(result: Any = None, **changes: Any) -> go.Figure:
    return differences(result or benchmark_result(), theme=changes.pop("theme", LIGHT), model="m")


def _texts(figure: go.Figure) -> list[str]:
    return [annotation.text.replace("<br>", " ").replace("\u00a0", " ") for annotation in figure.layout.annotations]


def test_every_item_but_ties_is_in_a_bar_of_its_side() -> None:
    # +2.5, −1, 0 and +.5: two right, one left, one on the line.
    figure = _chart()
    (bars,) = figure.data
    right = [n for x, n in zip(bars.x, bars.y, strict=True) if x > 0]
    left = [n for x, n in zip(bars.x, bars.y, strict=True) if x < 0]
    assert (sum(right), sum(left)) == (2, 1)
    assert "m, n = 4 pairs: 2 right of the line, 1 left, 1 on it" in _texts(figure)


@pytest.mark.parametrize("values", [(-3.0, -0.001, 0.001, 5.0), (0.2, 0.2, 0.2), (-40.0, *([0.1] * 50)), (1e-7, 2e-7)])
def test_no_bar_holds_both_sides_and_all_are_within_the_axis(values: tuple[float, ...]) -> None:
    figure = _chart(_of(*values))
    (bars,) = figure.data
    low, high = figure.layout.xaxis.range
    assert low == -high
    for middle in bars.x:
        start, end = middle - bars.width / 2 / 0.92, middle + bars.width / 2 / 0.92
        assert start >= -1e-9 or end <= 1e-9
        assert low - 1e-9 <= start
        assert end <= high + 1e-9
    assert sum(bars.y) == len(values)
    assert (high - low) / (bars.width / 0.92) <= MOST_BINS + 2


def test_the_line_and_the_sides_are_named() -> None:
    figure = _chart()
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1) == (0, 0)
    assert "<b>more stereotypical ▶</b>" in _texts(figure)
    assert "<b>◀ less stereotypical</b>" in _texts(figure)
    assert figure.layout.xaxis.title.text == "more stereotypical − less stereotypical, nats"
    assert figure.layout.yaxis.title.text == "pairs"


def test_only_ties_have_no_bar() -> None:
    figure = _chart(_of(0.0, 0.0))
    assert not figure.data[0].x
    assert "m, n = 2 pairs: 0 right of the line, 0 left, 2 on it" in _texts(figure)


def test_items_that_are_not_compared_have_no_sides() -> None:
    scored = [(str(at), "t", "prompt", None, value, None) for at, value in enumerate((0.0, 5.0, 10.0, 40.0))]
    hurtful = replace(LMS, id="honest", title="Hurtful")
    rows: list[Row] = [("m", "honest", "all", 13.75, None, None, 4)]
    result = benchmark_result(rows, scored, benchmark="honest", measures=(hurtful,), unit="%")
    figure = _chart(result)
    assert not result.is_compared
    assert sum(figure.data[0].y) == 4  # 0 is a number here and no tie
    assert not figure.layout.shapes
    assert _texts(figure) == ["m, n = 4 prompts"]
    assert figure.layout.xaxis.title.text == "Hurtful, %"
    assert figure.layout.xaxis.range[0] == 0


@pytest.mark.parametrize(("unit", "end"), [("", "stereotype − anti-stereotype"), ("words", ", words")])
def test_the_axis_is_in_the_unit_of_the_differences(unit: str, end: str) -> None:
    title = _chart(benchmark_result(benchmark="stereoset", unit=unit)).layout.xaxis.title.text
    assert title.endswith(end)


def test_differences_refuse() -> None:
    with pytest.raises(OptionError, match="no model o; it holds m"):
        differences(benchmark_result(), theme=LIGHT, model="o")


# On the line 1 − .02 x lie 1, .6, .2, −.2, −.6, −1.
FOUR = {"mechanic": (0.0, 1.0), "farmer": (20.0, 0.6), "teacher": (80.0, -0.6), "<nurse>": (100.0, -1.0)}
ON_A_LINE = {**FOUR, "clerk": (40.0, 0.2), "guard": (60.0, -0.2)}


def _points(figure: go.Figure) -> Any:
    (found,) = (trace for trace in figure.data if trace.customdata)
    return found


def test_occupations_are_points_of_the_hue_they_lean_to() -> None:
    result = winogender_result(ON_A_LINE, correlation=(-1.0, -1.0, -1.0, 6))
    figure = occupations(result, theme=LIGHT, model="m")
    found = _points(figure)
    assert list(found.x) == [0, 20, 80, 100, 40, 60]
    assert list(found.y) == pytest.approx([1, 0.6, -0.6, -1, 0.2, -0.2])
    he, she = LIGHT.groups[:2]
    assert list(found.marker.color) == [he, he, she, she, he, she]
    assert [list(data) for data in found.customdata[:4]] == [["mechanic"], ["farmer"], ["teacher"], ["<nurse>"]]
    assert found.hovertext[3] == "<b>&lt;nurse&gt;</b><br>100.0 % women<br>−1.00 nats<br>residual 0.00 nats"
    assert figure.layout.annotations[0].text == "m<br>Pearson r = −1.00, n = 6"
    (line,) = (trace for trace in figure.data if trace.mode == "lines")
    assert list(line.y) == pytest.approx([1, -1])


def test_sentences_of_an_occupation_are_averaged_and_one_without_percent_is_not_drawn() -> None:
    result = winogender_result({**FOUR, "guest": (None, 3.0)})
    assert list(result["occupations"]["occupation"]) == [*FOUR, "guest"]
    names = ["mechanic", "mechanic", "teacher", "nurse", "guest"]
    percents = [0.0, 20.0, 80.0, 100.0, None]
    twice = winogender_result({**FOUR, "guest": (None, 3.0)}, own={"occupation": names, "percent_women": percents})
    assert list(twice["occupations"]["n"]) == [2, 1, 1, 1]
    found = _points(occupations(twice, theme=LIGHT, model="m"))
    assert list(found.x) == [10, 80, 100]
    assert list(found.y) == pytest.approx([0.8, -0.6, -1])


def test_few_occupations_have_no_line() -> None:
    four = occupations(winogender_result(FOUR, correlation=(-1.0, None, None, 4)), theme=LIGHT, model="m")
    assert not [trace for trace in four.data if trace.mode == "lines"]
    assert "residual" not in _points(four).hovertext[0]
    assert four.layout.annotations[0].text == "m<br>Pearson r = −1.00, n = 4: too few to say"
    why = "Correlation with percent women, all: 2 of at least 3 occupations with a percentage of women."
    two = winogender_result(
        dict(list(FOUR.items())[:2]),
        correlation=(None, None, None, 2),
        excluded=(excluded("m", "winogender-r", "all", why),),
    )
    figure = occupations(two, theme=DARK, model="m")
    assert not [trace for trace in figure.data if trace.mode == "lines"]
    assert figure.layout.annotations[0].text == f"m<br>winogender-r: {why}"
    assert LIGHT.groups[0].lower() not in figure.to_json().lower()


def test_winogender_refuses() -> None:
    with pytest.raises(OptionError, match="has no occupations"):
        occupations(benchmark_result(), theme=LIGHT, model="m")
    with pytest.raises(NothingToScore, match="No occupation"):
        occupations(winogender_result({"guest": (None, 1.0)}), theme=LIGHT, model="m")
