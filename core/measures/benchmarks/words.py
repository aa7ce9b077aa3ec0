"""The sentences of a benchmark: the facts for the templates beside this module."""

from __future__ import annotations

from typing import Any

from ...charts.rows import finite
from ...report.numbers import counted, fixed, short
from ...report.texts import Finding, finding_of, text_of
from ...report.wording import listed
from ...report.works import named_in
from ...stats.samples import LEAST, is_enough, too_few
from .benchmark import Measure
from .figures import interval_text, neutral_text, written
from .result import DIFFERENCES, ITEMS, MEASURES, BenchmarkResult
from .summary import ALL

_PREFERRED = " is preferred"


def finding(result: BenchmarkResult, model: str, measure: str) -> Finding:
    """What one measure says of one model over all of the data."""
    scale, benchmark = result.scale(measure), result.benchmark
    rows: list[dict[Any, Any]] = result.of(MEASURES, model).to_dict("records")
    rows = [row for row in rows if row["measure"] == measure]
    whole: dict[Any, Any] = next((row for row in rows if row["bias_type"] == ALL), {"value": None, "n": 0})
    value, n = finite(whole["value"]), int(whole["n"])
    if value is None:
        return finding_of(__file__, "finding", number=None, title=scale.title, model=model)
    low, high, ties = (finite(whole[name]) for name in ("ci_low", "ci_high", "ties"))
    above, is_rate = scale.above, scale.unit == "%" and scale.neutral is not None
    items = counted(n, benchmark.items.removesuffix("s"), benchmark.items)
    return finding_of(
        __file__,
        "finding",
        title=scale.title,
        model=model,
        number=written(scale, value),
        unit=_unit(scale),
        n=items,
        too_few="" if is_enough(n) else f" ({too_few(n)})",
        share_of=f"{round(value * n / 100):,} of {items}" if scale.unit == "%" and benchmark.items == "pairs" else "",
        published=any(info.name == model and info.published for info in result.provenance.models),
        how=scale.interval,
        interval="" if low is None or high is None else interval_text(scale, low, high),
        neutral=neutral_text(scale) if scale.neutral is not None else "",
        is_rate=is_rate,
        is_correlation=scale.unit == "r",
        preferred=above.removesuffix(_PREFERRED) if is_rate and above.endswith(_PREFERRED) else "",
        above=above,
        side=above if whole["from_neutral"] > 0 else scale.below,
        amount=fixed(abs(whole["from_neutral"])) if scale.neutral is not None else "",
        clear=whole["clear"],
        ties=ties,
        furthest=_furthest(scale, rows),
        stopped=result.stopped,
    )


def _furthest(scale: Measure, rows: list[dict[Any, Any]]) -> dict[str, str] | None:
    """The part whose value lies furthest from the neutral one, of those whose interval excludes it."""
    parts = [row for row in rows if row["bias_type"] != ALL and row["clear"]]
    if not parts:
        return None
    most = max(parts, key=lambda row: abs(row["from_neutral"]))
    part = str(most["bias_type"]).replace("_", " ")
    return {"part": part, "number": written(scale, most["value"]), "n": f"{most['n']:,}"}


def _unit(scale: Measure) -> str:
    return f" {scale.unit}" if scale.unit == "nats" else ""


def items_text(result: BenchmarkResult, model: str) -> str:
    """How the items behind a rate are spread, for those who do not see the chart."""
    spread = result.of(DIFFERENCES, model).to_dict("records")[0]
    return text_of(
        __file__,
        "items",
        title=result.benchmark.title,
        model=model,
        rows=result.benchmark.rows,
        sides=result.benchmark.sides if result.is_compared else (),
        spread={**spread, **{name: f"{spread[name]:,}" for name in ("n", "above", "below")}},
        unit=f" {spread['unit']}" if spread["unit"] else "",
    )


def methods(result: BenchmarkResult) -> tuple[str, ...]:
    """How the numbers were made."""
    benchmark, spec = result.benchmark, result.spec
    whole = result[MEASURES][(result[MEASURES]["bias_type"] == ALL) & result[MEASURES]["ties"].notna()]
    intervals = list(dict.fromkeys(scale.interval for scale in result.scales))
    return (
        text_of(
            __file__,
            "methods",
            title=benchmark.title,
            data="; ".join(source for source in result.provenance.data if _is_of_items(result, source)),
            n=result[ITEMS]["item"].nunique(),
            method=benchmark.method(spec),
            causal_method=benchmark.causal_method if _has_causal(result) else "",
            sentences=str(spec.text) if "text" in benchmark.options else "",
            scales=[
                {
                    "title": scale.title,
                    "neutral": short(scale.neutral),
                    "unit": " %" if scale.unit == "%" else _unit(scale),
                    "above": scale.above,
                    "below": scale.below,
                }
                for scale in result.scales
                if scale.neutral is not None
            ],
            ties=[
                f"{result.scale(row['measure']).title}, {row['model']}: {row['ties']:,.0f} of {row['n']:,}"
                for row in whole.to_dict("records")
            ],
            intervals=intervals,
            drawn=any("bootstrap" in interval for interval in intervals),
            seed=spec.seed,
            least=LEAST,
        ),
    )


def _is_of_items(result: BenchmarkResult, source: str) -> bool:
    """Whether a source is that of the items, not of the benchmark or of a published model."""
    published = [model.published for model in result.provenance.models if model.published]
    return source != result.benchmark.citation and not any(said in source for said in published)


def _has_causal(result: BenchmarkResult) -> bool:
    return any(model.kind == "causal" for model in result.provenance.models)


def explanation(result: BenchmarkResult) -> str:
    """What the benchmark measures and what it does not, as Markdown."""
    benchmark = result.benchmark
    return text_of(
        __file__,
        "explanation.md",
        title=benchmark.title,
        explanation=benchmark.explanation,
        problems=benchmark.problems,
        citation=benchmark.citation,
    )


def references(result: BenchmarkResult) -> tuple[str, ...]:
    """The papers that the numbers rest on."""
    benchmark = result.benchmark
    return named_in(f"{benchmark.citation} {benchmark.problems}")


def material(result: BenchmarkResult) -> tuple[str, ...]:
    """What was put to the models, for the caption of a figure."""
    n = listed([f"{count:,}" for count in dict.fromkeys(result[ITEMS].groupby("model").size())])
    return (f"{result.benchmark.title}.{f' n = {n} {result.benchmark.rows}.' if n else ''}",)
