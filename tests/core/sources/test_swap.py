from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.gender import find_words
from core.sources.swap import Part, plan, stands_alone


def twin(text: str, *choices: int) -> str:
    return plan(text).text(choices)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She gave him the book herself.", "He gave her the book himself."),
        ("The father of the boys met two ladies.", "The mother of the girls met two gentlemen."),
        ("He's late; she'd know.", "She's late; he'd know."),
        ("The king's men, the queens’ sister-in-law.", "The queen's women, the kings’ brother-in-law."),
        ("HE said: Him? Mr. Dad!", "SHE said: Her? Mrs. Mom!"),
        ("Father-In-Law, FATHER-IN-LAW", "Mother-In-Law, MOTHER-IN-LAW"),
        ("Mary and John saw the nurse.", "Mary and John saw the nurse."),
        ("", ""),
    ],
)
def test_one_counterpart(text: str, expected: str) -> None:
    assert twin(text) == expected
    if "him" not in text.lower():
        assert twin(expected) == text


HERS = [
    "The book is his.",
    "his",
    "“Is it his?” asked John.",
    "John said it was “his” and left.",
    'John said it was "his" and left.',
    "his and the nurse's",
    "his is the best",
    "his, not ours",
    "the choice was his to make",
    "a friend of his in Rome",
    "it was his alone",
    "it was his - and stays so",
    "it was his—and stays so",
    "it is his now.",
    "it is his again, they say",
    "the job is his because of you",
    "the desk that was his wasn't clean",
    "his or theirs",
]
HER = [
    "his own book",
    "his 3 patients",
    "his “best” friend",
    "his (second) job",
    "his now famous book",
    "his now “famous” book",
    "his will",
    "his in-laws",
    "his too-large coat",
    "his past",
    "his or our book",
    "his and their work",
    "his/their book",
    "his\nbook",
]


@pytest.mark.parametrize("text", HERS)
def test_his_alone_is_hers(text: str) -> None:
    assert twin(text) == text.replace("his", "hers", 1)
    assert twin(twin(text)) == text


@pytest.mark.parametrize("text", HER)
def test_his_before_a_noun_phrase_is_her(text: str) -> None:
    assert twin(text) == text.replace("his", "her", 1)
    assert twin(twin(text), 0) == text


def test_his_beside_her_and_hers() -> None:
    assert twin("his or her book", 0) == "her or his book"
    assert twin("his/her book", 0) == "her/his book"
    assert twin("his and hers") == "hers and his"
    assert twin("his/hers") == "hers/his"


def test_her_is_open() -> None:
    found = plan("Her nurse saw HER, then her.")
    assert found.alternatives() == (("His", "Him"), ("HIS", "HIM"), ("his", "him"))
    assert found.text((0, 1, 1)) == "His nurse saw HIM, then him."
    assert found.parts[:3] == (
        Part("Her", ("His", "Him")),
        Part(" nurse saw ", (" nurse saw ",)),
        Part("HER", ("HIS", "HIM")),
    )
    assert [part.is_open for part in found.parts] == [True, False, True, False, True, False]
    with pytest.raises(ValueError, match="2 choices for 3 open places"):
        found.text((0, 1))


def test_the_rule_reads_only_what_follows() -> None:
    assert stands_alone("")
    assert stands_alone(" .")
    assert not stands_alone(" father")


GENDERED = st.sampled_from(
    ["she", "he", "him", "hers", "His", "her", "himself", "Women", "dad", "nurse", "the", "and", ",", ".", "Al", "-"]
)


@given(st.lists(GENDERED), st.data())
def test_invariants(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    found = plan(text)
    assert "".join(part.text for part in found.parts) == text
    assert all(part.text and part.options for part in found.parts)
    choices = [data.draw(st.integers(0, len(options) - 1)) for options in found.alternatives()]
    # The twin has as many gendered words of the other gender, and the same occupations.
    ours, theirs = find_words(text), find_words(found.text(choices))
    assert (len(ours.male), len(ours.female)) == (len(theirs.female), len(theirs.male))
    assert len(ours.occupations) == len(theirs.occupations)
    assert len(plan(found.text(choices)).parts) == len(found.parts)
