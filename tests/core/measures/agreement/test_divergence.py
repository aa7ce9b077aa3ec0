"""Kullback–Leibler divergence by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import entropy

from core.measures.agreement.metric import among, contributions, kl

P, Q = np.log([0.5, 0.3, 0.2]), np.log([0.25, 0.25, 0.5])


def test_worked_by_hand() -> None:
    # .5 ln 2 + .3 ln 1.2 + .2 ln .4 = .3466 + .0547 − .1833
    assert kl(P, Q) == pytest.approx(0.2180, abs=5e-5)
    np.testing.assert_allclose(contributions(P, Q), [0.3466, 0.0547, -0.1833], atol=5e-5)


def test_invariants() -> None:
    generator = np.random.default_rng(0)
    p, q = generator.dirichlet(np.ones(50), size=2)
    assert kl(np.log(p), np.log(q)) == pytest.approx(entropy(p, q))
    assert kl(np.log(p), np.log(q)) != pytest.approx(kl(np.log(q), np.log(p)))
    assert kl(np.log(p), np.log(p)) == 0
    mixed = generator.permutation(50)
    assert kl(np.log(p)[mixed], np.log(q)[mixed]) == pytest.approx(kl(np.log(p), np.log(q)))


def test_vectors_are_taken_as_they_are() -> None:
    # .25 ln (.25 / .5) + .25 ln 1: not renormalised to .5, .5 against .5, .25
    assert kl(np.log([0.25, 0.25]), np.log([0.5, 0.25])) == pytest.approx(-0.25 * math.log(2))


def test_half_of_single_precision_is_not_lost() -> None:
    single = np.log([0.5, 0.3, 0.2]).astype(np.float32), np.log([0.25, 0.25, 0.5]).astype(np.float32)
    assert contributions(*single).dtype == np.float64
    assert kl(*single) == pytest.approx(kl(P, Q), abs=1e-6)


def test_a_probability_of_0() -> None:
    nothing = np.array([-math.inf, math.log(0.6), math.log(0.4)])
    # 0 + .6 ln (.6 / .25) + .4 ln (.4 / .5)
    assert kl(nothing, Q) == pytest.approx(0.6 * math.log(2.4) + 0.4 * math.log(0.8))
    assert contributions(nothing, Q)[0] == 0
    assert kl(nothing, nothing) == 0
    with pytest.raises(ValueError, match="would be infinite"):
        kl(Q, nothing)


def test_the_gendered_words_alone() -> None:
    chosen = among(P, [2, 0])
    np.testing.assert_allclose(np.exp(chosen), [2 / 7, 5 / 7])  # in the order asked
    assert np.exp(among(np.log(np.full(9, 1 / 9)), [1, 2, 3, 4])).sum() == pytest.approx(1)
    # Far too small to be told apart from 0 as probabilities.
    np.testing.assert_allclose(among(np.array([-2000.0, -2000.0, 0.0]), [0, 1]), np.log([0.5, 0.5]))
    # .5, .3 → 5/8, 3/8 against 1/2, 1/2
    by_hand = 5 / 8 * math.log(5 / 4) + 3 / 8 * math.log(3 / 4)
    assert kl(among(P, [0, 1]), among(Q, [0, 1])) == pytest.approx(by_hand)


def test_what_is_refused() -> None:
    for p, q in ((P, Q[:2]), (np.zeros(0), np.zeros(0)), (np.zeros((2, 2)), np.zeros((2, 2)))):
        with pytest.raises(ValueError, match="one shape"):
            kl(p, q)
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match="NaN or"):
            kl(np.array([wrong, 0.0, 0.0]), Q)
    with pytest.raises(ValueError, match="2 entries, 1 of them different"):
        among(P, [1, 1])
    with pytest.raises(ValueError, match="0 entries"):
        among(P, [])
    with pytest.raises(ValueError, match="no probability to share out"):
        among(np.array([-math.inf, 0.0]), [0])
