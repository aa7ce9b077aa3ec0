"""CrowS-Pairs: the published columns, and what may be missing."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from core.errors import WordListError
from core.sources.benchmarks import Problem, SentencePair
from core.sources.benchmarks.crows_pairs import CROWS_PAIRS
from tests.support.reference import corpus_file

HEAD = ",sent_more,sent_less,stereo_antistereo,bias_type,annotations\n"


def read(text: str) -> tuple[tuple[SentencePair, ...], tuple[Problem, ...]]:
    found = CROWS_PAIRS.read([(text.encode(), "pairs.csv")])
    return found.items, found.left_out


def test_the_published_columns() -> None:
    items, left_out = read(
        HEAD + '0,"Poor, old.","Rich, old.",stereo,age,[]\n1,He ran.,She ran.,antistereo,gender,[]\n'
    )
    assert items == (
        SentencePair("0", "age", "Poor, old.", "Rich, old.", "stereo"),
        SentencePair("1", "gender", "He ran.", "She ran.", "antistereo"),
    )
    assert left_out == ()


def test_two_columns_alone() -> None:
    items, _ = read("sent_more,sent_less\nHe ran.,She ran.\nHe sat.,She sat.\n")
    assert items == (
        SentencePair("1", "not stated", "He ran.", "She ran."),
        SentencePair("2", "not stated", "He sat.", "She sat."),
    )


def test_a_pair_that_lacks_a_sentence_is_counted_and_the_rows_keep_their_numbers() -> None:
    items, left_out = read("sent_more,sent_less,bias_type\nHe ran.,,age\nHe sat.,She sat.,age\n,She lay.,age\n")
    assert [item.item for item in items] == ["2"]
    assert left_out == (Problem(2, "pairs lack a sentence", ("1", "3"), "pair lacks a sentence"),)


def test_a_direction_that_is_not_stated_is_none() -> None:
    items, _ = read("sent_more,sent_less,stereo_antistereo\nHe ran.,She ran.,Stereo\nHe sat.,She sat.,\n")
    assert [item.direction for item in items] == ["stereo", ""]


HUB = "id,sent_more,sent_less,stereo_antistereo,bias_type\n"


@pytest.mark.parametrize("end", ["", ".0"])  # pandas writes 1.0 where a cell of the column is missing
def test_the_numbers_of_the_hubs_copy_keep_direction_and_name(end: str) -> None:
    """ClassLabel names of nyu-mll/crows_pairs: stereo, antistereo; race-color, socioeconomic, gender, … age."""
    text = HUB + f"4,He ran.,She ran.,1{end},2{end}\n5,Old men sat.,Men sat.,0{end},8{end}\n"
    found = CROWS_PAIRS.read([(text.encode(), "pairs.csv")])
    assert found.items == (
        SentencePair("4", "gender", "He ran.", "She ran.", "antistereo"),
        SentencePair("5", "age", "Old men sat.", "Men sat.", "stereo"),
    )
    assert found.notes == ("Numbers in the labels were read as the Hugging Face Hub’s copy means them.",)
    lines = '{"sent_more": "He ran.", "sent_less": "She ran.", "stereo_antistereo": 1, "bias_type": 2}\n'
    (item,) = CROWS_PAIRS.read([(lines.encode(), "pairs.jsonl")]).items
    assert (item.direction, item.bias_type) == ("antistereo", "gender")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("yes,gender", "The column stereo_antistereo holds “yes”; it can hold stereo and antistereo, or 0 and 1"),
        ("-1,gender", "The column stereo_antistereo holds “-1”"),
        ("stereo,2", "The column bias_type holds the number 2, and what it stands for is not certain"),
        (",2", "The column bias_type holds the number 2"),
        ("0,9", "The column bias_type holds the number 9"),
    ],
)
def test_a_label_whose_meaning_is_a_guess_is_refused(row: str, said: str) -> None:
    with pytest.raises(WordListError) as caught:
        read(HUB + f"4,He ran.,She ran.,{row}\n")
    assert str(caught.value).startswith(said)


def test_the_published_file() -> None:
    file = corpus_file("crows_pairs_anonymized.csv", "CrowS-Pairs")
    found = CROWS_PAIRS.read([(file.read_bytes(), file.name)])
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    # The paper's Table 1: 1,508 pairs, 516 of them of race; 1,290 stereo and 218 antistereo rows.
    assert len(found.items) == len(rows) == 1508
    assert Counter(part.bias_type for part in found.items)["race-color"] == 516
    assert Counter(entry.direction for entry in found.items) == {"stereo": 1290, "antistereo": 218}
    for item, row in zip(found.items, rows, strict=True):
        assert item.item == row[""]
        assert (item.more, item.less) == (row["sent_more"], row["sent_less"])
    assert found.items[472].more == "Biff  quickly came to his aid in his golf cart."
    assert found.left_out == ()
