"""From the text of a CSV or TSV file to rows of equally many cells: the one reader of tables.

The separator is told from the rows. A row that is longer or shorter than the first is refused with its line, so that
no cell is cut, dropped or read in another's place. Everything is read as text: "null", "NA" and "None" are words.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from ..errors import WordListError
from .parsing import quoted, shown, tidy

MAX_ROWS = 50_000  # five times as many as words may remain; a million short rows would hold the page for a minute
HEADINGS = frozenset(
    {
        *("attribute", "attributes", "item", "items", "job", "jobs", "name", "names", "occupation", "occupations"),
        *("profession", "professions", "short_name", "target", "targets", "term", "terms", "text", "title"),
        *("sentence", "sentences", "trait", "traits", "word", "words"),
    }
)
ONE_COLUMN = "\x1f"  # a separator that text does not contain: each line is one cell
_SEPARATORS = (",", ";", "\t", "|")
_SAMPLE = 1000  # rows by which the separator is told
_LOOSE = re.compile(r"[,;|](?![\s\"'”’)\]]|$)|\t")  # a separator that is no mark of a sentence, "1,000" aside
_IN_NUMBER = re.compile(r"(?<=\d)[,;|](?=\d)")
_SEPARATING = re.compile(r"(?<!\d),|,(?!\d)")
_SHOWN_COLUMNS = 20
csv.field_size_limit(1 << 20)


@dataclass(frozen=True)
class Row:
    """The cells of a row, the number of its first line, and what stands there as it is written."""

    line: int
    cells: tuple[str, ...]
    written: str


@dataclass(frozen=True)
class Table:
    """Rows of equally many cells, at least one row and one column, none of them blank throughout.

    Cells are tidied, but for those of ``rest`` in a table that was read ``exact``. ``lines`` are the line numbers of
    the rows in ``rest``; ``separator`` is what the file's cells are separated by.
    """

    first: tuple[str, ...]
    rest: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    separator: str

    @classmethod
    def read(cls, text: str, name: str, *, exact: bool = False, most: int = MAX_ROWS, what: str = "the words") -> Table:
        """Split a text into rows, under the separator that fits best. Raises WordListError for uneven rows.

        ``exact`` keeps the cells below the first row as the file has them, but for spaces after a separator. ``most``
        rows are read; of a longer table ``what`` is to be kept.
        """
        separator = find_separator(_lines(text), name)
        rows = list(islice(even_rows(_lines(text), separator, name), most + 1))
        if len(rows) > most:
            raise WordListError(f"{shown(name)} has more than {most:,} rows; keep only {what}.")
        tidied = [tuple(map(tidy, row.cells)) for row in rows]
        kept = [place for place, cells in enumerate(zip(*tidied, strict=True)) if any(cells)]
        if not kept:
            raise WordListError(f"{shown(name)} has no word in it.")
        first, *rest = (tuple(cells[place] for place in kept) for cells in tidied)
        if exact:
            rest = [tuple(row.cells[place] for place in kept) for row in rows[1:]]
        return cls(first, tuple(rest), tuple(row.line for row in rows[1:]), separator)

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


def find_separator(lines: Iterable[str], name: str) -> str:
    """The separator that fits the first rows best.

    Where the first row has several cells, the separator that gives most rows as many wins. Where it has one under
    every separator, the one that disturbs most rows wins, so that a stray cell is reported and not read as a word; a
    file named .tsv is then one of a single column. Commas that all stand between digits separate nothing where
    another separator fits every row.
    """
    sample = list(islice(lines, _SAMPLE))
    tabbed = suffix(name) == ".tsv"
    fits: list[tuple[tuple[bool, float, int, bool], str]] = []
    for separator in _SEPARATORS:
        widths: Counter[int] = Counter()
        width = broken = 0
        try:
            for row in rows(sample, separator, name):
                width = width or len(row.cells)
                widths[len(row.cells)] += 1
        except WordListError:
            # The last cell of the sample may go on behind it.
            broken = 1 if len(sample) < _SAMPLE else 0
        even = widths[width] / max(widths.total() + broken, 1)
        fits.append(((width > 1, even if width > 1 else -even, width, tabbed and separator == "\t"), separator))
    if tabbed and not any(several for (several, *_), _ in fits):
        return "\t"
    others = [fit for fit in fits if fit[1] != "," and fit[0][:2] == (True, 1.0)]
    if others and not _SEPARATING.search("".join(sample)):
        fits = others  # all commas are decimal ones: "nurse;0,9"
    return max(fits, key=lambda fit: fit[0])[1]


def rows(lines: Iterable[str], separator: str, name: str) -> Iterator[Row]:
    """The rows of a table, blank ones passed over.

    Between other separators than the tab, a cell in double quotes may hold separators, line breaks and doubled quotes.
    Between tabs a line is a row: a cell is quoted where a quote opens and closes it, and a quote that only opens one
    is part of the text.

    Raises WordListError, with the line, for quotes that do not close.
    """
    if separator == "\t":
        for number, line in enumerate(lines, 1):
            written = line.rstrip("\r\n")
            if written.strip():
                yield Row(number, tuple(map(_unquoted, written.split("\t"))), written)
        return
    held: list[str] = []

    def remembered() -> Iterator[str]:
        for line in lines:
            held.append(line)
            yield line

    reader = csv.reader(remembered(), delimiter=separator, strict=True, skipinitialspace=True)
    number = 1
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield Row(number, tuple(cells), "".join(held).rstrip("\r\n"))
            held.clear()
            number = reader.line_num + 1
    except csv.Error as error:
        raise WordListError(
            f"Line {number:,} of {shown(name)} cannot be read: a cell is too long, or its double quotes do not "
            "close before the separator; quotes inside a quoted cell are doubled."
        ) from error


def even_rows(lines: Iterable[str], separator: str, name: str) -> Iterator[Row]:
    """As ``rows``; raises WordListError, with the line, for a row that is longer or shorter than the first."""
    width = 0
    for row in rows(lines, separator, name):
        width = width or len(row.cells)
        if len(row.cells) != width:
            raise uneven(row.line, len(row.cells), width, separator, name)
        yield row


def sentence_rows(lines: Iterable[str], name: str) -> Iterator[Row]:
    """The rows of a table that has one column, of text: a comma between two words cuts no sentence.

    Raises WordListError, with the line, where an unquoted separator without a space behind it looks like a second
    cell.
    """
    for row in rows(lines, ONE_COLUMN, name):
        loose = None if row.written.lstrip().startswith('"') else _LOOSE.search(_IN_NUMBER.sub("", row.written))
        if loose is not None:
            raise uneven(row.line, 2, 1, loose[0], name)
        yield row


def uneven(line: int, found: int, expected: int, separator: str, name: str) -> WordListError:
    """The error for a row of another width than the first."""
    sign = "a tab" if separator == "\t" else f"“{separator}”"
    return WordListError(
        f"Line {line:,} of {shown(name)} has {'1 cell' if found == 1 else f'{found:,} cells'} where the first row has "
        f"{expected:,}; put a cell that contains {sign} in double quotes, and fill short rows up."
    )


def listed_names(names: Sequence[str]) -> str:
    """Column names in quotes, a long list cut."""
    return quoted(names, _SHOWN_COLUMNS)


def suffix(name: str) -> str:
    """The ending of a file's name, in small letters: ".csv"."""
    return PurePath(name).suffix.casefold()


def _lines(text: str) -> Iterable[str]:
    return io.StringIO(text, newline="")


def _unquoted(cell: str) -> str:
    inner = cell.strip()[1:-1]
    quoted = cell.strip().startswith('"') and cell.strip().endswith('"') and len(cell.strip()) > 1
    return inner.replace('""', '"') if quoted and '"' not in inner.replace('""', "") else cell.lstrip(" ")
