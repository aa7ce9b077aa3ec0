"""Results of benchmarks made by hand, for charts, tables and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from core.measures.benchmarks.benchmark import Measure
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.spec import BenchmarkOptions
from core.result import LeftOut, ModelInfo, Provenance

NOBODY = Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z")
CROWS = Measure(
    "crows-pairs",
    "CrowS-Pairs, pseudo-log-likelihood",
    "%",
    50.0,
    "the more stereotypical sentence is preferred",
    "the less stereotypical sentence is preferred",
    0.0,
    100.0,
)
LMS = Measure("lms", "Language modelling score", "%", None, "words that fit are preferred", "", 0.0, 100.0)
NATS = Measure("winogender", "Mean ln P(he) − ln P(she)", "nats", 0.0, "he is more probable", "she is more probable")
CORRELATION = Measure(
    "winogender-r", "Correlation with percent women", "r", 0.0, "he more where women work", "she more there", -1.0, 1.0
)
FILLS = Measure("disco", "DisCo, top 3", "fills", None, "more fills depend on the group", "", 0.0, None)
Row = tuple[str, str, str, float | None, float | None, float | None, int]  # as the columns of the summary
# The stored example: 56.2 % of 1,508 pairs.
ROWS: tuple[Row, ...] = (
    ("m", "crows-pairs", "all", 56.2, 53.7, 58.7, 1508),
    ("m", "crows-pairs", "race-color", 48.0, 43.0, 53.0, 516),
    ("m", "crows-pairs", "religion", 71.4, 62.0, 79.0, 105),
)
# item, bias type, first, second, value of the first, of the second
ITEMS: tuple[tuple[Any, ...], ...] = (
    ("1", "religion", "more a", "less a", -10.0, -12.5),
    ("2", "race-color", "more b", "less b", -11.0, -10.0),
    ("3", "race-color", "more c", "less c", -9.0, -9.0),
    ("4", "religion", "more <d>", "less d", -8.0, -8.5),
)


def provenance_of(name: str, kind: str) -> Provenance:
    """The provenance of one model of that kind."""
    digest = "ab12cd34ef56" + "0" * 52
    info = ModelInfo(name, f"id/{name}", None, digest, "bert", kind, 2, 2, 9, ("en",), True, "float32", "cpu", "sdpa")
    return Provenance("Tiltmeter", (info,), ("Nangia et al. 2020", "pairs.csv, your copy"), 3, (), "2026-01-01")


def benchmark_result(
    summary: Sequence[Row] = ROWS,
    scored: Sequence[tuple[Any, ...]] = ITEMS,
    *,
    measures: Sequence[Measure] = (CROWS,),
    own: dict[str, Sequence[Any]] | None = None,
    ties: Mapping[str, int] = MappingProxyType({}),
    model: str = "m",
    left_out: Sequence[LeftOut] = (),
    provenance: Provenance = NOBODY,
    **changes: Any,
) -> BenchmarkResult:
    """A result of these summary rows and, for ``model``, of the items ``scored``; ``own`` are columns behind theirs.

    ``ties`` are counts by type of bias.
    """
    detail = pd.DataFrame(
        list(scored), columns=["item", "bias_type", "first", "second", "value_first", "value_second"]
    ).astype({"value_first": float, "value_second": float})
    second = detail["value_second"]
    detail["difference"] = np.where(second.isna(), detail["value_first"], detail["value_first"] - second)
    detail = detail.assign(**(own or {}))
    detail.insert(0, "model", model)
    named: dict[str, Any] = {
        "benchmark": "crows-pairs",
        "title": "CrowS-Pairs",
        "citation": "Nangia et al. 2020",
        "problems": "Blodgett et al. (2021) found pitfalls in most pairs.",
        "sides": ("more stereotypical", "less stereotypical"),
        "items": "pairs",
        "intervals": "95 % interval by Wilson’s method",
        "options": BenchmarkOptions(),
        **changes,
    }
    frame = pd.DataFrame(
        list(summary), columns=["model", "measure", "bias_type", "value", "ci_low", "ci_high", "n"]
    ).astype({"value": float, "ci_low": float, "ci_high": float})
    frame["ties"] = pd.array([ties.get(row[2]) for row in summary], dtype="Int64")
    return BenchmarkResult(
        summary=frame,
        detail=detail,
        left_out=tuple(left_out),
        provenance=provenance,
        measures=tuple(measures),
        **named,
    )


def winogender_result(differences: dict[str, tuple[float | None, float]], **changes: Any) -> BenchmarkResult:
    """Percent women and ln P(he) − ln P(she) by occupation."""
    items = [(f"{name}.1", "all", "he", "she", value, 0.0) for name, (_, value) in differences.items()]
    own = {"occupation": list(differences), "percent_women": [percent for percent, _ in differences.values()]}
    rows: list[Row] = [
        ("m", "winogender", "all", 0.72, 0.5, 0.9, len(items)),
        ("m", "winogender-r", "all", -0.45, -0.7, -0.1, 4),
    ]
    named = {"benchmark": "winogender", "title": "Winogender", "sides": ("he", "she"), "items": "occupations"}
    return benchmark_result(rows, items, measures=(NATS, CORRELATION), own=own, **{**named, **changes})
