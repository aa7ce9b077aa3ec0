"""CrowS-Pairs: the published columns, and what may be missing."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from core.lexicon.benchmarks import Problem, SentencePair
from core.lexicon.benchmarks.crows_pairs import CROWS_PAIRS
from tests.support.paths import SHARED

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
    assert [one.item for one in items] == ["2"]
    assert left_out == (Problem(2, "pairs lack a sentence"),)


def test_a_direction_of_another_name_is_none() -> None:
    items, _ = read("sent_more,sent_less,stereo_antistereo\nHe ran.,She ran.,Stereo\nHe sat.,She sat.,yes\n")
    assert [one.direction for one in items] == ["stereo", ""]


def test_the_published_file() -> None:
    file = SHARED / "data" / "benchmarks" / "crows_pairs_anonymized.csv"
    if not file.is_file():
        pytest.skip("the published pairs are not beside this checkout")
    found = CROWS_PAIRS.read([(file.read_bytes(), file.name)])
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    # The paper's Table 1: 1,508 pairs, 516 of them of race; 1,290 stereo and 218 antistereo rows.
    assert len(found.items) == len(rows) == 1508
    assert Counter(one.bias_type for one in found.items)["race-color"] == 516
    assert Counter(one.direction for one in found.items) == {"stereo": 1290, "antistereo": 218}
    for one, row in zip(found.items, rows, strict=True):
        assert one.item == row[""]
        assert (one.more, one.less) == tuple(" ".join(row[side].split()) for side in ("sent_more", "sent_less"))
    assert found.left_out == ()
