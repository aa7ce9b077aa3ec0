"""Small results of attention made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.attention.result import ORIGINAL, TWIN, AttentionOptions, AttentionResult, SentenceMaps
from core.result import Provenance
from core.sources.marking import MarkedSentence

NOBODY = Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z")
SENTENCE = MarkedSentence("he she nurse", ((0, 2),), ((3, 6),), (7, 12))
KINDS = ("query", "key", "value", "context", "output")


def heads(model: str, degrees: Sequence[Sequence[float | None]], directions: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Rows of a model's own heads, by layer and head."""
    return pd.DataFrame(
        [
            {
                "model": model,
                "position": None,
                "layer": layer,
                "kind": "attention",
                "head": head,
                "t_male": 0.3,
                "t_female": 0.1,
                "bias": 0.5,
                "bias_swapped": 0.25,
                "degree": degree,
                "direction": direction,
            }
            for layer, (row, names) in enumerate(zip(degrees, directions, strict=True))
            for head, (degree, direction) in enumerate(zip(row, names, strict=True))
        ]
    )


def maps(
    model: str, pieces: Sequence[str], roles: Sequence[str], *, layers: int = 2, number: int = 2
) -> tuple[SentenceMaps, SentenceMaps]:
    """Attention that grows with the query, each row summing to 1; that of the twin is reversed."""
    size = len(pieces)
    weights = np.arange(1, layers * number * size * size + 1, dtype=np.float32).reshape(layers, number, size, size)
    weights /= weights.sum(axis=-1, keepdims=True)
    return (
        SentenceMaps(model, ORIGINAL, tuple(pieces), tuple(roles), weights),
        SentenceMaps(model, TWIN, tuple(pieces), tuple(roles), weights[:, :, :, ::-1].copy()),
    )


def result(summary: pd.DataFrame, *, profile: pd.DataFrame | None = None) -> AttentionResult:
    """A result of these rows."""
    return AttentionResult(
        summary=summary,
        detail=pd.DataFrame(),
        left_out=(),
        options=AttentionOptions(),
        provenance=NOBODY,
        sentence=SENTENCE,
        twin=SENTENCE,
        profile=pd.DataFrame() if profile is None else profile,
    )


def profile(model: str, means: Sequence[float | None], **columns: Sequence[float | None]) -> pd.DataFrame:
    """A profile whose positions are the embedding and as many of the layers' as there are means."""
    count = len(means)
    places = [("embedding", None), *((kind, layer) for layer in range(count) for kind in KINDS)][:count]
    filled: Mapping[str, Sequence[float | None]] = {
        "difference": [None, *(0.1 for _ in means[1:])],
        "share_rising": [None, *(0.25 for _ in means[1:])],
        "share_biased": [0.5 for _ in means],
        **dict.fromkeys(("low", "q1", "median", "q3", "high"), means),
        **columns,
    }
    return pd.DataFrame(
        {
            "model": model,
            "position": range(count),
            "layer": pd.array([layer for _, layer in places], dtype="Int64"),
            "kind": [kind for kind, _ in places],
            "mean_degree": np.array(means, dtype=float),
            "n": 7,
            **{name: np.array(values, dtype=float) for name, values in filled.items()},
        }
    )
