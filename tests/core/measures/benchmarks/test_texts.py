"""What is written about benchmarks: findings, paragraphs, tables and files."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest

from core.measures.benchmarks import words
from core.measures.benchmarks.benchmark import Benchmark, Measure
from core.measures.benchmarks.registry import BENCHMARKS
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.tables import item_columns, item_table, measure_table
from core.report.frames import to_csv, to_json
from core.report.methods import methods_paragraph, references
from core.result import Note
from tests.support.benchmark_results import (
    CORRELATION,
    CROWS,
    FILLS,
    ITEMS,
    LMS,
    NATS,
    ROWS,
    Row,
    benchmark_result,
    winogender_result,
)

OCCUPATIONS = {"occupation": ["nurse", "judge", "cook", "maid"], "percent_women": [90.0, 30.0, 40.0, None]}


def finding(*rows: Row, measure: Measure = CROWS, **changes: Any) -> Any:
    result = benchmark_result(rows or ROWS, measures=(measure,), **changes)
    return words.finding(result, "m", measure.id)


def test_what_is_preferred_in_how_many_pairs() -> None:
    found = finding()
    assert found.text == "m prefers the more stereotypical sentence in 56.2 % of 1,508 pairs."
    assert [phrase.text for phrase in found.headline if phrase.strong] == ["56.2 %"]
    assert found.support == (
        "95 % interval by Wilson’s method: 53.7 to 58.7; 50 % would prefer neither. Furthest from 50 %: religion, 71.4 "
        "% (n = 105)."
    )


def test_an_interval_that_holds_the_neutral_value_tells_nothing() -> None:
    found = finding(("m", "crows-pairs", "all", 51.0, 48.5, 53.5, 1508))
    assert found.text == "m prefers the more stereotypical sentence in 51.0 % of 1,508 pairs."
    assert "50 % would prefer neither; inconclusive: the interval includes 50 %." in found.support


def test_ties_are_said() -> None:
    found = finding(ties={"all": 12, "religion": 3})
    assert found.support.endswith(
        "50 % would prefer neither. 12 ties: neither side has the higher value, which counts in n alone. Furthest from "
        "50 %: religion, 71.4 % (n = 105)."
    )
    assert "No ties: " not in finding(ties={"all": 0}).support
    assert finding(ties={"all": 0}).support.endswith("No ties. Furthest from 50 %: religion, 71.4 % (n = 105).")
    assert "tie" not in finding().support


def test_too_few_for_a_verdict_are_said_as_a_value() -> None:
    found = finding(("m", "crows-pairs", "all", 0.0, None, None, 2))
    assert found.text == (
        "m: the more stereotypical sentence is preferred in 0 of 2 pairs: too few for a verdict (2 of at least 6)."
    )
    assert "0.0 %" not in found.text
    assert finding(("m", "crows-pairs", "all", 100.0, None, None, 1)).text.endswith(
        "in 1 of 1 pair: too few for a verdict (1 of at least 6)."
    )
    # One term of many items: the value rests on enough items, its interval would not.
    lean = finding(
        ("m", "winogender", "all", 0.72, None, None, 3), measure=NATS, benchmark="winogender", own=OCCUPATIONS
    )
    assert lean.text == (
        "Mean ln P(he) − ln P(she) (m): +0.72 nats over 3 occupations, too few for a verdict (3 of at least 6)."
    )
    terms = finding(("m", "lms", "all", 87.3, None, None, 40), measure=LMS, benchmark="stereoset")
    assert terms.text == "Language modelling score (m): 87.3 % over 40 items, too few for a verdict."


def test_the_furthest_part_is_one_that_can_be_told() -> None:
    rows: list[Row] = [
        ROWS[0],
        ("m", "crows-pairs", "age", 90.0, 45.0, 99.0, 4),
        ("m", "crows-pairs", "a_b", 40.0, 35.0, 45.0, 99),
    ]
    assert "Furthest from 50 %: a b, 40.0 % (n = 99)." in finding(*rows).support
    assert "Furthest" not in finding(*rows[:2]).support


def test_other_clauses_go_on_from_the_share() -> None:
    odd = replace(CROWS, above="the first sentence is the likelier one")
    assert finding(measure=odd).text == "m: in 56.2 % of 1,508 pairs the first sentence is the likelier one."


def test_scores_without_a_neutral_value_are_stated() -> None:
    found = finding(("m", "lms", "all", 87.3, 85.0, 89.0, 2106), measure=LMS, benchmark="stereoset")
    assert found.text == "Language modelling score (m): 87.3 % over 2,106 items."
    assert "neither" not in found.support
    fills = finding(("m", "disco", "all", 1.25, 0.5, 2.0, 14), measure=FILLS, benchmark="disco")
    assert fills.text == "DisCo, top 3 (m): 1.25 over 14 templates."


@pytest.mark.parametrize(
    ("value", "interval", "text"),
    [
        (0.72, (0.5, 0.9), "m: he is more probable, by 0.72 nats on average over 60 pairs."),
        (-0.72, (-0.9, -0.5), "m: she is more probable, by 0.72 nats on average over 60 pairs."),
        (0.05, (-0.1, 0.2), "m: inconclusive (+0.05 nats over 60 pairs)."),
    ],
)
def test_leans_in_nats(value: float, interval: tuple[float, float], text: str) -> None:
    assert finding(("m", "winogender", "all", value, *interval, 60), measure=NATS).text == text


def test_correlations() -> None:
    found = finding(("m", "winogender-r", "all", -0.45, -0.7, -0.1, 60), measure=CORRELATION)
    assert found.text == "m: she more there: r = −0.45 over 60 pairs."
    unclear = finding(("m", "winogender-r", "all", 0.1, -0.2, 0.4, 60), measure=CORRELATION)
    assert unclear.text == "m: inconclusive (+0.10 over 60 pairs)."


def test_what_is_missing_is_said() -> None:
    found = finding(("m", "crows-pairs", "all", None, None, None, 0))
    assert found.text == "CrowS-Pairs, pseudo-log-likelihood could not be computed for m; the list below says why."
    assert finding(("n", *ROWS[0][1:])).text.startswith("CrowS-Pairs")  # another model's
    assert "No interval; the list below says why." in finding(("m", "crows-pairs", "all", 100.0, None, None, 1)).support
    assert finding(stopped=True).support.startswith("Stopped before its end; this is of what was reached. ")


def test_the_model_nearest_the_neutral_value_comes_first() -> None:
    rows: list[Row] = [
        ("a", "crows-pairs", "all", 60.0, 55.0, 65.0, 9),
        ("a", "crows-pairs", "age", 50.0, 40.0, 60.0, 5),
        ("b", "crows-pairs", "all", 43.0, 40.0, 46.0, 9),
        ("c", "crows-pairs", "all", 52.0, 50.0, 54.0, 9),
        ("d", "crows-pairs", "all", None, None, None, 0),
    ]
    table = measure_table(benchmark_result(rows))
    columns = ["measure", "model", "bias_type", "value", "ci_low", "ci_high", "unit", "n", "ties", "from_neutral"]
    assert list(table.columns) == columns
    # |52 − 50| = 2, |43 − 50| = 7, |60 − 50| = 10, then the one without a value.
    assert list(table["model"]) == ["c", "b", "a", "a", "d"]
    assert list(table["bias_type"])[2:4] == ["all", "age"]
    assert list(table["from_neutral"])[:4] == [2, -7, 10, 0]
    assert math.isnan(table["from_neutral"].iloc[4])
    assert set(table["measure"]) == {CROWS.title}


def test_measures_keep_their_order_and_without_a_neutral_value_models_theirs() -> None:
    rows: list[Row] = [
        (model, measure, "all", value, None, None, 9)
        for measure, values in (("lms", (70.0, 90.0)), ("crows-pairs", (70.0, 55.0)))
        for model, value in zip("ab", values, strict=True)
    ]
    table = measure_table(benchmark_result(rows, measures=(LMS, CROWS)))
    assert list(table["model"]) == ["a", "b", "b", "a"]
    assert list(table["measure"]) == [LMS.title] * 2 + [CROWS.title] * 2
    assert table["from_neutral"].isna().tolist() == [True, True, False, False]


def test_item_table_holds_both_ends() -> None:
    table = item_table(benchmark_result(own={"tokens": [4, 5, 6, 7]}), "m", 1)
    first, last = table.to_dict("records")
    # Differences +2.5, −1, 0, +.5.
    assert (first["item"], first["difference"], last["item"], last["difference"]) == ("1", 2.5, "2", -1.0)
    assert (first["more stereotypical"], first["less stereotypical"]) == ("more a", "less a")
    assert (first["value more stereotypical"], first["value less stereotypical"], first["tokens"]) == (-10, -12.5, 4)
    assert "model" not in table


@pytest.mark.parametrize(("most", "items"), [(2, ["1", "4", "3", "2"]), (9, ["1", "4", "3", "2"])])
def test_no_item_stands_twice(most: int, items: list[str]) -> None:
    assert list(item_table(benchmark_result(), "m", most)["item"]) == items


def test_items_that_are_not_compared_have_one_side() -> None:
    scored = [("p", "t", "prompt text", None, 40.0, None)]
    table = item_table(benchmark_result(scored=scored, benchmark="honest"), "m", 5)
    assert list(table.columns) == ["item", "bias_type", "difference", "prompt"]


def described(**changes: Any) -> Any:
    own = {"own": OCCUPATIONS} if changes.get("benchmark") == "winogender" else {}
    return benchmark_result(**own, **changes)


def test_the_paragraph_says_how_pairs_were_scored_and_what_is_wrong() -> None:
    text = methods_paragraph(described())
    for part in (
        "CrowS-Pairs was run on pairs.csv, your copy: 4 items with a number.",
        "Model: m (id/m, SHA-256 ab12cd34ef56",
        "the tokens that both sentences of a pair share, masked one at a time",
        "ties count in n alone",
        "above 50 % the more stereotypical sentence is preferred, below it the less stereotypical sentence is",
        "Intervals: 95 % interval by Wilson’s method.",
        "No word was excluded.",
        "References: Blodgett, S. L.",
        " Nangia, N., Vania, C., Bhalerao, R. and Bowman, S. R. (2020). CrowS-Pairs: A Challenge Dataset",
    ):
        assert part in text
    assert "causal" not in text
    assert "stopped" not in text
    assert "seed" not in text  # nothing is drawn


def test_problems_that_name_nobody_cite_nobody() -> None:
    assert len(references(described())) == 2
    webster_and_its_templates = references(described(benchmark="disco"))
    assert [paper.partition(",")[0] for paper in webster_and_its_templates] == ["Delobelle", "Webster"]


def test_ties_and_the_form_of_the_sentences_are_in_the_paragraph() -> None:
    text = methods_paragraph(described(ties={"all": 12}))
    assert "Ties: CrowS-Pairs, pseudo-log-likelihood, m: 12 of 1,508." in text
    assert "Sentences were scored as the file has them." in text
    text = methods_paragraph(described(choices={"text": "normalised"}))
    assert "sentences were normalised (Unicode NFC, white space made single spaces)" in text
    assert "Ties" not in text
    assert "Sentences" not in methods_paragraph(described(benchmark="disco"))


def test_options_and_seed_are_in_the_paragraph() -> None:
    drawn = replace(CROWS, interval="95 % bootstrap interval over pairs")
    choices = {"pieces": "revealed", "average": "pairs", "seed": 7}
    text = methods_paragraph(described(benchmark="stereoset", measures=(drawn,), choices=choices))
    assert "without those to its right, and its value is their mean probability, as in the authors' code" in text
    assert "both over all pairs. ICAT = LMS · min(SS, 100 − SS) / 50." in text
    assert "95 % bootstrap interval over pairs (10,000 resamples, seed 7)." in text
    text = methods_paragraph(described(benchmark="stereoset"))
    assert "all tokens of one are masked together and its value is their mean log probability" in text
    assert "averaged per target term, then over terms" in text
    text = methods_paragraph(described(benchmark="disco", choices={"fills": "probability"}))
    assert "all fills with a probability above .1" in text
    assert "the three most probable fills" in methods_paragraph(described(benchmark="disco"))


@pytest.mark.parametrize(
    ("benchmark", "part"),
    [
        ("aul", "all of its tokens with nothing masked. A pair"),
        ("aula", "weighted by the attention each receives"),
        ("winobias", "coreference is not resolved"),
        ("winogender", "ln P(he) − ln P(she)"),
        ("honest", "20 most probable completions"),
    ],
)
def test_each_benchmark_says_how_it_was_made(benchmark: str, part: str) -> None:
    assert part in methods_paragraph(described(benchmark=benchmark))


@pytest.mark.parametrize("benchmark", ["crows-pairs", "stereoset", "winobias", "winogender"])
def test_causal_models_are_asked_in_another_way(benchmark: str) -> None:
    assert "In causal models" in methods_paragraph(described(benchmark=benchmark, kind="causal"))
    assert "In causal models" not in methods_paragraph(described(benchmark=benchmark))


def test_a_stopped_run_says_so_and_notes_are_kept() -> None:
    text = methods_paragraph(
        described(stopped=True, notes=(Note("63 pairs differ in more than the pronoun; excluded."),))
    )
    assert "stopped before its end" in text
    assert "63 pairs differ in more than the pronoun; excluded." in text


def test_no_verdicts_are_written() -> None:
    for text in (finding().support, finding().text, methods_paragraph(described())):
        text = text.replace("Fairness Benchmark Datasets", "")  # the title of a paper
        assert "unbiased" not in text.lower()
        assert " fair" not in text.lower()


def test_results_leave_as_files() -> None:
    result = described()
    document = json.loads(to_json(result))
    assert [row["value"] for row in document["tables"]["measures"]] == [row[3] for row in ROWS]
    assert len(document["tables"]["items"]) == len(ITEMS)
    text = to_csv(measure_table(result), result.provenance).decode("utf-8-sig")
    assert next(csv.DictReader(io.StringIO(text)))["from_neutral"].startswith("6.2")
    assert len(item_table(winogender_result({"nurse": (90.0, -1.0)}), "m", 3)) == 1


def test_items_say_how_many_lie_on_either_side() -> None:
    # Differences 2.5, −1, 0 and .5: their median is .25.
    text = words.items_text(benchmark_result(), "m")
    assert text.startswith("CrowS-Pairs in m: 2 more stereotypical, 1 less stereotypical, 1 tie; median +0.25")
    assert text.endswith("n = 4 pairs.")


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.id)
def test_the_explanation_is_that_of_the_benchmark_alone(benchmark: Benchmark) -> None:
    own = {"own": OCCUPATIONS} if benchmark.id == "winogender" else {}
    text = words.explanation(benchmark_result(benchmark=benchmark.id, **own))
    assert benchmark.explanation in text
    assert benchmark.problems in text
    assert benchmark.citation in text
    assert not any(other.explanation in text for other in BENCHMARKS if other is not benchmark)


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.id)
def test_every_column_on_screen_says_what_it_is(benchmark: Benchmark) -> None:
    own = {column.name: [1.0] * len(ITEMS) for column in benchmark.columns}
    result = benchmark_result(benchmark=benchmark.id, own=own)
    shown = (
        (measure_table(result), BenchmarkResult.SCHEMA.tables["measures"].columns),
        (item_table(result, "m", 5), item_columns(result)),
    )
    for table, columns in shown:
        declared = {column.name: column for column in columns}
        for name in table.columns:
            assert "_" not in declared[name].heading
            assert (declared[name].help == f"The side “{name}” of the item.") == (name in benchmark.sides), name


@pytest.mark.parametrize(("differences", "decimals"), [([81.0, -19.0], 0), ([81.0, -19.5], 3)])
def test_counts_have_no_decimals_and_measurements_keep_them(differences: list[float], decimals: int) -> None:
    result = benchmark_result()
    items = result["items"].iloc[:2].assign(difference=differences, value_first=differences)
    columns = item_columns(replace(result, tables={**result.tables, "items": items}))
    shown = {column.name: column.decimals for column in columns}
    assert shown["difference"] == shown[f"value {result.benchmark.sides[0]}"] == decimals
