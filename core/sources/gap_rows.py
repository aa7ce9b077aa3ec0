"""The rows of a GAP file (Webster et al. 2018): the one reader of its columns, cells and offsets.

A GAP file is a table whose cells stand between tabs and are not quoted. A row is a text with three labels, the pronoun
and the names A and B, each with the character it starts at. What a cell holds is never tidied, since the offsets would
no longer fit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..errors import WordListError
from .parsing import shown
from .tables import listed_names

T = TypeVar("T")
Span = tuple[int, int]  # where a stretch starts and ends, in characters

LABELS = ("Pronoun", "A", "B")
PLACED = ("ID", "Text", *(column for label in LABELS for column in (label, f"{label}-offset")))  # without answers
FORMAT = "A GAP file is a .tsv: UTF-8 text, cells between tabs, no quotes."


@dataclass(frozen=True)
class GapRow:
    """A row: the number of its line, its cells by column, where each stands in the file, and its labels in the text."""

    line: int
    cells: Mapping[str, str]
    places: Mapping[str, Span]
    labels: Mapping[str, Span]


def read_rows(
    text: str, name: str, columns: Sequence[str], of: Callable[[GapRow], T], *, otherwise: str = ""
) -> list[T]:
    """What ``of`` makes of each row of a file's text.

    Parameters
    ----------
    text, name : str
        What the file holds, and what it is called.
    columns : sequence of str
        What it must have, ``PLACED`` among them.
    of : callable
        What a row is to the caller. May raise WordListError, a clause on the row, which is told with its line.
    otherwise : str
        What else could be given, for the sentence on a table of another kind.

    Raises
    ------
    WordListError
        For a table without the columns; with the first line at fault and how many others are, for a row of another
        length, an offset at which its label does not stand, or what ``of`` says.
    """
    # Not str.splitlines: a text may hold U+2028 or U+0085 as it is.
    lines = text.split("\n")
    heading = [cell.strip() for cell in lines[0].removesuffix("\r").split("\t")]
    missing = [column for column in columns if column not in heading]
    if missing:
        raise WordListError(
            f"{shown(name)} lacks the {'column' if len(missing) == 1 else 'columns'} {listed_names(missing)}; it has "
            f"{listed_names(heading)}. {FORMAT} It needs the columns {', '.join(columns)}.{otherwise}"
        )
    twice = [column for column, count in Counter(heading).items() if count > 1 and column in columns]
    if twice:
        raise WordListError(f"{shown(name)} has the column “{twice[0]}” twice; keep one of them.")
    found: list[T] = []
    faults: list[tuple[int, str]] = []
    at = 0
    for number, line in enumerate(lines, 1):
        start, at = at, at + len(line) + 1
        if number == 1 or not line.strip():
            continue
        try:
            found.append(of(_row(number, start, heading, line.removesuffix("\r").split("\t"))))
        except WordListError as fault:
            faults.append((number, str(fault)))
    if faults:
        line_number, first = faults[0]
        others = f" {len(faults) - 1:,} other lines have a fault too." if len(faults) > 1 else ""
        raise WordListError(f"Line {line_number:,} of {shown(name)}: {first}{others}")
    if not found:
        raise WordListError(
            f"{shown(name)} holds no document below its first line. {FORMAT} Its columns are {', '.join(columns)}."
        )
    return found


def _row(number: int, start: int, heading: Sequence[str], texts: Sequence[str]) -> GapRow:
    if len(texts) != len(heading):
        raise WordListError(f"it has {len(texts)} cells where the first line has {len(heading)}.")
    places, at = [], start
    for text in texts:
        places.append((at, at + len(text)))
        at += len(text) + 1
    cells = dict(zip(heading, texts, strict=True))
    labels = {label: _span(cells, label) for label in LABELS}
    return GapRow(number, cells, dict(zip(heading, places, strict=True)), labels)


def _span(cells: Mapping[str, str], label: str) -> Span:
    word, written = cells[label], cells[f"{label}-offset"].strip()
    if not word.strip():
        raise WordListError(f"{label} is empty.")
    if not re.fullmatch(r"[0-9]{1,9}", written):
        raise WordListError(f"{label}-offset is “{shown(written)}”; it must be a whole number of characters.")
    start = int(written)
    there = cells["Text"][start : start + len(word)]
    if there != word:
        raise WordListError(
            f"{label}-offset {start:,} is where “{shown(there)}” stands, not “{shown(word)}”; offsets count the "
            "characters of the text, from 0."
        )
    return start, start + len(word)
