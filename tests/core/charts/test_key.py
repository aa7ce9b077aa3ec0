from __future__ import annotations

import re
from dataclasses import replace

import plotly.graph_objects as go

from core.charts import LIGHT
from core.charts.key import key_lines, model_marks, write
from core.charts.text import text_width
from core.charts.theme import SMALL_SIZE


def test_few_models_leave_the_hues_of_the_two_groups_alone() -> None:
    marks = model_marks(LIGHT, ["m", "n"])
    assert {mark.hue for mark in marks.values()} == set(LIGHT.groups[2:])


def test_a_model_keeps_its_mark_whoever_comes_after_it() -> None:
    assert model_marks(LIGHT, ["m", "n", "o"])["m"] == model_marks(LIGHT, ["m"])["m"]


def test_the_key_breaks_where_the_width_ends() -> None:
    assert key_lines(LIGHT, []) == []
    short = key_lines(LIGHT, [("red", "●", "a"), ("blue", "■", "<b>")])
    assert short == ['<span style="color:red">●</span> a    <span style="color:blue">■</span> &lt;b&gt;']
    # Names of 200 wide letters are cut to a line of the page, 640 pixels or 350.
    assert len(key_lines(LIGHT, [("red", "●", "m" * 200)] * 3)) == 3
    for theme in (LIGHT, replace(LIGHT, width=350)):
        (line,) = key_lines(theme, [("red", "●", "m" * 200)])
        assert text_width(re.sub("<[^>]+>", "", line), SMALL_SIZE) <= theme.width


def test_a_text_stands_left_on_the_y_axis_unless_told() -> None:
    figure = go.Figure()
    write(figure, "t", "red", 12, y=3)
    write(figure, "t", "red", 12, y=1, yref="paper", x=1, xanchor="right")
    first, second = figure.layout.annotations
    assert (first.x, first.xref, first.xanchor, first.y, first.yref) == (0, "paper", "left", 3, "y")
    assert (second.x, second.xanchor, second.yref) == (1, "right", "paper")
