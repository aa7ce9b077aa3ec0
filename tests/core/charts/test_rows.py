from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.charts.rows import Gap, choose, extent, finite, values
from core.errors import NothingToScore, OptionError
from core.result import Contrast

HE_SHE = Contrast("he", "she")
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


def test_values_leave_out_what_is_missing(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "judge": None, "pilot": 0.5}})
    assert [(value.attribute, value.lpbs) for value in values(result, HE_SHE, "m")] == [("nurse", -1.0), ("pilot", 0.5)]


def test_values_name_what_exists(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0}})
    with pytest.raises(OptionError, match="it holds he − she, he − they, she − they"):
        values(result, Contrast("she", "he"), "m")
    with pytest.raises(OptionError, match="no model n; it holds m"):
        values(result, HE_SHE, "n")


def test_hover_tells_the_whole_number(make_result: Any) -> None:
    # Per group two words at 2 P and P / 2: the geometric mean is P, the arithmetic one 1.25 P.
    result = make_result({"m": {"nurse": -1.0}}, intervals={"nurse": (-1.4, -0.5)})
    (nurse,) = values(result, HE_SHE, "m")
    assert nurse.interval == (-1.4, -0.5)
    assert nurse.hover.split("<br>") == [
        "<b>nurse</b>",
        "he − she: −1.00 nats",
        "he: 20.00 %, prior 10.00 %",
        "she: 30.00 %, prior 15.00 %",
        "n = 9 values",
        "95 % interval −1.40 to −0.50",
        "sign-flip p = 0.031, adjusted p = 0.062 over 60 tests",
    ]


def test_hover_of_a_causal_model_stays_in_nats(make_result: Any) -> None:
    (nurse,) = values(make_result({"m": {"nurse": -1.0}}, kind="causal"), HE_SHE, "m")
    # ln .2 = −1.6094, ln .1 = −2.3026
    assert "he: ln P −1.61, prior ln P −2.30" in nurse.hover
    assert "%" not in nurse.hover


def test_hover_against_the_others_names_each_of_them(make_result: Any) -> None:
    made = make_result({"m": {"nurse": -1.0}})
    contrast = Contrast("she", "the others")
    summary = made.summary.assign(contrast=contrast.label).drop_duplicates("attribute")
    result = type(made)(**{**vars(made), "summary": summary, "contrasts": (contrast,)})
    (nurse,) = values(result, contrast, "m")
    assert [line.split(":")[0] for line in nurse.hover.split("<br>")[2:5]] == ["she", "he", "they"]


def test_finite() -> None:
    assert [finite(value) for value in (1, np.float32(0.5), -2.0)] == [1.0, 0.5, -2.0]
    assert [finite(value) for value in (None, pd.NA, math.nan, -math.inf, "1")] == [None] * 5


def test_extent_includes_the_whiskers(make_result: Any) -> None:
    result = make_result({"m": {"nurse": -1.0, "pilot": 0.3}}, intervals={"nurse": (-1.4, -0.5)})
    assert extent(values(result, HE_SHE, "m")) == 1.4
    assert extent(values(make_result({"m": {"nurse": 0.001}}), HE_SHE, "m")) == 0.1
