"""The sentences of a corpus file, one after the other: plain text, or a column of a table. Nothing is held whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..errors import WordListError
from .decoding import Encoding, encoding_of, not_text
from .digests import file_digest
from .parsing import shown, tidy
from .sentences import split_sentences
from .tables import HEADINGS, even_rows, find_separator, listed_names, rows, sentence_rows

_BLOCK = 1 << 20
_MOST_LINES = 200  # of one wrapped paragraph, so that a file without any full stop is not held whole
_ENDS = (".", "!", "?", "…", ":", ";", '"', "”", "’", ")", "]")
_SAMPLE = 2000  # lines
_WITHOUT_MARK = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}  # how the bytes of a line are counted


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
        """Raise WordListError for a file that is not there or no text, or a column that is not in it."""
        if not self.path.is_file():
            raise WordListError(f"There is no file {self.path}; give the path of a text or CSV file.")
        if self.column is not None and not self.is_table:
            raise WordListError(f"{self.path.name} is plain text and has no column “{shown(self.column)}”.")
        if any("\0" in line for line in self._sample()):
            raise WordListError(not_text(self.path.name))
        if self.is_table:
            names = self.columns()
            if self.column is None and len(names) > 1:
                raise WordListError(
                    f"{self.path.name} has {len(names)} columns; choose the one with the text: {listed_names(names)}."
                )
            if self.column is not None and names.count(self.column) != 1:
                said = "has no column" if self.column not in names else "has several columns"
                raise WordListError(
                    f"{self.path.name} {said} “{shown(self.column)}”; there are: {listed_names(names)}."
                )

    def columns(self) -> tuple[str, ...]:
        """The headings of a table; one without a name is called by its place, "column 2"."""
        sample = self._sample()
        first = next(rows(sample, find_separator(sample, self.path.name), self.path.name), None)
        cells = () if first is None else first.cells
        return tuple(tidy(cell) or f"column {place}" for place, cell in enumerate(cells, 1))

    def encoding(self) -> Encoding:
        """What the file is read with; goes through all of it. Raises WordListError where it cannot be told."""
        return encoding_of(self._raw_lines, self.path.name)

    def size(self) -> int:
        """Bytes of the file."""
        return self.path.stat().st_size

    def digest(self) -> str:
        """SHA-256 of its content."""
        return file_digest(self.path)

    def check_rows(self) -> None:
        """Go through a table once, so that a row that is wrong is said before hours of work and not after them.

        Raises WordListError as ``sentences``.
        """
        if self.is_table:
            for _ in self._cells(self._lines(self.encoding().codec)):
                pass

    def sentences(self) -> Iterator[tuple[str, int]]:
        """Each sentence with how many bytes of the file have been read by then.

        In plain text a line break ends a sentence, unless the next line goes on in lower case. In a table each cell
        of the column is a text of its own. Raises WordListError for a file whose encoding cannot be told, and, with
        the line, for a row that is longer or shorter than the first.
        """
        codec = self.encoding().codec
        plain = _WITHOUT_MARK.get(codec, codec)
        read = 0

        def counted(lines: Iterable[str]) -> Iterator[str]:
            nonlocal read
            for line in lines:
                read += len(line.encode(plain))
                yield line

        lines = counted(self._lines(codec))
        for paragraph in self._cells(lines) if self.is_table else _paragraphs(lines):
            for sentence in split_sentences(paragraph):
                yield sentence, read

    def _raw_lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            yield from file

    def _lines(self, codec: str) -> Iterator[str]:
        try:
            with self.path.open(encoding=codec, newline="") as file:
                yield from file
        except UnicodeDecodeError as error:
            raise WordListError(not_text(self.path.name)) from error

    def _sample(self) -> list[str]:
        """The first lines, by which headings and separator are told."""
        head = encoding_of(lambda: islice(self._raw_lines(), _SAMPLE), self.path.name)
        return list(islice(self._lines(head.codec), _SAMPLE // 2))

    def _cells(self, lines: Iterator[str]) -> Iterator[str]:
        """The texts of the column. A first row that is neither a heading by its words nor the one requested counts."""
        names, name = self.columns(), self.path.name
        alone = len(names) == 1
        table = sentence_rows(lines, name) if alone else even_rows(lines, find_separator(self._sample(), name), name)
        at = names.index(self.column) if self.column is not None else 0
        headed = not alone or self.column is not None or names[0].casefold() in HEADINGS
        for row in islice(table, 1 if headed else 0, None):
            yield row.cells[at]


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
