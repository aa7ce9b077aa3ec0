"""The sentences of a corpus file, one after the other: plain text, or a column of a table. Nothing is held whole."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import WordListError
from core.lexicon.files import listed_names
from core.lexicon.parsing import shown, tidy
from core.lexicon.sentences import split_sentences

_BLOCK = 1 << 20
_MOST_LINES = 200  # of one wrapped paragraph, so that a file without any full stop is not held whole
_ENDS = (".", "!", "?", "…", ":", ";", '"', "”", "’", ")", "]")
csv.field_size_limit(_BLOCK)


@dataclass(frozen=True)
class CorpusFile:
    """A file of text; ``column`` names the column of a CSV or TSV file, None for plain text."""

    path: Path
    column: str | None = None

    @property
    def is_table(self) -> bool:
        """Whether it is a table, by its name."""
        return self.path.suffix.casefold() in (".csv", ".tsv")

    def check(self) -> None:
        """Raise WordListError for a file that is not there, or a column that is not in it."""
        if not self.path.is_file():
            raise WordListError(f"There is no file {self.path}; give the path of a text or CSV file.")
        if self.column is not None and not self.is_table:
            raise WordListError(f"{self.path.name} is plain text and has no column “{shown(self.column)}”.")
        if self.is_table:
            names = self.columns()
            if self.column is None and len(names) > 1:
                raise WordListError(
                    f"{self.path.name} has {len(names)} columns; choose the one with the text: {listed_names(names)}."
                )
            if self.column is not None and self.column not in names:
                raise WordListError(
                    f"{self.path.name} has no column “{shown(self.column)}”; there are: {listed_names(names)}."
                )

    def columns(self) -> tuple[str, ...]:
        """The headings of a table."""
        return tuple(map(tidy, next(self._rows(self._lines()), ())))

    def size(self) -> int:
        """Bytes of the file."""
        return self.path.stat().st_size

    def digest(self) -> str:
        """SHA-256 of its content."""
        total = hashlib.sha256()
        with self.path.open("rb") as file:
            while block := file.read(_BLOCK):
                total.update(block)
        return total.hexdigest()

    def sentences(self) -> Iterator[tuple[str, int]]:
        """Each sentence with how many bytes of the file have been read by then.

        In plain text a line break ends a sentence, unless the next line goes on in lower case. Raises WordListError
        for a file that is not UTF-8 text.
        """
        read = 0

        def counted(lines: Iterable[str]) -> Iterator[str]:
            nonlocal read
            for line in lines:
                read += len(line.encode())
                yield line

        lines = counted(self._lines())
        for paragraph in self._cells(lines) if self.is_table else _paragraphs(lines):
            for sentence in split_sentences(paragraph):
                yield sentence, read

    def _lines(self) -> Iterator[str]:
        try:
            with self.path.open(encoding="utf-8-sig", newline="") as file:
                yield from file
        except UnicodeDecodeError:
            raise WordListError(f"{self.path.name} is not UTF-8 text; save it as text or CSV in UTF-8.") from None

    def _rows(self, lines: Iterator[str]) -> Iterator[list[str]]:
        first = next(lines, "")
        separator = max((",", ";", "\t", "|"), key=first.count) if self.path.suffix.casefold() == ".csv" else "\t"

        def whole() -> Iterator[str]:
            yield first
            yield from lines

        try:
            yield from csv.reader(whole(), delimiter=separator)
        except csv.Error as error:
            raise WordListError(f"{self.path.name} cannot be read as a table: {error}.") from None

    def _cells(self, lines: Iterator[str]) -> Iterator[str]:
        rows = self._rows(lines)
        names = [tidy(name) for name in next(rows, [])]
        at = names.index(self.column) if self.column is not None else 0
        for row in rows:
            if at < len(row):
                yield row[at]


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Lines, each joined with those that go on with it."""
    held: list[str] = []
    for line in map(tidy, lines):
        goes_on = held and line and line[0].islower() and not held[-1].endswith(_ENDS) and len(held) < _MOST_LINES
        if held and not goes_on:
            yield " ".join(held)
            held = []
        if line:
            held.append(line)
    if held:
        yield " ".join(held)
