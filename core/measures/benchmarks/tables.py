"""The numbers of a benchmark as a page shows and exports them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ...result import Column, text
from .result import ITEMS, MEASURES, BenchmarkResult
from .summary import ALL


def measure_table(result: BenchmarkResult) -> pd.DataFrame:
    """A row per measure, model and part of the data; where a measure has a neutral value, the model nearest it first.

    Columns: measure (its title), model, bias_type, value, ci_low, ci_high, unit, n, ties, from_neutral. Nearness is
    that of the value over all of the data; models without it come last.
    """
    blocks = []
    for scale in result.scales:
        rows = result[MEASURES][result[MEASURES]["measure"] == scale.id]
        models = list(dict.fromkeys(rows["model"]))
        if scale.neutral is not None:
            whole = rows[rows["bias_type"] == ALL].set_index("model")["from_neutral"].abs().reindex(models)
            models = list(whole.sort_values(na_position="last", kind="stable").index)
        blocks += [rows[rows["model"] == model].assign(measure=scale.title) for model in models]
    columns = ["measure", "model", "bias_type", "value", "ci_low", "ci_high", "unit", "n", "ties", "from_neutral"]
    table: pd.DataFrame = pd.concat(blocks)[columns].reset_index(drop=True)
    return table


def item_table(result: BenchmarkResult, model: str, most: int) -> pd.DataFrame:
    """The ``most`` items with the highest and the ``most`` with the lowest difference, the highest first.

    Columns: item, bias_type, difference, the two sides by their names, their values, and those of the benchmark. Where
    nothing is compared there is one side and no value beside difference.
    """
    rows = result.of(ITEMS, model).sort_values("difference", ascending=False, kind="stable")
    if len(rows) > 2 * most:
        rows = pd.concat([rows.head(most), rows.tail(most)])
    first, second = result.benchmark.sides
    names = {"first": first, "second": second, "value_first": f"value {first}", "value_second": f"value {second}"}
    if not result.is_compared:
        rows = rows.drop(columns=["second", "value_first", "value_second"])
    difference = rows.pop("difference")
    rows.insert(3, "difference", difference)  # sentences are long: the number stands before them
    return rows.drop(columns="model").rename(columns=names).reset_index(drop=True)


def item_columns(result: BenchmarkResult) -> tuple[Column, ...]:
    """What the columns of ``item_table`` hold."""
    declared = result.SCHEMA.tables[ITEMS]
    sides = []
    for number, side in zip(("first", "second"), result.benchmark.sides, strict=True):
        sides.append(text(side, f"The side “{side}” of the item."))
        of_side = declared.column(f"value_{number}")
        sides.append(
            replace(of_side, name=f"value {side}", title=f"value, {side}", meaning=f"Score of the {side} side")
        )
    columns = (*declared.columns, *result.benchmark.columns, *sides)
    # DisCo's values are numbers of words.
    shown = {
        "difference": "difference",
        "value_first": f"value {sides[0].name}",
        "value_second": f"value {sides[2].name}",
    }
    counts = {name for own, name in shown.items() if not (result[ITEMS][own].dropna() % 1).any()}
    return tuple(replace(item, decimals=0) if item.name in counts else item for item in columns)
