from __future__ import annotations

import codecs
import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import WordListError
from core.sources import files
from core.sources.files import MAX_BYTES, columns
from core.sources.tables import MAX_ROWS


def read_words(data, name, column=None):
    """The words of a file in which nothing had to be assumed."""
    found = files.read_words(data, name, column)
    assert found.notes == ()
    return found.words


FOUR = ("nurse", "null", "NA", "None")
TABLE = "profession,women_pct\nnurse,87.4\nnull,1\nNA,\nNone,3\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "nurse\nnull\nNA\nNone"),
        ("a.txt", "nurse, null, NA, None"),
        ("a.csv", "nurse\nnull\nNA\nNone\n"),
        ("a.csv", "profession\r\nnurse\r\nnull\r\nNA\r\nNone\r\n"),
        ("a.csv", "nurse, null, NA, None"),
        ("a.csv", "nurse;null;NA;None\n"),
        ("A.TSV", "Word\nnurse\nnull\nNA\nNone\nnurse"),
        ("a.csv", "nurse,\nnull,\nNA,\nNone,\n"),  # an empty column is none
    ],
)
def test_four_words_however_they_are_listed(name, text):
    assert read_words(text.encode(), name) == FOUR
    assert columns(text.encode(), name) == ()


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_table_needs_a_column(separator, suffix):
    data = TABLE.replace(",", separator).encode()
    name = f"jobs.{suffix}"
    assert columns(data, name) == ("profession", "women_pct")
    assert read_words(data, name, "profession") == FOUR
    assert read_words(data, name, " women_pct ") == ("87.4", "1", "3")
    with pytest.raises(WordListError, match=r"has 2 columns, .*choose one: “profession”, “women_pct”\."):
        read_words(data, name)


def test_a_decimal_comma_is_not_a_separator():
    data = b"profession;women_pct\nnurse;87,4\npilot;5,1\n"
    assert read_words(data, "a.csv", "women_pct") == ("87,4", "5,1")


def test_the_heading_of_a_single_column():
    assert read_words(b"nurse\ncook", "a.csv") == ("nurse", "cook")  # a word, not a heading
    assert read_words(b"my jobs\ncook", "a.csv", "my jobs") == ("cook",)  # a heading, since it is named
    with pytest.raises(WordListError, match="no word"):
        read_words(b"profession\n", "a.csv")
    with pytest.raises(WordListError, match="choose one: “profession”, “pct”"):
        read_words(b"profession,pct\n", "a.csv")


def test_columns_without_a_name_and_with_the_same():
    data = b",job,job\n1,nurse,a\n2,cook,b\n"
    assert columns(data, "a.csv") == ("column 1", "job", "job")
    assert read_words(data, "a.csv", "column 1") == ("1", "2")
    with pytest.raises(WordListError, match="2 columns are named “job”"):
        read_words(data, "a.csv", "job")
    with pytest.raises(WordListError, match=r"no column “jobs”; there are: “column 1”, “job”, “job”\."):
        read_words(data, "a.csv", "jobs")


def test_many_columns_are_not_all_listed():
    header = ",".join(f"c{number}" for number in range(25))
    with pytest.raises(WordListError, match=r"has 25 columns, .*“c19” and 5 more"):
        read_words(f"{header}\n{header}".encode(), "a.csv")


def test_quoted_cells_hold_separators_line_breaks_and_quotes():
    data = b'job,n\n"carpet, floor installer",1\n"steel\nworker",2\n"the ""boss""",3\n'
    assert read_words(data, "a.csv", "job") == ("carpet, floor installer", "steel worker", 'the "boss"')
    assert read_words(b'"carpet, floor installer"\ncook', "a.csv") == ("carpet, floor installer", "cook")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'job,n\n"steel\nworker",2\n\ncook\n', "Line 5 of a.csv has 1 cell where the first row has 2"),
        (b"job,n\nnurse,1\ncook,2,3\n", "Line 3 of a.csv has 3 cells where the first row has 2"),
        (b"nurse\ncarpet, floor installer\n", "Line 2 of a.csv has 2 cells .*contains “,” in double quotes"),
        (b"profession\nnurse;87,4\n", "Line 2 of a.csv has 2 cells"),
        (b'job,n\nnurse,1\n"cook,2\n', "Line 3 of a.csv cannot be read"),
        (b'job,n\n"nurse" x,1\n', "Line 2 of a.csv cannot be read"),
    ],
)
def test_uneven_rows_are_named_by_line(data, message):
    with pytest.raises(WordListError, match=message):
        read_words(data, "a.csv", "job")


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-8"),
        lambda text: codecs.BOM_UTF8 + text.encode("utf-8"),
        lambda text: text.encode("utf-16"),
        lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    ],
    ids=["utf-8", "utf-8 with mark", "utf-16 little", "utf-16 big"],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_encodings(encode, name):
    assert read_words(encode("Gärtner\nLogopädin – €"), name) == ("Gärtner", "Logopädin – €")


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"", "a.txt", "a.txt is empty"),
        (b" \r\n\n", "a.csv", "a.csv is empty"),
        (codecs.BOM_UTF8, "a.csv", "a.csv is empty"),
        (b'""\n', "a.csv", "has no word in it"),
        (b",,\n , \n", "a.csv", "has no word in it"),
        (b"PK\x03\x04...", "a.csv", r"a spreadsheet; save it as CSV \(UTF-8\)"),
        (b"\xd0\xcf\x11\xe0\xa1", "a.txt", "spreadsheet"),
        (b"nurse", "a.xlsx", "spreadsheet"),
        (b"{}", "a.json", "not a .txt, .csv or .tsv"),
        (b"nurse", "words", "not a .txt, .csv or .tsv"),
        (b"\x89PNG\r\n\x1a\n\x00", "a.csv", "not plain text"),
        (b"\x89PNG\r\n\x1a\n\x00\xc4\x81", "a.txt", "not plain text"),
        (b"K\x8echin\n", "a.txt", "cannot be determined"),
        (b"n\x00u\x00", "a.txt", "not plain text"),  # UTF-16 without its mark
        (codecs.BOM_UTF8 + b"\xff", "a.txt", "not UTF-8 text"),
        (codecs.BOM_UTF16_LE + b"n", "a.txt", "not plain text"),
        (b"\x81\x8d", "a.txt", r"not UTF-8 text \(line 1\)"),  # bytes that Windows-1252 leaves open
    ],
)
def test_files_that_cannot_be_read(data, name, message):
    with pytest.raises(WordListError, match=message):
        read_words(data, name)
    with pytest.raises(WordListError, match=message):
        columns(data, name)


def test_size_limit():
    data = b"nurse\n" + b" " * (MAX_BYTES - 6)
    assert read_words(data, "a.txt") == ("nurse",)
    with pytest.raises(WordListError, match="larger than 5 MB"):
        read_words(data + b" ", "a.txt")


def test_row_limit():
    assert read_words(b"cook\n" * MAX_ROWS, "a.csv") == ("cook",)
    with pytest.raises(WordListError, match="more than 50,000 rows"):
        read_words(b"cook\n" * (MAX_ROWS + 1), "a.csv")


def test_plain_text_has_no_columns():
    with pytest.raises(WordListError, match="has no column “job”"):
        read_words(b"nurse", "a.txt", "job")


def test_words_of_a_file_are_checked_like_typed_ones():
    with pytest.raises(WordListError, match="belongs into a template"):
        read_words(b"job,n\na [MASK],1\nb,2\n", "a.csv", "job")


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=80) | st.text('ab,;|\t"\n\r \ufeff', max_size=40).map(str.encode) | st.text().map(str.encode),
    st.sampled_from(["a.txt", "a.csv", "a.tsv", "a.xls", "a", ""]),
    st.sampled_from([None, "a", "column 1", ""]),
)
@example(b"\xff\xfe\x00\x00a\x00\x00\x00", "a.csv", None)
def test_any_bytes_give_words_or_a_sentence(data, name, column):
    for read in (lambda: files.read_words(data, name, column).words, lambda: columns(data, name)):
        with contextlib.suppress(WordListError):  # any other exception fails the test
            assert all(isinstance(word, str) and word for word in read())


def test_any_offered_column_can_be_read():
    data = b"a,,b\n1,2,3\n"
    assert [read_words(data, "a.csv", column) for column in columns(data, "a.csv")] == [("1",), ("2",), ("3",)]


def test_persian_words_and_joined_emoji_of_a_file_stay_as_they_are_spelt():
    assert read_words("پرستار\nخانه\u200cدار\n".encode(), "fa.txt") == ("پرستار", "خانه\u200cدار")
    assert read_words("👩\u200d⚕️\nnurse\n".encode(), "e.csv") == ("👩\u200d⚕️", "nurse")
