"""Small results of attention made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from core.engine.loading import LoadedModel
from core.measures.attention import compute
from core.measures.attention.result import ORIGINAL, TWIN, AttentionResult, SentenceMaps
from core.measures.attention.scan.compute import scan
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.scan.spec import ScanSpec
from core.measures.attention.spec import AttentionSpec
from core.result import Provenance
from core.run import UNWATCHED, Run, Watch
from core.sources import CorpusFile

NOBODY = Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z")
SPEC = AttentionSpec(sentence="He met her, a nurse.", twin="She met him, a nurse.")
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


def result(rows: pd.DataFrame, **changes: Any) -> AttentionResult:
    """A result of these heads."""
    return replace(
        AttentionResult(
            spec=SPEC, tables=AttentionResult.SCHEMA.frames(heads=rows), excluded=(), notes=(), provenance=NOBODY
        ),
        **changes,
    )


def measured(models: Sequence[LoadedModel], sentence: str, twin: str, run: Run[Any] | None = None) -> AttentionResult:
    """What these models give, whose names the spec does not say."""
    return compute.measure(AttentionSpec(sentence=sentence, twin=twin), models, run or Run())


def scanned(
    model: LoadedModel, twin_model: LoadedModel, corpus: CorpusFile, folder: Path, run: Watch = UNWATCHED
) -> ScanResult:
    """A scan into a folder."""
    return scan(ScanSpec(corpus=corpus, folder=folder), model, twin_model, folder, run=run)


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
            "layer": [layer for _, layer in places],
            "kind": [kind for kind, _ in places],
            "mean_degree": np.array(means, dtype=float),
            "n": 7,
            **{name: np.array(values, dtype=float) for name, values in filled.items()},
        }
    )
