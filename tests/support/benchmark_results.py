"""Results of benchmarks: measured on data at hand, and made by hand for charts, tables and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from core.engine.loading import LoadedModel
from core.measures.benchmarks.benchmark import Measure
from core.measures.benchmarks.compute import Memory, measure_data
from core.measures.benchmarks.pronouns import by_occupation
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.spec import BenchmarkSpec
from core.result import Excluded, ModelInfo, Provenance
from core.run import UNWATCHED, Watch
from core.sources.benchmarks import Data

CROWS = Measure(
    "crows-pairs",
    "CrowS-Pairs, pseudo-log-likelihood",
    "%",
    50.0,
    "the more stereotypical sentence is preferred",
    "the less stereotypical sentence is preferred",
    0.0,
    100.0,
    "95 % interval by Wilson’s method",
)
_BOOTSTRAP = "95 % bootstrap interval"
LMS = Measure("lms", "Language modelling score", "%", None, "words that fit are preferred", "", 0.0, 100.0, _BOOTSTRAP)
NATS = Measure(
    *("winogender", "Mean ln P(he) − ln P(she)", "nats", 0.0, "he is more probable", "she is more probable"),
    interval=_BOOTSTRAP,
)
CORRELATION = Measure(
    *("winogender-r", "Correlation with percent women", "r", 0.0, "he more where women work", "she more there"),
    *(-1.0, 1.0, "95 % interval by Fisher’s z"),
)
FILLS = Measure("disco", "DisCo, top 3", "fills", None, "more fills depend on the group", "", 0.0, None, _BOOTSTRAP)
Row = tuple[str, str, str, float | None, float | None, float | None, int]  # model to n, as the columns of the measures
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


def measured(
    models: Sequence[LoadedModel],
    name: str,
    data: Data[Any],
    *,
    memory: Memory | None = None,
    run: Watch = UNWATCHED,
    **choices: Any,
) -> BenchmarkResult:
    """The benchmark on data at hand."""
    spec = BenchmarkSpec(models=tuple(model.info.name for model in models), benchmark=name, **choices)
    return measure_data(spec, data, models, {} if memory is None else memory, run)


def info_of(name: str, kind: str = "masked") -> ModelInfo:
    """A model of that kind, as provenance names it."""
    digest = "ab12cd34ef56" + "0" * 52
    return ModelInfo(name, f"id/{name}", None, digest, "bert", kind, 2, 2, 9, ("en",), True, "float32", "cpu", "sdpa")


def benchmark_result(
    rows: Sequence[Row] = ROWS,
    scored: Sequence[tuple[Any, ...]] = ITEMS,
    *,
    benchmark: str = "crows-pairs",
    measures: Sequence[Measure] = (CROWS,),
    own: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    ties: Mapping[str, int] = MappingProxyType({}),
    unit: str = "nats",
    kind: str = "masked",
    choices: Mapping[str, Any] = MappingProxyType({}),
    **beside: Any,
) -> BenchmarkResult:
    """A result of these rows of the measures and, for the first model, of the items ``scored``.

    ``own`` are columns behind theirs; ``ties`` counts by type of bias; ``choices`` fields of the spec.
    """
    names = list(dict.fromkeys(row[0] for row in rows))
    items = _items(names[0], scored).assign(**own)
    differences = items["difference"]
    of = {measure.id: measure for measure in measures}
    spec = BenchmarkSpec(models=tuple(names[:4]), benchmark=benchmark, **choices)
    tables = BenchmarkResult.SCHEMA.frames(
        measures=[_row(row, of[row[1]], ties.get(row[2])) for row in rows],
        scales=[{"measure": measure.id, **_without_id(measure)} for measure in measures],
        differences=[
            {
                "model": names[0],
                "n": len(items),
                "above": (differences > 0).sum(),
                "below": (differences < 0).sum(),
                "equal": (differences == 0).sum(),
                "median": differences.median(),
                "unit": unit,
            }
        ],
        occupations=by_occupation(items).assign(model=names[0]) if spec.asked.occupations else (),
        items=items,
    )
    data = ("Nangia et al. 2020, CrowS-Pairs", "pairs.csv, your copy")
    models = tuple(info_of(name, kind) for name in names)
    made: dict[str, Any] = {
        "excluded": (),
        "notes": (),
        "provenance": Provenance("Tiltmeter", models, data, spec.seed, (), "2026-01-01T00:00:00Z"),
        **beside,
    }
    return BenchmarkResult(spec=spec, tables=tables, **made)


def _items(model: str, scored: Sequence[tuple[Any, ...]]) -> pd.DataFrame:
    names = ["item", "bias_type", "first", "second", "value_first", "value_second"]
    items = pd.DataFrame(list(scored), columns=names).astype({"value_first": float, "value_second": float})
    second = items["value_second"]
    items["difference"] = np.where(second.isna(), items["value_first"], items["value_first"] - second)
    items.insert(0, "model", model)
    return items


def _row(row: Row, measure: Measure, ties: int | None) -> dict[str, Any]:
    value, low, high = (np.nan if number is None else number for number in row[3:6])
    neutral = np.nan if measure.neutral is None else measure.neutral
    return {
        **dict(zip(("model", "measure", "bias_type"), row[:3], strict=True)),
        **{"value": value, "ci_low": low, "ci_high": high, "unit": measure.unit, "n": row[6], "ties": ties},
        **{"from_neutral": value - neutral, "clear": neutral < low or neutral > high},
    }


def _without_id(measure: Measure) -> dict[str, Any]:
    told = asdict(measure)
    del told["id"]
    return {"intervals": told.pop("interval"), **told}


def excluded(model: str, measure: str, part: str, why: str) -> Excluded:
    """Why a measure has no value over a part of the data."""
    return Excluded(model, "statistic", measure, why, group=part, test=measure)


def winogender_result(
    differences: Mapping[str, tuple[float | None, float]],
    *,
    correlation: tuple[float | None, float | None, float | None, int] = (-0.45, -0.7, -0.1, 4),
    **changes: Any,
) -> BenchmarkResult:
    """Percent women and ln P(he) − ln P(she) by occupation; ``correlation`` is r, its interval and n."""
    scored = [(f"{name}.1", "all", "he", "she", value, 0.0) for name, (_, value) in differences.items()]
    own = {"occupation": list(differences), "percent_women": [percent for percent, _ in differences.values()]}
    rows: list[Row] = [
        ("m", "winogender", "all", 0.72, 0.5, 0.9, len(scored)),
        ("m", "winogender-r", "all", *correlation),
    ]
    changes = {"rows": rows, "own": own, **changes}
    return benchmark_result(scored=scored, benchmark="winogender", measures=(NATS, CORRELATION), **changes)
