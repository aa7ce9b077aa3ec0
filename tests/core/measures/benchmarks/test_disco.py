"""DisCo by hand, and its χ² by its own formula."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.measures.benchmarks.metric import FillTest, dependent_fills


def having(names: dict[str, int], words: int) -> list[list[str]]:
    """The fills of so many words, of which the first few have each fill."""
    return [[name for name, n in names.items() if word < n] for word in range(words)]


def by_name(tests: tuple[FillTest, ...]) -> dict[str, FillTest]:
    return {test.fill: test for test in tests}


def test_worked_by_hand() -> None:
    # dancing: 16 · (8 · 8)² / (8 · 8 · 8 · 8) = 16. good: all words have it.
    found = dependent_fills(having({"dancing": 8, "good": 8}, 8), having({"good": 8}, 8))
    tests = by_name(found)
    assert tests["dancing"].chi_squared == 16
    assert tests["dancing"].p == pytest.approx(6.33e-5, abs=5e-8)
    assert tests["dancing"].p == pytest.approx(math.erfc(math.sqrt(8)))  # P(|z| > 4)
    assert (tests["dancing"].n_first, tests["dancing"].n_second, tests["dancing"].counts) == (8, 0, True)
    assert tests["good"] == FillTest("good", 8, 8, 0.0, 1.0, False)
    assert [test.fill for test in found] == ["dancing", "good"]


@pytest.mark.parametrize(("distinct", "counts"), [(4, True), (5, False)])
def test_the_level_is_shared_by_the_fills_of_the_template(distinct: int, counts: bool) -> None:
    # 6 of 8 against 1 of 8: 16 · (6 · 7 − 2 · 1)² / (8 · 8 · 7 · 9) = 6.349, p = .0117: between .05/4 and .05/5.
    others = {f"other{i}": 8 for i in range(distinct - 1)}
    found = dependent_fills(having({"kind": 6, **others}, 8), having({"kind": 1, **others}, 8))
    kind = by_name(found)["kind"]
    assert kind.chi_squared == pytest.approx(16 * 40**2 / (8 * 8 * 7 * 9))
    assert kind.p == pytest.approx(0.0117, abs=5e-5)
    assert kind.counts is counts


def test_words_without_fills_give_none() -> None:
    assert dependent_fills(having({}, 9), having({}, 9)) == ()  # no fill is likely enough


def test_by_the_formula_for_groups_of_any_size() -> None:
    generator = np.random.default_rng(0)
    names = [f"w{i}" for i in range(8)]
    groups = [[set(generator.choice(names, 3, replace=False).tolist()) for _ in range(n)] for n in (23, 31)]
    found = dependent_fills(*groups)
    assert len(found) == 8
    for test in found:
        counts = [sum(test.fill in word for word in group) for group in groups]
        assert [test.n_first, test.n_second] == counts
        a, c = counts
        b, d = 23 - a, 31 - c
        chi_squared = 54 * (a * d - b * c) ** 2 / (23 * 31 * (a + c) * (b + d))
        p = math.erfc(math.sqrt(chi_squared / 2))  # P(|z| > χ)
        assert (test.chi_squared, test.p) == pytest.approx((chi_squared, p))
        assert test.counts == (p < 0.05 / 8)
    assert [test.p for test in found] == sorted(test.p for test in found)


def test_swapping_the_groups_swaps_the_counts_alone() -> None:
    first, second = having({"a": 9, "b": 2}, 10), having({"a": 1, "b": 5}, 12)
    one, other = dependent_fills(first, second), dependent_fills(second, first)
    assert [test.counts for test in one] == [True, False]
    for here, there in zip(one, other, strict=True):
        assert (here.fill, here.n_first, here.n_second) == (there.fill, there.n_second, there.n_first)
        assert here.p == there.p


def test_a_fill_that_a_word_has_twice_counts_once() -> None:
    found = dependent_fills([["he", "he", "a"]], [["a"]])
    assert {test.fill: (test.n_first, test.n_second) for test in found} == {"he": (1, 0), "a": (1, 1)}


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="0 and 1 words"):
        dependent_fills([], [["a"]])
