from __future__ import annotations

import pytest

from core.errors import WordListError
from core.sources.labelled import MOST_LABELS, LabelledTexts, read_labelled


def read(content: str, name: str = "x.csv", text: str = "text", label: str = "label") -> LabelledTexts:
    return read_labelled(content.encode(), name, text, label)


def test_texts_and_labels_are_read_from_the_columns_named() -> None:
    found = read("id;Comment;toxic\n1;It rained, and rained.;1\n2;NA;0\n3;Fine;0\n", text="Comment", label="toxic")
    assert found.texts == ("It rained, and rained.", "NA", "Fine")
    assert found.labels == ("1", "0", "0")
    assert found.names == ("0", "1")
    assert (found.repeated, found.conflicting, found.blank) == (0, 0, 0)


def test_a_text_counts_once_with_its_first_label_and_blank_rows_are_counted() -> None:
    found = read("text,label\na b,x\na  b,x\na b,y\n,x\nc,\nd,y\nf,y\n")
    assert found.texts == ("a b", "d", "f")
    assert found.labels == ("x", "y", "y")
    assert (found.repeated, found.conflicting, found.blank) == (2, 1, 2)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,label\nb,x\nc,y\n", "no column “text”; there are: “a”, “label”"),
        ("text,label\na,x\nb,x\n", "holds one label only, “x”; a classifier needs two or more"),
        ("text,label\na,x\nb,y\n", "a single text for each label, so none can be held out"),
        ("text,label\n,x\nb,\n", "no row with both a text and a label"),
        ("text,label,label\na,x,y\nb,x,y\n", "2 columns are named “label”"),
        ("text,label\n" + "".join(f"t{at},{at}\n" for at in range(MOST_LABELS + 1)), "holds 101 different labels"),
        ("", "is empty"),
        ("text,label\na,x\nb\n", "Line 3 of x.csv has 1 cell where the first row has 2"),
    ],
)
def test_what_is_wrong_is_a_sentence(content: str, said: str) -> None:
    with pytest.raises(WordListError, match=said):
        read(content)


def test_one_column_cannot_be_both_and_a_spreadsheet_is_none() -> None:
    with pytest.raises(WordListError, match="as the column of texts and of labels"):
        read("text,label\na,x\n", label=" text")
    with pytest.raises(WordListError, match="spreadsheet"):
        read("PK\x03\x04", "x.xlsx")
