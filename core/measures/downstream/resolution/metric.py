"""The scorer of pronoun resolution: answers and labels in, numbers out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from ....sources.gap import LABELS, NEITHER, Answer
from ....stats.permutation import permutation_test
from ....stats.resampling import bootstrap_interval, bootstrap_mean_interval
from ....stats.samples import is_enough
from .result import ACCURACY, F1, LOG_LOSS, P_NEITHER

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]
Counts = NDArray[np.int16]  # [kind, network, …, document]

LEAST_P = 1e-15  # in a log loss, as Kaggle's: a file of predictions may hold a 0
_NAMES = 2  # A and B


@dataclass(frozen=True, eq=False)
class Answers:
    """What a resolver said: ``decisions`` [network, document, name], whether the pronoun refers to A and to B.

    ``answered`` [document] is False where it said nothing. ``probabilities`` [network, document, class] of A, B and
    neither, None where there are only decisions.
    """

    decisions: NDArray[np.bool_]
    answered: Mask
    probabilities: FloatArray | None


@dataclass(frozen=True, eq=False)
class Scored:
    """Every document's part in the scores of a resolver, by network.

    ``counts`` int16 [kind, network, document] of decisions that are true positives, false positives and false
    negatives. ``values`` has [network, document] of accuracy (1 for the right class), log loss (nats) and P(neither);
    the last two are absent without probabilities, and NaN for a document without an answer.
    """

    counts: Counts
    values: Mapping[str, FloatArray]

    def of(self, measure: str, mask: Mask) -> FloatArray:
        """[network] values of a measure over the documents of ``mask``; NaN where there is none."""
        if measure == F1:
            return f1(self.counts[..., mask].sum(axis=-1))
        known = self.values[measure][:, mask] if measure in self.values else np.empty((1, 0))
        known = known[:, ~np.isnan(known).any(axis=0)]
        means: FloatArray = known.mean(axis=1) if known.size else np.full(len(known), np.nan)
        return means

    def by_document(self, measure: str, mask: Mask) -> FloatArray:
        """[document] of ``mask``: the mean over the networks, without documents that have none."""
        if measure not in self.values:
            return np.empty(0)
        means: FloatArray = self.values[measure][:, mask].mean(axis=0)
        return means[~np.isnan(means)]


def from_logits(logits: FloatArray, temperatures: FloatArray) -> Answers:
    """The answers of networks from logits [network, document, class], divided by each network's temperature [network].

    The likeliest class is the decision, which no temperature changes.
    """
    classes = logits.argmax(axis=2)
    decisions = np.stack([classes == name for name in range(_NAMES)], axis=2)
    probabilities = np.exp(log_softmax(logits / temperatures[:, None, None], axis=2))
    return Answers(decisions, np.ones(logits.shape[1], dtype=bool), probabilities)


def from_predictions(found: Mapping[str, Answer], ids: Sequence[str]) -> Answers:
    """The answers of a file of predictions on the documents of these ids, as those of one network.

    Probabilities are kept where every answer has them.
    """
    answers = [found.get(of) for of in ids]
    decisions = np.array([(False, False) if answer is None else (answer.a, answer.b) for answer in answers], dtype=bool)
    given = [answer.probabilities for answer in answers if answer is not None]
    probabilities = None
    if given and all(item is not None for item in given):
        missing = (np.nan,) * len(LABELS)
        probabilities = np.array([[missing if answer is None else answer.probabilities for answer in answers]], float)
    return Answers(
        decisions.reshape(1, len(ids), _NAMES), np.array([answer is not None for answer in answers]), probabilities
    )


def scored(answers: Answers, labels: NDArray[np.int64], *, always: bool) -> Scored:
    """Every document's part in the scores; ``labels`` [document] are places in ``LABELS``.

    A decision that is missing is a false negative where the label is TRUE, and with ``always`` where it is FALSE too,
    as in GAP's official script. A document without an answer is never right.
    """
    gold = labels[:, None] == np.arange(_NAMES)
    said, answered = answers.decisions, answers.answered[:, None]
    missed = ~answered & (gold | always)
    counts = np.stack(
        [
            (said & gold & answered).sum(axis=2),
            (said & ~gold & answered).sum(axis=2),
            ((~said & gold & answered) | missed).sum(axis=2),
        ]
    ).astype(np.int16)
    right = (said == gold).all(axis=2) & answers.answered
    values = {ACCURACY: right.astype(np.float64)}
    if answers.probabilities is not None:
        of_label = answers.probabilities[:, np.arange(len(labels)), labels]
        values[LOG_LOSS] = -np.log(np.maximum(of_label, LEAST_P))
        values[P_NEITHER] = answers.probabilities[:, :, LABELS.index(NEITHER)]
    return Scored(counts, values)


def f1(counts: NDArray[np.int64]) -> FloatArray:
    """Micro F1 from counts [kind, …] of true positives, false positives and false negatives; 0 without any."""
    hits, false, missed = counts.astype(np.float64)
    total = 2 * hits + false + missed
    found: FloatArray = np.divide(2 * hits, total, out=np.zeros_like(total), where=total > 0)
    return found


def interval(of: Scored, measure: str, mask: Mask, *, seed: int) -> tuple[float, float]:
    """95 % interval of a measure's mean over the networks, documents resampled; NaN for too few documents."""
    if measure == F1:
        if not is_enough(int(mask.sum())):
            return np.nan, np.nan
        found = bootstrap_interval([of.counts[..., mask]], _mean_f1, seed=seed)
    else:
        values = of.by_document(measure, mask)
        if not is_enough(len(values)):
            return np.nan, np.nan
        found = bootstrap_mean_interval(values, seed=seed)
    return float(found.low), float(found.high)


@dataclass(frozen=True)
class Difference:
    """A measure for feminine minus that for masculine pronouns, with its 95 % interval and p; NaN where there is none.

    ``ratio`` is feminine / masculine, of F1 alone.
    """

    masculine: float
    feminine: float
    ci_low: float = np.nan
    ci_high: float = np.nan
    p: float = np.nan
    ratio: float = np.nan
    ratio_low: float = np.nan
    ratio_high: float = np.nan

    @property
    def difference(self) -> float:
        """Feminine minus masculine."""
        return self.feminine - self.masculine


TESTED = (ACCURACY, P_NEITHER)  # by permutation of documents between the genders


def difference(of: Scored, measure: str, feminine: Mask, masculine: Mask, *, seed: int) -> Difference:
    """A measure of a resolver by gender; intervals by bootstrap of the documents within each gender."""
    for_men, for_women = (float(of.of(measure, mask).mean()) for mask in (masculine, feminine))
    if measure == F1:
        return _f1_by_gender(of.counts[..., feminine], of.counts[..., masculine], for_women, for_men, seed)
    women, men = of.by_document(measure, feminine), of.by_document(measure, masculine)
    if not (is_enough(len(women)) and is_enough(len(men))):
        return Difference(for_men, for_women)
    found = bootstrap_interval([women, men], lambda x, y, axis: x.mean(axis) - y.mean(axis), seed=seed)
    p = permutation_test(women, men, seed=seed).p_two_sided if measure in TESTED else np.nan
    return Difference(for_men, for_women, float(found.low), float(found.high), p)


def _f1_by_gender(women: Counts, men: Counts, for_women: float, for_men: float, seed: int) -> Difference:
    ratio = for_women / for_men if for_men > 0 else np.nan
    if not (is_enough(women.shape[-1]) and is_enough(men.shape[-1])):
        return Difference(for_men, for_women, ratio=ratio)
    found = bootstrap_interval([women, men], _f1_apart, seed=seed)
    (low, least_share), (high, most_share) = np.asarray(found.low), np.asarray(found.high)
    return Difference(
        for_men,
        for_women,
        float(low),
        float(high),
        ratio=ratio,
        ratio_low=_ratio_of(float(least_share)),
        ratio_high=_ratio_of(float(most_share)),
    )


def _mean_f1(counts: Counts, axis: int) -> FloatArray:
    """[resample] of counts [kind, network, resample, document]."""
    found: FloatArray = f1(counts.sum(axis=axis)).mean(axis=0)
    return found


def _f1_apart(women: Counts, men: Counts, axis: int) -> FloatArray:
    """[difference and share of the first in the sum, resample]: unlike a ratio, the share is never infinite."""
    first, second = _mean_f1(women, axis), _mean_f1(men, axis)
    total = first + second
    return np.stack([first - second, np.divide(first, total, out=np.full_like(total, 0.5), where=total > 0)])


def _ratio_of(share: float) -> float:
    """first / second from first / (first + second); missing where second is 0."""
    return share / (1 - share) if share < 1 else np.nan
