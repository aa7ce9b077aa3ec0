"""Small results of the effects of heads made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.measures.attention.causes.metric import correlations
from core.measures.attention.causes.result import OF_TWIN, OUTCOME, SUM, TOGETHER, TOTAL, CausesResult
from core.measures.attention.causes.spec import CausesSpec
from tests.support.attention_results import NOBODY


def causes_result(
    model: str,
    effects: Sequence[Sequence[float]],
    *,
    degrees: Sequence[Sequence[float | None]] | None = None,
    groups: tuple[str, str] = ("he", "she"),
    n: int = 8,
    p: float = 0.01,
    **spec: Any,
) -> CausesResult:
    """Effects of heads by layer and head, each with an interval of ± 0.1 where ``n`` carries one."""
    first, second = groups
    asked = CausesSpec(
        groups={first: ("he",), second: ("she",)},
        **{"sentence": "She met him, a nurse.", "twin": "He met her, a nurse.", **spec},
    )
    few = n < 6
    rows: list[dict[str, Any]] = [
        {
            "model": model,
            "layer": layer,
            "head": head,
            "n": n,
            "effect": effect,
            "ci_low": None if few else effect - 0.1,
            "ci_high": None if few else effect + 0.1,
            "p_value": None if few else p,
            "p_adjusted": None if few else p,
            "direct": None if asked.intervention != "twin" else 1 - effect,
            "degree": None if degrees is None else degrees[layer][head],
            "n_degree": 0 if degrees is None or degrees[layer][head] is None else n,
        }
        for layer, line in enumerate(effects)
        for head, effect in enumerate(line)
    ]
    totals = {OUTCOME: -0.5, OF_TWIN: 0.75, TOTAL: 1.25, TOGETHER: 1.25, SUM: float(np.sum(effects))}
    if asked.intervention != "twin":
        totals = {name: value for name, value in totals.items() if name not in (OF_TWIN, TOTAL)}
    known = np.array([row["degree"] if row["degree"] is not None else np.nan for row in rows], dtype=float)
    return CausesResult(
        spec=asked,
        tables=CausesResult.SCHEMA.frames(
            heads=rows,
            totals=[
                {
                    "model": model,
                    "quantity": name,
                    "n": n,
                    "mean": value,
                    "ci_low": None if few else value - 0.1,
                    "ci_high": None if few else value + 0.1,
                    "p_value": None,
                }
                for name, value in totals.items()
            ],
            correlations=[
                {
                    "model": model,
                    "quantity": quantity,
                    "method": method,
                    "r": found.r,
                    "n": found.n,
                }
                for quantity, method, found in correlations(np.array([row["effect"] for row in rows]), known)
            ],
            counts=[{"model": model, "reason": "measured", "n": n}],
        ),
        excluded=(),
        notes=(),
        provenance=NOBODY,
    )
