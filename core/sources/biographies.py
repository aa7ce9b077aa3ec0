"""Short biographies with occupation and gender (De-Arteaga et al. 2019), and what classifiers made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from ..errors import WordListError
from .digests import user_copy
from .files import file_text
from .first_names import NAME
from .lists import read_json
from .parsing import shown
from .substitution import TITLE, plan_text
from .swap import PRONOUN
from .tables import Table, listed_names

T = TypeVar("T")

MEN, WOMEN = "men", "women"
GENDERS = (MEN, WOMEN)
TRAINING, TEST = "training", "test"
MAX_BYTES = 64 * 1024 * 1024
MAX_ROWS = 200_000
SCRUBBED = "_"  # what stands in the place of a word that is scrubbed, as in the authors' code

_TRAINING_TEXTS = 4  # of an occupation, in the demonstration
_MALE = ("m", "male", "man", "men", "masculine")
_FEMALE = ("f", "female", "woman", "women", "feminine")
_GENDER = {**dict.fromkeys(_MALE, MEN), **dict.fromkeys(_FEMALE, WOMEN)}
_SPLITS = {"train": TRAINING, "training": TRAINING, "test": TEST}


@dataclass(frozen=True)
class Columns:
    """What the columns of a file of biographies are called; an empty ``split`` is none."""

    text: str = "text"
    occupation: str = "occupation"
    gender: str = "gender"
    split: str = ""


@dataclass(frozen=True)
class Biography:
    """A text on a person; ``id`` is the number of its line in the file, ``split`` what it is for, empty if unsaid."""

    id: int
    text: str
    occupation: str
    gender: str
    split: str = ""


@dataclass(frozen=True)
class Biographies:
    """The biographies of a file, where they are from, and how many were of another split than training and test."""

    items: tuple[Biography, ...]
    source: str
    others: int = 0


@dataclass(frozen=True)
class Classified:
    """A row of a file of predictions: the person's occupation, the predicted one, and the gender."""

    id: int
    occupation: str
    predicted: str
    gender: str


@dataclass(frozen=True)
class Classifications:
    """What a classifier made of biographies, by the name of its file, and where it is from."""

    name: str
    items: tuple[Classified, ...]
    source: str


def read_biographies(content: bytes, name: str, columns: Columns) -> Biographies:
    """The biographies of a table.

    Raises WordListError, with the line, for a table without the columns, an empty cell, a gender that is neither male
    nor female; for one occupation or one gender alone, and for a split without training or test texts.
    """
    wanted = [columns.text, columns.occupation, columns.gender, *filter(None, [columns.split])]

    def biography(line: int, cells: Sequence[str]) -> Biography | None:
        text, occupation, gender, *split = cells
        of = _SPLITS.get(split[0].strip().casefold(), "") if split else ""
        if split and not of:
            return None
        return Biography(
            line, _filled(text, columns.text), _filled(occupation, columns.occupation), _gender(gender), of
        )

    rows = _rows(content, name, wanted, biography, "--text, --occupation, --gender, --split")
    found = [item for item in rows if item is not None]
    _check_variety(name, [(item.occupation, item.gender) for item in found])
    for of in (TRAINING, TEST) if columns.split else ():
        if not any(item.split == of for item in found):
            raise WordListError(
                f"{shown(name)} has no {of} texts: no row has “{'train' if of == TRAINING else 'test'}” in the column "
                f"{columns.split}. Leave the split column out to have the texts split here."
            )
    return Biographies(tuple(found), user_copy(content, name), len(rows) - len(found))


def read_classifications(content: bytes, name: str) -> Classifications:
    """The rows of a file of predictions: true, predicted and gender, further columns unread. Raises WordListError."""

    def classified(line: int, cells: Sequence[str]) -> Classified:
        true, predicted, gender = cells
        return Classified(line, _filled(true, "true"), predicted.strip(), _gender(gender))

    found = _rows(content, name, ["true", "predicted", "gender"], classified, "")
    _check_variety(name, [(item.occupation, item.gender) for item in found])
    return Classifications(name, tuple(found), user_copy(content, name))


def scrubbed(text: str) -> tuple[str, int]:
    """The text with ``SCRUBBED`` for pronouns, titles and first names, as far as the lists know them; and how many."""
    found = [item for item in plan_text(text).replacements if item.kind in (PRONOUN, TITLE, NAME)]
    parts, end = [], 0
    for item in sorted(found, key=lambda item: item.start):
        parts += [text[end : item.start], SCRUBBED]
        end = item.stop
    return "".join((*parts, text[end:])), len(found)


@cache
def demonstration() -> Biographies:
    """Short biographies of our own: the same test texts of men and of women, more training texts of one of them."""
    data = read_json("biographies.json")
    found: list[Biography] = []
    for occupation, texts in data["biographies"].items():
        taught: Mapping[str, int] = data["training"][occupation]
        for number, text in enumerate(texts):
            for gender in GENDERS:
                training = number < _TRAINING_TEXTS
                if training and number >= taught[gender]:
                    continue
                names: Sequence[str] = data[gender]
                words: Mapping[str, str] = data["pronouns"][gender]
                made = text.format(name=names[(number + len(occupation)) % len(names)], **words)
                found.append(Biography(len(found) + 1, made, occupation, gender, TRAINING if training else TEST))
    return Biographies(tuple(found), f"{len(found)} short biographies of Tiltmeter's own, of men and of women")


def _rows(
    content: bytes, name: str, columns: Sequence[str], of: Callable[[int, Sequence[str]], T], options: str
) -> list[T]:
    """What ``of`` makes of the number of each row's line and its cells in the columns."""
    read = file_text(content, name, most=MAX_BYTES)
    table = Table.read(read.text, name, exact=True, most=MAX_ROWS, what="the rows to be measured")
    names = [heading.casefold() for heading in table.names]
    missing = [column for column in columns if column.casefold() not in names]
    if missing:
        say = f" Say what yours are called under “Columns of the file” ({options})." if options else ""
        raise WordListError(
            f"{shown(name)} lacks the {'column' if len(missing) == 1 else 'columns'} {listed_names(missing)}; it has "
            f"{listed_names(table.names)}.{say}"
        )
    wanted = [column.casefold() for column in columns]
    for column, name_of in zip(columns, wanted, strict=True):
        if names.count(name_of) > 1:
            raise WordListError(f"{shown(name)} has the column “{shown(column)}” twice; keep one of them.")
        if wanted.count(name_of) > 1:
            raise WordListError(f"The column “{shown(column)}” is given for two things; give each a column of its own.")
    places = [names.index(name_of) for name_of in wanted]
    found: list[T] = []
    for line, cells in zip(table.lines, table.rest, strict=True):
        try:
            found.append(of(line, [cells[place] for place in places]))
        except WordListError as fault:
            raise WordListError(f"Line {line:,} of {shown(name)}: {fault}") from None
    return found


def _filled(cell: str, column: str) -> str:
    if not cell.strip():
        raise WordListError(f"{column} is empty; fill it, or leave the row out.")
    return cell.strip()


def _gender(cell: str) -> str:
    found = _GENDER.get(cell.strip().casefold())
    if found is None:
        raise WordListError(
            f"the gender is “{shown(cell)}”; it must be male or female (m, f, man, woman, masculine, feminine)."
        )
    return found


def _check_variety(name: str, people: Sequence[tuple[str, str]]) -> None:
    """Raise WordListError where there is nothing to tell apart or to compare."""
    if not people:
        raise WordListError(f"{shown(name)} holds no row to use below its first line.")
    for at, are, need in (
        (0, "have the occupation", "at least two occupations are needed"),
        (1, "are of", "women and men are compared, so both are needed"),
    ):
        counts = Counter(person[at] for person in people)
        if len(counts) < 2:
            raise WordListError(
                f"All {counts.total():,} rows of {shown(name)} {are} {shown(next(iter(counts)))}; {need}."
            )
