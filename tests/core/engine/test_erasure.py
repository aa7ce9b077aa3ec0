"""LEACE against its closed form in numpy, and what it promises of the vectors it was fitted on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from core.engine.erasure import leace
from tests.support.erasure import erased

SHAPES = pytest.mark.parametrize(("first", "second", "width"), [(40, 30, 5), (7, 9, 32), (2, 2, 12), (60, 60, 60)])


def groups(first: int, second: int, width: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two groups of vectors of one covariance, unequal by direction, that lie apart along all coordinates."""
    generator = np.random.default_rng(seed)
    mixing = generator.normal(size=(width, width))
    near, far = (generator.normal(size=(n, width)) @ mixing + 3.0 for n in (first, second))
    return near, far + generator.normal(size=width)


@SHAPES
def test_it_is_the_closed_form(first: int, second: int, width: int) -> None:
    """r(x) = x − σ · σᵀΣ⁻¹(x − μ) / σᵀΣ⁻¹σ with σ the difference of the means and Σ the shrunk covariance."""
    one, other = groups(first, second, width)
    new = np.random.default_rng(1).normal(size=(8, width))
    eraser = leace(one, other)
    assert eraser.rank == 1
    for vectors in (one, other, new):
        assert eraser(vectors) == pytest.approx(erased(vectors, one, other), abs=1e-8)


def test_a_case_by_hand() -> None:
    """In the plane, ±1 and ±3 along y and the groups apart by 2 along x alone: x is gone, y stays.

    σ = (2, 0) and Σ is diagonal, shrunk or not, so r(x, y) = (mean of x, y).
    """
    one = np.array([[0.0, -3.0], [0.0, -1.0], [0.0, 1.0], [0.0, 3.0]])
    other = one + np.array([2.0, 0.0])
    assert leace(one, other)(np.array([[0.0, 3.0], [2.0, -1.0], [7.0, 5.0]])) == pytest.approx(
        np.array([[1.0, 3.0], [1.0, -1.0], [1.0, 5.0]])
    )


@SHAPES
def test_no_linear_classifier_finds_the_groups(first: int, second: int, width: int) -> None:
    """The means are one; least squares and logistic regression do no better than a constant, and before they did."""
    one, other = groups(first, second, width)
    side = np.repeat([0.0, 1.0], [first, second])
    eraser = leace(one, other)
    before, after = np.vstack([one, other]), np.vstack([eraser(one), eraser(other)])
    assert eraser(one).mean(axis=0) == pytest.approx(eraser(other).mean(axis=0), abs=1e-9)
    share = side.mean()
    constant = -(share * math.log(share) + (1 - share) * math.log(1 - share))
    assert logistic_loss(before, side) < constant - 0.05
    assert logistic_loss(after, side) == pytest.approx(constant, abs=1e-6)
    design = np.column_stack([after, np.ones(len(after))])
    assert design @ np.linalg.lstsq(design, side, rcond=1e-9)[0] == pytest.approx(np.full(len(side), share), abs=1e-6)


def logistic_loss(vectors: np.ndarray, side: np.ndarray) -> float:
    """The least mean log loss that a linear classifier reaches, slightly regularised so that there is one."""
    centred = vectors - vectors.mean(axis=0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        z = centred @ weights[1:] + weights[0]
        error = 1 / (1 + np.exp(-z)) - side
        value = float(np.mean(np.logaddexp(0, z) - side * z)) + 1e-6 * float(weights @ weights)
        return value, np.r_[error.mean(), centred.T @ error / len(side)] + 2e-6 * weights

    start = np.random.default_rng(2).normal(scale=0.1, size=vectors.shape[1] + 1)
    return float(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 5000, "ftol": 1e-14}).fun)


def test_twice_is_once_and_the_mean_of_all_stays() -> None:
    one, other = groups(30, 30, 6)
    eraser = leace(one, other)
    every = np.vstack([one, other])
    once = eraser(every)
    assert eraser(once) == pytest.approx(once, abs=1e-9)
    assert once.mean(axis=0) == pytest.approx(every.mean(axis=0), abs=1e-9)


def test_sides_order_and_scale_change_nothing() -> None:
    one, other = groups(12, 15, 8)
    new = np.random.default_rng(3).normal(size=(4, 8))
    expected = leace(one, other)(new)
    assert leace(other, one)(new) == pytest.approx(expected, abs=1e-9)
    assert leace(one[::-1], other[::-1])(new) == pytest.approx(expected, abs=1e-9)
    assert leace(one * 1000, other * 1000)(new * 1000) / 1000 == pytest.approx(expected, abs=1e-9)


def test_it_changes_less_than_leaving_out_the_difference_of_the_means() -> None:
    """The other affine map that makes the means equal: the orthogonal one, x without its part along σ."""
    one, other = groups(4000, 4000, 4)
    every = np.vstack([one, other])
    direction = other.mean(axis=0) - one.mean(axis=0)
    direction /= np.linalg.norm(direction)
    orthogonal = np.outer((every - every.mean(axis=0)) @ direction, direction)
    change = leace(one, other)(every) - every
    assert (change**2).sum() < 0.95 * (orthogonal**2).sum()


def test_groups_with_one_mean_leave_nothing_to_erase() -> None:
    one = np.array([[1.0, 0.0, 2.0], [-1.0, 0.0, 3.0], [0.0, 5.0, 1.0]])
    eraser = leace(one, one[::-1].copy())
    assert eraser.rank == 0
    assert eraser(one) == pytest.approx(one)
    assert leace(np.ones((3, 4)), np.ones((3, 4))).rank == 0  # such as [CLS] in the embedding layer


def test_one_vector_is_no_group() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        leace(np.ones((1, 3)), np.ones((5, 3)))
