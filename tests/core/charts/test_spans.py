"""Round marks of a scale that is not centred on zero."""

from __future__ import annotations

import pytest

from core.charts.spans import mark_texts, marks_between


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (36.5, 63.5, [40, 50, 60]),  # 27 / 5 = 5.4, so steps of 10
        (0, 0.31, [0, 0.1, 0.2, 0.3]),  # 0.062: steps of .1
        (-2.3, 1.7, [-2, -1, 0, 1]),  # .8: steps of 1
        (0, 5, [0, 1, 2, 3, 4, 5]),  # 1, the ends included
    ],
)
def test_marks_are_round_and_within(low: float, high: float, expected: list[float]) -> None:
    assert marks_between(low, high) == pytest.approx(expected)


@pytest.mark.parametrize("high", [0.013, 0.5, 1.0, 1.9, 3.3, 7.7, 99.0, 1234.5])
@pytest.mark.parametrize("low", [-3.21, -0.004, 0.0])
def test_there_are_always_two_to_six(low: float, high: float) -> None:
    assert 2 <= len(marks_between(low, high)) <= 6


def test_texts_have_one_number_of_decimals_and_a_true_minus() -> None:
    assert mark_texts([-0.5, 0.0, 0.5]) == ["−0.5", "0", "0.5"]
    assert mark_texts([-1.0, 0.0, 1.0], sign=True) == ["−1", "0", "+1"]
    assert mark_texts([40.0, 50.0], unit=" %") == ["40 %", "50 %"]
    assert mark_texts([0.0, 0.05]) == ["0", "0.05"]
