"""What is said of a chart to those who do not see it, of results made by hand."""

from __future__ import annotations

from core.report.alternatives import (
    described,
)
from core.report.texts import Finding, Phrase


def test_a_chart_is_described_by_its_findings_and_their_first_sentences() -> None:
    support = "Interval +0.1 to +0.5, n = 60 jobs, template “[TARGET] is one. Yes.”. What a score means."
    finding = Finding((Phrase("Leans towards "), Phrase("she", "she"), Phrase(" by 0.30 nats.")), support)
    other = Finding((Phrase("No clear lean."),), "")
    assert described("A bar for each job", finding, other) == (
        "A bar for each job. Leans towards she by 0.30 nats. Interval +0.1 to +0.5, n = 60 jobs, template “[TARGET] is "
        "one. Yes.”. No clear lean."
    )
