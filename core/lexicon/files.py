"""Words from a file the user gives: plain text or a table (CSV, TSV). Everything is read as text.

Plain text is read like the text box. In a table of several columns the first row is the header. A table of one
column, or of one row, is a bare list whose first cell is a word like the others, unless it is one of ``HEADINGS``
or the caller names it as the column.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.errors import WordListError
from core.lexicon.parsing import clean_words, parse_words, shown, tidy

MAX_BYTES = 5 * 1024 * 1024
MAX_ROWS = 50_000  # five times as many as words may remain; a million short rows would hold the page for a minute
HEADINGS = frozenset(
    {
        *("attribute", "attributes", "item", "items", "job", "jobs", "name", "names", "occupation", "occupations"),
        *("profession", "professions", "short_name", "target", "targets", "term", "terms", "text", "title"),
        *("trait", "traits", "word", "words"),
    }
)

_SEPARATORS = (",", ";", "\t", "|")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_OFFICE = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods are zip archives, .xls is an OLE container
_SHOWN_COLUMNS = 20


def read_words(data: bytes, name: str, column: str | None = None) -> tuple[str, ...]:
    """The words of a .txt, .csv or .tsv file of at most ``MAX_BYTES``; ``name`` is the file's name.

    UTF-8 with or without byte order mark, UTF-16 with one, else Windows-1252. The separator of a table is found
    among comma, semicolon, tab and bar. ``column`` picks a column by its header and must be given where there are
    several. A cell is one word whatever it holds; words are then tidied and checked as in ``parse_words``.

    Raises WordListError for a file over ``MAX_BYTES`` or ``MAX_ROWS``, one that is empty, not text, or not a table of
    even rows, for a column that is missing, unknown or ambiguous, and for words that ``parse_words`` refuses.
    """
    text = decoded_text(data, name)
    if _suffix(name) == ".txt":
        if column is not None:
            raise WordListError(f"{shown(name)} is plain text and has no column “{shown(column)}”; name no column.")
        return parse_words(text)
    table = Table.read(text, name)
    if column is not None:
        return clean_words(table.column(column))
    if table.bare_list is not None:
        return clean_words(table.bare_list)
    raise WordListError(
        f"{shown(name)} has {len(table.first):,} columns, the first row read as their names; "
        f"choose one: {listed_names(table.names)}."
    )


def read_lines(data: bytes, name: str) -> tuple[str, ...]:
    """The lines of a text file, tidied and without the empty ones: sentences, one a line.

    Raises WordListError for a file that is no plain text, empty or larger than ``MAX_BYTES``.
    """
    return tuple(line for line in map(tidy, decoded_text(data, name).splitlines()) if line)


def columns(data: bytes, name: str) -> tuple[str, ...]:
    """The names of the columns to choose from; empty where there is no choice (text, one column, one row).

    A column without a name is called by its place, "column 2". Raises WordListError as ``read_words``.
    """
    text = decoded_text(data, name)
    if _suffix(name) == ".txt":
        return ()
    table = Table.read(text, name)
    return table.names if table.bare_list is None else ()


@dataclass(frozen=True)
class Table:
    """Rows of equally many cells, at least one row and one column, none of them blank throughout.

    Cells are tidied, but for those of ``rest`` in a table that was read ``exact``.
    """

    first: tuple[str, ...]
    rest: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, text: str, name: str, *, exact: bool = False) -> Table:
        """Split a text into rows, under the separator that fits best. Raises WordListError for uneven rows.

        ``exact`` keeps the cells below the first row as the file has them, but for spaces after a separator.
        """
        rows, separator = _split(text, name)
        width = len(rows[0][1])
        for line, cells in rows:
            if len(cells) != width:
                sign = "a tab" if separator == "\t" else f"“{separator}”"
                raise WordListError(
                    f"Line {line:,} of {shown(name)} has {_cells(len(cells))} where the first row has {width:,}; "
                    f"put a cell that holds {sign} in double quotes, and fill short rows up."
                )
        tidied = [tuple(map(tidy, cells)) for _, cells in rows]
        kept = [place for place, cells in enumerate(zip(*tidied, strict=True)) if any(cells)]
        if not kept:
            raise WordListError(f"{shown(name)} holds no word.")
        first, *rest = (tuple(cells[place] for place in kept) for cells in tidied)
        if exact:
            rest = [tuple(cells[place] for place in kept) for _, cells in rows[1:]]
        return cls(first, tuple(rest))

    @property
    def names(self) -> tuple[str, ...]:
        """The headings of the columns; an empty one is named by its place."""
        return tuple(cell or f"column {place}" for place, cell in enumerate(self.first, 1))

    @property
    def bare_list(self) -> tuple[str, ...] | None:
        """The words of a table of one column or one row; None where a column has to be chosen."""
        headed = self.first[0].casefold() in HEADINGS
        if len(self.first) == 1:
            below = tuple(row[0] for row in self.rest)
            return below if headed else self.first + below
        return None if self.rest or headed else self.first

    def column(self, name: str) -> list[str]:
        """The cells below a heading. Raises WordListError when no column or several have it."""
        count = self.names.count(tidy(name))
        if count == 0:
            raise WordListError(f"There is no column “{shown(name)}”; there are: {listed_names(self.names)}.")
        if count > 1:
            raise WordListError(f"{count} columns are named “{shown(name)}”; give each a name of its own.")
        place = self.names.index(tidy(name))
        return [row[place] for row in self.rest]


def _suffix(name: str) -> str:
    return PurePath(name).suffix.casefold()


def decoded_text(data: bytes, name: str) -> str:
    """The text of a file, whatever its encoding. Raises WordListError for a spreadsheet, binary or too large one."""
    if len(data) > MAX_BYTES:
        raise WordListError(f"{shown(name)} is larger than {MAX_BYTES // 1024**2} MB; keep only the words.")
    if _suffix(name) in (".xls", ".xlsx", ".xlsm", ".ods", ".numbers") or data.startswith(_OFFICE):
        raise WordListError(f"{shown(name)} is a spreadsheet; save it as CSV (UTF-8) and take that file.")
    if _suffix(name) not in (".txt", ".csv", ".tsv"):
        raise WordListError(f"{shown(name)} is not a .txt, .csv or .tsv file; save the words as one of these.")
    text = _decoded(data)
    if text is None or _CONTROL.search(text):
        raise WordListError(f"{shown(name)} is not plain text; save it as text or CSV (UTF-8).")
    if not text.strip():
        raise WordListError(f"{shown(name)} is empty; write at least one word into it.")
    return text


def _decoded(data: bytes) -> str | None:
    encodings: tuple[str, ...] = ("utf-8", "cp1252")
    if data.startswith(codecs.BOM_UTF8):
        encodings = ("utf-8-sig",)
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ("utf-16",)
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


_Rows = list[tuple[int, list[str]]]


def _split(text: str, name: str) -> tuple[_Rows, str]:
    """The rows under the separator that fits best, each with the number of its first line.

    Where the first row has several cells, the separator that gives most rows as many wins. Where it has one under
    every separator, the one that disturbs most rows wins, so that a stray cell is reported and not read as a word.
    """
    fits: list[tuple[tuple[bool, float, int], _Rows, str]] = []
    failures: list[WordListError] = []
    for separator in sorted(_SEPARATORS, key=lambda sign: sign != "\t") if _suffix(name) == ".tsv" else _SEPARATORS:
        try:
            rows = _rows(text, name, separator)
        except WordListError as failure:
            failures.append(failure)
            continue
        if not rows:
            raise WordListError(f"{shown(name)} holds no word.")
        width = len(rows[0][1])
        even = sum(len(cells) == width for _, cells in rows) / len(rows)
        fits.append(((width > 1, even if width > 1 else -even, width), rows, separator))
    if not fits:
        raise failures[0]
    _, best, separator = max(fits, key=lambda fit: fit[0])
    return best, separator


def _rows(text: str, name: str, separator: str) -> _Rows:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    rows: _Rows = []
    line = 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                rows.append((line, cells))
            if len(rows) > MAX_ROWS:
                raise WordListError(f"{shown(name)} has more than {MAX_ROWS:,} rows; keep only the words.")
            line = reader.line_num + 1
    except csv.Error as error:
        raise WordListError(
            f"Line {line:,} of {shown(name)} cannot be read: a cell is too long, or its double quotes do not "
            "close before the separator; quotes inside a quoted cell are doubled."
        ) from error
    return rows


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count:,} cells"


def listed_names(names: Sequence[str]) -> str:
    """Column names in quotes, a long list cut."""
    some = ", ".join(f"“{shown(name)}”" for name in names[:_SHOWN_COLUMNS])
    return some if len(names) <= _SHOWN_COLUMNS else f"{some} and {len(names) - _SHOWN_COLUMNS:,} more"
