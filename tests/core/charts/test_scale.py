from __future__ import annotations

import pytest

from core.charts.scale import tick_texts, ticks, ticks_between


@pytest.mark.parametrize(
    ("half", "per_side", "positions"),
    [
        (2.4, 4, [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]),
        (0.24, 4, [-0.2, -0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2]),
        (0.3, 3, [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]),  # .1 fits three times, though .3 / .1 is 2.9999…
        (4.9, 1, [-2.0, 0.0, 2.0]),  # 2 fits twice, 5 not at all
        (70.0, 2, [-50.0, 0.0, 50.0]),
    ],
)
def test_ticks(half: float, per_side: int, positions: list[float]) -> None:
    assert ticks(half, per_side) == positions


def test_ticks_are_centred_and_few() -> None:
    for half in (0.1 * 1.07**power for power in range(80)):
        for per_side in (1, 2, 4):
            positions = ticks(half, per_side)
            assert positions == [-position for position in reversed(positions)]
            assert 3 <= len(positions) <= 2 * per_side + 1
            assert positions[-1] <= half * (1 + 1e-9)


def test_tick_texts() -> None:
    assert tick_texts([-1.0, -0.5, 0.0, 0.5, 1.0]) == ["−1.0", "−0.5", "0", "+0.5", "+1.0"]
    assert tick_texts([-0.05, 0.0, 0.05]) == ["−0.05", "0", "+0.05"]
    assert tick_texts([-20.0, 0.0, 20.0]) == ["−20", "0", "+20"]


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
    assert ticks_between(low, high) == pytest.approx(expected)


@pytest.mark.parametrize("high", [0.013, 0.5, 1.0, 1.9, 3.3, 7.7, 99.0, 1234.5])
@pytest.mark.parametrize("low", [-3.21, -0.004, 0.0])
def test_there_are_always_two_to_six(low: float, high: float) -> None:
    assert 2 <= len(ticks_between(low, high)) <= 6


def test_texts_have_one_number_of_decimals_and_a_true_minus() -> None:
    assert tick_texts([-0.5, 0.0, 0.5], sign=False) == ["−0.5", "0", "0.5"]
    assert tick_texts([-1.0, 0.0, 1.0]) == ["−1", "0", "+1"]
    assert tick_texts([40.0, 50.0], unit=" %", sign=False) == ["40 %", "50 %"]
    assert tick_texts([0.0, 0.05], sign=False) == ["0", "0.05"]
