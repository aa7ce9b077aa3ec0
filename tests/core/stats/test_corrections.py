from __future__ import annotations

import numpy as np
import pytest

from core.stats.corrections import benjamini_hochberg


def test_worked_by_hand() -> None:
    # Sorted .01 .03 .04 times 3 over rank: .03, .045, .04; the middle one may not exceed the last: .04.
    np.testing.assert_allclose(benjamini_hochberg([0.01, 0.04, 0.03]), [0.03, 0.04, 0.04])


def test_missing_values_do_not_count() -> None:
    # Family of two: .01 × 2 / 1 and .04 × 2 / 2.
    np.testing.assert_allclose(benjamini_hochberg([np.nan, 0.04, np.nan, 0.01]), [np.nan, 0.04, np.nan, 0.02])


def test_nothing_to_adjust() -> None:
    assert benjamini_hochberg([]).shape == (0,)
    assert np.isnan(benjamini_hochberg([np.nan, np.nan])).all()


@pytest.mark.parametrize("shape", [(1,), (40,), (6, 5), ()])
def test_by_definition_in_the_shape_given(shape: tuple[int, ...]) -> None:
    """The least of p · family / rank over all p that are no smaller."""
    p = np.random.default_rng(1).uniform(size=shape) ** 2
    family = np.ravel(p).tolist()
    scaled = {member: member * len(family) / sum(other <= member for other in family) for member in family}
    expected = [min(scaled[other] for other in family if other >= item) for item in family]
    np.testing.assert_allclose(benjamini_hochberg(p), np.reshape(expected, shape))


def test_invariants() -> None:
    p = np.round(np.random.default_rng(2).uniform(size=50), 2)  # with ties
    adjusted = benjamini_hochberg(p)
    order = np.argsort(p)
    assert (np.diff(adjusted[order]) >= 0).all()
    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()
    np.testing.assert_allclose(benjamini_hochberg(p[::-1]), adjusted[::-1])
    np.testing.assert_allclose(benjamini_hochberg([1.0, 1.0, 1.0]), 1.0)


@pytest.mark.parametrize("wrong", [-0.1, 1.1])
def test_outside_zero_to_one_is_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        benjamini_hochberg([0.5, wrong])
