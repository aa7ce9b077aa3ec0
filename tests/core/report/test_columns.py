from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.measures.agreement.tables import agreement_table, divergence_table, stability_table
from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.tables import group_table, profession_table
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.tables import score_table
from core.report.columns import Column, column, columns_of
from core.result import Contrast, Group, Provenance, number
from core.sources.templates import Template
from tests.support.agreement_results import agreement_result, divergence_result, pairs, stability
from tests.support.lpbs import by_hand, spec_of
from tests.support.profession_results import profession_result, sentences, with_tables


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (-0.5, 3, "−0.500"),
        (0.0625, 3, "0.062"),  # to the even digit, as everywhere
        (-0.0001, 3, "0.000"),  # no negative zero
        (1234.5, 1, "1,234.5"),
        (np.int64(-7), None, "−7"),
        (12_870, None, "12,870"),
        (float("nan"), 3, "–"),
        (None, None, "–"),
        (pd.NA, None, "–"),
        (float("-inf"), 3, "−∞"),
        (True, None, "yes"),
        (np.bool_(False), None, "no"),
        ("nurse", None, "nurse"),
        ("-5", None, "-5"),  # a text stays as it is
    ],
)
def test_cells(value: object, decimals: int | None, text: str) -> None:
    assert Column("title", "help", decimals).text(value) == text


@pytest.mark.parametrize(("p", "text"), [(0.5, "0.500"), (0.03125, "0.031"), (0.001, "0.001"), (0.00099, "< 0.001")])
def test_p_values_are_never_zero(p: float, text: str) -> None:
    for name in ("p", "p_adjusted", "p_value"):
        known = column(name, "score")
        assert known is not None
        assert known.text(p) == text


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


def tables() -> dict[str, list[pd.DataFrame]]:
    """A table of every kind that a page shows."""
    professions = profession_result(sentences({"nurse": 1.0, "clerk": -1.0}), percent={"nurse": 90.0})
    agreement = agreement_result(pairs(), stability=[stability()])
    return {
        "groups": [group_table(grouped())],
        "score": [score_table(lpbs_result(), Contrast("he", "she"))],
        "divergence": [divergence_table(divergence_result())],
        "professions": [profession_table(professions)],
        "stability": [stability_table(agreement)],
        "agreement": [agreement_table(agreement)],
    }


@pytest.mark.parametrize("kind", tables())
def test_every_column_has_a_title_and_a_help_text(kind: str) -> None:
    for table in tables()[kind]:
        for name, known in columns_of(table, kind).items():
            assert known.help, f"{name} of {kind}"
            assert "_" not in known.title


def test_columns_named_after_what_is_compared_say_what_they_hold() -> None:
    known = columns_of(pd.DataFrame({"ln P he": [0.1], "association {x}": [0.2]}), "score")
    assert known["ln P he"].title == "ln P, he"
    assert "words of he" in known["ln P he"].help
    assert known["association {x}"].title == "association, {x}"
    assert columns_of(pd.DataFrame({"female": [0.5]}), "professions")["female"].help.startswith("Mean association with")


DIFFERENCE = number("difference", "First minus second")


def test_counts_have_no_decimals_and_measurements_keep_them() -> None:
    counts = columns_of(pd.DataFrame({"difference": [81.0, -19.0]}), "items", (DIFFERENCE,))["difference"]
    assert [counts.text(81.0), counts.text(-19.0)] == ["81", "−19"]
    measured = columns_of(pd.DataFrame({"difference": [81.0, -19.5]}), "items", (DIFFERENCE,))["difference"]
    assert measured.text(81.0) == "81.000"
    assert columns_of(pd.DataFrame({"lpbs": [1.0]}), "score")["lpbs"].text(1.0) == "1.000"
