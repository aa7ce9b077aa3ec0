"""What every result is: named tables with their schemas, exclusions, notes, and where the numbers come from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from . import tilt, whole
from .errors import SavedFileError
from .plain import Plain, plain, restored

PUBLISHED = " (published)"  # ends the name of every model that was not measured here


@dataclass(frozen=True)
class ModelInfo:
    """One loaded model, as provenance names it.

    ``kind`` is ``masked``, ``causal`` or ``encoder`` (no trained prediction head: embeddings and attention only).
    ``name`` is what it is called in a result, where no two have the same name. ``digest`` is the SHA-256 over its
    weights, configuration and tokenizer; ``revision`` the commit on the hub, where there is one. ``parameters`` counts
    single numbers, tied ones once. ``notes`` are sentences a reader of the result must see.

    ``published``: who published the numbers of a model that was not measured here; empty for one that was. Then the
    digest is that of the file with the numbers, and what a measurement alone knows (precision, device) is empty.

    ``parent``: the digest of the model that it was fine-tuned from, where its folder says so; its id, where the numbers
    were published; empty where nothing says so.
    """

    name: str
    id: str
    revision: str | None
    digest: str
    family: str
    kind: str
    layers: int
    heads: int
    parameters: int
    languages: tuple[str, ...]
    cased: bool
    dtype: str
    device: str
    attention: str
    notes: tuple[str, ...] = ()
    published: str = ""
    parent: str = ""

    def is_made_from(self, other: ModelInfo) -> bool:
        """Whether something says that it was fine-tuned from the other model."""
        return bool(self.parent) and self.parent in (other.digest, other.id)


@dataclass(frozen=True)
class Provenance:
    """Where a number comes from: enough to get it again.

    ``data`` names each word list with its source and year, ``versions`` pairs library and version,
    ``created`` is UTC in ISO 8601, ``seed`` fed every random draw.
    """

    tool: str
    models: tuple[ModelInfo, ...]
    data: tuple[str, ...]
    seed: int
    versions: tuple[tuple[str, str], ...]
    created: str


def together(sources: Sequence[Provenance]) -> Provenance:
    """Where rows of several results are from: the models and data of all, each once; the rest is the first one's."""
    return replace(
        sources[0],
        models=tuple(dict.fromkeys(model for source in sources for model in source.models)),
        data=tuple(dict.fromkeys(text for source in sources for text in source.data)),
    )


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` units of work in the stage named ``stage`` (a phrase for the screen).

    ``losses``: of a training under way, the steps reached and the mean loss (nats) up to each since the one before.
    """

    stage: str
    done: int
    total: int
    losses: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Note:
    """A sentence that whoever reads the result must see.

    ``model`` is the model it concerns, by its name in the result; None where it concerns all of the result.
    """

    text: str
    model: str | None = None

    def __str__(self) -> str:
        return f"{self.model}: {self.text}" if self.model else self.text


def notes_of(notes: Iterable[Note], model: str) -> tuple[str, ...]:
    """The texts that concern this model alone, each once."""
    return tuple(dict.fromkeys(note.text for note in notes if note.model == model))


ALL_ATTRIBUTES = "all attributes"  # the ``what`` of an exclusion that concerns the whole list, the mean's interval say


@dataclass(frozen=True)
class Excluded:
    """Something that has no number: of what ``kind``, ``what``, where (the model and the fields behind), and ``why``.

    ``kind`` is ``target`` or ``attribute`` for a word, ``statistic`` for an interval or p value of ``what``. ``why`` is
    a sentence that names what it is about. Fields that do not apply are None.
    """

    model: str
    kind: str
    what: str
    why: str
    group: str | None = None
    template: str | None = None
    contrast: str | None = None
    test: str | None = None
    representation: str | None = None


@dataclass(frozen=True)
class Group:
    """A named group of target words. Two groups of equal length are pairs by position."""

    name: str
    words: tuple[str, ...]


OTHERS = "the others"


@dataclass(frozen=True)
class Contrast:
    """``first`` minus ``second``: positive leans towards ``first``. ``second`` may be ``OTHERS``: their mean."""

    first: str
    second: str

    @property
    def label(self) -> str:
        """The contrast as screen, legend and file print it, with a true minus sign."""
        return f"{self.first} − {self.second}"


class Dtype(StrEnum):
    """What a column holds. ``COUNT`` (whole) and ``FLAG`` are never missing; the others, ``WHOLE`` too, may be."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    WHOLE = "whole"
    FLAG = "flag"


_PANDAS: dict[Dtype, Any] = {
    Dtype.TEXT: "str",
    Dtype.NUMBER: "float64",
    Dtype.COUNT: "int64",
    Dtype.WHOLE: "Int64",
    Dtype.FLAG: "bool",
}


@dataclass(frozen=True)
class Column:
    """A column of a table: its name in files, and what a reader must know of it.

    ``title`` stands above it on screen. ``unit`` is that of a number ("nats", "%"), ``sign`` says which way a positive
    value points, ``decimals`` how many are written. ``p`` marks a p value.
    """

    name: str
    dtype: Dtype
    meaning: str
    title: str = ""
    unit: str = ""
    sign: str = ""
    decimals: int = 3
    p: bool = False

    @property
    def heading(self) -> str:
        """What stands above the column on screen."""
        return self.title or self.name.replace("_", " ")

    @property
    def help(self) -> str:
        """Everything a reader must know, in a line."""
        parts = [self.meaning.rstrip(".")]
        if self.unit:
            parts.append(f"in {self.unit}")
        if self.sign:
            parts.append(f"above 0: {self.sign}")
        return ", ".join(parts) + "."


def text(name: str, meaning: str, title: str = "") -> Column:
    """A column of words."""
    return Column(name, Dtype.TEXT, meaning, title)


def number(name: str, meaning: str, title: str = "", *, unit: str = "", sign: str = "", decimals: int = 3) -> Column:
    """A column of numbers."""
    return Column(name, Dtype.NUMBER, meaning, title, unit, sign, decimals)


def p_value(name: str, meaning: str, title: str = "") -> Column:
    """A column of p values."""
    return Column(name, Dtype.NUMBER, meaning, title, p=True)


def count(name: str, meaning: str, title: str = "", *, missing: bool = False) -> Column:
    """A column of whole numbers, none of them ``missing`` unless it says so."""
    return Column(name, Dtype.WHOLE if missing else Dtype.COUNT, meaning, title, decimals=0)


def flag(name: str, meaning: str, title: str = "") -> Column:
    """A column of truth values."""
    return Column(name, Dtype.FLAG, meaning, title)


@dataclass(frozen=True)
class Table:
    """One kind of rows: what a row is, and its columns in their order.

    ``optional``: columns that are there only where a measurement has them, behind those. ``long``: it has too many rows
    for a terminal, which counts them instead.
    """

    row: str
    columns: tuple[Column, ...]
    optional: tuple[Column, ...] = field(default=(), kw_only=True)
    long: bool = False

    def column(self, name: str) -> Column:
        """The declaration of a column. Raises KeyError."""
        return {declared.name: declared for declared in (*self.columns, *self.optional)}[name]

    def frame(self, rows: pd.DataFrame | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
        """The rows with the declared columns in their order and types; a number that a row lacks is missing.

        Raises TypeError for a column that is not declared, KeyError for a declared one that is not there at all.
        """
        given = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
        declared = {column.name: column for column in self.columns}
        extra = [str(name) for name in given.columns if name not in declared]
        undeclared = [name for name in extra if name not in {column.name for column in self.optional}]
        if undeclared:
            raise TypeError(f"{', '.join(undeclared)} is not a column of this table")
        if given.empty and not len(given.columns):
            given = pd.DataFrame(columns=list(declared))
        columns = {name: given[name].astype(_PANDAS[self.column(name).dtype]) for name in [*declared, *extra]}
        return pd.DataFrame(columns).reset_index(drop=True)


@dataclass(frozen=True)
class Schema:
    """What a kind of result holds: its name and version, and its tables by name; the first is the chief one.

    The version counts up when a column or a table changes its name or meaning.
    """

    name: str
    version: int
    tables: Mapping[str, Table]

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"

    def frames(self, **rows: pd.DataFrame | Iterable[Mapping[str, Any]]) -> dict[str, pd.DataFrame]:
        """The tables from their rows; one that is not given is empty. Raises KeyError for one that is not declared."""
        unknown = rows.keys() - self.tables.keys()
        if unknown:
            raise KeyError(", ".join(sorted(unknown)))
        return {name: table.frame(rows.get(name, ())) for name, table in self.tables.items()}


class Better(StrEnum):
    """Which values of a number are the better ones, for whoever must rank them."""

    NEARER = "nearer to the neutral value"
    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True)
class HeadlineValue:
    """A number that sums a result up.

    ``name`` is that of the kind of number ("lpbs.overall"), ``title`` what a reader calls it, ``of`` which of several
    ("he − she"), ``model`` whose it is; the latter two are empty where that does not apply. ``low`` and ``high`` are
    the ends of its 95 % interval, ``p`` its p value as the finding reads it, ``n`` what it rests on. ``neutral`` is the
    value that points nowhere, None where there is none (an accuracy); ``above`` says what a value above it means,
    ``better`` which values are the better ones, ``least`` the lowest that there can be, None without an end;
    ``adjusted`` whether ``p`` is adjusted for the tests beside it. What was not computed is None.
    """

    name: str
    model: str
    of: str
    title: str
    value: float
    low: float | None
    high: float | None
    p: float | None
    n: int | None
    unit: str
    neutral: float | None
    above: str
    better: Better = Better.NEARER
    least: float | None = None
    adjusted: bool = False

    @property
    def p_name(self) -> str:
        """What the p value is called in a document for others: one that is adjusted never stands as a plain p."""
        return "p_adjusted" if self.adjusted else "p"

    @property
    def has_sign(self) -> bool:
        """Whether values on both sides of 0 say something, so that one above it is written with a plus."""
        return self.neutral == 0 and self.least is None

    @property
    def distance(self) -> float | None:
        """How far the value is from the neutral one, without a sign; None where there is none."""
        return None if self.neutral is None else abs(self.value - self.neutral)


@dataclass(frozen=True)
class Headline:
    """A kind of number that results are summed up by, declared once beside their schema.

    Parameters
    ----------
    column : Column
        Its name, title, meaning and unit, and by ``sign`` what a value above the neutral one means.
    rows : callable
        Of the result, the rows of one of its tables that have the number; none for a demonstration, which measures
        nothing.
    value, low, high, p, n : str
        Columns of these rows; empty where there is none.
    of : tuple of str
        Columns that tell several numbers of a model apart.
    neutral : float or None
        The value that points nowhere.
    better : Better
        Which values are the better ones; not the nearer ones where there is no neutral value.
    least : float or None
        The lowest value that there can be; None where values have no lower end.
    above : callable or None
        Of a row, what a value above the neutral one means, where that differs from row to row.
    why_none : callable
        Of the result and a model without the number, a clause that says why.
    """

    column: Column
    rows: Callable[[Any], pd.DataFrame]
    value: str
    low: str = ""
    high: str = ""
    p: str = ""
    n: str = ""
    of: tuple[str, ...] = ()
    neutral: float | None = 0.0
    better: Better = Better.NEARER
    least: float | None = None
    above: Callable[[Any], str] | None = None
    why_none: Callable[[Any, str], str] = lambda result, model: "it has no such number"

    def values(self, result: Result) -> tuple[HeadlineValue, ...]:
        """Each number of this kind that the result has, in the order of its table."""
        rows = self.rows(result)
        finite = rows[np.isfinite(rows[self.value].astype(float))]
        return tuple(self._value(result, row) for row in finite.to_dict("records"))

    def of_model(self, result: Result, model: str) -> float | str:
        """The first number of a model, or a clause that says why it has none."""
        found = next((item.value for item in self.values(result) if item.model == model), None)
        return self.why_none(result, model) if found is None else found

    def _value(self, result: Result, row: dict[Any, Any]) -> HeadlineValue:
        def number_in(column: str) -> float | None:
            return None if not column or pd.isna(row[column]) else float(row[column])

        count_of = number_in(self.n)
        return HeadlineValue(
            name=f"{result.SCHEMA.name}.{self.column.name}",
            model="" if pd.isna(row.get("model")) else str(row["model"]),
            of=", ".join(str(row[column]) for column in self.of if not pd.isna(row[column])),
            title=self.column.heading,
            value=float(row[self.value]),
            low=number_in(self.low),
            high=number_in(self.high),
            p=number_in(self.p),
            n=None if count_of is None else int(count_of),
            unit=self.column.unit,
            neutral=self.neutral,
            above=self.above(row) if self.above else self.column.sign,
            better=self.better,
            least=self.least,
            adjusted=self.p == "p_adjusted",
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """What a measurement gives: named tables, and all that a reader needs beside them. Immutable.

    Parameters
    ----------
    spec : Spec
        What was requested.
    tables : mapping of str to DataFrame
        Exactly those of ``SCHEMA``. A value that could not be computed is missing, and explained in ``excluded``.
    excluded : tuple of Excluded
        What has no number: what, where and why.
    notes : tuple of Note
        Sentences a reader must see, with the model they belong to.
    provenance : Provenance
        Models, libraries, data, seed and time.
    stopped : bool
        Whether the run was stopped before its end; then only what was finished is in the tables.
    """

    SCHEMA: ClassVar[Schema]
    HEADLINES: ClassVar[tuple[Headline, ...]] = ()
    spec: Any
    tables: Mapping[str, pd.DataFrame]
    excluded: tuple[Excluded, ...]
    notes: tuple[Note, ...]
    provenance: Provenance
    stopped: bool = False

    def __post_init__(self) -> None:
        if list(self.tables) != list(self.SCHEMA.tables):
            raise TypeError(f"{self.SCHEMA} has the tables {', '.join(self.SCHEMA.tables)}")
        object.__setattr__(self, "tables", MappingProxyType(dict(self.tables)))
        object.__setattr__(self, "excluded", tuple(map(_as_sentence, self.excluded)))

    def __repr__(self) -> str:
        rows = ", ".join(f"{name} {len(frame):,}" for name, frame in self.tables.items())
        beside = f"excluded: {len(self.excluded):,}; notes: {len(self.notes):,}"
        return f"<{type(self).__name__} of {', '.join(self.models)}; rows: {rows}; {beside}>"

    def __getitem__(self, table: str) -> pd.DataFrame:
        """A table by its name. Raises KeyError."""
        return self.tables[table]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Result):
            return NotImplemented
        same = all(getattr(self, name) == getattr(other, name) for name in _BESIDE_TABLES)
        return same and all(self[name].equals(other[name]) for name in self.tables)

    __hash__ = None  # type: ignore[assignment]

    @property
    def models(self) -> tuple[str, ...]:
        """The names of its models, in their order."""
        return tuple(model.name for model in self.provenance.models)

    @classmethod
    def numbers(cls) -> Mapping[str, Headline]:
        """The kinds of number that results of this class are summed up by, by their names."""
        return {f"{cls.SCHEMA.name}.{headline.column.name}": headline for headline in cls.HEADLINES}

    def summed_up(self, number: str) -> tuple[str, ...]:
        """The models that a kind of number, by its name, is about: where one lacks it, it is missing."""
        return self.models

    def headlines(self) -> tuple[HeadlineValue, ...]:
        """The numbers that sum it up, of every model."""
        return tuple(value for headline in self.HEADLINES for value in headline.values(self))

    def document(self) -> dict[str, Plain]:
        """Everything but the tables, as plain JSON."""
        return {
            "schema": str(self.SCHEMA),
            "spec": plain(self.spec),
            "excluded": [_excluded(item) for item in self.excluded],
            "notes": [{"model": note.model, "text": note.text} for note in self.notes],
            "provenance": {**_plain_dict(self.provenance), "stopped": self.stopped},
        }

    def to_bytes(self) -> bytes:
        """The result as a ``.tilt`` file (``core.tilt``); ``core.measures.load`` reads it again."""
        return tilt.packed(self.document(), self.tables)

    def save(self, path: Path | str) -> None:
        """Save it as a ``.tilt`` file: whole, or not at all.

        Parameters
        ----------
        path : Path or str
            Of the file; ``load`` reads it again.

        Raises
        ------
        ExportError
            Where that cannot be written.
        """
        whole.write(Path(path), self.to_bytes())

    @classmethod
    def restored(cls, spec: Any, saved: tilt.Saved) -> Self:
        """The result of a file's content, with its spec restored already. Raises SavedFileError."""
        try:
            document = dict(saved.document)
            about = dict(document["provenance"])
            stopped = about.pop("stopped")
            return cls(
                spec=spec,
                tables={name: table.frame(saved.tables[name]) for name, table in cls.SCHEMA.tables.items()},
                excluded=tuple(map(_restored_excluded, document["excluded"])),
                notes=tuple(Note(note["text"], note["model"]) for note in document["notes"]),
                provenance=restored(Provenance, about),
                stopped=bool(stopped),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise SavedFileError(f"The file lacks a part of a result of the kind {cls.SCHEMA}.") from error


_BESIDE_TABLES = ("spec", "excluded", "notes", "provenance", "stopped")
_WHERE = ("model", "group", "template", "contrast", "test", "representation")


def _as_sentence(item: Excluded) -> Excluded:
    """With ``why`` as a whole sentence that names it."""
    named = re.search(rf"(?<!\w){re.escape(item.what)}(?!\w)", item.why)
    why = item.why if named else f"{item.what}: {item.why}"
    return replace(item, why=why if why.endswith((".", "!", "?", "…")) else f"{why}.")


def _plain_dict(value: object) -> dict[str, Plain]:
    found = plain(value)
    assert isinstance(found, dict)
    return found


def _excluded(item: Excluded) -> Plain:
    where: dict[str, Plain] = {name: value for name in _WHERE if (value := getattr(item, name))}
    return {"kind": item.kind, "what": item.what, "where": where, "why": item.why}


def _restored_excluded(data: Mapping[str, Any]) -> Excluded:
    where = {"model": "", **data["where"]}
    return Excluded(kind=data["kind"], what=data["what"], why=data["why"], **where)
