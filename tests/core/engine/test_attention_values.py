"""Detectors and maps of every family against numbers worked from the weights, in numpy and float64.

A plain model, loaded apart, gives hidden states and maps of the text alone and unpadded. Queries, keys and values are
then multiplied by hand from the weights of each layer, as the family's paper lays them out; the averaged attention is
map times values. Tokens are found by tokenising the text up to a word and up to its end, without offsets.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer

from core.engine.attention import AttentionQuery, AttentionReader, HeadSums, Position
from core.engine.loading import LoadedModel, with_attentions
from tests.support.paths import EMBEDDED
from tests.support.tiny import CAUSAL, HEADLESS, MASKED, tiny_folder
from tests.support.watching import load_tiny

Array = NDArray[np.float64]
FAMILIES = (*MASKED, *HEADLESS, *CAUSAL)
HEADS, LAYERS = 4, 2
TOLERANCE = 1e-5
TEXT = "The man said that he asked the chairwoman, and the nurse was tired."


def span(word: str, text: str = TEXT) -> tuple[int, int]:
    """The first place of a whole word."""
    found = re.search(rf"\b{word}\b", text)
    assert found is not None
    return found.span()


# A gendered word of several pieces (chair + woman), and an occupation of several with a gendered word behind it.
QUERIES = (
    AttentionQuery(TEXT, span("nurse"), (span("man"), span("he")), (span("chairwoman"),)),
    AttentionQuery(TEXT, span("chairwoman"), (span("man"),), (span("nurse"),)),
)


@functools.cache
def eager(family: str) -> LoadedModel:
    return with_attentions(load_tiny(family))


@functools.cache
def plain(family: str) -> tuple[Any, Any]:
    folder = tiny_folder(family)
    body = AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager").eval()
    return AutoTokenizer.from_pretrained(folder, local_files_only=True), body.requires_grad_(False)


@functools.cache
def run(family: str, text: str = TEXT) -> tuple[list[Array], list[Array]]:
    """Hidden states [token, width] of embedding output and layers, and maps [head, query, key], of a plain call."""
    tokenizer, body = plain(family)
    output = body(**tokenizer(text, return_tensors="pt"), output_hidden_states=True, output_attentions=True)
    return [state[0].double().numpy() for state in output.hidden_states], [
        layer[0].double().numpy() for layer in output.attentions
    ]


def places(family: str, word: tuple[int, int], text: str = TEXT) -> list[int]:
    """Places of the tokens of a stretch of characters."""
    tokenizer = plain(family)[0]
    front = tokenizer(text, return_special_tokens_mask=True)["special_tokens_mask"].index(0)
    before, until = (
        len(tokenizer(part, add_special_tokens=False)["input_ids"])
        for part in (text[: word[0]].rstrip(), text[: word[1]])
    )
    return list(range(front + before, front + until))


def weight(module: Any) -> tuple[Array, Array | float]:
    """[out, in] and bias of a linear layer."""
    bias = getattr(module, "bias", None)
    return module.weight.double().numpy(), 0.0 if bias is None else bias.double().numpy()


def linear(module: Any, x: Array) -> Array:
    matrix, bias = weight(module)
    return x @ matrix.T + bias


def layer_norm(module: Any, x: Array) -> Array:
    scale, shift = weight(module)
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + module.eps) * scale + shift


def slices(x: Array) -> Array:
    """[token, width] → [head, token, width of a head], heads side by side."""
    return x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)


def three(x: Array, query: Any, key: Any, value: Any) -> list[Array]:
    return [slices(linear(part, x)) for part in (query, key, value)]


def by_bert(body: Any, layer: int, x: Array) -> list[Array]:
    part = body.encoder.layer[layer].attention.self
    return three(x, part.query, part.key, part.value)


def by_albert(body: Any, _layer: int, x: Array) -> list[Array]:
    part = body.encoder.albert_layer_groups[0].albert_layers[0].attention  # one set of weights for all layers
    return three(x, part.query, part.key, part.value)


def by_distilbert(body: Any, layer: int, x: Array) -> list[Array]:
    part = body.transformer.layer[layer].attention
    return three(x, part.q_lin, part.k_lin, part.v_lin)


def by_deberta(body: Any, layer: int, x: Array) -> list[Array]:
    part = body.encoder.layer[layer].attention.self
    return three(x, part.query_proj, part.key_proj, part.value_proj)


def by_mpnet(body: Any, layer: int, x: Array) -> list[Array]:
    part = body.encoder.layer[layer].attention.attn
    return three(x, part.q, part.k, part.v)


def by_mobilebert(body: Any, layer: int, x: Array) -> list[Array]:
    block = body.encoder.layer[layer]
    narrow = block.bottleneck.attention  # queries and keys pass a bottleneck, values do not
    scale, shift = weight(narrow.LayerNorm)
    part, squeezed = block.attention.self, linear(narrow.dense, x) * scale + shift
    return [slices(linear(part.query, squeezed)), slices(linear(part.key, squeezed)), slices(linear(part.value, x))]


def by_modernbert(body: Any, layer: int, x: Array) -> list[Array]:
    block = body.layers[layer]
    x = layer_norm(block.attn_norm, x) if layer else x  # the first layer reads the normalised embedding
    joint = linear(block.attn.Wqkv, x)
    return [slices(joint[:, start : start + 32]) for start in (0, 32, 64)]


def by_gpt2(body: Any, layer: int, x: Array) -> list[Array]:
    block = body.h[layer]
    matrix, bias = weight(block.attn.c_attn)  # stored [in, out]
    joint = layer_norm(block.ln_1, x) @ matrix + bias
    return [slices(joint[:, start : start + 32]) for start in (0, 32, 64)]


def by_opt(body: Any, layer: int, x: Array) -> list[Array]:
    block = body.decoder.layers[layer]
    part = block.self_attn
    return three(layer_norm(block.self_attn_layer_norm, x), part.q_proj, part.k_proj, part.v_proj)


def by_gpt_neox(body: Any, layer: int, x: Array) -> list[Array]:
    block = body.layers[layer]
    joint = linear(block.attention.query_key_value, layer_norm(block.input_layernorm, x))
    # 24 rows for each head: 8 of its query, 8 of its key, 8 of its value
    return [
        np.stack([joint[:, 24 * head + start : 24 * head + start + 8] for head in range(HEADS)]) for start in (0, 8, 16)
    ]


def by_llama(body: Any, layer: int, x: Array) -> list[Array]:
    block = body.layers[layer]
    norm, part = block.input_layernorm, block.self_attn
    x = x / np.sqrt((x**2).mean(-1, keepdims=True) + norm.variance_epsilon) * weight(norm)[0]
    key, value = linear(part.k_proj, x), linear(part.v_proj, x)
    # two key/value heads of width 8: the first serves heads 0 and 1, the second heads 2 and 3
    shared = [np.stack([y[:, :8], y[:, :8], y[:, 8:], y[:, 8:]]) for y in (key, value)]
    return [slices(linear(part.q_proj, x)), *shared]


BY_HAND: dict[str, Callable[[Any, int, Array], list[Array]]] = dict.fromkeys(FAMILIES, by_bert) | {
    "albert": by_albert,
    "distilbert": by_distilbert,
    "deberta-v2": by_deberta,
    "mpnet": by_mpnet,
    "mobilebert": by_mobilebert,
    "modernbert": by_modernbert,
    "gpt2": by_gpt2,
    "opt": by_opt,
    "gpt-neox": by_gpt_neox,
    "llama": by_llama,
}


def detector(states: Array, *, causal: bool) -> Array:
    """softmax(H Hᵀ / √width) [head, query, key] of states [head, token, width]."""
    scores = states @ states.transpose(0, 2, 1) / np.sqrt(states.shape[2])
    if causal:
        scores[:, ~np.tri(scores.shape[1], dtype=bool)] = -np.inf
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def received(family: str, attention: Array, query: AttentionQuery) -> Array:
    """[side, head]: sum over a side's pieces, mean over the occupation's."""
    rows = attention[:, places(family, query.occupation)].mean(axis=1)
    return np.stack(
        [rows[:, [p for word in side for p in places(family, word)]].sum(axis=1) for side in (query.male, query.female)]
    )


def expected_detectors(family: str, query: AttentionQuery) -> Array:
    """[side, position, head]"""
    states, maps = run(family)
    body = plain(family)[1]
    positions = [slices(states[0])]
    for layer, attention in enumerate(maps):
        q, k, v = BY_HAND[family](body, layer, states[layer])
        positions += [q, k, v, attention @ v, slices(states[layer + 1])]
    found = [received(family, detector(h, causal=family in CAUSAL), query) for h in positions]
    return np.stack(found, axis=1)


@functools.cache
def answers(family: str) -> list[HeadSums]:
    found: dict[int, HeadSums] = {}
    for part, sums in AttentionReader(eager(family)).sums(QUERIES, detectors=True):
        for i, item in zip(part, sums, strict=True):
            assert isinstance(item, HeadSums), item
            found[i] = item
    return [found[i] for i in range(len(QUERIES))]


@pytest.mark.parametrize("family", FAMILIES)
def test_maps_are_those_of_a_plain_eager_call(family: str) -> None:
    reader = AttentionReader(eager(family))
    maps = reader.maps(TEXT)
    _, expected = run(family)
    tokens = len(reader.tokens(TEXT).pieces)
    assert maps.dtype == np.float32
    assert maps.shape == (LAYERS, HEADS, tokens, tokens)
    assert maps == pytest.approx(np.stack(expected), abs=1e-6)
    assert maps.sum(axis=-1) == pytest.approx(np.ones((LAYERS, HEADS, tokens)), abs=TOLERANCE)


@pytest.mark.parametrize("number", range(len(QUERIES)))
@pytest.mark.parametrize("family", FAMILIES)
def test_sums_of_the_maps(family: str, number: int) -> None:
    query, found = QUERIES[number], answers(family)[number]
    expected = np.stack([received(family, attention, query) for attention in run(family)[1]], axis=1)
    assert found.maps_male == pytest.approx(expected[0], abs=TOLERANCE)
    assert found.maps_female == pytest.approx(expected[1], abs=TOLERANCE)
    assert found.maps_male.dtype == np.float64
    assert found.maps_male.max() > 1000 * TOLERANCE  # a wrong place would show


@pytest.mark.parametrize("number", range(len(QUERIES)))
@pytest.mark.parametrize("family", FAMILIES)
def test_detectors_are_those_worked_from_the_weights(family: str, number: int) -> None:
    found, expected = answers(family)[number], expected_detectors(family, QUERIES[number])
    # MobileBERT normalises nothing: its scores reach the hundreds, of which float32 keeps less.
    tolerance = 1e-4 if family == "mobilebert" else TOLERANCE
    assert expected.shape == (2, 5 * LAYERS + 1, HEADS)
    assert found.detector_male == pytest.approx(expected[0], abs=tolerance)
    assert found.detector_female == pytest.approx(expected[1], abs=tolerance)
    # Every position, male words: not only zeros, which a wrong place gives as well.
    assert (expected[0].max(axis=-1) > 1e-3).sum() > LAYERS


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_here_has_all_positions(family: str) -> None:
    reader = AttentionReader(eager(family))
    layer = ("query", "key", "value", "context", "output")
    assert reader.missing == ""
    assert reader.looks_back == (family in CAUSAL)
    assert reader.positions == (
        Position("embedding", None),
        *(Position(kind, 0) for kind in layer),
        *(Position(kind, 1) for kind in layer),
    )


@pytest.mark.parametrize("family", CAUSAL)
def test_causal_models_see_nothing_behind_the_occupation(family: str) -> None:
    found = answers(family)[1]  # the nurse comes after the chairwoman
    assert found.detector_female is not None
    assert found.maps_female.max() == found.detector_female.max() == 0
    assert found.maps_male.min() > 0


def test_one_row_of_a_detector_by_hand() -> None:
    """Width 1, one head: h = (1, 2): row of the first token e^1, e^2 → 1/(1+e) and e/(1+e)."""
    assert detector(np.array([[[1.0], [2.0]]]), causal=False)[0, 0] == pytest.approx([0.26894, 0.73106], abs=1e-5)


def test_the_embedded_model_gives_the_maps_of_a_plain_eager_call(embedded: LoadedModel) -> None:
    text = "The developer argued with the designer because she did not like the design."
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED, local_files_only=True)
    body = AutoModel.from_pretrained(EMBEDDED, local_files_only=True, attn_implementation="eager", dtype="float32")
    output = body.eval().requires_grad_(False)(**tokenizer(text, return_tensors="pt"), output_attentions=True)
    expected = np.stack([layer[0].numpy() for layer in output.attentions])
    reader = AttentionReader(with_attentions(embedded))
    maps, tokens = reader.maps(text), reader.tokens(text)
    assert maps.shape == (6, 12, len(tokens.pieces), len(tokens.pieces))
    assert maps == pytest.approx(expected, abs=1e-6)
    assert tokens.pieces[:4] == ("[CLS]", "the", "developer", "argued")
    assert maps.sum(axis=-1) == pytest.approx(np.ones(expected.shape[:3]), abs=TOLERANCE)
