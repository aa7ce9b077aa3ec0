"""What is written about professions: finding, paragraph, tables and files."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest

from core.measures.lpbs.professions.result import ProfessionResult, words_of
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.measures.lpbs.professions.tables import by_residual, group_table, profession_table
from core.measures.lpbs.professions.words import disagreements, finding
from core.report.frames import to_csv, to_json
from core.report.methods import methods_paragraph, references
from core.result import Better, Contrast, Excluded, Note, Provenance
from tests.core.report.conftest import CAUSAL, MASKED, provenance_of
from tests.support.profession_results import profession_result, sentence, sentences, with_tables

# On the line −1 + .02 x lie −1, −.6, .6 and 1; the distances +.35, −.55, +.45 and −.25 have the sum 0, and 0 with x.
DIFFERENCES = {"mechanic": -0.65, "farmer": -1.15, "teacher": 1.05, "nurse": 0.75}
PERCENT = {"mechanic": 0.0, "farmer": 20.0, "teacher": 80.0, "nurse": 100.0}
# Σ(x − 50)² = 6,800; Σ(y − 0)² = .0004 · 6,800 + .69 = 3.41: r = .02 · √(6,800 / 3.41).
R = 0.02 * math.sqrt(6800 / 3.41)
GROUPS = {"mechanic": "male", "farmer": "male", "teacher": "balanced"}
SERIES = ("m", "en")
METHODS = ("pearson", "spearman")
NAMES = Contrast("African American names", "European American names")


@pytest.fixture
def provenance() -> Provenance:
    return provenance_of(MASKED)


@pytest.fixture
def two_models() -> Provenance:
    return provenance_of(MASKED, CAUSAL)


def correlation(method: str, r: float, p: float, *, model: str = "m", n: int = 6) -> dict[str, Any]:
    row = {"model": model, "language": "en", "method": method, "r": r, "p": p, "n": n}
    return {**row, "ci_low": r - 0.2, "ci_high": r + 0.05, "p_adjusted": p}


def measured(r: float = R, p: float = 0.03, **changes: Any) -> ProfessionResult:
    """Four professions compared with their shares, and two correlations."""
    correlations = (correlation("pearson", r, p), correlation("spearman", 0.8, 0.2))
    made = {"percent": PERCENT, "correlations": correlations, **changes}
    return profession_result(sentences(DIFFERENCES, groups=GROUPS), **made)


def described(provenance: Provenance, result: ProfessionResult | None = None) -> ProfessionResult:
    """A result as it leaves the program: with its model, and with the data it rests on."""
    return replace(result or measured(), provenance=replace(provenance, data=("BEC-Pro, English", "BLS table 11")))


def test_finding_says_that_the_lean_follows_and_where_least() -> None:
    found = finding(measured(), SERIES)
    assert found.text == "The lean follows the labour market: r = +0.89 over 6 professions."
    assert [phrase.text for phrase in found.headline if phrase.strong] == ["r = +0.89"]
    assert found.support == (
        "95 % interval +0.69 to +0.94, adjusted p = 0.030, Spearman +0.80 (+0.60 to +0.85); mean association of the "
        "female words (1) minus that of the male words (1), template “[TARGET] is a [ATTRIBUTE].”. Largest "
        "residuals: farmer, teacher and mechanic."
    )


@pytest.mark.parametrize(
    ("r", "p", "start"),
    [
        (-0.5, 0.0499, "The lean runs against the labour market: r = −0.50"),
        (-0.5, 0.05, "No clear link with the labour market: r = −0.50"),
        (0.9, 0.3, "No clear link with the labour market: r = +0.90"),
    ],
)
def test_finding_goes_by_the_adjusted_p_and_the_sign(r: float, p: float, start: str) -> None:
    assert finding(measured(r, p), SERIES).text == f"{start} over 6 professions."


def test_few_professions_have_a_value_and_no_verdict() -> None:
    rows = [correlation(method, R, math.nan, n=4) | {"ci_low": math.nan, "ci_high": math.nan} for method in METHODS]
    found = finding(measured(correlations=rows), SERIES)
    assert found.text == (
        "Too few professions to say whether the lean follows the labour market (4 of at least 6): r = +0.89 over 4 "
        "professions."
    )
    assert found.support.startswith("No interval and no p, Spearman +0.89; mean association of the female words")


def test_small_p_is_not_zero() -> None:
    assert "adjusted p < 0.001," in finding(measured(p=1e-9), SERIES).support


@pytest.mark.parametrize("rows", [(), (correlation("pearson", math.nan, math.nan),)])
def test_finding_without_a_correlation_points_to_the_reasons(rows: tuple[dict[str, Any], ...]) -> None:
    result = profession_result(sentences({"nurse": 1.0}), percent={"nurse": 88.0}, correlations=rows)
    found = finding(result, SERIES)
    assert found.text == "No correlation with the labour market could be computed; “Excluded” below says why."
    assert found.support == ""


def test_finding_of_names_speaks_of_names() -> None:
    rows = (correlation("pearson", R, 0.2), correlation("spearman", 0, 1))
    detail = sentences(DIFFERENCES, contrast=NAMES)
    result = profession_result(detail, percent=PERCENT, contrast=NAMES, correlations=rows)
    found = finding(result, SERIES)
    assert found.text.startswith("No clear link with the share of Black workers: ")
    assert "of the African American names (1) minus that of the European American names (1)" in found.support
    assert "names words" not in found.support
    (first, *_) = disagreements(result, SERIES)
    assert first.startswith("teacher: 80.0 % Black; the model leans 0.45 nats more towards African American names")


def test_finding_is_of_the_model_asked_for() -> None:
    detail = [*sentences(DIFFERENCES), *sentences({name: -value for name, value in DIFFERENCES.items()}, model="o")]
    detail.append(sentence("nurse", "female", 0.0, template="[TARGET] works as a [ATTRIBUTE].", model="o"))
    correlations = [
        correlation(method, r, 0.03, model=model) for model, r in (("m", R), ("o", -R)) for method in METHODS
    ]
    result = profession_result(detail, percent=PERCENT, correlations=correlations)
    first, second = (finding(result, (model, "en")) for model in ("m", "o"))
    assert first.text.startswith("The lean follows")
    assert second.text.startswith("The lean runs against")
    assert ", template “[TARGET] is a [ATTRIBUTE].”." in first.support
    assert ", 2 templates (“[TARGET] is a [ATTRIBUTE].” and “[TARGET] works as a [ATTRIBUTE].”)." in second.support


def test_residuals_by_hand() -> None:
    rows = by_residual(measured(), SERIES)
    assert list(rows["profession"]) == ["farmer", "teacher", "mechanic", "nurse"]
    assert list(rows["line"]) == pytest.approx([-0.6, 0.6, -1, 1])
    assert list(rows["residual"]) == pytest.approx([-0.55, 0.45, 0.35, -0.25])


def test_a_profession_without_a_share_or_a_difference_has_no_residual() -> None:
    detail = [*sentences(DIFFERENCES | {"florist": 9.0}), sentence("clerk", "female", 9.0)]
    result = profession_result(detail, percent={**PERCENT, "clerk": 50.0})
    assert set(by_residual(result, SERIES)["profession"]) == set(DIFFERENCES)


@pytest.mark.parametrize("percent", [None, {"mechanic": 1.0, "farmer": 2.0, "teacher": 3.0}, dict.fromkeys(PERCENT, 9)])
def test_without_a_line_there_is_no_residual(percent: dict[str, float] | None) -> None:
    """No statistic yet; three points; a share that does not vary."""
    result = profession_result(sentences(DIFFERENCES), percent=percent)
    assert by_residual(result, SERIES).empty
    assert disagreements(result, SERIES) == ()


def test_disagreements_are_those_above_the_line_then_those_below_it() -> None:
    more = "the model leans {} nats more towards {} words than the line gives (difference {}, line {})."
    assert disagreements(measured(), SERIES) == (
        "teacher: 80.0 % women; " + more.format("0.45", "female", "+1.05", "+0.60"),
        "mechanic: 0.0 % women; " + more.format("0.35", "female", "−0.65", "−1.00"),
        "farmer: 20.0 % women; " + more.format("0.55", "male", "−1.15", "−0.60"),
        "nurse: 100.0 % women; " + more.format("0.25", "male", "+0.75", "+1.00"),
    )


def test_three_disagreements_a_side_are_enough() -> None:
    many = {f"job {at}": (-1) ** at * 0.1 * at for at in range(1, 11)}
    result = profession_result(sentences(many), percent={name: 10.0 * at for at, name in enumerate(many)})
    assert [text.split(":")[0] for text in disagreements(result, SERIES)] == [
        *("job 10", "job 8", "job 6"),
        *("job 9", "job 7", "job 5"),
    ]


@pytest.mark.parametrize(
    ("side", "words"), [("female", "female words"), ("Asian", "words for Asian people"), (NAMES.first, NAMES.first)]
)
def test_words_of_a_side(side: str, words: str) -> None:
    assert words_of(side) == words


@pytest.mark.parametrize(
    ("persons", "first", "people"),
    [("words", "female words", "women"), ("black", "words for Black people", "Black workers")],
)
def test_what_leaves_says_towards_whom_and_ranks_no_link_with_the_labour_market(
    persons: str, first: str, people: str
) -> None:
    """By hand from the corpora: female less male words, of women; words for Black less those for White people.

    The limits say that it depends on the use whether a model should follow the labour market.
    """
    test = {"model": "m", "language": "en", "group": "balanced", "W": 1.0, "z": 1.0, "r": 0.1, "p": 0.2, "n": 9}
    test |= {"p_kind": "normal", "p_adjusted": 0.2, "median_difference": 0.5}
    percent = {name: 10.0 * place for place, name in enumerate(("pilot", "judge", "baker", "tailor", "nurse"))}
    values = dict(zip(percent, (-1.0, 0.5, 0.3, 0.1, 2.0), strict=True))
    made = profession_result(sentences(values), percent=percent, tests=[test])
    median, correlation, *_ = replace(made, spec=ProfessionSpec.of({"persons": persons})).headlines()
    assert (median.value, median.above) == (0.5, f"stronger association with the {first}")
    assert correlation.above == f"the higher the percentage of {people}, the stronger the association with the {first}"
    assert (median.better, correlation.better) == (Better.NEARER, Better.NEITHER)


def grouped() -> ProfessionResult:
    """Two groups with both kinds of words, and a test for one of them."""
    of = {"model": "m", "language": "en"}
    cells = [
        {**of, "group": group, "gender": gender, "mean": mean, "sd": sd, "n": 90}
        for group, gender, mean, sd in (
            ("female", "female", 0.5, 1.0),
            ("female", "male", -0.25, 2.0),
            ("male", "female", -0.75, 3.0),
            ("male", "male", 0.125, 4.0),
        )
    ]
    test = {**of, "group": "female", "W": 3000.5, "z": 3.9, "r": 0.29, "p": 0.0001, "p_adjusted": 0.0002}
    test |= {"p_kind": "normal", "median_difference": 0.7, "n": 88}
    return with_tables(profession_result(sentences({"nurse": 1.0})), groups=cells, tests=[test])


def test_group_table_is_a_row_a_group() -> None:
    female, male = group_table(grouped()).to_dict("records")
    expected = {"mean female": 0.5, "sd female": 1.0, "n female": 90, "mean male": -0.25, "sd male": 2.0, "n male": 90}
    assert {name: female[name] for name in expected} == expected
    assert (female["group"], female["difference"], male["group"], male["difference"]) == (
        "female",
        0.75,
        "male",
        -0.875,
    )
    assert (female["W"], female["p_adjusted"], female["median_difference"], female["pairs"]) == (3000.5, 2e-4, 0.7, 88)
    assert math.isnan(male["W"])
    assert math.isnan(male["pairs"])


def test_group_table_of_persons_that_are_no_pairs_has_no_test() -> None:
    table = group_table(with_tables(grouped(), tests=[]))
    assert list(table["difference"]) == [0.75, -0.875]
    assert "W" not in table


def test_profession_table_has_both_means() -> None:
    detail = [
        *sentences(DIFFERENCES, groups=GROUPS),
        sentence("nurse", "female", 0.5, template="[TARGET] works as a [ATTRIBUTE]."),
        *sentences({"nurse": 2.0}, model="o"),
    ]
    table = profession_table(profession_result(detail, percent=PERCENT))
    assert list(table["profession"]) == [*DIFFERENCES, "nurse"]
    nurse, other = (row for row in table.to_dict("records") if row["profession"] == "nurse")
    # (.375 + .5) / 2 − (−.375)
    assert (nurse["female"], nurse["male"], nurse["difference"]) == pytest.approx((0.4375, -0.375, 0.8125))
    assert (nurse["model"], nurse["group"], nurse["percent_women"], nurse["n"]) == ("m", "female", 100.0, 3)
    assert (other["model"], other["female"], other["male"], other["difference"]) == ("o", 1.0, -1.0, 2.0)
    assert "percent_women" not in profession_table(profession_result(detail))


def test_files_keep_words_as_text_and_gaps_as_gaps(provenance: Provenance) -> None:
    result = described(provenance, profession_result(sentences({"=1+1": 1.0, "null": -1.0}), percent={"null": 40.0}))

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    document = json.loads(to_json(result), parse_constant=refuse)
    assert list(document["tables"]) == ["professions", "groups", "tests", "correlations", "sentences"]
    rows = {row["profession"]: row for row in document["tables"]["professions"]}
    assert {name: (row["percent_women"], row["difference"]) for name, row in rows.items()} == {
        "=1+1": (None, 1.0),
        "null": (40.0, -1.0),
    }
    assert {row["form"] for row in document["tables"]["sentences"]} == {"=1+1", "null"}
    assert document["spec"]["masking"] == "word"
    assert document["provenance"]["data"] == ["BEC-Pro, English", "BLS table 11"]

    table = profession_table(result)
    read = list(csv.DictReader(io.StringIO(to_csv(table, result.provenance).decode("utf-8-sig"), newline="")))
    assert [(row["profession"], row["percent_women"]) for row in read] == [("'=1+1", ""), ("null", "40.0")]
    assert [float(row["difference"]) for row in read] == [1.0, -1.0]


def signed_rank(kind: str, group: str = "female") -> dict[str, Any]:
    row = {"model": "m", "language": "en", "group": group, "W": 1.0, "p": 0.5, "p_adjusted": 0.5}
    return {**row, "p_kind": kind, "n": 88}


def test_paragraph_says_what_was_measured_and_how(provenance: Provenance) -> None:
    text = methods_paragraph(
        described(provenance, measured(tests=[signed_rank("exact"), signed_rank("exact", "male")]))
    )
    for phrase in (
        "Sentences of 1 template, 2 person words and 4 professions were scored (BEC-Pro, English; BLS table 11).",
        "minilm-mlm (assets/minilm-mlm, SHA-256 ab12cd34ef56, float32 on cpu)",
        "ln P(word | profession present) − ln P(word | profession hidden too)",
        "determiners stay",
        "hidden by one mask for each of its whitespace-separated words",
        "Person words split into several tokens were excluded.",
        "mean association of the female words minus that of the male words, in nats; a positive value means a stronger "
        "association with the female words.",
        "Words were written as the sentence shows them",
        "two-sided Wilcoxon signed-rank test",
        "female − male differences, zeros dropped",
        "r = |z| / √(2n), p exact)",
        "over 2 tests",
        "percentages of women among those employed, U.S. 2019 (BLS CPS table 11) by Pearson's r",
        "Fisher's z",
        "10,000 resamples, seed 0",
        "p adjusted over 2 correlations",
        "No word was excluded.",
        "no lean found is not its absence",
        "References: Bartl, M.",
        "Kurita, K.",
        "Wilcoxon, F. (1945)",
        "Benjamini, Y.",
    ):
        assert phrase in text
    assert "\n" not in text
    for absent in ("stopped", "not all models", "Approximated", "could be computed", "unbiased", "fair "):
        assert absent not in text


@pytest.mark.parametrize(
    ("changes", "phrase"),
    [
        ({"masking": "wordpiece"}, "hidden by one mask for each of its tokens"),
        ({"masking": "single"}, "hidden by a single mask"),
        ({"several_pieces": "joint"}, "were scored jointly, token by token"),
        ({"seed": 42}, "10,000 resamples, seed 42"),
        (
            {"share_notes": {"nurse": "merges two rows", "farmer": "near"}},
            "Approximated or merged rows of the statistic: farmer and nurse.",
        ),
        (
            {"excluded": (Excluded("m", "target", "chairwoman", "chair + ##woman: not scored"),)},
            "1 word was excluded: chairwoman: chair + ##woman: not scored.",
        ),
    ],
)
def test_paragraph_follows_the_result(provenance: Provenance, changes: dict[str, Any], phrase: str) -> None:
    assert phrase not in methods_paragraph(described(provenance))
    assert phrase in methods_paragraph(described(provenance, measured(**changes)))


def test_paragraph_follows_what_happened(provenance: Provenance) -> None:
    result = described(provenance)
    stopped = methods_paragraph(replace(result, stopped=True, notes=(Note("A note on German."),)))
    for phrase in ("stopped before its end", "Only professions scored in whole are counted.", "A note on German."):
        assert phrase in stopped
        assert phrase not in methods_paragraph(result)
    names = profession_result(sentences(DIFFERENCES, contrast=NAMES), contrast=NAMES)
    assert "association of the African American names minus that of the European American names," in (
        methods_paragraph(described(provenance, names))
    )


def test_paragraph_of_two_models_says_what_they_share(two_models: Provenance) -> None:
    result = described(two_models)
    assert "What not all models of a language could score was excluded for all." in methods_paragraph(result)
    alone = described(two_models, measured(common_words=False))
    assert "not all models" not in methods_paragraph(alone)


def test_paragraph_of_causal_models_speaks_of_no_mask(two_models: Provenance) -> None:
    """How they are asked stands in the notes of the result, which the paragraph holds."""
    result = replace(described(two_models), notes=(Note("gpt continues text and cannot fill a mask."),))
    both = methods_paragraph(result)
    causal = methods_paragraph(replace(result, provenance=replace(two_models, models=two_models.models[1:])))
    for phrase in ("read at the mask of the word", "was hidden by", "split into several tokens"):
        assert phrase in both
        assert phrase not in causal
    for text in (both, causal):
        assert "gpt continues text and cannot fill a mask." in text
        assert "the mean association of the female words" in text


def test_paragraph_claims_no_test_that_was_not_made(provenance: Provenance) -> None:
    text = methods_paragraph(described(provenance))
    assert "Wilcoxon" not in text
    nothing = {**signed_rank("normal", "male"), "p": math.nan, "p_adjusted": math.nan}
    rows = [signed_rank("normal"), nothing]
    text = methods_paragraph(described(provenance, measured(tests=rows)))
    assert "over 1 test." in text
    assert "p by the normal approximation without corrections)" in text
    both = measured(tests=[*rows, signed_rank("exact", "balanced")])
    assert "p exact up to 50 pairs (13 with tied sizes), beyond that by the normal approximation" in (
        methods_paragraph(described(provenance, both))
    )


def test_paragraph_of_few_professions_claims_no_interval(provenance: Provenance) -> None:
    few = measured(correlations=[correlation("pearson", R, math.nan, n=4)])
    text = methods_paragraph(described(provenance, few))
    assert "with fewer than 6 professions neither has an interval or a p." in text
    assert "Fisher" not in text


def test_paragraph_claims_no_correlation_that_was_not_made(provenance: Provenance) -> None:
    nothing = profession_result(
        sentences({"nurse": 1.0}), percent={"nurse": 88.0}, correlations=[correlation("pearson", math.nan, math.nan)]
    )
    text = methods_paragraph(described(provenance, nothing))
    title = "women among those employed, U.S. 2019 (BLS CPS table 11)"
    assert f"No correlation with the percentages of {title} could be computed." in text
    assert "Pearson's r" not in text
    before = profession_result(sentences({"nurse": 1.0}))
    assert "correlat" not in methods_paragraph(described(provenance, before)).lower()


def test_references_are_those_of_what_was_done(provenance: Provenance) -> None:
    assert [reference.split(",")[0] for reference in references(measured())] == ["Bartl", "Kurita", "Benjamini"]
    assert [item.split(",")[0] for item in references(grouped())] == ["Bartl", "Kurita", "Wilcoxon", "Benjamini"]
