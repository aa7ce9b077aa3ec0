"""Published scores beside measured ones: the same code, the same sentences, and nothing that was measured changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from core.measures.lpbs.professions.result import PROFESSIONS, SENTENCES, TESTS, ProfessionResult
from core.measures.lpbs.professions.spec import ProfessionSpec
from core.sources import Corpus, corpus
from core.stats.corrections import benjamini_hochberg
from tests.support.profession_results import run
from tests.support.watching import load_tiny

BERT, NAME = "becpro-en-bert-base-uncased", "bert-base-uncased (published)"
DIRECTOR = "director of religious activities"


def small() -> Corpus:
    """Two templates, two pairs and two professions of the corpus; one template is cut for both professions but partly.

    Of the dietitian in the second template, “she” and “he” are short enough; of the director neither is.
    """
    english = corpus("en")
    professions = tuple(item for item in english.professions if item.name in ("dietitian", DIRECTOR))
    persons = tuple(replace(kind, words=kind.words[:2]) for kind in english.persons)
    return replace(
        english,
        templates=(english.templates[0], english.templates[3]),
        persons=(persons[0], persons[1]),
        professions=professions,
    )


def measured(**options: Any) -> ProfessionResult:
    return run([load_tiny("bert")], [small()], options)


def joined(result: ProfessionResult, **options: Any) -> ProfessionResult:
    spec: ProfessionSpec = replace(result.spec, published=(BERT,), **options)
    return spec.finish(result)


def of(frame: pd.DataFrame, model: str) -> pd.DataFrame:
    return frame[frame["model"] == model].reset_index(drop=True)


def places(result: ProfessionResult, model: str) -> set[tuple[str, str, str]]:
    rows = of(result[SENTENCES], model)[["template", "person", "profession"]]
    return set(rows.itertuples(index=False, name=None))


def test_what_every_model_has_is_what_is_left() -> None:
    before = measured()
    both = joined(before)
    (tiny,) = before.models
    assert both.models == (tiny, NAME)
    first, second = small().templates
    she, woman = "she", "this woman"
    he, man = "he", "this man"
    expected = {(first, person, job) for person in (she, woman, he, man) for job in ("dietitian", DIRECTOR)}
    expected |= {(second, she, "dietitian"), (second, he, "dietitian")}
    assert places(both, tiny) == places(both, NAME) == expected
    kept = before[SENTENCES].set_index(["template", "person", "profession"])["association"]
    found = of(both[SENTENCES], tiny).set_index(["template", "person", "profession"])["association"]
    assert found.to_dict() == {place: value for place, value in kept.to_dict().items() if place in expected}
    # 2 of "this woman" and "this man" beside the dietitian, all 4 beside the director.
    lost = {(item.what, item.why) for item in both.excluded if item.model == tiny and item.kind == "item"}
    assert lost == {
        ("dietitian", f"dietitian: 2 sentences that not every model has (not {NAME})."),
        (DIRECTOR, f"{DIRECTOR}: 4 sentences that not every model has (not {NAME})."),
    }


def test_where_each_keeps_what_it_has_the_measured_rows_stay_as_they_were() -> None:
    before = measured(common_words=False)
    both = joined(before)
    (tiny,) = before.models
    for name in (SENTENCES, PROFESSIONS):
        rows = of(both[name], tiny)
        assert rows[list(before[name].columns)].equals(before[name])
    assert len(places(both, NAME)) == len(places(both, tiny)) - 6


def test_the_p_values_of_all_models_are_adjusted_together() -> None:
    both = joined(run([load_tiny("bert")], [replace(corpus("en"), professions=corpus("en").professions[:4])]))
    tests = both[TESTS]
    assert list(tests["model"].unique()) == list(both.models)
    assert tests["p_adjusted"].tolist() == benjamini_hochberg(tests["p"].to_numpy(dtype=float)).tolist()


def test_what_was_not_published_is_said() -> None:
    english = small()
    own = replace(english, templates=(*english.templates, "[TARGET] was a [ATTRIBUTE]."))
    both = joined(run([load_tiny("bert")], [own], {"common_words": False}))
    assert ("[TARGET] was a [ATTRIBUTE].", NAME) in {(item.what, item.model) for item in both.excluded}
    assert not any(template == own.templates[2] for template, _, _ in places(both, NAME))


def test_another_model_or_statistic_asks_nothing_again() -> None:
    spec = ProfessionSpec(published=BERT)
    assert spec.base == ProfessionSpec(statistic=None)
    alone = ProfessionSpec(models=(), published=BERT)
    assert alone.base == replace(alone, statistic=None)


def test_its_note_and_its_source_stand_in_the_result() -> None:
    both = joined(measured())
    assert [note.model for note in both.notes if "not measured here" in note.text] == [NAME]
    assert any("gender-bias-german-mlm" in source for source in both.provenance.data)
    assert [info.published != "" for info in both.provenance.models] == [False, True]
