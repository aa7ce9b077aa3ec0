"""GAP files for tests, written from documents at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.sources.gap import COLUMNS, FEMININE, MASCULINE, PRONOUNS, SPLITS, Document, demonstration
from core.spec import File

NAMES = {"training": "train.tsv", "validation": "validation.tsv", "test": "test.tsv"}
_OTHER = {"he": "she", "him": "her", "his": "her", "she": "he", "her": "his"}


def gap_file(documents: Iterable[Document]) -> bytes:
    """The documents as GAP writes them, with its further column."""
    lines = ["\t".join((*COLUMNS, "URL"))]
    for document in documents:
        named = [(document.text[slice(*span)], str(span[0])) for span in (document.pronoun, document.a, document.b)]
        pronoun, a, b = named
        labels = [str(document.label == name).upper() for name in "AB"]
        cells = (document.id, document.text, *pronoun, *a, labels[0], *b, labels[1], "http://example.org")
        lines.append("\t".join(cells))
    return ("\n".join(lines) + "\n").encode()


def demo_files(*, reverse: bool = False) -> dict[str, File]:
    """The demonstration as the three files of a user."""
    found = {}
    for split in SPLITS:
        documents: Sequence[Document] = demonstration()[split].documents
        found[split] = File.of(NAMES[split], gap_file(documents[::-1] if reverse else documents))
    return found


def exchanged(document: Document) -> Document:
    """The document with a pronoun of the other gender in its place; names stay."""
    start, end = document.pronoun
    word = document.text[start:end]
    other = _OTHER[word.lower()]
    other = other.capitalize() if word[0].isupper() else other
    shift = len(other) - len(word)
    moved = {
        name: tuple(place + shift if place >= end else place for place in getattr(document, name))
        for name in ("a", "b")
    }
    gender = FEMININE if PRONOUNS[word.lower()] == MASCULINE else MASCULINE
    return replace(
        document,
        text=document.text[:start] + other + document.text[end:],
        pronoun=(start, start + len(other)),
        gender=gender,
        **moved,
    )


def predictions_file(answers: Mapping[str, Sequence[object]], heading: str = "ID,A,B,NEITHER") -> bytes:
    """A file of predictions."""
    return "\n".join([heading, *(",".join([of, *map(str, cells)]) for of, cells in answers.items()), ""]).encode()
