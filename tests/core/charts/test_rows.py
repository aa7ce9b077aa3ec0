from __future__ import annotations

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.charts.key import model_marks
from core.charts.rows import Dot, Gap, add_dots, choose, finite, stack_bands
from core.errors import NothingToScore, OptionError

LEAN = {"a": 0.5, "b": -0.9, "c": 0.1, "d": -0.2, "e": 0.8, "F": 0.05}


def test_choose_by_lean_runs_from_the_second_group_to_the_first() -> None:
    assert choose(LEAN, order="lean", limit=None) == ("b", "d", "F", "c", "a", "e")
    assert choose(LEAN, order="lean", limit=6) == ("b", "d", "F", "c", "a", "e")


def test_choose_leaves_out_the_middle_and_counts_it() -> None:
    assert choose(LEAN, order="lean", limit=3) == ("b", "d", Gap(3), "e")
    assert choose(LEAN, order="lean", limit=2) == ("b", Gap(4), "e")


def test_choose_shows_a_row_rather_than_one_more() -> None:
    assert choose(LEAN, order="lean", limit=5) == ("b", "d", "F", "c", "a", "e")


def test_choose_always_shows_the_highlight() -> None:
    assert choose(LEAN, order="lean", limit=2, highlight="c") == ("b", Gap(2), "c", "a", "e")
    assert choose(LEAN, order="lean", limit=2, highlight="unknown") == ("b", Gap(4), "e")


def test_choose_by_name_keeps_the_strongest() -> None:
    assert choose(LEAN, order="name", limit=None) == ("a", "b", "c", "d", "e", "F")
    assert choose(LEAN, order="name", limit=3) == ("a", "b", "e", Gap(3))
    assert choose(LEAN, order="name", limit=3, highlight="F") == ("a", "b", "e", "F", Gap(2))


def test_choose_refuses() -> None:
    with pytest.raises(OptionError, match="lean, name"):
        choose(LEAN, order="size", limit=None)
    with pytest.raises(OptionError, match="at least 2"):
        choose(LEAN, order="lean", limit=1)
    with pytest.raises(NothingToScore):
        choose({}, order="lean", limit=None)


def test_finite() -> None:
    assert [finite(value) for value in (1, np.float32(0.5), -2.0)] == [1.0, 0.5, -2.0]
    assert [finite(value) for value in (None, pd.NA, math.nan, -math.inf, "1")] == [None] * 5


def test_bands_stand_below_each_other_with_a_line_for_each_model() -> None:
    first, second = stack_bands([(30, 2), (0, 1)], 0)
    # 15 pixels a line of marks, 4 above the first and 4 below the last.
    assert (first.top, first.at(0), first.at(1), first.bottom) == (30, 41.5, 56.5, 68)
    assert first.middle == 49  # between its lines of marks
    assert (second.top, second.at(0), second.at(-1), second.bottom) == (68, 79.5, 79.5, 91)
    # Where the name stands above the marks, they move down by its pixels.
    (named,) = stack_bands([(0, 1)], 16)
    assert (named.at(0), named.bottom) == (27.5, 39)


def test_a_dot_without_a_span_has_no_line_and_one_that_is_not_filled_is_an_outline() -> None:
    figure = go.Figure()
    mark = model_marks(LIGHT, ["m"])["m"]
    dots = [Dot(0.5, 10, (0.25, 0.75), "a", ("m",)), Dot(-0.5, 20, None, "b", ("m",), filled=False)]
    add_dots(figure, LIGHT, "m", mark, dots, "interval")
    line, marks = figure.data
    assert (list(line.x), list(line.y)) == ([0.25, 0.75, None], [10, 10, None])
    assert (list(marks.x), list(marks.y)) == ([0.5, -0.5], [10, 20])
    assert list(marks.marker.color) == [mark.hue, LIGHT.paper]
    assert marks.marker.line.color == mark.hue
