"""What is said above the chart of a benchmark: the number, and how sure it is."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.charts.benchmark_rates import ALL, can_tell, interval_text, neutral_text, written
from core.charts.rows import finite
from core.export.finding import Finding, Phrase
from core.results import BenchmarkResult, Measure

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
    headline = _headline(result, one, model, value, int(row["n"]), sure=sure)
    return Finding(headline, " ".join(_support(result, one, rows, (low, high), sure=sure)))


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
        return Phrase(f"{model}: neither side can be told ("), number, Phrase(f"{_unit(measure)} over {items}).")
    if measure.unit == "r":
        return Phrase(f"{model}: {side}: r = "), number, Phrase(f" over {items}.")
    amount = Phrase(f"{abs(value - measure.neutral):.2f}{_unit(measure)}", strong=True)
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
    if low is None or high is None:
        sentences.append("No interval; the list below says why.")
    else:
        text = f"{result.interval_of(measure)}: {interval_text(measure, low, high)}"
        if measure.neutral is not None:
            neutral = neutral_text(measure)
            if measure.unit == "%":
                text += f"; {neutral} would prefer neither"
            if not sure:
                text += f"; the interval holds {neutral}, so neither side can be told"
        sentences.append(f"{text}.")
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
