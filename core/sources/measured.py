"""Numbers of models that the user brings: a table of models and scores, such as those of a downstream task."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from ..errors import WordListError
from . import published
from .files import file_text
from .lists import Source, read_json
from .numbers import read_numbers
from .parsing import shown
from .tables import Table

_DIGITS = 6  # of a published effect size
_MODEL = ("model", "models", "name")


@dataclass(frozen=True)
class Column:
    """One score: its name and a (model, number) each; ``notes`` say what was assumed in reading it."""

    name: str
    values: tuple[tuple[str, float], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PublishedColumns:
    """Scores that a paper published: hub ids of its ``models``, a column a metric, and where they are from."""

    models: tuple[str, ...]
    columns: tuple[Column, ...]
    citation: str
    note: str


@cache
def published_columns() -> PublishedColumns:
    """Embedding-based metrics over five models (Delobelle et al. 2022), from the effect sizes of the shelf."""
    data = read_json("published_agreement.json")
    models = tuple(data["models"])
    rows = published.table(data["file"])
    rows = rows[(rows["experiment"] == "models") & rows["file"].str.contains(data["notebook"], regex=False)]
    templates = [name for name in rows.columns if name.startswith("T")]
    means = rows[templates].mean(axis=1).groupby([rows["representation"], rows["model"]]).first()
    columns = tuple(
        Column(
            metric["title"],
            tuple(
                (model, round(float(means[metric["representation"], model.split("/")[1]]), _DIGITS)) for model in models
            ),
        )
        for metric in data["metrics"]
    )
    return PublishedColumns(models, columns, str(Source(**data["source"])), data["note"])


def read_columns(data: bytes, name: str) -> tuple[Column, ...]:
    """The columns of a CSV or TSV file: the models' names in the first column or the one called model, then scores.

    Numbers are read as in ``core.sources.numbers``; an empty cell is a model without that score. Raises WordListError,
    with the cell, for what is no number or can be read in two ways, for percent signs in some cells of a column and
    not in others, for a model that appears twice, and for a table of one column.
    """
    file = file_text(data, name)
    table = Table.read(file.text, name)
    if len(table.first) < 2 or not table.rest:
        raise WordListError(
            f"{shown(name)} is not a table of scores; write a heading “model, score” and a line for each model."
        )
    at = next((i for i, head in enumerate(table.names) if head.casefold() in _MODEL), 0)
    models = [row[at] for row in table.rest]
    for model, count in Counter(models).items():
        if count > 1:
            raise WordListError(f"{shown(name)} names {shown(model)} twice; keep one of the rows.")
    columns = []
    for i, head in enumerate(table.names):
        if i != at:
            cells = [row[i] for row in table.rest]
            numbers = read_numbers(cells, rows=models, column=head, name=name, separator=table.separator)
            if len({percent for percent, cell in zip(numbers.percent, cells, strict=True) if cell}) > 1:
                raise WordListError(
                    f"{shown(name)}, column “{shown(head)}”: some numbers have a percent sign and others have none; "
                    "write all of them the same way."
                )
            values = tuple(
                (model, value) for model, value in zip(models, numbers.values, strict=True) if value is not None
            )
            columns.append(Column(head, values, (*file.notes, *filter(None, [numbers.note]))))
    return tuple(columns)
