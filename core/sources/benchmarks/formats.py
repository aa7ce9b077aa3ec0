"""From files to rows, and from rows to items: what the formats of all benchmarks share.

Sentences stay as the file has them, character by character, since that is what a model is asked; names and labels are
tidied.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from ...errors import WordListError
from ..decoding import Text
from ..digests import user_copy
from ..files import file_text
from ..parsing import shown, tidy
from ..tables import Table, listed_names
from .items import Data, Problem

Row = Mapping[str, Any]  # a cell by its column, which is written as ``heading`` does
File = tuple[bytes, str]  # content and name
Item = TypeVar("Item")

MAX_BYTES = 32 * 1024 * 1024  # StereoSet's file, with every annotator's label, is larger than a list of words may be

_TEXT_SUFFIXES = ("", ".dev", ".json", ".jsonl", ".test", ".train")  # WinoBias has “….txt.dev”
_NUMBER = re.compile(r"-?\d+(?:\.0+)?")


@dataclass(frozen=True)
class Found(Generic[Item]):
    """What the rows of a data set hold: its items, what is excluded and why, and sentences on what is not."""

    items: list[Item]
    problems: list[Problem]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format(Generic[Item]):
    """How the files of one benchmark are read: the user's copy of its data.

    ``columns`` are the sets of columns of which a table must have one; ``items`` makes the rows of all files items,
    and says what it excluded; ``rows`` reads one file.
    """

    title: str
    expects: str
    columns: tuple[frozenset[str], ...]
    items: Callable[[Sequence[Row]], Found[Item]]
    rows: Callable[[bytes, str], list[Row]]

    def read(self, files: Sequence[File]) -> Data[Item]:
        """The items of one or more files. Raises WordListError, with what is expected, for any other file."""
        rows: list[Row] = []
        notes: list[str] = []
        for content, name in files:
            try:
                found = self.rows(content, name)
                notes += [] if is_json(content) else text_of(content, name).notes
            except WordListError as error:
                raise WordListError(f"{error} {self.expects}") from error
            self.check(found, shown(name))
            rows += found
        data = self.data(rows, sources(files))
        return replace(data, notes=(*notes, *data.notes))

    def check(self, rows: Sequence[Row], name: str) -> None:
        """Raise WordListError where rows are missing or lack a column."""
        if not rows:
            raise WordListError(f"{name} holds no row below its first. {self.expects}")
        if not any(needed <= rows[0].keys() for needed in self.columns):
            found = listed_names(list(rows[0]))
            raise WordListError(f"{name} is not recognised as {self.title}: its columns are {found}. {self.expects}")

    def data(self, rows: Sequence[Row], source: str) -> Data[Item]:
        """The items of rows that were checked, each once. Raises WordListError where there is none."""
        try:
            found = self.items(rows)
        except WordListError as error:
            raise WordListError(f"{error} {self.expects}") from error
        counts = Counter(found.items)
        repeated = len(found.items) - len(counts)
        again = problem(repeated, "row repeats an item and is counted once", "rows repeat an item and are counted once")
        left_out = tuple(problem for problem in (*found.problems, again) if problem.count)
        if not found.items:
            why = "; ".join(f"{problem.count:,} {problem.reason}" for problem in left_out) or "no file is given"
            raise WordListError(f"There is no item of {self.title} to measure: {why}. {self.expects}")
        return Data(tuple(counts), source, left_out, found.notes)


def sources(files: Sequence[File]) -> str:
    """Files of the user's as provenance names them."""
    return "; ".join(user_copy(content, name) for content, name in files)


def text_of(content: bytes, name: str) -> Text:
    """The text of a file, whatever its encoding and whether or not its name ends like a text file's."""
    if not content.strip(b"\xef\xbb\xbf \r\n\t"):
        raise WordListError(f"{shown(name)} is empty.")
    return file_text(content, name, is_text=PurePath(name).suffix.casefold() in _TEXT_SUFFIXES, most=MAX_BYTES)


def file_rows(content: bytes, name: str) -> list[Row]:
    """The rows of a table below its headings, or the records of a JSON file: a list, or JSON lines.

    Raises WordListError for what is neither.
    """
    if is_json(content):
        return records(json_of(content, name), name)
    table = Table.read(text_of(content, name).text, name, exact=True)
    headings = [heading(column) for column in table.names]
    return [dict(zip(headings, row, strict=True)) for row in table.rest]


def is_json(content: bytes) -> bool:
    """Whether a file begins like JSON."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


def json_of(content: bytes, name: str) -> Any:
    """What a JSON file holds, and of JSON lines the list of what the lines hold.

    Raises WordListError for a file that is neither, with the line where JSON lines end to be such.
    """
    if len(content) > MAX_BYTES:
        raise WordListError(f"{shown(name)} is larger than {MAX_BYTES // 1024**2} MB.")
    damaged = WordListError(f"{shown(name)} begins like JSON but is not: it may be cut off.")
    try:
        text = content.decode("utf-8-sig")
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise WordListError(f"{shown(name)} is JSON and not UTF-8 text; save it as UTF-8.") from error
    except RecursionError as error:
        raise damaged from error
    except ValueError:
        pass  # perhaps JSON lines
    # Not str.splitlines: a JSON text may hold U+2028 as it is.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    found = []
    for number, line in lines:
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            if not found:
                raise damaged from error
            raise WordListError(
                f"Line {number:,} of {shown(name)} is not JSON, unlike those above it: it may be cut off."
            ) from error
    return found


def records(whole: Any, name: str) -> list[Row]:
    """The records of what a JSON file holds, by heading. Raises WordListError for anything but records."""
    found = [whole] if isinstance(whole, dict) else whole
    for number, entry in enumerate(found, 1):
        if not isinstance(entry, dict):
            raise WordListError(f"Entry {number:,} of {shown(name)} is not a record with named values.")
    return [{heading(str(key)): value for key, value in entry.items()} for entry in found]


def heading(column: str) -> str:
    """A column's name in lower case, words joined by “_”: “anti-stereotype” and “Anti stereotype” are one."""
    return re.sub(r"[\s-]+", "_", column.strip().casefold())


def cell(row: Row, column: str) -> str:
    """The tidied text of a cell, a name or a label; empty where there is none."""
    value = row.get(column)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return tidy(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def sentence(row: Row, column: str) -> str:
    """The text of a cell as the file has it; empty where it holds nothing but white space."""
    value = row.get(column)
    return value if isinstance(value, str) and value.strip() else ""


def number(text: str) -> int | None:
    """The whole number that a label is written as ("1", or "1.0" by a program that has missing cells); else None."""
    return int(float(text)) if _NUMBER.fullmatch(text) else None


def problem(found: int | Sequence[str], singular: str, plural: str) -> Problem:
    """A problem whose reason agrees with its count; ``found`` is the count, or the names of the items."""
    count = found if isinstance(found, int) else len(found)
    reason = singular if count == 1 else plural
    return Problem(count, reason) if isinstance(found, int) else Problem(count, reason, tuple(found), singular)
