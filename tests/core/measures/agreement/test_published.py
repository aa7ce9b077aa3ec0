"""The published matrix of metrics: from stored values, and told apart from what is measured."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import shelf
from core.errors import OptionError
from core.measures.agreement.compute import PUBLISHED, published
from core.measures.agreement.correlating import correlate
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.measures.shared import provenance
from core.report.frames import to_json
from core.report.methods import methods_paragraph
from core.sources.measured import published_columns
from tests.support.reference import table
from tests.support.watching import load_tiny

TEMPLATES = "seat-templates-bert-base-uncased"

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


# Means over T1 to T11 of the effect sizes in the notebooks, from the notebooks' own files and not from the shelf.
# In order: BERT base and large, RoBERTa base, DistilBERT, multilingual BERT.
MEANS = {
    "[CLS] in templates (SEAT)": [0.903205, 0.517609, 1.150959, 0.76511, 0.395628],
    "[CLS], no context": [0.586886, 0.040473, -0.154225, 0.915775, 0.019882],
    "pooled, no context": [0.624534, -0.30367, 0.045648, 0.565342, 0.004515],
    "pooled in templates": [0.844692, 0.759679, 0.756952, 0.586787, 0.557663],
    "first token in templates (Tan & Celis)": [0.642853, 0.622108, 0.578971, 0.673112, 0.450213],
    "layers 1–4, no context (Lauscher, after Vulić)": [0.998898, 0.943701, 1.048917, 0.77644, 0.362717],
}
MODELS = (
    "google-bert/bert-base-uncased",
    "google-bert/bert-large-uncased",
    "FacebookAI/roberta-base",
    "distilbert/distilbert-base-uncased",
    "google-bert/bert-base-multilingual-uncased",
)


def test_its_values_are_the_means_over_the_templates_of_the_stored_effect_sizes() -> None:
    found = {column.name: column.values for column in published_columns().columns}
    assert found == {name: tuple(zip(MODELS, means, strict=True)) for name, means in MEANS.items()}


def matrix(figure: str) -> dict[tuple[str, str], float]:
    """The cells above the diagonal of a stored matrix between T1 and T11."""
    ((_, size, upper),) = table("delobelle_correlations").query("file.str.endswith(@figure)").itertuples(index=False)
    names = [f"T{place}" for place in range(1, size + 1)]
    cells = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
    return dict(zip(cells, map(float, upper.split()), strict=True))


@pytest.mark.parametrize(
    ("representation", "figure"),
    [
        ("cls-in-templates", "/1_seat_CLS_embeddings.json"),
        ("first-piece-in-templates", "/5_seat_SWP_first_embeddings.json"),
    ],
)
def test_the_shelf_gives_the_matrices_of_templates_that_the_authors_print(representation: str, figure: str) -> None:
    pairs = shelf.result(TEMPLATES)["pairs"].query("representation == @representation")
    found = {(row.a, row.b): row.r for row in pairs.itertuples()}
    assert found == pytest.approx(matrix(figure), abs=1e-5)
    assert set(pairs["n"]) == {20}


def test_five_models_of_the_shelf_are_five_points() -> None:
    ids = [entry.id for entry in shelf.entries() if entry.inputs.get("compare") == "metrics"]
    result = AgreementSpec(models=(), compare="metrics", published=ids).run()
    assert result.n_models == 5
    rows = table("delobelle_effect_sizes").query("experiment == 'models'")
    # Of each representation the mean over T1 to T8, which the metrics here read.
    expected = {
        (model, metric): rows[(rows["model"] == model) & (rows["representation"] == kind)]
        .iloc[0][[f"T{place}" for place in range(1, 9)]]
        .mean()
        for model in rows["model"].unique()
        for kind, metric in (
            ("cls-in-templates", "seat"),
            ("first-piece-in-templates", "tan-celis"),
            ("vulic", "lauscher"),
        )
    }
    points = result["points"]
    found = {(row.model.removesuffix(" (published)"), row.name): row.value for row in points.itertuples(index=False)}
    assert found == pytest.approx(expected)
    values = points.pivot(index="point", columns="name", values="value")
    row = result["pairs"].query("a == 'seat' and b == 'lauscher'").iloc[0]
    assert row["r"] == pytest.approx(np.corrcoef(values["seat"], values["lauscher"])[0, 1])


def made(spec: AgreementSpec, points: list[dict[str, Any]], names: list[str]) -> AgreementResult:
    """A result as if it had been measured."""
    rows = [{"name": name, "title": name, "source": ""} for name in names]
    pairs, undefined = correlate(pd.DataFrame(points), rows, spec)
    return AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(pairs=pairs, points=points, names=rows),
        excluded=tuple(undefined),
        notes=(),
        provenance=provenance.of([load_tiny("bert").info], data=(), seed=0),
    )


def test_published_models_are_further_points_of_the_metrics_that_were_measured() -> None:
    points = [{"model": "bert", "representation": None, "name": "seat", "point": 1, "value": 0.5}]
    base = AgreementSpec(compare="metrics", metrics=("seat",))
    before = made(base, points, ["seat"])
    both = replace(base, published=("seat-bert-base-uncased", "seat-distilbert-base-uncased")).finish(before)
    assert both["points"]["point"].tolist() == [1, 2, 3]
    assert both["points"]["name"].tolist() == ["seat"] * 3
    assert both["points"].iloc[:1].equals(before["points"])
    assert both.models == ("bert", "bert-base-uncased (published)", "distilbert-base-uncased (published)")


def test_beside_a_measured_model_stand_the_representations_that_are_the_same() -> None:
    kinds = ("cls-in-templates", "pooled-in-templates")
    base = AgreementSpec(compare="templates", draws="authors", representations=kinds)
    points = [
        {
            "model": "bert",
            "representation": kind,
            "name": name,
            "point": point,
            "value": (place * point) % 7 + 0.1 * place,
        }
        for kind in kinds
        for place, name in enumerate(base.texts, 1)
        for point in range(1, 21)
    ]
    before = made(base, points, list(base.texts))
    both = replace(base, published=(TEMPLATES,)).finish(before)
    assert both.pairs("bert").equals(before.pairs("bert"))
    theirs = both.pairs("bert-base-uncased (published)")
    assert set(theirs["representation"]) == {"cls-in-templates"}
    assert any("one token more than a word has" in item.why for item in both.excluded)
    alone = shelf.result(TEMPLATES).pairs(representation="cls-in-templates")
    assert theirs["r"].tolist() == alone["r"].tolist()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "How subsets are drawn: as the paper’s authors drew them there, by the seed here"),
        ({"draws": "authors", "subsets": 30}, "Subsets of professions: 20 there, 30 here"),
        ({"draws": "authors", "compare": "representations"}, "What is compared with each other: templates there"),
        ({"draws": "authors", "templates": ("This is _.", "The _ is here.")}, "your own here"),
        ({"compare": "metrics", "published": "seat-roberta-base"}, "is not known"),
        (
            {"compare": "metrics", "metrics": ("lpbs",), "published": "seat-bert-base-uncased"},
            "none of what is compared",
        ),
    ],
)
def test_what_is_not_comparable_is_refused_with_the_reason(options: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        AgreementSpec(**{"published": TEMPLATES, **options})


def test_over_models_any_number_can_be_chosen() -> None:
    ids = [f"seat-{name}" for name in ("bert-base-uncased", "bert-large-uncased", "distilbert-base-uncased")]
    spec = AgreementSpec(compare="metrics", models=("a", "b", "c"), published=ids)
    assert [part.published for part in spec.base.parts] == [(), (), ()]
    with pytest.raises(OptionError, match="5 models chosen, with the published ones; 1 to 4 can be compared"):
        AgreementSpec(models=("a", "b", "c", "d"), draws="authors", published=TEMPLATES)
