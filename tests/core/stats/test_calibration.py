"""The temperature of logits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.stats.calibration import HIGHEST, mean_log_loss, temperature


def test_the_temperature_of_two_classes_by_hand() -> None:
    """Logits (2, 0) that are right in 3 of 4: P must be 3/4, so 2 / T = ln 3."""
    logits = np.array([[2.0, 0.0]] * 4)
    assert temperature(logits, np.array([0, 0, 0, 1])) == pytest.approx(2 / math.log(3), abs=1e-4)


def test_logits_that_say_nothing_are_cooled_down_as_far_as_it_goes() -> None:
    logits = np.array([[2.0, 0.0], [2.0, 0.0]])
    assert temperature(logits, np.array([0, 1])) == pytest.approx(HIGHEST, rel=1e-3)


def test_log_loss_by_hand() -> None:
    assert mean_log_loss(np.log([[0.5, 0.5], [0.2, 0.8]]), np.array([0, 1])) == pytest.approx(
        -(math.log(0.5) + math.log(0.8)) / 2
    )


def test_without_examples_there_is_nothing_to_fit() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        temperature(np.empty((0, 3)), np.empty(0, dtype=np.int64))
