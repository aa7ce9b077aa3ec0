"""Forward passes that begin at a layer: what the layers below it gave in an earlier pass is given back, not computed.

Embeddings, and what a body does between its layers, are computed as always: only the calls of layers are spared. So
the numbers are those of the whole pass wherever the inputs of the layers below have not changed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MethodType
from typing import Any
from weakref import WeakSet

import torch
from torch import nn


@dataclass
class Passing:
    """A pass under way: layers below ``first`` give back what is in ``kept``; ``outputs`` collects the others'.

    ``layer`` is the number of the layer that was called last, from 0.
    """

    first: int = 0
    kept: Sequence[Any] = ()
    outputs: list[Any] = field(default_factory=list)
    layer: int = -1


_passing: ContextVar[Passing | None] = ContextVar("passing", default=None)
# Set once per module and silent outside ``passing``: an instance serves several threads at a time.
_tapped: WeakSet[Any] = WeakSet()
_lock = threading.Lock()


@contextmanager
def passing(first: int = 0, kept: Sequence[Any] = ()) -> Iterator[Passing]:
    """Let this thread's forward pass inside begin at layer ``first``, of a body that is tapped."""
    token = _passing.set(now := Passing(first, kept))
    try:
        yield now
    finally:
        _passing.reset(token)


def tap(body: Any, attentions: Iterable[Any]) -> bool:
    """Let the layers of a body that hold these attentions be spared; whether each has a module of its own for that.

    A layer is the outermost element of a list of modules. Modules that serve several layers (ALBERT) are called once
    for each, and calls are what counts.
    """
    layers = [_holder(body, module) for module in attentions]
    if None in layers:
        return False
    with _lock:
        for layer in layers:
            if layer is not None and layer not in _tapped:
                _tapped.add(layer)
                # A method and not a function: a copy of the module gets one that is bound to the copy.
                layer.forward = MethodType(_forward, layer)
    return True


def of_rows(output: Any, rows: torch.Tensor) -> Any:
    """What a layer gave, tensors and tuples of them, of these rows of its batch."""
    if isinstance(output, torch.Tensor):
        return output[rows]
    return tuple(of_rows(part, rows) for part in output) if isinstance(output, tuple) else output


def _forward(layer: Any, *inputs: Any, **options: Any) -> Any:
    now = _passing.get()
    if now is None:
        return type(layer).forward(layer, *inputs, **options)
    now.layer += 1
    if now.layer < now.first:
        return now.kept[now.layer]
    output = type(layer).forward(layer, *inputs, **options)
    now.outputs.append(output)
    return output


def _holder(body: Any, module: Any) -> Any | None:
    path = next(name for name, found in body.named_modules() if found is module)
    held = body
    for name in path.split("."):
        parent, held = held, held._modules[name]
        if isinstance(parent, nn.ModuleList):
            return held
    return None
