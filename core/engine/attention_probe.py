"""What a model gives when attention is requested: found out from the model itself, once, by one short text.

The table of families says where queries, keys, values and context should be. A position counts only if what stands
there fits the maps the model returns: the context must be its maps times its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from ..errors import UnsupportedModel
from . import attention_families as families
from .attention_families import Layout, Taken
from .loading import LoadedModel

_PROJECTED = ("query", "key", "value")
_NAMES = {
    "embedding": "embedding output",
    "query": "Q",
    "key": "K",
    "value": "V",
    "context": "averaged attention",
    "output": "layer output",
}


@dataclass(frozen=True)
class Found:
    """Maps of ``layers`` × ``heads``; ``kinds`` of positions that can be read, by ``layout`` with heads of ``width``.

    ``missing`` is a sentence about the kinds that cannot be read, empty when there are none.
    """

    layers: int
    heads: int
    width: int
    layout: Layout | None
    kinds: frozenset[str]
    missing: str


def forward(model: LoadedModel, ids: torch.Tensor, attention: torch.Tensor, *, states: bool) -> Any:
    """One pass through the body, without a prediction head, with maps and, where requested, hidden states."""
    with torch.inference_mode():
        return model.module.base_model(
            input_ids=ids, attention_mask=attention, output_attentions=True, output_hidden_states=states
        )


def probe(model: LoadedModel) -> Found:
    """What the positions of a model give.

    Raises UnsupportedModel for a model that returns no maps, or none of tokens by tokens, heads alike in all layers.
    """
    name, body = model.info.name, model.module.base_model
    ids = torch.tensor([model.tokenizer("he she they")["input_ids"]], device=next(body.parameters()).device)
    layout = families.tap(body)
    taken: dict[str, list[Taken]] = {kind: [] for kind in (*_PROJECTED, "context")}
    with families.taking(lambda states: taken[states.kind].append(states)):
        output = forward(model, ids, torch.ones_like(ids), states=True)
    maps, tokens = output.get("attentions") or (), ids.shape[1]
    if not maps or any(layer is None for layer in maps):
        raise UnsupportedModel(f"{name} returns no attention maps; choose a model that does, such as BERT or GPT-2.")
    heads = maps[0].shape[1]
    if any(layer.shape != (1, heads, tokens, tokens) for layer in maps):
        raise UnsupportedModel(
            f"The attention of {name} is not a map of tokens by tokens with as many heads in every layer; "
            "choose another model, such as BERT or GPT-2."
        )
    kinds, reasons = _of_states(output.get("hidden_states") or (), len(maps), heads)
    with torch.inference_mode():
        width, projected, reason = _of_projections(layout, taken, maps)
    kinds |= projected
    if reason:
        reasons.append(reason)
    return Found(len(maps), heads, width, layout, frozenset(kinds), _missing(kinds, reasons))


def _of_states(states: tuple[torch.Tensor, ...], layers: int, heads: int) -> tuple[set[str], list[str]]:
    """Which of embedding and layer output can be sliced into heads, and why one cannot."""
    if len(states) != layers + 1:
        return set(), ["not every layer has an attention map of its own"]
    kinds = {"embedding"} if states[0].shape[-1] % heads == 0 else set()
    if all(layer.shape[-1] % heads == 0 for layer in states[1:]):
        kinds.add("output")
    return kinds, [] if len(kinds) == 2 else [f"a width does not divide by {heads} heads"]


def _of_projections(
    layout: Layout | None, taken: dict[str, list[Taken]], maps: tuple[torch.Tensor, ...]
) -> tuple[int, set[str], str]:
    """Width of a head, which of Q, K, V and context are where the table says, and why one is not."""
    elsewhere = "its projections stand where the table of families does not know them"
    layers, heads, tokens = len(maps), maps[0].shape[1], maps[0].shape[2]
    every = [part for parts in taken.values() for part in parts]
    whole = all(len(parts) == layers for parts in taken.values())
    if layout is None or not whole or any(part.states.shape[:2] != (1, tokens) for part in every):
        return 0, set(), elsewhere
    # The context has one slice for each head, whatever the family; all other slices are as wide.
    width, rest = divmod(taken["context"][0].states.shape[-1], heads)
    if rest:
        return 0, set(), f"a width does not divide by {heads} heads"
    try:
        sliced = {kind: [families.heads(layout, part, heads, width) for part in parts] for kind, parts in taken.items()}
    except RuntimeError:
        return 0, set(), elsewhere
    if any(layer.shape[2] != heads for kind in ("query", "context") for layer in sliced[kind]) or any(
        heads % layer.shape[2] for kind in ("key", "value") for layer in sliced[kind]
    ):
        return 0, set(), elsewhere
    if all(map(_is_average, sliced["context"], maps, sliced["value"])):
        return width, {*_PROJECTED, "context"}, ""
    if layout.order != families.APART:
        # One projection for all three may be laid out otherwise than the table says: nothing of it can be trusted.
        return 0, set(), elsewhere
    return width, set(_PROJECTED), "its layers do more to the values than average them by the maps"


def _is_average(context: torch.Tensor, attention: torch.Tensor, value: torch.Tensor) -> bool:
    """Whether context [row, token, head, width] is the map [row, head, query, key] times the values."""
    shared = value.float().repeat_interleave(attention.shape[1] // value.shape[2], dim=2)
    expected = torch.einsum("rhqk,rkhw->rqhw", attention.float(), shared)
    # Half precision rounds by up to a hundredth of the values' size.
    noise = 1e-3 if context.dtype == torch.float32 else 0.05
    return bool((context.float() - expected).abs().max() <= noise * expected.abs().max())


def _missing(kinds: set[str], reasons: list[str]) -> str:
    lacking = [shown for kind, shown in _NAMES.items() if kind not in kinds]
    if not lacking:
        return ""
    where, why = ", ".join(lacking), "; ".join(reasons)
    return f"no detectors at {where}: {why}. The model’s own maps and the other detectors are complete."
