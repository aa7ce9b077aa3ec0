"""The signed-rank and rank-sum tests: ranks by hand, the paper's numbers, and a second implementation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import rankdata, wilcoxon

from core.stats.rank_tests import normal_approximation, rank_sum, signed_rank


def test_the_papers_rank_sum() -> None:
    z, r = normal_approximation(359_188, 900)
    assert z == pytest.approx(20.0575, abs=5e-5)
    assert r == pytest.approx(0.4728, abs=5e-5)


def test_four_differences_by_hand() -> None:
    # 0 is dropped. Sizes 1, 2, 3, 4 have those ranks; positive are 1, 3, 4: W = 8 of a mean 5, variance 4·5·9/24.
    found = signed_rank([1.0, -2.0, 3.0, 0.0, 4.0], normal=True)
    assert found is not None
    assert (found.w, found.n, found.exact) == (8.0, 4, False)
    assert found.z == pytest.approx(3 / math.sqrt(7.5))
    assert found.r == pytest.approx(3 / math.sqrt(7.5) / math.sqrt(8))
    assert found.p == pytest.approx(math.erfc(3 / math.sqrt(7.5) / math.sqrt(2)))
    assert found.median_difference == 1.0  # of all five


@pytest.mark.parametrize(("n", "p"), [(3, 0.25), (5, 0.0625), (6, 0.03125)])
def test_all_positive_is_exact(n: int, p: float) -> None:
    """Of the 2^n ways to set the signs two reach the largest rank sum on either side: 2 / 2^n."""
    found = signed_rank(np.arange(1.0, n + 1))
    assert found is not None
    assert (found.exact, found.p) == (True, pytest.approx(p, rel=1e-12))
    assert p == 2 / 2**n
    normal = signed_rank(np.arange(1.0, n + 1), normal=True)
    assert normal is not None
    assert (normal.w, normal.z, normal.r, normal.n) == (found.w, found.z, found.r, found.n)
    if n == 5:
        assert normal.p == pytest.approx(0.0431, abs=5e-5)


@pytest.mark.parametrize(
    "values", [(1.5, -0.5, 2.0, 3.5, -1.0, 4.0, 2.5, -3.0), (1.0, -1.0, 2.0, 2.0, 2.0, -3.0, 4.0, 4.0, 5.0)]
)
def test_exact_by_every_way_to_set_the_signs(values: tuple[float, ...]) -> None:
    """By brute force, tied sizes included: the share of sign patterns whose rank sum lies as far from its mean."""
    ranks = rankdata(np.abs(values))
    sums = [float(ranks @ np.array(signs)) for signs in itertools.product((0, 1), repeat=len(values))]
    middle = ranks.sum() / 2
    observed = abs(float(ranks[np.array(values) > 0].sum()) - middle)
    found = signed_rank(values)
    assert found is not None
    assert found.exact
    assert found.p == pytest.approx(np.mean([abs(item - middle) >= observed - 1e-9 for item in sums]), rel=1e-9)


def test_where_p_is_no_longer_exact() -> None:
    draw = np.random.default_rng(0).normal(0.2, 1, 51)
    tied = np.array([0.5] * 7 + [-0.5] * 3 + [1.0] * 4)
    for values, exact in ((draw[:50], True), (draw, False), (tied[:13], True), (tied, False)):
        found = signed_rank(values)
        assert found is not None
        assert found.exact is exact


def test_tied_sizes_share_their_rank() -> None:
    found = signed_rank([1.0, 1.0, -1.0, 2.0])  # ranks 2, 2, 2 and 4
    assert found is not None
    assert found.w == 8.0


def test_other_signs_give_the_other_direction() -> None:
    values = np.random.default_rng(5).normal(0.3, 1, 80)
    one, other = signed_rank(values), signed_rank(-values)
    assert one is not None
    assert other is not None
    assert one.w + other.w == 80 * 81 / 2
    assert one.z == pytest.approx(-other.z)
    assert (one.r, one.p) == pytest.approx((other.r, other.p))
    assert one.median_difference == -other.median_difference


def test_scipy_agrees() -> None:
    values = np.random.default_rng(1).normal(0.2, 1, 60)
    found = signed_rank(values)
    theirs = wilcoxon(values, correction=False, method="approx", alternative="two-sided")
    assert found is not None
    assert found.p == pytest.approx(float(theirs.pvalue), rel=1e-9)


def test_nothing_but_zeros_has_no_test() -> None:
    assert signed_rank([0.0, 0.0]) is None


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [[1.0]]])
def test_what_is_no_list_of_differences_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite differences"):
        signed_rank(values)


def test_a_rank_sum_by_hand() -> None:
    """1, 2, 4 against 3, 5, 6: of nine pairs the first is higher in (4, 3) alone, so U = 1.

    Of the 20 ways to choose three of six ranks, sums of U 0 and 1 are one each; twice 2 / 20.
    """
    found = rank_sum([1.0, 2.0, 4.0], [3.0, 5.0, 6.0])
    assert (found.u, found.p) == (1.0, pytest.approx(0.2))
    other = rank_sum([3.0, 5.0, 6.0], [1.0, 2.0, 4.0])
    assert (other.u, other.p) == (8.0, pytest.approx(0.2))


def test_a_rank_sum_counts_every_choice_of_ranks() -> None:
    first, second = np.array([0.3, 1.2, 2.0, 5.0, 6.5, 7.0]), np.array([0.1, 0.2, 1.0, 1.5, 3.0, 4.0, 8.0])
    pooled = np.concatenate([first, second])
    middle = len(first) * len(second) / 2

    def u(chosen: tuple[int, ...]) -> float:
        rest = np.delete(pooled, chosen)
        return sum(float(pooled[place] > other) for place in chosen for other in rest)

    observed = u(tuple(range(len(first))))
    reached = [
        abs(u(chosen) - middle) >= abs(observed - middle)
        for chosen in itertools.combinations(range(len(pooled)), len(first))
    ]
    found = rank_sum(first, second)
    assert (found.u, found.p) == (observed, pytest.approx(np.mean(reached)))


@pytest.mark.parametrize("samples", [([], [1.0]), ([1.0], []), ([1.0, np.nan], [2.0]), ([[1.0]], [2.0])])
def test_a_rank_sum_of_what_is_no_sample_is_refused(samples: tuple[list[float], list[float]]) -> None:
    with pytest.raises(ValueError, match="two samples"):
        rank_sum(*samples)
