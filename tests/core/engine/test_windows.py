"""The part of a long text that a model is given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.engine.loading import LoadedModel
from core.engine.windows import window

TEXT = "one two three four five six seven eight nine ten eleven twelve"


def limited(model: LoadedModel, tokens: int) -> LoadedModel:
    return replace(model, max_tokens=tokens)


def length(model: LoadedModel, text: str) -> int:
    return len(model.tokenizer.backend_tokenizer.encode(text).ids)


def test_a_text_that_fits_stays_whole(embedded: LoadedModel) -> None:
    assert window(embedded, TEXT, [(0, 3)]) == (0, len(TEXT))
    assert window(limited(embedded, length(embedded, TEXT)), TEXT, [(0, 3)]) == (0, len(TEXT))


@pytest.mark.parametrize("word", TEXT.split())
def test_of_a_longer_one_whole_words_around_the_spans_are_given(embedded: LoadedModel, word: str) -> None:
    start = TEXT.index(word)
    model = limited(embedded, 9)
    found = window(model, TEXT, [(start, start + len(word))])
    assert found is not None
    part = TEXT[slice(*found)]
    assert word in part
    assert set(part.split()) <= set(TEXT.split())
    assert 5 <= length(model, part) <= 9


def test_room_that_one_side_does_not_need_goes_to_the_other(embedded: LoadedModel) -> None:
    low, high = window(limited(embedded, 9), TEXT, [(0, 3)]) or (0, 0)
    assert TEXT[low:high].split() == TEXT.split()[:5]  # 9 less 2 special tokens and 2 to spare


def test_spans_too_far_apart_have_none(embedded: LoadedModel) -> None:
    assert window(limited(embedded, 9), TEXT, [(0, 3), (len(TEXT) - 6, len(TEXT))]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u200b" + TEXT, "one two three four five"),
        (TEXT.replace("seven", "\u200b seven"), "four five six \u200b seven eight"),
    ],
)
def test_a_character_that_the_tokenizer_drops_has_the_words_around_it(
    embedded: LoadedModel, text: str, expected: str
) -> None:
    place = text.index("\u200b")
    low, high = window(limited(embedded, 9), text, [(place, place + 1)]) or (0, 0)
    assert text[low:high] == expected  # 9 less 2 special tokens and 2 to spare, the odd one before
