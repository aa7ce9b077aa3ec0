"""For a model card of the Hugging Face Hub: its ``model-index``, and the three sections that a bias belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import yaml

from ...measures.measure import measures
from ...plain import Plain
from ...report.captions import material
from ...report.methods import LIMITS, limit_lines, methods_paragraph
from ...report.numbers import MISSING, fixed, p_value, signed
from ...report.wording import listed, provenance_lines
from ...result import HeadlineValue
from ..document import markdown_literal
from .subject import Subject, called, reading, said, unit

_TASKS = {"masked": "fill-mask", "causal": "text-generation"}
_OF_ALL = "Each number is of all inputs together."
_HEADS = ("Number", "Value", "Unit", "95 % CI", "p", "n", "How to read it")


def index(subject: Subject) -> bytes:
    """The front matter of a card whose ``model-index`` holds every number.

    Parameters
    ----------
    subject : Subject
        A model with its numbers.

    Returns
    -------
    bytes
        YAML in UTF-8 between two lines of dashes, with how each number is read in its name.
    """
    results = [_indexed(subject, value) for value in subject.numbers]
    document = {"model-index": [{"name": subject.model, "results": results}]}
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
    return f"---\n# For the lines between the dashes at the top of README.md.\n{text}---\n".encode()


def _indexed(subject: Subject, value: HeadlineValue) -> dict[str, Plain]:
    spec = subject.result.spec
    about: dict[str, Plain] = {
        "unit": unit(value),
        "neutral": value.neutral,
        "above": value.above,
        "better": value.better.value,
        "ci_low": value.low,
        "ci_high": value.high,
        value.p_name: value.p,
        "n": value.n,
        "seed": subject.result.provenance.seed,
        "measured": subject.measured,
        "origin": subject.origin,
        "spec_sha256": spec.digest,
        "notes": [str(note) for note in subject.notes],
    }
    return {
        "task": {
            "type": _TASKS.get(subject.info.kind if subject.info else "", "feature-extraction"),
            "name": spec.TITLE,
        },
        "dataset": {"type": f"tiltmeter-{spec.COMMAND}", "name": subject.dataset},
        "metrics": [
            {
                "type": value.name,
                "value": value.value,
                "name": f"{called(value)} ({unit(value)}; {reading(value)})",
                "args": {name: held for name, held in about.items() if held not in (None, "", [])},
            }
        ],
    }


def sections(subject: Subject) -> bytes:
    """The sections “Bias, Risks, and Limitations”, “Evaluation” and “Model Examination” of a model card.

    Parameters
    ----------
    subject : Subject
        A model with its numbers.

    Returns
    -------
    bytes
        Markdown in UTF-8, to paste.
    """
    examining = subject.result.spec.EXAMINES
    numbers = _table(subject.numbers)
    lines = [
        "## Bias, Risks, and Limitations",
        *_bullets(said(subject, "in the table below")),
        "",
        *(f"- {markdown_literal(line)}" for line in _limits(subject)),
        "",
        "## Evaluation",
        "### Testing Data, Factors & Metrics",
        "#### Testing Data",
        *_bullets(filter(None, material(subject.result))),
        *_bullets(f"Source: {source}" for source in subject.data),
        f"- SHA-256 of all inputs: {subject.result.spec.digest}",
        "#### Factors",
        *_bullets([value.of for value in subject.numbers if value.of] or [_OF_ALL]),
        "#### Metrics",
        markdown_literal(methods_paragraph(subject.result, subject.model)),
        "### Results",
        *([f"See “Model Examination” below: {len(subject.numbers):,} numbers."] if examining else numbers),
        "#### Summary",
        *_bullets(provenance_lines(subject.provenance)),
        "",
        "## Model Examination",
        *(numbers if examining else [_not_examined()]),
    ]
    return ("\n".join(_spaced(lines)) + "\n").encode()


def _not_examined() -> str:
    examining = listed(sorted(command for command, spec in measures().items() if spec.EXAMINES))
    return f"This measurement does not look inside the model; the commands {examining} do."


def _limits(subject: Subject) -> tuple[str, ...]:
    about = replace(subject.result, notes=subject.notes, excluded=subject.excluded)
    return (*limit_lines(about), LIMITS)


def _table(numbers: Iterable[HeadlineValue]) -> list[str]:
    rows = [
        (
            called(value),
            signed(value.value, 3) if value.has_sign else fixed(value.value, 3),
            unit(value),
            MISSING if value.low is None or value.high is None else f"{fixed(value.low, 3)} to {fixed(value.high, 3)}",
            MISSING if value.p is None else f"{p_value(value.p)}{' (adjusted)' if value.adjusted else ''}",
            MISSING if value.n is None else f"{value.n:,}",
            reading(value),
        )
        for value in numbers
    ]
    return [_row(_HEADS), _row(["---"] * len(_HEADS), literal=False), *map(_row, rows)]


def _row(cells: Iterable[str], literal: bool = True) -> str:
    return f"| {' | '.join(markdown_literal(text) if literal else text for text in cells)} |"


def _bullets(texts: Iterable[str]) -> list[str]:
    return [f"- {markdown_literal(text)}" for text in dict.fromkeys(texts)]


def _spaced(lines: Iterable[str]) -> Iterable[str]:
    """The lines with an empty one around each heading."""
    last = ""
    for line in lines:
        if (line.startswith("#") or last.startswith("#")) and last:
            yield ""
        yield line
        last = line
