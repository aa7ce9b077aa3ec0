"""Files of descriptors for tests, and results of descriptor likelihood made by hand for charts and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.measures.descriptors.result import DescriptorResult
from core.measures.descriptors.spec import DescriptorSpec
from core.result import Provenance
from tests.support.attention_results import NOBODY

AXES = {"mood": ("calm", "tired", "kind"), "size": ("little", "strong")}
NOUNS = ("doctor", "teacher", "nurse", "engineer", "manager", "friend")
TEMPLATE = "The doctor is a [PERSON]."


def descriptor_table(axes: Mapping[str, tuple[str, ...]] = AXES) -> bytes:
    """The axes as a CSV file."""
    rows = [f"{axis},{word}" for axis, words in axes.items() for word in words]
    return "\n".join(["axis,descriptor", *rows, ""]).encode()


def descriptor_result(
    shares: Mapping[str, Mapping[str, tuple[int, int]]],
    perplexities: Mapping[str, float] | None = None,
    *,
    n: int = 8,
    distances: Mapping[str, float] | None = None,
    provenance: Provenance = NOBODY,
    **choices: Any,
) -> DescriptorResult:
    """By model and axis how many of how many comparisons differ; the perplexity of each descriptor of every axis."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in DescriptorResult.SCHEMA.tables}
    few = n < 6
    words = perplexities or {"deaf": 40.0, "blind": 10.0}
    for model, axes in shares.items():
        for axis, (differing, pairs) in axes.items():
            where = {"model": model, "axis": axis, "template": "all"}
            apart = (distances or {}).get(axis, 0.5)
            rows["axes"].append(
                where
                | {"descriptors": len(words), "n": n, "pairs": pairs, "differing": None if few else differing}
                | {"share_differing": np.nan if few else 100 * differing / pairs, "distance": apart}
                | {"distance_low": np.nan if few else apart - 0.1, "distance_high": np.nan if few else apart + 0.1}
            )
            rows["descriptors"] += [
                where | {"descriptor": word, "n": 3 * n, "perplexity": perplexity, "tokens": 6.0}
                for word, perplexity in words.items()
            ]
    return DescriptorResult(
        spec=DescriptorSpec(**choices),
        tables=DescriptorResult.SCHEMA.frames(**rows),
        excluded=(),
        notes=(),
        provenance=provenance,
    )
