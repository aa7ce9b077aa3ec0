from __future__ import annotations

from core.charts.labels import Box, View, correlation_caption, place_labels

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
