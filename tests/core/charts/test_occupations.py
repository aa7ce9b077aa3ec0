"""Occupations of a corpus: most frequent first, the rest counted."""

from __future__ import annotations

import pandas as pd
import pytest

from core.charts import LIGHT, occupation_bars
from core.errors import NothingToScore, OptionError


def test_the_most_frequent_stand_first_and_the_rest_is_one_row() -> None:
    counts = pd.DataFrame({"occupation": ["a", "<b>", "c", "d"], "n": [2, 1500, 7, 1]})
    figure = occupation_bars(counts, theme=LIGHT, limit=2)
    assert list(figure.data[0].x) == [1500, 7, 3]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "c", "2 more occupations"]
    assert list(figure.data[0].text) == [" 1,500", " 7", " 3"]
    assert list(figure.data[0].marker.color) == [LIGHT.neutral, LIGHT.neutral, LIGHT.paper]  # no occupation: hollow
    assert figure.data[0].hovertext[0] == "<b>&lt;b&gt;</b><br>1,500 sentences"


def test_one_more_is_shown_itself() -> None:
    counts = pd.DataFrame({"occupation": ["a", "b", "c"], "n": [3, 2, 1]})
    assert list(occupation_bars(counts, theme=LIGHT, limit=2).layout.yaxis.ticktext) == ["a", "b", "c"]


def test_few_sentences_are_counted_by_ones() -> None:
    assert occupation_bars(pd.DataFrame({"occupation": ["a"], "n": [2]}), theme=LIGHT).layout.xaxis.dtick == 1
    assert occupation_bars(pd.DataFrame({"occupation": ["a"], "n": [60]}), theme=LIGHT).layout.xaxis.dtick is None


def test_without_an_occupation_there_is_nothing_to_count() -> None:
    with pytest.raises(NothingToScore):
        occupation_bars(pd.DataFrame({"occupation": [], "n": []}), theme=LIGHT)
    with pytest.raises(OptionError, match="limit of 0"):
        occupation_bars(pd.DataFrame({"occupation": ["a"], "n": [1]}), theme=LIGHT, limit=0)
