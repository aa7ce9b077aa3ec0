"""A report of the AI Vulnerability Database (AVID): what was measured of a model, as a record for auditors.

It records a measurement. Whether what it found is a vulnerability is for whoever files it to say.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ...plain import Plain, strict_json
from ...report.methods import methods_paragraph, references
from ...result import HeadlineValue
from .subject import Subject, called, reading, said, unit

_DATA, _TAXONOMY = "0.3.1", "0.2"  # versions of AVID's data model and taxonomy
_UNKNOWN = "unknown"
_PUBLISHED = "These numbers were published: the reported date is the day of this record, not of their publication."
_ARXIV = re.compile(r"\barXiv:(\d{4}\.\d{4,5})")


def written(subject: Subject) -> bytes:
    """The report of a model in AVID's data model 0.3.1.

    Parameters
    ----------
    subject : Subject
        A model with its numbers.

    Returns
    -------
    bytes
        JSON in UTF-8, with every number among its metrics.
    """
    result = subject.result
    report: dict[str, Plain] = {
        "data_type": "AVID",
        "data_version": _DATA,
        "affects": {
            "developer": [subject.developer or _UNKNOWN],
            "deployer": [_UNKNOWN],
            "artifacts": [{"type": "Model" if subject.info else "System", "name": subject.id}],
        },
        "problemtype": {
            "classof": "LLM Evaluation",
            "type": "Measurement",
            "description": _english(f"{result.spec.TITLE}: {subject.model}, {subject.origin}."),
        },
        "metrics": [_metric(value) for value in subject.numbers],
        "references": [*map(_reference, references(result))],
        "description": _english("\n".join(_described(subject))),
        "impact": {
            "avid": {
                "risk_domain": ["Ethics"],
                "sep_view": ["E0100: Bias/ Discrimination"],
                "lifecycle_view": ["L05: Evaluation"],
                "taxonomy_version": _TAXONOMY,
            }
        },
        "reported_date": subject.made.date().isoformat(),
    }
    return (strict_json(report, indent=2) + "\n").encode()


def _described(subject: Subject) -> tuple[str, ...]:
    """Its numbers, what a reader must know of them, and how they were made."""
    made = methods_paragraph(replace(subject.result, notes=()), subject.model)
    published = (_PUBLISHED,) if subject.info is not None and subject.info.published else ()
    return (*said(subject, "among the metrics"), *published, *(f"Note: {note}" for note in subject.notes), made)


def _reference(paper: str) -> dict[str, Plain]:
    found = _ARXIV.search(paper)
    return {"type": "source", "label": paper, "url": f"https://arxiv.org/abs/{found[1]}" if found else ""}


def _english(text: str) -> dict[str, Plain]:
    return {"lang": "eng", "value": text}


def _metric(value: HeadlineValue) -> dict[str, Plain]:
    # The format knows two ways to detect something, and asks for one of them.
    tested = value.p is not None
    how = "Significance Test" if tested else "Static Threshold"
    name = "p value in the results" if tested else "no threshold was set; the neutral value is in the results"
    return {
        "name": called(value),
        "detection_method": {"type": how, "name": name},
        "results": {
            "id": value.name,
            "value": value.value,
            "unit": unit(value),
            "neutral": value.neutral,
            "reading": reading(value),
            "ci_low": value.low,
            "ci_high": value.high,
            value.p_name: value.p,
            "n": value.n,
        },
    }
