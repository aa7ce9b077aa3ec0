from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import DARK, LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.figures import profession_bars
from core.result import Contrast
from tests.support.profession_results import profession_result, sentence, sentences

SERIES = ("m", "en")
ROWS = [
    # nurse: female (1 + 2) / 2 = 1.5, male −.5, difference +2.
    sentence("nurse", "female", 1.0),
    sentence("nurse", "female", 2.0, template="T2"),
    sentence("nurse", "male", -0.5),
    *sentences({"secretary": -2.5}),
    *sentences({"mason": -0.4, "roofer": 0.6}, groups={"mason": "male", "roofer": "male"}),
    sentence("plumber", "female", 0.25, group="male"),
]


def _chart(rows: Any = ROWS, *, theme: Any = LIGHT, limit: int | None = None, **more: Any) -> go.Figure:
    return profession_bars(profession_result(rows, **more), series=SERIES, theme=theme, limit=limit)


def _bars(figure: go.Figure) -> tuple[Any, Any]:
    first, second = (trace for trace in figure.data if trace.type == "bar")
    return first, second


def _numbers(figure: go.Figure) -> Any:
    (numbers,) = (trace for trace in figure.data if trace.name == "difference")
    return numbers


def _annotation(figure: go.Figure, part: str) -> Any:
    (found,) = (annotation for annotation in figure.layout.annotations if part in annotation.text)
    return found


def test_two_bars_a_profession_are_the_means_of_its_sentences() -> None:
    female, male = _bars(_chart())
    assert (female.name, male.name) == ("female words", "male words")
    names = [data[0] for data in female.customdata]
    assert names == ["secretary", "nurse", "roofer", "mason", "plumber"]
    assert list(female.x) == [-1.25, 1.5, 0.3, -0.2, 0.25]
    assert [data[0] for data in male.customdata] == ["secretary", "nurse", "roofer", "mason"]  # no plumber
    assert list(male.x) == [1.25, -0.5, -0.3, 0.2]
    assert tuple(female.customdata[0]) == ("secretary", "m", "en")


def test_bars_of_a_row_lie_side_by_side_around_its_label() -> None:
    figure = _chart()
    female, male = _bars(figure)
    labels = dict(zip(figure.layout.yaxis.ticktext, figure.layout.yaxis.tickvals, strict=True))
    upper, lower = female.y[1], male.y[1]
    assert upper < labels["nurse"] < lower
    assert upper + lower == pytest.approx(2 * labels["nurse"])
    assert lower - upper >= female.width  # they do not cover each other
    assert lower + male.width / 2 < labels["nurse"] + 0.5
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]


def test_sections_have_headings_and_empty_ones_none() -> None:
    figure = _chart()
    female, male = _annotation(figure, "female ·"), _annotation(figure, "<b>male ·")
    assert (female.text, female.y) == ("<b>female · 2 professions</b>", 0)
    assert (male.text, male.y) == ("<b>male · 3 professions</b>", 3)
    assert list(figure.layout.yaxis.ticktext) == ["", "secretary", "nurse", "", "roofer", "mason", "plumber"]
    assert not any("balanced" in annotation.text for annotation in figure.layout.annotations)


def test_sides_differ_in_hue_hatching_and_are_named() -> None:
    for theme in (LIGHT, DARK):
        figure = _chart(theme=theme)
        female, male = _bars(figure)
        assert (female.marker.color, male.marker.color) == (theme.groups[1], theme.groups[0])
        assert (female.marker.pattern.shape, male.marker.pattern.shape) == ("/", "")
        assert figure.layout.showlegend
        in_legend = [trace.name for trace in figure.data if trace.showlegend is not False]
        assert in_legend == ["female words", "male words"]
    assert _annotation(figure, "▶").text == "<b>more likely ▶</b>"
    assert _annotation(figure, "◀").xanchor == "right"


def test_the_difference_stands_in_a_column_right_of_a_scale_centred_on_zero() -> None:
    figure = _chart()
    numbers = _numbers(figure)
    assert list(numbers.text) == ["−2.50", "+2.00", "+0.60", "−0.40", ""]
    low, right = figure.layout.xaxis.range
    assert set(numbers.x) == {right}
    assert right > -low > 1.5
    assert list(figure.layout.xaxis.tickvals) == [-at for at in reversed(figure.layout.xaxis.tickvals)]
    assert _annotation(figure, "female − male").x == 1
    long = Contrast("African American names", "European American names")
    wide = _chart(sentences({"nurse": 1.0}, contrast=long), contrast=long)
    assert _annotation(wide, "difference").x == 1


def test_hover_holds_the_whole_numbers() -> None:
    female, _ = _bars(_chart())
    assert female.hovertext[1] == (
        "<b>nurse</b><br>female words: +1.5000, mean of 2<br>male words: −0.5000, mean of 1<br>difference: +2.0000 nats"
    )
    assert female.hovertext[4] == "<b>plumber</b><br>female words: +0.2500, mean of 1<br>male words: not scored"


def test_a_limit_counts_the_rest_of_a_section() -> None:
    figure = _chart(limit=1)
    rest = f'<span style="color:{LIGHT.muted}">· · · 2 more that differ less</span>'
    assert list(figure.layout.yaxis.ticktext) == ["", "secretary", "nurse", "", "roofer", rest]
    with pytest.raises(OptionError, match="at least 1"):
        _chart(limit=0)


def test_the_height_grows_with_the_rows() -> None:
    four, five = ([row for row in ROWS if row["profession"] not in without] for without in (("plumber",), ()))
    assert _chart(five).layout.height - _chart(four).layout.height == 24


def test_words_are_shown_as_they_stand() -> None:
    figure = _chart(sentences({"<b>x</b>": 1.0}, groups={"<b>x</b>": "<i>g</i>"}))
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;x&lt;/b&gt;"
    assert _bars(figure)[0].hovertext[0].startswith("<b>&lt;b&gt;x&lt;/b&gt;</b><br>")
    assert _annotation(figure, "· 1 profession").text == "<b>&lt;i&gt;g&lt;/i&gt; · 1 profession</b>"


def test_refusals() -> None:
    result = profession_result(ROWS)
    with pytest.raises(OptionError, match=r"no n \(en\)"):
        profession_bars(result, series=("n", "en"), theme=LIGHT)
    with pytest.raises(NothingToScore, match="No profession was scored"):
        _chart([])
    with pytest.raises(NothingToScore, match="No profession has an association"):
        _chart([sentence("nurse", "female", float("nan"))])
