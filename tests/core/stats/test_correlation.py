"""Correlations and the line, by hand on four points and by another way on more."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import rankdata

from core.stats.correlation import is_constant, pearson, regression, spearman
from core.stats.resampling import RESAMPLES

X, Y = [1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 5.0]  # Sxy = 5.5, Sxx = 5, Syy = 8.75


def test_pearson_by_hand() -> None:
    found = pearson(X, Y)
    assert found is not None
    r = 5.5 / math.sqrt(5 * 8.75)
    assert found.r == pytest.approx(r)
    # Fisher: ± 1.96 / √(4 − 3) around atanh r.
    assert (found.ci_low, found.ci_high) == pytest.approx(
        (math.tanh(math.atanh(r) - 1.959964), math.tanh(math.atanh(r) + 1.959964)), abs=1e-6
    )
    assert found.n == 4
    # t = r √(2 / (1 − r²)) with 2 degrees of freedom, whose two-sided p is 1 − t / √(2 + t²).
    t = r * math.sqrt(2 / (1 - r * r))
    assert found.p == pytest.approx(1 - t / math.sqrt(2 + t * t))


def test_spearman_by_hand() -> None:
    found = spearman(X, Y, seed=0)
    assert found is not None
    assert found.r == pytest.approx(1 - 6 * 2 / (4 * 15))  # rank differences 0, 1, 1, 0


def test_spearmans_interval_is_that_of_a_plain_loop() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=12)
    y = x + draw.normal(size=12)
    drawn = np.random.default_rng(7).integers(12, size=(RESAMPLES, 12))
    plain = [np.corrcoef(rankdata(x[rows]), rankdata(y[rows]))[0, 1] for rows in drawn]
    found = spearman(x, y, seed=7)
    assert found is not None
    assert (found.ci_low, found.ci_high) == pytest.approx(tuple(np.quantile(plain, (0.025, 0.975))), abs=1e-9)


def test_a_correlation_has_a_sign_and_no_sides() -> None:
    draw = np.random.default_rng(3)
    x, y = draw.normal(size=30), draw.normal(size=30)
    for item, mirrored, swapped in (
        (pearson(x, y), pearson(x, -y), pearson(y, x)),
        (spearman(x, y, seed=1), spearman(x, -y, seed=1), spearman(y, x, seed=1)),
    ):
        assert item is not None
        assert mirrored is not None
        assert swapped is not None
        assert mirrored.r == pytest.approx(-item.r)
        assert (mirrored.ci_low, mirrored.ci_high) == pytest.approx((-item.ci_high, -item.ci_low))
        assert swapped.r == pytest.approx(item.r)


def test_the_line_and_its_band_by_hand() -> None:
    line = regression(X, Y)
    assert line is not None
    assert (line.slope, line.intercept) == pytest.approx((1.1, 0.0), abs=1e-12)
    assert line.at([10.0]) == pytest.approx([11.0])
    # Residuals −.1, .8, −1.3, .6: 2.7 over 2 degrees of freedom, whose 97.5 % quantile is 4.302653.
    low, high = line.band([2.5, 4.0])
    halves = [4.302653 * math.sqrt(1.35) * math.sqrt(0.25 + away**2 / 5) for away in (0.0, 1.5)]
    assert (high - low) / 2 == pytest.approx(halves, rel=1e-6)
    assert (high + low) / 2 == pytest.approx([2.75, 4.4])


@pytest.mark.parametrize(
    ("x", "y"), [([1, 2, 3], [1, 2, 3]), ([1, 1, 1, 1], [1, 2, 3, 4]), ([1, 2, 3, 4], [5, 5, 5, 5])]
)
def test_too_few_points_or_no_variation_have_no_correlation(x: list[float], y: list[float]) -> None:
    assert pearson(x, y) is None
    assert spearman(x, y, seed=0) is None


def test_a_line_needs_points_that_lie_apart() -> None:
    assert regression([1, 2, 3], [1, 2, 3]) is None
    assert regression([2, 2, 2, 2], [1, 2, 3, 4]) is None
    assert regression([1, 2, 3, 4], [5, 5, 5, 5]) is not None


def test_rounding_is_no_variation() -> None:
    assert is_constant([0.3, 0.1 + 0.2])
    assert not is_constant([0.3, 0.3001])


def test_points_must_be_finite_and_paired() -> None:
    with pytest.raises(ValueError, match="not finite"):
        pearson([1, 2, 3, math.nan], X)
    with pytest.raises(ValueError, match="one length"):
        pearson([1, 2, 3], X)
