from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest

from core.errors import ModelError
from core.measures.lpbs.metric import ContrastScores, GroupScores, contrast_scores, mean_of_groups
from core.stats.resampling import bootstrap_mean_interval, sign_flip_test

NAN = float("nan")


def group(association: object, ln_p: object = None) -> GroupScores:
    """A group from [template][attribute][word]; without ``ln_p`` the prior is e^−1 everywhere."""
    values = np.array(association, dtype=float)
    return GroupScores(values - 1 if ln_p is None else np.array(ln_p, dtype=float), values)


def one_word(present: float, masked: float) -> GroupScores:
    """A word's scores from its probabilities with the attribute present and masked."""
    return group([[[log(present) - log(masked)]]], [[[log(present)]]])


def random_group(words: int, seed: int, *, templates: int = 3, attributes: int = 8, missing: float = 0) -> GroupScores:
    draw = np.random.default_rng(seed)
    shape = (templates, attributes, words)
    association = draw.normal(size=shape)
    association[draw.uniform(size=shape) < missing] = np.nan
    return GroupScores(draw.normal(-4, 1, size=shape), association)


def assert_swapped(scores: ContrastScores, swapped: ContrastScores) -> None:
    for name in ("lpbs", "log_ratio", "prior_log_ratio"):
        np.testing.assert_allclose(getattr(swapped, name), -getattr(scores, name), atol=1e-12)
        assert getattr(swapped.overall, name) == pytest.approx(-getattr(scores.overall, name), abs=1e-12)
    np.testing.assert_allclose(swapped.ci_low, -scores.ci_high, atol=1e-12)
    np.testing.assert_allclose(swapped.ci_high, -scores.ci_low, atol=1e-12)
    np.testing.assert_array_equal(swapped.n, scores.n)
    np.testing.assert_array_equal(swapped.p_value, scores.p_value)
    assert swapped.overall.ci_low == pytest.approx(-scores.overall.ci_high, abs=1e-12)
    assert swapped.overall.p_value == scores.overall.p_value


def test_worked_example() -> None:
    # he .02 over .20, she .60 over .15: ln .1 − ln 4; ln .02 − ln .60; ln .20 − ln .15.
    scores = contrast_scores(one_word(0.02, 0.20), one_word(0.60, 0.15), paired=True, seed=0)
    assert scores.lpbs == pytest.approx([-3.6889], abs=5e-5)
    assert scores.log_ratio == pytest.approx([-3.4012], abs=5e-5)
    assert scores.prior_log_ratio == pytest.approx([0.2877], abs=5e-5)
    assert scores.n.tolist() == [1]
    assert scores.n.dtype.kind == "i"


def test_prior_of_the_wrong_mask_gives_another_value() -> None:
    wrong = contrast_scores(one_word(0.02, 0.50), one_word(0.60, 0.50), paired=True, seed=0)
    assert wrong.lpbs == pytest.approx([-3.4012], abs=5e-5)
    assert wrong.prior_log_ratio == pytest.approx([0.0], abs=1e-12)


def test_causal_worked_example() -> None:
    # P(He | start) .04, P(She | start) .01, all the rest equal: the association is the same for both.
    he, she = group([[[-2.0]]], [[[log(0.04) - 9]]]), group([[[-2.0]]], [[[log(0.01) - 9]]])
    scores = contrast_scores(he, she, paired=True, seed=0)
    assert scores.lpbs == pytest.approx([0.0])
    assert scores.log_ratio == pytest.approx([1.3863], abs=5e-5)


def test_direction() -> None:
    he, she = group([[[-2.0]]]), group([[[-5.0]]])
    assert contrast_scores(he, she, paired=True, seed=0).lpbs.tolist() == [3.0]
    assert contrast_scores(she, he, paired=True, seed=0).lpbs.tolist() == [-3.0]


def test_several_templates_by_hand() -> None:
    # Differences by template: attribute 1: (3 + 1) / 2 = 2, then 6; attribute 2: −1 in the second template only.
    first = group([[[4.0, 2.0], [NAN, NAN]], [[7.0, 7.0], [0.0, 0.0]]])
    second = group([[[1.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]]])
    scores = contrast_scores(first, second, paired=True, seed=0)
    assert scores.lpbs.tolist() == [4.0, -1.0]
    assert scores.n.tolist() == [4, 2]
    assert scores.overall.lpbs == 1.5
    assert scores.overall.n == 2
    # Two attributes have a mean, but no interval, which would be [min, max], and no p.
    assert (scores.overall.exact, scores.overall.flips) == (False, 0)
    assert np.isnan([scores.overall.ci_low, scores.overall.ci_high, scores.overall.p_value]).all()


@pytest.mark.parametrize("count", [5, 6])
def test_six_attributes_are_the_least_for_an_interval_and_a_p(count: int) -> None:
    first, second = group([[[float(a)] for a in range(1, count + 1)]]), group([[[0.0]] * count])
    overall = contrast_scores(first, second, paired=True, seed=0).overall
    assert overall.lpbs == (count + 1) / 2
    if count < 6:
        assert np.isnan([overall.ci_low, overall.ci_high, overall.p_value]).all()
    else:
        assert overall.p_value == 2 / 2**6  # of the sign patterns the observed one and its opposite
        assert 1 < overall.ci_low < overall.lpbs < overall.ci_high < 6


def test_pair_with_a_missing_word_leaves_both_out() -> None:
    first, second = group([[[1.0, 5.0, NAN]]]), group([[[0.0, NAN, 9.0]]])
    paired = contrast_scores(first, second, paired=True, seed=0)
    assert paired.lpbs.tolist() == [1.0]
    assert paired.n.tolist() == [1]
    unpaired = contrast_scores(first, second, paired=False, seed=0)
    assert unpaired.lpbs.tolist() == [3.0 - 4.5]
    assert unpaired.n.tolist() == [1]


def test_a_word_scored_in_one_array_only_counts_in_neither() -> None:
    first = group([[[1.0, 5.0]]], [[[-2.0, NAN]]])
    second = group([[[0.0, 0.0]]], [[[-3.0, -8.0]]])
    for paired, log_ratio in ((True, 1.0), (False, -2.0 + 5.5)):
        scores = contrast_scores(first, second, paired=paired, seed=0)
        assert scores.lpbs.tolist() == [1.0]
        assert scores.log_ratio.tolist() == [log_ratio]


def test_groups_of_unequal_length_are_not_paired() -> None:
    first, second = group([[[1.0, 3.0]], [[0.0, 0.0]]]), group([[[0.0, 1.0, 2.0]], [[4.0, 4.0, 4.0]]])
    scores = contrast_scores(first, second, paired=True, seed=0)
    assert scores.lpbs.tolist() == [((2 - 1) + (0 - 4)) / 2]
    assert scores.n.tolist() == [2]


def test_each_against_the_mean_of_the_others() -> None:
    he, she, they = group([[[6.0, 2.0]]]), group([[[1.0, 2.0]]]), group([[[3.0, NAN]]])
    others = mean_of_groups([she, they], paired=True)
    np.testing.assert_array_equal(others.association, [[[2.0, NAN]]])
    np.testing.assert_array_equal(others.ln_p, [[[1.0, NAN]]])
    assert contrast_scores(he, others, paired=True, seed=0).lpbs.tolist() == [4.0]
    unpaired = mean_of_groups([she, they], paired=False)
    np.testing.assert_array_equal(unpaired.association, [[[(1.5 + 3.0) / 2]]])
    assert contrast_scores(he, unpaired, paired=False, seed=0).lpbs.tolist() == [4.0 - 2.25]


def test_mean_of_groups_of_unequal_length_weighs_groups_alike() -> None:
    mean = mean_of_groups([group([[[0.0, 2.0, 4.0]]]), group([[[8.0]]])], paired=True)
    np.testing.assert_array_equal(mean.association, [[[5.0]]])
    gone = mean_of_groups([group([[[0.0, 2.0, 4.0]]]), group([[[NAN]]])], paired=True)
    assert np.isnan(gone.association).all()


@pytest.mark.parametrize(("words", "paired"), [((9, 9), True), ((9, 9), False), ((9, 4), True)])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_swapping_groups_flips_every_sign(words: tuple[int, int], paired: bool, missing: float) -> None:
    first, second = (random_group(count, seed, missing=missing) for seed, count in enumerate(words))
    scores = contrast_scores(first, second, paired=paired, seed=0)
    assert_swapped(scores, contrast_scores(second, first, paired=paired, seed=0))


def test_a_group_against_itself_is_zero() -> None:
    one = random_group(4, 0)
    scores = contrast_scores(one, one, paired=True, seed=0)
    for values in (scores.lpbs, scores.log_ratio, scores.prior_log_ratio, scores.ci_low, scores.ci_high):
        assert (values == 0).all()
    assert (scores.p_value == 1).all()
    assert scores.overall.p_value == 1


def test_lpbs_of_three_pairwise_contrasts_adds_up() -> None:
    a, b, c = (random_group(3, seed) for seed in range(3))
    ab, bc, ac = (contrast_scores(x, y, paired=True, seed=0).lpbs for x, y in ((a, b), (b, c), (a, c)))
    np.testing.assert_allclose(ab + bc, ac, atol=1e-12)


def test_scores_equal_a_plain_loop() -> None:
    first, second = random_group(4, 1, missing=0.5), random_group(4, 2, missing=0.2)
    scores = contrast_scores(first, second, paired=True, seed=0)
    means = []
    for attribute in range(8):
        by_template = []
        for template in range(3):
            pairs = zip(first.association[template, attribute], second.association[template, attribute], strict=True)
            kept = [x - y for x, y in pairs if x == x and y == y]
            if kept:
                by_template.append(sum(kept) / len(kept))
        means.append(sum(by_template) / len(by_template))
    np.testing.assert_allclose(scores.lpbs, means)
    np.testing.assert_allclose(scores.lpbs, scores.log_ratio - scores.prior_log_ratio)
    assert scores.overall.lpbs == pytest.approx(sum(means) / 8)


def test_interval_and_p_of_an_attribute_are_those_of_its_values() -> None:
    first, second = random_group(6, 1), random_group(6, 2)
    scores = contrast_scores(first, second, paired=True, seed=7)
    for attribute in range(8):
        values = (first.association - second.association)[:, attribute].ravel()
        interval = bootstrap_mean_interval(values, seed=7)
        assert scores.ci_low[attribute] == pytest.approx(interval.low, abs=1e-12)
        assert scores.ci_high[attribute] == pytest.approx(interval.high, abs=1e-12)
        assert scores.p_value[attribute] == sign_flip_test(values, seed=7).p_value
    interval = bootstrap_mean_interval(scores.lpbs, seed=7)
    assert (scores.overall.ci_low, scores.overall.ci_high) == (interval.low, interval.high)
    assert scores.overall.p_value == sign_flip_test(scores.lpbs, seed=7).p_value


def test_fewer_than_six_values_have_no_interval() -> None:
    first = group([[[1.0] * 6, [1.0] * 5 + [NAN]]])
    scores = contrast_scores(first, group(np.zeros((1, 2, 6))), paired=True, seed=0)
    assert scores.n.tolist() == [6, 5]
    for values in (scores.ci_low, scores.ci_high, scores.p_value):
        assert np.isnan(values).tolist() == [False, True]
    assert scores.p_value[0] == 2 / 64  # only all + and all −


def test_unequal_templates_interval_and_p_by_hand() -> None:
    # Template 1 has five pairs of 2, template 2 one of −1: LPBS (2 − 1) / 2 = .5 (the pooled mean would be 1.5).
    values = [[[2.0] * 5], [[-1.0] + [NAN] * 4]]
    scores = contrast_scores(group(values), group(np.zeros((2, 1, 5))), paired=True, seed=0)
    assert scores.lpbs.tolist() == [0.5]
    # Weights 6 / (2 · 5) = .6 and 6 / (2 · 1) = 3; flipped values 1.2 five times and −3, |sum| 3 of at most 9.
    # Reached when the values set to minus sum to at most 3 (none, 5 of one 1.2, 10 of two, the 3) or at least 6.
    assert scores.p_value.tolist() == [2 * (1 + 5 + 10 + 1) / 64]
    # Resampled: .5 + .6 · 1.5 = 1.4 five times and .5 − 3 · 1.5 = −4; mean 1.4 − .9 c with c binomial (6, 1/6).
    # c = 0 has chance .335, c ≥ 3 .062, c ≥ 4 .009: the ends are c = 3 and c = 0.
    assert scores.ci_low == pytest.approx([1.4 - 2.7])
    assert scores.ci_high == pytest.approx([1.4])


def test_equal_values_have_no_spread_whatever_is_missing() -> None:
    values = [[[2.0] * 5], [[2.0] + [NAN] * 4]]
    scores = contrast_scores(group(values), group(np.zeros((2, 1, 5))), paired=True, seed=0)
    assert (scores.ci_low[0], scores.ci_high[0]) == pytest.approx((2.0, 2.0))


def test_attributes_without_a_value_are_not_counted() -> None:
    first = group([[[1.0], [NAN], [3.0]]])
    scores = contrast_scores(first, group(np.zeros((1, 3, 1))), paired=True, seed=0)
    np.testing.assert_array_equal(scores.lpbs, [1.0, NAN, 3.0])
    assert scores.n.tolist() == [1, 0, 1]
    assert (scores.overall.n, scores.overall.lpbs) == (2, 2.0)


@pytest.mark.parametrize(("association", "n"), [([[[NAN], [NAN]]], 0), ([[[1.0], [NAN]]], 1)])
def test_overall_of_fewer_than_two_attributes_has_no_interval(association: object, n: int) -> None:
    overall = contrast_scores(group(association), group(np.zeros((1, 2, 1))), paired=True, seed=0).overall
    assert overall.n == n
    assert np.isnan([overall.ci_low, overall.ci_high, overall.p_value]).all()
    assert (overall.exact, overall.flips) == (False, 0)
    assert np.isnan(overall.lpbs) == (n == 0)


def test_order_of_attributes_templates_and_pairs_changes_nothing() -> None:
    first, second = random_group(3, 1, missing=0.2), random_group(3, 2, missing=0.2)
    scores = contrast_scores(first, second, paired=True, seed=0)
    turned = [GroupScores(item.ln_p[:, ::-1], item.association[:, ::-1]) for item in (first, second)]
    reverse = contrast_scores(*turned, paired=True, seed=0)
    for name in ("lpbs", "log_ratio", "n", "ci_low", "ci_high", "p_value"):
        np.testing.assert_allclose(getattr(reverse, name), getattr(scores, name)[::-1], atol=1e-12)
    assert reverse.overall.lpbs == pytest.approx(scores.overall.lpbs)
    for templates, pairs in product(([2, 0, 1], [0, 1, 2]), repeat=2):
        moved = [
            GroupScores(entry.ln_p[templates][..., pairs], entry.association[templates][..., pairs])
            for entry in (first, second)
        ]
        same = contrast_scores(*moved, paired=True, seed=0)
        np.testing.assert_allclose(same.lpbs, scores.lpbs, atol=1e-12)
        np.testing.assert_allclose(same.p_value, scores.p_value, atol=1e-12)  # exact: n is 9 at most


def test_scaling_scales_values_and_keeps_p() -> None:
    first, second = random_group(3, 1, missing=0.1), random_group(3, 2)
    scores = contrast_scores(first, second, paired=True, seed=0)
    tripled = [GroupScores(3 * item.ln_p, 3 * item.association) for item in (first, second)]
    larger = contrast_scores(*tripled, paired=True, seed=0)
    for name in ("lpbs", "log_ratio", "prior_log_ratio", "ci_low", "ci_high"):
        np.testing.assert_allclose(getattr(larger, name), 3 * getattr(scores, name), atol=1e-12)
    np.testing.assert_array_equal(larger.p_value, scores.p_value)


def test_float32_scores_are_averaged_in_float64() -> None:
    first, second = random_group(9, 1), random_group(9, 2)
    single = [
        GroupScores(item.ln_p.astype(np.float32), item.association.astype(np.float32)) for item in (first, second)
    ]
    double = [GroupScores(entry.ln_p.astype(np.float64), entry.association.astype(np.float64)) for entry in single]
    np.testing.assert_array_equal(
        contrast_scores(*single, paired=True, seed=0).lpbs, contrast_scores(*double, paired=True, seed=0).lpbs
    )


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="equal shapes"):
        GroupScores(np.zeros((1, 2, 3)), np.zeros((1, 2, 1)))
    with pytest.raises(ValueError, match="equal shapes"):
        GroupScores(np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(ValueError, match="must be the same"):
        contrast_scores(group(np.zeros((1, 2, 3))), group(np.zeros((2, 2, 3))), paired=True, seed=0)
    with pytest.raises(ValueError, match="must be the same"):
        mean_of_groups([group(np.zeros((1, 2, 3))), group(np.zeros((1, 1, 3)))], paired=True)
    with pytest.raises(ValueError, match="at least 1"):
        mean_of_groups([], paired=True)


def test_a_probability_of_zero_is_refused() -> None:
    with pytest.raises(ModelError, match="probability of 0"):
        group([[[-np.inf]]])
