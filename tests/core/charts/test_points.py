"""A scatter of named points: which are named, the line, the scales."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.charts.points import Point, Scale, point_chart

UNIT = Scale(-1.0, 1.0, ((-1.0, "−1"), (0.0, "0"), (1.0, "+1")), "across")
TALL = Scale(0.0, 10.0, ((0.0, "0"), (10.0, "10")), "up")


def _points(*places: tuple[float, float]) -> list[Point]:
    return [Point(f"<p{at}>", x, y, LIGHT.ink, f"hover {at}", (f"<p{at}>",)) for at, (x, y) in enumerate(places)]


def _chart(points: list[Point], **changes: Any) -> go.Figure:
    named: dict[str, Any] = {
        "caption": ["<r>", "n"],
        "name": "all",
        "square": False,
        "named": 9,
        "order": range(len(points)),
    }
    return point_chart(points, UNIT, changes.pop("y", UNIT), theme=LIGHT, **{**named, **changes})


def test_names_are_shown_as_they_stand_and_in_order_as_far_as_asked() -> None:
    points = _points((-0.5, -0.5), (0.0, 0.5), (0.4, -0.4))
    assert [text.strip() for text in _chart(points).data[0].text] == ["&lt;p0&gt;", "&lt;p1&gt;", "&lt;p2&gt;"]
    assert [text.strip() for text in _chart(points, named=1, order=[2, 1, 0]).data[0].text] == ["", "", "&lt;p2&gt;"]
    assert not any(_chart(points, named=0).data[0].text)


def test_points_in_one_place_are_not_named_over_each_other() -> None:
    crowd = _points(*[(0.3, 0.301 + at / 1000) for at in range(9)])
    named = [text for text in _chart(crowd).data[0].text if text]
    assert len(named) < len(crowd)


def test_a_share_is_where_a_value_lies_on_its_axis() -> None:
    assert (TALL.share(2.5), UNIT.share(0.0)) == (0.25, 0.5)


def test_a_line_runs_from_end_to_end() -> None:
    line, found = _chart(_points((0.0, 0.0)), y=TALL, line=(5.0, 2.0)).data
    assert (list(line.x), list(line.y)) == ([-1, 1], [3, 7])
    assert found.customdata[0][0] == "<p0>"


def test_a_square_has_sides_of_one_length_and_a_caption_stands_above() -> None:
    figure = _chart(_points((0.0, 0.0)), y=TALL, square=True)
    # 2 across are as long as 10 up.
    assert figure.layout.yaxis.scaleratio == pytest.approx(0.2)
    assert _chart(_points((0.0, 0.0))).layout.yaxis.scaleanchor is None
    assert figure.layout.annotations[0].text == "&lt;r&gt;<br>n"
    assert figure.layout.xaxis.title.text == "across"
    assert list(figure.layout.yaxis.ticktext) == ["0", "10"]
