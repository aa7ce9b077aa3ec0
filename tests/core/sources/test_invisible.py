"""Invisible characters: what is a slip and how the text is spelt without it; what belongs to the spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import TemplateError, WordListError
from core.sources import parse_words
from core.sources.invisible import find_slip, visible
from core.sources.templates import Template

SPELT = (
    "خانه\u200cدار",  # Persian, "housewife"
    "می\u200cروم",
    "PDF\u200cها",  # a Persian plural on a Latin word
    "क्\u200dष",  # Devanagari: virama and joiner
    "क्\u200cष",
    "അവന്\u200d",  # Malayalam "he", in the old spelling that ends with a joiner
    "ত্\u200d",
    "ශ්\u200dරී",
    "👩\u200d⚕️",  # woman health worker
    "👩🏽\u200d🚀",
    "🏳️\u200d🌈",
    "👨\u200d👩\u200d👧",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
    "1\ufe0f\u20e3",
    "\U0001fae9",  # an emoji newer than this Python
    "naïve Köchin",
)
SLIPS = {
    "Kranken\u00adschwester": ("soft hyphen, U+00AD", "Krankenschwester"),
    "nur\u200bse": ("zero width space, U+200B", "nurse"),
    "\ufeffnurse": ("byte-order mark, U+FEFF", "nurse"),
    "nurse\u200e": ("left-to-right mark, U+200E", "nurse"),
    "\u202anurse\u202c": ("left-to-right embedding, U+202A", "nurse"),
    "nur\u200cse": ("zero width non-joiner, U+200C", "nurse"),
    "nur\u200dse": ("zero width joiner, U+200D", "nurse"),
    "خانه\u200c": ("zero width non-joiner, U+200C", "خانه"),
    "خانه\u200c دار": ("zero width non-joiner, U+200C", "خانه دار"),
    "می\u200c\u200cروم": ("zero width non-joiner, U+200C", "می\u200cروم"),
    "👩\u200d": ("zero width joiner, U+200D", "👩"),
    "nurse\ufe0f": ("variation selector-16, U+FE0F", "nurse"),
    "nur\x07se": ("control character, U+0007", "nurse"),
    "a\u00a0nurse": ("no-break space, U+00A0", "a nurse"),
    "nur\u3164se": ("hangul filler, U+3164", "nurse"),
}


@pytest.mark.parametrize("text", SPELT)
def test_what_belongs_to_the_spelling_is_kept(text: str) -> None:
    assert find_slip(text) is None
    assert visible(text) == text
    assert parse_words(text) == (text,)
    assert Template.parse(f"[TARGET] is a {text} [ATTRIBUTE].").text == f"[TARGET] is a {text} [ATTRIBUTE]."


@pytest.mark.parametrize("text", SLIPS)
def test_a_slip_is_named_and_the_advice_spells_the_word(text: str) -> None:
    slip = find_slip(text)
    assert slip is not None
    assert (slip.name, slip.corrected) == SLIPS[text]
    assert find_slip(slip.corrected) is None
    with pytest.raises(TemplateError, match=f"write “.TARGET. is a {slip.corrected} .ATTRIBUTE.”"):
        Template.parse(f"[TARGET] is a {text} [ATTRIBUTE]")
    if "\u00a0" not in text:  # in a word list it is white space like any other
        with pytest.raises(WordListError, match=f"; write “{slip.corrected}”"):
            parse_words(text)
        assert parse_words(slip.corrected) == (slip.corrected,)


def test_a_persian_suffix_joins_a_slot() -> None:
    text = "[TARGET] از [ATTRIBUTE]\u200cها است."
    assert Template.parse(text).text == text


@given(st.text(max_size=20))
def test_what_is_corrected_has_no_slip_left_or_is_white_space(text: str) -> None:
    slip = find_slip(text)
    assert (slip is None) == (visible(text) == text)
    if slip is not None:
        assert slip.corrected == " ".join(slip.corrected.split())
