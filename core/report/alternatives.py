"""What is said of a chart to those who do not see it: what is drawn, which way it goes, how much, and of how many."""

from __future__ import annotations

import pandas as pd

from core.measures.agreement.result import AgreementResult, DivergenceResult
from core.measures.association.result import AssociationCell, AssociationResult
from core.report.numbers import interval, p_text, signed
from core.report.texts import Finding

MOST = 3  # words that are named of many


def described(what: str, *findings: Finding) -> str:
    """A chart by its findings: of each the headline, and of the line below it the sentence with interval, p and n."""
    sentences = [f"{finding.text} {_first_sentence(finding.support)}".strip() for finding in findings]
    return f"{what}. {' '.join(sentences)}".strip()


def cell_text(result: AssociationResult, cell: AssociationCell, what: str) -> str:
    """One combination of test, representation and model."""
    rows = result.summary
    row = rows[
        (rows["model"] == cell.model) & (rows["test"] == cell.test) & (rows["representation"] == cell.representation)
    ].iloc[0]
    d = float(row["effect_size"])
    side = f", X is more strongly associated with {'A' if d > 0 else 'B'}" if round(d, 2) else ""
    parts = [f"Effect size d = {signed(d)}{side}"]
    if pd.notna(row["ci_low"]):
        parts.append(interval(float(row["ci_low"]), float(row["ci_high"])))
    if pd.notna(row["p_adjusted"]):
        parts.append(f"adjusted {p_text(float(row['p_adjusted']))}")
    sizes = [f"{letter} {int(row[f'n_{letter.lower()}'])}" for letter in "XYAB" if pd.notna(row[f"n_{letter.lower()}"])]
    return f"{what}. {', '.join(parts)}; n: {', '.join(sizes)}."


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
