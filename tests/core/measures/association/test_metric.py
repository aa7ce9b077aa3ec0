from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.measures.association.metric import (
    Computed,
    NotComputed,
    SetSizes,
    associations,
    cosine_matrix,
    drop_to_equal,
    permuted_test,
    vector_effect_size,
    vector_test,
)
from tests.support.reference import table

Vectors = NDArray[np.float64]
A, B = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
X, Y = np.array([[1.0, 0.0], [4.0, 3.0], [24.0, 7.0]]), np.array([[3.0, 4.0], [0.0, 1.0]])


def sizes(*sets: Vectors) -> SetSizes:
    return SetSizes(*(len(members) for members in sets))


def weat(x: Vectors, y: Vectors, a: Vectors, b: Vectors, *, ddof: int = 1) -> Computed:
    outcome = vector_test(x, y, a, b, asked=sizes(x, y, a, b), ddof=ddof, seed=0)
    assert isinstance(outcome, Computed)
    return outcome


def of_values(s_x: Vectors, s_y: Vectors, kept: Sequence[int], asked: Sequence[int]) -> Computed | NotComputed:
    """The test of values that are no cosines."""
    matrix = np.concatenate([s_x, s_y])[:, None]
    return permuted_test(matrix, s_x, s_y, sizes=SetSizes(*kept), asked=SetSizes(*asked), ddof=1, seed=0)


def cosine(v: Vectors, w: Vectors) -> float:
    return float(sum(v * w)) / (sum(v**2) * sum(w**2)) ** 0.5


def plain(x: Vectors, y: Vectors, a: Vectors, b: Vectors) -> dict[str, float]:
    """WEAT member by member and partition by partition."""
    s = [
        statistics.fmean(cosine(w, v) for v in a) - statistics.fmean(cosine(w, v) for v in b)
        for w in np.concatenate([x, y])
    ]
    observed = statistics.fmean(s[: len(x)]) - statistics.fmean(s[len(x) :])
    null = []
    for chosen in itertools.combinations(range(len(s)), len(x)):
        rest = [s[i] for i in range(len(s)) if i not in chosen]
        null.append(statistics.fmean(s[i] for i in chosen) - statistics.fmean(rest))
    tie = 1e-12
    above = sum(value >= observed - tie for value in null) / len(null)
    below = sum(value <= observed + tie for value in null) / len(null)
    return {
        "test_statistic": observed,
        "effect_size": observed / statistics.stdev(s),
        "p_one_sided": above,
        "p_two_sided": sum(abs(value) >= abs(observed) - tie for value in null) / len(null),
        "p_observed_direction": min(above, below),
        "n_permutations": len(null),
    }


def test_worked_by_hand() -> None:
    test = weat(X, Y, A, B)
    np.testing.assert_allclose(test.s_x, [1, 0.2, 0.68])  # 1 − 0, (4 − 3)/5, (24 − 7)/25
    np.testing.assert_allclose(test.s_y, [-0.2, -1])
    assert test.effect_size == pytest.approx(1.5674, abs=5e-5)
    assert weat(X, Y, A, B, ddof=0).effect_size == pytest.approx(1.7524, abs=5e-5)
    assert (test.p_one_sided, test.p_two_sided, test.p_observed_direction) == (0.1, 0.1, 0.1)
    assert (test.p_kind, test.n_permutations, len(test.distribution)) == ("exact", 10, 10)
    assert (test.n_x, test.n_y, test.n_a, test.n_b, test.ddof) == (3, 2, 1, 1, 1)
    assert test.ci_low < test.effect_size <= test.ci_high + 1e-12


def test_worked_by_hand_with_x_cut() -> None:
    test, swapped = weat(X[:2], Y, A, B), weat(Y, X[:2], A, B)
    assert test.effect_size == pytest.approx(1.4412, abs=5e-5)
    assert (test.p_one_sided, test.p_two_sided, test.n_permutations) == (1 / 6, 1 / 3, 6)
    assert swapped.effect_size == pytest.approx(-1.4412, abs=5e-5)
    assert (swapped.p_one_sided, swapped.p_two_sided, swapped.p_observed_direction) == (1.0, 1 / 3, 1 / 6)


def test_the_matrix_behind_it() -> None:
    outcome = vector_test(X, Y, A, B, asked=sizes(X, Y, A, B), ddof=1, seed=0)
    assert isinstance(outcome, Computed)
    np.testing.assert_allclose(outcome.matrix, [[1, 0], [0.8, 0.6], [0.96, 0.28], [0.6, 0.8], [0, 1]])


@pytest.mark.parametrize(("n_x", "n_y"), [(5, 5), (3, 8), (8, 2)])
def test_equals_an_independent_computation(n_x: int, n_y: int) -> None:
    generator = np.random.default_rng(n_x)
    x, y, a, b = (generator.normal(size=(n, 6)) for n in (n_x, n_y, 4, 3))
    test = weat(x, y, a, b)
    for name, value in plain(x, y, a, b).items():
        assert getattr(test, name) == pytest.approx(value, abs=1e-12), name


def test_members_that_are_equal_are_ties() -> None:
    # The same five directions in X and in Y, of other lengths: S = 0, every partition counts as it does in fractions.
    generator = np.random.default_rng(1)
    x, a, b = (generator.normal(size=(n, 7)) for n in (5, 3, 3))
    y = x[::-1] * generator.uniform(0.1, 9, size=(5, 1))
    test = weat(x, y, a, b)
    assert test.effect_size == pytest.approx(0, abs=1e-12)
    assert test.p_two_sided == 1.0
    assert test.p_one_sided == pytest.approx(plain(x, y, a, b)["p_one_sided"], abs=1e-12)
    assert test.p_one_sided > 0.5


def test_irani_prints_the_smaller_tail() -> None:
    generator = np.random.default_rng(2)
    a, b = generator.normal(size=(2, 8, 10))
    y = generator.normal(size=(8, 10)) + a.mean(axis=0) - b.mean(axis=0)
    test = weat(generator.normal(size=(8, 10)), y, a, b)
    assert test.effect_size < 0
    assert test.n_permutations == 12_870
    assert test.p_one_sided > 0.5
    # All partitions but the tied ones are above or below.
    assert test.p_observed_direction == pytest.approx(1 + 1 / 12_870 - test.p_one_sided, abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(
    n=st.tuples(*[st.integers(2, 4)] * 2, *[st.integers(1, 3)] * 2), seed=st.integers(0, 10_000), unit=st.floats(-6, 6)
)
def test_invariants(n: tuple[int, ...], seed: int, unit: float) -> None:
    generator = np.random.default_rng(seed)
    x, y, a, b = (generator.normal(size=(size, 5)) for size in n)
    test = weat(x, y, a, b)

    def same(other: Computed, sign: int = 1) -> None:
        assert other.test_statistic == pytest.approx(sign * test.test_statistic, abs=1e-12)
        assert other.effect_size == pytest.approx(sign * test.effect_size, abs=1e-9)
        assert other.p_two_sided == test.p_two_sided
        assert other.p_observed_direction == test.p_observed_direction
        if sign == 1:
            assert other.p_one_sided == test.p_one_sided

    same(weat(y, x, a, b), -1)
    same(weat(x, y, b, a), -1)
    same(weat(y, x, b, a))
    same(weat(10**unit * x, y, a, b * generator.uniform(0.1, 5, size=(len(b), 1))))
    same(weat(x[::-1], generator.permutation(y), a[::-1], b[::-1]))
    assert abs(test.effect_size) <= 2


def test_half_precision_is_computed_in_double() -> None:
    generator = np.random.default_rng(3)
    sets = [generator.normal(size=(4, 6)).astype(np.float16) for _ in range(4)]
    half = weat(*sets)  # type: ignore[arg-type]
    assert half.effect_size == weat(*(members.astype(np.float64) for members in sets)).effect_size


def test_a_vector_without_direction_is_a_missing_row() -> None:
    matrix = cosine_matrix(np.array([[0.0, 0.0], [3.0, 4.0], [np.inf, 1.0], [1e200, 0.0], [np.nan, 1.0]]), A)
    np.testing.assert_array_equal(matrix, [[np.nan], [0.6], [np.nan], [np.nan], [np.nan]])
    assert np.isnan(cosine_matrix(A, np.zeros((1, 2)))).all()
    with pytest.raises(ValueError, match="not finite"):  # not "no variation"
        vector_test(np.zeros((3, 2)), Y, A, B, asked=SetSizes(3, 2, 1, 1), ddof=1, seed=0)


@pytest.mark.parametrize(
    ("kept", "asked", "reason"),
    [
        ((1, 2, 1, 1), (3, 2, 1, 1), "X kept 1 of 3"),
        ((1, 2, 1, 1), (1, 2, 1, 1), "X kept 1 of 1"),
        ((3, 2, 1, 1), (8, 5, 1, 1), "X kept 3 of 8, Y kept 2 of 5"),
        ((2, 0, 1, 1), (3, 3, 1, 1), "Y kept 0 of 3"),
        ((2, 2, 0, 1), (3, 3, 8, 1), "A kept 0 of 8"),
        ((2, 2, 1, 0), (3, 3, 1, 2), "B kept 0 of 2"),
    ],
)
def test_too_few_members_are_not_computed(
    kept: tuple[int, int, int, int], asked: tuple[int, int, int, int], reason: str
) -> None:
    x, y, a, b = (np.random.default_rng(0).normal(size=(n, 4)) for n in kept)
    assert vector_test(x, y, a, b, asked=SetSizes(*asked), ddof=1, seed=0) == NotComputed(reason)
    assert of_values(x[:, 0], y[:, 0], kept, asked) == NotComputed(reason)


def test_half_of_what_was_asked_is_enough() -> None:
    outcome = vector_test(X, Y, A, B, asked=SetSizes(6, 4, 9, 9), ddof=1, seed=0)
    assert isinstance(outcome, Computed)
    assert (outcome.n_x, outcome.n_y) == (3, 2)


def test_no_variation_is_not_computed() -> None:
    same = np.tile([[3.0, 4.0]], (3, 1))
    nothing = NotComputed("no variation")
    assert vector_test(same, same * 7, A, B, asked=SetSizes(3, 3, 1, 1), ddof=1, seed=0) == nothing
    # A and B hold the same directions: s is 0 but for rounding.
    generator = np.random.default_rng(0)
    x, y, a = (generator.normal(size=(9, 50)) for _ in range(3))
    assert vector_test(x, y, a, 3 * a[::-1], asked=SetSizes(9, 9, 9, 9), ddof=1, seed=0) == nothing
    assert of_values(np.ones(3), np.ones(2), (3, 2, 1, 1), (3, 2, 1, 1)) == nothing


def test_differences_of_float32_rounding_are_no_variation() -> None:
    """Angles to a and b of π/4 ± ε: s = cos − sin differs by about √2 ε between them, 1.4e-6 and 1.4e-5."""
    for epsilon, varies in ((1e-6, False), (1e-5, True)):
        angles = np.pi / 4 + epsilon * np.array([0, 0.5, 0.9, 1])
        members = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        x, y = members[:2], members[2:]
        outcome = vector_test(x, y, A, B, asked=SetSizes(2, 2, 1, 1), ddof=1, seed=0)
        d = vector_effect_size(x, y, A, B, ddof=1)
        if varies:
            assert isinstance(outcome, Computed)
            assert d == outcome.effect_size
        else:
            assert outcome == NotComputed("no variation beyond rounding")
            assert d is None


def test_associations_of_a_matrix() -> None:
    matrix = np.array([[1.0, 3.0, 4.0], [0.0, -1.0, -2.0]])
    np.testing.assert_allclose(associations(matrix, 2), [2 - 4, -0.5 + 2])


def test_dropping_at_random() -> None:
    first, second = drop_to_equal(9, 4, seed=0)
    assert len(first) == 4
    assert (np.diff(first) > 0).all()
    assert set(first) <= set(range(9))
    assert second.tolist() == [0, 1, 2, 3]
    again = drop_to_equal(9, 4, seed=0)
    assert again[0].tolist() == first.tolist()
    kept = np.concatenate([drop_to_equal(3, 5, seed=seed)[1] for seed in range(600)])
    np.testing.assert_allclose(np.bincount(kept, minlength=5) / 600, 3 / 5, atol=0.1)  # standard error .02
    assert [indices.tolist() for indices in drop_to_equal(2, 2, seed=1)] == [[0, 1], [0, 1]]


@pytest.mark.parametrize(
    ("category", "d"),
    [
        ("Career vs Family", 1.1255),
        ("Math vs. Art", 0.8495),
        ("Science vs. Art", 0.9572),
        ("Black vs. White", -0.8864),
        ("Flowers vs. Insects", 0.4458),  # the notebook's own value; the paper prints .8744
    ],
)
def test_stored_lpbs_of_kurita(category: str, d: float) -> None:
    frame = table("kurita_lpbs")
    rows = frame[frame["category"] == category]
    # As the authors' code does: one value per template and attribute word.
    first, second = (rows.loc[rows["set"] == name, "lpbs"].to_numpy(dtype=np.float64) for name in ("df1", "df2"))
    numbers = (len(first), len(second), 1, 1)
    test = of_values(first, second, numbers, numbers)
    assert isinstance(test, Computed)
    assert test.effect_size == pytest.approx(d, abs=5e-5)
    (theirs,) = table("kurita_lpbs_tests").query("category == @name", local_dict={"name": category}).to_dict("records")
    assert (test.n_x, test.n_y) == (theirs["n_a"], theirs["n_b"])
    # Both p are shares of about 100,000 drawn partitions: each has a standard error of .0005 at p = .024.
    assert test.p_two_sided == pytest.approx(theirs["p_two_sided"], abs=0.0025)
    assert test.ci_low < test.effect_size < test.ci_high
