"""Rows of tables: quotes between tabs, commas in sentences, uneven rows with their line."""

from __future__ import annotations

import io

import pytest

from core.errors import WordListError
from core.sources.tables import Table, even_rows, find_separator, sentence_rows

QUOTED = (
    'id\tsentence\n1\t"She told him that the nurse was late.\n2\tHe asked the doctor and she said no.\n'
    "3\tThe engineer said that he knew her.\n4\tThe teacher saw his daughter and she was kind.\n"
    '5\t"He and she met the doctor" was the title.\n'
)


@pytest.mark.parametrize("name", ["q.tsv", "q.csv", "q.txt"])
def test_a_quote_that_opens_a_cell_between_tabs_fuses_no_rows(name: str) -> None:
    table = Table.read(QUOTED, name)
    assert table.separator == "\t"
    assert [row[0] for row in table.rest] == ["1", "2", "3", "4", "5"]
    assert table.rest[0][1] == '"She told him that the nurse was late.'
    assert table.rest[4][1] == '"He and she met the doctor" was the title.'
    assert table.lines == (2, 3, 4, 5, 6)


def test_a_cell_in_quotes_between_tabs_is_unquoted() -> None:
    table = Table.read('a\tb\n"one, two"\t"the ""boss"""\n', "t.tsv")
    assert table.rest == (("one, two", 'the "boss"'),)


def test_a_single_column_between_tabs() -> None:
    text = 'sentence\n"She said no.\nHe left, and she stayed; "why?"\n'
    assert find_separator(io.StringIO(text), "s.tsv") == "\t"
    assert [row.cells for row in even_rows(io.StringIO(text), "\t", "s.tsv")] == [
        ("sentence",),
        ('"She said no.',),
        ('He left, and she stayed; "why?"',),
    ]


def test_an_unquoted_comma_cuts_no_sentence_of_a_single_column() -> None:
    text = (
        "text\nShe told him the nurse left, and the engineer stayed.\n"
        '"She told him the nurse left, and the engineer stayed."\n"Two\nlines, ""quoted"""\nIt cost 1,000; no more.\n'
    )
    assert [row.cells[0] for row in sentence_rows(io.StringIO(text, newline=""), "one2.csv")] == [
        "text",
        "She told him the nurse left, and the engineer stayed.",
        "She told him the nurse left, and the engineer stayed.",
        'Two\nlines, "quoted"',
        "It cost 1,000; no more.",
    ]


@pytest.mark.parametrize("row", ["She left,he stayed.", "She left.\tHe stayed.", "She left.;1"])
def test_what_looks_like_a_second_cell_is_refused_with_its_line(row: str) -> None:
    with pytest.raises(WordListError, match=r"Line 3 of one\.csv has 2 cells where the first row has 1"):
        list(sentence_rows(io.StringIO(f"text\nShe left, he stayed.\n{row}\n"), "one.csv"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n1\n", "Line 3 of t.csv has 1 cell where the first row has 2"),
        ("a,b\n1,2\n\n1,2,3\n", "Line 4 of t.csv has 3 cells where the first row has 2"),
        ("a\tb\n1\t2\t3\n", "Line 2 of t.csv has 3 cells where the first row has 2; put a cell that contains a tab"),
        ('a,b\n"1,2\n', "Line 2 of t.csv cannot be read"),
    ],
)
def test_uneven_rows_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        Table.read(text, "t.csv")


def test_words_that_mean_nothing_to_others_stay() -> None:
    assert Table.read("w,n\nnull,NA\nNone,nan\n", "t.csv").rest == (("null", "NA"), ("None", "nan"))


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("nurse;0,9\nengineer;0,1\n", ";"),
        ("0,9;1,5\n0,1;2,5\n", ";"),
        ("nurse|0,9\n", "|"),
        ("nurse\t0,9\n", "\t"),
        ("1,2\n3,4\n", ","),
        ("a;b,1\nc;d,2\n", ","),
    ],
)
def test_decimal_commas_separate_nothing_where_another_sign_does(text: str, separator: str) -> None:
    assert Table.read(text, "t.csv").separator == separator
