"""StereoSet's scores by hand, and their intervals another way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import OptionError
from core.measures.benchmarks.metric import StereoSet, pooled, stereoset
from core.stats.resampling import RESAMPLES, bootstrap_mean_interval

FloatArray = NDArray[np.float64]

# Stereotype first in 3 of 5, related above unrelated in 9 of 10: SS 60, LMS 90.
STEREOTYPE = np.array([-1.0, -1.0, -1.0, -3.0, -3.0])
OPPOSITE = np.array([-2.0, -2.0, -2.0, -2.0, -2.0])
UNRELATED = np.array([-4.0, -4.0, -4.0, -4.0, -2.5])
EACH = ("a", "b", "c", "d", "e")


def values(found: StereoSet) -> tuple[float, float, float]:
    return found.ss.value, found.lms.value, found.icat.value


def test_worked_by_hand() -> None:
    for average in ("terms", "pairs"):  # a term for each item: the same
        found = stereoset(STEREOTYPE, OPPOSITE, UNRELATED, terms=EACH, average=average, seed=0)
        assert values(found) == pytest.approx((60, 90, 72))
        assert (found.ss.n, found.lms.n, found.icat.n) == (5, 5, 5)


def test_terms_weigh_alike_and_pairs_weigh_alike() -> None:
    # Term a: SS 3/4, LMS 8/8. Term b: SS 0/1, LMS 1/2.
    terms = ("a", "a", "a", "a", "b")
    by_term = stereoset(STEREOTYPE, OPPOSITE, UNRELATED, terms=terms, average="terms", seed=0)
    assert values(by_term) == pytest.approx((37.5, 75, 75 * 37.5 / 50))
    assert by_term.ss.n == 2
    by_pair = stereoset(STEREOTYPE, OPPOSITE, UNRELATED, terms=terms, average="pairs", seed=0)
    assert values(by_pair) == pytest.approx((60, 90, 72))


def test_a_tie_is_no_preference() -> None:
    same = np.array([-1.0, -1.0])
    found = stereoset(same, same, same, terms=("a", "b"), seed=0)
    assert values(found) == (0, 0, 0)
    assert (found.ss.ties, found.lms.ties, found.icat.ties) == (2, 2, None)
    # The second item's opposite and unrelated word are equal, its stereotype is not.
    one = stereoset(np.array([-1.0, -1.0]), np.array([-2.0, -2.0]), np.array([-3.0, -2.0]), terms=("a", "b"), seed=0)
    assert (one.ss.ties, one.lms.ties) == (0, 1)


def test_ends_of_icat() -> None:
    bad = np.full(4, -9.0)
    fits = np.array([1.0, 1.0, -1.0, -1.0])
    assert values(stereoset(fits, -fits, bad, terms=EACH[:4], seed=0)) == (50, 100, 100)
    six = np.zeros(6)
    always = stereoset(six, six - 1, six - 9, terms=tuple("abcdef"), seed=0)
    assert values(always) == (100, 100, 0)
    assert [(item.ci_low, item.ci_high) for item in (always.ss, always.lms, always.icat)] == [
        (100, 100),
        (100, 100),
        (0, 0),
    ]


def _drawn(items: int) -> tuple[FloatArray, FloatArray, FloatArray, list[str]]:
    generator = np.random.default_rng(0)
    stereotype, opposite, unrelated = generator.normal([[1.0], [0.7], [0.0]], size=(3, items))
    return stereotype, opposite, unrelated, [f"t{i}" for i in generator.integers(12, size=items)]


def test_swapping_the_sides_mirrors_ss_alone() -> None:
    stereotype, opposite, unrelated, terms = _drawn(60)
    one = stereoset(stereotype, opposite, unrelated, terms=terms, seed=3)
    other = stereoset(opposite, stereotype, unrelated, terms=terms, seed=3)
    assert values(other) == pytest.approx((100 - one.ss.value, one.lms.value, one.icat.value))
    assert (other.ss.ci_low, other.ss.ci_high) == pytest.approx((100 - one.ss.ci_high, 100 - one.ss.ci_low))
    assert (other.icat.ci_low, other.icat.ci_high) == pytest.approx((one.icat.ci_low, one.icat.ci_high))


def test_the_order_of_items_changes_nothing() -> None:
    stereotype, opposite, unrelated, terms = _drawn(60)
    one = stereoset(stereotype, opposite, unrelated, terms=terms, seed=3)
    back = stereoset(stereotype[::-1], opposite[::-1], unrelated[::-1], terms=terms[::-1], seed=3)
    assert values(back) == pytest.approx(values(one))
    assert (back.icat.ci_low, back.icat.ci_high) == pytest.approx((one.icat.ci_low, one.icat.ci_high))


def test_intervals_are_those_of_a_plain_bootstrap() -> None:
    stereotype, opposite, unrelated, terms = _drawn(60)
    names = sorted(set(terms))
    rows = [[i for i, term in enumerate(terms) if term == name] for name in names]
    ss = [100 * np.mean([stereotype[i] > opposite[i] for i in row]) for row in rows]
    lms = [
        50 * np.mean([(stereotype[i] > unrelated[i]) + int(opposite[i] > unrelated[i]) for i in row]) for row in rows
    ]
    found = stereoset(stereotype, opposite, unrelated, terms=terms, seed=3)
    for score, units in ((found.ss, ss), (found.lms, lms)):
        interval = bootstrap_mean_interval(units, seed=3)
        assert (score.ci_low, score.ci_high) == pytest.approx((interval.low, interval.high))
    drawn = np.random.default_rng(3).integers(len(names), size=(RESAMPLES, len(names)))
    pairs = [(np.mean([ss[i] for i in item]), np.mean([lms[i] for i in item])) for item in drawn.tolist()]
    icat = [both * min(side, 100 - side) / 50 for side, both in pairs]
    assert (found.icat.ci_low, found.icat.ci_high) == pytest.approx(tuple(np.quantile(icat, (0.025, 0.975))))


@pytest.mark.parametrize("terms", [["a"] * 5, list("abcde")])
def test_fewer_than_six_terms_have_no_interval(terms: list[str]) -> None:
    found = stereoset(STEREOTYPE, OPPOSITE, UNRELATED, terms=terms, seed=0)
    assert values(found) == pytest.approx((60, 90, 72))
    assert np.isnan([found.ss.ci_low, found.ss.ci_high, found.icat.ci_low, found.icat.ci_high]).all()


def test_pieces_by_hand() -> None:
    ln_p = np.log([0.5, 0.02])
    assert pooled(ln_p, "log probability") == pytest.approx(math.log(0.1))  # √(.5 · .02)
    assert pooled(ln_p, "probability") == pytest.approx(0.26)
    assert pooled(ln_p[:1], "log probability") == pytest.approx(math.log(0.5))


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="items does not exist; choose terms or pairs"):
        stereoset(STEREOTYPE, OPPOSITE, UNRELATED, terms=EACH, average="items", seed=0)
    with pytest.raises(ValueError, match="1 item or more"):
        stereoset(STEREOTYPE, OPPOSITE, UNRELATED, terms=EACH[:4], seed=0)
    with pytest.raises(ValueError, match="1 item or more"):
        stereoset(np.zeros(0), np.zeros(0), np.zeros(0), terms=(), seed=0)
    with pytest.raises(ValueError, match="not a number"):
        stereoset(STEREOTYPE, OPPOSITE, np.full(5, math.nan), terms=EACH, seed=0)
    with pytest.raises(OptionError, match="cannot be pooled by sum"):
        pooled(np.array([-1.0]), "sum")
    with pytest.raises(ValueError, match="at least 1 token"):
        pooled(np.zeros(0), "probability")
