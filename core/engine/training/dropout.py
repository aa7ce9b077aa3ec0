"""Dropout from a generator of its own: torch draws it from one that the whole program shares."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode


class OwnDropout(TorchFunctionMode):
    """Within it, dropout of this thread is drawn from a generator that ``seed`` sets."""

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self._generator = torch.Generator(device)

    def seed(self, seed: int) -> None:
        """Begin anew."""
        self._generator.manual_seed(seed)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.nn.functional.dropout or func is torch.dropout:
            return self._drop(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))

    def _drop(self, states: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> torch.Tensor:
        if not training or p == 0:
            return states
        kept = torch.empty_like(states).bernoulli_(1 - p, generator=self._generator)
        return states * kept.div_(1 - p)
