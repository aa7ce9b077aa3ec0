"""Points that have names: where names find room, and what is said of the correlation."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.charts.scatter import Box, Point, Scale, View, correlation_caption, place_labels, point_chart

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


# "nnnn" is 4 × .61 × 12 = 29.28 pixels wide; with the space around it 37.28, and 16 high.
NAMES = ("nnnn", "nnnn")


def _place(view: View, names: tuple[str, ...] = NAMES, most: int = 8) -> dict[int, str]:
    return place_labels(names, range(len(names)), [view], marker=10, most=most)


def test_a_text_stands_right_of_its_point_where_it_can() -> None:
    assert _place(View(200, 200, ((50, 50), (50, 150)))) == {0: "middle right", 1: "middle right"}


def test_at_the_right_edge_it_moves_to_the_left() -> None:
    # Right of a point at x it takes x + 5 to x + 42.28.
    assert _place(View(92.3, 200, ((50, 50), (50, 150)))) == {0: "middle right", 1: "middle right"}
    assert _place(View(92.2, 200, ((50, 50), (50, 150)))) == {0: "middle left", 1: "middle left"}


def test_it_covers_no_other_point_line_or_text() -> None:
    beside = View(200, 200, ((100, 100), (120, 100)))  # each is in the other's way
    assert _place(beside) == {0: "middle left", 1: "middle right"}
    # A steep line through x = 130 is to the right of the first point, and left of nothing.
    steep = View(200, 400, ((100, 100), (20, 300)), lines=((-12900.0, 100.0),))
    assert _place(steep)[0] == "middle left"
    taken = View(200, 200, ((100, 100), (20, 20)), taken=(Box(110, 120, 95, 105),))
    assert _place(taken)[0] == "middle left"


def test_there_is_no_text_where_no_side_has_room() -> None:
    assert _place(View(30, 20, ((15, 10),)), ("nnnn",)) == {}


def test_it_has_to_fit_in_every_view() -> None:
    wide, narrow = View(200, 100, ((100, 50),)), View(120, 100, ((80, 50),))
    assert place_labels(("nnnn",), [0], [wide], marker=10, most=1) == {0: "middle right"}
    assert place_labels(("nnnn",), [0], [wide, narrow], marker=10, most=1) == {0: "middle left"}


def test_the_first_in_order_are_named_up_to_the_most() -> None:
    view = View(200, 200, ((50, 30), (50, 90), (50, 150)))
    assert list(place_labels(("a", "b", "c"), [2, 0, 1], [view], marker=10, most=2)) == [2, 0]


def test_a_box_is_cut_by_a_line_that_runs_through_it() -> None:
    box = Box(10, 20, 10, 20)
    assert box.is_cut_by((0, 1))
    assert box.is_cut_by((15, 0))
    assert not box.is_cut_by((20, 0))  # along its edge
    assert not box.is_cut_by((11, 1))


def test_the_caption_says_r_and_n_or_why_there_is_no_r() -> None:
    # x = 1, 2, 3, 4 against y = 1, 3, 2, 4: Sxy = 4, Sxx = Syy = 5, r = .8.
    assert correlation_caption([1, 2, 3, 4], [1, 3, 2, 4]) == "Pearson r = +0.80, n = 4 of at least 6: too few to say"
    assert correlation_caption([1, 2, 3], [1, 3, 2]).startswith("n = 3: too few for a correlation")
    assert correlation_caption([], []).startswith("n = 0: too few")
    assert correlation_caption([1, 2, 3, 4], [2, 2, 2, 2]) == "Pearson r undefined: no variation, n = 4"
