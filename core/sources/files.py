"""Words and sentences from a file the user gives: plain text or a table (CSV, TSV).

Plain text is read like the text box. In a table of several columns the first row is the header. A table of one
column, or of one row, is a bare list whose first cell is a word like the others, unless it is one of ``HEADINGS``
or the caller names it as the column.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import WordListError
from .decoding import Text, decoded
from .parsing import clean_words, parse_words, shown, tidy
from .tables import Table, listed_names, suffix

MAX_BYTES = 5 * 1024 * 1024

_OFFICE = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods are zip archives, .xls is an OLE container


@dataclass(frozen=True)
class FileWords:
    """Words or sentences of a file; ``notes`` say what was assumed in reading it and are to be shown."""

    words: tuple[str, ...]
    notes: tuple[str, ...] = ()


def read_words(data: bytes, name: str, column: str | None = None) -> FileWords:
    """The words of a .txt, .csv or .tsv file of at most ``MAX_BYTES``; ``name`` is the file's name.

    The encoding is told as in ``core.sources.decoding``, the separator of a table as in ``core.sources.tables``.
    ``column`` picks a column by its header and must be given where there are several. A cell is one word whatever it
    holds; words are then tidied and checked as in ``parse_words``.

    Raises WordListError for a file over ``MAX_BYTES`` or ``MAX_ROWS``, one that is empty, not text, or not a table of
    even rows, for a column that is missing, unknown or ambiguous, and for words that ``parse_words`` refuses.
    """
    file = file_text(data, name)
    if suffix(name) == ".txt":
        if column is not None:
            raise WordListError(f"{shown(name)} is plain text and has no column “{shown(column)}”; name no column.")
        return FileWords(parse_words(file.text), file.notes)
    table = Table.read(file.text, name)
    if column is not None:
        return FileWords(clean_words(table.column(column)), file.notes)
    if table.bare_list is not None:
        return FileWords(clean_words(table.bare_list), file.notes)
    raise WordListError(
        f"{shown(name)} has {len(table.first):,} columns, the first row read as their names; "
        f"choose one: {listed_names(table.names)}."
    )


def read_lines(data: bytes, name: str) -> FileWords:
    """The lines of a text file, tidied and without the empty ones: sentences, one per line.

    Raises WordListError for a file that is no plain text, empty or larger than ``MAX_BYTES``.
    """
    file = file_text(data, name)
    return FileWords(tuple(line for line in map(tidy, file.text.splitlines()) if line), file.notes)


def columns(data: bytes, name: str) -> tuple[str, ...]:
    """The names of the columns to choose from; empty where there is no choice (text, one column, one row).

    A column without a name is called by its place, "column 2". Raises WordListError as ``read_words``.
    """
    file = file_text(data, name)
    if suffix(name) == ".txt":
        return ()
    table = Table.read(file.text, name)
    return table.names if table.bare_list is None else ()


def file_text(data: bytes, name: str, *, is_text: bool = False, most: int = MAX_BYTES) -> Text:
    """The text of a file of at most ``most`` bytes; ``is_text``: it is plain text whatever its name ends in.

    Raises WordListError for a spreadsheet, a binary, an empty or a too large file.
    """
    if len(data) > most:
        raise WordListError(f"{shown(name)} is larger than {most // 1024**2} MB; keep only what is needed.")
    if suffix(name) in (".xls", ".xlsx", ".xlsm", ".ods", ".numbers") or data.startswith(_OFFICE):
        raise WordListError(f"{shown(name)} is a spreadsheet; save it as CSV (UTF-8) and take that file.")
    if not is_text and suffix(name) not in (".txt", ".csv", ".tsv"):
        raise WordListError(f"{shown(name)} is not a .txt, .csv or .tsv file; save the words as one of these.")
    file = decoded(data, name)
    if not file.text.strip():
        raise WordListError(f"{shown(name)} is empty; write at least one word into it.")
    return file
