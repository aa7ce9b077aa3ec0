from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from core.charts.rows import Gap, choose, finite
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
