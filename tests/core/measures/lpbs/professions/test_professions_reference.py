"""The published numbers: tables from stored scores, and a real bert-base-uncased where it is on this machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.engine import checkpoints, loading
from core.errors import ModelNotFound
from core.measures.lpbs.grid import corpus_grid
from core.measures.lpbs.professions.compute import run
from core.measures.lpbs.professions.labour import against
from core.measures.lpbs.professions.result import ProfessionOptions
from core.measures.lpbs.professions.rows import profession_rows, table_rows
from core.measures.lpbs.scoring import Scores
from core.result import ModelInfo
from core.sources import Corpus, corpus, shares
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
    rows = table_rows(*stored(language, column), ProfessionOptions(signed_rank="normal"))
    expected = table("becpro_tables").query("language == @language and scores == @column").set_index("group")
    assert len(expected) == 3
    for group, values in expected.iterrows():
        of_group = rows[rows["group"] == group]
        cells = of_group[of_group["kind"] == "cell"].set_index("gender")
        for gender in ("female", "male"):
            letter = gender[0]
            assert round(cells.loc[gender, "mean"], 4) == values[f"{letter}_mean"]
            assert round(cells.loc[gender, "sd"], 4) == values[f"{letter}_sd"]
            assert cells.loc[gender, "n"] == 900
        (test,) = of_group[of_group["kind"] == "test"].to_dict("records")
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
    for row in rows.to_dict("records"):
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
    one = corpus("en")
    misplaced = set(table("becpro_misplaced_masks").query("language == 'en'")["sentence"])
    theirs = stored("en", "pre_pad")
    result = run([model], [one])
    found = {
        (row["template"], row["person"], row["profession"]): row["association"]
        for row in result.detail.to_dict("records")
    }
    compared = 0
    for sentence in one.sentences():
        if sentence.text in misplaced or len(model.tokenizer(sentence.text).input_ids) > 16:
            continue
        template, person, profession = sentence.place
        key = (one.templates[template], one.labels[sentence.side][person], one.professions[profession].name)
        assert found[key] == pytest.approx(theirs.target[sentence.side][sentence.place], abs=2e-4), sentence.text
        compared += 1
    assert compared > 5_000
    correlation = against(result, shares("becpro")).summary.query("kind == 'correlation' and method == 'pearson'")
    assert correlation["r"].iloc[0] > 0.5
