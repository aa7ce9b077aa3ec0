"""What a fine-tuning is summed up in: perplexity, and the documents that are held out. Pure numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_HELD_OUT = 20  # documents
_SHARE_HELD_OUT = 10  # one of so many, at most


def held_out(count: int) -> tuple[int, ...]:
    """The places of the documents that are kept for the price: at even distances, at most a tenth, one at least.

    None of a single document.
    """
    if count < 2:
        return ()
    wanted = min(MOST_HELD_OUT, max(1, count // _SHARE_HELD_OUT))
    return tuple((2 * at + 1) * count // (2 * wanted) for at in range(wanted))


def perplexity(ln_p: Sequence[float], tokens: Sequence[int]) -> float:
    """exp of the mean negative ln P of a token: pseudo-perplexity (Salazar et al. 2020)."""
    return math.exp(-math.fsum(ln_p) / sum(tokens))
