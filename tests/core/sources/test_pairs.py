"""Pairs of words: the published ten, and the user's own as text."""

from __future__ import annotations

import pytest

from core.errors import WordListError
from core.sources.pairs import MAX_PAIRS, definitional_pairs, format_pairs, own_pairs, pair_list, parse_pairs


def test_the_ten_pairs_of_bolukbasi() -> None:
    """As the paper lists them, in whatever order: she–he to Mary–John."""
    pairs = pair_list("bolukbasi")
    assert pairs.names == ("female", "male")
    assert {frozenset(pair) for pair in pairs.pairs} == {
        frozenset(pair.split("-"))
        for pair in (
            "she-he", "her-his", "woman-man", "Mary-John", "herself-himself",
            "daughter-son", "mother-father", "gal-guy", "girl-boy", "female-male",
        )
    }  # fmt: skip
    assert {first for first, _ in pairs.pairs} >= {"she", "her", "woman", "Mary", "gal"}
    assert "2016" in pairs.citation


def test_own_pairs_are_called_after_the_first() -> None:
    pairs = parse_pairs(" xe / he \n\nmoon/sun")
    assert pairs.pairs == (("xe", "he"), ("moon", "sun"))
    assert pairs.names == ("xe", "he")
    assert parse_pairs(format_pairs(pairs.pairs)) == pairs
    assert own_pairs([("xe", "he"), ("moon", "sun")]) == pairs


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("she / he", "1 pairs are given; a direction needs 2 to 200"),
        ("", "0 pairs are given"),
        ("she / he\nnurse", "Line 2, “nurse”, is no pair; write two words with a slash between"),
        ("she / he\na / b / c", "Line 2"),
        ("she / he\n/ b", "Line 2"),
        ("she / she\nher / his", "“she” stands on both sides of a pair"),
        ("she / he\nher / his\nshe / he", "“she / he” appears twice; keep it once"),
        ("she / he\nher / his\nhe / she", "“he / she” appears the other way round too"),
        ("she / [MASK]\nher / his", "[MASK]"),
        ("\n".join(f"a{n} / b{n}" for n in range(MAX_PAIRS + 1)), "201 pairs are given"),
    ],
)
def test_what_is_no_list_of_pairs_is_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(WordListError) as caught:
        parse_pairs(text)
    assert sentence in str(caught.value)


def test_an_unknown_list_is_a_sentence() -> None:
    with pytest.raises(WordListError, match=r"There is no list of pairs “zhao”\. There are: bolukbasi"):
        pair_list("zhao")
    with pytest.raises(WordListError, match="no pair"):
        own_pairs([("she", "he", "they"), ("a", "b")])
    assert len({pairs.id for pairs in definitional_pairs()}) == len(definitional_pairs())
