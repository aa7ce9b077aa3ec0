"""Every text goes through a model once, whatever the number of tests and rulers."""

from __future__ import annotations

import itertools

from core.engine.embeddings import SpanText
from core.measures.association.members import texts_of
from core.measures.shared.representations import REPRESENTATIONS, representation_by_id
from core.sources import own_test
from tests.support.association import plain, run, texts_through
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

ONE = own_test(("engineer", "programmer"), ("nurse", "secretary"), ("he", "man"), ("she", "woman"))
TWO = own_test(("doctor", "programmer"), ("teacher", "nurse"), ("he", "brother"), ("she", "woman"))


def ids(text: str) -> tuple[int, ...]:
    return tuple(plain(tiny_folder("bert")).ids(text))


def test_each_text_goes_through_once_whatever_the_number_of_tests_and_rulers() -> None:
    """Two tests that share words, all rulers that read a text: bare words and four sentences each."""
    rulers = [
        representation.id
        for representation in REPRESENTATIONS
        if representation.place in ("bare", "templates", "static")
    ]
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
            ceat_samples=10,
            sentences=SENTENCES,
        )
    assert sorted(inputs) == sorted(ids(sentence) for sentence in SENTENCES)


def test_what_is_read_names_each_text_with_its_pooling() -> None:
    words = ["engineer", "programmer", "nurse", "secretary", "he", "man", "she", "woman"]
    alone = texts_of(representation_by_id("pooled-no-context"), ONE, "sentence")
    assert alone == [(SpanText(word, (0, len(word))), "span-mean") for word in words]
    assert texts_of(representation_by_id("cls-in-templates"), ONE, "sentence")[1] == (
        SpanText("That is engineer.", (8, 16)),
        "first-token",
    )
    for name in ("input-embedding", "lpbs", "partner-masked"):  # no texts, no vectors, no template
        assert not texts_of(representation_by_id(name), ONE, "sentence")
