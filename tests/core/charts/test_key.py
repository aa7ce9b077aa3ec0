from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.charts.key import legend_entries, model_marks, write
from core.charts.text import text_width
from core.charts.theme import SMALL_SIZE, Theme


def test_few_models_leave_the_hues_of_the_two_groups_alone() -> None:
    marks = model_marks(LIGHT, ["m", "n"])
    assert {mark.hue for mark in marks.values()} == set(LIGHT.groups[2:4])


def test_a_model_keeps_its_mark_whoever_comes_after_it() -> None:
    assert model_marks(LIGHT, ["m", "n", "o"])["m"] == model_marks(LIGHT, ["m"])["m"]


def _legend(theme: Theme, names: Sequence[str], left: int = 10) -> go.Figure:
    figure = go.Figure(layout={"height": 300, "margin": {"l": left, "r": 10, "t": 20, "b": 30}})
    legend_entries(figure, theme, [("red", "circle", name) for name in names])
    return figure


def test_the_legend_stands_above_everything_else() -> None:
    figure = _legend(LIGHT, ["a", "<b>"])
    assert [trace.name for trace in figure.data] == ["a", "&lt;b&gt;"]
    more = figure.layout.height - 300
    assert more > 0
    assert figure.layout.margin.t == 20 + more  # the plot is as high as it was: 250 pixels
    assert figure.layout.legend.y == pytest.approx(1 + 20 / 250)


def test_the_legend_has_the_lines_that_its_names_ask_for() -> None:
    def lines(*figures: go.Figure) -> list[int]:
        first = figures[0].layout.height
        return [round((figure.layout.height - first) / 19) for figure in figures]  # 19 pixels a line

    narrow = replace(LIGHT, width=350)
    names = ["m" * 20, "n" * 20, "o" * 20]  # about 200 pixels each, with their symbols 245
    assert lines(_legend(LIGHT, ["a"]), _legend(LIGHT, names), _legend(narrow, names)) == [0, 1, 2]
    # Beside long labels the plot is narrower, and the legend with it.
    assert lines(_legend(LIGHT, ["a"]), _legend(LIGHT, names, left=200)) == [0, 2]
    # A short name beside a long one needs no line of its own.
    assert lines(_legend(LIGHT, ["a"]), _legend(LIGHT, ["a", "b", "m" * 30])) == [0, 0]


def test_a_long_name_in_the_legend_takes_several_lines_and_a_long_word_is_cut() -> None:
    narrow = replace(LIGHT, width=350)
    figure = _legend(narrow, ["words " * 8 + "0 to +0.50"])
    (entry,) = figure.data
    lines = entry.name.split("<br>")
    assert len(lines) == 2
    assert lines[-1].endswith("+0.50")  # a number stays whole
    assert all(text_width(line, SMALL_SIZE) <= 330 - 45 for line in lines)  # the plot without the symbol
    assert figure.layout.height - _legend(narrow, ["a"]).layout.height == 19
    for theme in (LIGHT, narrow):
        (entry,) = _legend(theme, ["m" * 200]).data
        assert entry.name.endswith("…")
        assert text_width(entry.name, SMALL_SIZE) <= theme.width - 20


def test_a_text_stands_left_on_the_y_axis_unless_told() -> None:
    figure = go.Figure()
    write(figure, "t", "red", 12, y=3)
    write(figure, "t", "red", 12, y=1, yref="paper", x=1, xanchor="right")
    first, second = figure.layout.annotations
    assert (first.x, first.xref, first.xanchor, first.y, first.yref) == (0, "paper", "left", 3, "y")
    assert (second.x, second.xanchor, second.yref) == (1, "right", "paper")
