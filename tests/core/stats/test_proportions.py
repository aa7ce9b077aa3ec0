"""Wilson's interval by hand and by its definition."""

from __future__ import annotations

import math

import pytest

from core.stats.proportions import wilson


def test_by_hand() -> None:
    # z² = 3.841459: (.8 + .192073 ± √(.3841459 · (.16 + .0960365))) / 1.3841459 = (.992073 ± .313616) / 1.3841459.
    interval = wilson(8, 10)
    assert (interval.low, interval.high) == pytest.approx((0.490163, 0.943317), abs=1e-6)


def test_none_and_all() -> None:
    # With no success the other end is z² / (n + z²).
    none, every = wilson(0, 20), wilson(20, 20)
    assert (none.low, none.high) == (0.0, pytest.approx(3.841459 / 23.841459, abs=1e-7))
    assert (every.low, every.high) == (pytest.approx(1 - 3.841459 / 23.841459, abs=1e-7), 1.0)


@pytest.mark.parametrize(("successes", "n"), [(1, 3), (17, 40), (912, 1508)])
def test_ends_are_shares_that_z_errors_reach(successes: int, n: int) -> None:
    interval = wilson(successes, n, level=0.9)
    for end in (float(interval.low), float(interval.high)):
        assert abs(successes / n - end) == pytest.approx(1.644854 * math.sqrt(end * (1 - end) / n), rel=1e-6)


@pytest.mark.parametrize(("successes", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"{successes} of {n}"):
        wilson(successes, n)
