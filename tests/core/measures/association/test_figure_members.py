from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore
from core.measures.association.figures import member_associations
from core.measures.association.result import AssociationCell
from tests.support.association_results import association_cell

NAMES = ("flowers", "insects", "pleasant", "unpleasant")
OCHRE, TEAL = LIGHT.groups[:2]


def _chart(cell: AssociationCell, names: Any = NAMES, theme: Any = LIGHT) -> go.Figure:
    return member_associations(cell, theme=theme, names=names)


def test_bars_are_sorted_from_b_to_a_in_the_hue_of_their_set() -> None:
    figure = _chart(association_cell([0.2, -0.1], [-0.3, 0.05]))
    bars = figure.data[0]
    assert list(bars.x) == [-0.3, -0.1, 0.05, 0.2]
    assert [list(data) for data in bars.customdata] == [["y1", "Y"], ["x2", "X"], ["y2", "Y"], ["x1", "X"]]
    assert list(bars.marker.color) == [TEAL, OCHRE, TEAL, OCHRE]
    assert list(bars.marker.pattern.shape) == ["/", "", "/", ""]  # told apart in black and white
    assert list(figure.layout.yaxis.ticktext) == ["y1", "x2", "y2", "x1"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # row 0 is on top
    assert [text.strip() for text in figure.data[1].text] == ["−0.300", "−0.100", "+0.050", "+0.200"]
    low, high = figure.layout.xaxis.range
    assert low == -high < -0.3


def test_right_is_nearer_to_a() -> None:
    figure = _chart(association_cell([0.2], [-0.3]))
    texts = [one.text for one in figure.layout.annotations]
    assert texts[:2] == ["<b>◀ nearer to unpleasant</b>", "<b>nearer to pleasant ▶</b>"]
    assert "</span> flowers" in texts[2]
    assert "</span> insects" in texts[2]
    assert figure.data[0].hovertext[0] == "<b>y1</b>, insects<br>nearer to unpleasant by 0.300"
    assert figure.data[0].hovertext[1] == "<b>x1</b>, flowers<br>nearer to pleasant by 0.200"
    lpbs = _chart(association_cell([0.2], [-0.3], representation="lpbs"))
    assert lpbs.layout.annotations[1].text == "<b>leans towards pleasant ▶</b>"
    assert lpbs.layout.annotations[-1].text == "LPBS, nats"


def test_a_member_with_several_values_shows_their_mean() -> None:
    members = (("rose", "tulip", "rose", "tulip"), ("ant",))
    bars = _chart(association_cell([0.1, 0.5, 0.3, 0.7], [-0.2], members=members, representation="lpbs")).data[0]
    assert [data[0] for data in bars.customdata] == ["ant", "rose", "tulip"]
    assert list(bars.x) == pytest.approx([-0.2, 0.2, 0.6])
    assert bars.hovertext[1].endswith("mean of 2 values")
    assert "mean of" not in bars.hovertext[0]


def test_a_member_of_both_sets_has_a_bar_in_each() -> None:
    bars = _chart(association_cell([0.1], [-0.2], members=(("may",), ("may",)))).data[0]
    assert [list(data) for data in bars.customdata] == [["may", "Y"], ["may", "X"]]


def test_long_lists_keep_the_outermost_and_count_the_rest() -> None:
    figure = _chart(association_cell([at / 100 for at in range(100)], [-at / 100 for at in range(1, 101)]))
    assert len(figure.data[0].x) == 80
    assert min(figure.data[0].x) == -1.0
    assert max(figure.data[0].x) == 0.99
    assert "120 more between" in figure.layout.yaxis.ticktext[40]


def test_words_are_shown_as_they_stand_and_missing_values_are_not_drawn() -> None:
    cell = association_cell([0.1, math.nan], [-0.2], members=(("<b>x</b>", "lost"), ("$y$",)))
    figure = _chart(cell, ("<i>f</i>", "g", "<u>p</u>", "q"))
    assert list(figure.layout.yaxis.ticktext) == ["&#36;y&#36;", "&lt;b&gt;x&lt;/b&gt;"]
    shown = [one.text for one in figure.layout.annotations] + list(figure.data[0].hovertext)
    assert not any(raw in text for text in shown for raw in ("<i>", "<u>", "<b>x", "$y$"))
    for word in ("NaN", "bdata", "lost"):
        assert word not in figure.to_json()


def test_nothing_to_draw_is_said() -> None:
    for values in ([], [math.nan]):
        with pytest.raises(NothingToScore, match="No member of X or Y"):
            _chart(association_cell(values, []))
