"""Which tokens of a tokenized text belong to a stretch of its characters."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..sources.templates import MASK

Span = tuple[int, int]
_HYPHENS = frozenset("-‐‑")


@dataclass(frozen=True, slots=True)
class SpanText:
    """A text and the stretch (start, end) of its characters that is looked at, None for the whole text.

    Hidden words are written as ``MASK`` and become the model's own mask.
    """

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Tokenized:
    """Token ids of a text with the tokenizer's special tokens, and the places of one span in it.

    ``first`` and ``last`` are the places of the span's tokens, last excluded; ``first`` = ``last`` when it has none.
    ``exact`` is False when a token reaches beyond the span, so that the span is no word of its own there.
    ``unknown`` says whether the span holds the unknown token, ``unknown_anywhere`` whether the text does.
    ``pieces`` are shown without the marker of a preceding space. ``words`` are the numbers of the words that the
    tokens belong to, as the tokenizer cuts words but with hyphenated ones whole; None for special tokens.
    """

    ids: tuple[int, ...]
    first: int
    last: int
    exact: bool
    unknown: bool
    unknown_anywhere: bool
    pieces: tuple[str, ...]
    words: tuple[int | None, ...]


def tokenize(tokenizer: Any, texts: Sequence[tuple[str, Span]]) -> list[Tokenized]:
    """Tokenize texts, in which ``MASK`` stands for the model's own mask, and find each text's span.

    Spans are character offsets in the given text and come back as places of tokens, through the tokenizer's
    offsets, never by counting tokens.
    """
    mask = tokenizer.mask_token or MASK
    shift = len(mask) - len(MASK)
    native = []
    for text, (start, end) in texts:
        masks_before = text.count(MASK, 0, start)
        masks_until = text.count(MASK, 0, end)
        native.append((text.replace(MASK, mask), start + shift * masks_before, end + shift * masks_until))
    encodings = tokenizer.backend_tokenizer.encode_batch([text for text, _, _ in native])
    unknown_id = tokenizer.unk_token_id
    read = functools.cache(functools.partial(shown, tokenizer))  # many texts share few tokens
    found = []
    for (text, start, end), encoding in zip(native, encodings, strict=True):
        ids, offsets = encoding.ids, encoding.offsets
        special = encoding.special_tokens_mask
        # A mask is a special token, yet it is part of the text; those around the text have empty offsets.
        inside = [
            place
            for place, (low, high) in enumerate(offsets)
            if low < end and high > start and not (special[place] and low == high)
        ]
        first, last = (inside[0], inside[-1] + 1) if inside else (0, 0)
        if inside:
            low = offsets[first][0]
            high = offsets[last - 1][1]
            before, after = text[low:start], text[end:high]
            exact = not before.strip() and not after.strip()
            # SentencePiece may write the space before a word as a piece of its own: it belongs to the word.
            lone = first - 1
            if lone >= 0 and not special[lone] and not text[offsets[lone][0] : offsets[lone][1]].strip():
                first = lone
        else:
            exact = False
        found.append(
            Tokenized(
                tuple(ids),
                first,
                last,
                exact,
                unknown_id is not None and unknown_id in ids[first:last],
                unknown_id in ids
                and any(
                    # The unknown token of GPT-2 and OPT is also the one put around a text, which has no characters.
                    token == unknown_id and low < high
                    for token, (low, high) in zip(ids, offsets, strict=True)
                ),
                tuple(map(read, ids[first:last])),
                _words(text, encoding),
            )
        )
    return found


def _words(text: str, encoding: Any) -> tuple[int | None, ...]:
    """The number of each token's word, which holds no white space; “non-binary” is one word whatever the tokenizer."""
    found: list[int | None] = []
    last, end = None, 0
    for word, (low, high) in zip(encoding.word_ids, encoding.offsets, strict=True):
        touches = word is not None and last is not None and low == end and not text[low : low + 1].isspace()
        goes_on = touches and (word == last or not _HYPHENS.isdisjoint(text[end - 1 : low + 1]))
        found.append(found[-1] if goes_on else word)
        last, end = word, high
    return tuple(found)


def shown(tokenizer: Any, token: int) -> str:
    """A token as a person reads it: no marker for a space before it, ``##`` kept where it continues a word."""
    piece = tokenizer.convert_ids_to_tokens(token)
    if piece is None:  # a spare row of the vocabulary, which some models have many of
        return f"(unused {token})"
    if piece.startswith("##"):
        return str(piece)
    return str(tokenizer.decode([token])).strip() or str(piece)


def unreadable(item: Tokenized) -> str:
    """Why a model cannot read a word in its place; follows the word, empty where it can."""
    if item.unknown:
        return "is unknown to this model"
    if item.first == item.last:
        return "is read as nothing by this model"
    if not item.exact:
        return f"is read as one token with its neighbour here ({' + '.join(item.pieces)})"
    return ""
