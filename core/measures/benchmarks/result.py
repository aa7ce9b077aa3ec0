"""Benchmarks: what a model prefers in a published data set, and how far that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.measures.benchmarks.benchmark import Measure
from core.measures.benchmarks.spec import BenchmarkOptions
from core.measures.benchmarks.summary import ALL
from core.result import Result


@dataclass(frozen=True, eq=False)
class BenchmarkResult(Result):
    """One benchmark in one or more models.

    ``summary`` columns: model, measure (an id of ``measures``), bias_type (``all``, then the parts of the data in the
    order of the file), value (in the measure's unit), ci_low, ci_high (95 %, see ``intervals``), n (``items`` it rests
    on), ties (those of them in which the two sides have one value; they count in n alone; missing where the measure is
    no rate of preference). A value or an interval that could not be computed is missing and has its reason in
    ``left_out``.

    ``detail``: a row per pair or item and model. Columns of all benchmarks: model, item, bias_type, first, second
    (what is compared, as text), value_first, value_second, difference (first − second: positive means that the first
    is preferred). Benchmarks add columns of their own behind these (see each experiment). Where nothing is compared,
    second and value_second are missing and difference is the item's own number. ``rows`` says what a row is ("fills"),
    ``unit`` what its values are in: ``nats``, ``words``, ``%``, or empty for probabilities.

    ``benchmark`` is the id, ``title`` and ``citation`` name it; ``problems`` is a sentence on what is known to be
    wrong with it. ``sides`` are the words for first and second ("stereotype", "anti-stereotype"). ``intervals`` says
    how the intervals were got. ``stopped``: the run was stopped before its end, the models that were reached are in.
    """

    options: BenchmarkOptions
    benchmark: str
    title: str
    citation: str
    problems: str
    sides: tuple[str, str]
    items: str
    intervals: str
    measures: tuple[Measure, ...]
    rows: str = "pairs"
    unit: str = "nats"
    stopped: bool = False

    def interval_of(self, measure: Measure) -> str:
        """How the interval of a measure was got."""
        return measure.interval or self.intervals

    def measure(self, name: str) -> Measure:
        """The description of a measure by its id."""
        return next(measure for measure in self.measures if measure.id == name)


def benchmark_table(result: BenchmarkResult) -> pd.DataFrame:
    """A row per measure, model and part of the data; where a measure has a neutral value, the model nearest it first.

    Columns: measure (its title), model, bias_type, value, ci_low, ci_high, unit, n, ties (missing where the measure is
    no rate of preference), from neutral (value − neutral value, missing without one). Nearness is that of the value
    over all of the data; models without it come last.
    """
    blocks = []
    for measure in result.measures:
        rows = result.summary[result.summary["measure"] == measure.id]
        models = list(dict.fromkeys(rows["model"]))
        if measure.neutral is not None:
            whole = rows[rows["bias_type"] == ALL].set_index("model")["value"]
            distances = (whole - measure.neutral).abs().reindex(models)
            models = list(distances.sort_values(na_position="last", kind="stable").index)
        for model in models:
            part = rows[rows["model"] == model]
            apart = part["value"] - (float("nan") if measure.neutral is None else measure.neutral)
            blocks.append(part.assign(measure=measure.title, unit=measure.unit, **{"from neutral": apart}))
    columns = ["measure", "model", "bias_type", "value", "ci_low", "ci_high", "unit", "n", "ties", "from neutral"]
    return pd.concat(blocks)[columns].reset_index(drop=True) if blocks else pd.DataFrame(columns=columns)


def item_table(result: BenchmarkResult, model: str, most: int) -> pd.DataFrame:
    """The ``most`` items with the highest and the ``most`` with the lowest difference, the highest first.

    Columns: item, bias_type, difference (positive: the first is preferred), the two sides by their names, their
    values, and those of the benchmark. Where nothing is compared there is one side and no value beside difference.
    """
    rows = result.detail[result.detail["model"] == model].dropna(subset="difference")
    rows = rows.sort_values("difference", ascending=False, kind="stable")
    if len(rows) > 2 * most:
        rows = pd.concat([rows.head(most), rows.tail(most)])
    first, second = result.sides
    names = {"first": first, "second": second, "value_first": f"value {first}", "value_second": f"value {second}"}
    if not result.detail["value_second"].notna().any():
        rows = rows.drop(columns=["second", "value_first", "value_second"])
    rows.insert(3, "difference", rows.pop("difference"))  # sentences are long: the number stands before them
    return rows.drop(columns="model").rename(columns=names).reset_index(drop=True)
