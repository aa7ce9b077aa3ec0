"""Which texts come when, and which of their tokens are hidden: functions of seed, epoch and text alone.

Nothing is drawn from a generator that runs on, so a training that is resumed sees what it would have seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

NOT_PREDICTED = -100  # the label that the loss passes over
MASKED, RANDOM = 0.8, 0.1  # of the hidden tokens; the others stay as they are (Devlin et al. 2019)

Ints = NDArray[np.int64]


class Draw(IntEnum):
    """What is drawn, so that no two draws share their numbers."""

    ORDER = 1
    TOKENS = 2
    DROPOUT = 3
    ADAPTERS = 4
    HEAD = 5


def seed_of(what: Draw, *numbers: int) -> int:
    """A seed of 63 bits for one draw."""
    state = np.random.SeedSequence((int(what), len(numbers), *numbers)).generate_state(1, np.uint64)
    return int(state[0]) >> 1


def order(seed: int, epoch: int, count: int) -> Ints:
    """The order of ``count`` texts in an epoch."""
    return np.random.default_rng(seed_of(Draw.ORDER, seed, epoch)).permutation(count)


def hide(
    ids: Sequence[int], own: range, *, share: float, mask: int, vocabulary: int, seed: int, epoch: int, text: int
) -> tuple[Ints, Ints]:
    """Token ids with some of the places ``own`` hidden, and the labels of those.

    Each place is chosen with probability ``share``, one at least: 80 % of the chosen become ``mask``, 10 % a random
    token below ``vocabulary``, 10 % stay.
    """
    random = np.random.default_rng(seed_of(Draw.TOKENS, seed, epoch, text))
    inputs = np.array(ids, dtype=np.int64)
    labels = np.full(len(inputs), NOT_PREDICTED, dtype=np.int64)
    places = np.arange(own.start, own.stop)
    chosen = places[random.random(len(places)) < share]
    if not len(chosen):
        chosen = random.choice(places, 1)
    labels[chosen] = inputs[chosen]
    fate = random.random(len(chosen))
    inputs[chosen[fate < MASKED]] = mask
    strange = chosen[(fate >= MASKED) & (fate < MASKED + RANDOM)]
    inputs[strange] = random.integers(vocabulary, size=len(strange))
    return inputs, labels
