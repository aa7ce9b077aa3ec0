"""Kendall's W by hand; the bootstrap of an order by enumeration and by a plain loop."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import friedmanchisquare

from core.stats.ranks import kendall_w, order_stability

FloatArray = NDArray[np.float64]


def test_w_by_hand() -> None:
    # Rank sums 4, 6, 8, 12 about 7.5: S = 12.25 + 2.25 + .25 + 20.25 = 35; W = 12 · 35 / (9 · 60).
    assert kendall_w([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4]]) == pytest.approx(420 / 540)


def test_w_with_ties_by_hand() -> None:
    # Ranks 1, 2, 3, 4 and 1.5, 1.5, 3, 4: sums 2.5, 3.5, 6, 8 about 5, S = 18.5; T = 2³ − 2 = 6.
    assert kendall_w([[10, 20, 30, 40], [0, 0, 7, 9]]) == pytest.approx(12 * 18.5 / (4 * 60 - 2 * 6))


def test_w_is_friedmans_statistic() -> None:
    """χ² = raters · (items − 1) · W, ties corrected on both sides."""
    values = np.random.default_rng(0).integers(4, size=(7, 5)).astype(np.float64)
    w = kendall_w(values)
    assert w is not None
    assert 7 * 4 * w == pytest.approx(friedmanchisquare(*values.T).statistic)
    assert kendall_w(np.exp(values)) == pytest.approx(w)  # ranks alone count
    assert kendall_w(-values) == pytest.approx(w)


def test_w_at_its_ends() -> None:
    assert kendall_w([[3.0, 1, 2]] * 4) == pytest.approx(1)
    assert kendall_w([[5.0, 5, 2]] * 4) == pytest.approx(1)  # with ties too
    assert kendall_w([[1.0, 2, 3], [3, 2, 1]]) == pytest.approx(0)


@pytest.mark.parametrize("values", [[[1.0, 2.0]], [[1.0], [2.0]], [[1.0, 1.0], [2.0, 2.0]]])
def test_w_is_undefined(values: list[list[float]]) -> None:
    assert kendall_w(values) is None


def test_one_rater_who_ties_all_leaves_w() -> None:
    # Ranks 1, 2, 3 and 2, 2, 2: sums 3, 4, 5, S = 2; T = 24: W = 24 / (4 · 24 − 2 · 24) = .5.
    assert kendall_w([[1.0, 2, 3], [0, 0, 0]]) == pytest.approx(0.5)


def test_rows_that_are_alike_keep_their_order() -> None:
    found = order_stability([[0.1, 0.7, -0.2, 0.1]] * 5, seed=0)
    assert found.order == (1, 0, 3, 2)
    assert (found.kept, found.flips) == (1.0, 0.0)


def test_two_opposite_rows() -> None:
    # Means 1.5 and .5. Only the second row drawn twice, in a quarter of resamples, turns the pair round.
    found = order_stability([[3, 0], [0, 1]], seed=0)
    assert found.order == (0, 1)
    assert found.kept == pytest.approx(0.75, abs=0.05)  # standard error .014
    assert found.flips == pytest.approx(1 - found.kept)


def test_ties_are_half_a_flip() -> None:
    # Tied in all: half of the draws hold both rows and are as tied, the others stand apart, half a flip each.
    found = order_stability([[1, 0], [0, 1]], seed=1)
    assert found.order == (0, 1)
    assert found.kept == pytest.approx(0.5, abs=0.06)  # standard error .016
    assert found.flips == pytest.approx((1 - found.kept) / 2)
    # Apart in all, tied where (3, 0) is not drawn: half a flip.
    apart = order_stability([[3, 0], [1, 1]], seed=1)
    assert apart.kept == pytest.approx(0.75, abs=0.05)
    assert apart.flips == pytest.approx((1 - apart.kept) / 2)


def _way(apart: float) -> int:
    return 0 if abs(apart) < 1e-9 else int(math.copysign(1, apart))


def _away(means: FloatArray, of_all: FloatArray) -> list[float]:
    return [
        abs(_way(means[a] - means[b]) - _way(of_all[a] - of_all[b])) / 2
        for a, b in itertools.combinations(range(len(means)), 2)
    ]


def test_equals_a_plain_loop_over_the_same_draws() -> None:
    values = np.random.default_rng(2).integers(5, size=(6, 4)).astype(np.float64)  # small integers: many ties
    drawn = np.random.default_rng(9).integers(6, size=(200, 6))
    every = [_away(np.mean([values[row] for row in rows], axis=0), values.mean(axis=0)) for rows in drawn]
    found = order_stability(values, seed=9, resamples=200)
    assert found.kept == pytest.approx(np.mean([sum(entry) == 0 for entry in every]))
    assert found.flips == pytest.approx(np.mean(every))
    assert 0 < found.kept < 1


def test_comes_near_all_resamples_there_are() -> None:
    values = np.array([[0.9, 0.5, 0.1], [0.2, 0.6, 0.3], [0.8, 0.3, 0.4]])
    every = [
        _away(values[list(rows)].mean(axis=0), values.mean(axis=0)) for rows in itertools.product(range(3), repeat=3)
    ]
    found = order_stability(values, seed=3, resamples=4000)
    assert found.kept == pytest.approx(np.mean([sum(entry) == 0 for entry in every]), abs=0.04)  # standard error .008
    assert found.flips == pytest.approx(np.mean(every), abs=0.03)
    assert found == order_stability(values, seed=3, resamples=4000)


def test_rounding_is_no_order() -> None:
    # Both means of .1, .2, .3, but added up in another order.
    values = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    tied = [rows for rows in itertools.product(range(3), repeat=3) if sum(rows) == 3]
    found = order_stability(values, seed=4, resamples=4000)
    assert found.kept == pytest.approx(len(tied) / 27, abs=0.04)


def test_turning_the_scale_round_turns_the_order_round() -> None:
    values = np.random.default_rng(5).normal(size=(7, 5))
    found, mirrored = order_stability(values, seed=0), order_stability(-values, seed=0)
    assert mirrored.order == found.order[::-1]
    assert (mirrored.kept, mirrored.flips) == (found.kept, found.flips)


@pytest.mark.parametrize("values", [[[1.0, 2.0]], [[1.0], [2.0]]])
def test_an_order_needs_two_templates_and_items(values: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="at least 2 of each"):
        order_stability(values, seed=0)


def test_values_must_be_finite() -> None:
    with pytest.raises(ValueError, match="finite values in two dimensions"):
        kendall_w([[1.0, math.nan], [1.0, 2.0]])
    with pytest.raises(ValueError, match="finite values in two dimensions"):
        order_stability([1.0, 2.0], seed=0)
