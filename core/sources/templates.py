"""A template: parse, slots, fill, mask. Pure text, no tokenizer.

A template is a sentence with exactly one ``[TARGET]`` and one ``[ATTRIBUTE]``. A masked text writes every
hidden word as ``MASK``, whatever the mask token of the model is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from ..errors import TemplateError
from .invisible import find_slip

TARGET = "[TARGET]"
ATTRIBUTE = "[ATTRIBUTE]"
_SLOT_USE = {
    TARGET: f"write {TARGET} once, where a word of a group such as “he” stands",
    ATTRIBUTE: f"write {ATTRIBUTE} once, where a word such as “nurse” stands",
}
MASK = "[MASK]"
MAX_LENGTH = 1000  # characters; far above any probe sentence, far below what freezes a tokenizer

# How a word is written in its slot: with a capital where a sentence begins with it; as it was typed; or, the target
# alone, with a capital wherever it stands.
AS_THE_SENTENCE_SHOWS, AS_TYPED, CAPITAL = "sentence", "typed", "capital"

_SPECIAL = re.compile(r"<\|[^<>|\s]+\|>|</?s>|<(?:pad|unk|bos|eos|cls|sep)>|\[(?:CLS|SEP|PAD|UNK|BOS|EOS)\]")
_LOOKALIKE = re.compile(r"\[\s*(target|attribute|mask)s?\s*\]|<mask>", re.IGNORECASE)
_ARTICLE = re.compile(r"\[\s*article\s*\]", re.IGNORECASE)
_OTHER_SLOT = re.compile(r"\[[A-Z][A-Z0-9_ -]*\]")

_OPENING = "\"'“„‘‚«‹([{¿¡"
_CLOSING = "\"'“”‘’»«›‹)]}"
_STOPS = ".!?…。！？"
# A slot right behind one of these has lost its space; quotes, brackets, hyphens, slashes and apostrophes may touch it.
_NEEDS_SPACE = frozenset(".,;:!?")
_SHOWN = 20  # characters of a word that a message repeats
_NUMBER = re.compile(r"\d{1,3}|\d+(?:[.,:]\d+)+")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,4}\.)+[^\W\d_]{1,4}")
# Abbreviations of one piece; those with a stop inside, such as "a.m.", and single capital letters are known by form.
_ABBREVIATIONS = frozenset(
    {
        *("adm", "approx", "apr", "asst", "aug", "ave", "blvd", "brig", "bros", "ca", "capt", "cf", "cmdr", "co"),
        *("col", "corp", "cpl", "dec", "dept", "dr", "eds", "esp", "esq", "est", "etc", "feb", "fig", "figs", "fr"),
        *("gen", "gov", "hon", "inc", "jan", "jr", "jul", "jun", "lt", "ltd", "maj", "messrs", "mme", "mr", "mrs"),
        *("ms", "mt", "nov", "oct", "op", "pp", "pres", "prof", "pt", "pvt", "rep", "rev", "sen", "sept", "sgt"),
        *("sr", "st", "supt", "univ", "viz", "vol", "vs"),
        *("bzw", "evtl", "frl", "ggf", "hr", "inkl", "mio", "mrd", "nr", "sog", "std", "str", "usw", "vgl"),
    }
)


@dataclass(frozen=True)
class Filled:
    """A text whose slots are filled. Spans are character offsets (start, end) in ``text``.

    ``target`` is the target word alone. ``attribute`` takes in letters glued to the slot: in "[ATTRIBUTE]s" the
    word of the sentence is "nurses", and hiding "nurse" alone would leave the model the s.
    """

    text: str
    target: tuple[int, int]
    attribute: tuple[int, int]


@dataclass(frozen=True)
class Template:
    """A sentence with one target and one attribute slot. Made by ``Template.parse``."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Template:
        """Read a template, or say in one sentence what is wrong with it.

        Raises TemplateError for an empty text, more than one line, a missing or repeated slot, a misspelt or unknown
        one, a mask or another special token, slots that touch each other or, where a space is missing, the word or
        full stop beside them, or more than ``MAX_LENGTH`` characters.
        """
        text = text.strip()
        if not text:
            raise TemplateError(f"The template is empty; write a sentence with {TARGET} and {ATTRIBUTE}.")
        if len(text) > MAX_LENGTH:
            raise TemplateError(f"The template has {len(text):,} characters; at most {MAX_LENGTH:,} are allowed.")
        if len(text.splitlines()) > 1:
            raise TemplateError("The template contains a line break; write one plain line.")
        slip = find_slip(text)
        if slip is not None:
            raise TemplateError(
                f"The template contains an invisible character ({slip.name}); write “{slip.corrected}”."
            )
        _check_slots(text)
        _check_brackets(text)
        for slot in (TARGET, ATTRIBUTE):
            count = text.count(slot)
            if count != 1:
                raise TemplateError(f"Found {count} {slot} slots, needs 1: {_SLOT_USE[slot]}.")
        first, last = sorted((text.index(slot), text.index(slot) + len(slot)) for slot in (TARGET, ATTRIBUTE))
        between = text[first[1] : last[0]]
        if not between or between.isalnum():
            raise TemplateError(f"{TARGET} and {ATTRIBUTE} touch; put a space between them.")
        _check_spaces(text)
        return cls(text)

    def to_text(self) -> str:
        """Its plain form."""
        return self.text

    @classmethod
    def from_text(cls, text: str) -> Template:
        """The template of its plain form. Raises TemplateError."""
        return cls.parse(text)

    @property
    def target_first(self) -> bool:
        """Whether the target stands before the attribute."""
        return self.text.index(TARGET) < self.text.index(ATTRIBUTE)

    def fill(self, target: str, attribute: str, form: str = AS_THE_SENTENCE_SHOWS) -> Filled:
        """Put both words in, each in the ``form`` requested (see ``in_place``); a capital requested is the target's."""
        first, second = (TARGET, ATTRIBUTE) if self.target_first else (ATTRIBUTE, TARGET)
        words = {TARGET: target, ATTRIBUTE: attribute}
        forms = {TARGET: form, ATTRIBUTE: AS_THE_SENTENCE_SHOWS if form == CAPITAL else form}
        before, rest = self.text.split(first)
        between, after = rest.split(second)
        text = before
        spans = {}
        for slot, following in ((first, between), (second, after)):
            word = in_place(text, words[slot], forms[slot])
            spans[slot] = (len(text), len(text) + len(word))
            text += word + following
        start, end = spans[ATTRIBUTE]
        while start > 0 and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        return Filled(text, spans[TARGET], (start, end))


def in_place(before: str, word: str, form: str = AS_THE_SENTENCE_SHOWS) -> str:
    """``word`` as it stands after ``before``.

    By default it gets a capital first letter where ``begins_sentence``. ``AS_TYPED`` leaves it as it is, ``CAPITAL``
    gives it the capital anywhere.
    """
    capital = form == CAPITAL or (form == AS_THE_SENTENCE_SHOWS and begins_sentence(before))
    return word[:1].upper() + word[1:] if capital else word


def begins_sentence(before: str) -> bool:
    """Whether what follows ``before`` begins a sentence: at the start of a text, and after . ! ? and white space.

    The full stop of an abbreviation (a.m., Dr.), of an initial or of a number (3., 9.30.) ends no sentence, nor do
    three of them; that of a year does. Quotes, brackets and emoji around the stop change nothing.
    """
    before = before.rstrip(_OPENING)
    if not any(char.isalnum() for char in before):
        return "…" not in before and ".." not in before
    if not before[-1].isspace():
        return False
    text = before
    while text[-1].isspace() or text[-1] in _CLOSING or _is_pictorial(text[-1]):
        text = text[:-1]
    sentence = text.rstrip(_STOPS)
    mark = text[len(sentence) :]
    if not mark:
        return False
    if mark != ".":
        return not set(mark) <= {".", "…"}
    if sentence[-1].isspace():  # ". . ."
        return False
    return not _has_a_stop(sentence.split()[-1].strip(_OPENING + _CLOSING))


def special_token(text: str) -> str:
    """The first special token of a model in a text, such as [CLS] or </s>, known by its form; empty without one."""
    found = _SPECIAL.search(text)
    return found.group(0) if found else ""


def _has_a_stop(word: str) -> bool:
    """Whether a full stop behind ``word`` is a part of it."""
    if len(word) == 1 and word.isupper():
        return word != "I"
    return word.casefold() in _ABBREVIATIONS or any(form.fullmatch(word) for form in (_NUMBER, _DOTTED))


def _is_pictorial(char: str) -> bool:
    """A sign of a picture: the emoji, what joins and what colours them."""
    return unicodedata.category(char) in ("So", "Sk", "Cf", "Mn", "Me")


def _check_slots(text: str) -> None:
    for found in _LOOKALIKE.finditer(text):
        word = found.group(0)
        if (found.group(1) or "mask").lower() == "mask":
            raise TemplateError(f"Found {word}; write {TARGET} where the model is to guess, masks are set for you.")
        if word not in (TARGET, ATTRIBUTE):
            raise TemplateError(f"Found {word}; write the slot as [{found.group(1).upper()}].")


def _check_brackets(text: str) -> None:
    """Raise TemplateError for special tokens and for slots that there are not."""
    token = special_token(text)
    if token:
        raise TemplateError(
            f"Found {token}, a special token of models; omit it, since each model’s own are put around the text."
        )
    article = _ARTICLE.search(text)
    if article:
        raise TemplateError(f"Found {article.group(0)}, which only the corpora of professions fill; write the article.")
    for found in _OTHER_SLOT.finditer(text):
        if found.group(0) not in (TARGET, ATTRIBUTE):
            raise TemplateError(
                f"Found {found.group(0)}, which is not a slot; the slots are {TARGET} and {ATTRIBUTE}, and other text "
                "in brackets is written in small letters."
            )


def _check_spaces(text: str) -> None:
    """Raise TemplateError where a slot has lost the space beside it.

    Letters that touch the attribute are a part of its word ("[ATTRIBUTE]s"); those that touch the target are not,
    since the target is hidden as a word of its own.
    """
    for slot in (TARGET, ATTRIBUTE):
        start = text.index(slot)
        end = start + len(slot)
        before, after = text[:start], text[end:]
        glued = slot == TARGET and before[-1:].isalnum()
        if glued or (before[-1:] in _NEEDS_SPACE and not before.endswith("..")):
            word = before.split()[-1][-_SHOWN:]
            raise TemplateError(f"There is no space before {slot}; write “{word} {slot}”.")
        if slot == TARGET and after[:1].isalnum():
            word = after.split()[0][:_SHOWN]
            raise TemplateError(f"There is no space after {slot}; write “{slot} {word}”.")


def mask_spans(text: str, spans: list[tuple[tuple[int, int], int]]) -> str:
    """Replace each character span by so many masks, separated by single spaces.

    ``spans`` holds ((start, end), number of masks) and must not overlap; every number is at least 1.
    """
    for (start, end), masks in sorted(spans, reverse=True):
        text = text[:start] + " ".join([MASK] * masks) + text[end:]
    return text
