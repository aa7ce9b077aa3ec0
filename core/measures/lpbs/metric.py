"""Log probability bias score (LPBS): which of two groups of words an attribute raises more. Kurita et al. 2019."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...stats.proportions import wilson
from ...stats.resampling import Interval, bootstrap_mean_interval, sign_flip_test
from ...stats.samples import LEAST, is_enough

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupScores:
    """Scores of one group of target words: float arrays ``[template, attribute, word]`` in nats.

    ``ln_p``: masked models, ln P(target | attribute present); causal models, ln likelihood of the whole sentence.
    ``association``: by how much the attribute changes the target's log probability, above 0 if it raises it.
    NaN in either means that the word was not scored there. Raises ValueError for shapes that differ or are not
    three-dimensional, ModelError for an infinite value.
    """

    ln_p: FloatArray
    association: FloatArray

    def __post_init__(self) -> None:
        if self.ln_p.ndim != 3 or self.ln_p.shape != self.association.shape:
            shapes = f"{self.ln_p.shape} and {self.association.shape}"
            raise ValueError(f"Scores of shapes {shapes}; needs two equal shapes [template, attribute, word].")
        if np.isinf(self.ln_p).any() or np.isinf(self.association).any():
            raise ModelError("The model gives a target a probability of 0; a log probability needs one above 0.")


@dataclass(frozen=True)
class OverallScores:
    """The list of attributes as a whole, in nats; positive leans towards the first group.

    ``n`` counts the attributes that have a value, ``lpbs``, ``log_ratio`` and ``prior_log_ratio`` are means over
    them (NaN without any). Interval by bootstrap over attributes; p from a two-sided sign-flip test over ``flips``
    sign patterns, ``exact`` if these are all. Where n is not enough, interval and p are NaN and ``flips`` is 0.
    """

    lpbs: float
    log_ratio: float
    prior_log_ratio: float
    n: int
    ci_low: float
    ci_high: float
    p_value: float
    exact: bool
    flips: int


@dataclass(frozen=True, eq=False)
class ContrastScores:
    """First group minus second group per attribute: arrays ``[attribute]`` in nats, positive leans towards the first.

    ``lpbs`` = ``log_ratio`` − ``prior_log_ratio``; NaN for an attribute without a value. ``n`` (int) counts its
    values, template × word pair; where words are not paired, its templates. Interval and ``p_value`` are taken over
    these values and are NaN where ``n`` is not enough. ``by_template`` [template, attribute] is what ``lpbs`` is the
    mean of.
    """

    lpbs: FloatArray
    log_ratio: FloatArray
    prior_log_ratio: FloatArray
    n: NDArray[np.int64]
    ci_low: FloatArray
    ci_high: FloatArray
    p_value: FloatArray
    overall: OverallScores
    by_template: FloatArray


@dataclass(frozen=True)
class Shares:
    """Of ``n`` attributes with a score, how many lean towards the first group, the second, and neither (``ties``).

    ``share`` is the first's (0–1) of all, ties among them; its Wilson interval is NaN where ``n`` is not enough, and
    ``share`` too where it is 0.
    """

    n: int
    first: int
    second: int
    ties: int
    share: float
    ci_low: float
    ci_high: float


def mean_of_groups(groups: Sequence[GroupScores], *, paired: bool) -> GroupScores:
    """The mean of several groups as one group: what a group is compared with in "each against the others".

    Paired and all of equal length: the mean word by word, NaN if any group lacks the word. Otherwise one word that
    holds the mean over groups of the mean over each group's scored words, NaN if a group has none.
    Give ``paired`` only if the group compared with them has that length too. Raises ValueError without groups.
    """
    if not groups:
        raise ValueError("No groups to take the mean of; needs at least 1.")
    _check_same_grid(*groups)
    scored = [_scored(group) for group in groups]
    if not (paired and len({group.ln_p.shape[2] for group in groups}) == 1):
        scored = [_mean_word(group) for group in scored]
    return GroupScores(
        np.mean([group.ln_p for group in scored], axis=0), np.mean([group.association for group in scored], axis=0)
    )


def contrast_scores(first: GroupScores, second: GroupScores, *, paired: bool, seed: int) -> ContrastScores:
    """LPBS of every attribute and of all of them: ``first`` minus ``second``, positive leans towards ``first``.

    Two groups of equal length are pairs by position if ``paired``: a word not scored takes its partner out.
    Otherwise the mean of the one's scored words minus the mean of the other's. First one difference per template
    and attribute, then the mean over the templates that have one, then over the attributes that have one.

    Interval (percentile bootstrap) and p (sign flips) of an attribute refer to that same mean: where templates
    keep unequal numbers of pairs, a pair counts as one part of its template and not as one of all pairs. ``seed``
    feeds both; attributes with equal n meet the same draws. Raises ValueError for groups that differ in templates
    or attributes. Kurita et al. 2019.
    """
    _check_same_grid(first, second)
    difference = _difference(_scored(first), _scored(second), paired=paired)
    by_template = _mean(difference.association, axis=2)
    lpbs = _mean(by_template, axis=0)
    log_ratio = _mean(_mean(difference.ln_p, axis=2), axis=0)
    n = np.count_nonzero(~np.isnan(difference.association), axis=(0, 2)).astype(np.int64)
    ci_low, ci_high, p_value = _attribute_statistics(difference.association, lpbs, n, seed=seed)
    return ContrastScores(
        lpbs=lpbs,
        log_ratio=log_ratio,
        prior_log_ratio=log_ratio - lpbs,
        n=n,
        ci_low=ci_low,
        ci_high=ci_high,
        p_value=p_value,
        overall=_overall(lpbs, log_ratio, seed=seed),
        by_template=by_template,
    )


def shares(lpbs: FloatArray) -> Shares:
    """How many of these scores (nats, NaN where there is none) lean towards either group. Kurita et al. 2019, Table 5.

    Above 0 leans towards the first group, below 0 towards the second.
    """
    n, first, second = (int(np.count_nonzero(found)) for found in (~np.isnan(lpbs), lpbs > 0, lpbs < 0))
    interval = wilson(first, n) if is_enough(n) else Interval(math.nan, math.nan)
    share = first / n if n else math.nan
    return Shares(n, first, second, n - first - second, share, float(interval.low), float(interval.high))


def _check_same_grid(*groups: GroupScores) -> None:
    grids = {group.ln_p.shape[:2] for group in groups}
    if len(grids) > 1:
        raise ValueError(f"Groups scored on {sorted(grids)} templates and attributes; these must be the same.")


def _scored(group: GroupScores) -> GroupScores:
    """The group in float64, with NaN in both arrays where either lacks a value."""
    ln_p, association = group.ln_p.astype(np.float64), group.association.astype(np.float64)
    missing = np.isnan(ln_p) | np.isnan(association)
    return GroupScores(np.where(missing, np.nan, ln_p), np.where(missing, np.nan, association))


def _mean_word(group: GroupScores) -> GroupScores:
    return GroupScores(_mean(group.ln_p, axis=2)[..., None], _mean(group.association, axis=2)[..., None])


def _difference(first: GroupScores, second: GroupScores, *, paired: bool) -> GroupScores:
    """``[template, attribute, pair]``, or ``[template, attribute, 1]`` where words are not paired."""
    if not (paired and first.ln_p.shape == second.ln_p.shape):
        first, second = _mean_word(first), _mean_word(second)
    return GroupScores(first.ln_p - second.ln_p, first.association - second.association)


def _mean(values: FloatArray, axis: int) -> FloatArray:
    """Mean of what is not NaN, NaN where nothing is; numpy's nanmean warns there."""
    present = ~np.isnan(values)
    count = present.sum(axis=axis)
    total = np.where(present, values, 0.0).sum(axis=axis)
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _attribute_statistics(
    values: FloatArray, lpbs: FloatArray, n: NDArray[np.int64], *, seed: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ends of the interval and p per attribute, from ``values[template, attribute, pair]``."""
    ci_low, ci_high, p_value = (np.full(len(lpbs), np.nan) for _ in range(3))
    by_attribute = values.transpose(1, 0, 2)
    present = ~np.isnan(by_attribute)
    pairs = present.sum(axis=2, keepdims=True)
    templates = (pairs > 0).sum(axis=1, keepdims=True)
    # Averaging to 1 over an attribute's values: 1 throughout, unless its templates keep unequal numbers of pairs.
    shares = np.maximum(templates * pairs, 1)
    weights = np.broadcast_to(n[:, None, None] / shares, by_attribute.shape)
    for size in np.unique(n[n >= LEAST]):
        rows = np.flatnonzero(n == size)
        kept = present[rows]
        value = by_attribute[rows][kept].reshape(len(rows), size).T
        weight = weights[rows][kept].reshape(len(rows), size).T
        # Both samples have the mean lpbs. Weighting the deviations keeps values that are all equal without spread.
        interval = bootstrap_mean_interval(lpbs[rows] + weight * (value - lpbs[rows]), seed=seed)
        ci_low[rows], ci_high[rows] = interval.low, interval.high
        p_value[rows] = sign_flip_test(weight * value, seed=seed).p_value
    return ci_low, ci_high, p_value


def _overall(lpbs: FloatArray, log_ratio: FloatArray, *, seed: int) -> OverallScores:
    kept = ~np.isnan(lpbs)
    values = lpbs[kept]
    mean_lpbs, mean_log_ratio = float(_mean(lpbs, axis=0)), float(_mean(log_ratio, axis=0))
    ci_low = ci_high = p_value = np.nan
    exact, flips = False, 0
    if is_enough(len(values)):
        interval, test = bootstrap_mean_interval(values, seed=seed), sign_flip_test(values, seed=seed)
        ci_low, ci_high, p_value = float(interval.low), float(interval.high), float(test.p_value)
        exact, flips = test.exact, test.flips
    return OverallScores(
        lpbs=mean_lpbs,
        log_ratio=mean_log_ratio,
        prior_log_ratio=mean_log_ratio - mean_lpbs,
        n=len(values),
        ci_low=ci_low,
        ci_high=ci_high,
        p_value=p_value,
        exact=exact,
        flips=flips,
    )
