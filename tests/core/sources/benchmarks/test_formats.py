"""What all formats share: encodings, separators, wrong and empty files, sources."""

from __future__ import annotations

import hashlib

import pytest

from core.errors import WordListError
from core.sources.benchmarks import Problem
from core.sources.benchmarks.crows_pairs import CROWS_PAIRS
from core.sources.benchmarks.formats import cell, file_rows, heading, number, problem, sentence
from core.sources.digests import user_copy

ROWS = [{"sent_more": "Él is kind, yes.", "sent_less": "Ella is kind; yes."}]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('sent_more,sent_less\n"Él is kind, yes.",Ella is kind; yes.\n', "a.csv"),
        ('sent_more;sent_less\r\nÉl is kind, yes.;"Ella is kind; yes."\r\n', "a.csv"),
        ("sent_more\tsent_less\nÉl is kind, yes.\tElla is kind; yes.\n", "a.tsv"),
        ("Sent-More\tSENT LESS\nÉl is kind, yes.\t Ella is kind; yes.\n", "a.txt"),
        ("sent_more\tsent_less\nÉl is kind, yes.\tElla is kind; yes.\n", "pairs.tsv.dev"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_the_same_in_every_dress(text: str, name: str, encoding: str) -> None:
    assert file_rows(text.encode(encoding), name) == ROWS


RECORDS = (
    '{"sent_more": "Él is kind, yes.", "sent-less": "Ella is kind; yes."}\n\n{"Sent more": "b\u2028", "sent_less": "c"}'
)


@pytest.mark.parametrize("text", [RECORDS, "[" + RECORDS.replace("\n\n", ",\n") + "]"])
def test_json_lines_and_a_list_of_records_are_rows_too(text: str) -> None:
    assert file_rows(text.encode(), "a.jsonl") == [*ROWS, {"sent_more": "b\u2028", "sent_less": "c"}]


def test_sentences_stay_as_the_file_has_them() -> None:
    """Two spaces, one at the end, a letter with a combining accent, a line break: none of it is touched."""
    texts = ["Biff  came. ", "E\u0301l came.", "A\nB"]
    rows = file_rows(("sent_more,sent_less\n" + "".join(f'"{text}",x\n' for text in texts)).encode(), "a.csv")
    assert [sentence(row, "sent_more") for row in rows] == texts
    assert [cell(row, "sent_more") for row in rows] == ["Biff came.", "Él came.", "A B"]
    assert sentence({"a": " \t"}, "a") == sentence({"a": 3}, "a") == ""


@pytest.mark.parametrize(
    ("label", "code"), [("1", 1), ("1.0", 1), ("-1", -1), ("", None), ("1.5", None), ("stereo", None), ("1e3", None)]
)
def test_labels_that_are_numbers(label: str, code: int | None) -> None:
    assert number(label) == code


def test_headings_and_cells() -> None:
    assert heading(" Anti-Stereotype ") == heading("anti stereotype") == "anti_stereotype"
    assert cell({"a": " x  y "}, "a") == "x y"
    assert cell({"a": 3}, "a") == "3"
    assert cell({"a": 1.0}, "a") == "1"
    assert cell({"a": None}, "a") == cell({}, "a") == cell({"a": ["x"]}, "a") == cell({"a": True}, "a") == ""


def test_a_problem_agrees_with_its_count() -> None:
    assert problem(1, "pair differs", "pairs differ").reason == "pair differs"
    assert problem(2, "pair differs", "pairs differ").reason == "pairs differ"
    assert problem(["a", "b"], "pair differs", "pairs differ") == Problem(2, "pairs differ", ("a", "b"), "pair differs")


def test_the_source_names_the_file_and_its_digest() -> None:
    content = b"sent_more,sent_less\nHe is kind.,She is kind.\n"
    digest = hashlib.sha256(content).hexdigest()[:12]
    assert user_copy(content, "a.csv") == f"a.csv, the user's copy, SHA-256 {digest}"
    # The SHA-256 of no bytes at all is a known constant.
    assert user_copy(b"", "b.csv") == "b.csv, the user's copy, SHA-256 e3b0c44298fc"


def test_several_files_are_one_and_an_item_counts_once() -> None:
    first = b"id,sent_more,sent_less\n7,He is kind.,She is kind.\n"
    second = b"id,sent_more,sent_less\n8,He is old.,She is old.\n"
    found = CROWS_PAIRS.read([(first, "a.csv"), (second, "b.csv"), (first, "again.csv")])
    assert [item.item for item in found.items] == ["7", "8"]
    assert found.left_out == (Problem(1, "row repeats an item and is counted once"),)
    assert found.source == "; ".join(
        (user_copy(first, "a.csv"), user_copy(second, "b.csv"), user_copy(first, "again.csv"))
    )


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"", "a.csv", "a.csv is empty."),
        (b"\xef\xbb\xbf \r\n", "a.csv", "a.csv is empty."),
        (b"sent_more,sent_less\n", "a.csv", "a.csv holds no row below its first."),
        (b"one,two\nx,y\n", "a.csv", "a.csv is not recognised as CrowS-Pairs: its columns are “one”, “two”."),
        (b'{"data": {}}', "a.json", "a.json is not recognised as CrowS-Pairs: its columns are “data”."),
        (b"[1, 2]", "a.json", "Entry 1 of a.json is not a record with named values."),
        (b'{"sent_more": "a"}\n{"sent_more":', "a.jsonl", "Line 2 of a.jsonl is not JSON, unlike those above it"),
        (b'{"sent_more": "a",', "a.jsonl", "a.jsonl begins like JSON but is not: it may be cut off."),
        (b"PK\x03\x04...", "a.xlsx", "a.xlsx is a spreadsheet; save it as CSV"),
        (b"sent_more,sent_less\nx\n", "a.csv", "Line 2 of a.csv has 1 cell where the first row has 2"),
        (b"sent_more,sent_less\nx,\n", "a.csv", "There is no item of CrowS-Pairs to measure: 1 pair lacks a sentence."),
    ],
)
def test_a_wrong_file_is_told_what_is_expected(content: bytes, name: str, said: str) -> None:
    with pytest.raises(WordListError) as caught:
        CROWS_PAIRS.read([(content, name)])
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith(CROWS_PAIRS.expects)


def test_no_file_at_all() -> None:
    with pytest.raises(WordListError, match="no file is given"):
        CROWS_PAIRS.read([])
