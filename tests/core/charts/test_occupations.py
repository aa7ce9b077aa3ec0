"""Occupations of a corpus: most frequent first, the rest counted."""

from __future__ import annotations

import pandas as pd
import pytest

from core.charts import LIGHT, occupation_bars
from core.errors import NothingToScore


def test_the_most_frequent_stand_first_and_the_rest_is_one_row() -> None:
    counts = pd.DataFrame({"occupation": ["a", "<b>", "c", "d"], "n": [2, 1500, 7, 1]})
    figure = occupation_bars(counts, theme=LIGHT, limit=2)
    assert list(figure.data[0].x) == [1500, 7, 3]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;", "c", "2 more occupations"]
    assert list(figure.data[0].text) == [" 1,500", " 7", " 3"]
    assert figure.data[0].hovertext[0] == "<b>&lt;b&gt;</b><br>1,500 sentences"


def test_without_an_occupation_there_is_nothing_to_count() -> None:
    with pytest.raises(NothingToScore):
        occupation_bars(pd.DataFrame({"occupation": [], "n": []}), theme=LIGHT)
