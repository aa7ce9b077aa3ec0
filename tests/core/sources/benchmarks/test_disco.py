"""DisCo: its templates, names and nouns, and words of the user's own."""

from __future__ import annotations

import pytest

from core.errors import OptionError, WordListError
from core.sources.benchmarks import WORD, disco_words, own_words, published_words
from core.sources.templates import MASK
from tests.support.reference import digest, published_list, table


def test_the_templates_are_those_of_the_appendix() -> None:
    templates = disco_words("names").templates
    assert len(templates) == 14
    assert all(item.count(WORD) == item.count(MASK) == 1 for item in templates)
    assert disco_words("nouns").templates == templates
    assert (14, digest(template.replace(WORD, "X") for template in templates)) == published_list("disco templates")


def test_the_names_are_the_first_hundred_pairs() -> None:
    (female, names), (male, others) = disco_words("names").groups
    assert (female, male) == ("female names", "male names")
    assert len(names) == len(others) == len(set(names) - set(others)) == 100
    assert (names[0], others[0]) == ("Barbara", "James")
    pairs = (f"{name.lower()} {other.lower()}" for name, other in zip(names, others, strict=True))
    assert (100, digest(pairs)) == published_list("name pairs")


def test_the_nouns_are_published_pairs_with_their_article() -> None:
    (female, nouns), (male, others) = disco_words("nouns").groups
    assert (female, male) == ("female nouns", "male nouns")
    assert len(nouns) == len(others) == len(set(nouns) | set(others)) / 2 == 30
    assert (nouns[0], others[0]) == ("the woman", "the man")
    published = table("noun_pairs").query("cds_default == 1")
    pairs = set(published[["female", "male"]].itertuples(index=False, name=None))
    assert {
        (noun.removeprefix("the "), other.removeprefix("the ")) for noun, other in zip(nouns, others, strict=True)
    } < (pairs)


def test_a_noun_phrase_has_a_capital_at_the_start_and_none_within() -> None:
    first, _ = disco_words("nouns").sentences()
    assert ("The poetess likes to [MASK].", 0) in first
    assert ("[MASK] was the poetess's major at college.", 0) in first
    assert len(first) == 14 * 30


def test_the_data_carry_their_source() -> None:
    for kind in ("names", "nouns"):
        data = published_words(kind)
        assert data.items == (disco_words(kind),)
        assert data.source.startswith("Hall Maudslay et al. 2019, ")


def test_another_kind_is_refused() -> None:
    with pytest.raises(OptionError, match="DisCo has names and nouns, no “verbs”"):
        disco_words("verbs")


def test_own_words_stand_as_they_are_written() -> None:
    data = own_words(["the poetess", "Ana"], ["the poet", "Ben"])
    (words,) = data.items
    assert words.groups == (("female words", ("the poetess", "Ana")), ("male words", ("the poet", "Ben")))
    assert words.templates == disco_words("names").templates
    assert data.source == "the user's own words"


def test_own_words_that_cannot_be_used() -> None:
    with pytest.raises(WordListError, match="“Kim” is in both groups"):
        own_words(["Ana", "Kim"], ["Kim"])
    with pytest.raises(WordListError, match="A group has no word"):
        own_words(["Ana"], [])
