"""The table of families: how joint projections are cut, further families, and models it does not know.

That values and contexts are right is seen from outside: the averaged attention must be the maps a model returns times
its values. Without rotary positions, queries and keys can be checked the same way: softmax(QKᵀ/√width) is the map.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    BloomConfig,
    ConvBertConfig,
    CTRLConfig,
    DebertaConfig,
    FalconConfig,
    FNetConfig,
    Gemma3TextConfig,
    GPTBigCodeConfig,
    GPTJConfig,
    IBertConfig,
    LongformerConfig,
    MptConfig,
    NystromformerConfig,
    Phi3Config,
    PhiConfig,
    Qwen3Config,
)
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from core.engine import attention_families as families
from core.engine.attention import AttentionQuery, AttentionReader, HeadSums
from core.engine.attention_families import BLOCKS, GROUPS, LAYOUTS, Layout, Taken
from core.engine.loading import LoadedModel, with_attentions
from core.errors import UnsupportedModel
from tests.support.tiny import POSITIONS, WIDTH, randomise
from tests.support.watching import load_tiny

HEADS, LAYERS = 4, 2
COMMON = {"hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
LONG = {**COMMON, "intermediate_size": 64, "max_position_embeddings": POSITIONS}
GROUPED = {**LONG, "num_key_value_heads": 2}
GPT = {"n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": POSITIONS}
KNOWN: dict[str, Any] = {
    "BLOOM": BloomConfig(hidden_size=WIDTH, n_layer=LAYERS, n_head=HEADS),
    "DeBERTa": DebertaConfig(**LONG, relative_attention=True, pos_att_type=["c2p", "p2c"]),
    "Falcon, a head for each": FalconConfig(**COMMON, multi_query=False, alibi=True),
    "Falcon, one key for all": FalconConfig(**COMMON, multi_query=True),
    "Falcon, groups": FalconConfig(**COMMON, new_decoder_architecture=True, num_kv_heads=2),
    "Gemma 3": Gemma3TextConfig(**GROUPED, head_dim=12),
    "GPT-BigCode": GPTBigCodeConfig(**GPT),
    "GPT-J": GPTJConfig(**GPT, rotary_dim=4),
    "MPT": MptConfig(d_model=WIDTH, n_layers=LAYERS, n_heads=HEADS, max_seq_len=POSITIONS),
    "Phi": PhiConfig(**GROUPED),
    "Phi-3": Phi3Config(**GROUPED),
    "Qwen3": Qwen3Config(**GROUPED, head_dim=8),
}
NO_ROTARY = ("GPT-BigCode",)
NOWHERE = "its projections stand where the table of families does not know them"
ALL_FOUR = "Q, K, V, averaged attention"
LACKING = {
    "ConvBERT": (ConvBertConfig(**LONG, embedding_size=WIDTH), ALL_FOUR, NOWHERE),
    "CTRL": (CTRLConfig(**GPT, dff=64), ALL_FOUR, NOWHERE),
    "I-BERT": (IBertConfig(**LONG), ALL_FOUR, NOWHERE),
    "Nyströmformer": (
        NystromformerConfig(**LONG),
        "averaged attention",
        "its layers do more to the values than average them by the maps",
    ),
}


def model_of(config: Any) -> LoadedModel:
    """A tiny random model of any configuration, with the tokenizer of the tiny BERT."""
    stand_in = load_tiny("bert")
    config.vocab_size, config.pad_token_id = len(stand_in.tokenizer), stand_in.tokenizer.pad_token_id
    masked = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    auto = AutoModelForMaskedLM if masked else AutoModelForCausalLM
    module = auto.from_config(config, attn_implementation="eager").eval().requires_grad_(False)
    randomise(module, seed=1)
    info = replace(stand_in.info, name=config.model_type, attention="eager")
    return replace(stand_in, module=module, info=info)


def sums_of(reader: AttentionReader) -> HeadSums:
    text = "The man asked the nurse."
    query = AttentionQuery(text, (18, 23), ((4, 7),), ())
    ((_, (found,)),) = reader.sums([query], detectors=True)
    assert isinstance(found, HeadSums)
    return found


def test_blocks_are_all_queries_then_all_keys_then_all_values() -> None:
    """Four queries, two keys, two values of width 1, numbered in the order in which they are stored."""
    layout = Layout("", "a", "a", "a", "b", BLOCKS)
    found = [
        families.heads(layout, Taken(kind, 0, torch.arange(8.0).view(1, 1, 8)), 4, 1).flatten().tolist()
        for kind in ("query", "key", "value")
    ]
    assert found == [[0, 1, 2, 3], [4, 5], [6, 7]]


def test_groups_are_the_queries_of_a_key_then_that_key_then_its_value() -> None:
    layout = Layout("", "a", "a", "a", "b", GROUPS)
    states = torch.arange(16.0).view(1, 1, 16)  # two groups of four heads of width 2: query, query, key, value
    query, key, value = (families.heads(layout, Taken(kind, 0, states), 4, 2) for kind in ("query", "key", "value"))
    assert query.flatten().tolist() == [0, 1, 2, 3, 8, 9, 10, 11]
    assert key.flatten().tolist() == [4, 5, 12, 13]
    assert value.flatten().tolist() == [6, 7, 14, 15]
    assert query.shape == (1, 1, 4, 2)


@pytest.mark.parametrize("width", [5, 4])
@pytest.mark.parametrize("order", [BLOCKS, GROUPS])
def test_a_joint_projection_that_does_not_divide(order: str, width: int) -> None:
    with pytest.raises(RuntimeError):
        families.heads(Layout("", "a", "a", "a", "b", order), Taken("key", 0, torch.zeros(1, 1, width)), 4, 1)


@pytest.mark.parametrize("family", KNOWN)
def test_further_families_have_all_positions(family: str) -> None:
    """No position missing says: everywhere the context is the map times the values as they were cut."""
    reader = AttentionReader(model_of(KNOWN[family]))
    assert reader.missing == ""
    assert len(reader.positions) == 5 * LAYERS + 1
    found = sums_of(reader).detector_male
    assert found is not None
    assert found.shape == (5 * LAYERS + 1, HEADS)
    assert not np.isnan(found).any()


@pytest.mark.parametrize("family", NO_ROTARY)
def test_queries_and_keys_make_the_map(family: str) -> None:
    model = model_of(KNOWN[family])
    layout, taken = families.tap(model.module.base_model), list[Taken]()
    assert layout is not None
    ids = torch.tensor([[5, 30, 31, 6]])
    with families.taking(taken.append), torch.inference_mode():
        maps = model.module(input_ids=ids, output_attentions=True).attentions
    for layer in range(LAYERS):
        query, key = (
            families.heads(layout, item, HEADS, 8)
            for kind in ("query", "key")
            for item in taken
            if (item.kind, item.layer) == (kind, layer)
        )
        scores = torch.einsum("rqhw,rkw->rhqk", query, key[:, :, 0]) / 8**0.5
        scores = scores.masked_fill(~torch.ones(4, 4).tril().bool(), -torch.inf)
        assert torch.allclose(scores.softmax(-1), maps[layer], atol=1e-5)


def test_biases_outside_the_projection_are_added() -> None:
    """DeBERTa: 24 numbers for each head, query, key and value; the biases of Q and V stand apart."""
    model = model_of(KNOWN["DeBERTa"])
    layout, taken = families.tap(model.module.base_model), list[Taken]()
    assert layout is not None
    with families.taking(taken.append), torch.inference_mode():
        states = model.module.base_model(torch.tensor([[5, 30, 31, 6]]), output_hidden_states=True).hidden_states
    part = model.module.base_model.encoder.layer[0].attention.self
    joint = (states[0][0] @ part.in_proj.weight.T).view(4, HEADS, 24)
    biases = {"query": part.q_bias.view(HEADS, 8), "key": 0, "value": part.v_bias.view(HEADS, 8)}
    for place, (kind, bias) in enumerate(biases.items()):
        one = next(item for item in taken if (item.kind, item.layer) == (kind, 0))
        expected = joint[:, :, 8 * place : 8 * place + 8] + bias
        assert torch.allclose(families.heads(layout, one, HEADS, 8)[0], expected, atol=1e-5)


@pytest.mark.parametrize("family", LACKING)
def test_a_family_without_them_still_gets_maps_and_says_what_is_missing(family: str) -> None:
    config, kinds, reason = LACKING[family]
    model = model_of(config)
    reader = AttentionReader(model)
    assert reader.missing == (
        f"no detectors at {kinds}: {reason}. The model’s own maps and the other detectors are complete."
    )
    found = sums_of(reader)
    assert found.detector_male is not None
    lost = {"query", "key", "value", "context"} if kinds == ALL_FOUR else {"context"}
    for position, row in zip(reader.positions, found.detector_male, strict=True):
        assert np.isnan(row).all() == (position.kind in lost), position
        assert np.isnan(row).any() == (position.kind in lost), position
    assert not np.isnan(found.maps_male).any()
    assert reader.maps("The man asked the nurse.").shape[0] == LAYERS


def test_a_width_that_does_not_divide_by_the_heads() -> None:
    """A Qwen3 of width 30 has four heads of width 8 inside, but its states cannot be cut into four."""
    reader = AttentionReader(model_of(Qwen3Config(**{**GROUPED, "hidden_size": 30, "head_dim": 8})))
    assert reader.missing == (
        "no detectors at embedding output, layer output: a width does not divide by 4 heads. "
        "The model’s own maps and the other detectors are complete."
    )
    found = sums_of(reader).detector_female
    assert found is not None
    lost = [position.kind for position, row in zip(reader.positions, found, strict=True) if np.isnan(row).all()]
    assert lost == ["embedding", "output", "output"]


def test_models_without_maps_of_tokens_by_tokens_are_refused() -> None:
    with pytest.raises(UnsupportedModel, match="fnet returns no attention maps; choose a model that does"):
        AttentionReader(model_of(FNetConfig(**LONG)))
    with pytest.raises(UnsupportedModel, match="The attention of longformer is not a map of tokens by tokens"):
        AttentionReader(model_of(LongformerConfig(**LONG, attention_window=8)))


def test_the_table_names_each_family_once() -> None:
    names = [name for layout in LAYOUTS for name in layout.families.split(", ")]
    assert len(set(names)) == len(names)
    assert all(
        len({layout.query, layout.key, layout.value}) == (3 if layout.order == "apart" else 1) for layout in LAYOUTS
    )


def test_hooks_are_set_once_and_are_silent_outside() -> None:
    model = with_attentions(load_tiny("gpt2"))
    body, ids = model.module.base_model, torch.tensor([[5, 30]])
    assert families.tap(body) is families.tap(body)
    taken: list[Taken] = []
    with torch.inference_mode():
        with families.taking(taken.append):
            body(ids)
        seen = [(item.kind, item.layer) for item in taken]
        body(ids)
    assert seen == [(kind, layer) for layer in range(LAYERS) for kind in ("query", "key", "value", "context")]
    assert len(taken) == len(seen)


def test_a_body_of_no_known_family() -> None:
    assert families.tap(torch.nn.Sequential(torch.nn.Linear(2, 2))) is None
