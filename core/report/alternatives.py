"""What is said of a chart to those who do not see it: what is drawn, which way it goes, how much, and of how many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.measures.agreement.result import AgreementResult, DivergenceResult
from core.measures.association.result import AssociationCell, AssociationResult
from core.measures.attention.result import MAPS, AttentionResult, SentenceMaps
from core.report.numbers import counted, fixed, head_name, interval, p_text, percent, position_name, signed
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


def head_text(result: AttentionResult, pair: Sequence[SentenceMaps], layer: int, head: int) -> str:
    """One head's attention in a sentence and in its twin: from each token to where most of it goes."""
    rows, model = result.summary, pair[0].model
    row = rows[
        (rows["kind"] == MAPS) & (rows["model"] == model) & (rows["layer"] == layer) & (rows["head"] == head)
    ].to_dict("records")
    said = "its degree is undefined"
    if row and pd.notna(row[0]["degree"]):
        towards = f", to {row[0]['direction']} words" if row[0]["degree"] > 0 else ", it follows the swap"
        said = f"degree {signed(float(row[0]['degree']))}{towards}"
    tokens = []
    for maps in pair:
        attention = maps.attention[layer, head]
        at, to = np.unravel_index(int(attention.argmax()), attention.shape)
        tokens.append(f"“{maps.pieces[at]}” to “{maps.pieces[to]}”, {fixed(float(attention[at, to]))}")
    return (
        f"Attention between the tokens in {head_name(layer, head)} of {model}: {said}. Most attention in the sentence: "
        f"{tokens[0]}; in its twin: {tokens[-1]}."
    )


def profile_text(rows: pd.DataFrame, column: str, what: str, *, share: bool = False) -> str:
    """A curve along the model: where it is highest and lowest, and over how many positions."""
    sentences = []
    for model, own in rows.dropna(subset=column).groupby("model", sort=False):
        ordered = own.sort_values(column, kind="stable").to_dict("records")
        low, high = (
            f"{position_name(end['kind'], end['layer'])} "
            f"({percent(end[column], 0) if share else signed(float(end[column]))})"
            for end in (ordered[0], ordered[-1])
        )
        sentences.append(f"{model}: highest at the {high}, lowest at the {low}, of {counted(len(own), 'position')}.")
    return f"{what}. {' '.join(sentences) or 'No position can be judged.'}"


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


def occupations_text(counts: pd.DataFrame) -> str:
    """How often each occupation occurs."""
    rows = counts.sort_values("n", ascending=False, kind="stable").head(MOST)
    most = ", ".join(f"{name} {n:,}" for name, n in rows[["occupation", "n"]].itertuples(index=False))
    return (
        f"Sentences kept by occupation: {counted(int(counts['n'].sum()), 'sentence')} of "
        f"{counted(len(counts), 'occupation')}; most of {most}."
    )


def _first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence; a template in quotes may hold others."""
    quoted = False
    for at, sign in enumerate(text):
        quoted = sign == "“" or (quoted and sign != "”")
        if sign == "." and not quoted and text[at + 1 : at + 2] in ("", " "):
            return text[: at + 1]
    return text
