"""The share of pairs by hand, and the stored CrowS-Pairs scores of two models."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.measures.benchmarks.metric import Preference, preference
from core.stats.proportions import wilson
from tests.support.reference import table


def test_by_hand() -> None:
    first, second = np.array([-1.0, -2.0, -3.0, -4.0, 0.0, 1.0]), np.array([-2.0, -2.0, -1.0, -5.0, -1.0, 2.0])
    found = preference(first, second)
    assert (found.percent, found.n, found.ties) == (50.0, 6, 1)  # three of six, a tie among them
    interval = wilson(3, 6)
    assert (found.ci_low, found.ci_high) == (100 * float(interval.low), 100 * float(interval.high))
    assert found.ci_low + found.ci_high == pytest.approx(100)


def test_five_pairs_have_a_value_and_no_interval() -> None:
    found = preference(np.arange(5.0), np.full(5, 1.5))
    assert (found.percent, found.n) == (60.0, 5)  # 2, 3 and 4 are above 1.5
    assert np.isnan([found.ci_low, found.ci_high]).all()


def test_the_other_way_round_is_what_is_left_but_for_ties() -> None:
    first, second = np.random.default_rng(0).integers(4, size=(2, 60)).astype(np.float64)
    one, other = preference(first, second), preference(second, first)
    assert one.ties == other.ties > 0
    assert one.percent + other.percent + 100 * one.ties / 60 == pytest.approx(100)


def test_one_side_always_and_improbable_sentences() -> None:
    found = preference(np.arange(6.0), np.full(6, -math.inf))
    assert (found.percent, found.ci_high, found.ties) == (100.0, 100.0, 0)


def test_what_is_refused() -> None:
    for first, second in ((np.zeros(0), np.zeros(0)), (np.zeros(2), np.zeros(3)), (np.zeros((2, 2)), np.zeros((2, 2)))):
        with pytest.raises(ValueError, match="1 pair or more"):
            preference(first, second)
    with pytest.raises(ValueError, match="not a number"):
        preference(np.array([math.nan]), np.array([1.0]))


def _stored(model: str, column: str = "", value: str = "") -> Preference:
    rows = table("crows_pairs_differences")
    if column:
        rows = rows[rows[column] == value]
    difference = rows[model].to_numpy(dtype=np.float64)
    return preference(difference, np.zeros(len(difference)))


@pytest.mark.parametrize(
    ("model", "direction", "percent"),
    [
        ("bert", "", 60.48),
        ("bert", "stereo", 61.09),
        ("bert", "antistereo", 56.88),
        ("roberta", "", 65.45),
        ("roberta", "stereo", 66.74),  # 861 of 1,290; the summary's 66.8 leaves the tie out of n: 861 of 1,289
        ("roberta", "antistereo", 57.8),
    ],
)
def test_stored_scores_of_crows_pairs(model: str, direction: str, percent: float) -> None:
    found = _stored(model, "direction" if direction else "", direction)
    assert found.percent == pytest.approx(percent, abs=0.005)
    assert found.ci_low < found.percent < found.ci_high
    if not direction:
        assert found.n == 1508


def test_stored_scores_by_type_and_their_ties() -> None:
    assert _stored("bert").n == 1508
    by_type = list(table("crows_pairs_by_type").itertuples(index=False))
    assert len(by_type) == 9
    for bias_type, n, percent in by_type:
        found = _stored("bert", "bias_type", bias_type)
        assert (found.n, found.percent) == (n, pytest.approx(percent, abs=0.005)), bias_type
    assert (_stored("bert").ties, _stored("roberta").ties) == (0, 1)
