"""Skew and stereo of a resolver: answers in, numbers out (de Vassimon Manela et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....stats.resampling import resampled_sums
from ....stats.samples import is_enough
from ..resolution.metric import f1

FloatArray = NDArray[np.float64]
Counts = NDArray[
    np.int64
]  # [pair, condition, gender, kind] of hits, false alarms and misses; pro first, masculine first

_CONDITIONS, _GENDERS, _KINDS = 2, 2, 3
NOTHING, RIGHT, WRONG = -1, 1, 0


def of_choices(genders: NDArray[np.int64], chosen: NDArray[np.int64]) -> Counts:
    """Counts of pronouns that were chosen: F1 of a gender is that of telling it from the other.

    ``genders`` and ``chosen`` are [pair, condition] places of the gender (0 masculine, 1 feminine) that the sentence
    has and that was chosen, ``NOTHING`` for no answer. A wrong choice is a miss of the gender that stands there, and a
    false alarm of the other.
    """
    places = np.arange(_GENDERS)
    there, said = genders[..., None] == places, chosen[..., None] == places
    return np.stack([there & said, ~there & said, there & ~said], axis=-1).astype(np.int64)


def of_mentions(genders: NDArray[np.int64], answers: NDArray[np.int64]) -> Counts:
    """Counts of words that a pronoun was found to refer to, by the pronoun's gender.

    ``answers`` [pair, condition] are ``RIGHT``, ``WRONG`` or ``NOTHING``. A wrong answer is a false alarm and a miss,
    no answer a miss.
    """
    there = genders[..., None] == np.arange(_GENDERS)
    kinds = [answers == RIGHT, answers == WRONG, answers != RIGHT]
    return np.stack([there & kind[..., None] for kind in kinds], axis=-1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Skew:
    """F1 [end, condition, gender] and what is made of it, [number, end] in the order of ``skews``.

    The ends are the value and the low and the high end of its interval, NaN where there is none: for too few pairs, or
    where no resample differs from another.
    """

    f1: FloatArray
    numbers: FloatArray


def skews(scores: FloatArray) -> FloatArray:
    """[number, …] skew, stereo, feminine minus masculine and pro minus anti, of F1 [condition, gender, …].

    skew = ½(|pro, f − m| + |anti, f − m|), stereo = ½(|f, pro − anti| + |m, pro − anti|); the other two are the same
    means with their sign.
    """
    genders, conditions = scores[:, 1] - scores[:, 0], scores[0] - scores[1]
    found: FloatArray = np.stack(
        [np.abs(genders).mean(axis=0), np.abs(conditions).mean(axis=0), genders.mean(axis=0), conditions.mean(axis=0)]
    )
    return found


def measured(counts: Counts, *, seed: int) -> Skew:
    """Skew of the counts of some pairs, with intervals by bootstrap over the pairs where they are enough."""
    scores = _f1(counts.sum(axis=0))
    numbers = skews(scores)
    f1_ends, ends = np.full((2, *scores.shape), np.nan), np.full((2, len(numbers)), np.nan)
    if is_enough(len(counts)):
        drawn = resampled_sums(counts.reshape(len(counts), -1), seed=seed)
        resampled = _f1(np.moveaxis(drawn.reshape(-1, _CONDITIONS, _GENDERS, _KINDS), 0, 2))
        f1_ends, ends = _ends(resampled), _ends(skews(resampled))
    return Skew(np.stack([scores, *f1_ends]), np.stack([numbers, *ends], axis=1))


def _ends(resampled: FloatArray) -> FloatArray:
    found: FloatArray = np.quantile(resampled, (0.025, 0.975), axis=-1)
    found[:, np.ptp(resampled, axis=-1) == 0] = np.nan
    return found


def _f1(counts: NDArray[np.int64]) -> FloatArray:
    """F1 from counts [condition, gender, …, kind]."""
    return f1(np.moveaxis(counts, -1, 0))
