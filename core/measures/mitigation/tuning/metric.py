"""What a fine-tuning is summed up in: losses, perplexity, and the documents that are held out. Pure numbers."""

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


def end_steps(count: int) -> int:
    """Of how many steps the first and the last loss are means: a tenth, or ten, of fewer than twenty half; 1 at least.

    A single step says little: what it hides is drawn.
    """
    return max(1, -(-count // 10), min(10, count // 2))


def ends(losses: Sequence[float], weights: Sequence[int]) -> tuple[float | None, float | None]:
    """Mean loss of the first and of the last steps; ``weights`` says of how many steps each loss is the mean.

    None without a step. A listed loss that reaches over the end counts whole.
    """
    wanted = end_steps(sum(weights))
    return _mean(losses, weights, wanted), _mean(losses[::-1], weights[::-1], wanted)


def _mean(losses: Sequence[float], weights: Sequence[int], wanted: int) -> float | None:
    total, count = 0.0, 0
    for loss, weight in zip(losses, weights, strict=True):
        if count >= wanted:
            break
        total, count = total + loss * weight, count + weight
    return total / count if count else None


def perplexity(ln_p: Sequence[float], tokens: Sequence[int]) -> float:
    """exp of the mean negative ln P of a token: pseudo-perplexity (Salazar et al. 2020)."""
    return math.exp(-math.fsum(ln_p) / sum(tokens))
