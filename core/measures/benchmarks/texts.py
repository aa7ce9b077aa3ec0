"""What is written of a benchmark: the sentence above its chart, the chart in words, its caption, how it was made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from core.charts.rows import finite
from core.measures.benchmarks.benchmark import Measure
from core.measures.benchmarks.figures import (
    can_tell,
    interval_text,
    is_compared,
    items_of,
    neutral_text,
    ties_text,
    unit_of,
    written,
)
from core.measures.benchmarks.registry import benchmark
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.summary import ALL
from core.report.captions import material
from core.report.methods import LIMITS, described_models, methods_paragraph, references
from core.report.missing import missing_sentence
from core.report.numbers import counted, fixed, short, signed
from core.report.texts import Finding, Phrase
from core.report.wording import listed
from core.stats.samples import LEAST, is_enough, too_few

BLODGETT_2021 = (
    "Blodgett, S. L., Lopez, G., Olteanu, A., Sim, R. and Wallach, H. (2021). Stereotyping Norwegian Salmon: An "
    "Inventory of Pitfalls in Fairness Benchmark Datasets. Proceedings of ACL-IJCNLP 2021."
)

_PREFERRED = " is preferred"
_TEXT = {
    "exact": "Sentences were scored as the file has them.",
    "normalised": "Before scoring, sentences were normalised (Unicode NFC, white space made single spaces).",
}
_SMALL = f"For fewer than {LEAST} of what a value rests on, no interval is given."


def benchmark_finding(result: BenchmarkResult, model: str, measure: str) -> Finding:
    """What one measure says of one model over all of the data."""
    asked = result.measure(measure)
    rows = result.summary[(result.summary["model"] == model) & (result.summary["measure"] == measure)]
    whole = rows[rows["bias_type"] == ALL]
    value = finite(whole.iloc[0]["value"]) if len(whole) else None
    if value is None:
        return Finding((Phrase(f"{asked.title} could not be computed for {model}; the list below says why."),), "")
    row = whole.iloc[0]
    low, high = finite(row["ci_low"]), finite(row["ci_high"])
    sure = can_tell(asked, low, high)
    n = int(row["n"])
    headline = (
        _headline(result, asked, model, value, n, sure=sure)
        if low is not None
        else _bare(result, asked, model, value, n)
    )
    return Finding(headline, " ".join(_support(result, asked, rows, (low, high), sure=sure)))


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


def items_text(result: BenchmarkResult, model: str) -> str:
    """How the items behind a rate are spread."""
    values = items_of(result, model)["difference"].dropna().to_numpy(dtype=float)
    if not len(values):
        return f"The {result.rows} of {result.title} in {model}: none has a number."
    median = f"median {signed(float(np.median(values)))}{unit_of(result, model)}, n = {len(values):,} {result.rows}."
    if not is_compared(result):
        return f"{result.title} in {model}: {median}"
    above, below = int((values > 0).sum()), int((values < 0).sum())
    return (
        f"{result.title} in {model}: {above:,} {result.sides[0]}, {below:,} {result.sides[1]}, "
        f"{counted(len(values) - above - below, 'tie')}; {median}"
    )


@material.register
def _(result: BenchmarkResult) -> tuple[str, ...]:
    per_model = result.detail.groupby("model").size()
    n = listed([f"{count:,}" for count in dict.fromkeys(per_model)])
    return (f"{result.title}. n = {n} {result.rows}." if n else f"{result.title}.",)


@references.register
def _(result: BenchmarkResult) -> tuple[str, ...]:
    return (result.citation, BLODGETT_2021) if "Blodgett" in result.problems else (result.citation,)


@methods_paragraph.register
def _(result: BenchmarkResult) -> str:
    data = "; ".join(source for source in result.provenance.data if source != result.citation)
    count = result.detail["item"].nunique()
    sentences = [
        f"{result.title} was run{f' on {data}' if data else ''}: {counted(count, 'item')} with a number.",
        described_models(result.provenance.models),
        *_how(result),
        *_measures(result),
        *_ties(result),
        f"Intervals: {'; '.join(dict.fromkeys(map(result.interval_of, result.measures)))}{_bootstrap(result)}.",
        _SMALL,
    ]
    if result.stopped:
        sentences.append("The run was stopped before its end; only the items that were reached are counted.")
    sentences += [
        missing_sentence(result.left_out),
        *map(str, result.notes),
        *([f"Known problems: {result.problems.rstrip('.')}."] if result.problems else []),
        LIMITS,
        "References: " + " ".join(references(result)),
    ]
    return " ".join(sentences)


def _how(result: BenchmarkResult) -> list[str]:
    described = benchmark(result.benchmark)
    sentences = [described.method(result.options)]
    if "text" in described.options:
        sentences.append(_TEXT[result.options.text])
    if described.causal_method and "causal" in {model.kind for model in result.provenance.models}:
        sentences.append(described.causal_method)
    return sentences


def _measures(result: BenchmarkResult) -> list[str]:
    found = []
    for measure in result.measures:
        if measure.neutral is not None and measure.below:
            unit = " %" if measure.unit == "%" else f" {measure.unit}" if measure.unit == "nats" else ""
            found.append(
                f"{measure.title}: above {short(measure.neutral)}{unit} {measure.above}, below it {measure.below}."
            )
    return found


def _ties(result: BenchmarkResult) -> list[str]:
    """How many ties lie in each rate of preference over all of the data."""
    rows = result.summary[(result.summary["bias_type"] == ALL) & result.summary["ties"].notna()]
    found = [
        f"{result.measure(row['measure']).title}, {row['model']}: {row['ties']:,} of {row['n']:,}"
        for row in rows.to_dict("records")
    ]
    return [f"Ties: {'; '.join(found)}."] if found else []


def _bootstrap(result: BenchmarkResult) -> str:
    return f" (10,000 resamples, seed {result.options.seed})" if "bootstrap" in result.intervals else ""
