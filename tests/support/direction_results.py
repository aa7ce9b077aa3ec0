"""Small results of a gender direction made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.measures.association.direction.result import DirectionResult
from core.measures.association.direction.spec import DirectionSpec
from core.stats.correlation import pearson, regression
from tests.support.attention_results import NOBODY

KIND = "input-embedding"


def direction_result(
    words: Mapping[str, tuple[float, float | None]],
    *,
    models: Sequence[str] = ("m",),
    shares: Sequence[float] = (0.6, 0.3, 0.1),
    random: Sequence[float] | None = (0.4, 0.35, 0.25),
    half: float | None = 0.02,
    p: float | None = 0.01,
    **spec: Any,
) -> DirectionResult:
    """Projection and share of women of each word; the same in every model, intervals of ± ``half``."""
    asked = DirectionSpec(models=tuple(models), representations=(KIND,), **spec)
    known = [(percent, projection) for projection, percent in words.values() if percent is not None]
    x, y = (np.array(side, dtype=float) for side in zip(*known, strict=True)) if known else (np.empty(0), np.empty(0))
    line, r = regression(x, y), pearson(x, y)
    nan = float("nan")
    values = np.array([projection for projection, _ in words.values()])
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in DirectionResult.SCHEMA.tables}
    for model in models:
        which = {"model": model, "representation": KIND}
        tables["directions"].append(
            {
                **which,
                "layer": "input",
                "n_pairs": 10,
                "n_words": len(words),
                "share": shares[0],
                "direct_bias": float(np.abs(values).mean()),
                "mean_projection": float(values.mean()),
                **dict.fromkeys(("direct_bias_low", "cosine_low"), nan if half is None else 0.05),
                **dict.fromkeys(("direct_bias_high", "cosine_high", "cosine"), nan if half is None else 0.95),
                "slope": nan if line is None else line.slope,
                "intercept": nan if line is None else line.intercept,
            }
        )
        tables["projections"] += [
            {
                **which,
                "word": word,
                "projection": projection,
                "ci_low": nan if half is None else projection - half,
                "ci_high": nan if half is None else projection + half,
                "percent": nan if percent is None else percent,
            }
            for word, (projection, percent) in words.items()
        ]
        tables["components"] += [
            {**which, "component": at + 1, "share": share, "random": nan if random is None else random[at]}
            for at, share in enumerate(shares)
        ]
        if known:
            tables["correlations"].append(
                {
                    **which,
                    "method": "pearson",
                    "r": nan if r is None else r.r,
                    "ci_low": nan if p is None else -0.1,
                    "ci_high": nan if p is None else 0.9,
                    "p_value": nan if p is None else p,
                    "p_adjusted": nan if p is None else p,
                    "n": len(known),
                }
            )
    return DirectionResult(
        spec=asked, tables=DirectionResult.SCHEMA.frames(**tables), excluded=(), notes=(), provenance=NOBODY
    )
