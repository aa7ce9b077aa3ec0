"""Words in the bleached sentences of May et al. 2019, such as “This is a rose.”: which fit a word, and where it stands.

The kinds of words, their sentences and their plurals are read from ``assets/data/word_kinds.json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .articles import article
from .lists import read_json
from .templates import in_place

_WORD = "{word}"
_ARTICLE = "{a}"


class Placed(NamedTuple):
    """A sentence and the character offsets (start, end) of its word in ``text``."""

    text: str
    span: tuple[int, int]


def place(frame: str, word: str) -> Placed:
    """Put a word into a frame, a sentence with ``{word}`` and perhaps ``{a}``, which becomes “a” or “an”.

    The sentence starts with a capital letter, the word too where it stands first.
    """
    before, after = frame.replace(_ARTICLE, article(word)).split(_WORD)
    shown = in_place(before, word)
    start = len(before)
    return Placed(before[:1].upper() + before[1:] + shown + after, (start, start + len(shown)))


def own_form(word: str) -> tuple[Placed, ...]:
    """The bleached sentences in which a word of the published tests stands as it is written, singular or plural."""
    form = _forms()[word]
    frames = form.kind.singular if word == form.singular else form.kind.plural
    return tuple(place(frame, word) for frame in frames)


def every_form(word: str) -> tuple[Placed, ...]:
    """All sentences SEAT has for a word of the published tests: those of the singular, then those of the plural."""
    form = _forms()[word]
    kind = form.kind
    return tuple(place(frame, form.singular) for frame in kind.singular) + tuple(
        place(frame, form.plural) for frame in kind.plural
    )


def any_kind(word: str) -> tuple[Placed, ...]:
    """The same four sentences for any word: “This is …”, “That is …”, “There is …”, “It is …”.

    They are SEAT's for mass nouns and read well with names and adjectives too. The lists of a user are placed with
    them, so that the words of two sets do not differ by their sentences.
    """
    return tuple(place(frame, word) for frame in _kinds()["mass noun"].singular)


@dataclass(frozen=True)
class _Kind:
    """The frames of one kind of word; no plural where the kind has none."""

    singular: tuple[str, ...]
    plural: tuple[str, ...]


@dataclass(frozen=True)
class _Form:
    """Both forms of a word; ``plural`` is empty where its kind has none."""

    kind: _Kind
    singular: str
    plural: str


@cache
def _kinds() -> dict[str, _Kind]:
    return {
        entry["id"]: _Kind(tuple(entry["singular"]), tuple(entry["plural"]))
        for entry in read_json("word_kinds.json")["kinds"]
    }


@cache
def _forms() -> dict[str, _Form]:
    """The form of each word, under its singular and its plural."""
    forms = {}
    for entry in read_json("word_kinds.json")["kinds"]:
        for word in entry["words"]:
            singular, _, plural = word.partition("/")
            form = _Form(_kinds()[entry["id"]], singular, plural)
            forms[singular] = form
            if plural:
                forms[plural] = form
    return forms
