from __future__ import annotations

import itertools
import tracemalloc
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stats import permutation
from core.stats.permutation import NULL_STATISTICS, SAMPLED_PARTITIONS, PermutationTest, permutation_test


def every_statistic(values: list[Fraction], n_x: int) -> list[Fraction]:
    """S of every partition in fractions, where ties are exact."""
    total, n_y = sum(values), len(values) - n_x
    firsts = (sum(chosen) for chosen in itertools.combinations(values, n_x))
    return [first / n_x - (total - first) / n_y for first in firsts]


def brute_force(x: list[int], y: list[int]) -> tuple[float, float, float]:
    values = [Fraction(value) for value in x + y]
    null = every_statistic(values, len(x))
    observed = sum(values[: len(x)]) / len(x) - sum(values[len(x) :]) / len(y)
    above = sum(statistic >= observed for statistic in null)
    below = sum(statistic <= observed for statistic in null)
    two_sided = sum(abs(statistic) >= abs(observed) for statistic in null)
    return above / len(null), two_sided / len(null), min(above, below) / len(null)


def p_values(test: PermutationTest) -> tuple[float, float, float]:
    return test.p_one_sided, test.p_two_sided, test.p_observed_direction


@pytest.mark.parametrize(
    ("x", "y", "partitions", "expected"),
    [
        # The only partition that reaches S = 1.2267 has the three highest in X; the lowest S is −.9333.
        ([1, 0.2, 0.68], [-0.2, -1], 10, (1 / 10, 1 / 10, 1 / 10)),
        # Two each: a partition and its opposite have the same |S|.
        ([1, 0.2], [-0.2, -1], 6, (1 / 6, 1 / 3, 1 / 6)),
        ([-0.2, -1], [1, 0.2], 6, (1.0, 1 / 3, 1 / 6)),
        # X one of 1, 1, 2, 2: S of a 2 is 2/3, of a 1 −2/3.
        ([2], [1, 1, 2], 4, (1 / 2, 1.0, 1 / 2)),
        # S = 0 and symmetric: 4 of 6 partitions put a 1 and a 2 into each half.
        ([1, 2], [1, 2], 6, (5 / 6, 1.0, 5 / 6)),
        ([3], [1], 2, (1 / 2, 1.0, 1 / 2)),
        ([1, 1], [1, 1], 6, (1.0, 1.0, 1.0)),
    ],
)
def test_worked_by_hand(x: list[float], y: list[float], partitions: int, expected: tuple[float, float, float]) -> None:
    test = permutation_test(x, y, seed=0)
    assert p_values(test) == pytest.approx(expected, abs=1e-15)
    assert test.exact
    assert test.partitions == partitions == len(test.null)


def test_eight_and_eight_wholly_apart() -> None:
    generator = np.random.default_rng(0)
    test = permutation_test(generator.uniform(1, 2, size=8), generator.uniform(-1, 1, size=8), seed=0)
    assert test.exact
    assert test.partitions == 12_870
    assert test.p_one_sided == test.p_observed_direction == 1 / 12_870  # 7.77e-5
    assert test.p_two_sided == 2 / 12_870


@pytest.mark.parametrize(("n_x", "n_y"), [(1, 6), (2, 9), (3, 5), (6, 6), (9, 4), (7, 1)])
def test_every_statistic_equals_a_plain_loop(n_x: int, n_y: int) -> None:
    values = np.random.default_rng(n_x).normal(5, size=n_x + n_y)
    test = permutation_test(values[:n_x], values[n_x:], seed=0)
    expected = sorted(float(s) for s in every_statistic([Fraction(value) for value in values.tolist()], n_x))
    np.testing.assert_allclose(np.sort(test.null), expected, atol=1e-12)
    reached = sum(statistic >= test.test_statistic - 1e-12 for statistic in expected)
    assert test.p_one_sided == reached / comb(n_x + n_y, n_x)


whole = st.lists(st.integers(-3, 3), min_size=1, max_size=6)  # few values: many ties


@settings(max_examples=60, deadline=None)
@given(x=whole, y=whole, unit=st.sampled_from([1.0, 0.1, 1e-7, 1e9]))
def test_ties_are_counted_whatever_the_unit(x: list[int], y: list[int], unit: float) -> None:
    test = permutation_test(unit * np.array(x), unit * np.array(y), seed=0)
    assert p_values(test) == pytest.approx(brute_force(x, y), abs=1e-15)


@settings(max_examples=40, deadline=None)
@given(x=whole, y=whole, seed=st.integers(0, 99))
def test_invariants(x: list[int], y: list[int], seed: int) -> None:
    test, swapped = permutation_test(x, y, seed=0), permutation_test(y, x, seed=seed)
    assert swapped.test_statistic == -test.test_statistic
    assert swapped.p_two_sided == test.p_two_sided
    assert swapped.p_observed_direction == test.p_observed_direction
    shuffled = permutation_test(x[::-1], y[::-1], seed=0)
    assert p_values(shuffled) == p_values(test)
    shifted = permutation_test(np.array(x) + 7.3, np.array(y) + 7.3, seed=0)
    assert p_values(shifted) == p_values(test)


def test_scale_says_what_rounding_is() -> None:
    x, y = [2e-14, 1e-14], [0.0, -1e-14]
    assert permutation_test(x, y, seed=0).p_one_sided == 1 / 6
    assert permutation_test(x, y, seed=0, scale=1.0).p_one_sided == 1.0


def test_at_most_100_000_partitions_are_exact() -> None:
    values = np.random.default_rng(1).normal(size=19)
    exact = permutation_test(values[:9], values[9:], seed=0)
    assert exact.exact
    assert exact.partitions == comb(19, 9) == 92_378
    sampled = permutation_test(values[:10], [*values[10:], 0.3], seed=0)  # C(20, 10) = 184,756
    assert not sampled.exact
    assert sampled.partitions == SAMPLED_PARTITIONS
    few_of_many = permutation_test([1.0, 2.0], np.zeros(445), seed=0)
    assert few_of_many.partitions == comb(447, 2) == 99_681
    assert few_of_many.p_one_sided == 1 / 99_681


def test_sampled_comes_near_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(4)
    x, y = generator.normal(0.4, size=8), generator.normal(size=11)
    exact = permutation_test(x, y, seed=0)
    monkeypatch.setattr(permutation, "EXACT_PARTITIONS", 100)
    sampled = permutation_test(x, y, seed=0)
    assert not sampled.exact
    # Standard error of a share of 100,000 is at most .0016.
    assert p_values(sampled) == pytest.approx(p_values(exact), abs=0.007)
    assert sampled.null.std() == pytest.approx(exact.null.std(), rel=0.03)


@pytest.mark.parametrize(("n_x", "n_y"), [(25, 25), (14, 9), (130, 130)])  # 260 are too many to be remembered
def test_sampled_is_right_where_the_answer_is_known(n_x: int, n_y: int) -> None:
    generator = np.random.default_rng(5)
    apart = permutation_test(generator.uniform(1, 2, n_x), generator.uniform(-1, 0, n_y), seed=0)
    # No drawn partition will be this extreme by chance (C(23, 9) = 817,190); the observed one is counted.
    assert apart.p_one_sided <= 3 / (SAMPLED_PARTITIONS + 1)
    assert apart.p_one_sided >= 1 / (SAMPLED_PARTITIONS + 1)
    same = permutation_test(np.ones(n_x), np.ones(n_y), seed=0)
    assert p_values(same) == (1.0, 1.0, 1.0)
    # One 1 among zeros stands in X in n_x of n partitions.
    single = permutation_test(np.eye(n_x)[-1], np.zeros(n_y), seed=0)
    assert single.p_one_sided == pytest.approx(n_x / (n_x + n_y), abs=0.007)


def test_drawn_partitions_keep_sizes_and_treat_all_members_alike() -> None:
    runs = permutation._draw(21, 8, seed=3)
    members = np.concatenate([np.unpackbits(run[None], axis=0) for run in runs]).astype(np.float32)
    assert (members.sum(axis=0) == 8).all()
    assert not members[21:].any()
    np.testing.assert_allclose(members[:21].mean(axis=1), 8 / 21, atol=0.007)
    # Two members are both taken with probability (8 · 7) / (21 · 20).
    together = (members[:21] @ members[:21].T) / SAMPLED_PARTITIONS
    np.testing.assert_allclose(together[~np.eye(21, dtype=bool)], 56 / 420, atol=0.006)


def test_same_seed_same_numbers() -> None:
    generator = np.random.default_rng(6)
    x, y = generator.normal(size=20), generator.normal(size=15)
    first = permutation_test(x, y, seed=0)
    permutation._remembered.cache_clear()
    again = permutation_test(x, y, seed=0)
    assert p_values(first) == p_values(again)
    np.testing.assert_array_equal(first.null, again.null)
    assert p_values(permutation_test(x, y, seed=1)) != p_values(first)


@pytest.mark.parametrize("n", [9, 20])
def test_null_for_the_picture(n: int) -> None:
    values = np.random.default_rng(n).normal(size=2 * n)
    test = permutation_test(values[:n], values[n:], seed=0)
    assert test.null.shape == (NULL_STATISTICS,)
    assert abs(test.null.mean()) < 0.05 * test.null.std()
    share = np.mean(test.null >= test.test_statistic)
    assert share == pytest.approx(test.p_one_sided, abs=0.02)  # standard error of a share of 10,000: .005


@pytest.mark.parametrize("n", [25, 9])
def test_memory_stays_under_200_mb(n: int) -> None:
    values = np.random.default_rng(0).normal(size=2 * n)
    permutation._remembered.cache_clear()
    tracemalloc.start()
    permutation_test(values[:n], values[n:], seed=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [([], [1.0], "at least 1"), ([1.0], [np.nan], "not finite"), ([[1.0]], [[2.0]], "n_x")],
)
def test_wrong_values_are_refused(x: object, y: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        permutation_test(x, y, seed=0)  # type: ignore[arg-type]
