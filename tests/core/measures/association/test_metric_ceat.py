from __future__ import annotations

import statistics
import tracemalloc

import numpy as np
import pytest
from numpy.typing import NDArray

from core.measures.association import metric
from core.measures.association.metric import (
    Computed,
    ComputedInContexts,
    NotComputed,
    SetSizes,
    contextual_test,
    vector_test,
)
from core.stats.random_effects import random_effects

Words = list[NDArray[np.float64]]


def random_sets(seed: int, contexts: int = 6, width: int = 8) -> list[Words]:
    generator = np.random.default_rng(seed)
    lean = generator.normal(size=(4, 1, width))
    return [
        [lean[place] + generator.normal(size=(contexts + word, width)) for word in range(n)]
        for place, n in enumerate((4, 3, 3, 2))
    ]


def computed(sets: list[Words], **options: object) -> ComputedInContexts:
    asked = SetSizes(*(len(words) for words in sets))
    outcome = contextual_test(*sets, asked=asked, ddof=1, **{"seed": 0, "samples": 200, **options})  # type: ignore[arg-type]
    assert isinstance(outcome, ComputedInContexts)
    return outcome


def plain_samples(sets: list[Words], seed: int, samples: int) -> list[list[float]]:
    """s of X then Y, sample by sample and pair by pair; contexts drawn word after word in the order X, Y, A, B."""
    generator = np.random.default_rng(seed)
    drawn = [[generator.integers(len(word), size=samples) for word in words] for words in sets]

    def cosine(v: NDArray[np.float64], w: NDArray[np.float64]) -> float:
        return float(sum(v * w)) / float(sum(v * v) * sum(w * w)) ** 0.5

    rows = []
    for i in range(samples):
        x, y, a, b = (
            [word[index[i]] for word, index in zip(words, chosen, strict=True)]
            for words, chosen in zip(sets, drawn, strict=True)
        )
        rows.append(
            [statistics.fmean(cosine(w, v) for v in a) - statistics.fmean(cosine(w, v) for v in b) for w in x + y]
        )
    return rows


@pytest.mark.parametrize("variance", ["authors", "formula"])
def test_equals_a_plain_loop(variance: str) -> None:
    sets = random_sets(0)
    rows = plain_samples(sets, seed=5, samples=40)
    effects = [(statistics.fmean(s[:4]) - statistics.fmean(s[4:])) / statistics.stdev(s) for s in rows]
    variances = (
        [statistics.variance(s) for s in rows]
        if variance == "authors"
        else [7 / 12 + effect**2 / 14 for effect in effects]
    )
    test = computed(sets, seed=5, samples=40, variance=variance)
    np.testing.assert_allclose(test.distribution, effects, atol=1e-12)
    # The combination itself is worked by hand in the test of random_effects.
    expected = random_effects(effects, variances)
    assert test.effect_size == pytest.approx(expected.effect, abs=1e-12)
    assert test.standard_error == pytest.approx(expected.standard_error, abs=1e-12)
    assert test.tau_squared == pytest.approx(expected.tau_squared, abs=1e-10)
    assert test.q == pytest.approx(expected.q, abs=1e-8)
    assert test.p_two_sided == pytest.approx(expected.p_value, abs=1e-12)
    assert (test.ci_low, test.ci_high) == pytest.approx((expected.ci_low, expected.ci_high), abs=1e-12)
    assert (test.n_x, test.n_y, test.n_a, test.n_b) == (4, 3, 3, 2)
    assert test.samples_without_spread == 0


def test_one_context_per_word_is_weat() -> None:
    sets = [[word[:1] for word in words] for words in random_sets(1)]
    test = computed(sets, samples=20)
    weat = vector_test(*(np.concatenate(words) for words in sets), asked=SetSizes(4, 3, 3, 2), ddof=1, seed=0)
    assert isinstance(weat, Computed)
    np.testing.assert_allclose(test.distribution, np.full(20, weat.effect_size))
    assert test.effect_size == pytest.approx(weat.effect_size)
    assert test.tau_squared == pytest.approx(0, abs=1e-12)
    assert test.test_statistic == pytest.approx(weat.test_statistic)
    np.testing.assert_allclose(test.matrix, weat.matrix)
    np.testing.assert_allclose(test.s_x, weat.s_x)


def test_matrix_is_the_mean_over_all_pairs_of_contexts() -> None:
    sets = random_sets(2)
    test = computed(sets)
    word, attribute = sets[1][2], sets[3][1]
    pairs = [float(v @ w / np.linalg.norm(v) / np.linalg.norm(w)) for v in word for w in attribute]
    assert test.matrix.shape == (7, 5)
    assert test.matrix[6, 4] == pytest.approx(statistics.fmean(pairs))
    assert test.s_y[2] == pytest.approx(test.matrix[6, :3].mean() - test.matrix[6, 3:].mean())
    assert test.test_statistic == pytest.approx(test.s_x.mean() - test.s_y.mean())


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = random_sets(3)
    whole = computed(sets)
    monkeypatch.setattr(metric, "_CELLS", 8 * 7)  # seven samples at a time
    np.testing.assert_allclose(computed(sets).distribution, whole.distribution, atol=1e-13)


def test_invariants() -> None:
    x, y, *_ = random_sets(4)
    a, b = ([word + np.linspace(0, 1, 8) for word in words[:2]] for words in (x, y))
    test = computed([x, y, a, b])
    scaled = computed([[3 * word for word in x], y, [word * 1e-3 for word in a], b])
    assert scaled.effect_size == pytest.approx(test.effect_size)
    # Other contexts are drawn once sets change places: signs turn, sizes stay within chance.
    for turned in (computed([y, x, a, b]), computed([x, y, b, a])):
        assert turned.test_statistic == pytest.approx(-test.test_statistic)
        assert turned.effect_size == pytest.approx(-test.effect_size, abs=6 * test.standard_error)
    assert test.effect_size > 6 * test.standard_error  # so that the sign above means something
    assert computed([x, y, a, b]).effect_size == test.effect_size
    assert computed([x, y, a, b], seed=1).effect_size != test.effect_size


def test_more_samples_shrink_p_and_not_the_spread() -> None:
    sets = random_sets(5)
    few, many = computed(sets, samples=100), computed(sets, samples=1600)
    assert many.standard_error < few.standard_error / 3
    assert many.distribution.std() == pytest.approx(few.distribution.std(), rel=0.3)


def test_samples_without_spread_are_left_out_and_counted() -> None:
    # Words of X have two contexts, one of which equals Y's only one; A and B are the axes. A sample with all words
    # there, a quarter, has no spread; (1, 0) in both gives s = 1, 1 | −1, −1: d = 2 / √(4/3) = √3.
    one, other = [1.0, 0.0], [0.0, 1.0]
    sets = [[np.array([one, other])] * 2, [np.array([other])] * 2, [np.array([one])], [np.array([other])]]
    test = computed(sets, samples=400)
    assert test.samples_without_spread == pytest.approx(100, abs=35)  # standard deviation 8.7
    assert len(test.distribution) == 400 - test.samples_without_spread
    assert np.unique(test.distribution.round(12)).tolist() == pytest.approx([1.0, 3**0.5])


def test_not_computed() -> None:
    x, y, a, b = random_sets(6)
    asked = SetSizes(9, 3, 3, 2)
    assert contextual_test(x, y, a, b, asked=asked, ddof=1, seed=0) == NotComputed("X kept 4 of 9")
    assert contextual_test(x, y, a, [], asked=SetSizes(4, 3, 3, 2), ddof=1, seed=0) == NotComputed("B kept 0 of 2")
    same = [np.ones((2, 8))] * 3
    nothing = contextual_test(same, same, a, b, asked=SetSizes(3, 3, 3, 2), ddof=1, seed=0)
    assert nothing == NotComputed("no variation")
    near = [item + 1e-7 * place for place, item in enumerate(np.eye(8)[:3, None] * 0 + np.eye(8)[0])]
    rounded = contextual_test(near, near, a, b, asked=SetSizes(3, 3, 3, 2), ddof=1, seed=0)
    assert rounded == NotComputed("no variation beyond rounding")


def test_one_sample_cannot_be_combined() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        computed(random_sets(8), samples=1)


@pytest.mark.parametrize("spoiled", [np.zeros((3, 8)), np.full((1, 8), np.nan), np.empty((0, 8))])
def test_contexts_that_cannot_be_used_are_refused(spoiled: NDArray[np.float64]) -> None:
    x, y, a, b = random_sets(7)
    for sets in ([[*x, spoiled], y, a, b], [x, y, a, [*b, spoiled]]):
        with pytest.raises(ValueError, match="no context"):
            computed(sets)


def test_memory_is_bounded() -> None:
    generator = np.random.default_rng(0)
    word = generator.normal(size=(50, 768)).astype(np.float32)
    sets = [[word + generator.normal(size=768).astype(np.float32) for _ in range(3)] for _ in range(4)]
    tracemalloc.start()
    computed(sets, samples=5000)  # 12 words × 5000 × 768 numbers at once would be 370 MB
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
