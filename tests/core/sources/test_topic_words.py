"""Words by which texts are told apart."""

from __future__ import annotations

from core.sources.topic_words import function_words, word_counts


def test_words_of_two_texts_are_counted_and_function_words_are_not() -> None:
    counts, words = word_counts(["She sang the Song; the song!", "A song of 2011", "He ran in 2011, alone. x"])
    assert words == ("2011", "song")
    assert counts.toarray().tolist() == [[0, 2], [1, 1], [1, 0]]


def test_texts_without_a_common_word_have_none() -> None:
    counts, words = word_counts(["apple", "pear"])
    assert words == ()
    assert counts.shape == (2, 0)


def test_pronouns_say_nothing_about_a_topic() -> None:
    assert {"he", "she", "his", "her", "hers", "him", "himself", "herself"} <= function_words()
    assert not {"mother", "actress", "king"} & function_words()
