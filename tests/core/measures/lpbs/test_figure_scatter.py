from __future__ import annotations

from typing import Any

import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.figures import model_against_model
from core.result import Contrast

HE_SHE = Contrast("he", "she")


def _chart(result: Any, **options: Any) -> Any:
    return model_against_model(
        result, **{"contrast": HE_SHE, "x_model": "m", "y_model": "n", "theme": LIGHT, **options}
    )


def _points(figure: Any) -> Any:
    (points,) = (trace for trace in figure.data if trace.mode == "markers+text")
    return points


def _caption(figure: Any) -> str:
    return str(figure.layout.annotations[0].text).replace("\u00a0", " ")


def test_a_point_for_each_attribute_both_have(make_result: Any) -> None:
    result = make_result(
        {
            "m": {"nurse": -1.0, "judge": 0.2, "pilot": 0.5, "only m": 0.1},
            "n": {"nurse": -0.5, "judge": -0.3, "pilot": 0.9},
        }
    )
    figure = _chart(result)
    points = _points(figure)
    assert [row[0] for row in points.customdata] == ["nurse", "judge", "pilot"]
    assert list(zip(points.x, points.y, strict=True)) == [(-1.0, -0.5), (0.2, -0.3), (0.5, 0.9)]
    assert list(points.marker.color) == [LIGHT.groups[1], LIGHT.neutral, LIGHT.groups[0]]
    assert points.hovertext[0] == "<b>nurse</b><br>m: −1.00<br>n: −0.50<br>difference: +0.50 nats"
    assert "NaN" not in figure.to_json()


def test_both_axes_have_one_scale_and_the_line_of_agreement(make_result: Any, sixty: Any) -> None:
    figure = _chart(make_result(sixty), x_model="model-a", y_model="model-b")
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    assert figure.layout.yaxis.scaleanchor == "x"
    line = figure.data[0]
    assert list(line.x) == list(line.y) == list(figure.layout.xaxis.range)
    assert figure.layout.xaxis.ticktext == figure.layout.yaxis.ticktext


def test_caption_holds_r_and_n(make_result: Any) -> None:
    # x = 1, 2, 3, 4 against y = 1, 3, 2, 4: Sxy = 4, Sxx = Syy = 5, r = .8.
    result = make_result({"m": {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}, "n": {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0}})
    assert _caption(_chart(result)) == "Pearson r = +0.80, n = 4 of at least 6: too few to say"
    assert _caption(_chart(result, y_model="m")) == "Pearson r = +1.00, n = 4 of at least 6: too few to say"


def test_caption_says_why_there_is_no_r(make_result: Any) -> None:
    few = make_result({"m": {"a": 1.0, "b": 2.0, "c": 3.0}, "n": {"a": 1.0, "b": 3.0, "c": 2.0}})
    assert _caption(_chart(few)).startswith("n = 3: too few")
    flat = make_result({"m": dict.fromkeys("abcd", 0.1), "n": {"a": 1.0, "b": 3.0, "c": 2.0, "d": 4.0}})
    assert _caption(_chart(flat)) == "Pearson r undefined: no variation, n = 4"


def test_the_most_different_are_named(make_result: Any) -> None:
    result = make_result({"m": {"a": -0.9, "b": 0.2, "c": 0.9}, "n": {"a": 0.8, "b": 0.2, "c": -0.7}})
    named = [text.strip() for text in _points(_chart(result)).text]
    assert named[0] == "a"
    assert named[2] == "c"


def test_points_on_one_spot_get_no_text_over_each_other(make_result: Any) -> None:
    # Sixty points within a marker's width: whatever side a text takes, a second one there would cover it.
    crowd = {f"attribute {at:02d}": 0.5 + at * 1e-4 for at in range(60)}
    result = make_result({"m": crowd | {"far": 2.0}, "n": {name: -x for name, x in crowd.items()} | {"far": -2.0}})
    points = _points(_chart(result))
    placed = [position for text, position in zip(points.text, points.textposition, strict=True) if "attribute" in text]
    assert 1 <= len(placed) == len(set(placed)) <= 4


def test_words_are_shown_as_they_stand(make_result: Any) -> None:
    column = {"<b>x</b>": -0.9, "b": 0.2}
    result = make_result({"<i>m</i>": column, "n": {"<b>x</b>": 0.9, "b": 0.3}})
    figure = _chart(result, x_model="<i>m</i>")
    assert _points(figure).text[0].strip() == "&lt;b&gt;x&lt;/b&gt;"
    assert "&lt;i&gt;m&lt;/i&gt;" in figure.layout.xaxis.title.text
    assert "<i>" not in figure.layout.xaxis.title.text + _points(figure).hovertext[0]


def test_refusals(make_result: Any) -> None:
    result = make_result({"m": {"a": 1.0, "b": None}, "n": {"a": None, "b": 1.0}})
    with pytest.raises(NothingToScore, match="both m and n"):
        _chart(result)
    with pytest.raises(OptionError, match="no model o"):
        _chart(result, y_model="o")
