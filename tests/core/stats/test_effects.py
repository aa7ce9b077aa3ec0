from __future__ import annotations

import itertools
import random
import statistics
import tracemalloc

import numpy as np
import pytest

from core.stats import resampling
from core.stats.effects import effect_size, effect_size_interval


def plain_d(x: list[float], y: list[float]) -> float:
    mean = statistics.fmean(x + y)
    variance = sum((value - mean) ** 2 for value in x + y) / (len(x + y) - 1)
    return (statistics.fmean(x) - statistics.fmean(y)) / variance**0.5


@pytest.mark.parametrize(("ddof", "d"), [(1, 1.5674), (0, 1.7524)])
def test_worked_by_hand(ddof: int, d: float) -> None:
    # Means 1.88/3 and −.6: S = 1.22667. Sum .68, squares 2.5424: Σ(s − .136)² = 2.44992; / 4 = .78261², / 5 = .69998².
    assert float(effect_size([1, 0.2, 0.68], [-0.2, -1], ddof=ddof)) == pytest.approx(d, abs=5e-5)


def test_many_rows_at_once() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.normal(size=(2, 3, 5)), generator.normal(size=(2, 3, 4))
    d = effect_size(x, y)
    assert d.shape == (2, 3)
    for place in np.ndindex(2, 3):
        assert d[place] == pytest.approx(plain_d(x[place].tolist(), y[place].tolist()), abs=1e-12)


def test_no_variation_has_no_d() -> None:
    d = effect_size([[0.1, 0.1], [0.0, 0.0], [1.0, 1.0]], [[0.1, 0.1 + 1e-17], [0.0, 0.0], [1.0, 2.0]])
    assert np.isnan(d).tolist() == [True, True, False]
    # 3e-17 is a spread of its own, but nothing in differences of numbers near 1.
    assert float(effect_size([3e-17, 1e-17], [0.0, 0.0])) > 0
    assert np.isnan(effect_size([3e-17, 1e-17], [0.0, 0.0], scale=1.0))


@pytest.mark.parametrize(
    ("x", "y", "ddof", "message"),
    [
        ([], [1.0], 1, "at least 1"),
        ([1.0], [], 1, "at least 1"),
        (1.0, 2.0, 1, "members"),
        ([[1.0, 2.0]], [1.0], 1, "members"),
        ([1.0, np.nan], [2.0], 1, "not finite"),
        ([1.0], [np.inf], 1, "not finite"),
        ([1.0], [2.0], 2, "needs 0 or 1"),
    ],
)
def test_wrong_values_are_refused(x: object, y: object, ddof: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        effect_size(x, y, ddof=ddof)  # type: ignore[arg-type]


def test_interval_comes_near_all_resamples() -> None:
    # 3³ × 2² = 108 equally likely resamples, every one looked at.
    x, y = [1.0, 0.2, 0.68], [-0.2, -1.0]
    every = [
        plain_d(list(first), list(second))
        for first in itertools.product(x, repeat=3)
        for second in itertools.product(y, repeat=2)
    ]
    interval = effect_size_interval(x, y, seed=0)
    # d takes few values here, so an end falls on one or its neighbour; of 10,000 draws the share below an end has a
    # standard error of .0016.
    assert np.quantile(every, 0.017) <= interval.low <= np.quantile(every, 0.033)
    assert np.quantile(every, 0.967) <= interval.high <= np.quantile(every, 0.983)


def test_interval_comes_near_a_plain_loop() -> None:
    generator = np.random.default_rng(3)
    x, y = generator.normal(0.5, size=20), generator.normal(size=12)
    draw = random.Random(3)
    drawn = sorted(
        plain_d(draw.choices(x.tolist(), k=20), draw.choices(y.tolist(), k=12)) for _ in range(4000)
    )  # the ends of two such runs differ by about .02
    interval = effect_size_interval(x, y, seed=0)
    assert interval.low == pytest.approx(drawn[100], abs=0.08)
    assert interval.high == pytest.approx(drawn[3900], abs=0.08)
    again = effect_size_interval(x, y, seed=0)
    assert (again.low, again.high) == (interval.low, interval.high)
    assert effect_size_interval(x, y, seed=1).low != interval.low
    narrow = effect_size_interval(x, y, seed=0, level=0.5)
    assert interval.low < narrow.low < narrow.high < interval.high


def test_interval_without_ddof_is_wider() -> None:
    # Every d is √(4/3) times as large.
    one, zero = (effect_size_interval([1, 2], [0, 1.5], seed=0, ddof=ddof) for ddof in (1, 0))
    np.testing.assert_allclose([zero.low, zero.high], np.sqrt(4 / 3) * np.array([one.low, one.high]))


def test_resamples_without_spread_are_left_out() -> None:
    # X becomes 1, 1 in a quarter of the resamples: no d. In another quarter it is 2, 2: d = 1 / √(1/3) = 1.7321. In
    # half of them 1 and 2: d = .5 / .5 = 1. Of those with a d that is two parts in three.
    interval = effect_size_interval([1, 2], [1, 1], seed=0)
    assert interval.low == pytest.approx(1.0)
    assert interval.high == pytest.approx(3**0.5)
    # 65 % lie below the upper end of 30 %, 70 % below that of 40 %. Counted as 0, a quarter would pull both down.
    ends = [effect_size_interval([1, 2], [1, 1], seed=0, level=level).high for level in (0.3, 0.4)]
    assert ends == pytest.approx([1.0, 3**0.5])


def test_interval_where_there_is_no_d() -> None:
    with pytest.raises(ValueError, match="vary"):
        effect_size_interval([1.0, 1.0], [1.0, 1.0], seed=0)
    with pytest.raises(ValueError, match="n_x"):
        effect_size_interval([[1.0, 2.0]], [[1.0, 3.0]], seed=0)


def test_memory_of_long_sets_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "RESAMPLES", 2000)  # at once 2000 × 4000 numbers, 64 MB
    values = np.random.default_rng(0).normal(size=4000)
    tracemalloc.start()
    effect_size_interval(values[:2000], values[2000:], seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
