"""Every column that a page shows is declared: what it is called, and what it means."""

from __future__ import annotations

import pandas as pd
import pytest

from core.measures.agreement import tables as agreement
from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.tables import group_columns, group_table, profession_columns, profession_table
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.tables import score_columns, score_table
from core.result import Column, Contrast, Group, Provenance
from core.sources.templates import Template
from tests.support.agreement_results import agreement_result, divergence_result, pairs, stability
from tests.support.lpbs import by_hand, spec_of
from tests.support.profession_results import profession_result, sentences, with_tables


def grouped() -> ProfessionResult:
    """Both means of a group of professions, and their test."""
    of = {"model": "m", "language": "en", "group": "female", "n": 90}
    cells = [{**of, "gender": gender, "mean": 0.5, "sd": 1.0} for gender in ("female", "male")]
    test = {**of, **dict.fromkeys(("W", "z", "r", "median_difference", "p", "p_adjusted"), 0.5), "p_kind": "exact"}
    return with_tables(profession_result(sentences({"nurse": 1.0})), groups=cells, tests=[test])


def lpbs_result() -> LpbsResult:
    """One attribute between he and she."""
    word = {"model": "m", "attribute": "nurse"}
    scores = dict.fromkeys(("lpbs", "ci_low", "ci_high", "p_adjusted"), 0.5)
    terms = dict.fromkeys(("ln_p_target", "ln_p_prior", "association"), -0.5)
    groups = (Group("he", ("he",)), Group("she", ("she",)))
    return by_hand(
        spec_of([Template.parse("[TARGET] is a [ATTRIBUTE].")], groups, ["nurse"]),
        {
            "attributes": [{**word, **scores, "contrast": "he − she"}],
            "targets": [{**word, **terms, "group": group.name} for group in groups],
        },
        provenance=Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z"),
    )


def tables() -> dict[str, tuple[pd.DataFrame, tuple[Column, ...]]]:
    """A table of every kind that a page makes of a result, and the declarations of its columns."""
    professions = profession_result(sentences({"nurse": 1.0, "clerk": -1.0}), percent={"nurse": 90.0})
    result = agreement_result(pairs(), stability=[stability()])
    scores = lpbs_result()
    return {
        "groups": (group_table(grouped()), group_columns(grouped())),
        "scores": (score_table(scores, Contrast("he", "she")), score_columns(scores)),
        "divergence": (agreement.divergence_table(divergence_result()), agreement.DIVERGENCE_COLUMNS),
        "professions": (profession_table(professions), profession_columns(professions)),
        "stability": (agreement.stability_table(result), agreement.STABILITY_COLUMNS),
        "pairs": (agreement.agreement_table(result), agreement.PAIR_COLUMNS),
        "values": (agreement.value_table(result), agreement.value_columns(result)),
    }


@pytest.mark.parametrize("kind", tables())
def test_every_column_has_a_title_and_a_help_text(kind: str) -> None:
    table, columns = tables()[kind]
    declared = {column.name: column for column in columns}
    for name in table.columns:
        assert declared[name].help, f"{name} of {kind}"
        assert "_" not in declared[name].heading or kind == "values", f"{name} of {kind}"  # titles of templates here


def test_columns_named_after_what_is_compared_say_what_they_hold() -> None:
    declared = {column.name: column for column in score_columns(lpbs_result())}
    assert declared["ln P he"].heading == "ln P, he"
    assert "words of he" in declared["ln P he"].help
    professions = profession_result(sentences({"nurse": 1.0}))
    means = {column.name: column for column in profession_columns(professions)}
    assert means["female"].help.startswith("Mean association with the female words")
