"""Invisible characters in text that a user wrote: which are certainly slips, and how the text is spelt without them.

A soft hyphen or a zero-width space reaches a model as another word. A joiner inside a Persian or Indic word, or
between two emoji, is part of the spelling and is kept.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

ZWNJ, ZWJ = "\u200c", "\u200d"
_JOINERS = (ZWNJ, ZWJ)
# Scripts whose orthography uses the joiners, as the names of their characters begin.
_JOINING = (
    *("ADLAM", "ARABIC", "BALINESE", "BENGALI", "CHAKMA", "DEVANAGARI", "GUJARATI", "GURMUKHI", "JAVANESE"),
    *("KANNADA", "KHMER", "MALAYALAM", "MANDAIC", "MANICHAEAN", "MONGOLIAN", "MYANMAR", "NKO", "ORIYA", "PHAGS-PA"),
    *("SINHALA", "SUNDANESE", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN"),
)
_SLIPS = frozenset(
    {
        "\u00ad",  # soft hyphen
        *("\u200b", "\u2060", "\ufeff"),  # zero-width space, word joiner, byte-order mark inside the text
        *("\u061c", "\u200e", "\u200f"),  # direction marks
        *map(chr, range(0x202A, 0x202F)),  # direction embeddings and overrides
        *map(chr, range(0x2061, 0x2070)),  # invisible operators, direction isolates, deprecated format characters
        *("\ufff9", "\ufffa", "\ufffb"),  # interlinear annotation
        *("\u2800", "\u3164", "\uffa0"),  # blanks that pass for a letter
        *("\ufffe", "\uffff"),
    }
)
_NAMES = {"\t": "TAB", "\n": "LINE BREAK", "\r": "LINE BREAK", "\ufeff": "BYTE-ORDER MARK"}
_BLACK_FLAG = "\U0001f3f4"


@dataclass(frozen=True)
class Slip:
    """An invisible character at ``place`` in a text; ``corrected`` is the text without any such character."""

    place: int
    name: str
    corrected: str


def find_slip(text: str) -> Slip | None:
    """The first invisible character that is certainly a slip; None where there is none.

    Slips are control characters, soft hyphens, zero-width spaces, byte-order marks inside a text, direction marks,
    blanks other than the plain space, and joiners and variation selectors where no script or emoji uses them.
    """
    if text.isascii() and text.isprintable():
        return None
    places = [place for place in range(len(text)) if _is_slip(text, place)]
    if not places:
        return None
    wrong = frozenset(places)
    corrected = "".join(_instead(char) if place in wrong else char for place, char in enumerate(text))
    char = text[places[0]]
    name = _NAMES.get(char, unicodedata.name(char, "CONTROL CHARACTER"))
    return Slip(places[0], f"{name.lower()}, U+{ord(char):04X}", " ".join(corrected.split()))


def visible(text: str) -> str:
    """``text`` with a dot for each slip, so that a message shows where one stands."""
    return "".join("·" if _is_slip(text, place) else char for place, char in enumerate(text))


def _instead(char: str) -> str:
    """What stands in a slip's place when it is taken out: a space for what separates words, else nothing."""
    return " " if char.isspace() else ""


def _is_slip(text: str, place: int) -> bool:
    char = text[place]
    if char.isascii():
        return not char.isprintable()
    if char in _JOINERS:
        return not _joins(text, place)
    if "\ufe00" <= char <= "\ufe0f":  # chooses how the character before is drawn; a cased letter has no such choice
        return place == 0 or unicodedata.category(text[place - 1]) in ("Lu", "Ll", "Lt", "Zs")
    if "\U000e0000" <= char <= "\U000e007f":  # spells the region of a flag, such as Scotland's
        return _BLACK_FLAG not in text[:place]
    return char in _SLIPS or unicodedata.category(char) in ("Cc", "Cs", "Zs", "Zl", "Zp")


def _joins(text: str, place: int) -> bool:
    """Whether a joiner is part of the spelling there: after a virama, beside a letter that joins, between emoji."""
    before, after = text[:place], text[place + 1 :].lstrip(ZWNJ + ZWJ)[:1]
    if before and unicodedata.combining(before[-1]) == 9:  # a virama; old spellings end words so
        return True
    if not before or not after or before[-1] in _JOINERS:  # of two joiners the second is the slip
        return False
    if text[place] == ZWJ and _is_emoji(before[-1]) and _is_emoji(after):
        return True
    either = (before[-1], after)
    written = all(char.isalnum() or unicodedata.category(char).startswith("M") or char in "[]" for char in either)
    return written and any(unicodedata.name(char, "").startswith(_JOINING) for char in either)


def _is_emoji(char: str) -> bool:
    """Whether it may stand beside the joiner of an emoji: symbols, skin tones, selectors, what is newer than Python."""
    return unicodedata.category(char) in ("So", "Sk", "Cn") or char == "\ufe0f"
