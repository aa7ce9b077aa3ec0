"""What is said above the chart of a benchmark: the number, and how sure it is."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.charts.benchmark_rates import ALL, can_tell, interval_text, neutral_text, ties_text, written
from core.charts.rows import finite
from core.measures.benchmarks.result import BenchmarkResult, Measure
from core.report.finding import Finding, Phrase
from core.report.numbers import counted, fixed
from core.stats.samples import is_enough, too_few

_PREFERRED = " is preferred"


def benchmark_finding(result: BenchmarkResult, model: str, measure: str) -> Finding:
    """What one measure says of one model over all of the data."""
    one = result.measure(measure)
    rows = result.summary[(result.summary["model"] == model) & (result.summary["measure"] == measure)]
    whole = rows[rows["bias_type"] == ALL]
    value = finite(whole.iloc[0]["value"]) if len(whole) else None
    if value is None:
        return Finding((Phrase(f"{one.title} could not be computed for {model}; the list below says why."),), "")
    row = whole.iloc[0]
    low, high = finite(row["ci_low"]), finite(row["ci_high"])
    sure = can_tell(one, low, high)
    n = int(row["n"])
    headline = (
        _headline(result, one, model, value, n, sure=sure) if low is not None else _bare(result, one, model, value, n)
    )
    return Finding(headline, " ".join(_support(result, one, rows, (low, high), sure=sure)))


def _bare(result: BenchmarkResult, measure: Measure, model: str, value: float, n: int) -> tuple[Phrase, ...]:
    """A value without an interval, which is said as a value: too little is behind it for a verdict."""
    items = counted(n, result.items.removesuffix("s"), result.items)
    end = f"too few for a verdict{'' if is_enough(n) else f' ({too_few(n)})'}."
    if result.items == "pairs" and measure.unit == "%":
        preferred = Phrase(f"{round(value * n / 100):,} of {items}", strong=True)
        return Phrase(f"{model}: {measure.above} in "), preferred, Phrase(f": {end}")
    number = Phrase(f"{written(measure, value)}{_unit(measure)}", strong=True)
    return Phrase(f"{model}: {measure.title} "), number, Phrase(f" over {items}: {end}")


def _headline(
    result: BenchmarkResult, measure: Measure, model: str, value: float, n: int, *, sure: bool
) -> tuple[Phrase, ...]:
    number, items = Phrase(written(measure, value), strong=True), f"{n:,} {result.items}"
    if measure.unit == "%" and measure.neutral is not None:
        if measure.above.endswith(_PREFERRED):
            start = f"{model} prefers {measure.above.removesuffix(_PREFERRED)} in "
            return Phrase(start), number, Phrase(f" of {items}.")
        return Phrase(f"{model}: in "), number, Phrase(f" of {items} {measure.above}.")
    if measure.neutral is None:
        return Phrase(f"{model}: {measure.title} "), number, Phrase(f", over {items}.")
    side = measure.above if value > measure.neutral else measure.below
    if not sure:
        return Phrase(f"{model}: inconclusive ("), number, Phrase(f"{_unit(measure)} over {items}).")
    if measure.unit == "r":
        return Phrase(f"{model}: {side}: r = "), number, Phrase(f" over {items}.")
    amount = Phrase(f"{fixed(abs(value - measure.neutral))}{_unit(measure)}", strong=True)
    return Phrase(f"{model}: {side}, by "), amount, Phrase(f" on average over {items}.")


def _support(
    result: BenchmarkResult,
    measure: Measure,
    rows: pd.DataFrame,
    interval: tuple[float | None, float | None],
    *,
    sure: bool,
) -> list[str]:
    low, high = interval
    sentences = ["Stopped before its end; this is of what was reached."] if result.stopped else []
    ties = ties_text(rows[rows["bias_type"] == ALL].to_dict("records")[0])
    if low is None or high is None:
        sentences.append("No interval; the list below says why.")
    else:
        text = f"{result.interval_of(measure)}: {interval_text(measure, low, high)}"
        if measure.neutral is not None:
            neutral = neutral_text(measure)
            if measure.unit == "%":
                text += f"; {neutral} would prefer neither"
            if not sure:
                text += f"; inconclusive: the interval includes {neutral}"
        sentences.append(f"{text}.")
    if ties:
        none = ties.startswith("no")
        sentences.append("No ties." if none else f"{ties}: neither side has the higher value, which counts in n alone.")
    furthest = _furthest(measure, rows)
    if furthest:
        sentences.append(furthest)
    return sentences


def _furthest(measure: Measure, rows: pd.DataFrame) -> str:
    """The part whose value lies furthest from the neutral one, of those whose interval leaves it out."""
    if measure.neutral is None:
        return ""
    parts: list[dict[Any, Any]] = [
        row
        for row in rows[rows["bias_type"] != ALL].dropna(subset="value").to_dict("records")
        if can_tell(measure, finite(row["ci_low"]), finite(row["ci_high"]))
    ]
    if not parts:
        return ""
    neutral = measure.neutral
    most = max(parts, key=lambda row: abs(row["value"] - neutral))
    name = str(most["bias_type"]).replace("_", " ")
    return (
        f"Furthest from {neutral_text(measure)}: {name}, {written(measure, most['value'])}{_unit(measure)} (n = "
        f"{int(most['n']):,})."
    )


def _unit(measure: Measure) -> str:
    return f" {measure.unit}" if measure.unit == "nats" else ""
