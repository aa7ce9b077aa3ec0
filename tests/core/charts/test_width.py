"""Charts on a narrow page: labels above their rows, and panels below each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from core.charts import LIGHT, WIDTH, small_multiples, tilt
from core.charts.scale import most_ticks
from core.measures.lpbs.professions.figures import profession_scatter
from core.result import Contrast
from tests.support.profession_results import profession_result, sentences

HE_SHE = Contrast("he", "she")
PHONE = replace(LIGHT, width=350)
LONG = "director of religious activities"
SCORES = {LONG: 0.4, "nurse": -1.2, "engineer": 0.9}


def test_a_narrow_page_has_the_labels_above_the_bars_and_whole(make_result: Any) -> None:
    result = make_result({"m": SCORES})
    wide = tilt(result, contrast=HE_SHE, model="m", theme=LIGHT)
    narrow = tilt(result, contrast=HE_SHE, model="m", theme=PHONE)
    assert wide.layout.yaxis.ticktext == ("nurse", LONG, "engineer")
    assert narrow.layout.yaxis.ticktext == ("", "", "")
    above = {one.text: one for one in narrow.layout.annotations if one.text in SCORES}
    assert {text: one.y for text, one in above.items()} == {"nurse": 0, LONG: 1, "engineer": 2}
    (bars,) = (trace for trace in narrow.data if trace.type == "bar")
    # Plotly counts pixels upwards and these rows downwards: the label is lifted, its bar lowered, within the row.
    assert all(one.yshift > 0 for one in above.values())
    assert all(row < y and y + bars.width / 2 <= row + 0.5 for row, y in enumerate(bars.y))
    plot = PHONE.width - narrow.layout.margin.l - narrow.layout.margin.r
    assert plot >= 0.9 * PHONE.width


@pytest.mark.parametrize("count", [2, 3, 4])
def test_panels_stand_below_each_other_where_the_page_has_no_room(make_result: Any, count: int) -> None:
    result = make_result({f"model-{at}": SCORES for at in range(count)})
    figure = small_multiples(result, contrast=HE_SHE, theme=PHONE)
    domains = [figure.layout[f"xaxis{axis}"].domain for axis in ("", "2", "3", "4")[:count]]
    plot = PHONE.width - figure.layout.margin.l - figure.layout.margin.r
    assert min(high - low for low, high in domains) * plot >= 121 - 1e-9
    bars = [trace for trace in figure.data if trace.type == "bar"]
    places = [(trace.xaxis, trace.yaxis) for trace in bars]
    assert len(set(places)) == count
    lines = {trace.yaxis for trace in bars}
    assert len(lines) == (1 if count == 2 else 2)
    for axis in lines:
        labels = [one.text for one in figure.layout.annotations if one.yref == axis and one.text in SCORES]
        assert labels == ["nurse", LONG, "engineer"]
    tops = sorted(figure.layout[axis.replace("y", "yaxis")].domain for axis in lines)
    assert all(below[1] < above[0] for below, above in pairwise(tops))


def test_scatters_of_four_series_stand_in_two_lines_on_a_narrow_page() -> None:
    models = ("m", "n", "o", "p")
    differences = {"roofer": 1.0, "judge": 3.0, "lawyer": 2.0, "nurse": 4.0}
    rows = [row for model in models for row in sentences(differences, model=model)]
    result = profession_result(rows, percent={"roofer": 10.0, "judge": 20.0, "lawyer": 30.0, "nurse": 40.0})
    series = [(model, "en") for model in models]
    wide = profession_scatter(result, series=series, theme=LIGHT)
    narrow = profession_scatter(result, series=series, theme=PHONE)
    for figure, lines in ((wide, 1), (narrow, 2)):
        points = [trace for trace in figure.data if trace.mode == "markers+text"]
        assert len({trace.yaxis for trace in points}) == lines
        assert len({trace.xaxis for trace in points}) == 4
        assert [list(trace.y) for trace in points] == [[1.0, 3.0, 2.0, 4.0]] * 4
    assert narrow.layout.yaxis.range == narrow.layout.yaxis2.range == wide.layout.yaxis.range


def test_marks_keep_their_distance() -> None:
    assert most_ticks(10, 4) == 1
    assert most_ticks(100, 4) == 2  # 46 pixels a mark
    assert most_ticks(WIDTH, 4) == 4
