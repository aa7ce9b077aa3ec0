"""Results of pronoun resolution made by hand for charts and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.measures.downstream.resolution.result import MEASURES, TITLES, ResolutionResult
from core.measures.downstream.resolution.spec import ResolutionSpec
from core.result import Provenance
from tests.support.attention_results import NOBODY

SHARE = 0.11


def resolution_result(
    f1: Mapping[str, tuple[float, float]],
    *,
    topics: Sequence[tuple[str, float, float, int]] = (),
    clear: bool = False,
    n: int = 1000,
    p: float = 0.3,
    labels: str = "as published",
    provenance: Provenance = NOBODY,
    **choices: Any,
) -> ResolutionResult:
    """F1 for masculine and for feminine pronouns by resolver; topics as (words, score, P(neither), n)."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in ResolutionResult.SCHEMA.tables}
    for name, values in f1.items():
        for gender, value in zip(("all", "masculine", "feminine"), (sum(values) / 2, *values), strict=True):
            rows["scores"].append(
                {"model": name, "labels": labels, "gender": gender, "n": n, "missing": 0, "networks": 5}
                | {"share_neither": SHARE}
                | {
                    column: number
                    for measure in MEASURES
                    for column, number in _around(measure, value if measure == "f1" else value / 5).items()
                }
            )
        half = 0.4 * abs(values[1] - values[0]) if clear else 2 * abs(values[1] - values[0]) + 0.01
        rows["differences"] += [_apart(name, labels, measure, values, half, n, p) for measure in MEASURES]
        for number, (words, score, p_neither, count) in enumerate(topics, 1):
            rows["topics"].append(
                {"model": name, "words_by": name, "topic": number, "words": words, "score": score, "scored": 15}
                | {"n_masculine": count, "n_feminine": count, "p_masculine": p_neither, "p_feminine": p_neither}
            )
        if topics:
            rows["correlations"] += [
                {"model": name, "words_by": name, "gender": gender, "r": r, "p": p, "n": n}
                | {"ci_low": r - 0.1, "ci_high": r + 0.1}
                for gender, r in (("masculine", 0.05), ("feminine", 0.2))
            ]
    for gender in ("all", "masculine", "feminine"):
        rows["splits"].append(
            {"split": "test", "gender": gender, "n": n, "a": 4, "b": 4, "neither": 2, "share_neither": SHARE}
            | {"ci_low": 0.1, "ci_high": 0.12}
        )
    return ResolutionResult(
        spec=ResolutionSpec(**choices),
        tables=ResolutionResult.SCHEMA.frames(**rows),
        excluded=(),
        notes=(),
        provenance=provenance,
    )


def _around(measure: str, value: float) -> dict[str, float]:
    return {measure: value, f"{measure}_sd": 0.005, f"{measure}_low": value - 0.02, f"{measure}_high": value + 0.02}


def _apart(
    name: str, labels: str, measure: str, values: tuple[float, float], half: float, n: int, p: float
) -> dict[str, Any]:
    men, women = values
    is_f1 = measure == "f1"
    few = n < 6
    return {
        "model": name,
        "labels": labels,
        "measure": TITLES[measure],
        "masculine": men,
        "feminine": women,
        "difference": women - men,
        "ci_low": np.nan if few else women - men - half,
        "ci_high": np.nan if few else women - men + half,
        "p": np.nan if is_f1 or few else p,
        "ratio": women / men if is_f1 else np.nan,
        "ratio_low": 0.9 if is_f1 and not few else np.nan,
        "ratio_high": 1.1 if is_f1 and not few else np.nan,
        "n_masculine": n,
        "n_feminine": n,
    }
