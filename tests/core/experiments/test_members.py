"""Where CEAT finds a word in the user's sentences, and that every text goes through a model once."""

from __future__ import annotations

import itertools

import pytest

from core.experiments.association import run
from core.experiments.members import MAX_CONTEXTS, contexts, wanted
from core.experiments.representations import RULERS, ruler
from core.lexicon import own_test
from core.models.embeddings import SpanText
from core.results import AssociationOptions
from tests.support.association import plain, texts_through
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

ONE = own_test(("engineer", "programmer"), ("nurse", "secretary"), ("he", "man"), ("she", "woman"))
TWO = own_test(("doctor", "programmer"), ("teacher", "nurse"), ("he", "brother"), ("she", "woman"))


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


def ids(text: str) -> tuple[int, ...]:
    return tuple(plain(tiny_folder("bert")).ids(text))


def test_each_text_goes_through_once_whatever_the_number_of_tests_and_rulers() -> None:
    """Two tests that share words, all rulers that read a text: bare words and four sentences each."""
    rulers = [one.id for one in RULERS if one.place in ("bare", "templates", "static")]
    words = {word for test in (ONE, TWO) for _, members in test.sets for word in members.members}
    frames = ("{}", "This is {}.", "That is {}.", "There is {}.", "It is {}.")
    with texts_through(load_tiny("bert")) as inputs:
        run([load_tiny("bert")], [ONE, TWO], rulers)
    assert sorted(inputs) == sorted(ids(frame.format(word)) for word in words for frame in frames)


SENTENCES = [
    f"The {first} said that {second} was tired."
    for first, second in itertools.product(
        ("engineer", "programmer", "nurse", "secretary", "doctor", "teacher", "brother", "man", "woman"), ("he", "she")
    )
]


def test_each_context_goes_through_once_whatever_the_number_of_tests() -> None:
    with texts_through(load_tiny("bert")) as inputs:
        run(
            [load_tiny("bert")],
            [ONE, TWO],
            ["input-embedding"],
            AssociationOptions(ceat_samples=10),
            sentences=SENTENCES,
        )
    assert sorted(inputs) == sorted(ids(sentence) for sentence in SENTENCES)


def test_what_is_wanted_names_each_text_with_its_pooling() -> None:
    asked = wanted([ruler("pooled-no-context"), ruler("input-embedding"), ruler("lpbs")], [ONE])
    words = ["engineer", "programmer", "nurse", "secretary", "he", "man", "she", "woman"]
    assert asked == [(SpanText(word, (0, len(word))), "span-mean") for word in words]
    assert wanted([ruler("cls-in-templates")], [ONE])[1] == (SpanText("That is engineer.", (8, 16)), "first-token")
