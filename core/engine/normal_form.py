"""When two texts are one to a model: its own normal form of a text, and texts that become one input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..sources.templates import MASK
from .batching import unique


def normal_form(tokenizer: Any, text: str) -> str:
    """``text`` as the tokenizer has it before it is cut into tokens, without white space at its ends.

    An uncased BERT gives lower case without accents ("Grüner" is "gruner" to it), a byte-level model the text itself.
    Words that are compared with a model's fills are compared in this form, never by ``str.lower``, which keeps the
    accents, or ``str.casefold``, which writes "ss" for "ß".
    """
    normalizer = tokenizer.backend_tokenizer.normalizer
    if normalizer is None:
        return text.strip()
    # SentencePiece writes a space as "▁".
    return str(normalizer.normalize_str(text)).replace("▁", " ").strip()


def same_input(tokenizer: Any, texts: Sequence[str]) -> list[int]:
    """For each text the place of the first one that is the same input to the model: its own place where it is new.

    Two texts are one where all their token ids are equal, whether the model drops what tells them apart (case, an
    accent) or knows neither (two emoji, both the unknown token). ``MASK`` stands for the model's own mask.
    """
    mask = tokenizer.mask_token or MASK
    encodings = tokenizer.backend_tokenizer.encode_batch([text.replace(MASK, mask) for text in texts])
    _, owner = unique(tuple(encoding.ids) for encoding in encodings)
    first: dict[int, int] = {}
    return [first.setdefault(input_, place) for place, input_ in enumerate(owner)]
