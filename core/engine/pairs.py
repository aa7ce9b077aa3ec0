"""Whether a model can tell the two texts of a pair apart."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

_Token = tuple[int, str]  # an id, and what an unknown token stands for


def indistinct(tokenizer: Any, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Why a model cannot compare the two texts of each pair; empty where it can.

    Either all token ids are equal, or the texts differ in something the model has no token for: a probability that
    is read there is that of the unknown token, whatever it stands for. What both texts share may be unknown.
    """
    encodings = tokenizer.backend_tokenizer.encode_batch([text for pair in pairs for text in pair])
    unknown = tokenizer.unk_token_id
    reasons = []
    for pair, first, second in zip(pairs, encodings[::2], encodings[1::2], strict=True):
        if unknown in first.ids or unknown in second.ids:
            lost = _unknown_differences(_tokens(pair[0], first, unknown), _tokens(pair[1], second, unknown))
            if lost:
                words = ", ".join(f"“{word}”" for word in dict.fromkeys(lost))
                reasons.append(f"differs in what is unknown to this model ({words})")
                continue
        reasons.append("has two texts that are the same input to this model" if first.ids == second.ids else "")
    return reasons


def _tokens(text: str, encoding: Any, unknown: int) -> list[_Token]:
    # The unknown token of GPT-2 and OPT is also the one put around a text, which has no characters.
    return [
        (token, text[low:high] if token == unknown else "")
        for token, (low, high) in zip(encoding.ids, encoding.offsets, strict=True)
    ]


def _unknown_differences(first: list[_Token], second: list[_Token]) -> list[str]:
    """What the unknown tokens stand for where two texts differ."""
    found = []
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            found += [word for _, word in (*first[a:b], *second[c:d]) if word]
    return found
