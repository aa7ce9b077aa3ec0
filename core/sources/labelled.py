"""Labelled texts from a table of the user's: a column of texts and one of labels, chosen by name."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..errors import WordListError
from .documents import MAX_BYTES
from .files import file_text
from .parsing import shown, tidy
from .tables import Table

MOST_TEXTS = 200_000
MOST_LABELS = 100  # more are another column: numbers, or texts


@dataclass(frozen=True)
class LabelledTexts:
    """Texts with their labels, each text once, in the order of the file.

    ``repeated`` rows hold a text that stands further up, ``conflicting`` ones of these with another label, which is
    passed over; ``blank`` rows lack a text or a label. ``notes`` say what was assumed in reading the file.
    """

    name: str
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    repeated: int
    conflicting: int
    blank: int
    notes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The labels that there are, sorted."""
        return tuple(sorted(set(self.labels)))


def read_labelled(content: bytes, name: str, text_column: str, label_column: str) -> LabelledTexts:
    """The labelled texts of a CSV or TSV file.

    Raises WordListError for a file that is no table, a column that is not there, one column as both, a single label,
    more than ``MOST_LABELS`` or none that has two texts.
    """
    if tidy(text_column) == tidy(label_column):
        raise WordListError(f"“{shown(text_column)}” is given as the column of texts and of labels; give two columns.")
    file = file_text(content, name, most=MAX_BYTES)
    table = Table.read(file.text, name, most=MOST_TEXTS, what="a part of the texts")
    seen: dict[str, str] = {}
    repeated = conflicting = blank = 0
    for text, label in zip(table.column(text_column), table.column(label_column), strict=True):
        if not text or not label:
            blank += 1
        elif text in seen:
            repeated += 1
            conflicting += seen[text] != label
        else:
            seen[text] = label
    found = LabelledTexts(name, tuple(seen), tuple(seen.values()), repeated, conflicting, blank, file.notes)
    _check(found, label_column)
    return found


def _check(found: LabelledTexts, column: str) -> None:
    where = f"The column “{shown(column)}” of {shown(found.name)}"
    counts = Counter(found.labels)
    if not counts:
        raise WordListError(f"{shown(found.name)} has no row with both a text and a label; fill both columns.")
    if len(counts) == 1:
        raise WordListError(
            f"{where} holds one label only, “{shown(found.labels[0])}”; a classifier needs two or more."
        )
    if len(counts) > MOST_LABELS:
        raise WordListError(
            f"{where} holds {len(counts):,} different labels, at most {MOST_LABELS} are possible; choose the column "
            "that names the class of a text."
        )
    if max(counts.values()) < 2:
        raise WordListError(f"{where} has a single text for each label, so none can be held out; give more texts.")
