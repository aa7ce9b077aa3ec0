"""What is said of a chart to those who do not see it, of results made by hand."""

from __future__ import annotations

import pandas as pd

from core.report.alternatives import (
    cell_text,
    contributions_text,
    described,
    head_text,
    occupations_text,
    points_text,
    profile_text,
)
from core.report.texts import Finding, Phrase
from tests.support.agreement_results import agreement_result, divergence_result
from tests.support.association_results import association_cell, association_result, row
from tests.support.attention_results import heads, maps, profile, result


def test_a_chart_is_described_by_its_findings_and_their_first_sentences() -> None:
    support = "Interval +0.1 to +0.5, n = 60 jobs, template “[TARGET] is one. Yes.”. What a score means."
    finding = Finding((Phrase("Leans towards "), Phrase("she", "she"), Phrase(" by 0.30 nats.")), support)
    other = Finding((Phrase("No clear lean."),), "")
    assert described("A bar for each job", finding, other) == (
        "A bar for each job. Leans towards she by 0.30 nats. Interval +0.1 to +0.5, n = 60 jobs, template “[TARGET] is "
        "one. Yes.”. No clear lean."
    )


def test_a_cell_says_which_way_how_much_and_of_how_many() -> None:
    cell = association_cell([0.5], [0.1])
    found = association_result([row("m", "weat1", "vectors", -1.0)], cells=[cell])
    assert cell_text(found, cell, "WEAT 1, vectors") == (
        "WEAT 1, vectors. Effect size d = −1.00, X is more strongly associated with B, 95 % interval −1.50 to −0.50, "
        "adjusted p = 0.040; n: X 8, Y 8, A 25, B 24."
    )


def test_a_head_says_its_degree_and_where_its_attention_goes() -> None:
    # Layer 0, head 0 attends by 1 to 9, row by row: “he” by 1/6, 2/6 and 3/6, the largest share; the twin reversed.
    pair = maps("m", ("he", "she", "nurse"), ("male", "female", "occupation"))
    found = result(heads("m", [[0.5, -0.25]], [["male", "female"]]))
    assert head_text(found, pair, 0, 0) == (
        "Attention between the tokens in L0 H0 of m: degree +0.50, to male words. Most attention in the sentence: “he” "
        "to “nurse”, 0.50; in its twin: “he” to “he”, 0.50."
    )
    assert "degree −0.25, it follows the swap." in head_text(found, pair, 0, 1)


def test_a_curve_says_where_it_is_highest_and_lowest() -> None:
    rows = profile("m", [0.5, -0.2, 0.1], share_biased=[0.25, 1.0, 0.5])
    assert profile_text(rows, "mean_degree", "Mean degree") == (
        "Mean degree. m: highest at the embedding (+0.50), lowest at the query of L0 (−0.20), of 3 positions."
    )
    assert profile_text(rows, "share_biased", "Share", share=True) == (
        "Share. m: highest at the query of L0 (100 %), lowest at the embedding (25 %), of 3 positions."
    )
    assert profile_text(profile("m", [None]), "mean_degree", "Mean degree") == (
        "Mean degree. No position can be judged."
    )


def test_points_say_their_correlation_in_either_order() -> None:
    found = agreement_result()
    for pair, names in (
        (("pooled", "T1", "T2"), "This is the _. against The _ is here."),
        (("pooled", "T2", "T1"), "The _ is here. against This is the _."),
    ):
        assert points_text(found, pair, "m") == f"{names}: r = +0.91, p < 0.001, n = 20 points."
    assert "no correlation could be computed, n = 20" in points_text(found, ("pooled", "T2", "T10"), "m")


def test_contributions_name_the_largest() -> None:
    assert contributions_text(divergence_result(), "m", "T2", "full") == (
        "What single words add to the divergence of T2 from T1 in m, in nats; the largest of 2: nurse +0.347, "
        "<i> −0.173."
    )


def test_occupations_name_the_most_frequent() -> None:
    counts = pd.DataFrame({"occupation": ["cook", "nurse", "judge", "maid"], "n": [2, 1000, 7, 1]})
    assert occupations_text(counts) == (
        "Sentences kept by occupation: 1,010 sentences of 4 occupations; most of nurse 1,000, judge 7, cook 2."
    )
