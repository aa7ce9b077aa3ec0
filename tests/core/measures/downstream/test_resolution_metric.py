"""The scorer, with expected values worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.measures.downstream.resolution.metric import (
    Answers,
    difference,
    f1,
    from_logits,
    from_predictions,
    interval,
    scored,
)
from core.measures.downstream.resolution.result import ACCURACY, F1, LOG_LOSS, P_NEITHER
from core.sources.gap import Answer
from core.stats.correlation import spearman

A, B, NEITHER = 0, 1, 2
EVERY = np.ones(5, dtype=bool)
# Labels A, A, B, neither, B; said A, B, B, A, neither.
LABELS = np.array([A, A, B, NEITHER, B])
SAID = [A, B, B, A, NEITHER]


def decided(said: list[int | None]) -> Answers:
    found = {str(at): Answer(label == A, label == B) for at, label in enumerate(said) if label is not None}
    return from_predictions(found, [str(at) for at in range(len(said))])


def test_ten_decisions_by_hand() -> None:
    """Right: the 1st and 3rd document. Decisions: TP (1,A) (3,B); FP (2,B) (4,A); FN (2,A) (5,B)."""
    found = scored(decided(SAID), LABELS, always=False)
    assert found.counts.sum(axis=2).tolist() == [[2], [2], [2]]
    assert found.of(F1, EVERY).tolist() == [0.5]  # 2·2 / (2·2 + 2 + 2)
    assert found.of(ACCURACY, EVERY).tolist() == [0.4]


@pytest.mark.parametrize("always", [False, True])
def test_a_missing_answer_is_a_miss_where_the_label_is_true_or_always(always: bool) -> None:
    """The 1st (A) and the 4th (neither) have no answer: misses of the first (1,A); of all four decisions (official).

    Left are TP (3,B), FP (2,B), FN (2,A) and (5,B): with the missing ones FN is 3, or 2 + 4 = 6.
    """
    found = scored(decided([None, B, B, None, NEITHER]), LABELS, always=always)
    tp, fp, fn = (int(count) for count in found.counts.sum(axis=(1, 2)))
    assert (tp, fp, fn) == (1, 1, 2 + (4 if always else 1))
    assert found.of(F1, EVERY)[0] == pytest.approx(2 / (2 + 1 + fn))
    assert found.of(ACCURACY, EVERY).tolist() == [0.2]


def test_both_names_said_is_one_hit_and_one_false_alarm_and_never_right() -> None:
    found = scored(from_predictions({"x": Answer(True, True)}, ["x"]), np.array([A]), always=False)
    assert found.counts.ravel().tolist() == [1, 1, 0]
    assert found.of(ACCURACY, np.array([True])).tolist() == [0.0]


def test_log_loss_and_p_neither_are_means_over_those_answered() -> None:
    answers = from_predictions(
        {"x": Answer(True, False, (0.5, 0.25, 0.25)), "y": Answer(False, True, (0.0, 0.8, 0.2))}, ["x", "y", "z"]
    )
    found = scored(answers, np.array([A, A, B]), always=False)
    every = np.ones(3, dtype=bool)
    assert found.of(P_NEITHER, every)[0] == pytest.approx(0.225)
    assert found.of(LOG_LOSS, every)[0] == pytest.approx((math.log(2) - math.log(1e-15)) / 2)


def test_decisions_alone_have_no_probabilities() -> None:
    found = scored(decided(SAID), LABELS, always=False)
    assert np.isnan(found.of(P_NEITHER, EVERY)).all()
    assert np.isnan(interval(found, P_NEITHER, EVERY, seed=0)).all()


def test_a_temperature_changes_probabilities_and_no_decision() -> None:
    logits = np.array([[[2.0, 0.0, 0.0], [0.0, 1.0, 3.0]]])
    plain, cooled = (from_logits(logits, np.array([t])) for t in (1.0, 2.0))
    assert np.array_equal(plain.decisions, cooled.decisions)
    assert plain.decisions[0].tolist() == [[True, False], [False, False]]
    assert cooled.probabilities is not None
    assert cooled.probabilities[0, 0, 0] == pytest.approx(math.e / (math.e + 2))


def test_f1_of_nothing_is_zero_as_in_the_official_script() -> None:
    assert f1(np.zeros((3, 1), dtype=np.int64)).tolist() == [0.0]


def many(n: int, seed: int = 0) -> tuple[Answers, np.ndarray]:
    generator = np.random.default_rng(seed)
    logits = generator.normal(size=(2, n, 3))
    return from_logits(logits, np.ones(2)), generator.integers(3, size=n)


def test_exchanged_genders_turn_the_difference_and_invert_the_ratio() -> None:
    answers, labels = many(60)
    found = scored(answers, labels, always=False)
    women = np.arange(60) % 2 == 0
    for measure in (ACCURACY, F1, LOG_LOSS, P_NEITHER):
        first = difference(found, measure, women, ~women, seed=1)
        second = difference(found, measure, ~women, women, seed=1)
        assert first.difference == pytest.approx(-second.difference)
        if measure == F1:
            assert first.ratio == pytest.approx(1 / second.ratio)
        else:
            assert first.ci_low < first.difference < first.ci_high


def test_a_resolver_without_a_difference_has_p_one_and_ratio_one() -> None:
    answers, labels = many(12)
    twice = Answers(
        np.concatenate([answers.decisions] * 2, axis=1),
        np.ones(24, dtype=bool),
        None if answers.probabilities is None else np.concatenate([answers.probabilities] * 2, axis=1),
    )
    found = scored(twice, np.concatenate([labels, labels]), always=False)
    women = np.arange(24) < 12
    assert difference(found, P_NEITHER, women, ~women, seed=0).p == 1
    assert difference(found, F1, women, ~women, seed=0).ratio == pytest.approx(1)


def test_few_documents_have_a_value_and_no_interval() -> None:
    answers, labels = many(10)
    found = scored(answers, labels, always=False)
    women = np.arange(10) < 5
    for measure in (ACCURACY, F1, P_NEITHER):
        apart = difference(found, measure, women, ~women, seed=0)
        assert not np.isnan(apart.difference)
        assert np.isnan([apart.ci_low, apart.ci_high, apart.p]).all()


def test_the_interval_of_f1_is_that_of_its_own_bootstrap() -> None:
    """Against a loop that draws documents with numpy's own generator and counts anew."""
    answers, labels = many(80)
    found = scored(answers, labels, always=False)
    low, high = interval(found, F1, np.ones(80, dtype=bool), seed=0)
    generator = np.random.default_rng(5)
    values = []
    for _ in range(4000):
        counts = found.counts[..., generator.integers(80, size=80)].sum(axis=-1)
        values.append(np.mean([2 * tp / (2 * tp + fp + fn) for tp, fp, fn in counts.T]))
    assert (low, high) == pytest.approx(tuple(np.quantile(values, (0.025, 0.975))), abs=0.01)


def test_spearman_of_kurita_s_size_has_his_p() -> None:
    """r = .207 over n = 1,000 gives t = 6.68 and a two-sided p near 4e−11."""
    generator = np.random.default_rng(0)
    x, noise = np.arange(1000.0), generator.permutation(1000)
    low, high = 0.0, 1.0
    for _ in range(60):  # how much of x makes r = .207, by its textbook formula
        weight = (low + high) / 2
        ranks = np.argsort(np.argsort(weight * x + (1 - weight) * noise))
        r = 1 - 6 * ((x - ranks) ** 2).sum() / (1000 * (1000**2 - 1))
        low, high = (weight, high) if r < 0.207 else (low, weight)
    found = spearman(x, weight * x + (1 - weight) * noise, seed=0)
    assert found is not None
    assert found.r == pytest.approx(0.207, abs=0.0005)
    assert 2e-11 < found.p < 8e-11
    assert found.n == 1000
