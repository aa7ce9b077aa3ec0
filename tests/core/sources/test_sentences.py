from __future__ import annotations

import itertools
import tracemalloc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources import sentences
from core.sources.gender import find_words
from core.sources.sentences import NO_GENDER, NO_OCCUPATION, ONLY_FEMALE, ONLY_MALE, REASONS, sift, split_sentences


@pytest.mark.parametrize(
    "expected",
    [
        ["She left.", "He stayed."],
        ["Really?", "Yes!", "Then go…", "Now."],
        ["Dr. Miller met Mrs. Brown at St. Mary's.", "She left."],
        ["He was born in the U.S. Army base.", "It closed."],
        ["She moved to the U.S.", "He stayed in the U.K.", "They wrote."],
        ["J. K. Rowling wrote it.", "John F. Kennedy read it."],
        ["They chose plan B.", "She was glad."],
        ["It cost 3.5 dollars.", "In 1939 it cost 0.75."],
        ["There were three.", "12 nurses came."],
        ["See Fig. 3 and no. 7 by Smith et al. in Vol. 2.", "No.", "She did not."],
        ["“I am a nurse.”", "She left."],
        ["“Stop!” she cried.", "(He did.)", "“Why?” he asked."],
        ["He works for Miller Inc. in Boston.", "She works for Brown Ltd.", "The firms merged."],
        ["He came at 5 p.m. on Monday.", "She came at 6 p.m.", "They ate."],
        ["She holds a Ph.D. in law, e.g. Roman law, i.e. the old one."],
        ["It happened on Dec. 5 and in Jan. after all.", "In Feb. they left."],
        ["The site example.com is his.", "It works."],
        ["Élodie est là.", "Ça va."],
        ["Wait... she said.", "Wait...", "She left."],
        ["no capital at the start. but one sentence"],
        ["She was late. 😀", "He asked the doctor."],
        ["She was late.😀👩🏽‍⚕️", "He asked."],
        ["Late! 😀 👍🏽 :)", "He asked.", "Why? ❤️", "“So,” she said."],
        ["She left (late).]", "[He stayed.]"],
        ["“She left.” »", "„Er blieb.“", "— Who?", "• He did.", "¿Quién?", "* She."],
        ["He met Dr. 😀 Miller at 5 p.m. on Monday."],
        ["She was late. 😀 and he asked"],
        ["No end"],
    ],
    ids=lambda expected: expected[0],
)
def test_sentences(expected: list[str]) -> None:
    assert split_sentences(" ".join(expected)) == tuple(expected)
    assert split_sentences("\n".join(expected) + "\n") == tuple(expected)


def test_lines_and_paragraphs() -> None:
    text = "\ufeffA title\r\n\r\nShe met\r\nDr. \t Smith. He\r\nleft\n \nAnother title\n\n\n"
    assert split_sentences(text.removeprefix("\ufeff")) == (
        "A title",
        "She met Dr. Smith.",
        "He left",
        "Another title",
    )
    assert split_sentences("") == split_sentences(" \n\n ") == ()


@given(st.text(alphabet="aAB.!? \n\"”'12é", max_size=60))
def test_nothing_is_lost_and_every_sentence_is_tidy(text: str) -> None:
    found = split_sentences(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence and sentence == " ".join(sentence.split()) for sentence in found)


def test_reasons() -> None:
    asked = {
        "She told him that the nurse was ill.": "",
        "The nurse was ill.": NO_GENDER,
        "He told his father about the nurse.": ONLY_MALE,
        "She told her mother about the nurse.": ONLY_FEMALE,
        "She told him everything.": NO_OCCUPATION,
        "He was ill.": ONLY_MALE,
        "The man thanked the waitress.": NO_OCCUPATION,
    }
    found = list(sift(asked))
    assert {item.text: item.reason for item in found} == asked
    assert all(entry.found == find_words(entry.text) for entry in found)
    assert (*REASONS, "") == (
        "no male or female word",
        "only male words",
        "only female words",
        "no occupation",
        "",
    )


def test_a_stream_is_sifted_one_by_one() -> None:
    taken: list[int] = []

    def endless() -> Iterator[str]:
        for number in itertools.count():
            taken.append(number)
            yield "She told him that the nurse was ill."

    stream = sift(endless())
    assert taken == []
    assert next(stream).reason == next(stream).reason == ""
    assert taken == [0, 1]


def test_memory_does_not_grow() -> None:
    """Ten times as many sentences, the same peak: what is yielded is not kept."""
    peaks = []
    list(sift(["The nurse saw him."]))  # word lists are read once
    for count in (2000, 10_000):
        lines = (f"She told him that nurse {number} was ill." for number in range(count))
        tracemalloc.start()
        counts = Counter(line.reason for line in sift(lines))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert counts == {"": count}
    assert peaks[1] < 2 * peaks[0]


def test_abbreviations_are_told_apart() -> None:
    kinds = [sentences._GOES_ON, sentences._MAY_END]
    assert not kinds[0] & kinds[1]
    assert all(word == word.casefold() and not word.endswith(".") for kind in kinds for word in kind)
