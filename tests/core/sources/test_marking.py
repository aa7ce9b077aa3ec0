"""Roles of words in a sentence: found, said, and what is missing."""

from __future__ import annotations

import pytest

from core.errors import WordListError
from core.sources import found_roles, marked, parse_sentence, roles_of, word_spans
from core.sources.marking import MarkedSentence

NURSE = "She accompanied him on stage and on several recordings before becoming a nurse in 1939."


def named(text: str, roles: dict[tuple[int, int], str]) -> dict[str, str]:
    return {text[start:end]: role for (start, end), role in roles.items()}


def test_the_papers_sentence() -> None:
    assert named(NURSE, found_roles(NURSE)) == {"She": "female", "him": "male", "nurse": "occupation"}
    one = marked(NURSE)
    assert one == MarkedSentence(NURSE, ((16, 19),), ((0, 3),), (73, 78))
    assert [NURSE[slice(*span)] for span in (*one.male, *one.female, one.occupation)] == ["him", "She", "nurse"]


def test_an_occupation_of_several_words_is_one() -> None:
    text = "He told her that the registered nurse was late."
    assert named(text, found_roles(text))["registered"] == "occupation"
    assert text[slice(*marked(text).occupation)] == "registered nurse"


def test_the_last_occupation_counts() -> None:
    text = "The nurse told her that he was an engineer."
    assert text[slice(*marked(text).occupation)] == "engineer"


def test_every_word_has_a_place_to_click() -> None:
    assert [NURSE[slice(*span)] for span in word_spans(NURSE)] == NURSE.removesuffix(".").split()


def test_the_user_may_say_otherwise() -> None:
    text = "Kim told him that the wizard was late."
    roles = {**found_roles(text), **roles_of(text, male=(), female=("kim",), occupation="wizard")}
    assert text[slice(*marked(text, roles).occupation)] == "wizard"
    assert [text[slice(*span)] for span in marked(text, roles).female] == ["Kim"]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("She met the nurse.", "no male word;"),
        ("He met her.", "no occupation;"),
        ("The weather was fine.", "no male word, female word or occupation;"),
    ],
)
def test_what_a_sentence_lacks_is_named(text: str, missing: str) -> None:
    with pytest.raises(WordListError, match=missing):
        marked(text)


def test_an_occupation_in_two_places_is_refused() -> None:
    text = "He told her that the nurse met the engineer."
    nurse, engineer = (text.index(word) for word in ("nurse", "engineer"))
    roles = {**found_roles(text), (nurse, nurse + 5): "occupation", (engineer, engineer + 8): "occupation"}
    with pytest.raises(WordListError, match="in two places"):
        marked(text, roles)


def test_a_word_that_is_not_there_is_named() -> None:
    for arguments in ({"male": ("sir",), "female": ()}, {"male": (), "female": (), "occupation": "pilot"}):
        with pytest.raises(WordListError, match="does not stand in the sentence"):
            roles_of(NURSE, **{"occupation": "", **arguments})


@pytest.mark.parametrize(
    ("text", "message"), [("  ", "There is no sentence"), ("a" * 4001, "4,001 characters"), ("a\x07b", "invisible")]
)
def test_a_sentence_must_be_one(text: str, message: str) -> None:
    with pytest.raises(WordListError, match=message):
        parse_sentence(text)
    assert parse_sentence(" She  saw\nhim. ") == "She saw him."
