"""Benchmarks: what a model prefers in a published data set, and how far that can be trusted."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import pandas as pd

from ...plain import is_missing
from ...result import Column, Dtype, Headline, Result, Schema, Table, count, flag, number, text
from ..comparable import KEYS
from .benchmark import Benchmark, Measure
from .registry import BENCHMARKS
from .registry import benchmark as benchmark_of
from .summary import ALL

MEASURES, SCALES, DIFFERENCES, OCCUPATIONS, ITEMS = "measures", "scales", "differences", "occupations", "items"

_MODEL = text("model", "The model, by its short name.")
_MEASURE = text("measure", "What is counted.")
_DIFFERENCE = "First minus second; where nothing is compared, the item's own number"


def _of_measure(measure: str, result: BenchmarkResult) -> pd.DataFrame:
    """A measure over all of the data, in each model."""
    rows = result[MEASURES]
    return rows[(rows["measure"] == measure) & (rows["bias_type"] == ALL)]


class BenchmarkResult(Result):
    """One benchmark in one or more models.

    Tables: ``measures`` (each number over all of the data, then over each of its parts in the order of the file),
    ``scales`` (what the values of a measure mean), ``differences`` (how the items are spread), ``occupations`` (where
    they are compared with their share of women) and ``items``. A value or an interval that could not be computed is
    missing and has its reason in ``excluded``.
    """

    HEADLINES: ClassVar[tuple[Headline, ...]] = tuple(
        Headline(
            Column(
                measure.id,
                Dtype.NUMBER,
                measure.title,
                benchmark.title_of(measure),
                measure.unit,
                measure.above,
                decimals=2,
            ),
            partial(_of_measure, measure.id),
            "value",
            "ci_low",
            "ci_high",
            n="n",
            neutral=measure.neutral,
            better=measure.better,
            least=measure.lowest,
        )
        for benchmark in BENCHMARKS
        for measure in (*benchmark.measures, *benchmark.causal_measures)
    )
    SCHEMA: ClassVar[Schema] = Schema(
        "benchmarks",
        1,
        {
            MEASURES: Table(
                "a measure in a model, over a part of the data",
                (
                    _MODEL,
                    _MEASURE,
                    text("bias_type", "The part of the data: all, or a type of bias.", "type of bias"),
                    number("value", "In the unit beside it.", decimals=2),
                    number("ci_low", "Lower end of the 95 % confidence interval.", "95 % CI low", decimals=2),
                    number("ci_high", "Upper end of the 95 % confidence interval.", "95 % CI high", decimals=2),
                    text("unit", "Unit of the value and its interval."),
                    count("n", "What the value rests on: pairs, items, templates, prompts or occupations."),
                    number(
                        "ties",
                        "Of these, those with equal values on both sides; they count in n alone. "
                        "Missing where the measure is no rate of preference.",
                        decimals=0,
                    ),
                    number("from_neutral", "Value minus the one at which neither side is preferred.", decimals=2),
                    flag("clear", "Whether the interval excludes the neutral value; no where there is none."),
                ),
            ),
            SCALES: Table(
                "a measure: what its values mean",
                (
                    _MEASURE,
                    text("title", "What it is called."),
                    text("unit", "The unit of its values."),
                    number("neutral", "The value at which neither side is preferred; missing where there is none."),
                    number("lowest", "The lowest value there can be; missing where there is none."),
                    number("highest", "The highest value there can be; missing where there is none."),
                    text("above", "What a value above the neutral one means."),
                    text("below", "What a value below the neutral one means."),
                    text("intervals", "How its intervals were computed."),
                ),
                long=True,
            ),
            DIFFERENCES: Table(
                "a model: how the differences of its items are spread",
                (
                    _MODEL,
                    count("n", "Items with a number."),
                    count("above", "Items in which the first side is preferred."),
                    count("below", "Items in which the second side is preferred."),
                    count("equal", "Items with equal values on both sides."),
                    number("median", "Median of the differences."),
                    text("unit", "Unit of the values and differences of the items; empty for probabilities."),
                ),
            ),
            OCCUPATIONS: Table(
                "an occupation in a model",
                (
                    _MODEL,
                    text("occupation", "The occupation."),
                    number("percent_women", "Women in the occupation", "% women", unit="%", decimals=1),
                    count("n", "Its sentences."),
                    number("difference", "Mean difference of its sentences", unit="nats", sign="he is more probable"),
                    number("fitted", "What the least-squares line on the percentage of women gives", unit="nats"),
                    number("residual", "Difference minus fitted", unit="nats"),
                ),
            ),
            ITEMS: Table(
                "an item in a model: a pair, a fill, a sentence or a prompt",
                (
                    _MODEL,
                    text("item", "The item, by its name in the data."),
                    text("bias_type", "The part of the data that it belongs to.", "type of bias"),
                    text("first", "What is compared, or the text of the item."),
                    text("second", "What it is compared with; missing where nothing is compared."),
                    number("value_first", "The value of the first."),
                    number("value_second", "The value of the second."),
                    number("difference", _DIFFERENCE, sign="the first is preferred"),
                ),
                optional=tuple({column.name: column for known in BENCHMARKS for column in known.columns}.values()),
                long=True,
            ),
        },
    )

    @property
    def benchmark(self) -> Benchmark:
        """What was asked."""
        return benchmark_of(self.spec.benchmark)

    @property
    def scales(self) -> tuple[Measure, ...]:
        """The measures, in their order."""
        return tuple(map(_scale, self[SCALES].to_dict("records")))

    def scale(self, measure: str) -> Measure:
        """What the values of a measure mean. Raises KeyError."""
        return {scale.id: scale for scale in self.scales}[measure]

    def summed_up(self, number: str) -> tuple[str, ...]:
        """The models that have this measure of the benchmark: masked and causal ones have other measures."""
        return tuple(
            info.name
            for info in self.provenance.models
            if number in {f"{self.SCHEMA.name}.{measure.id}" for measure in self.benchmark.measures_of(info)}
        )

    @property
    def is_compared(self) -> bool:
        """Whether items are two things that are compared, and not numbers of their own."""
        return bool(self.benchmark.sides[1])

    def of(self, table: str, model: str) -> pd.DataFrame:
        """The rows of one model."""
        return self[table][self[table]["model"] == model]


def _scale(row: dict[Any, Any]) -> Measure:
    held: dict[str, Any] = {name: None if is_missing(cell) else cell for name, cell in row.items()}
    return Measure(held.pop("measure"), interval=held.pop("intervals"), **held)


def compared_items(result: BenchmarkResult) -> pd.DataFrame:
    """Of one model, a row for each item of the data (``Comparable.items``)."""
    rows = result[ITEMS].dropna(subset="difference").drop_duplicates(["bias_type", "item"])
    columns = {"whole": "all", "section": rows["bias_type"], "entry": rows["item"], "item": ""}
    return pd.DataFrame(columns, columns=[*KEYS]).assign(value=rows["difference"]).reset_index(drop=True)


def compared_summaries(result: BenchmarkResult) -> pd.DataFrame:
    """Of one model, each number over all of the data and over its parts (``Comparable.summaries``)."""
    titles = {scale.id: scale.title for scale in result.scales}
    rows = result[MEASURES].dropna(subset="value")
    name = rows["measure"].map(titles)
    found = {"section": rows["bias_type"], "name": name, "value": rows["value"], "unit": rows["unit"]}
    return pd.DataFrame(found).reset_index(drop=True)
