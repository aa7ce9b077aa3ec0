"""Where CEAT finds a word in the user's sentences."""

from __future__ import annotations

import pytest

from core.engine.pieces import SpanText
from core.measures.association.contexts import MAX_CONTEXTS, contexts


def found(sentence: str, word: str) -> list[str]:
    """The stretches of the sentence that are taken for the word."""
    return [place.text[slice(*place.span)] for place in contexts([sentence], [word], 0)[word] if place.span]


@pytest.mark.parametrize(
    ("sentence", "word", "expected"),
    [
        ("The nurse said that he, the other one, left.", "he", ["he"]),  # not inside The, the, other
        ("He left. HE stayed, then he left", "he", ["He", "HE", "he"]),
        ("“He” (he) he-man he's", "he", ["He", "he", "he", "he"]),
        ("then there the", "he", []),
        ("one he1 _he he_", "he", []),
        ("A Nurse and a nurse.", "NURSE", ["Nurse", "nurse"]),
        ("a good teacher, a good  teacher", "good teacher", ["good teacher"]),
        ("C++ and c+ and C++", "c++", ["C++", "C++"]),
        ("a.b axb", "a.b", ["a.b"]),
        ("Die Straße ist lang, die STRASSE auch.", "Straße", ["Straße", "STRASSE"]),
        ("Die Ärztin und die ärztin", "Ärztin", ["Ärztin", "ärztin"]),
    ],
)
def test_a_word_is_found_where_it_stands_whole(sentence: str, word: str, expected: list[str]) -> None:
    assert found(sentence, word) == expected


def test_the_place_is_given_in_characters() -> None:
    assert contexts(["He met her.", "She met him, he said."], ["he", "her", "they"], 0) == {
        "he": (SpanText("He met her.", (0, 2)), SpanText("She met him, he said.", (13, 15))),
        "her": (SpanText("He met her.", (7, 10)),),
        "they": (),
    }


def test_a_word_within_another_member_is_found_too() -> None:
    """Other words change nothing: York stands whole in New York, whether or not that is a member as well."""
    sentences = ["They left New York.", "York is old."]
    alone, beside = contexts(sentences, ["York"], 0), contexts(sentences, ["York", "New York"], 0)
    assert len(alone["York"]) == 2
    assert beside["York"] == alone["York"]
    assert beside["New York"] == (SpanText("They left New York.", (10, 18)),)


def test_no_more_contexts_than_the_cap_drawn_by_seed() -> None:
    sentences = [f"He is number {number}." for number in range(MAX_CONTEXTS + 50)]
    first, again, other = (contexts(sentences, ["he"], seed)["he"] for seed in (1, 1, 2))
    assert len(first) == MAX_CONTEXTS
    assert first == again
    assert first != other
    order = [sentences.index(place.text) for place in first]
    assert order == sorted(set(order))
    assert contexts(sentences, ["he", "number"], 1)["he"] == first  # another word changes no draw
    assert len(contexts(sentences[:MAX_CONTEXTS], ["he"], 1)["he"]) == MAX_CONTEXTS
    # Drawn over all of the sentences, not from their beginning: 50 more than the cap, so about 40 of the last 50.
    assert 25 < sum(place >= MAX_CONTEXTS for place in order) < 50
