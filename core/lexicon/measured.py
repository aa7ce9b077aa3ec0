"""Numbers of models that the user brings: a table of models and scores, such as those of a downstream task."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from core.errors import WordListError
from core.lexicon.files import Table, decoded_text
from core.lexicon.lists import Source, read_json
from core.lexicon.parsing import shown

_MODEL = ("model", "models", "name")


@dataclass(frozen=True)
class Column:
    """One score: its name and a (model, number) each."""

    name: str
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class PublishedColumns:
    """Scores that a paper published: hub ids of its ``models``, a column a metric, and where they are from."""

    models: tuple[str, ...]
    columns: tuple[Column, ...]
    citation: str
    note: str


@cache
def published_columns() -> PublishedColumns:
    """Embedding-based metrics over five models (Delobelle et al. 2022), from ``assets/data``."""
    data = read_json("published_agreement.json")
    models = tuple(data["models"])
    columns = tuple(
        Column(metric["title"], tuple(zip(models, metric["values"], strict=True))) for metric in data["metrics"]
    )
    return PublishedColumns(models, columns, str(Source(**data["source"])), data["note"])


def read_columns(data: bytes, name: str) -> tuple[Column, ...]:
    """The columns of a CSV or TSV file: the models' names in the first column or the one called model, then scores.

    A decimal comma is read; an empty cell is a model without that score. Raises WordListError, with the cell, for what
    is no number, for a model that stands there twice, and for a table of one column.
    """
    table = Table.read(decoded_text(data, name), name)
    if len(table.first) < 2 or not table.rest:
        raise WordListError(
            f"{shown(name)} is no table of scores; write a heading “model, score” and a line for each model."
        )
    at = next((i for i, head in enumerate(table.names) if head.casefold() in _MODEL), 0)
    models = [row[at] for row in table.rest]
    for model in models:
        if models.count(model) > 1:
            raise WordListError(f"{shown(name)} names {shown(model)} twice; leave one of the rows.")
    columns = []
    for i, head in enumerate(table.names):
        if i != at:
            values = [(model, _number(row[i], head, name)) for model, row in zip(models, table.rest, strict=True)]
            columns.append(Column(head, tuple((model, value) for model, value in values if value is not None)))
    return tuple(columns)


def _number(text: str, head: str, name: str) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text.replace(",", ".").replace("−", "-").replace("%", "").strip())
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise WordListError(f"{shown(name)} holds “{shown(text)}” under {shown(head)}; write a number.")
    return value
