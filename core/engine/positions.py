"""Only the states at the wanted positions go on: through the last layer where it can be, and to the prediction head."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import torch

# Families whose last layer, behind its attention, works on each position by itself, its residual included, in a
# module ``attention.output`` of its own: what is behind it is most of a layer's work.
CUT_IN_LAST_LAYER = frozenset({"bert", "camembert", "electra", "roberta", "xlm-roberta"})


@dataclass
class Wanted:
    """The positions [row, position] of one forward pass, and whether the states were cut down to them already."""

    positions: torch.Tensor
    cut: bool = False


_wanted: ContextVar[Wanted | None] = ContextVar("wanted", default=None)


@contextmanager
def wanting(positions: torch.Tensor) -> Iterator[Wanted]:
    """Inside, the body of a model hands on the states at ``positions`` alone, if it has the hooks of ``install``."""
    wanted = Wanted(positions)
    token = _wanted.set(wanted)
    try:
        yield wanted
    finally:
        _wanted.reset(token)


def at(values: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """[row, position, width] → [row, wanted position, width]."""
    return values.gather(1, positions.unsqueeze(-1).expand(-1, -1, values.shape[-1]))


def install(module: Any) -> None:
    """Let the body of a model hand on only the states at the wanted positions.

    Prediction heads work on each position alone, in every family. Cutting the states down in front of the head
    therefore gives the same numbers as cutting the logits afterwards, and saves the projection of every other
    position onto the vocabulary, without knowing any family's head. Nothing is cut outside ``wanting``.
    """

    def in_last_layer(_output: Any, states: tuple[torch.Tensor, torch.Tensor]) -> Any:
        wanted = _wanted.get()
        if wanted is None:
            return None
        wanted.cut = True
        return tuple(at(state, wanted.positions) for state in states)

    def in_front_of_head(_body: Any, _inputs: Any, output: Any) -> Any:
        wanted = _wanted.get()
        if wanted is not None and not wanted.cut:
            output["last_hidden_state"] = at(output[0], wanted.positions)
            wanted.cut = True
        return output

    # OPT passes its body by and calls the decoder inside.
    body = getattr(module.base_model, "decoder", module.base_model)
    if body is module:
        return
    body.register_forward_hook(in_front_of_head)
    if module.config.model_type in CUT_IN_LAST_LAYER:
        body.encoder.layer[-1].attention.output.register_forward_pre_hook(in_last_layer)
