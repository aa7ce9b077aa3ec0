"""The published numbers: tables from stored scores, and a real bert-base-uncased where it is on this machine."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pytest

from core.engine import checkpoints, loading
from core.errors import ModelError
from core.measures.lpbs.professions.compute import run
from core.measures.lpbs.professions.labour import against
from core.measures.lpbs.professions.result import ProfessionOptions
from core.measures.lpbs.professions.rows import profession_rows, table_rows
from core.measures.lpbs.professions.scores import CorpusScores, empty_scores
from core.result import ModelInfo
from core.sources import corpus, shares
from tests.support.paths import SHARED
from tests.support.watching import load_tiny

REFERENCE = SHARED / "data" / "reference"
ENGLISH, GERMAN = "becpro_en_bert_base_uncased_sentence_scores.csv", "becpro_de_sentence_scores.csv"

pytestmark = pytest.mark.skipif(not REFERENCE.is_dir(), reason="the reference scores are not beside this checkout")


def stored(name: str) -> list[dict[str, str]]:
    with (REFERENCE / name).open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def published(language: str) -> list[str]:
    """The sentences of the published corpus, in the order of the stored scores."""
    file = SHARED / "data" / "benchmarks" / f"BEC-Pro_{language.upper()}.tsv"
    with file.open(newline="", encoding="utf-8") as opened:
        return [row["Sentence"] for row in csv.DictReader(opened, delimiter="\t")]


def scores(language: str, rows: list[dict[str, str]], column: str) -> CorpusScores:
    """Stored associations in the place of a model's, priors 0."""
    one = corpus(language)
    info: ModelInfo = load_tiny("bert").info
    found = empty_scores(info, one)
    places = {sentence.text: (sentence.side, sentence.place) for sentence in one.sentences()}
    for row, text in zip(rows, published(language), strict=True):
        side, place = places.pop(text)
        found.target[side][place], found.prior[side][place] = float(row[column]), 0.0
    assert not places
    found.not_reached = ()
    return found


@pytest.mark.parametrize(
    ("language", "file", "column", "table"),
    [
        ("en", ENGLISH, "pre_pad", "en_pre_pad_tokens"),
        ("en", ENGLISH, "pre_maskpad", "en_pre_original_padding"),
        ("en", ENGLISH, "pre_onemask", "en_pre_one_mask_corpus"),
        ("de", GERMAN, "dbmdz_pre_maskpad", "de_pre_original_padding"),
        ("de", GERMAN, "dbmdz_pre_pad", "de_pre_pad_tokens"),
    ],
)
def test_the_tables_of_stored_scores(language: str, file: str, column: str, table: str) -> None:
    expected: dict[str, Any] = json.loads((REFERENCE / "bartl_tables.json").read_text(encoding="utf-8"))[table]
    rows = table_rows(scores(language, stored(file), column), ProfessionOptions(signed_rank="normal"))
    for group, values in expected.items():
        of_group = rows[rows["group"] == group]
        cells = of_group[of_group["kind"] == "cell"].set_index("gender")
        for gender in ("female", "male"):
            letter = gender[0]
            assert round(cells.loc[gender, "mean"], 4) == values[f"{letter}_mean"]
            assert round(cells.loc[gender, "sd"], 4) == values[f"{letter}_sd"]
            assert cells.loc[gender, "n"] == 900
        (test,) = of_group[of_group["kind"] == "test"].to_dict("records")
        assert test["W"] == values["V_f_minus_m"]
        assert test["n"] == values["n_pairs"]
        assert round(test["z"], 4) == values["z"]
        assert round(test["r"], 4) == abs(values["r"])  # the published r is always negative
        assert test["p"] == pytest.approx(values["p_two_sided"], rel=1e-6)
        assert np.sign(test["z"]) == np.sign(test["median_difference"])


def test_the_published_rank_sums_give_the_published_r() -> None:
    from core.stats.rank_tests import normal_approximation

    published = json.loads((REFERENCE / "bartl_tables.json").read_text(encoding="utf-8"))["r_from_published_W"]
    for values in published.values():
        z, r = normal_approximation(values["W"], 900)
        assert round(z, 4) == values["z"]
        assert round(r, 4) == abs(values["r_recomputed"])
        assert round(r, 2) == abs(values["r_published"])


def test_the_means_of_the_sixty_professions() -> None:
    of_file = {row["profession"]: row for row in stored("becpro_profession_means.csv")}
    rows = profession_rows(scores("en", stored(ENGLISH), "pre_pad"))
    assert len(rows) == 60
    for row in rows.to_dict("records"):
        values = of_file[row["profession"]]
        expected = float(values["en_pre_pad_f"]) - float(values["en_pre_pad_m"])
        assert row["difference"] == pytest.approx(expected, abs=1.01e-4)  # both printed with four decimals
        assert row["group"] == values["group"]
        assert shares("becpro").find(row["profession"]) == float(values["percent_women_2019"])


def test_a_real_bert_base_uncased_gives_the_stored_scores() -> None:
    """All rows but those cut at 16 tokens and those whose masks the published corpus misplaced."""
    try:
        model = loading.load(checkpoints.fetch(checkpoints.ModelRequest("bert-base-uncased")))
    except ModelError as error:
        pytest.skip(f"bert-base-uncased cannot be loaded here: {error}")
    rows = stored(ENGLISH)
    misplaced = {int(row["row"]) for row in stored("becpro_mask_anomalies.csv") if row["lang"] == "en"}
    result = run([model], [corpus("en")])
    found = {
        (row["template"], row["person"], row["profession"]): row["association"]
        for row in result.detail.to_dict("records")
    }
    keys = {
        sentence.text: (
            corpus("en").templates[sentence.place[0]],
            corpus("en").labels[sentence.side][sentence.place[1]],
            corpus("en").professions[sentence.place[2]].name,
        )
        for sentence in corpus("en").sentences()
    }
    compared = 0
    for row, text in zip(rows, published("en"), strict=True):
        if int(row["row"]) in misplaced or len(model.tokenizer(text).input_ids) > 16:
            continue
        assert found[keys[text]] == pytest.approx(float(row["pre_pad"]), abs=2e-4), text
        compared += 1
    assert compared > 5_000
    correlation = against(result, shares("becpro")).summary.query("kind == 'correlation' and method == 'pearson'")
    assert correlation["r"].iloc[0] > 0.5
