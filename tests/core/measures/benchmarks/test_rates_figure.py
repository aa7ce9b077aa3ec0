"""Preference rates: rows, marks, intervals, the neutral line and what is said about it."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.benchmarks.figures import interval_text, neutral_text, rates, written
from tests.support.benchmark_results import (
    CORRELATION,
    CROWS,
    FILLS,
    LMS,
    NATS,
    ROWS,
    Row,
    benchmark_result,
    excluded,
    winogender_result,
)


def _marks(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.customdata]


def _chart(lines: Any = ROWS, measure: str = "crows-pairs", theme: Any = LIGHT, **changes: Any) -> go.Figure:
    return rates(benchmark_result(lines, **changes), theme=theme, measure=measure)


def test_all_stands_first_and_apart_with_its_parts_below() -> None:
    figure = _chart([ROWS[1], ROWS[0], ROWS[2]])  # whatever their order
    assert list(figure.layout.yaxis.ticktext) == ["<b>all</b>", "race-color", "religion"]
    (marks,) = _marks(figure)
    assert [list(data) for data in marks.customdata] == [["m", "all"], ["m", "race-color"], ["m", "religion"]]
    assert list(marks.x) == [56.2, 48.0, 71.4]
    first, second, third = marks.y
    assert second - first > third - second
    lines = [shape for shape in figure.layout.shapes if shape.y0 == shape.y1]
    assert len(lines) == 1
    assert first < lines[0].y0 < second


def test_intervals_are_thin_lines() -> None:
    (interval,) = (trace for trace in _chart().data if trace.name == "95 % interval")
    assert list(interval.x)[:6] == [53.7, 58.7, None, 43.0, 53.0, None]


def test_a_mark_whose_interval_holds_the_neutral_value_is_hollow() -> None:
    (marks,) = _marks(_chart())
    hue = marks.marker.line.color
    assert list(marks.marker.color) == [hue, LIGHT.paper, hue]


def test_the_neutral_line_is_named_and_both_sides_are_in_words() -> None:
    figure = _chart()
    (line,) = (shape for shape in figure.layout.shapes if shape.x0 == shape.x1)
    assert line.x0 == 50
    texts = " ".join(annotation.text.replace("<br>", " ") for annotation in figure.layout.annotations)
    assert "▶ above 50 %: the more stereotypical sentence is preferred" in texts
    assert "◀ below 50 %: the less stereotypical sentence is preferred" in texts
    low, high = figure.layout.xaxis.range
    # As far on both sides as the furthest end: 79 is 29 from 50, and 8 % more.
    assert (low, high) == pytest.approx((50 - 31.32, 50 + 31.32))


def test_small_leans_stay_small_and_bounds_hold() -> None:
    assert list(_chart([("m", "crows-pairs", "all", 50.1, 49.9, 50.3, 9)]).layout.xaxis.range) == pytest.approx(
        [39.2, 60.8]
    )
    assert list(_chart([("m", "crows-pairs", "all", 99.0, 90.0, 100.0, 9)]).layout.xaxis.range) == [0, 100]


def test_value_and_n_stand_at_each_row() -> None:
    texts = [annotation.text for annotation in _chart().layout.annotations]
    for text in ("56.2 %  n = 1,508", "48.0 %  n = 516", "71.4 %  n = 105"):
        assert text in texts


def test_ties_stand_beside_n() -> None:
    figure = _chart(ties={"all": 12, "race-color": 1, "religion": 0})
    texts = [annotation.text for annotation in figure.layout.annotations]
    for text in ("56.2 %  n = 1,508, 12 ties", "48.0 %  n = 516, 1 tie", "71.4 %  n = 105, no ties"):
        assert text in texts
    assert _marks(figure)[0].hovertext[0].endswith("<br>n = 1,508 pairs, 12 ties")


def test_hover_tells_all() -> None:
    assert _marks(_chart())[0].hovertext[0] == (
        "<b>m</b><br>all<br>56.2 %, 95 % interval 53.7 to 58.7<br>n = 1,508 pairs"
    )


def test_models_are_side_by_side_in_a_row_and_told_apart() -> None:
    rows: list[Row] = [*ROWS, *(("<n>", *row[1:]) for row in ROWS)]
    figure = _chart(rows)
    first, second = _marks(figure)
    assert first.marker.symbol != second.marker.symbol
    assert all(0 < b - a <= 20 for a, b in zip(first.y, second.y, strict=True))
    assert "&lt;n&gt;" in second.hovertext[0]
    key = {trace.name: trace.marker.symbol for trace in figure.data if trace.showlegend}
    assert key == {"m": first.marker.symbol, "&lt;n&gt;": second.marker.symbol}


def test_what_has_no_value_says_so_and_why() -> None:
    rows: list[Row] = [ROWS[0], ("m", "crows-pairs", "age", None, None, None, 0)]
    figure = _chart(
        rows,
        excluded=(
            excluded("m", "crows-pairs", "age", "no pair was scored"),
            excluded("m", "crows-pairs", "race", "of another part"),
        ),
    )
    (said,) = (annotation for annotation in figure.layout.annotations if annotation.text == "not computed")
    assert said.hovertext == "crows-pairs: no pair was scored."
    assert list(_marks(figure)[0].x) == [56.2]


def test_a_value_without_interval_is_hollow() -> None:
    (marks,) = _marks(_chart([("m", "crows-pairs", "all", 80.0, None, None, 3)]))
    assert list(marks.marker.color) == [LIGHT.paper]


def test_without_a_neutral_value_there_is_no_line_and_marks_are_full() -> None:
    figure = _chart([("m", "lms", "all", 87.3, 85.0, 89.0, 2000)], "lms", measures=(LMS,))
    assert not [shape for shape in figure.layout.shapes if shape.x0 == shape.x1]
    (marks,) = _marks(figure)
    assert list(marks.marker.color) == [marks.marker.line.color]
    assert list(figure.layout.xaxis.range) == [0, 100]
    assert any("▶ higher: words that fit are preferred" in annotation.text for annotation in figure.layout.annotations)
    assert not any("◀" in item.text for item in figure.layout.annotations)
    fills = _chart([("m", "disco", "all", 1.25, 0.5, 2.0, 14)], "disco", measures=(FILLS,))
    assert list(fills.layout.xaxis.range) == pytest.approx([0, 2.16])


def test_nats_are_signed_and_around_zero() -> None:
    figure = rates(winogender_result({"nurse": (90.0, -1.0)}), theme=LIGHT, measure="winogender")
    low, high = figure.layout.xaxis.range
    assert low == -high == pytest.approx(-0.972)
    assert "+0.5" in figure.layout.xaxis.ticktext
    assert any(annotation.text == "+0.72  n = 1" for annotation in figure.layout.annotations)


@pytest.mark.parametrize(
    ("measure", "value", "text"),
    [(CROWS, 56.24, "56.2 %"), (NATS, -0.716, "−0.72"), (CORRELATION, 0.5, "+0.50"), (FILLS, 1.255, "1.25")],
)
def test_values_are_written_by_their_unit(measure: Any, value: float, text: str) -> None:
    assert written(measure, value) == text


def test_intervals_and_neutral_values_in_words() -> None:
    assert interval_text(CROWS, 53.7, 58.66) == "53.7 to 58.7"
    assert interval_text(NATS, -0.2, 0.3) == "−0.20 to +0.30"
    assert (neutral_text(CROWS), neutral_text(NATS)) == ("50 %", "0")


def test_refusals() -> None:
    with pytest.raises(OptionError, match="no measure aul; it holds crows-pairs"):
        _chart(measure="aul")
    with pytest.raises(NothingToScore, match="pseudo-log-likelihood has no value"):
        _chart([("m", "crows-pairs", "all", None, None, None, 0)])
    with pytest.raises(OptionError, match="tells 5 models apart"):
        _chart([(f"m{at}", *ROWS[0][1:]) for at in range(6)])
