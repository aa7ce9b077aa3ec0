"""The part of a long text that a model can take, around the words that are read."""

from __future__ import annotations

from collections.abc import Sequence

from .loading import LoadedModel
from .pieces import Span

_SPARE = 2  # tokens left free: a cut can split what was one token


def window(model: LoadedModel, text: str, spans: Sequence[Span]) -> Span | None:
    """The characters (start, end) of a text that ``model`` is given: all of it where it fits.

    Of a longer text as many tokens as fit, from the first of the ``spans`` to the last and, equally on both sides,
    around them; cut between words. None where the spans themselves are too far apart.
    """
    encoding = model.tokenizer.backend_tokenizer.encode(text)
    if len(encoding.ids) <= model.max_tokens:
        return 0, len(text)
    # Each look at the encoding's offsets makes a list of them all.
    offsets = [at for at, special in zip(encoding.offsets, encoding.special_tokens_mask, strict=True) if not special]
    start, end = min(first for first, _ in spans), max(last for _, last in spans)
    # The spans' tokens, [before, until); none where the tokenizer drops their characters, such as a zero-width space.
    before, until = sum(high <= start for _, high in offsets), sum(low < end for low, _ in offsets)
    room = model.max_tokens - (len(encoding.ids) - len(offsets)) - (until - before) - _SPARE
    if room < 0:
        return None
    after = len(offsets) - until
    right = min(after, max(room // 2, room - before))
    left = min(before, room - right)
    low, high = offsets[before - left][0], offsets[until - 1 + right][1]
    if left < before:
        low = _after_space(text, low, start)
    if right < after:
        high = _before_space(text, high, end)
    return low, high


def _after_space(text: str, low: int, most: int) -> int:
    """The first character from ``low`` on, at most ``most``, that begins a word."""
    while low < most and not text[low - 1].isspace():
        low += 1
    return low


def _before_space(text: str, high: int, least: int) -> int:
    """The last place up to ``high``, at least ``least``, at which a word has ended."""
    while high > least and not text[high].isspace():
        high -= 1
    return high
