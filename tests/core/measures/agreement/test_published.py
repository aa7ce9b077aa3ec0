"""The published matrix of metrics: from stored values, and told apart from what is measured."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.measures.agreement.compute import PUBLISHED, published
from core.report.frames import to_json
from core.report.methods import methods_paragraph
from core.sources.measured import published_columns
from tests.support.reference import table

# By ways of reading the professions: [CLS] in templates, [CLS] alone, pooled alone, pooled in templates, the first
# piece in templates, Vulić. As the authors' notebook prints it (correlation_analysis_LMs, six digits).
PRINTED = [
    [1.0, 0.055901, 0.407183, 0.536933, 0.447913, 0.749394],
    [0.055901, 1.0, 0.84149, -0.133141, 0.653048, 0.033993],
    [0.407183, 0.84149, 1.0, 0.046613, 0.477071, 0.118098],
    [0.536933, -0.133141, 0.046613, 1.0, 0.451759, 0.846249],
    [0.447913, 0.653048, 0.477071, 0.451759, 1.0, 0.732555],
    [0.749394, 0.033993, 0.118098, 0.846249, 0.732555, 1.0],
]


def test_the_matrix_is_the_one_the_authors_print() -> None:
    result = published()
    names = list(result.names)
    for a, b, r, p, n in result["pairs"][["a", "b", "r", "p", "n"]].itertuples(index=False):
        assert n == 5
        assert r == pytest.approx(PRINTED[names.index(a)][names.index(b)], abs=1e-5)  # six digits are stored
        assert np.isnan(p)  # five are fewer than the six that a p takes
    assert len(result["pairs"]) == 15
    assert [item.why for item in result.excluded] == [
        "correlations: p not computed, n too small (5 of at least 6 points)."
    ]
    # .8783 is that of the paper for five models; none of its 15 pairs passes it.
    assert result.critical[5] == pytest.approx(0.8783, abs=1e-4)
    assert result["pairs"]["r"].abs().max() < 0.8783


def test_it_never_passes_for_a_measurement() -> None:
    result = published()
    assert result.provenance.models == ()
    assert result.notes[0].text == PUBLISHED
    assert "Delobelle et al. 2022" in result.provenance.data[0]
    methods = methods_paragraph(result)
    assert PUBLISHED in methods
    assert "5 models" in methods
    assert "Model:" not in methods
    assert "Models:" not in methods
    assert json.loads(to_json(result))["provenance"]["models"] == []


def test_its_values_are_the_means_over_the_templates_of_the_stored_effect_sizes() -> None:
    rows = table("delobelle_effect_sizes")
    rows = rows[(rows["experiment"] == "models") & rows["file"].str.contains("embedding types")]
    means = rows[[f"T{i}" for i in range(1, 12)]].mean(axis=1).round(6)
    found = {round(value, 6) for column in published_columns().columns for _, value in column.values}
    assert found == set(means)
    assert len(means) == 30
