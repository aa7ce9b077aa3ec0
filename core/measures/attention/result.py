"""Attention from an occupation to the gendered words of its sentence, head by head and along the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ...report.numbers import head_name
from ...result import Headline, Result, Schema, Table, count, number, text
from ..comparable import KEYS

ORIGINAL, TWIN = "sentence", "twin"
MAPS = "attention"  # the kind of the model's own maps, beside those of the detectors
HEADS, POSITIONS, TOKENS = "heads", "positions", "tokens"

MODEL = text("model", "The model, by its short name.")
LAYER = number("layer", "Layer of the model, from 0; missing for the embedding.", decimals=0)
KIND = text("kind", "What is read: embedding, query, key, value, context, output; or attention maps.")
DIFFERENCE = number("difference", "Mean degree minus that of the position it is computed from.", decimals=4)


@dataclass(frozen=True, eq=False)
class SentenceMaps:
    """A model's own attention over one sentence: ``attention`` float32 [layer, head, query, key], rows sum to 1.

    Large, and so no part of a result: made for who looks at it (``compute.maps``). ``which`` is ``sentence`` or
    ``twin``. ``pieces`` are the tokens as a person reads them, special ones included; ``roles`` say of each ``male``,
    ``female``, ``occupation``, or nothing.
    """

    model: str
    which: str
    pieces: tuple[str, ...]
    roles: tuple[str, ...]
    attention: NDArray[np.float32]


def head_maps(pair: Sequence[SentenceMaps], layer: int, head: int) -> pd.DataFrame:
    """One head's map of the sentence and of the twin, a row per query and key."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "model": maps.model,
                    "which": maps.which,
                    "layer": layer,
                    "head": head,
                    "query": [piece for piece in maps.pieces for _ in maps.pieces],
                    "key": list(maps.pieces) * len(maps.pieces),
                    "attention": maps.attention[layer, head].ravel(),
                }
            )
            for maps in pair
        ],
        ignore_index=True,
    )


def _strongest_heads(result: AttentionResult) -> pd.DataFrame:
    """Of each model, its own head with the largest degree."""
    heads = result[HEADS][result[HEADS]["kind"] == MAPS].dropna(subset="degree")
    strongest = heads.loc[heads.groupby("model", sort=False)["degree"].idxmax()]
    names = [head_name(int(layer), head) for layer, head in zip(strongest["layer"], strongest["head"], strict=True)]
    return strongest.assign(name=names)


class AttentionResult(Result):
    """One sentence and its gender-swapped twin in one or more models (metrics: attention; Li et al. 2021).

    Tables: ``heads`` (the model's own and those of the detectors), ``positions`` (each detector along a model, over
    its heads) and ``tokens`` (of both sentences). Undefined heads (no attention to either gender) have no bias, degree
    and direction and are counted in ``excluded``.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = (
        Headline(
            number(
                "strongest",
                "Degree of the head with the largest one",
                "largest degree of a head",
                sign="the head attends to the same gender in the sentence and in its twin",
            ),
            _strongest_heads,
            "degree",
            of=("name",),
        ),
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "attention",
        1,
        {
            HEADS: Table(
                "a head of a model, its own or that of a detector",
                (
                    MODEL,
                    number("position", "Detector, from 0 (embedding); missing for the model's own heads.", decimals=0),
                    LAYER,
                    KIND,
                    count("head", "Head of the layer, from 0."),
                    number(
                        "t_male",
                        "T_m: attention from the occupation to the male words, 0 to 1",
                        "to male words",
                        decimals=5,
                    ),
                    number("t_female", "T_f: the same to the female words, 0 to 1", "to female words", decimals=5),
                    number("bias", "V_m − V_f, from −1 to 1", sign="towards the male words", decimals=4),
                    number(
                        "bias_swapped",
                        "The same in the gender-swapped sentence",
                        "bias, swapped",
                        sign="towards the male words",
                        decimals=4,
                    ),
                    number("degree", "bias × bias_swapped", sign="biased: the same gender in both", decimals=4),
                    text("direction", "The gender of both, by the sum of the two biases: male, female or neither."),
                ),
            ),
            POSITIONS: Table(
                "a detector along a model",
                (
                    MODEL,
                    count("position", "Detector, from 0 (embedding)."),
                    LAYER,
                    KIND,
                    number("mean_degree", "Mean over the defined heads", sign="biased", decimals=4),
                    DIFFERENCE,
                    number("share_rising", "1 where the degree rises from the position before, else 0."),
                    number("share_biased", "Share (0–1) of the heads with a degree above 0."),
                    count("n", "Heads with a degree."),
                    number("low", "Lowest degree of a head."),
                    number("q1", "A quarter of the heads lie below.", "first quartile"),
                    number("median", "Half of the heads lie below."),
                    number("q3", "A quarter of the heads lie above.", "third quartile"),
                    number("high", "Highest degree of a head."),
                ),
            ),
            TOKENS: Table(
                "a token of the sentence or of its twin, as a model reads it",
                (
                    MODEL,
                    text("which", "sentence or twin."),
                    count("token", "Its place, from 0."),
                    text("piece", "The token, as a person reads it."),
                    text("role", "male, female or occupation; empty for other tokens."),
                ),
                long=True,
            ),
        },
    )

    def strongest(self) -> tuple[str, int, int] | None:
        """Model, layer and number of the model's own head with the largest degree; None where none is defined."""
        heads = self[HEADS][self[HEADS]["kind"] == MAPS].dropna(subset="degree")
        for head in heads.nlargest(1, "degree").to_dict("records"):
            return head["model"], int(head["layer"]), int(head["head"])
        return None


def compared_items(result: AttentionResult) -> pd.DataFrame:
    """Of one model, a row for each of its own heads with a degree (``Comparable.items``)."""
    heads = result[HEADS][result[HEADS]["kind"] == MAPS].dropna(subset="degree")
    names = [head_name(layer, head) for layer, head in zip(heads["layer"], heads["head"], strict=True)]
    named = pd.DataFrame({"whole": "all heads", "section": "all heads", "entry": names, "item": ""}, columns=[*KEYS])
    return named.assign(value=heads["degree"].to_numpy())
