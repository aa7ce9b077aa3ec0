from __future__ import annotations

from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.figures import profession_scatter
from core.result import Contrast
from tests.support.profession_results import profession_result, sentences, with_tables

# x = 10, 20, 30, 40 against y = 1, 3, 2, 4: Sxy = 40, Sxx = 500, Syy = 5; slope .08, intercept .5, r = .8.
PERCENT = {"roofer": 10.0, "judge": 20.0, "lawyer": 30.0, "nurse": 40.0}
DIFFERENCES = {"roofer": 1.0, "judge": 3.0, "lawyer": 2.0, "nurse": 4.0}
GROUPS = {"roofer": "male", "judge": "balanced", "lawyer": "other"}
MODELS = ("m", "n", "o", "p", "q")
ALONE = [("m", "en")]


def _result(*models: str, percent: Any = PERCENT, differences: Any = DIFFERENCES, **more: Any) -> Any:
    rows = [row for model in models or ("m",) for row in sentences(differences, groups=GROUPS, model=model)]
    return profession_result(rows, percent=percent, **more)


def _chart(result: Any, series: Any = ALONE, theme: Any = LIGHT) -> go.Figure:
    return profession_scatter(result, series=series, theme=theme)


def _points(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.mode == "markers+text"]


def _named(points: Any) -> list[str]:
    return [text.strip() for text in points.text if text]


def _texts(figure: go.Figure) -> list[str]:
    return [annotation.text for annotation in figure.layout.annotations]


def test_a_point_a_profession_with_share_and_difference() -> None:
    (points,) = _points(_chart(_result()))
    assert list(zip(points.x, points.y, strict=True)) == [(10, 1), (20, 3), (30, 2), (40, 4)]
    assert [tuple(data) for data in points.customdata] == [(name, "m", "en") for name in PERCENT]
    teal, ochre = LIGHT.groups[1], LIGHT.groups[0]
    assert list(points.marker.color) == [ochre, LIGHT.neutral, LIGHT.neutral, teal]


def test_the_axis_is_the_statistic_in_percent() -> None:
    figure = _chart(_result())
    assert list(figure.layout.xaxis.range) == [0, 100]
    assert (figure.layout.xaxis.dtick, figure.layout.xaxis.ticksuffix) == (20, " %")
    assert "women among those employed, U.S. 2019 (BLS CPS table 11)" in _texts(figure)
    assert figure.layout.yaxis.title.text == "female − male, nats"
    assert figure.layout.height == 520


def test_line_is_that_of_the_regression_and_four_points_have_no_band() -> None:
    figure = _chart(_result())
    (line,) = (trace for trace in figure.data if trace.name == "least-squares line")
    assert list(line.x) == [10, 40]
    assert list(line.y) == pytest.approx([1.3, 3.7])  # .5 + .08 · 10 and · 40
    assert not any(trace.name == "95 % band of the line" for trace in figure.data)


def test_band_is_that_of_the_regression() -> None:
    # Every point twice: the same line, residuals −.3, .9, −.9, .3 twice: sd √(3.6 / 6) = .77460; at the mean x the band
    # is t(.975, 6) = 2.44691 · .77460 / √8 on either side.
    percent = PERCENT | {f"{name} 2": share for name, share in PERCENT.items()}
    differences = DIFFERENCES | {f"{name} 2": value for name, value in DIFFERENCES.items()}
    figure = _chart(_result(percent=percent, differences=differences))
    (band,) = (trace for trace in figure.data if trace.name == "95 % band of the line")
    upper, lower = band.y[:41], band.y[41:][::-1]
    assert band.x[20] == pytest.approx(25)
    assert (upper[20] + lower[20]) / 2 == pytest.approx(2.5)
    assert upper[20] - lower[20] == pytest.approx(2 * 0.67012, abs=1e-4)
    assert upper[0] - lower[0] > upper[20] - lower[20]


def test_hover_says_share_difference_and_residual() -> None:
    (points,) = _points(_chart(_result()))
    assert points.hovertext[1] == (
        "<b>judge</b><br>20.0 % women<br>female − male: +3.00 nats<br>residual +0.90 nats"  # 3 − (.5 + .08 · 20)
    )


def test_directions_are_said_in_words_and_hue() -> None:
    figure = _chart(_result())
    found = {annotation.text: annotation for annotation in figure.layout.annotations}
    up, down = found["<b>▲ model leans towards women</b>"], found["<b>▼ model leans towards men</b>"]
    assert (up.y, up.font.color) == (1, LIGHT.words[1])
    assert (down.y, down.font.color) == (0, LIGHT.words[0])
    low, high = figure.layout.yaxis.range
    assert low < 0 < 4 < high


def test_other_contrasts_name_their_sides() -> None:
    contrast = Contrast("African American names", "European American names")
    rows = sentences(DIFFERENCES, groups=GROUPS, contrast=contrast)
    figure = _chart(profession_result(rows, percent=PERCENT, contrast=contrast))
    assert "Black people among those employed, U.S. 2019 (BLS CPS table 11)" in _texts(figure)
    assert "<b>▲ model leans towards African American names</b>" in _texts(figure)
    (points,) = _points(figure)
    assert "20.0 % Black" in points.hovertext[1]
    assert set(points.marker.color) == {LIGHT.neutral}


def test_caption_holds_r_and_n_or_why_there_is_none() -> None:
    def caption(result: Any) -> str:
        head = _chart(result).layout.annotations[0].text
        return str(head).replace("\u00a0", " ")

    assert "Pearson r = +0.80, n = 4" in caption(_result())
    few = {name: PERCENT[name] for name in ("roofer", "judge", "lawyer")}
    assert "n = 3: too few for a correlation" in caption(_result(percent=few))
    assert "undefined: no variation, n = 4" in caption(_result(differences=dict.fromkeys(DIFFERENCES, 0.5)))
    assert "undefined: no variation, n = 4" in caption(_result(percent=dict.fromkeys(PERCENT, 50.0)))


def test_too_few_points_have_no_line_and_are_named_by_difference() -> None:
    figure = _chart(_result(percent={"roofer": 10.0, "judge": 60.0}))
    assert [trace.name for trace in figure.data] == ["m"]
    (points,) = _points(figure)
    assert points.hovertext[0] == "<b>roofer</b><br>10.0 % women<br>female − male: +1.00 nats"
    assert _named(points) == ["roofer", "judge"]


def test_a_profession_without_share_or_difference_is_not_drawn() -> None:
    rows = sentences(DIFFERENCES)
    result = profession_result(
        [row for row in rows if (row["profession"], row["gender"]) != ("judge", "male")],
        percent={name: PERCENT[name] for name in ("judge", "roofer", "nurse")},
    )
    (points,) = _points(_chart(result))
    assert [data[0] for data in points.customdata] == ["roofer", "nurse"]
    assert "NaN" not in _chart(result).to_json()


def test_the_furthest_from_the_line_are_named_without_overlap() -> None:
    # Sixty points on a line but for two, all in one narrow column.
    many = {f"profession {at:02d}": at * 0.01 for at in range(60)}
    percent = {name: 50 + at * 0.05 for at, name in enumerate(many)}
    many["profession 10"], many["profession 40"] = 2.5, -2.0
    figure = _chart(_result(differences=many, percent=percent))
    (points,) = _points(figure)
    named = _named(points)
    assert {"profession 10", "profession 40"} <= set(named)
    assert len(named) < 20
    # The rest lies in ±.3 nats, under 40 pixels: two names to a side of it at the most.
    inside = [name for name in named if name not in ("profession 10", "profession 40")]
    assert len(inside) <= 6


def test_four_panels_have_one_scale_and_a_title_each() -> None:
    series = [(model, "en") for model in MODELS[:4]]
    figure = _chart(_result(*MODELS), series=series)
    assert [trace.name for trace in _points(figure)] == list(MODELS[:4])
    axes = [figure.layout[f"xaxis{number}"] for number in ("", 2, 3, 4)]
    assert {tuple(axis.range) for axis in axes} == {(0, 100)}
    assert len({tuple(figure.layout[f"yaxis{number}"].range) for number in ("", 2, 3, 4)}) == 1
    widths = [axis.domain[1] - axis.domain[0] for axis in axes]
    assert widths == pytest.approx([widths[0]] * 4)
    assert all(a.domain[1] < b.domain[0] for a, b in pairwise(axes))
    titles = [text for text in _texts(figure) if text.startswith(tuple(f"<b>{model}</b>" for model in MODELS))]
    assert len(titles) == 4
    assert "<b>▲ women</b>" in _texts(figure)  # no room for the sentence


def test_the_scale_holds_the_points_of_every_panel() -> None:
    rows = sentences(DIFFERENCES) + sentences({"roofer": -9.0}, model="n")
    result = profession_result(rows, percent=PERCENT)
    low, high = _chart(result, series=[("m", "en"), ("n", "en")]).layout.yaxis.range
    assert low < -9 < 4 < high
    assert _chart(result).layout.yaxis.range[0] > -9


def test_both_languages_are_named() -> None:
    rows = sentences(DIFFERENCES) + sentences(DIFFERENCES, language="de")
    figure = _chart(profession_result(rows, percent=PERCENT), series=[("m", "en"), ("m", "de")])
    assert [trace.name for trace in _points(figure)] == ["m (English)", "m (German)"]
    assert [tuple(points.customdata[0]) for points in _points(figure)] == [("roofer", "m", "en"), ("roofer", "m", "de")]


def test_words_are_shown_as_they_stand() -> None:
    rows = sentences({"<b>x</b>": 1.0}, model="<i>m</i>")
    result = profession_result(rows, percent={"<b>x</b>": 50.0})
    figure = _chart(result, series=[("<i>m</i>", "en")])
    (points,) = _points(figure)
    assert _named(points) == ["&lt;b&gt;x&lt;/b&gt;"]
    assert points.hovertext[0].startswith("<b>&lt;b&gt;x&lt;/b&gt;</b>")
    assert figure.layout.annotations[0].text.startswith("<b>&lt;i&gt;m&lt;/i&gt;</b>")


def test_refusals() -> None:
    result = _result(*MODELS)
    for series in ([], [(model, "en") for model in MODELS]):
        with pytest.raises(OptionError, match="take 1 to 4 series"):
            _chart(result, series=series)
    with pytest.raises(OptionError, match=r"no m \(de\)"):
        _chart(result, series=[("m", "de")])
    with pytest.raises(NothingToScore, match="not yet compared with"):
        _chart(_result(percent=None))
    with pytest.raises(NothingToScore, match="both a difference and a share"):
        _chart(_result(percent={"baker": 3.0}))
    with pytest.raises(NothingToScore, match="No profession was scored"):
        _chart(with_tables(result, sentences=[]))
