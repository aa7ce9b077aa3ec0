from __future__ import annotations

import itertools
import random
import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm

from core.stats import resampling
from core.stats.resampling import SAMPLED_FLIPS, bootstrap_interval, bootstrap_mean_interval, sign_flip_test


def brute_force_p(whole_numbers: list[int]) -> float:
    """Every sign pattern in whole numbers, where ties are exact."""
    observed = abs(sum(whole_numbers))
    patterns = list(itertools.product((1, -1), repeat=len(whole_numbers)))
    reached = [
        abs(sum(sign * value for sign, value in zip(signs, whole_numbers, strict=True))) >= observed
        for signs in patterns
    ]
    return sum(reached) / len(patterns)


@pytest.mark.parametrize(
    ("values", "p"),
    [
        ([1.0, 2.0, 3.0], 2 / 8),  # only + + + and − − − reach |sum| 6
        ([1.0, 2.0, -1.0], 6 / 8),  # |sum| 2 observed; of 4, 2, 2, 0 and their opposites all but the zeros reach it
        ([1.0, 2.0, -3.0], 1.0),  # sum 0: everything reaches it
        ([5.0], 1.0),  # + and − have the same |mean|
        ([0.0, 0.0, 0.0], 1.0),
    ],
)
def test_sign_flip_worked_by_hand(values: list[float], p: float) -> None:
    test = sign_flip_test(values, seed=0)
    assert test.p_value == p
    assert test.exact
    assert test.flips == 2 ** len(values)


@pytest.mark.parametrize("n", [7, 8, 9])  # below, at and above the eight values of one byte of signs
def test_sign_flip_equals_brute_force(n: int) -> None:
    numbers = np.random.default_rng(n).integers(-6, 9, size=(n, 12))
    expected = [brute_force_p(column.tolist()) for column in numbers.T]
    # In tenths the sums that tie in whole numbers differ by rounding, and must tie all the same.
    np.testing.assert_array_equal(sign_flip_test(numbers / 10, seed=0).p_value, expected)


def test_sixteen_values_are_exact_and_seventeen_sampled() -> None:
    values = np.linspace(-1, 2, 17)
    assert sign_flip_test(values[:16], seed=0).exact
    assert sign_flip_test(values[:16], seed=0).p_value == sign_flip_test(values[:16], seed=1).p_value
    sampled = sign_flip_test(values, seed=0)
    assert not sampled.exact
    assert sampled.flips == SAMPLED_FLIPS


def test_sampled_sign_flip_comes_near_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).normal(0.3, 1, size=(16, 5))
    exact = sign_flip_test(values, seed=0)
    monkeypatch.setattr(resampling, "EXACT_FLIPS", 1)
    sampled = sign_flip_test(values, seed=0)
    assert exact.exact
    assert not sampled.exact
    # The standard error of a share from 100,000 draws is at most .0016; this allows five.
    np.testing.assert_allclose(sampled.p_value, exact.p_value, atol=0.008)
    assert not np.array_equal(sampled.p_value, exact.p_value)


def test_sampled_p_counts_the_observed_pattern() -> None:
    # 60 equal values: no draw of 100,000 out of 2^60 has all signs equal, so k = 0.
    assert sign_flip_test(np.ones(60), seed=0).p_value == 1 / (SAMPLED_FLIPS + 1)
    assert sign_flip_test(np.zeros(60), seed=0).p_value == 1.0


@pytest.mark.parametrize("n", [9, 40])
def test_sign_flip_invariants(n: int) -> None:
    values = np.random.default_rng(5).normal(0.2, 1, size=(n, 70))  # more columns than one block holds
    p = np.asarray(sign_flip_test(values, seed=4).p_value)
    assert ((p > 0) & (p <= 1)).all()
    np.testing.assert_array_equal(sign_flip_test(-values, seed=4).p_value, p)
    np.testing.assert_array_equal(sign_flip_test(values * 1e-9, seed=4).p_value, p)
    np.testing.assert_array_equal(sign_flip_test(values[:, ::-1], seed=4).p_value, p[::-1])
    assert sign_flip_test(values[:, 66], seed=4).p_value == p[66]


def test_bootstrap_worked_by_hand() -> None:
    # Two values 0 and 1: a resample's mean is 0, 1/2 or 1 with chance 1/4, 1/2, 1/4.
    values = [0.0, 1.0]
    wide = bootstrap_mean_interval(values, seed=0)
    assert (wide.low, wide.high) == (0.0, 1.0)
    narrow = bootstrap_mean_interval(values, seed=0, level=0.4)  # from the 30th to the 70th hundredth
    assert (narrow.low, narrow.high) == (0.5, 0.5)


@pytest.mark.parametrize("n", [5, 40])
def test_bootstrap_comes_near_a_plain_loop(n: int) -> None:
    values = np.random.default_rng(n).exponential(size=n)
    draw = random.Random(n)
    means = sorted(sum(draw.choices(values.tolist(), k=n)) / n for _ in range(10_000))
    interval = bootstrap_mean_interval(values, seed=0)
    # The ends of two runs differ by .04 standard errors of the mean as a rule.
    near = 0.2 * values.std() / n**0.5
    assert interval.low == pytest.approx(means[250], abs=near)
    assert interval.high == pytest.approx(means[9750], abs=near)


def test_bootstrap_is_fixed_by_its_seed() -> None:
    values = np.random.default_rng(0).normal(size=30)
    first, again, other = (bootstrap_mean_interval(values, seed=seed) for seed in (1, 1, 2))
    assert (first.low, first.high) == (again.low, again.high)
    assert first.low != other.low


def test_sampled_flips_are_fixed_by_their_seed() -> None:
    values = np.random.default_rng(0).normal(size=30)
    first, again, other = (sign_flip_test(values, seed=seed).p_value for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_bootstrap_invariants() -> None:
    values = np.random.default_rng(6).normal(size=(12, 150))  # more columns than one block holds
    interval = bootstrap_mean_interval(values, seed=2)
    low, high = np.asarray(interval.low), np.asarray(interval.high)
    assert (low < values.mean(axis=0)).all()
    assert (values.mean(axis=0) < high).all()
    moved = bootstrap_mean_interval(3 * values + 7, seed=2)
    np.testing.assert_allclose(moved.low, 3 * low + 7, atol=1e-12)
    mirrored = bootstrap_mean_interval(-values, seed=2)
    np.testing.assert_allclose(mirrored.low, -high, atol=1e-12)
    np.testing.assert_allclose(mirrored.high, -low, atol=1e-12)
    alone = bootstrap_mean_interval(values[:, 140], seed=2)
    assert (alone.low, alone.high) == pytest.approx((low[140], high[140]), abs=1e-12)
    same = bootstrap_mean_interval(np.full(9, 0.3), seed=2)
    assert (same.low, same.high) == pytest.approx((0.3, 0.3), abs=1e-12)


@pytest.mark.parametrize("n", [6, 300])  # in one block of draws and in several
def test_bootstrap_is_that_of_the_seeds_own_draws(n: int) -> None:
    values = np.random.default_rng(8).normal(size=(n, 3))
    drawn = np.random.default_rng(5).integers(n, size=(10_000, n))
    ends = [np.quantile(column[drawn].mean(axis=1), (0.025, 0.975)) for column in values.T]
    interval = bootstrap_mean_interval(values, seed=5)
    np.testing.assert_allclose(np.transpose([interval.low, interval.high]), ends, atol=1e-12)


def test_unpaired_samples_are_drawn_each_by_itself_and_paired_ones_together() -> None:
    x = np.random.default_rng(9).normal(size=20)

    def difference(first: np.ndarray, second: np.ndarray, axis: int) -> np.ndarray:
        return first.mean(axis=axis) - second.mean(axis=axis)

    together = bootstrap_interval([x, x - 0.25], difference, seed=0, paired=True)
    assert (together.low, together.high) == pytest.approx((0.25, 0.25), abs=1e-12)
    apart = bootstrap_interval([x, x - 0.25], difference, seed=0)
    # The variance of a difference is that of both means together.
    half = 1.96 * x.std() * (2 / 20) ** 0.5
    assert (apart.low, apart.high) == pytest.approx((0.25 - half, 0.25 + half), abs=0.1 * half)


def test_resamples_without_a_value_are_left_out() -> None:
    def mean_where_both_are_drawn(values: np.ndarray, axis: int) -> np.ndarray:
        return values.mean(axis=axis)[np.ptp(values, axis=axis) > 0]

    # Of 0 and 1 a resample that holds both has the mean 1/2; the others would give 0 and 1.
    interval = bootstrap_interval([np.array([0.0, 1.0])], mean_where_both_are_drawn, seed=0)
    assert (interval.low, interval.high) == (0.5, 0.5)


def test_ten_thousand_values_stay_under_200_mb() -> None:
    values = np.random.default_rng(0).normal(0.02, 1, size=10_000)
    tracemalloc.start()
    interval = bootstrap_mean_interval(values, seed=0)
    test = sign_flip_test(values, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6
    # At this n both follow the normal law: mean ± 1.96 standard errors, p from the same ratio.
    mean, error = values.mean(), values.std() / 100
    assert (interval.low, interval.high) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.1 * error)
    assert test.p_value == pytest.approx(2 * norm.sf(abs(mean) / error), abs=0.01)


def test_two_thousand_samples_stay_under_100_mb() -> None:
    values = np.random.default_rng(0).normal(size=(6, 2000))
    tracemalloc.start()
    bootstrap_mean_interval(values, seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


@pytest.mark.parametrize("function", [bootstrap_mean_interval, sign_flip_test])
@pytest.mark.parametrize("values", [[], [1.0, float("nan")], [float("inf")], 3.0])
def test_unusable_values_are_refused(function: object, values: object) -> None:
    with pytest.raises(ValueError, match=r"shape|finite"):
        function(values, seed=0)  # type: ignore[operator]
