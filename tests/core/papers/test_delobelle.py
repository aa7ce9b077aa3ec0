"""The cards of Delobelle et al. 2022: their numbers from stored effect sizes, and what a result gives beside them."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from core.measures.agreement.choices import Compared
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.measures.shared.representations import representation_by_id
from core.papers.card import Card
from core.papers.comparison import compared, remarks
from core.papers.registry import card
from core.result import ModelInfo
from core.run import Run
from core.spec import File
from tests.support.agreement_results import CLS, NOBODY, agreement_result, pairs, points
from tests.support.occupation_results import bios_table, occupation_result
from tests.support.paths import SHARED
from tests.support.reference import skip, table
from tests.support.watching import load_tiny

TEMPLATES = [f"T{i}" for i in range(1, 12)]
SUBSETS, MODELS = "sublist correlations/", "LM_correlations/"
# The authors' files of effect sizes by representation, in the order of their matrix.
FILES = {
    "cls-in-templates": ("1_seat_CLS_embeddings", "seat_CLS_templates_Language_models"),
    "cls-no-context": ("2_seat_no_context_cls_embeddings", "2_seat_no_context_templates_Language_models"),
    "pooled-no-context": ("3_seat_no_context_pooled_embeddings", "3_seat_no_context_pooled_templates_Language_models"),
    "pooled-in-templates": ("4_seat_SWP_pooled_embeddings", "4_seat_SWP_pooled_templates_Language_models"),
    "first-piece-in-templates": ("5_seat_SWP_first_embeddings", "5_seat_SWP_Language_models"),
    "vulic": ("6_seat_vulic_templates_Language_models", "6_seat_vulic_templates_Language_models"),
}
FIGURES = ("2a", "2b", "3")
SHARED_RESULTS = SHARED / "data" / "reference" / "biased_rulers_results.json"
SHARED_TABLE = SHARED / "data" / "words" / "delobelle_table4.csv"


def effects(representation: str, part: str) -> pd.DataFrame:
    """d [subset or model, template]."""
    file = f"{part}correlation between embedding types/{FILES[representation][part == MODELS]}.json"
    rows = table("delobelle_effect_sizes")
    rows = rows[rows["file"] == file]
    assert len(rows) == (5 if part == MODELS else 20)
    return rows.set_index("model" if part == MODELS else "unit")[TEMPLATES]


def columns(figure: str) -> pd.DataFrame:
    """What a figure correlates, a column each, by the name it has there."""
    if figure == "3":
        means = {name: effects(name, SUBSETS).mean(axis=1) for name in FILES}
        return pd.DataFrame(means).rename(columns=lambda name: representation_by_id(name).title)
    return effects({"2a": "cls-in-templates", "2b": "first-piece-in-templates"}[figure], SUBSETS)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_matrix_is_that_of_the_stored_effect_sizes(figure: str) -> None:
    *values, significant = card(f"delobelle-figure-{figure}").values
    stored = columns(figure)
    found = {f"{a} and {b}": pearsonr(stored[a], stored[b]) for a, b in combinations(stored.columns, 2)}
    assert [value.row for value in values] == list(found)
    for value in values:
        assert value.number == pytest.approx(found[value.row].statistic, abs=1e-5)  # nine digits are stored
        assert value.references["stored effect sizes"] == pytest.approx(found[value.row].statistic, abs=1e-6)
    # Significant at .05 is the same as above the critical r of 20 points, as a printed table has it.
    by_p = sum(item.pvalue < 0.05 for item in found.values())
    assert by_p == sum(abs(item.statistic) > 0.4438 for item in found.values())
    assert significant.references["stored effect sizes"] == f"{by_p} of {len(found)}"


def test_two_runs_of_the_authors_are_within_the_tolerance() -> None:
    """The tolerance of the figures rests on this: 5 · 10⁻⁶ in d, 2 · 10⁻⁶ in r."""
    again, first = table("delobelle_repeated")["T1"].to_numpy(), effects("cls-in-templates", SUBSETS)
    assert 4e-6 < np.abs(again - first["T1"].to_numpy()).max() < 5.5e-6
    moved = [
        pearsonr(again, first[name]).statistic - pearsonr(first["T1"], first[name]).statistic for name in TEMPLATES
    ]
    assert np.abs(moved[1:]).max() < 1e-5
    assert card("delobelle-figure-2a").tolerances == {"r": 0.001}


def test_what_reads_no_template_is_the_same_in_all() -> None:
    for name in ("cls-no-context", "pooled-no-context", "vulic"):
        for part in (SUBSETS, MODELS):
            assert np.ptp(effects(name, part).to_numpy(), axis=1).max() == 0


def test_figure_4_of_the_stored_values() -> None:
    """A metric in templates is the mean over T1 to T8, as the metrics of this program are."""
    found = card("delobelle-figure-4")
    kinds = {
        "SEAT, [CLS]": "cls-in-templates",
        "Tan & Celis": "first-piece-in-templates",
        "Lauscher, layers 1–4": "vulic",
    }
    means = {title: effects(kind, MODELS)[TEMPLATES[:8]].mean(axis=1) for title, kind in kinds.items()}
    stored = {value.key: value.references["stored values"] for value in found.values}
    for title, mean in means.items():
        assert {model: stored[title, model] for model in mean.index} == pytest.approx(mean.to_dict(), abs=1e-6)
        assert stored[title, "any other model"] is None
    gaps = {model: stored["Bias in Bios", f"mean |gap| of {model}"] for model in means["Tan & Celis"].index}
    columns = pd.DataFrame({**means, "Bias in Bios": gaps})
    for a, b in combinations(columns, 2):
        r = pearsonr(columns[a], columns[b]).statistic
        assert stored[f"{a} and {b}", "r over five models"] == pytest.approx(r, abs=2e-5)
        assert abs(r) < 0.8783, "none is significant, as the card says"
    assert len(stored) == 4 * 6 + 6


def test_the_gaps_are_those_of_the_notebooks() -> None:
    if not SHARED_RESULTS.is_file():
        skip("the outputs of Delobelle et al.")
    stored = json.loads(SHARED_RESULTS.read_text(encoding="utf-8"))["biasinbios_tpr_diff"]
    values = {value.key: value.references["stored values"] for value in card("delobelle-figure-4").values}
    for model, gaps in stored.items():
        assert values["Bias in Bios", f"mean |gap| of {model}"] == pytest.approx(gaps["mean_abs"], abs=1e-6)


def test_table_4_is_the_printed_one() -> None:
    if not SHARED_TABLE.is_file():
        skip("Table 4 of Delobelle et al.")
    names = {"kl_full_nats": "whole vocabulary", "kl_gendered_nats": "gendered words"}
    printed = {value.key: value.number for value in card("delobelle-table-4").values}
    with SHARED_TABLE.open(encoding="utf-8") as file:
        stored = {
            (line["id"], title): float(line[name])
            for line in csv.DictReader(file)
            for name, title in names.items()
            if line[name]
        }
    assert printed == stored
    assert len(printed) == 20


def test_the_templates_of_table_2_are_those_that_are_used() -> None:
    rows = compared(card("delobelle-table-2"))
    assert [item.value.row for item in rows] == TEMPLATES
    assert [item.obtained for item in rows] == [item.value.printed for item in rows]


def as_drawn(*tables: Any) -> AgreementResult:
    """A result over the subsets of the authors."""
    found = agreement_result(*tables)
    return replace(found, spec=replace(found.spec, draws="authors", templates=AgreementSpec().templates))


def test_pairs_are_named_and_the_significant_ones_are_counted() -> None:
    """Of three pairs one does not vary, and one of the other two is significant."""
    found = card("delobelle-figure-2a").obtained(as_drawn(pairs(representation=CLS)), "m")
    assert found == {
        ("T1 and T2", "r"): 0.91,
        ("T1 and T10", "r"): -0.12,
        ("pairs of templates", "significant at .05"): "1 of 2",
    }
    assert not card("delobelle-figure-2a").obtained(as_drawn(pairs(representation=CLS)), "another")
    assert not card("delobelle-figure-2b").obtained(as_drawn(pairs(representation=CLS)), "m")
    of_others = pairs({("own 1", "own 2"): (0.5, 0.02, 20)}, representation=CLS)
    assert not card("delobelle-figure-2a").obtained(as_drawn(of_others), "m")
    of_kinds = pairs({("cls-in-templates", "vulic"): (0.5, 0.02, 20)}, representation=None)
    assert card("delobelle-figure-3").obtained(as_drawn(of_kinds), "m") == {
        ("[CLS] in templates and Vulić: layers 1–4, no context", "r"): 0.5,
        ("pairs of representations", "significant at .05"): "1 of 1",
    }


def test_other_draws_or_another_method_do_not_stand_beside_the_print() -> None:
    """The page's own subsets move every r by chance, and so does another kind of correlation."""
    figure, found = card("delobelle-figure-2a"), as_drawn(pairs(representation=CLS))
    assert figure.measured([found])["m"]
    for change in ({"draws": "seed"}, {"method": "spearman"}):
        assert not figure.measured([replace(found, spec=replace(found.spec, **change))]), change


def test_a_metric_stands_in_the_column_of_its_model() -> None:
    infos = tuple(
        ModelInfo(name, id, None, "sha256:0", "bert", "masked", 2, 2, 1, ("en",), False, "f", "c", "d")
        for name, id in (("m", "distilbert/distilbert-base-uncased"), ("n", "me/bert"))
    )
    found = agreement_result(
        pairs({}),
        points({"seat": [0.5, 0.7], "lauscher": [0.25], "disco": [3.0]}, models=("m", "n")),
        compare=Compared.METRICS,
        provenance=replace(NOBODY, models=infos),
    )
    four = card("delobelle-figure-4")
    distilbert = "distilbert-base-uncased"
    assert four.obtained(found, "m") == {("SEAT, [CLS]", distilbert): 0.5, ("Lauscher, layers 1–4", distilbert): 0.25}
    assert four.obtained(found, "n") == {("SEAT, [CLS]", "any other model"): 0.7}
    # .757712 and .77644 are stored: −.257712 and −.52644 are no agreement; of another model that is no question.
    agree = {
        (item.model, item.value.column): item.agrees for item in compared(four, [found]) if item.obtained is not None
    }
    assert agree == {("m", distilbert): False, ("n", "any other model"): None}


def test_a_saved_result_of_the_task_stands_beside_the_stored_gaps() -> None:
    info = ModelInfo(
        "m", "FacebookAI/roberta-base", None, "sha256:0", "roberta", "masked", 2, 2, 1, ("en",), False, "f", "c", "d"
    )
    task = occupation_result(
        {"nurse": (0.25, 90.0), "dj": (-0.2, 10.0)},  # mean |gap| .225
        biographies=(File.of("bios.csv", bios_table()),),
        provenance=replace(NOBODY, models=(info,)),
    )
    found = [item for item in compared(card("delobelle-figure-4"), [task]) if item.obtained is not None]
    assert [(item.value.key, item.obtained) for item in found] == [
        (("Bias in Bios", "mean |gap| of roberta-base"), 0.225)
    ]
    assert found[0].of == "another classifier on your own biographies"
    assert (found[0].agrees, found[0].difference) == (None, None)
    assert replace(found[0], value=replace(found[0].value, printed="0.2")).difference is None
    (said,) = remarks(card("delobelle-figure-4"), [task])
    assert said.startswith("Obtained from another classifier on your own biographies (bios.csv (SHA-256 ")
    both = agreement_result(
        pairs({}), points({"seat": [0.5]}, models=("m",)), compare=Compared.METRICS, provenance=task.provenance
    )
    assert len(card("delobelle-figure-4").measured([task, both])["m"]) == 2
    demonstration = occupation_result({"nurse": (0.25, 90.0)}, provenance=replace(NOBODY, models=(info,)))
    assert not card("delobelle-figure-4").obtained(demonstration, "m")


def test_a_divergence_that_was_not_computed_is_left_out() -> None:
    rows = [
        {"model": "m", "template": "T2", "base": "T1", "kl_full": 0.7, "kl_gendered": np.nan},
        {"model": "n", "template": "T2", "base": "T1", "kl_full": 0.9, "kl_gendered": 0.1},
        {"model": "m", "template": "T3", "base": "T2", "kl_full": 0.8, "kl_gendered": 0.1},
    ]
    spec = AgreementSpec(compare=Compared.DIVERGENCE)
    result = AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(divergence=rows),
        excluded=(),
        notes=(),
        provenance=agreement_result().provenance,
    )
    assert card("delobelle-table-4").obtained(result, "m") == {("T2", "whole vocabulary"): 0.7}


def test_the_figures_draw_the_authors_subsets_and_nothing_else_differs_from_the_page() -> None:
    for figure in FIGURES:
        found = card(f"delobelle-figure-{figure}")
        assert found.asks is not None
        (asked,) = found.asks(("minilm-mlm",))
        spec = asked.spec
        assert isinstance(spec, AgreementSpec)
        assert (spec.draws, spec.subsets, spec.drawn, spec.method) == ("authors", 20, 10, "pearson")


@pytest.mark.parametrize("id", ["table-4", *(f"figure-{figure}" for figure in (*FIGURES, "4"))])
def test_a_run_gives_every_value_that_a_model_can(id: str) -> None:
    found: Card = card(f"delobelle-{id}")
    assert found.asks is not None
    results = [asked.spec.measure([load_tiny("bert")], Run()) for asked in found.asks(("minilm-mlm",))]
    rows = compared(found, results)
    assert rows[0].model
    obtained = [item.value.key for item in rows if item.obtained is not None]
    others = [(name, "any other model") for name in ("SEAT, [CLS]", "Tan & Celis", "Lauscher, layers 1–4")]
    wanted = [value.key for value in found.values if id != "figure-4" or value.key in others]
    assert obtained == wanted
