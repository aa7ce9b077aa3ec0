"""What is said of a chart to those who do not see it, of results made by hand."""

from __future__ import annotations

from core.report.alternatives import (
    contributions_text,
    described,
    points_text,
)
from core.report.texts import Finding, Phrase
from tests.support.agreement_results import agreement_result, divergence_result


def test_a_chart_is_described_by_its_findings_and_their_first_sentences() -> None:
    support = "Interval +0.1 to +0.5, n = 60 jobs, template “[TARGET] is one. Yes.”. What a score means."
    finding = Finding((Phrase("Leans towards "), Phrase("she", "she"), Phrase(" by 0.30 nats.")), support)
    other = Finding((Phrase("No clear lean."),), "")
    assert described("A bar for each job", finding, other) == (
        "A bar for each job. Leans towards she by 0.30 nats. Interval +0.1 to +0.5, n = 60 jobs, template “[TARGET] is "
        "one. Yes.”. No clear lean."
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
