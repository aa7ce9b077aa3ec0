"""What is written of association tests, by its facts."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.engine.loading import LoadedModel
from core.measures.association import words
from core.measures.association.spec import AssociationSpec
from core.measures.shared.representations import SOURCES
from core.report.captions import caption
from core.report.methods import methods_paragraph
from core.report.works import REFERENCES
from core.sources import own_test
from tests.support import association
from tests.support.association_results import WHICH, asked_test, association_result, row
from tests.support.watching import load_tiny

OWN = own_test(
    ("engineer", "programmer"), ("nurse", "secretary"), ("he", "man"), ("she", "woman"),
    templates=("[TARGET] is a [ATTRIBUTE].",), group1=("he",), group2=("she",),
)  # fmt: skip


def test_a_measurement_is_clear_only_with_an_interval() -> None:
    """Three rows with p = .04: two have an interval, one of them below 0; the third has too few members."""
    result = association_result(
        [
            row("m", "weat1", "vectors", 0.9),
            row("m", "weat1", "cls-in-templates", -0.9),
            row("m", "own", "lpbs", 1.9, ci_low=math.nan, ci_high=math.nan, n_x=3, significant=False),
            row("m", "weat1", "vulic", 0.1, significant=False),
            row("m", "weat1", "ceat", None),
        ]
    )
    found = words.finding(result)
    assert [phrase.text for phrase in found.headline if phrase.strong] == ["1 of 4", "1"]
    assert "1 inconclusive, 1 with too few members" in found.text
    for fact in ("from −0.90 to +1.90", "over 4 tests", "at least 6 members", "1 combination could not be computed"):
        assert fact in found.support
    whole = words.finding(association_result([row("m", "weat1", "lpbs", 0.5)]))
    assert whole.text.endswith("in 1 of 1 measurements, with B in 0; 0 inconclusive.")
    assert "could not" not in whole.support
    assert "at least" not in whole.support


def test_a_test_in_words_says_which_way_how_much_and_of_how_many() -> None:
    assert words.in_words(association_result([row(*WHICH, -1.0)]), WHICH, "WEAT 1, vectors") == (
        "WEAT 1, vectors. Effect size d = −1.00, X is more strongly associated with B, 95 % interval −1.50 to −0.50, "
        "adjusted p = 0.040; n: X 8, Y 8, A 25, B 24."
    )
    few = row(*WHICH, 0.001, ci_low=math.nan, ci_high=math.nan, p_adjusted=math.nan)
    assert words.in_words(association_result([few]), WHICH, "It") == (
        "It. Effect size d = 0.00; n: X 8, Y 8, A 25, B 24."
    )


def test_every_representation_has_its_paper() -> None:
    assert set(SOURCES.values()) <= set(REFERENCES)


@pytest.fixture(scope="module")
def model() -> LoadedModel:
    return load_tiny("bert")


def test_the_methods_say_what_was_asked_and_how(model: LoadedModel) -> None:
    result = association.run([model], [OWN], ["lpbs", "vulic"], lost="several pieces", layer=1, seed=7)
    text = methods_paragraph(result)
    for fact in (
        "2 representations (lpbs and vulic)",
        "X (X): engineer and programmer, 2 words; Y (Y): nurse and secretary, 2 words",
        "templates: “[TARGET] is a [ATTRIBUTE].”; target words: he against she.",
        "(ddof 1)", "seed 7", "2 two-sided p values", "one value per word", "Layer 1 was read",
        "split into several tokens were excluded", "as the sentence shows them", REFERENCES["Vulić et al. 2020"],
    ):  # fmt: skip
        assert fact in text
    for fact in ("CEAT", "made equal at random", "could not be computed"):
        assert fact not in text
    again = methods_paragraph(association.run([model], [OWN], ["input-embedding"], unequal="drop", ddof=0))
    for fact in ("1 representation (input-embedding)", "(ddof 0)", "made equal at random", "unknown to the model were"):
        assert fact in again
    assert "LPBS" not in again.split("References")[0]


def test_a_caption_names_tests_and_own_words(model: LoadedModel) -> None:
    result = association.run([model], [OWN], ["vulic"])
    assert caption(result, "t").lines[0].endswith(f"{OWN.title}, by vulic.")
    assert "X = engineer, programmer (2); Y = nurse, secretary (2)" in caption(result, "t").lines[1]
    published = association_result([row(*WHICH, 1.0)], tests=[replace(asked_test("weat1"), source="Caliskan 2017")])
    assert len(caption(published, "t").lines) == 1


def test_what_is_measured_in_a_line() -> None:
    line = AssociationSpec(tests=("weat6",), representations=("vulic",)).line  # type: ignore[arg-type]
    assert line.startswith("WEAT 6")
    assert line.endswith("1 representation · minilm-mlm")
