"""Texts with masks: where one starts, and what stands or is hidden in its place. Pure text."""

from __future__ import annotations

from ..sources.templates import AS_THE_SENTENCE_SHOWS, MASK, in_place
from .pieces import Span


def mask_place(text: str, mask: int) -> int:
    """Where mask number ``mask`` starts."""
    start = -1
    for _ in range(mask + 1):
        start = text.index(MASK, start + 1)
    return start


def filled(text: str, mask: int, word: str, form: str = AS_THE_SENTENCE_SHOWS) -> tuple[str, Span]:
    """The text with the word in the place of its mask, in the ``form`` of ``templates.in_place``."""
    start = mask_place(text, mask)
    word = in_place(text[:start], word, form)
    return text[:start] + word + text[start + len(MASK) :], (start, start + len(word))


def with_masks(text: str, mask: int, count: int) -> tuple[str, Span]:
    """The text with ``count`` masks in the place of the one that is read."""
    start = mask_place(text, mask)
    masks = " ".join([MASK] * count)
    return text[:start] + masks + text[start + len(MASK) :], (start, start + len(masks))
