"""GAP: pronouns and the two names that each may refer to (Webster et al. 2018), and what resolvers answered.

The data are the user's copy, UTF-8 text as ``gap_rows`` reads it. Offsets count characters of the text.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import WordListError
from .digests import user_copy
from .files import file_text
from .gap_rows import FORMAT, GapRow, Span, read_rows
from .lists import read_json
from .parsing import shown
from .tables import Table, listed_names

A, B, NEITHER = "A", "B", "neither"
LABELS = (A, B, NEITHER)
MASCULINE, FEMININE = "masculine", "feminine"
GENDERS = (MASCULINE, FEMININE)
PRONOUNS = {
    **dict.fromkeys(("he", "him", "his", "himself"), MASCULINE),
    **dict.fromkeys(("she", "her", "hers", "herself"), FEMININE),
}
TRAINING, VALIDATION, TEST = "training", "validation", "test"
SPLITS = (TRAINING, VALIDATION, TEST)
COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref")
MAX_BYTES = 32 * 1024 * 1024
MAX_DOCUMENTS = 50_000

EXPECTS = f"{FORMAT} Its columns are {', '.join(COLUMNS)}."
_TRUTH = {"true": True, "false": False}
_SUM = 0.02  # how far the probabilities of a row may be from 1: they are rounded in files


@dataclass(frozen=True)
class Document:
    """A text with a pronoun and two names, as character offsets; ``label`` says which name it refers to, if any."""

    id: str
    text: str
    pronoun: Span
    a: Span
    b: Span
    label: str
    gender: str


@dataclass(frozen=True)
class Answer:
    """What a resolver said of a document: whether the pronoun refers to A and to B, and the probabilities of

    A, B and neither, None where only a decision is given.
    """

    a: bool
    b: bool
    probabilities: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Predictions:
    """The answers of a file by document id, and where they are from. Of ``tied`` ids no answer is the likeliest."""

    name: str
    source: str
    answers: Mapping[str, Answer]
    tied: tuple[str, ...] = ()


@dataclass(frozen=True)
class Split:
    """The documents of one file, and where they are from."""

    documents: tuple[Document, ...]
    source: str


@dataclass(frozen=True)
class Corrections:
    """Labels by document id that take the place of the published ones, and where they are from."""

    labels: Mapping[str, str]
    source: str = field(default="")


def read_documents(content: bytes, name: str) -> Split:
    """The documents of a GAP file.

    Raises WordListError, with the first line at fault and how many others are, for a file that is no table of GAP, an
    offset at which its word does not stand, a pronoun without a gender, labels that are neither TRUE nor FALSE or both
    TRUE, and an id that appears twice.
    """
    seen: set[str] = set()

    def document(row: GapRow) -> Document:
        made = _document(row)
        if made.id in seen:
            raise WordListError(f"the ID {shown(made.id)} appears twice; give each document its own.")
        seen.add(made.id)
        return made

    found = read_rows(_text(content, name), name, COLUMNS, document)
    if len(found) > MAX_DOCUMENTS:
        raise WordListError(f"{shown(name)} holds {len(found):,} documents; at most {MAX_DOCUMENTS:,} are read.")
    return Split(tuple(found), user_copy(content, name))


def read_predictions(content: bytes, name: str) -> Predictions:
    """The answers of a file of predictions: CSV or TSV with one row a document.

    Either with the headings ID, A, B and NEITHER (probabilities), or ID, A-coref and B-coref (TRUE or FALSE); or as
    the official script reads it, without headings: ID, TRUE or FALSE for A, TRUE or FALSE for B.

    Raises WordListError, with the line, for anything else.
    """
    expects = (
        "Predictions are a table with the columns ID, A, B and NEITHER (probabilities), or ID, A-coref and B-coref "
        "(TRUE or FALSE); the latter may lack the headings."
    )
    heading, body = _table(content, name)
    names = [cell.casefold() for cell in heading]
    if {"id", "a", "b", "neither"} <= set(names):
        places, read = [names.index(column) for column in ("id", "a", "b", "neither")], _probable
    elif {"id", "a-coref", "b-coref"} <= set(names):
        places, read = [names.index(column) for column in ("id", "a-coref", "b-coref")], _decided
    elif len(names) == 3 and set(names[1:]) <= _TRUTH.keys():
        places, read = [0, 1, 2], _decided
        body = [(1, heading), *body]
    else:
        raise WordListError(
            f"{shown(name)} is not a file of predictions: its columns are {listed_names(heading)}. {expects}"
        )
    answers: dict[str, Answer] = {}
    tied = []
    for line, cells in body:
        of, *values = (cells[place] for place in places)
        try:
            answer = read(values)
        except WordListError as fault:
            raise WordListError(f"Line {line:,} of {shown(name)}: {fault}") from None
        if of in answers or of in tied:
            raise WordListError(
                f"Line {line:,} of {shown(name)}: {shown(of)} has an answer above; give one a document."
            )
        if answer is None:
            tied.append(of)
        else:
            answers[of] = answer
    return Predictions(name, user_copy(content, name), answers, tuple(tied))


def read_corrections(content: bytes, name: str) -> Corrections:
    """Corrected labels: a table with the columns ID, A-coref and B-coref, of all documents or of some.

    Raises WordListError, with the line, for anything else.
    """
    heading, body = _table(content, name)
    names = [cell.casefold() for cell in heading]
    wanted = ("id", "a-coref", "b-coref")
    if not set(wanted) <= set(names):
        raise WordListError(
            f"{shown(name)} is not a list of corrections: its columns are {listed_names(heading)}; it needs ID, "
            "A-coref and B-coref (TRUE or FALSE)."
        )
    labels: dict[str, str] = {}
    for line, cells in body:
        of, *values = (cells[names.index(column)] for column in wanted)
        try:
            label = _label(*map(_truth, values))
        except WordListError as fault:
            raise WordListError(f"Line {line:,} of {shown(name)}: {fault}") from None
        if labels.setdefault(of, label) != label:
            raise WordListError(f"Line {line:,} of {shown(name)}: {shown(of)} has another label above; keep one.")
    return Corrections(labels, user_copy(content, name))


def check_splits(splits: Mapping[str, Split]) -> None:
    """Raise WordListError where the splits cannot train or test a resolver.

    A document in two splits would be tested on what was learned; labels of one class teach nothing.
    """
    homes: dict[str, str] = {}
    for name, split in splits.items():
        for document in split.documents:
            if homes.setdefault(document.id, name) != name:
                raise WordListError(
                    f"{shown(document.id)} is in the {homes[document.id]} and in the {name} documents; a resolver must "
                    "not be tested on what it was trained on. Give another file for one of them."
                )
    if TRAINING in splits:
        counts = Counter(document.label for document in splits[TRAINING].documents)
        if len(counts) < 2:
            raise WordListError(
                f"All {counts.total():,} training documents have the label {next(iter(counts))}; there is nothing to "
                "tell apart. At least two of A, B and neither are needed."
            )


@functools.cache
def demonstration() -> Mapping[str, Split]:
    """Short texts of our own, each with masculine and with feminine names and pronouns, so that labels are balanced."""
    data = read_json("pronoun_passages.json")
    found: dict[str, list[Document]] = {split: [] for split in SPLITS}
    for number, passage in enumerate(data["passages"]):
        for gender in GENDERS:
            found[passage["split"]].append(_made(data, number, passage["text"], passage["label"], gender))
    source = "48 short texts of Tiltmeter's own, each with masculine and with feminine names and pronouns"
    return {split: Split(tuple(documents), source) for split, documents in found.items()}


def _made(data: Mapping[str, Sequence[str]], number: int, text: str, label: str, gender: str) -> Document:
    """A passage with the names and pronouns of a gender."""
    first, last = data[gender], data["surnames"]
    names = {
        slot: f"{first[(3 * number + place) % len(first)]} {last[(number + 5 * place) % len(last)]}"
        for place, slot in enumerate("ABC")
    }
    spans: dict[str, Span] = {}
    made = ""
    for part in filter(None, re.split(r"(\{[ABC]\}|\[\w+\]|<\w+>)", text)):
        word = names[part[1]] if part[0] == "{" else _pronoun(part[1:-1], gender) if part[0] in "[<" else part
        if part[0] in "{[":
            spans[part[1] if part[0] == "{" else "pronoun"] = (len(made), len(made) + len(word))
        made += word
    return Document(f"demo-{number + 1}-{gender[0]}", made, spans["pronoun"], spans[A], spans[B], label, gender)


def _pronoun(masculine: str, gender: str) -> str:
    if gender == MASCULINE:
        return masculine
    feminine = {"he": "she", "him": "her", "his": "her"}[masculine.casefold()]
    return feminine.capitalize() if masculine[0].isupper() else feminine


def _text(content: bytes, name: str) -> str:
    try:
        found = file_text(content, name, most=MAX_BYTES)
    except WordListError as error:
        raise WordListError(f"{error} {EXPECTS}") from error
    if found.notes:
        raise WordListError(f"{shown(name)} is not UTF-8 text; save it as UTF-8. {EXPECTS}")
    return found.text


def _document(row: GapRow) -> Document:
    of, pronoun = row.cells["ID"].strip(), row.cells["Pronoun"]
    if not of:
        raise WordListError("it has no ID.")
    gender = PRONOUNS.get(pronoun.casefold())
    if gender is None:
        raise WordListError(f"the pronoun “{shown(pronoun)}” is none of {', '.join(PRONOUNS)}, whose gender is known.")
    label = _label(_truth(row.cells["A-coref"]), _truth(row.cells["B-coref"]))
    return Document(of, row.cells["Text"], row.labels["Pronoun"], row.labels["A"], row.labels["B"], label, gender)


def _truth(cell: str) -> bool:
    found = _TRUTH.get(cell.strip().casefold())
    if found is None:
        raise WordListError(f"a label is “{shown(cell)}”; it must be TRUE or FALSE.")
    return found


def _label(a: bool, b: bool) -> str:
    if a and b:
        raise WordListError("A-coref and B-coref are both TRUE; a pronoun refers to one of them at most.")
    return A if a else B if b else NEITHER


def _decided(cells: Sequence[str]) -> Answer:
    a, b = map(_truth, cells)
    return Answer(a, b)


def _probable(cells: Sequence[str]) -> Answer | None:
    """The answer of three probabilities; None where the highest is shared."""
    try:
        found = [float(cell) for cell in cells]
    except ValueError:
        raise WordListError(
            f"the probabilities are {listed_names(cells)}; they must be three numbers from 0 to 1."
        ) from None
    total = sum(found)
    if not all(0 <= value <= 1 for value in found) or abs(total - 1) > _SUM:
        raise WordListError(f"the probabilities {', '.join(cells)} must lie between 0 and 1 and sum to 1.")
    best = max(found)
    if found.count(best) > 1:
        return None
    return Answer(found[0] == best, found[1] == best, (found[0] / total, found[1] / total, found[2] / total))


def _table(content: bytes, name: str) -> tuple[Sequence[str], list[tuple[int, Sequence[str]]]]:
    """The first row of a table of the user's, and the others with their line numbers."""
    table = Table.read(file_text(content, name, most=MAX_BYTES).text, name)
    return table.first, list(zip(table.lines, table.rest, strict=True))
