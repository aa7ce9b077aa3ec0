"""Attention that given words receive from a given word: from a map, or from detectors with identity weights.

A detector takes the states H of a position (length × width), sliced into heads, and lets them attend to each other:
AS_h = softmax(H_h H_hᵀ / √(width of the slice)) over all real tokens (Li et al. 2021). Only the rows of the asking
word are computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class Asking:
    """One sentence of ``length`` tokens: the places of the asking word, and of the words of each side."""

    length: int
    asking: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]


class Batch:
    """The questions of one batch, ready for every position of the model.

    Sums are [row, head, side]: Σ of the attention to a side's places, mean over the asking word's places. Those of a
    map are float32 as the model's own softmax is. Those of detectors are natural logarithms in double precision:
    deep states differ by hundreds, where a softmax in single precision is 0 for both sides and their ratio is lost.
    ``looks_back``: each token attends to itself and those before it, in detectors as in the model's own maps.
    """

    def __init__(self, rows: Sequence[Asking], longest: int, *, looks_back: bool, device: torch.device) -> None:
        most = max(len(row.asking) for row in rows)
        places = torch.tensor([[*row.asking, *[0] * (most - len(row.asking))] for row in rows])
        weights = torch.tensor(
            [[1 / len(row.asking)] * len(row.asking) + [0.0] * (most - len(row.asking)) for row in rows]
        )
        most = max(len(side) for row in rows for side in row.sides)
        padded = [[[*side, *[-1] * (most - len(side))] for side in row.sides] for row in rows]
        columns = torch.tensor(padded).reshape(len(rows), len(rows[0].sides), most)  # −1 where there is no further one
        keys = torch.zeros(len(rows), longest, len(rows[0].sides))
        for r, row in enumerate(rows):
            for side, places_of_side in enumerate(row.sides):
                keys[r, list(places_of_side), side] = 1
        tokens = torch.arange(longest)
        seen = (tokens < torch.tensor([row.length for row in rows])[:, None])[:, None]
        if looks_back:
            seen = seen & (tokens <= places[:, :, None])
        unseen = torch.zeros(seen.shape).masked_fill(~seen, -math.inf)
        self._places = places.to(device)
        self._weights = weights[:, None, :, None].to(device)
        # Apple's devices have no double precision.
        self.exact = torch.float32 if device.type == "mps" else torch.float64
        self._keys = keys[:, None].to(device)
        self._columns = columns.clamp(min=0)[:, None, None].to(device)
        self._counted = torch.zeros(columns.shape).masked_fill(columns < 0, -math.inf)[:, None, None].to(device)
        self._ln_weights = self._weights.log()
        self._room: torch.Tensor | None = None
        self._unseen = unseen[:, None].to(device)

    def of_map(self, attention: torch.Tensor) -> torch.Tensor:
        """Sums [row, head, side] of a map [row, head, query, key]."""
        heads, longest = attention.shape[1], attention.shape[3]
        places = self._places[:, None, :, None].expand(-1, heads, -1, longest)
        return self._sums(attention.gather(2, places))

    def of_states(self, states: torch.Tensor) -> torch.Tensor:
        """Logarithms of the sums [row, head, side] of the detector at states [row, token, head, width]."""
        states = self._exactly(states.transpose(1, 2))
        heads, _, width = states.shape[1:]
        places = self._places[:, None, :, None].expand(-1, heads, -1, width)
        asking = states.gather(2, places) / math.sqrt(width)
        scores = (states @ asking.transpose(2, 3)).transpose(2, 3) + self._unseen
        # Of all logarithms only those of the sides' places are summed: log-sum-exp over every token is slow.
        columns = self._columns.expand(-1, heads, scores.shape[2], -1, -1)
        of_words = scores.log_softmax(dim=-1).gather(3, columns.flatten(3)).reshape(columns.shape)
        return ((of_words + self._counted).logsumexp(dim=-1) + self._ln_weights).logsumexp(dim=2)

    def _exactly(self, states: torch.Tensor) -> torch.Tensor:
        """States in double precision, one row behind the other, in the same memory for every position of a batch.

        Fresh memory would take five times as long as the arithmetic.
        """
        if self._room is None or self._room.shape != states.shape:
            self._room = torch.empty(states.shape, dtype=self.exact, device=states.device)
        return self._room.copy_(states)

    def _sums(self, rows: torch.Tensor) -> torch.Tensor:
        """[row, head, place of the asking word, key] → [row, head, side]."""
        return (rows.float() @ self._keys * self._weights).sum(dim=2)
