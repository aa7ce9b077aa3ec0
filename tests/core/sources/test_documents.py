"""Documents of a file, and the file with other documents."""

from __future__ import annotations

import codecs

import pytest

from core.errors import WordListError
from core.sources.documents import Kind, read_documents

HEAD = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
ROW = "a-1\tMary saw Ann and her “dog”.\ther\t17\tMary\t0\tTRUE\tAnn\t9\tFALSE\thttp://x.org/Mary"


def texts(content: bytes, name: str = "x.txt") -> list[str]:
    return [document.text for document in read_documents(content, name).documents]


def test_lines_are_documents_where_none_is_empty() -> None:
    file = read_documents(b"\n\nOne.\n Two. \nThree\n\n", "x.txt")
    assert file.kind == Kind.LINES
    assert [(document.name, document.text) for document in file.documents] == [
        ("line 3", "One."),
        ("line 4", " Two. "),
        ("line 5", "Three"),
    ]


def test_paragraphs_are_documents_where_an_empty_line_parts_texts() -> None:
    file = read_documents(b"One\ngoes on.\r\n \r\nTwo.\n\n\nThree", "x.txt")
    assert file.kind == Kind.PARAGRAPHS
    assert [(document.line, document.text) for document in file.documents] == [
        (1, "One\ngoes on."),
        (4, "Two."),
        (7, "Three"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"One.\r\nTwo.\n",
        codecs.BOM_UTF8 + "Žofie.\nÄrztin.\n".encode(),
        codecs.BOM_UTF16_LE + "One.\nŽofie.".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "One.\nŽofie.".encode("utf-16-be"),
        "Die Ärztin.\nEine Köchin.\n".encode("cp1252"),
        f"{HEAD}\r\n{ROW}\r\n".encode(),
    ],
)
def test_a_file_comes_back_byte_for_byte(content: bytes) -> None:
    file = read_documents(content, "x.txt")
    assert file.rewritten({}) == content
    same = {
        place: (document.text, [(label.start, label.stop) for label in document.labels])
        for place, document in enumerate(file.documents)
    }
    assert file.rewritten(same) == content


def test_a_document_is_replaced_in_its_place() -> None:
    file = read_documents(b"One.\r\nTwo.\nThree", "x.txt")
    assert file.rewritten({1: ("Zwei!", [])}) == b"One.\r\nZwei!\nThree"


def test_labels_and_offsets_are_rewritten() -> None:
    file = read_documents(f"{HEAD}\n{ROW}\n".encode(), "gap.tsv")
    (document,) = file.documents
    assert [(label.name, label.text, label.start) for label in document.labels] == [
        ("Pronoun", "her", 17),
        ("A", "Mary", 0),
        ("B", "Ann", 9),
    ]
    text = "John saw Carl and his “dog”."
    written = file.rewritten({0: (text, [(18, 21), (0, 4), (9, 13)])}).decode()
    row = "a-1\tJohn saw Carl and his “dog”.\this\t18\tJohn\t0\tTRUE\tCarl\t9\tFALSE\thttp://x.org/Mary"
    assert written == f"{HEAD}\n{row}\n"


def test_rows_of_one_id_are_told_apart() -> None:
    names = [document.name for document in read_documents(f"{HEAD}\n{ROW}\n{ROW}".encode(), "gap.tsv").documents]
    assert names == ["a-1", "a-1, line 3"]


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"", "x.txt", "is empty"),
        (b" \n\n", "x.txt", "is empty"),
        (b"PK\x03\x04", "x.xlsx", "spreadsheet"),
        (b"a\x00b", "x.txt", "not plain text"),
        (b"Text\tPronoun\nx\the", "x.tsv", "lacks the columns “ID”, “Pronoun-offset”, “A”"),
        (b"sentence,label\nHe came.,1\n", "x.csv", "lacks the columns"),
        (f"{HEAD}\n".encode(), "x.tsv", "no document below its first line"),
        (f"{HEAD}\n{ROW}\tmore\n".encode(), "x.tsv", "Line 2 of x.tsv: it has 12 cells where the first line has 11"),
        (f"{HEAD}\n{ROW}\n".replace("\t17\t", "\t17.0\t").encode(), "x.tsv", "“17.0”; it must be a whole number"),
        (
            f"{HEAD}\n{ROW}\n{ROW}\n".replace("\t17\t", "\t16\t", 1).encode(),
            "x.tsv",
            "Line 2 of x.tsv: Pronoun-offset 16 is where “ he” stands, not “her”",
        ),
        (f"{HEAD}\n{ROW}\n".replace("\tAnn\t9", "\t\t9").encode(), "x.tsv", "B is empty"),
    ],
)
def test_bad_files_are_refused_with_a_sentence(content: bytes, name: str, said: str) -> None:
    with pytest.raises(WordListError) as refused:
        read_documents(content, name)
    assert said in str(refused.value)
