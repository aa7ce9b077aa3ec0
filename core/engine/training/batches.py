"""Which texts a step reads, and their tokens as tensors of one length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ..parentage import Settings
from .masking import Ints, order


def chosen(settings: Settings, step: int, texts: int) -> tuple[int, tuple[int, ...]]:
    """The epoch of a step, and the places of the texts that it reads."""
    epoch, at = divmod(step, -(-texts // settings.batch))
    first = at * settings.batch
    return epoch, tuple(int(text) for text in order(settings.seed, epoch, texts)[first : first + settings.batch])


def padded(rows: Sequence[Sequence[int] | Ints], fill: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of numbers filled up to the longest, and where they are no filling (1, else 0): [row, place] both."""
    shape = len(rows), max(map(len, rows))
    values, own = torch.full(shape, fill), torch.zeros(shape, dtype=torch.long)
    for at, row in enumerate(rows):
        values[at, : len(row)] = torch.from_numpy(np.asarray(row, dtype=np.int64))
        own[at, : len(row)] = 1
    return values, own
