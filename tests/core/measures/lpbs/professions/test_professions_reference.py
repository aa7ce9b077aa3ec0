"""The published numbers: tables from stored scores, and a real bert-base-uncased where it is on this machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.engine import checkpoints, loading
from core.errors import ModelNotFound
from core.measures.lpbs.grid import corpus_grid
from core.measures.lpbs.professions.rows import group_rows, profession_rows, signed_rank_rows
from core.measures.lpbs.professions.spec import Comparison
from core.measures.lpbs.scoring import Scores
from core.result import ModelInfo
from core.sources import Corpus, corpus
from tests.support.profession_results import run
from tests.support.reference import skip, table
from tests.support.watching import load_tiny


def stored(language: str, column: str) -> tuple[Scores, Corpus]:
    """Stored associations in the place of a model's, priors 0."""
    of_language = corpus(language)
    info: ModelInfo = load_tiny("bert").info
    found = replace(Scores.empty(info, corpus_grid(of_language)), not_reached=())
    rows = table("becpro_associations").query("language == @language and scores == @column")
    assert list(rows["profession"]) == [profession.name for profession in of_language.professions]
    persons = [person for labels in corpus("en").labels for person in labels]
    for template, person in np.ndindex(len(of_language.templates), len(persons)):
        found.ln_p_target[template, :, person] = rows[f"{persons[person]} {template + 1}"]
    found.ln_p_prior[:] = 0.0
    return found, of_language


@pytest.mark.parametrize(
    ("language", "column"),
    [("en", "pre_pad"), ("en", "pre_maskpad"), ("en", "pre_onemask"), ("de", "pre_maskpad"), ("de", "pre_pad")],
)
def test_the_tables_of_stored_scores(language: str, column: str) -> None:
    scores = stored(language, column)
    cells = {(row["group"], row["gender"]): row for row in group_rows(*scores)}
    tests = {row["group"]: row for row in signed_rank_rows(*scores, normal=True)}
    expected = table("becpro_tables").query("language == @language and scores == @column").set_index("group")
    assert len(expected) == 3
    for group, values in expected.iterrows():
        for gender in ("female", "male"):
            cell, letter = cells[group, gender], gender[0]
            assert round(cell["mean"], 4) == values[f"{letter}_mean"]
            assert round(cell["sd"], 4) == values[f"{letter}_sd"]
            assert cell["n"] == 900
        test = tests[group]
        assert test["W"] == values["W"]
        assert test["n"] == values["n"]
        assert round(test["z"], 4) == values["z"]
        assert round(test["r"], 4) == abs(values["r"])  # the published r is always negative
        assert test["p"] == pytest.approx(values["p"], rel=1e-6)
        assert np.sign(test["z"]) == np.sign(test["median_difference"])


def test_the_published_rank_sums_give_the_published_r() -> None:
    from core.stats.rank_tests import normal_approximation

    for _, w, z, r, r_published in table("becpro_rank_sums").itertuples(index=False):
        found = normal_approximation(w, 900)
        assert round(found[0], 4) == z
        assert round(found[1], 4) == abs(r)
        assert round(found[1], 2) == abs(r_published)


def test_the_means_of_the_sixty_professions() -> None:
    means = table("becpro_means").set_index("profession")
    rows = profession_rows(*stored("en", "pre_pad"))
    assert len(rows) == len(means) == 60
    for row in rows:
        values = means.loc[row["profession"]]
        # Both printed with four decimals.
        assert row["difference"] == pytest.approx(values["female"] - values["male"], abs=1.01e-4)
        assert row["group"] == values["group"]


def test_a_real_bert_base_uncased_gives_the_stored_scores() -> None:
    """All rows but those cut at 16 tokens and those whose masks the published corpus misplaced."""
    try:
        model = loading.load(checkpoints.fetch(checkpoints.ModelRequest("bert-base-uncased")))
    except ModelNotFound:
        skip("bert-base-uncased")
    english = corpus("en")
    misplaced = set(table("becpro_misplaced_masks").query("language == 'en'")["sentence"])
    theirs, _ = stored("en", "pre_pad")
    result = run([model], [english], statistic=Comparison("becpro", None))
    found = {
        (row["template"], row["person"], row["profession"]): row["association"]
        for row in result["sentences"].to_dict("records")
    }
    compared = 0
    for sentence in theirs.grid.sentences:
        if sentence.text in misplaced or len(model.tokenizer(sentence.text).input_ids) > 16:
            continue
        template, profession, person = sentence.place
        key = (english.templates[template], theirs.grid.words[person][1], english.professions[profession].name)
        assert found[key] == pytest.approx(theirs.ln_p_target[sentence.place], abs=2e-4), sentence.text
        compared += 1
    assert compared > 5_000
    correlations = result["correlations"].set_index("method")
    assert correlations.loc["pearson", "r"] > 0.5
