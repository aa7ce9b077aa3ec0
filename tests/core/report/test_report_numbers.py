"""How numbers are written."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from core.report.numbers import (
    coefficient,
    counted,
    fixed,
    head_name,
    interval,
    p_text,
    p_value,
    percent,
    position_name,
    share,
    short,
    signed,
)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.4, 2, "+0.40"),
        (-1.35, 2, "−1.35"),
        (0.0, 2, "0.00"),
        (-0.004, 2, "0.00"),
        (0.004, 2, "0.00"),
        (-0.006, 2, "−0.01"),
        (1.0, 0, "+1"),
        (-12.34567, 4, "−12.3457"),
        (1234.5, 1, "+1,234.5"),
        (-10.0, 0, "−10"),
    ],
)
def test_a_signed_number_has_a_plus_or_a_true_minus(value: float, decimals: int, text: str) -> None:
    assert signed(value, decimals) == text
    assert fixed(value, decimals) == text.removeprefix("+")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("write", [signed, fixed])
def test_what_is_no_number_is_refused(write: Callable[[float], str], value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        write(value)


def test_a_setting_has_no_needless_decimals() -> None:
    assert [short(value) for value in (50.0, 0.25, -1, 0.1234567)] == ["50", "0.25", "−1", "0.123457"]


@pytest.mark.parametrize(
    ("value", "text"), [(0.4438, ".44"), (-0.12, "−.12"), (1.0, "1.00"), (-1.0, "−1.00"), (0.0, ".00"), (-0.001, ".00")]
)
def test_a_correlation_has_no_zero_before_its_point(value: float, text: str) -> None:
    assert coefficient(value) == text


def test_a_small_share_is_not_rounded_to_zero() -> None:
    assert [share(value) for value in (0.0, 0.00009, 0.0001, 0.5)] == ["0.0000", "< 0.0001", "0.0001", "0.5000"]
    assert [percent(p, 2) for p in (0.2247, 0.0001, 0.00009, 0.0)] == ["22.47 %", "0.01 %", "< 0.01 %", "0.00 %"]
    assert [percent(p, 0) for p in (1.0, 0.005, 0.0)] == ["100 %", "< 1 %", "0 %"]


def test_p_values_round_neither_to_zero_nor_up_to_the_smallest() -> None:
    assert [p_text(p) for p in (0.0312, 0.001, 0.0009, 0.0004)] == ["p = 0.031", "p = 0.001", "p < 0.001", "p < 0.001"]
    assert (p_value(0.5), p_value(0.0009)) == ("0.500", "< 0.001")


def test_an_interval_says_its_level_and_its_ends() -> None:
    assert interval(-0.104, 1.3) == "95 % interval −0.10 to +1.30"


def test_counted_takes_the_singular_for_one_only() -> None:
    assert [counted(n, "word") for n in (0, 1, 2, 3000)] == ["0 words", "1 word", "2 words", "3,000 words"]
    assert counted(2, "word was", "words were") == "2 words were"


def test_places_in_a_model_have_names() -> None:
    assert (position_name("embedding", 0), position_name("context", 3)) == ("embedding", "averaged attention of L3")
    assert head_name(3, 11) == "L3 H11"
