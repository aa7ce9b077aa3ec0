"""The user's own scores of models."""

from __future__ import annotations

import pytest

from core.errors import WordListError
from core.sources.measured import Column, read_columns


@pytest.mark.parametrize(
    "content",
    [
        b"model,task,skew\nm0,1.5,-2\nm1,,3\n",
        b"\xef\xbb\xbfmodel;task;skew\r\nm0;1,5;\xe2\x88\x922\r\nm1;;3\r\n",
        b"task\tModel\tskew\n1.5\tm0\t-2 %\n\tm1\t3 %\n",
    ],
)
def test_models_and_their_numbers(content: bytes) -> None:
    name = "scores.tsv" if b"\t" in content else "scores.csv"
    assert read_columns(content, name) == (
        Column("task", (("m0", 1.5),)),
        Column("skew", (("m0", -2.0), ("m1", 3.0))),
    )


def test_the_first_column_holds_the_models_where_none_says_so() -> None:
    assert read_columns(b"system,f1\nm0,1\nm1,2\n", "f.csv") == (Column("f1", (("m0", 1.0), ("m1", 2.0))),)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"model\nm0\n", "not a table of scores; write a heading"),
        (b"model,f1\n", "not a table of scores"),
        (b"model,f1\nm0,high\n", "scores.csv, column “f1”: m0 has “high”; write a number."),
        (b"model,f1\nm0,nan\n", "write a number"),
        (b"model,f1\nm0,1\nm0,2\n", "names m0 twice"),
        (b"model,f1\nm0,87 %\nm1,0.91\n", "some numbers have a percent sign and others have none"),
        (b"model;f1\nm0;1,508\nm1;1,204\n", "“1,508” as 1508 or as 1.508. Write 1508, or 1.5080"),
    ],
)
def test_what_is_no_such_table_is_said(content: bytes, said: str) -> None:
    with pytest.raises(WordListError, match=said):
        read_columns(content, "scores.csv")


def test_thousands_keep_the_order_of_the_models() -> None:
    """1,508 and 1,204 beside 985 and 870 in a file separated by commas: 1508 is the largest, not 1.508 the smallest."""
    content = b'model,accuracy\nbert,"1,508"\ndistilbert,985\nelectra,"1,204"\nalbert,870\n'
    (column,) = read_columns(content, "cols.csv")
    assert column.values == (("bert", 1508.0), ("distilbert", 985.0), ("electra", 1204.0), ("albert", 870.0))
    assert column.notes == ("cols.csv, column “accuracy”: commas group thousands (“1,508” is 1508).",)


def test_an_assumed_encoding_is_noted() -> None:
    (column,) = read_columns("model;Größe\nm0;1,5\n".encode("cp1252"), "c.csv")
    assert column.name == "Größe"
    assert "read as Windows-1252, which gives “Größe”" in column.notes[0]
