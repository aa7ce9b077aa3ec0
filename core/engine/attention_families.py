"""Where each family keeps queries, keys, values and averaged attention, and how they are taken in a forward pass.

``LAYOUTS`` is the table. A family is recognised by the names of its modules, so that a new one with known names needs
no line here. Whether what is taken fits the maps the model returns is checked by who uses it (``attention``).

Q, K and V are what the projections give: before any rotary step, before any norm of queries and keys (Qwen3, Gemma 3)
and before OPT's scaling of queries; DeBERTa's biases of Q and V, which stand outside the projection, are added.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import torch

APART, BLOCKS, GROUPS = "apart", "blocks", "groups"


@dataclass(frozen=True)
class Layout:
    """Names inside the module that holds a layer's attention; ``out`` is the projection that reads the context.

    ``order`` says how one projection for all three is laid out: ``blocks`` is all queries, then all keys, then all
    values; ``groups`` is, for each key/value head, its queries, its key and its value. ``apart``: three projections.
    ``biases`` name parameters that are added to Q and V behind the projection. ``families`` is for the reader.
    """

    families: str
    query: str
    key: str
    value: str
    out: str
    order: str = APART
    biases: tuple[str, str] | None = None


LAYOUTS = (
    Layout(
        "BERT, RoBERTa, XLM-R, CamemBERT, ELECTRA, MobileBERT, RemBERT, ERNIE",
        "self.query",
        "self.key",
        "self.value",
        "output.dense",
    ),
    Layout("ALBERT", "query", "key", "value", "dense"),
    Layout("DistilBERT, XLM, FlauBERT", "q_lin", "k_lin", "v_lin", "out_lin"),
    Layout("DeBERTa-v2 and v3", "self.query_proj", "self.key_proj", "self.value_proj", "output.dense"),
    Layout(
        "DeBERTa",
        "self.in_proj",
        "self.in_proj",
        "self.in_proj",
        "output.dense",
        GROUPS,
        ("self.q_bias", "self.v_bias"),
    ),
    Layout("MPNet", "q", "k", "v", "o"),
    Layout("Llama, Mistral, Qwen, Gemma, OLMo, SmolLM, EuroBERT, Cohere", "q_proj", "k_proj", "v_proj", "o_proj"),
    Layout("OPT, GPT-Neo, GPT-J, BioGPT, XGLM", "q_proj", "k_proj", "v_proj", "out_proj"),
    Layout("Phi", "q_proj", "k_proj", "v_proj", "dense"),
    Layout("ModernBERT's decoder", "q_proj", "k_proj", "v_proj", "Wo"),
    Layout("GPT-2, OpenAI GPT, GPT-BigCode", "c_attn", "c_attn", "c_attn", "c_proj", BLOCKS),
    Layout(
        "GPT-NeoX, BLOOM, Falcon, Persimmon", "query_key_value", "query_key_value", "query_key_value", "dense", GROUPS
    ),
    Layout("ModernBERT", "Wqkv", "Wqkv", "Wqkv", "Wo", BLOCKS),
    Layout("MPT", "Wqkv", "Wqkv", "Wqkv", "out_proj", BLOCKS),
    Layout("Phi-3", "qkv_proj", "qkv_proj", "qkv_proj", "o_proj", BLOCKS),
)


@dataclass(frozen=True, slots=True)
class Taken:
    """What stood at one position: ``kind`` query, key, value or context, in attention number ``layer`` of the pass.

    ``states`` [row, token, width] are as the module gave them, all three of a joint projection together.
    """

    kind: str
    layer: int
    states: torch.Tensor
    bias: torch.Tensor | None = None


@dataclass
class _Pass:
    take: Callable[[Taken], torch.Tensor | None]
    layer: int = -1
    seen: set[str] = field(default_factory=set)


_pass: ContextVar[_Pass | None] = ContextVar("pass", default=None)
# Hooks are set once per module and are silent outside ``taking``: an instance serves several threads at a time.
_tapped: WeakKeyDictionary[Any, Layout | None] = WeakKeyDictionary()
_lock = threading.Lock()


@contextmanager
def taking(take: Callable[[Taken], torch.Tensor | None]) -> Iterator[None]:
    """Hand everything that is taken in this thread's forward passes to ``take``, in the order of the computation.

    What it returns of a context goes on through the model in that one's place.
    """
    token = _pass.set(_Pass(take))
    try:
        yield
    finally:
        _pass.reset(token)


def tap(body: Any) -> Layout | None:
    """Let a body hand over Q, K, V and context inside ``taking``; None when no layout of the table is in it."""
    with _lock:
        if body not in _tapped:
            _tapped[body] = next((layout for layout in LAYOUTS if _install(body, layout)), None)
        return _tapped[body]


def attentions(body: Any, layout: Layout) -> Iterator[Any]:
    """The modules that hold a layer's attention."""
    paths = (layout.query, layout.key, layout.value, layout.out)
    return (module for module in body.modules() if all(_part(module, path) is not None for path in paths))


def heads(layout: Layout, taken: Taken, count: int, width: int) -> torch.Tensor:
    """[row, token, head, width of a head], ``count`` heads for queries and context; keys and values may be fewer.

    Raises RuntimeError where the states do not divide into heads of this width.
    """
    states: torch.Tensor = torch.unflatten(taken.states, -1, (-1, width))
    if taken.kind != "context" and layout.order != APART:
        # Queries have all heads, keys and values share the rest.
        groups, odd = divmod(states.shape[2] - count, 2)
        if groups < 1 or odd:
            raise RuntimeError(f"{states.shape[2]} heads do not hold {count} of queries and as many of keys as values")
        if layout.order == GROUPS:
            states = torch.unflatten(states, 2, (groups, -1))
            place = {"query": slice(0, -2), "key": slice(-2, -1), "value": slice(-1, None)}[taken.kind]
            states = states[:, :, :, place].flatten(2, 3)
        else:
            states = torch.split(states, [count, groups, groups], dim=2)[("query", "key", "value").index(taken.kind)]
    return states if taken.bias is None else states + taken.bias.view(-1, width)


def _install(body: Any, layout: Layout) -> bool:
    """Set the hooks of a layout; False when the body holds no attention of it."""
    found = False
    for module in attentions(body, layout):
        found = True
        query, key, value, out = (_part(module, path) for path in (layout.query, layout.key, layout.value, layout.out))
        assert query is not None
        assert key is not None
        assert value is not None
        assert out is not None
        biases = [module.get_parameter(name) for name in layout.biases] if layout.biases else [None, None]
        module.register_forward_pre_hook(_start)
        query.register_forward_hook(_behind("query", biases[0]))
        key.register_forward_hook(_behind("key", None))
        value.register_forward_hook(_behind("value", biases[1]))
        out.register_forward_pre_hook(_before)
    return found


def _part(module: Any, path: str) -> Any | None:
    for name in path.split("."):
        module = module._modules.get(name)
        if module is None:
            return None
    return module


def _start(_module: Any, _inputs: Any) -> None:
    # Counted by calls, not by modules: ALBERT calls one module for every layer.
    now = _pass.get()
    if now is not None:
        now.layer += 1
        now.seen.clear()


def _behind(kind: str, bias: torch.Tensor | None) -> Callable[[Any, Any, Any], None]:
    def hand_over(_module: Any, _inputs: Any, output: Any) -> None:
        _hand_over(kind, output, bias)

    return hand_over


def _before(_module: Any, inputs: Any) -> Any:
    instead = _hand_over("context", inputs[0], None)
    return None if instead is None else (instead, *inputs[1:])


def _hand_over(kind: str, states: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor | None:
    now = _pass.get()
    # Only a layer's first call: DeBERTa sends its relative positions through the same projections afterwards.
    if now is not None and kind not in now.seen and isinstance(states, torch.Tensor):
        now.seen.add(kind)
        return now.take(Taken(kind, now.layer, states, bias))
    return None
