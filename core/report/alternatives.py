"""What is said of a chart to those who do not see it: what is drawn, which way it goes, how much, and of how many."""

from __future__ import annotations

from .texts import Finding


def described(what: str, *findings: Finding) -> str:
    """A chart by its findings: of each the headline, and of the line below it the sentence with interval, p and n."""
    sentences = [f"{finding.text} {_first_sentence(finding.support)}".strip() for finding in findings]
    return f"{what}. {' '.join(sentences)}".strip()


def _first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence; a template in quotes may hold others."""
    quoted = False
    for at, sign in enumerate(text):
        quoted = sign == "“" or (quoted and sign != "”")
        if sign == "." and not quoted and text[at + 1 : at + 2] in ("", " "):
            return text[: at + 1]
    return text
