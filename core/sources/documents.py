"""The documents of a file and the way back: the same file with other texts, labels and their places moved along.

Each row of a GAP file is a document with three labels (``gap_rows``). In plain text a document is a paragraph, the
lines between two empty lines; where no line between texts is empty, each line is one.
"""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .decoding import encoding_of
from .files import file_text
from .gap_rows import PLACED, GapRow, Span, read_rows
from .tables import suffix

MAX_BYTES = 32 * 1024 * 1024
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Kind(StrEnum):
    """How a file holds its documents."""

    LINES = "lines"
    PARAGRAPHS = "paragraphs"
    GAP = "rows of a GAP file"


@dataclass(frozen=True)
class Label:
    """A labelled stretch of a document: its text and the character it starts at, and where the file says so."""

    name: str
    start: int
    text: str
    cell: Span
    start_cell: Span

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
    cell: Span
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
        cells: list[tuple[Span, str]] = []
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
    kind, documents = (Kind.GAP, _rows(read.text, name)) if is_table else _paragraphs(read.text, lines)
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


def _rows(text: str, name: str) -> list[Document]:
    names: set[str] = set()

    def document(row: GapRow) -> Document:
        called = row.cells["ID"] or f"line {row.line}"
        called = f"{called}, line {row.line}" if called in names else called
        names.add(called)
        labels = tuple(
            Label(label, start, row.cells[label], row.places[label], row.places[f"{label}-offset"])
            for label, (start, _) in row.labels.items()
        )
        return Document(called, row.line, row.cells["Text"], row.places["Text"], labels)

    return read_rows(text, name, PLACED, document, otherwise=" Or give plain text (.txt).")
