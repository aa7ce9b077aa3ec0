"""What is written about reliability: findings, paragraphs, tables and files."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from core.measures.agreement.choices import Compared
from core.measures.agreement.tables import agreement_table, divergence_table, stability_table
from core.measures.agreement.words import contributions_text, divergence_finding, few_models, points_text
from core.measures.agreement.words import finding as agreement_finding
from core.report.frames import to_csv, to_json
from core.report.methods import methods_paragraph, references
from core.result import Excluded, ModelInfo, Provenance
from tests.support.agreement_results import PAIRS, POOLED, agreement_result, divergence_result, pairs, points, stability

MODEL = ModelInfo(
    "minilm-mlm", "minilm-mlm", None, "sha256:" + "ab" * 32, "bert", "masked", 6, 12, 22_713_216, ("en",), False,
    "float32", "cpu", "sdpa",
)  # fmt: skip
NAMES = [("weat", "WEAT, input embedding"), ("lpbs", "LPBS")]


def metrics(count: int, r: float | None = 0.5) -> Any:
    """Two metrics over so many models."""
    known = r is not None
    rows = pairs({("weat", "lpbs"): (r, 0.3 if known else None, count)}, model=None, representation=None)
    detail = points(
        {"weat": [0.1] * count, "lpbs": [0.2] * count},
        models=[f"m{at}" for at in range(count)],
    )
    return agreement_result(rows, detail, compare=Compared.METRICS, names=NAMES)


def test_the_pair_that_disagrees_most_is_the_headline() -> None:
    found = agreement_finding(agreement_result())
    assert found.text == "T1 and T10 disagree most: r = −0.12 over 20 subsets."
    assert [phrase.text for phrase in found.headline if phrase.strong] == ["r = −0.12"]
    assert found.support == (
        "Of 2 pairs, 1 move together and 0 against each other with p < .05, not adjusted; r from −0.12 to +0.91. "
        "Significant: |r| > .44 with n = 20. 1 pair without a correlation; the list below says why."
    )


def test_templates_that_all_agree_agree_least_somewhere() -> None:
    found: Any = {("T1", "T2"): (0.8, 0.01, 20), ("T1", "T10"): (0.4, 0.08, 20)}
    assert (
        agreement_finding(agreement_result(pairs(found))).text == "T1 and T10 agree least: r = +0.40 over 20 subsets."
    )


def test_the_order_of_models_comes_first_where_it_was_resampled() -> None:
    words = stability("words", kept=0.0, flips=0.12, w=None, model="m")
    found = agreement_finding(agreement_result(stability=[words, stability()]))
    assert found.text == (
        "With these 11 templates the order of your 3 models holds in 92 % of resamples; 3 % of pairs flip."
    )
    assert found.support.startswith("T1 and T10 disagree most: r = −0.12 over 20 subsets. ")
    assert (
        "The order of the 3 professions holds in 0 % of resamples of the templates; 12 % of pairs flip."
        in found.support
    )


def test_of_several_representations_the_least_stable_is_named() -> None:
    both = [stability(), stability(kept=0.4, representation="cls-in-templates")]
    result = agreement_result(pd.concat([pairs(), pairs(representation="cls-in-templates")]), stability=both)
    assert "your 3 models by [CLS] in templates holds in 40 %" in agreement_finding(result).text
    assert "your 3 models holds in 92 %" in agreement_finding(result, representation="pooled-in-templates").text


def test_a_finding_can_be_of_one_model() -> None:
    other: Any = {("T1", "T2"): (-0.9, 0.001, 20)}
    result = agreement_result(pd.concat([pairs(), pairs(other, model="n")]))
    assert agreement_finding(result).text == "T1 and T2 disagree most: r = −0.90 over 20 subsets (n)."
    assert agreement_finding(result, "m").text == "T1 and T10 disagree most: r = −0.12 over 20 subsets."


def test_kendalls_w_is_named_where_there_is_one() -> None:
    result = agreement_result(stability=[stability("words", model="m")])
    assert (
        agreement_finding(result).support.split(" 1 pair without")[0].endswith("3 % of pairs flip, Kendall’s W 0.81.")
    )


@pytest.mark.parametrize(
    ("count", "warning"),
    [
        (6, ""),
        (5, "5 of at least 6 models: too few to say which metrics agree (p < .05 takes |r| above .88)."),
        (4, "4 of at least 6 models: too few to say which metrics agree (p < .05 takes |r| above .95)."),
        (3, "3 models: too few for a correlation; at least 4 are required."),
        (1, "1 model: too few for a correlation; at least 4 are required."),
    ],
)
def test_few_models_are_warned_of(count: int, warning: str) -> None:
    result = metrics(count, 0.5 if count >= 4 else None)
    assert few_models(result) == warning
    assert agreement_finding(result).support.endswith(warning)
    assert warning in methods_paragraph(result)


def test_without_a_bound_the_warning_still_stands() -> None:
    assert few_models(metrics(4, None)) == "4 of at least 6 models: too few to say which metrics agree."


def test_metrics_are_named_and_over_models() -> None:
    found = agreement_finding(metrics(6))
    assert found.text == "WEAT, input embedding and LPBS agree least: r = +0.50 over 6 models."
    few = agreement_finding(metrics(5))
    assert few.text == (
        "WEAT, input embedding and LPBS have the lowest correlation: r = +0.50 over 5 models, 5 of at least 6: too few "
        "to say."
    )
    assert few.support.startswith("r = +0.50, p = 0.300. 5 of at least 6 models")
    assert "p = 0.300" in found.support


def test_without_a_correlation_the_finding_points_to_the_reasons() -> None:
    nothing = agreement_result(pairs(dict.fromkeys(PAIRS, (None, None, 3))))
    assert agreement_finding(nothing).text == "No correlation could be computed; the list below says why."
    assert agreement_finding(agreement_result(pairs({}))).text.startswith("No correlation")


def test_the_furthest_template_is_the_headline_of_a_divergence() -> None:
    found = divergence_finding(divergence_result())
    assert found.text == ("T10 is furthest from T1: 5.50 nats over the whole vocabulary, 0.004 among 2 gendered words.")
    assert found.support.startswith("Nearest: T2, 0.22 nats, 0.032 among 2 gendered words. Divergence: ")


def test_a_divergence_names_the_model_where_there_are_several() -> None:
    result = divergence_result(models=("m", "n"))
    tables = {**result.tables, "divergence": result["divergence"].assign(kl_full=[1.0, 2.0, 3.0, 0.5])}
    result = replace(result, tables=tables)
    assert divergence_finding(result).text.startswith("In n, T2 is furthest from T1: 3.00 nats")
    assert "Nearest: T10, in n, 0.50 nats" in divergence_finding(result).support
    assert divergence_finding(result, "m").text.startswith("T10 is furthest from T1: 2.00 nats")


def test_a_divergence_without_gendered_words_or_without_any_number() -> None:
    assert divergence_finding(divergence_result({"T2": (0.5, None)})).text == (
        "T2 is furthest from T1: 0.50 nats over the whole vocabulary."
    )
    assert divergence_finding(divergence_result({"T2": (None, None)})).text.startswith("No divergence")


def test_agreement_table_starts_with_the_lowest_r() -> None:
    table = agreement_table(agreement_result())
    columns = ["model", "representation", "a", "b", "text a", "text b", "r", "p", "significant", "n"]
    assert list(table.columns) == columns
    assert list(zip(table["a"], table["b"], strict=True)) == [("T1", "T10"), ("T1", "T2"), ("T2", "T10")]
    assert table.loc[0, "text b"] == "The _ of the <b>."
    assert table["significant"].tolist()[:2] == [False, True]
    assert pd.isna(table.loc[2, "significant"])


def test_tables_of_metrics_have_titles_and_no_empty_columns() -> None:
    table = agreement_table(metrics(5))
    assert list(table.columns) == ["a", "b", "r", "p", "significant", "n"]
    assert table.loc[0, ["a", "b"]].tolist() == ["WEAT, input embedding", "LPBS"]


def test_stability_table_is_in_percent() -> None:
    table = stability_table(agreement_result(stability=[stability(), stability("words", w=None, model="m")]))
    first, second = table.to_dict("records")
    expected = {"of": "models", "order kept %": 92.0, "pairs flipped %": 3.0, "Kendall W": 0.81, "order": "a, b, c"}
    assert {name: first[name] for name in expected} == pytest.approx(expected)
    assert (first["templates"], first["resamples"], second["model"]) == (11, 1000, "m")
    assert math.isnan(second["Kendall W"])
    assert stability_table(agreement_result()).empty


def test_divergence_table_has_texts() -> None:
    table = divergence_table(divergence_result())
    assert table.to_dict("records")[0] == {
        "model": "m",
        "template": "T2",
        "text": "The _ is here.",
        "KL whole vocabulary": 0.218,
        "KL gendered words": 0.0321,
    }


PROVENANCE = Provenance(
    "Tiltmeter", (MODEL,), ("Delobelle et al. 2022, appendix B",), 0, (("torch", "2.13.0"),), "2026-01-01T00:00:00Z"
)


def described(result: Any) -> Any:
    return replace(result, provenance=PROVENANCE)


def test_the_paragraph_of_templates_says_how_points_were_made() -> None:
    left = (Excluded("m", "attribute", "midwife", "“midwife” is mid + ##wife, several pieces"),)
    result = agreement_result(stability=[stability()], excluded=left, method="spearman", subsets=30, drawn=8, seed=7)
    text = methods_paragraph(described(result))
    for part in (
        "3 templates were compared (Delobelle et al. 2022, appendix B; Delobelle et al. 2022): "
        "T1 “This is the _.”, T2 “The _ is here.”",
        "Model: minilm-mlm",
        "30 subsets of the professions, each 8 of X and 8 of Y drawn without replacement (seed 7)",
        "effect size d of the association test for each template (ddof 1",
        "Spearman's rank correlation, two-sided p not adjusted",
        "Significant at .05: |r| > .44 with n = 20.",
        "1,000 bootstraps of the 11 templates (seed 7)",
        "1 word was excluded: “midwife” is mid + ##wife, several pieces.",
        "References: Delobelle, P.",
        "Kendall, M. G.",
    ):
        assert part in text
    assert "  " not in text
    assert len(references(result)) == 3


def test_paragraphs_of_the_other_kinds() -> None:
    text = methods_paragraph(described(metrics(5)))
    assert "2 metrics were compared" in text
    assert "The points are 5 models" in text
    assert "subset" not in text
    assert len(references(metrics(5))) == 1
    representations = agreement_result(
        pairs({("weat", "lpbs"): (0.5, 0.3, 20)}, representation=None),
        compare=Compared.REPRESENTATIONS,
        names=NAMES,
    )
    text = methods_paragraph(described(representations))
    assert "for each representation, averaged over the templates" in text
    assert "bootstraps" not in text
    assert "Kendall" not in text


def test_the_paragraph_of_a_divergence() -> None:
    text = methods_paragraph(described(divergence_result()))
    assert "what it expects in T1 “This is the _.”" in text
    assert "KL(t ‖ T1) = sum over words w of t(w) ln(t(w) / T1(w)), in nats" in text
    assert "over 2 words (she, he) after both distributions were renormalised" in text
    assert text.count("Delobelle, P.") == 1


def test_no_verdicts_are_written() -> None:
    texts = [methods_paragraph(described(item)) for item in (agreement_result(), divergence_result())]
    texts += [agreement_finding(agreement_result()).support, divergence_finding(divergence_result()).support]
    for text in texts:
        text = text.replace("Measuring Fairness with Biased Rulers", "")  # the title of a paper
        assert "unbiased" not in text.lower()
        assert " fair" not in text.lower()


def test_both_results_leave_as_files() -> None:
    for result in (agreement_result(), divergence_result()):
        result = described(result)
        tables = json.loads(to_json(result))["tables"]
        assert {name: len(rows) for name, rows in tables.items()} == {
            name: len(rows) for name, rows in result.tables.items()
        }
    rows = list(
        csv.DictReader(io.StringIO(to_csv(agreement_table(agreement_result()), PROVENANCE).decode("utf-8-sig")))
    )
    assert (rows[0]["a"], rows[0]["r"], rows[2]["significant"]) == ("T1", "-0.12", "")


def test_points_say_their_correlation_in_either_order() -> None:
    found = agreement_result()
    for pair, names in (
        ((POOLED, "T1", "T2"), "This is the _. against The _ is here."),
        ((POOLED, "T2", "T1"), "The _ is here. against This is the _."),
    ):
        assert points_text(found, pair, "m") == f"{names}: r = +0.91, p < 0.001, n = 20 points."
    assert "no correlation could be computed, n = 20" in points_text(found, (POOLED, "T2", "T10"), "m")


def test_contributions_name_the_largest() -> None:
    assert contributions_text(divergence_result(), "m", "T2", "full") == (
        "What single words add to the divergence of T2 from T1 in m, in nats; the largest of 2: nurse +0.347, "
        "<i> −0.173."
    )
