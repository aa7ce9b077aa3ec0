"""A template: parse, slots, fill, mask. Pure text, no tokenizer.

A template is a sentence with exactly one ``[TARGET]`` and one ``[ATTRIBUTE]``. A masked text writes every
hidden word as ``MASK``, whatever the mask token of the model is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import TemplateError
from core.invisible import find_slip

TARGET = "[TARGET]"
ATTRIBUTE = "[ATTRIBUTE]"
MASK = "[MASK]"
MAX_LENGTH = 1000  # characters; far above any probe sentence, far below what freezes a tokenizer

_SENTENCE_START = re.compile(r"(?:^|[.!?…][\"'”’)]*\s+)[\"'“‘(¿¡]*$")
_LOOKALIKE = re.compile(r"\[\s*(target|attribute|mask)s?\s*\]|<mask>", re.IGNORECASE)


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

        Raises TemplateError for an empty text, more than one line, a missing or repeated slot, a misspelt slot,
        a mask token, slots that touch, or more than ``MAX_LENGTH`` characters.
        """
        text = text.strip()
        if not text:
            raise TemplateError(f"The template is empty; write a sentence with {TARGET} and {ATTRIBUTE}.")
        if len(text) > MAX_LENGTH:
            raise TemplateError(f"The template has {len(text):,} characters; {MAX_LENGTH:,} is the most.")
        if len(text.splitlines()) > 1:
            raise TemplateError("The template contains a line break; write one plain line.")
        slip = find_slip(text)
        if slip is not None:
            raise TemplateError(
                f"The template contains an invisible character ({slip.name}); write “{slip.corrected}”."
            )
        for found in _LOOKALIKE.finditer(text):
            word = found.group(0)
            if (found.group(1) or "mask").lower() == "mask":
                raise TemplateError(f"Found {word}; write {TARGET} where the model is to guess, masks are set for you.")
            if word not in (TARGET, ATTRIBUTE):
                slot = f"[{found.group(1).upper()}]"
                raise TemplateError(f"Found {word}; write the slot as {slot}.")
        for slot in (TARGET, ATTRIBUTE):
            count = text.count(slot)
            if count != 1:
                raise TemplateError(f"Found {count} {slot} slots, needs 1.")
        first, last = sorted((text.index(slot), text.index(slot) + len(slot)) for slot in (TARGET, ATTRIBUTE))
        between = text[first[1] : last[0]]
        if not between or between.isalnum():
            raise TemplateError(f"{TARGET} and {ATTRIBUTE} touch; put a space between them.")
        return cls(text)

    @property
    def target_first(self) -> bool:
        """Whether the target stands before the attribute."""
        return self.text.index(TARGET) < self.text.index(ATTRIBUTE)

    def fill(self, target: str, attribute: str) -> Filled:
        """Put both words in; a word at the start of a sentence gets a capital first letter."""
        first, second = (TARGET, ATTRIBUTE) if self.target_first else (ATTRIBUTE, TARGET)
        words = {TARGET: target, ATTRIBUTE: attribute}
        before, rest = self.text.split(first)
        between, after = rest.split(second)
        text = before
        spans = {}
        for slot, following in ((first, between), (second, after)):
            word = in_place(text, words[slot])
            spans[slot] = (len(text), len(text) + len(word))
            text += word + following
        start, end = spans[ATTRIBUTE]
        while start > 0 and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
        return Filled(text, spans[TARGET], (start, end))


def in_place(before: str, word: str) -> str:
    """``word`` as a sentence shows it after ``before``: with a capital first letter at a sentence's start."""
    return word[:1].upper() + word[1:] if _SENTENCE_START.search(before) else word


def mask_spans(text: str, spans: list[tuple[tuple[int, int], int]]) -> str:
    """Replace each character span by so many masks, separated by single spaces.

    ``spans`` holds ((start, end), number of masks) and must not overlap; every number is at least 1.
    """
    for (start, end), masks in sorted(spans, reverse=True):
        text = text[:start] + " ".join([MASK] * masks) + text[end:]
    return text
