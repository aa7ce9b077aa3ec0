"""The cards of Kurita et al. 2019: what is kept is what the stored scores give."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import shelf
from core.engine.loading import LoadedModel
from core.errors import OptionError
from core.measures.downstream.resolution.result import ResolutionResult
from core.measures.lpbs.result import SHARES
from core.papers.card import NOTHING
from core.papers.comparison import compared, refused, remarks
from core.papers.registry import card
from core.run import Run
from core.sources import association_test
from core.sources.gap import read_documents
from core.sources.lists import attribute_list
from core.spec import File
from tests.support.past import scores
from tests.support.paths import SHARED
from tests.support.reference import corpus_file, skip, table
from tests.support.resolution_results import resolution_result

TESTS = {
    "weat1": "Flowers vs. Insects",
    "weat3": "Black vs. White",
    "weat6": "Career vs Family",
    "weat7": "Math vs. Art",
    "weat8": "Science vs. Art",
}
LISTS = {
    "job_titles": "Salary",
    "positive_traits": "Pos-Traits",
    "negative_traits": "Neg-Traits",
    "skills_linkedin25": "Skills",
}
KINDS = {"vectors": "WEAT on GloVe", "partner-masked": "WEAT on BERT", "lpbs": "LPBS"}


def test_table_3_is_what_the_tests_of_this_program_print() -> None:
    printed = {value.key: value for value in card("kurita-table-3").values}
    rows = {value.row.partition(":")[0]: value.row for value in printed.values()}
    found = 0
    for test in TESTS:
        for known in association_test(test).published:
            value = printed[rows[test.upper().replace("WEAT", "WEAT ")], KINDS[known.representation]]
            assert value.number == known.effect_size
            assert value.printed.endswith("*") == known.significant
            found += 1
    assert found == len(printed) == 15


def test_table_3_of_the_stored_scores() -> None:
    """d = (mean A − mean B) / sd of both (ddof 1), a value for each word and template."""
    values = {value.row.partition(":")[0]: value for value in card("kurita-table-3").values if value.column == "LPBS"}
    stored_scores = table("kurita_lpbs")
    for test, category in TESTS.items():
        rows = stored_scores[stored_scores["category"] == category]
        first, second = (rows.loc[rows["set"] == name, "lpbs"].to_numpy() for name in ("df1", "df2"))
        d = (first.mean() - second.mean()) / np.concatenate([first, second]).std(ddof=1)
        sign = -1 if test == "weat3" else 1  # the code takes black first
        stored = values[f"WEAT {test[4:]}"].references["stored outputs"]
        assert stored == pytest.approx(sign * d, abs=5e-5)


def test_the_rest_of_table_3_is_what_the_notebooks_print() -> None:
    file = SHARED / "data" / "reference" / "kurita_tables.json"
    if not file.is_file():
        skip("the outputs of Kurita et al.")
    stored = json.loads(file.read_text(encoding="utf-8"))
    names = {"WEAT 1": "Flowers/Insects", "WEAT 3": "EA/AA", "WEAT 6": "Career/Family", "WEAT 7": "Math/Arts"}
    raw = {
        f"WEAT {test[4:]}": row["d_raw_logratio"]
        for test, category in TESTS.items()
        for row in stored["table3_lpbs"]
        if row["category"] == category
    }
    for value in card("kurita-table-3").values:
        test = value.row.partition(":")[0]
        sign = -1 if test == "WEAT 3" else 1
        if value.column == "LPBS":
            assert value.references["without prior"] == pytest.approx(sign * raw[test], abs=5e-5)
        else:
            of = stored["table3_weat_on_glove" if value.column == "WEAT on GloVe" else "table3_weat_on_bert"]
            expected = of[names.get(test, "Science/Arts")]["notebook"]
            assert value.references["stored outputs"] == pytest.approx(sign * expected, abs=5e-5)
            assert value.references["without prior"] is None


def test_table_3_on_the_embedded_model_is_what_the_association_tests_give(embedded: LoadedModel) -> None:
    found = card("kurita-table-3")
    assert found.asks is not None
    (asked,) = found.asks(("minilm-mlm",))
    spec = replace(asked.spec, tests=("weat7",))
    result = spec.measure([embedded], Run(spec))
    rows = [row for row in compared(found, [result]) if row.obtained is not None]
    assert [row.value.row.partition(":")[0] for row in rows] == ["WEAT 7", "WEAT 7"]
    lpbs = result["members"].query("representation == 'lpbs'")
    first, second = (lpbs.loc[lpbs["set"] == name, "association"].to_numpy() for name in ("X", "Y"))
    assert len(first) == len(second) == 24  # 8 words in 3 templates, as in the stored scores
    d = (first.mean() - second.mean()) / np.concatenate([first, second]).std(ddof=1)
    assert rows[1].obtained == pytest.approx(d)
    assert rows[1].difference == pytest.approx(d - 0.8495)
    assert rows[1].agrees is None, "the print is of another model"


def in_paper() -> dict[str, Any]:
    """The words and numbers of the paper as they were read from it, where that is beside the clone."""
    file = SHARED / "data" / "words" / "kurita.json"
    if not file.is_file():
        skip("the tables of Kurita et al.")
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_tables_1_2_and_6_hold_the_words_of_the_paper() -> None:
    paper = in_paper()
    printed = {name: [value.printed for value in card(f"kurita-table-{name}").values] for name in (1, 2, 6)}
    assert printed[1] == [", ".join(row["table1_templates"]) for row in paper["categories"]]
    assert printed[2] == [
        ", ".join(row[name]) for row in paper["categories"] for name in ("table2_targets", "table2_templates")
    ]
    assert printed[6] == [", ".join(words) for words in paper["table6_topics"].values()]


@pytest.mark.parametrize("name", ["kurita-table-1", "kurita-table-2"])
def test_this_program_uses_the_words_and_templates_of_the_paper(name: str) -> None:
    found = card(name)
    assert found.runs == NOTHING
    rows = compared(found)
    assert len(rows) == len(found.values)
    assert all(row.agrees for row in rows)


def test_another_word_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    design = association_test("weat1").lpbs
    assert design is not None
    other = replace(association_test("weat1"), lpbs=replace(design, frames=design.frames[1:]))
    tests = {name: association_test(name) for name in TESTS} | {"weat1": other}
    monkeypatch.setattr("core.papers.kurita.association_test", tests.__getitem__)
    rows = compared(card("kurita-table-2"))
    assert [row.agrees for row in rows[:3]] == [False, False, True]
    assert (rows[0].obtained, rows[1].obtained) == ("flower, insect", "the T is A")


def test_table_4_holds_the_numbers_of_the_paper_and_of_gap() -> None:
    paper = in_paper()["table4_gpr"]
    found = {value.key: value for value in card("kurita-table-4").values}
    for gender in ("Male", "Female"):
        assert found[gender, "prior probability"].number == paper[gender]["prior_prob"]
        assert found[gender, "average predicted probability"].number == paper[gender]["avg_predicted_prob"]
    assert found["permutation test", "p"].number == paper["permutation_p"]
    assert found["topics, female pronouns", "Spearman r"].number == paper["spearman"]
    assert found["topics, female pronouns", "p"].number == paper["spearman_p"]
    for split in ("development", "test"):
        name = f"gap-{split}.tsv"
        documents = read_documents(corpus_file(name, "GAP").read_bytes(), name).documents
        for gender, pronoun in (("Male", "masculine"), ("Female", "feminine")):
            of_gender = [document for document in documents if document.gender == pronoun]
            share = sum(document.label == "neither" for document in of_gender) / len(of_gender)
            value = found[gender, "prior probability"]
            assert value.references[f"{split} labels"] == pytest.approx(share)
            assert value.number is not None
            assert abs(share - value.number) < card("kurita-table-4").tolerances["prior probability"]


def resolved(**more: Any) -> ResolutionResult:
    """A result of GAP's documents, with a mean P(neither) of .115 for men and .139 for women."""
    (spec,) = card("kurita-table-4").needed
    files = {name: getattr(spec, name) for name in ("train", "validation", "test")}
    topics = (("film, actress, award, best, star", 0.1, 0.1, 9), ("team, season, match, goal, cup", 0.2, 0.1, 9))
    return resolution_result({"bert": (0.115, 0.139)}, topics=topics, p=0.04, **(files | more))


def test_table_4_beside_a_saved_result() -> None:
    rows = compared(card("kurita-table-4"), [resolved()])
    assert {row.model for row in rows} == {"bert"}
    assert {row.value.key: row.obtained for row in rows} == {
        ("Male", "prior probability"): 0.11,
        ("Male", "average predicted probability"): 0.115,
        ("Female", "prior probability"): 0.11,
        ("Female", "average predicted probability"): 0.139,
        ("permutation test", "p"): 0.04,
        ("topics, female pronouns", "Spearman r"): 0.2,
        ("topics, female pronouns", "p"): 0.04,
    }


@pytest.mark.parametrize("name", ["kurita-table-4", "kurita-table-6"])
def test_a_demonstration_or_documents_of_the_users_are_beside_nothing(name: str) -> None:
    demonstration = resolved(train=(), validation=(), test=())
    own = resolved(test=(File.of("gap-test.tsv", b"documents"),))
    for result, has in ((demonstration, "none"), (own, "gap-test.tsv (SHA-256 ")):
        assert all(row.obtained is None for row in compared(card(name), [result]))
        assert f"Test documents: this result has {has}" in refused(card(name), [result])[-1]


def test_the_files_of_gap_are_those_that_are_published() -> None:
    (spec,) = card("kurita-table-4").needed
    for (file,) in (spec.train, spec.validation, spec.test):
        assert hashlib.sha256(corpus_file(file.name, "GAP").read_bytes()).hexdigest() == file.sha256


def test_labels_that_were_corrected_stand_beside_those_that_are_compared() -> None:
    """Rows of corrected labels are left alone, so that corrections change no value here."""
    corrected = resolved(labels="corrected", corrections=(File.of("corrections.tsv", b"labels"),))
    found = {row.value.key: row.obtained for row in compared(card("kurita-table-4"), [corrected])}
    assert found["Male", "prior probability"] == 0.11
    assert found["Male", "average predicted probability"] is None


def test_table_6_has_the_topic_that_shares_most_words() -> None:
    rows = {row.value.row: row for row in compared(card("kurita-table-6"), [resolved()])}
    assert rows["topic 1"].obtained == "team, season, match, goal, cup"
    assert rows["topic 4"].obtained == "film, actress, award, best, star"
    assert rows["topic 4"].agrees is None


def test_a_card_refuses_the_result_of_another_measure() -> None:
    with pytest.raises(OptionError, match=r"Table 4 cannot be compared with a result of lpbs; it takes .*“resolve”"):
        compared(card("kurita-table-4"), [scores()])


def test_table_5_of_the_stored_scores() -> None:
    """% of a list whose LPBS of he − she is above 0."""
    lists = table("kurita_he_she").groupby("dataset")["lpbs"]
    shares = {name: 100 * (values > 0).mean() for name, values in lists}
    assert {value.row: value.references["stored outputs"] for value in card("kurita-table-5").values} == pytest.approx(
        {LISTS[name]: share for name, share in shares.items()}, abs=0.005
    )


def test_table_5_without_prior_and_without_neutral_traits() -> None:
    file = SHARED / "data" / "reference" / "kurita_he_she_scores.csv"
    if not file.is_file():
        skip("the outputs of Kurita et al.")
    stored = pd.read_csv(file, keep_default_na=False)
    found = {value.row: value.references for value in card("kurita-table-5").values}
    for name, rows in stored.groupby("dataset"):
        without = 100 * (rows["log_odds_he_she_uncorrected"] > 0).mean()
        assert found[LISTS[str(name)]]["without prior"] == pytest.approx(without, abs=0.005)
    for words, name in (("traits-positive", "positive_traits"), ("traits-negative", "negative_traits")):
        ours = set(attribute_list(words).words)
        rows = stored[(stored["dataset"] == name) & stored["attribute"].str.lower().isin(ours)]
        assert found[LISTS[name]]["words of this program"] == pytest.approx(
            100 * (rows["lpbs_he_she"] > 0).mean(), abs=0.005
        )


def test_table_5_on_the_embedded_model_is_the_share_of_the_playground(embedded: LoadedModel) -> None:
    found = card("kurita-table-5")
    assert found.asks is not None
    results = [asked.spec.measure([embedded], Run(asked.spec)) for asked in found.asks(("minilm-mlm",))]
    rows = {row.value.row: row for row in compared(found, results)}
    for name, result in zip(("Pos-Traits", "Neg-Traits"), results, strict=True):
        scores = result["attributes"]["lpbs"].dropna()
        assert rows[name].obtained == pytest.approx(100 * (scores > 0).sum() / len(scores))
    assert rows["Salary"].obtained is None
    # Other templates or groups have another share of the same list.
    for change in ({"templates": "[TARGET] is the [ATTRIBUTE]."}, {"groups": "men-women"}):
        other = replace(results[0], spec=replace(results[0].spec, **change))
        assert all(row.obtained is None for row in compared(found, [other]))
        assert refused(found, [other])


@pytest.mark.parametrize(
    ("entry", "row"),
    [
        ("kurita-job-titles-bert-base-uncased", "Salary"),
        ("kurita-positive-traits-bert-base-uncased", "Pos-Traits"),
        ("kurita-negative-traits-bert-base-uncased", "Neg-Traits"),
        ("kurita-skills-bert-base-uncased", "Skills"),
    ],
)
def test_the_published_lists_of_the_shelf_stand_beside_table_5(entry: str, row: str) -> None:
    found = [item for item in compared(card("kurita-table-5"), [shelf.result(entry)]) if item.obtained is not None]
    assert [item.value.row for item in found] == [row]
    (item,) = found
    assert item.model == "bert-base-uncased (published)"
    scores = table("kurita_he_she").query(
        "dataset == @name", local_dict={"name": {of: at for at, of in LISTS.items()}[row]}
    )
    once = scores[scores["attribute"] != ""].drop_duplicates("attribute")["lpbs"] > 0
    assert item.obtained == pytest.approx(100 * once.mean())
    assert item.obtained == pytest.approx(item.value.references["stored outputs"], abs=0.2)
    assert item.agrees == (row != "Skills"), "56.0 where 84.0 is printed"


def test_a_share_of_fewer_words_than_the_list_has_is_said() -> None:
    """With several models, words that one of them cannot score may be left out for all: of 25 skills 24."""
    result = shelf.result("kurita-skills-bert-base-uncased")
    assert remarks(card("kurita-table-5"), [result]) == ()
    fewer = replace(result, tables={**result.tables, SHARES: result[SHARES].assign(n=24)})
    assert remarks(card("kurita-table-5"), [fewer]) == (
        "bert-base-uncased (published): the share is of 24 of the list’s 25 words; the others are excluded.",
    )


@pytest.mark.parametrize(
    ("entry", "towards", "n", "low", "high"),
    # Counted in the stored scores, each word once: without the title that is empty (88.49 with it) and with aggressive
    # and soft once (78.90 of 365 rows). Wilson: (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n), z = 1.959964.
    [
        ("kurita-job-titles-bert-base-uncased", 814, 920, 0.862532, 0.903833),
        ("kurita-positive-traits-bert-base-uncased", 184, 230, 0.743567, 0.846576),
        ("kurita-negative-traits-bert-base-uncased", 287, 363, 0.745845, 0.829335),
        ("kurita-skills-bert-base-uncased", 14, 25, 0.370673, 0.733344),
    ],
)
def test_the_published_lists_have_these_counts_and_intervals(
    entry: str, towards: int, n: int, low: float, high: float
) -> None:
    (row,) = shelf.result(entry)["shares"].to_dict("records")
    assert (row["first"], row["second"], row["ties"], row["n"]) == (towards, n - towards, 0, n)
    assert (row["share"], row["ci_low"], row["ci_high"]) == pytest.approx((towards / n, low, high), abs=1e-6)
