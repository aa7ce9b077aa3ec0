from __future__ import annotations

import pytest

from core.charts.axis import tick_texts, ticks


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
