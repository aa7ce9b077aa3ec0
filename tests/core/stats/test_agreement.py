"""Correlations of items with each other, and the stored matrices of Delobelle et al. 2022."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from core.errors import OptionError
from core.stats.agreement import cluster_order, correlations, critical_r
from core.stats.correlation import pearson, spearman
from tests.support.reference import table

FloatArray = NDArray[np.float64]

TEMPLATES = [f"T{i}" for i in range(1, 12)]
NAN = math.nan


def test_by_hand() -> None:
    # Sxy = 5.5, Sxx = 5, Syy = 8.75 for the first two; the third is the first upside down.
    points = np.array([[1.0, 1, -1], [2, 3, -2], [3, 2, -3], [4, 5, -4]])
    r = 5.5 / math.sqrt(5 * 8.75)
    found = correlations(points, method="pearson")
    np.testing.assert_allclose(found.r, [[1, r, -1], [r, 1, -r], [-1, -r, 1]], atol=1e-12)
    # t = r √(2 / (1 − r²)) with 2 degrees of freedom has the two-sided p 1 − t / √(2 + t²) = 1 − r.
    np.testing.assert_allclose(found.p, [[NAN, 1 - r, 0], [1 - r, NAN, 1 - r], [0, 1 - r, NAN]], atol=1e-7)
    np.testing.assert_array_equal(found.n, np.full((3, 3), 4))
    assert found.n.dtype == np.int64
    ranked = correlations(points, method="spearman")
    np.testing.assert_allclose(ranked.r[0], [1, 0.8, -1], atol=1e-12)  # 1 − 6 · 2 / (4 · 15)


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_a_pair_gets_what_it_gets_alone(method: str) -> None:
    points = np.random.default_rng(0).normal(size=(9, 3))
    found = correlations(points, method=method)
    alone = pearson(points[:, 0], points[:, 2]) if method == "pearson" else spearman(points[:, 0], points[:, 2], seed=5)
    assert alone is not None
    for cell in ((0, 2), (2, 0)):
        assert found.r[cell] == pytest.approx(alone.r)
        assert (found.p[cell], found.n[cell]) == (pytest.approx(alone.p), 9)
    assert np.isnan(np.diagonal(found.p)).all()


def test_missing_points_leave_a_pair_what_both_have() -> None:
    points = np.random.default_rng(1).normal(size=(8, 3))
    points[:2, 0] = NAN
    points[7, 1] = NAN
    points[2:6, 2] = NAN
    found = correlations(points, method="pearson")
    np.testing.assert_array_equal(found.n, [[6, 5, 2], [5, 7, 3], [2, 3, 4]])
    assert found.r[0, 1] == pytest.approx(np.corrcoef(points[2:7, 0], points[2:7, 1])[0, 1])
    assert np.isnan([found.r[0, 2], found.r[1, 2], found.p[0, 2]]).all()
    np.testing.assert_array_equal(np.diagonal(found.r), [1, 1, 1])


def test_no_variation_and_too_few_points_are_never_a_number() -> None:
    points = np.random.default_rng(2).normal(size=(6, 3))
    points[:, 1] = [0.3, 0.1 + 0.2, 0.3, 0.3, 0.3, 0.3]  # differs by rounding
    found = correlations(points, method="pearson")
    assert np.isnan(found.r[1]).all()
    assert np.isnan(found.r[:, 1]).all()
    assert np.isfinite(found.r[np.ix_([0, 2], [0, 2])]).all()
    np.testing.assert_array_equal(found.n, np.full((3, 3), 6))
    few = correlations(np.random.default_rng(3).normal(size=(3, 2)), method="pearson")
    assert np.isnan([few.r, few.p]).all()
    nothing = correlations(np.full((5, 2), NAN), method="spearman")
    assert np.isnan(nothing.r).all()
    np.testing.assert_array_equal(nothing.n, np.zeros((2, 2)))


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="no method “kendall”; choose pearson or spearman"):
        correlations(np.zeros((5, 2)), method="kendall")
    with pytest.raises(ValueError, match="finite"):
        correlations(np.array([[math.inf, 1.0]] * 5), method="pearson")
    with pytest.raises(ValueError, match="point, item"):
        correlations(np.zeros(5), method="pearson")


def test_critical_r() -> None:
    assert critical_r(20) == pytest.approx(0.4438, abs=5e-5)
    assert critical_r(5) == pytest.approx(0.8783, abs=5e-5)
    # Two degrees of freedom: p = 1 − |r|, so |r| = .99 has p = .01.
    assert critical_r(4, alpha=0.01) == pytest.approx(0.99)
    with pytest.raises(ValueError, match="2 points"):
        critical_r(2)


def test_what_agrees_stands_together() -> None:
    r = np.full((6, 6), 0.1)
    for block in ([0, 2, 4], [1, 3, 5]):
        r[np.ix_(block, block)] = 0.9
    np.fill_diagonal(r, 1)
    order = cluster_order(r)
    assert sorted(map(sorted, (order[:3], order[3:]))) == [[0, 2, 4], [1, 3, 5]]
    assert cluster_order(r) == order


def test_average_linkage_by_hand() -> None:
    # 0–1 join at .1. 2 is .5 from 0 and .9 from 1, .7 on average; 2–3 are .6 apart, so they join first. (By nearest
    # neighbours 2 would go to 0 and 1 before 3 does.)
    r = 1 - np.array([[0, 0.1, 0.5, 0.95], [0.1, 0, 0.9, 0.95], [0.5, 0.9, 0, 0.6], [0.95, 0.95, 0.6, 0]])
    order = cluster_order(r)
    assert sorted(map(sorted, (order[:2], order[2:]))) == [[0, 1], [2, 3]]


def test_undefined_items_come_last() -> None:
    r = np.eye(5)
    r[np.ix_([1, 2, 4], [1, 2, 4])] = [[1, -0.5, 0.9], [-0.5, 1, -0.4], [0.9, -0.4, 1]]
    for item in (0, 3):
        r[item] = r[:, item] = NAN
    r[3, 3] = 1  # it varies, but shares too few points with any other
    order = cluster_order(r)
    assert order[3:] == [0, 3]
    assert order[:3] in ([1, 4, 2], [4, 1, 2], [2, 1, 4], [2, 4, 1])
    assert cluster_order(np.full((2, 2), NAN)) == [0, 1]
    assert cluster_order(np.array([[1, 0.2], [0.2, 1]])) == [0, 1]


def test_a_pair_without_r_counts_as_none() -> None:
    r = np.array([[1, NAN, 0.8], [NAN, 1, -0.3], [0.8, -0.3, 1]])
    assert cluster_order(r) == cluster_order(np.nan_to_num(r, nan=0.0))


@cache
def _effects() -> pd.DataFrame:
    return table("delobelle_effect_sizes")


def _stored() -> dict[str, FloatArray]:
    """The authors' matrices by the file of effect sizes, or by the notebook, that they are of."""
    stored = {}
    for file, size, upper in table("delobelle_correlations").itertuples(index=False):
        matrix = np.eye(size)
        pairs = np.triu_indices(size, 1)
        matrix[pairs] = matrix.T[pairs] = [float(r) for r in upper.split()]
        stored[file] = matrix
    assert len(stored) == 15
    return stored


def test_stored_matrices_between_templates() -> None:
    """T1 to T11, over 20 subsets or, under LM_correlations, over 5 models; two more are with the paper's cards."""
    stored = {key: matrix for key, matrix in _stored().items() if "#" not in key}
    assert len(stored) == 14
    for key, matrix in stored.items():
        rows = _effects()[_effects()["file"] == key]
        found = correlations(rows[TEMPLATES].to_numpy(), method="pearson")
        np.testing.assert_allclose(found.r, matrix, atol=1e-5, err_msg=key)
        points = 5 if key.startswith("LM_correlations") else 20
        np.testing.assert_array_equal(found.n, np.full((11, 11), points))
        if "no_context" in key or "vulic" in key:
            # Without a context the template changes nothing: the columns are one column, which does vary.
            np.testing.assert_allclose(found.r, 1)


def test_the_stored_matrix_between_representations() -> None:
    """d averaged over the templates first. The six files are rulers 1 to 6; ruler 1's has no number."""
    points = 5
    ((_, matrix),) = [(key, value) for key, value in _stored().items() if "#" in key]
    rows = _effects()[_effects()["file"].str.startswith("LM_correlations/correlation between embedding types/")]
    means = rows.assign(mean=rows[TEMPLATES].mean(axis=1)).pivot(index="unit", columns="file", values="mean")
    files = sorted(means.columns, key=lambda file: (file.rsplit("/")[-1].startswith(tuple("23456")), file))
    found = correlations(means[files].to_numpy(), method="pearson")
    np.testing.assert_allclose(found.r, matrix, atol=1e-5)
    np.testing.assert_array_equal(found.n, np.full((6, 6), points))
    # Bold in the paper: significant at .05 is the same as above the critical r.
    pairs = np.triu_indices(6, 1)
    np.testing.assert_array_equal(found.p[pairs] < 0.05, np.abs(found.r[pairs]) > critical_r(points))
