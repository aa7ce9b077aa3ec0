from __future__ import annotations

import math

import pytest

from core.charts import DARK, LIGHT
from core.measures.lpbs.figures import top_fills


def test_bars_in_the_order_given() -> None:
    figure = top_fills(["she", "he", "<b>"], [0.43, 0.225, 0.011], LIGHT)
    (bars,) = figure.data
    assert list(bars.x) == [0.43, 0.225, 0.011]
    assert list(bars.y) == [0, 1, 2]
    assert list(bars.text) == ["43.0 %", "22.5 %", "1.1 %"]
    assert list(figure.layout.yaxis.ticktext) == ["she", "he", "&lt;b&gt;"]
    assert [row[0] for row in bars.customdata] == ["she", "he", "<b>"]
    assert figure.layout.xaxis.range[0] == 0
    assert figure.layout.xaxis.range[1] > 0.43
    assert bars.marker.color == LIGHT.neutral


def test_no_bar_without_a_probability() -> None:
    figure = top_fills(["she", "he"], [math.nan, 0.2], DARK)
    assert list(figure.data[0].x) == [0.2]
    assert "NaN" not in figure.to_json()
    assert list(top_fills([], [], DARK).data[0].x) == []


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="zip"):
        top_fills(["she"], [], LIGHT)
