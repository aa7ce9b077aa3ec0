"""Sentences of corpus files: text and tables, line breaks, and files that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import WordListError
from core.sources import CorpusFile


def sentences(path: Path, column: str | None = None) -> list[str]:
    corpus = CorpusFile(path, column)
    corpus.check()
    return [text for text, _ in corpus.sentences()]


def test_a_line_is_a_sentence_and_wrapped_lines_are_one(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text(
        "She saw him\nHe saw her\n\nThe nurse told him\nthat she was late. Dr. Lee\nwas not there.\n", encoding="utf-8"
    )
    assert sentences(path) == [
        "She saw him",
        "He saw her",
        "The nurse told him that she was late.",
        "Dr. Lee was not there.",
    ]


def test_bytes_count_up_to_the_files_size(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("Er grüßte sie.\nSie grüßte ihn.\n", encoding="utf-8")
    read = [done for _, done in CorpusFile(path).sentences()]
    assert read == sorted(read)
    assert read[-1] == path.stat().st_size == CorpusFile(path).size()


@pytest.mark.parametrize(("name", "separator"), [("c.csv", ","), ("c.csv", ";"), ("c.tsv", "\t")])
def test_a_column_of_a_table(tmp_path: Path, name: str, separator: str) -> None:
    path = tmp_path / name
    rows = [["id", "text"], ["1", '"She saw him. He, ""her""."'], ["2", "A nurse came."]]
    path.write_text("\n".join(separator.join(row) for row in rows), encoding="utf-8-sig")
    assert sentences(path, "text") == ["She saw him.", 'He, "her".', "A nurse came."]


def test_a_table_of_one_column_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("text\nShe saw him.\n", encoding="utf-8")
    assert sentences(path) == ["She saw him."]


@pytest.mark.parametrize(
    ("name", "content", "column", "message"),
    [
        ("c.csv", b"id,text\n1,a\n", None, "has 2 columns; choose the one with the text: “id”, “text”"),
        ("c.csv", b"id,text\n1,a\n", "body", "has no column “body”; there are: “id”, “text”"),
        ("c.txt", b"She saw him.", "text", "is plain text and has no column “text”"),
        ("c.txt", b"\xff\xfe\x00", None, "is not plain text"),
        ("c.txt", "Он увидел её.".encode("cp1251"), None, r"is not UTF-8 text \(line 1\), and its encoding cannot"),
        ("c.csv", b"text,text\nShe,he\n", "text", "has several columns “text”"),
        ("c.csv", b"text\nShe left,he stayed\n", None, "Line 2 of c.csv has 2 cells where the first row has 1"),
        (
            "c.csv",
            b"id,text\n1,She left.\n2,She, he.\n",
            "text",
            "Line 3 of c.csv has 3 cells where the first row has 2",
        ),
        ("c.tsv", b"id\ttext\n1\tShe left.\n2\n", "text", "Line 3 of c.tsv has 1 cell where the first row has 2"),
    ],
)
def test_what_cannot_be_read_is_said(
    tmp_path: Path, name: str, content: bytes, column: str | None, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(WordListError, match=message):
        sentences(path, column)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WordListError, match="There is no file"):
        sentences(tmp_path / "none.txt")


def test_a_changed_file_has_another_digest(tmp_path: Path) -> None:
    path = tmp_path / "c.txt"
    path.write_text("a")
    before = CorpusFile(path).digest()
    path.write_text("b")
    assert CorpusFile(path).digest() != before


ENGINEER = "She told him the nurse left, and the engineer stayed."


def test_an_unquoted_comma_cuts_no_sentence(tmp_path: Path) -> None:
    path = tmp_path / "one2.csv"
    path.write_text(f'text\n{ENGINEER}\n"{ENGINEER}"\n', encoding="utf-8")
    assert sentences(path) == sentences(path, "text") == [ENGINEER, ENGINEER]


def test_a_quote_that_only_opens_a_cell_fuses_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_text(
        'id\tsentence\n1\t"She told him that the nurse was late.\n2\tHe asked the doctor and she said no.\n'
        '3\t"He and she met the doctor" was the title.\n',
        encoding="utf-8",
    )
    assert sentences(path, "sentence") == [
        '"She told him that the nurse was late.',
        "He asked the doctor and she said no.",
        '"He and she met the doctor" was the title.',
    ]


def test_a_first_row_that_is_no_heading_is_a_sentence_too(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("She saw him.\nHe left.\n", encoding="utf-8")
    assert sentences(path) == ["She saw him.", "He left."]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings_as_everywhere(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "c.txt"
    path.write_text("Er grüßte sie.\nSie grüßte ihn.\n", encoding=encoding)
    corpus = CorpusFile(path)
    assert sentences(path) == ["Er grüßte sie.", "Sie grüßte ihn."]
    assert ("“grüßte”" in corpus.encoding().note) == (encoding == "cp1252")
    read = [done for _, done in corpus.sentences()]
    assert path.stat().st_size - read[-1] == {"utf-8-sig": 3, "utf-16": 2, "cp1252": 0}[encoding]  # the mark
