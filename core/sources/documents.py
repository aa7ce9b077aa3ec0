"""The documents of a file and the way back: the same file with other texts, labels and their places moved along.

A GAP file (Webster et al. 2018) is a table with tabs and no quotes; each row is a document with three labels: the
pronoun and the names A and B, each with the character it starts at. In plain text a document is a paragraph, the lines
between two empty lines; where no line between texts is empty, each line is one.
"""

from __future__ import annotations

import codecs
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..errors import WordListError
from .decoding import encoding_of
from .files import file_text
from .parsing import shown
from .tables import listed_names, suffix

MAX_BYTES = 32 * 1024 * 1024
LABELS = ("Pronoun", "A", "B")
GAP_COLUMNS = ("ID", "Text", *(column for label in LABELS for column in (label, f"{label}-offset")))
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

Cell = tuple[int, int]  # where it starts and ends in the text of the file


class Kind(StrEnum):
    """How a file holds its documents."""

    LINES = "lines"
    PARAGRAPHS = "paragraphs"
    GAP = "rows of a GAP file"


@dataclass(frozen=True)
class Label:
    """A labelled stretch of a document: its text and the character it starts at, and the cells that say so."""

    name: str
    start: int
    text: str
    cell: Cell
    start_cell: Cell

    @property
    def stop(self) -> int:
        """The character it ends before."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Document:
    """One document: what it is called, the number of its line, its text and where that stands in the file."""

    name: str
    line: int
    text: str
    cell: Cell
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True)
class DocumentFile:
    """A file of documents; ``mark`` is its byte-order mark, ``notes`` say what was assumed in reading it."""

    name: str
    kind: Kind
    whole: str
    documents: tuple[Document, ...]
    codec: str
    mark: bytes = b""
    notes: tuple[str, ...] = ()

    def rewritten(self, texts: Mapping[int, tuple[str, Sequence[tuple[int, int]]]]) -> bytes:
        """The file with the text of some documents replaced, all else byte for byte.

        Parameters
        ----------
        texts
            By the place of the document in ``documents``: its new text, and where each of its labels starts and stops
            in that.
        """
        cells: list[tuple[Cell, str]] = []
        for place, (text, spans) in texts.items():
            document = self.documents[place]
            cells.append((document.cell, text))
            for label, (start, stop) in zip(document.labels, spans, strict=True):
                cells += [(label.cell, text[start:stop]), (label.start_cell, str(start))]
        parts, end = [], 0
        for (start, stop), text in sorted(cells):
            parts += [self.whole[end:start], text]
            end = stop
        return self.mark + "".join((*parts, self.whole[end:])).encode(self.codec)


def read_documents(content: bytes, name: str) -> DocumentFile:
    """The documents of a file of this content.

    Raises WordListError for a file that is empty, too large or no text, a table without GAP's columns, rows of another
    length, and labels that do not stand where their offsets say.
    """
    read = file_text(content, name, is_text=suffix(name) != ".csv", most=MAX_BYTES)
    codec, mark = encoding_of(lambda: content.split(b"\n"), name).codec, b""
    for sign, plain in _MARKS.items():
        if content.startswith(sign):
            codec, mark = plain, sign
    if codec == "utf-8-sig":
        codec, mark = "utf-8", codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    lines = list(_lines(read.text))
    is_table = suffix(name) in (".csv", ".tsv") or _is_gap(lines[0][1])
    kind, documents = (Kind.GAP, _rows(lines, name)) if is_table else _paragraphs(read.text, lines)
    return DocumentFile(name, kind, read.text, tuple(documents), codec, mark, read.notes)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line without its end, and where it starts."""
    at = 0
    for line in io.StringIO(text, newline=""):
        yield at, line.rstrip("\r\n")
        at += len(line)


def _is_gap(heading: str) -> bool:
    return {"Text", "Pronoun-offset"} <= set(heading.split("\t"))


def _paragraphs(text: str, lines: Sequence[tuple[int, str]]) -> tuple[Kind, list[Document]]:
    numbered = [(number, start, line) for number, (start, line) in enumerate(lines, 1)]
    held = [place for place, (_, _, line) in enumerate(numbered) if line.strip()]
    inner = numbered[held[0] : held[-1] + 1]
    if all(line.strip() for _, _, line in inner):
        return Kind.LINES, [
            Document(f"line {number}", number, line, (start, start + len(line))) for number, start, line in inner
        ]
    documents: list[Document] = []
    first: tuple[int, int] | None = None
    end = 0
    for number, start, line in (*inner, (0, 0, "")):
        if line.strip():
            first, end = first or (number, start), start + len(line)
        elif first is not None:
            documents.append(Document(f"line {first[0]}", first[0], text[first[1] : end], (first[1], end)))
            first = None
    return Kind.PARAGRAPHS, documents


def _rows(lines: Sequence[tuple[int, str]], name: str) -> list[Document]:
    columns = lines[0][1].split("\t")
    missing = [column for column in GAP_COLUMNS if column not in columns]
    if missing:
        raise WordListError(
            f"{shown(name)} is a table without the {'column' if len(missing) == 1 else 'columns'} "
            f"{listed_names(missing)}. A GAP file has a tab between its cells and the columns ID, Text, Pronoun, "
            "Pronoun-offset, A, A-offset, B and B-offset; give one of these, or plain text (.txt)."
        )
    twice = [column for column, count in Counter(columns).items() if count > 1 and column in GAP_COLUMNS]
    if twice:
        raise WordListError(f"{shown(name)} has the column “{twice[0]}” twice; keep one of them.")
    documents: list[Document] = []
    wrong: list[tuple[Document, Label]] = []
    names: set[str] = set()
    for number, (start, line) in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        document = _row(number, start, line, columns, name)
        if document.name in names:
            document = replace(document, name=f"{document.name}, line {number}")
        names.add(document.name)
        documents.append(document)
        wrong += [(document, label) for label in document.labels if not _fits(document, label)][:1]
    if wrong:
        document, label = wrong[0]
        found = document.text[label.start : label.stop]
        raise WordListError(
            f"{shown(name)}: the labels of {len(wrong):,} of {len(documents):,} rows do not stand where their offsets "
            f"say. The first is in line {document.line:,}: {label.name}-offset is {label.start:,}, where the text has "
            f"“{shown(found)}” and not “{shown(label.text)}”. Give the file as it was published, with offsets counted "
            "in characters from 0."
        )
    if not documents:
        raise WordListError(f"{shown(name)} holds no row below its headings; give a file with texts.")
    return documents


def _fits(document: Document, label: Label) -> bool:
    return bool(label.text) and document.text[label.start : label.stop] == label.text


def _row(number: int, start: int, line: str, columns: Sequence[str], name: str) -> Document:
    cells: dict[str, tuple[str, Cell]] = {}
    at, texts = start, line.split("\t")
    if len(texts) != len(columns):
        raise WordListError(
            f"Line {number:,} of {shown(name)} has {len(texts):,} cells where the first row has {len(columns):,}; put "
            "one tab between cells and none into a text."
        )
    for column, text in zip(columns, texts, strict=True):
        cells[column] = text, (at, at + len(text))
        at += len(text) + 1
    labels = []
    for label in LABELS:
        offset, offset_cell = cells[f"{label}-offset"]
        if not (offset.isascii() and offset.isdigit()):
            raise WordListError(
                f"Line {number:,} of {shown(name)}: {label}-offset is “{shown(offset)}”; it must be a whole number, "
                "the character at which the label starts."
            )
        labels.append(Label(label, int(offset), *cells[label], offset_cell))
    return Document(cells["ID"][0] or f"line {number}", number, *cells["Text"], tuple(labels))
