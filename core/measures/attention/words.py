"""The sentences of attention: the facts for the templates beside this module."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ...report.numbers import counted, fixed, head_name, percent, position_name, signed
from ...report.texts import Finding, finding_of, text_of
from ...report.works import REFERENCES
from .result import HEADS, MAPS, AttentionResult, SentenceMaps

MALE, FEMALE = "male words", "female words"
LI_2021 = REFERENCES["Li et al. 2021"]


def finding(result: AttentionResult, model: str) -> Finding:
    """How many of one model's own heads keep their gender when the sentence is swapped, and which."""
    heads = result[HEADS]
    heads = heads[(heads["model"] == model) & (heads["kind"] == MAPS)].dropna(subset="degree")
    biased = heads[heads["degree"] > 0]
    strongest = biased.sort_values("degree", ascending=False).head(1).to_dict("records")
    return finding_of(
        __file__,
        "finding",
        n=len(heads),
        n_biased=len(biased),
        n_male=int((biased["direction"] == "male").sum()),
        n_female=int((biased["direction"] == "female").sum()),
        male=MALE,
        female=FEMALE,
        mean=heads["degree"].mean(),
        strongest=[
            {"name": head_name(row["layer"], row["head"]), "degree": row["degree"], "direction": row["direction"]}
            for row in strongest
        ],
    )


def methods(result: AttentionResult) -> tuple[str, ...]:
    """How the numbers were made."""
    spec = result.spec
    occupation = spec.sentence.text[slice(*spec.sentence.occupation)]
    return (
        text_of(__file__, "methods", sentence=spec.sentence.text, twin=spec.twin.text, occupation=occupation),
        definition(),
        "A single sentence shows what a model can do, not what it does on the whole.",
    )


def definition() -> str:
    """What bias, degree and the detectors are."""
    return text_of(__file__, "definition")


def references(_result: AttentionResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    return (LI_2021,)


def material(result: AttentionResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    return (f"Sentence: “{result.spec.sentence.text}”", f"Gender-swapped: “{result.spec.twin.text}”")


def head_text(result: AttentionResult, pair: Sequence[SentenceMaps], layer: int, head: int) -> str:
    """One head's attention in a sentence and in its twin, in words: from which token to which most of it goes."""
    heads, model = result[HEADS], pair[0].model
    row = heads[
        (heads["kind"] == MAPS) & (heads["model"] == model) & (heads["layer"] == layer) & (heads["head"] == head)
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


def profile_text(positions: pd.DataFrame, column: str, what: str, *, share: bool = False) -> str:
    """A curve along the model in words: where it is highest and lowest, and over how many positions."""
    sentences = []
    for model, own in positions.dropna(subset=column).groupby("model", sort=False):
        ordered = own.sort_values(column, kind="stable").to_dict("records")
        low, high = (
            f"{position_name(end['kind'], end['layer'])} "
            f"({percent(end[column], 0) if share else signed(float(end[column]))})"
            for end in (ordered[0], ordered[-1])
        )
        sentences.append(f"{model}: highest at the {high}, lowest at the {low}, of {counted(len(own), 'position')}.")
    return f"{what}. {' '.join(sentences) or 'No position can be judged.'}"
