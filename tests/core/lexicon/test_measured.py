"""The user's own scores of models."""

from __future__ import annotations

import pytest

from core.errors import WordListError
from core.lexicon.measured import Column, read_columns


@pytest.mark.parametrize(
    "content",
    [
        b"model,task,skew\nm0,1.5,-2\nm1,,3\n",
        b"\xef\xbb\xbfmodel;task;skew\r\nm0;1,5;\xe2\x88\x922\r\nm1;;3\r\n",
        b"task\tModel\tskew\n1.5\tm0\t-2 %\n\tm1\t3\n",
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
        (b"model\nm0\n", "no table of scores; write a heading"),
        (b"model,f1\n", "no table of scores"),
        (b"model,f1\nm0,high\n", "“high” under f1; write a number"),
        (b"model,f1\nm0,nan\n", "write a number"),
        (b"model,f1\nm0,1\nm0,2\n", "names m0 twice"),
    ],
)
def test_what_is_no_such_table_is_said(content: bytes, said: str) -> None:
    with pytest.raises(WordListError, match=said):
        read_columns(content, "scores.csv")
