"""What is said of a chart to those who do not see it: what is drawn, which way it goes, how much, and of how many."""

from __future__ import annotations

import pandas as pd

from core.measures.agreement.result import AgreementResult, DivergenceResult
from core.report.numbers import p_text, signed
from core.report.texts import Finding

MOST = 3  # words that are named of many


def described(what: str, *findings: Finding) -> str:
    """A chart by its findings: of each the headline, and of the line below it the sentence with interval, p and n."""
    sentences = [f"{finding.text} {_first_sentence(finding.support)}".strip() for finding in findings]
    return f"{what}. {' '.join(sentences)}".strip()


def points_text(result: AgreementResult, pair: tuple[str, str, str], model: str | None) -> str:
    """The points behind one correlation."""
    representation, a, b = pair
    rows = result.summary[result.summary[list(result.columns)].isin([a, b]).all(axis=1)]
    for column, wanted in (("model", model), ("representation", representation or None)):
        if wanted is not None and rows[column].notna().any():
            rows = rows[rows[column] == wanted]
    row, named = rows.iloc[0], dict(result.names)
    p = "" if pd.isna(row["p"]) else f", {p_text(float(row['p']))}"
    r = "no correlation could be computed" if pd.isna(row["r"]) else f"r = {signed(float(row['r']))}{p}"
    return f"{named[a]} against {named[b]}: {r}, n = {int(row['n'])} points."


def contributions_text(result: DivergenceResult, model: str, template: str, scope: str) -> str:
    """The words that make a template's blank another than the base template's."""
    rows = result.detail
    rows = rows[(rows["model"] == model) & (rows["template"] == template) & (rows["scope"] == scope)]
    rows = rows.dropna(subset="contribution").sort_values("contribution", ascending=False, kind="stable")
    words = [
        f"{word} {signed(float(value), 3)}"
        for word, value in rows[["word", "contribution"]].head(MOST).itertuples(index=False)
    ]
    return (
        f"What single words add to the divergence of {template} from {result.options.base} in {model}, in nats; the "
        f"largest of {len(rows)}: {', '.join(words) or 'none'}."
    )


def _first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence; a template in quotes may hold others."""
    quoted = False
    for at, sign in enumerate(text):
        quoted = sign == "“" or (quoted and sign != "”")
        if sign == "." and not quoted and text[at + 1 : at + 2] in ("", " "):
            return text[: at + 1]
    return text
