"""Logistic regression against what is known of its minimum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, softmax

from core.stats.logistic import fit_logistic


def test_two_points_have_the_weight_that_a_search_of_one_number_finds() -> None:
    """Features ±1, one a class, penalty 1: weights are (−w, w), and the loss 2 ln(1 + e^(−2w)) + w² of one number."""
    fitted = fit_logistic(np.array([[-1.0], [1.0]]), np.array([0, 1]), classes=2)
    assert fitted is not None
    low, high = 0.0, 5.0
    for _ in range(60):  # derivative: −4 σ(−2w) + 2w
        middle = (low + high) / 2
        low, high = (middle, high) if 2 * middle < 4 * expit(-2 * middle) else (low, middle)
    assert fitted.weights[0].tolist() == pytest.approx([-low, low], abs=1e-5)
    assert fitted.biases.tolist() == pytest.approx([0, 0], abs=1e-5)


def test_at_the_minimum_the_gradient_is_zero_and_the_scale_of_a_feature_is_nothing() -> None:
    generator = np.random.default_rng(0)
    features, labels = generator.normal(size=(60, 5)), generator.integers(3, size=60)
    one = fit_logistic(features, labels, classes=3)
    other = fit_logistic(features * [1, 10, 100, 1, 1] + 7, labels, classes=3)
    assert one is not None
    assert other is not None
    assert one.converged
    assert one.logits(features) == pytest.approx(other.logits(features * [1, 10, 100, 1, 1] + 7), abs=1e-3)
    inputs = (features - features.mean(axis=0)) / features.std(axis=0)
    apart = softmax(one.logits(features), axis=1) - np.eye(3)[labels]
    assert np.abs(inputs.T @ apart + one.weights).max() < 1e-3
    assert np.abs(apart.sum(axis=0)).max() < 1e-3


def test_a_feature_that_does_not_vary_and_a_cancelled_fit() -> None:
    features, labels = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([0, 1, 1])
    fitted = fit_logistic(features, labels, classes=2)
    assert fitted is not None
    assert np.isfinite(fitted.logits(features)).all()
    assert fit_logistic(features, labels, classes=2, cancelled=lambda: True) is None
    with pytest.raises(ValueError, match="No examples"):
        fit_logistic(np.empty((0, 2)), np.empty(0, dtype=np.int64), classes=2)


def test_a_feature_that_varies_by_rounding_alone_tells_nothing() -> None:
    """It is the label itself, 16 digits down: standardised it would decide; as a constant the answer is the share."""
    label = np.array([0, 1, 1, 1])
    fitted = fit_logistic(np.column_stack([label * 1e-16, np.full(4, 5.0)]), label, classes=2)
    assert fitted is not None
    assert softmax(fitted.logits(np.array([[0.0, 5.0], [1e-16, 5.0]])), axis=1)[:, 1] == pytest.approx(0.75, abs=1e-5)
