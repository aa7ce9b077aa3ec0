"""From files to rows, and from rows to items: what the formats of all benchmarks share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from core.errors import WordListError
from core.lexicon.benchmarks.items import Data, Problem
from core.lexicon.files import Table, decoded_text, listed_names
from core.lexicon.parsing import shown, tidy

Row = Mapping[str, Any]  # a cell by its column, which is written as ``heading`` does
File = tuple[bytes, str]  # content and name
Item = TypeVar("Item")

_TEXT_SUFFIXES = ("", ".dev", ".json", ".test", ".train")  # WinoBias has “….txt.dev”


@dataclass(frozen=True)
class Format(Generic[Item]):
    """How the files of one benchmark are read.

    ``columns`` are the sets of columns of which a table must have one; ``items`` makes the rows of all files items,
    and says what it left out; ``rows`` reads one file.
    """

    title: str
    expects: str
    columns: tuple[frozenset[str], ...]
    items: Callable[[Sequence[Row]], tuple[list[Item], list[Problem]]]
    rows: Callable[[bytes, str], list[Row]]

    def read(self, files: Sequence[File]) -> Data[Item]:
        """The items of one or more files. Raises WordListError, with what is expected, for any other file."""
        rows: list[Row] = []
        for content, name in files:
            try:
                found = self.rows(content, name)
            except WordListError as error:
                raise WordListError(f"{error} {self.expects}") from error
            self.check(found, shown(name))
            rows += found
        return self.data(rows, sources(files))

    def check(self, rows: Sequence[Row], name: str) -> None:
        """Raise WordListError where rows are missing or lack a column."""
        if not rows:
            raise WordListError(f"{name} holds no row below its first. {self.expects}")
        if not any(needed <= rows[0].keys() for needed in self.columns):
            found = listed_names(list(rows[0]))
            raise WordListError(f"{name} is not recognised as {self.title}: its columns are {found}. {self.expects}")

    def data(self, rows: Sequence[Row], source: str) -> Data[Item]:
        """The items of rows that were checked, each once. Raises WordListError where there is none."""
        items, problems = self.items(rows)
        left_out = tuple(problem for problem in problems if problem.count)
        if not items:
            why = "; ".join(f"{problem.count:,} {problem.reason}" for problem in left_out) or "no file is given"
            raise WordListError(f"There is no item of {self.title} to measure: {why}. {self.expects}")
        return Data(tuple(dict.fromkeys(items)), source, left_out)


def user_copy(content: bytes, name: str) -> str:
    """A file of the user's as provenance names it."""
    return f"{shown(name)}, the user's copy, SHA-256 {hashlib.sha256(content).hexdigest()[:12]}"


def sources(files: Sequence[File]) -> str:
    """Files of the user's as provenance names them."""
    return "; ".join(user_copy(content, name) for content, name in files)


def text_of(content: bytes, name: str) -> str:
    """The text of a file, whatever its encoding and whether or not its name ends like a text file's."""
    if not content.strip(b"\xef\xbb\xbf \r\n\t"):
        raise WordListError(f"{shown(name)} is empty.")
    return decoded_text(content, f"{name}.txt" if PurePath(name).suffix.casefold() in _TEXT_SUFFIXES else name)


def table_rows(content: bytes, name: str) -> list[Row]:
    """The rows of a table below its headings. Raises WordListError for what is no table."""
    table = Table.read(text_of(content, name), name)
    headings = [heading(column) for column in table.names]
    return [dict(zip(headings, row, strict=True)) for row in table.rest]


def heading(column: str) -> str:
    """A column's name in lower case, words joined by “_”: “anti-stereotype” and “Anti stereotype” are one."""
    return re.sub(r"[\s-]+", "_", column.strip().casefold())


def cell(row: Row, column: str) -> str:
    """The tidied text of a cell; empty where there is none."""
    value = row.get(column)
    return tidy(str(value)) if isinstance(value, str | int) else ""


def problem(count: int, one: str, many: str) -> Problem:
    """A problem whose reason agrees with its count."""
    return Problem(count, one if count == 1 else many)
