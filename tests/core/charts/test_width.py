"""Charts on a narrow page: scatters below each other."""

from __future__ import annotations

from dataclasses import replace

from core.charts import LIGHT, WIDTH
from core.charts.scale import most_ticks
from core.measures.lpbs.professions.figures import profession_scatter
from tests.support.profession_results import profession_result, sentences

PHONE = replace(LIGHT, width=350)


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
        assert len({figure.layout[trace.yaxis.replace("y", "yaxis")].domain for trace in points}) == lines
        assert len({trace.xaxis for trace in points}) == 4
        assert [list(trace.y) for trace in points] == [[1.0, 3.0, 2.0, 4.0]] * 4
    assert narrow.layout.yaxis.range == narrow.layout.yaxis2.range == wide.layout.yaxis.range


def test_marks_keep_their_distance() -> None:
    assert most_ticks(10, 4) == 1
    assert most_ticks(100, 4) == 2  # 46 pixels a mark
    assert most_ticks(WIDTH, 4) == 4
