"""Which pieces belong to a stretch of text, by the vocabularies of ``tiny_tokenizers`` read by hand."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoTokenizer

from core.engine.pieces import shown, tokenize
from core.sources.templates import MASK
from tests.support.tiny import CAUSAL, MASKED, tiny_folder

SENTENCE_PIECES = ("albert", "xlm-roberta", "deberta-v2")


@functools.cache
def tokenizer(family: str) -> Any:
    return AutoTokenizer.from_pretrained(tiny_folder(family), local_files_only=True)


def span(text: str, word: str, nth: int = 0) -> tuple[int, int]:
    start = -1
    for _ in range(nth + 1):
        start = text.index(word, start + 1)
    return start, start + len(word)


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_the_ids_are_those_of_the_tokenizers_own_call(family: str) -> None:
    text = "The man said that the chairwoman was tired."
    (found,) = tokenize(tokenizer(family), [(text, span(text, "man"))])
    assert list(found.ids) == tokenizer(family)(text).input_ids


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
@pytest.mark.parametrize("word", ["man", "chairwoman", "nurse"])
def test_a_words_pieces_are_what_changes_when_it_is_replaced(family: str, word: str) -> None:
    """The ids before and after the word are the same with another word in its place."""
    text = f"The man said that the {word} was tired."
    place = span(text, word, nth=1 if word == "man" else 0)
    (found,) = tokenize(tokenizer(family), [(text, place)])
    other = tokenizer(family)(text[: place[0]] + "teacher" + text[place[1] :]).input_ids
    assert list(found.ids[: found.first]) == other[: found.first]
    assert list(found.ids[found.last :]) == other[found.first + 1 :]
    assert found.exact
    assert not found.unknown
    assert (len(found.pieces) > 1) == (word == "chairwoman")


@pytest.mark.parametrize("family", MASKED)
def test_masks_are_the_models_own_and_shift_no_span(family: str) -> None:
    """The mask tokens have other lengths than ``MASK``; the stretch of the second mask and of a word stay right."""
    text = f"The {MASK} said that {MASK} was a nurse."
    own = text.replace(MASK, tokenizer(family).mask_token)
    second, nurse = tokenize(tokenizer(family), [(text, span(text, MASK, nth=1)), (text, span(text, "nurse"))])
    assert list(second.ids) == tokenizer(family)(own).input_ids
    mask = tokenizer(family).mask_token_id
    places = [i for i, token in enumerate(second.ids) if token == mask]
    assert [i for i in range(second.first, second.last) if second.ids[i] == mask] == places[1:]
    assert nurse.pieces == ("nurse",)


def test_shown_pieces_have_no_space_marker_and_keep_the_hashes() -> None:
    text = "The chairwoman was tired."
    expected = {"bert": ("chair", "##woman"), "roberta": ("chair", "woman"), "xlm-roberta": ("chair", "woman")}
    for family, pieces in expected.items():
        assert tokenize(tokenizer(family), [(text, span(text, "chairwoman"))])[0].pieces == pieces


@pytest.mark.parametrize("family", SENTENCE_PIECES)
def test_a_space_that_is_a_piece_of_its_own_belongs_to_the_word_after_it(family: str) -> None:
    """None of the vocabularies has "▁?", so a question mark after a space is "▁" and "?"."""
    text = "The man ? was tired."
    (found,) = tokenize(tokenizer(family), [(text, span(text, "?"))])
    own = tokenizer(family).convert_ids_to_tokens(list(found.ids[found.first : found.last]))
    assert own == ["▁", "?"]
    assert found.exact


@pytest.mark.parametrize(
    ("word", "pieces", "exact"),
    [("nurse", ("nurse",), True), ("nurses", ("nurse", "##s"), True), ("nur", ("nurse",), False)],
)
def test_a_stretch_that_cuts_a_piece_is_no_word(word: str, pieces: tuple[str, ...], exact: bool) -> None:
    text = "The nurses was tired." if word == "nurses" else "The nurse was tired."
    (found,) = tokenize(tokenizer("bert"), [(text, span(text, word))])
    assert (found.pieces, found.exact) == (pieces, exact)


def test_a_stretch_without_a_piece() -> None:
    found = tokenize(tokenizer("bert"), [("The nurse", (3, 4)), ("The nurse", (9, 9)), ("", (0, 0))])
    assert all((item.first, item.last, item.exact, item.pieces) == (0, 0, False, ()) for item in found)


def test_an_unknown_word_is_told_from_a_known_one() -> None:
    text = "The ☃ saw the nurse."
    snowman, nurse = tokenize(tokenizer("bert"), [(text, span(text, "☃")), (text, span(text, "nurse"))])
    assert (snowman.unknown, nurse.unknown) == (True, False)


def test_no_texts_no_pieces() -> None:
    assert tokenize(tokenizer("bert"), []) == []


def test_shown_never_is_empty() -> None:
    """A piece that is nothing but a space is shown by its marker."""
    lone = tokenizer("albert").convert_tokens_to_ids("▁")
    assert shown(tokenizer("albert"), lone) == "▁"
    for family in (*MASKED, *CAUSAL):
        assert all(shown(tokenizer(family), token) for token in range(len(tokenizer(family))))


@settings(deadline=None)
@given(st.text(max_size=40), st.data())
def test_any_text_and_stretch_has_pieces_in_range(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for family in ("bert", "roberta", "xlm-roberta", "llama"):
        (found,) = tokenize(tokenizer(family), [(text, (start, end))])
        assert 0 <= found.first <= found.last <= len(found.ids)
        assert len(found.pieces) == found.last - found.first
        assert not found.exact or found.pieces
