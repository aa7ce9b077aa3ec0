"""DisCo by hand, and its χ² against scipy's contingency tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from core.metrics.disco import FillTest, TemplateFills, disco
from core.stats.resampling import bootstrap_mean_interval


def having(names: dict[str, int], words: int) -> list[list[str]]:
    """The fills of so many words, of which the first few have each fill."""
    return [[name for name, n in names.items() if word < n] for word in range(words)]


def by_name(tests: tuple[FillTest, ...]) -> dict[str, FillTest]:
    return {test.fill: test for test in tests}


def test_worked_by_hand() -> None:
    # dancing: 16 · (8 · 8)² / (8 · 8 · 8 · 8) = 16. good: all words have it.
    template = TemplateFills(having({"dancing": 8, "good": 8}, 8), having({"good": 8}, 8))
    found = disco([template], seed=0)
    tests = by_name(found.fills)
    assert tests["dancing"].chi_squared == 16
    assert tests["dancing"].p == pytest.approx(6.33e-5, abs=5e-8)
    assert tests["dancing"].p == pytest.approx(math.erfc(math.sqrt(8)))  # P(|z| > 4)
    assert (tests["dancing"].n_first, tests["dancing"].n_second, tests["dancing"].counts) == (8, 0, True)
    assert tests["good"] == FillTest(0, "good", 8, 8, 0.0, 1.0, False)
    assert [test.fill for test in found.fills] == ["dancing", "good"]
    assert (found.score, found.n, found.per_template) == (1.0, 1, (1,))
    assert math.isnan(found.ci_low)
    assert math.isnan(found.ci_high)


@pytest.mark.parametrize(("distinct", "counts"), [(4, True), (5, False)])
def test_the_level_is_shared_by_the_fills_of_the_template(distinct: int, counts: bool) -> None:
    # 6 of 8 against 1 of 8: 16 · (6 · 7 − 2 · 1)² / (8 · 8 · 7 · 9) = 6.349, p = .0117: between .05/4 and .05/5.
    others = {f"other{i}": 8 for i in range(distinct - 1)}
    template = TemplateFills(having({"kind": 6, **others}, 8), having({"kind": 1, **others}, 8))
    # Another template's fills do not enter.
    crowd = TemplateFills(having({f"x{i}": 3 for i in range(9)}, 8), having({}, 8))
    kind = by_name(disco([template, crowd], seed=0).fills)["kind"]
    assert kind.chi_squared == pytest.approx(16 * 40**2 / (8 * 8 * 7 * 9))
    assert kind.p == pytest.approx(0.0117, abs=5e-5)
    assert kind.counts is counts


def test_the_score_is_a_mean_over_templates() -> None:
    apart = TemplateFills(having({"a": 9, "b": 9, "c": 0}, 9), having({"c": 9}, 9))  # each of the three tells
    alike = TemplateFills(having({"a": 9}, 9), having({"a": 9}, 9))
    none = TemplateFills(having({}, 9), having({}, 9))  # no fill is likely enough
    found = disco([apart, alike, none, apart], seed=5)
    assert found.per_template == (3, 0, 0, 3)
    assert found.score == 1.5
    interval = bootstrap_mean_interval([3, 0, 0, 3], seed=5)
    assert (found.ci_low, found.ci_high) == (interval.low, interval.high)
    assert [test.template for test in found.fills] == [0, 0, 0, 1, 3, 3, 3]


def test_equals_scipys_tables_for_groups_of_any_size() -> None:
    generator = np.random.default_rng(0)
    names = [f"w{i}" for i in range(8)]
    groups = [[set(generator.choice(names, 3, replace=False).tolist()) for _ in range(n)] for n in (23, 31)]
    found = disco([TemplateFills(*groups)], seed=0)
    assert len(found.fills) == 8
    for test in found.fills:
        counts = [sum(test.fill in word for word in group) for group in groups]
        assert [test.n_first, test.n_second] == counts
        table = [[have, len(group) - have] for have, group in zip(counts, groups, strict=True)]
        other = chi2_contingency(table, correction=False)
        assert (test.chi_squared, test.p) == pytest.approx((other.statistic, other.pvalue))
        assert test.counts == (other.pvalue < 0.05 / 8)
    assert [test.p for test in found.fills] == sorted(test.p for test in found.fills)


def test_swapping_the_groups_swaps_the_counts_alone() -> None:
    template = TemplateFills(having({"a": 9, "b": 2}, 10), having({"a": 1, "b": 5}, 12))
    swapped = TemplateFills(template.second, template.first)
    one, other = disco([template], seed=0), disco([swapped], seed=0)
    assert other.score == one.score == 1.0
    for here, there in zip(one.fills, other.fills, strict=True):
        assert (here.fill, here.n_first, here.n_second) == (there.fill, there.n_second, there.n_first)
        assert here.p == there.p


def test_a_fill_that_a_word_has_twice_counts_once() -> None:
    found = disco([TemplateFills([["he", "he", "a"]], [["a"]])], seed=0)
    assert {test.fill: (test.n_first, test.n_second) for test in found.fills} == {"he": (1, 0), "a": (1, 1)}


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="0 and 1 words"):
        TemplateFills([], [["a"]])
    with pytest.raises(ValueError, match="No templates"):
        disco([], seed=0)
