"""A direction from pairs: by hand, by other decompositions of numpy, and what must not change it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from core.measures.association.direction.metric import (
    ALTERNATIVES,
    RESAMPLES,
    differ,
    direct_bias,
    direction,
    random_shares,
    resampled,
    units,
)

Vectors = NDArray[np.float64]


def drawn(pairs: int = 8, width: int = 12, words: int = 20, seed: int = 0) -> tuple[Vectors, Vectors, Vectors]:
    """Pairs that share a direction and noise, and words; of unit length."""
    generator = np.random.default_rng(seed)
    shared = generator.normal(size=width)
    middle, noise = generator.normal(size=(pairs, width)), generator.normal(scale=0.4, size=(2, pairs, width))
    first, second = middle + shared + noise[0], middle - shared + noise[1]
    return units(first), units(second), units(generator.normal(size=(words, width)))


def test_by_hand() -> None:
    """(.6, .8) − (−.6, .8) = (1.2, 0) and (1, 0) − (0, 1) = (1, −1).

    The matrix of their products, Dᵀ D = [[2.44, −1], [−1, 1]], has the eigenvalues 1.72 ± √(.72² + 1), so the share is
    (1.72 + 1.2322) / 3.44 = .8582, and its eigenvector is (1, −k) with 2.44 + k = 2.9522, k = .5122.
    """
    found = direction(np.array([[0.6, 0.8], [1.0, 0.0]]), np.array([[-0.6, 0.8], [0.0, 1.0]]))
    assert found is not None
    root = math.sqrt(0.72**2 + 1)
    assert found.shares == pytest.approx([(1.72 + root) / 3.44, (1.72 - root) / 3.44])
    k = 1.72 + root - 2.44
    assert found.vector == pytest.approx(np.array([1, -k]) / math.hypot(1, k))
    words = np.array([[1.0, 0.0], [0.0, 1.0]])
    projections = words @ found.vector
    assert projections == pytest.approx([0.8900, -0.4559], abs=5e-5)
    assert direct_bias(projections, 1) == pytest.approx((0.8900 + 0.4559) / 2, abs=5e-5)
    assert direct_bias(projections, 2) == pytest.approx(0.5)  # squares of a unit vector's parts sum to 1


def test_it_is_the_first_component_of_pairs_centred_at_their_middle() -> None:
    """Eigenvectors of the covariance of the 2n centred vectors, where the direction is made of the n differences."""
    first, second, _ = drawn()
    middle = (first + second) / 2
    centred = np.concatenate([first - middle, second - middle])
    assert centred.mean(axis=0) == pytest.approx(0)  # so that a PCA subtracts nothing more
    values, vectors = np.linalg.eigh(centred.T @ centred)
    found = direction(first, second)
    assert found is not None
    assert abs(found.vector @ vectors[:, -1]) == pytest.approx(1)
    assert found.shares == pytest.approx(values[::-1][: len(found.shares)] / values.sum(), abs=1e-12)
    assert ((first - second) @ found.vector).sum() > 0


def test_one_pair_gives_its_difference() -> None:
    first, second, _ = drawn(pairs=1)
    found = direction(first, second)
    assert found is not None
    assert found.vector == pytest.approx((first - second)[0] / np.linalg.norm(first - second))
    assert found.shares == pytest.approx([1])


def test_swapping_the_sides_flips_projections_and_leaves_direct_bias() -> None:
    first, second, words = drawn()
    there, back = direction(first, second), direction(second, first)
    assert there is not None
    assert back is not None
    assert back.vector == pytest.approx(-there.vector)
    assert back.shares == pytest.approx(there.shares)
    assert direct_bias(words @ back.vector, 1) == pytest.approx(direct_bias(words @ there.vector, 1))
    for way in ALTERNATIVES.values():
        one, other = way(first, second), way(second, first)
        assert one is not None
        assert other is not None
        assert other == pytest.approx(-one)
    two = (resampled(*sides, words, of, seed=1) for sides, of in (((first, second), there), ((second, first), back)))
    forward, backward = two
    assert backward.projections == pytest.approx(-forward.projections, abs=1e-9)
    assert backward.cosines == pytest.approx(forward.cosines, abs=1e-9)


def test_order_and_length_of_vectors_change_nothing() -> None:
    first, second, _ = drawn()
    found = direction(first, second)
    order = np.random.default_rng(3).permutation(len(first))
    lengths = np.random.default_rng(4).uniform(0.1, 10, size=(2, len(first), 1))
    other = direction(units(lengths[0] * first)[order], units(lengths[1] * second)[order])
    assert found is not None
    assert other is not None
    assert other.vector == pytest.approx(found.vector)
    assert other.shares == pytest.approx(found.shares)


def test_pairs_that_point_in_opposite_ways_have_no_side() -> None:
    first, second = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    assert direction(first, second) is None
    assert ALTERNATIVES["mean of the differences"](first, second) is None


def test_the_other_ways() -> None:
    """Each by the eigenvectors of a covariance; one pair leaves nothing once its own difference is subtracted."""
    first, second, _ = drawn()
    differences = first - second
    mean = ALTERNATIVES["mean of the differences"](first, second)
    assert mean is not None
    assert mean == pytest.approx(differences.mean(axis=0) / np.linalg.norm(differences.mean(axis=0)))
    every = np.concatenate([first, second])
    for name, rows in (
        ("PCA of the words, centred together", every),
        ("PCA of the differences, centred at their mean", differences),
    ):
        found = ALTERNATIVES[name](first, second)
        assert found is not None
        assert abs(found @ np.linalg.eigh(np.cov(rows.T))[1][:, -1]) == pytest.approx(1)
        assert (differences @ found).sum() > 0
    assert ALTERNATIVES["PCA of the differences, centred at their mean"](first[:1], second[:1]) is None


def test_resampled_directions_are_those_of_the_resampled_pairs() -> None:
    """The same draws, one by one by the singular vectors of the drawn differences."""
    first, second, words = drawn(pairs=6, words=5)
    found = direction(first, second)
    assert found is not None
    sample = resampled(first, second, words, found, seed=7)
    rows = np.random.default_rng(7).integers(6, size=(RESAMPLES, 6))
    assert len(sample.cosines) == RESAMPLES
    for at in (0, 1, 17, 999):
        again = direction(first[rows[at]], second[rows[at]])
        assert again is not None
        assert sample.cosines[at] == pytest.approx(again.vector @ found.vector)
        assert sample.projections[at] == pytest.approx(words @ again.vector, abs=1e-9)
    assert sample.cosines.max() <= 1 + 1e-9


def test_pairs_with_one_difference_leave_nothing_open() -> None:
    middle = units(np.random.default_rng(2).normal(size=(7, 5))) * 0.1
    step = np.array([0.3, 0.0, 0.1, 0.0, 0.0])
    first, second = middle + step, middle - step
    found = direction(first, second)
    assert found is not None
    assert found.shares[0] == pytest.approx(1)
    sample = resampled(first, second, units(middle), found, seed=0)
    assert sample.cosines == pytest.approx(np.ones(RESAMPLES))


def test_many_pairs_are_resampled_in_blocks() -> None:
    first, second, words = drawn(pairs=80, width=30, words=3)
    found = direction(first, second)
    assert found is not None
    whole = resampled(first, second, words, found, seed=1)
    assert whole.projections.shape == (RESAMPLES, 3)
    rows = np.random.default_rng(1).integers(80, size=(RESAMPLES, 80))
    again = direction(first[rows[-1]], second[rows[-1]])
    assert again is not None
    assert whole.cosines[-1] == pytest.approx(again.vector @ found.vector)


def test_random_pairs_explain_less_than_pairs_that_share_something() -> None:
    """Words on two axes at right angles only: every difference of two lies in their plane, in 2 components."""
    first, second, words = drawn(pairs=8, words=40)
    found = direction(first, second)
    random = random_shares(words, 8, seed=0)
    assert found is not None
    assert random is not None
    assert random.sum() == pytest.approx(1)
    assert random[0] < found.shares[0] - 0.1
    flat = units(np.column_stack([np.random.default_rng(0).normal(size=(20, 2)), np.zeros((20, 3))]))
    shares = random_shares(flat, 4, seed=0)
    assert shares is not None
    assert shares[:2].sum() == pytest.approx(1)
    assert random_shares(words, 21, seed=0) is None  # 42 words are needed, 40 are there


def test_a_difference_beyond_rounding() -> None:
    one = units(np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]))
    other = units(np.array([[1.0, 2.0, 3.0 + 1e-7], [1.0, 2.0, 3.1]]))
    assert differ(one, other).tolist() == [False, True]
    with pytest.raises(ValueError, match="no direction"):
        units(np.zeros((1, 3)))
