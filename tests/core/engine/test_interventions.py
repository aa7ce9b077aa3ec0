"""Heads that are knocked out or patched, against plain runs of the whole model with a hook of its own."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
import torch
from transformers import CTRLConfig, NystromformerConfig

from core.engine import attention_families as families
from core.engine import interventions, reading, resuming
from core.engine.interventions import Head, HeadEditor, Question
from core.engine.loading import LoadedModel, with_attentions
from core.errors import ModelError, UnsupportedModel
from core.run import Callbacks
from tests.core.engine.test_attention_families import GPT, KNOWN, LONG, model_of
from tests.support.tiny import CAUSAL, MASKED
from tests.support.watching import a_few_numbers, load_tiny, watching

EVERYWHERE = (*MASKED, *CAUSAL)
TEXTS = (
    ("The man said that {} was tired.", "The woman said that {} was tired."),
    ("The woman told the teacher that {} was tired.", "The man told the teacher that {} was tired."),
    ("A friend of the man, a teacher, was there, and {} was very tired.", ""),
)
TOLERANCE = 1e-5


@cache
def model(family: str) -> LoadedModel:
    return with_attentions(load_tiny(family))


@cache
def editor(family: str) -> HeadEditor:
    return HeadEditor(model(family))


def question(model: LoadedModel, text: str) -> Question:
    """ln P(he) − ln P(she), up to their first tokens, at the mask; of a causal model at the token before the word."""
    tokenizer = model.tokenizer
    he, she = (
        next(token for token in reversed(tokenizer(f"The {word}", add_special_tokens=False)["input_ids"]))
        for word in ("man", "woman")
    )
    if model.info.kind == "causal":
        ids = tuple(tokenizer(text.partition(" {}")[0])["input_ids"])
        return Question(ids, len(ids) - 1, ((he, 1.0), (she, -1.0)))
    ids = tuple(tokenizer(text.format(tokenizer.mask_token))["input_ids"])
    return Question(ids, ids.index(tokenizer.mask_token_id), ((he, 1.0), (she, -1.0)))


def pairs(model: LoadedModel) -> list[tuple[Question, Question | None]]:
    return [
        (question(model, text), question(model, other) if other else None)
        for text, other in TEXTS
        if not other or len(question(model, text).ids) == len(question(model, other).ids)
    ]


def of_order(found: Iterator[tuple[Sequence[int], np.ndarray]]) -> np.ndarray:
    """The rows in the order in which they were asked, each once."""
    rows: dict[int, np.ndarray] = {}
    for part, values in found:
        assert rows.keys().isdisjoint(part)
        rows.update(zip(part, values, strict=True))
    return np.array([rows[at] for at in sorted(rows)])


def alone(heads: Sequence[Head]) -> list[tuple[Head, ...]]:
    return [(head,) for head in heads]


def outputs_of(model: LoadedModel) -> list[torch.nn.Module]:
    """The output projection of each layer, in the order of the layers; ALBERT's one comes once a layer."""
    layout = families.tap(model.module.base_model)
    assert layout is not None
    found = [module.get_submodule(layout.out) for module in families.attentions(model.module.base_model, layout)]
    return found * (model.info.layers // len(found))


def plainly(model: LoadedModel, asked: Question, values: dict[Head, torch.Tensor]) -> float:
    """The whole model alone on one input, with the context of heads set by a hook in front of the projection."""
    calls = iter(range(model.info.layers))

    def put(_module: object, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        layer, context = next(calls), inputs[0].clone()
        width = context.shape[-1] // model.info.heads
        for (at, head), value in values.items():
            if at == layer:
                context[..., head * width : (head + 1) * width] = value
        return (context, *inputs[1:])

    with hooked(model, put), torch.inference_mode():
        logits = model.module(input_ids=torch.tensor([asked.ids])).logits[0, asked.position]
    log_probs = torch.log_softmax(logits.double(), dim=-1)
    return float(sum(weight * log_probs[token] for token, weight in asked.weights))


def contexts(model: LoadedModel, asked: Question) -> list[torch.Tensor]:
    """The context of each layer [1, token, width of all heads]."""
    kept: list[torch.Tensor] = []
    with hooked(model, lambda _module, inputs: kept.append(inputs[0].clone())), torch.inference_mode():
        model.module(input_ids=torch.tensor([asked.ids]))
    return kept


@contextmanager
def hooked(model: LoadedModel, hook: object) -> Iterator[None]:
    handles = [module.register_forward_pre_hook(hook) for module in dict.fromkeys(outputs_of(model))]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@pytest.mark.parametrize("family", EVERYWHERE)
def test_knocked_out_heads_against_the_whole_model_with_a_hook(family: str) -> None:
    of, asked = editor(family), pairs(model(family))
    found = of_order(of.changed([(item, None) for item, _ in asked], [*alone(of.every), of.every]))
    for row, (item, _) in zip(found, asked, strict=True):
        expected = [plainly(model(family), item, {})]
        expected += [plainly(model(family), item, {head: torch.tensor(0.0)}) for head in of.every]
        expected.append(plainly(model(family), item, dict.fromkeys(of.every, torch.tensor(0.0))))
        assert row == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("family", EVERYWHERE)
def test_patched_heads_against_the_whole_model_with_a_hook(family: str) -> None:
    of, asked = editor(family), [(item, twin) for item, twin in pairs(model(family)) if twin is not None]
    assert asked
    found = of_order(of.changed(asked, [*alone(of.every), ((0, 1), (1, 2))]))
    for row, (item, twin) in zip(found, asked, strict=True):
        own = contexts(model(family), twin)
        width = own[0].shape[-1] // of.heads

        def value(head: Head, own: list[torch.Tensor] = own, width: int = width) -> torch.Tensor:
            return own[head[0]][..., head[1] * width : (head[1] + 1) * width]

        expected = [plainly(model(family), item, {head: value(head)}) for head in of.every]
        expected.append(plainly(model(family), item, {head: value(head) for head in ((0, 1), (1, 2))}))
        assert row[1:] == pytest.approx(expected, abs=TOLERANCE)
        assert np.abs(row[1:] - row[0]).max() > 100 * TOLERANCE  # something was patched


@pytest.mark.parametrize("family", EVERYWHERE)
def test_layers_below_a_head_are_spared_in_every_family(family: str) -> None:
    assert editor(family).resumes


@pytest.mark.parametrize("family", EVERYWHERE)
def test_changing_nothing_changes_nothing(family: str) -> None:
    """No head knocked out; and every head patched with its own value, alone and all together."""
    of, asked = editor(family), [item for item, _ in pairs(model(family))]
    (nothing,) = of_order(of.changed([(item, None) for item in asked], [()])).T[1:]
    own = of_order(of.changed([(item, item) for item in asked], [*alone(of.every), of.every]))
    assert nothing == pytest.approx(own[:, 0], abs=TOLERANCE)
    assert own == pytest.approx(np.repeat(own[:, :1], own.shape[1], axis=1), abs=TOLERANCE)


@pytest.mark.parametrize("family", EVERYWHERE)
def test_the_twins_hidden_values_give_the_twins_outcome(family: str) -> None:
    """The sentence's embeddings under what the twin's layers gave: nothing is left of the sentence."""
    of = editor(family)
    item, twin = next((item, twin) for item, twin in pairs(model(family)) if twin is not None)
    (expected,) = of_order(of.changed([(twin, None)], ())).T[0]
    states = of._read([twin])
    with resuming.passing(of.layers - 1, states.outputs):
        found = of._ask(torch.tensor([item.ids]), torch.ones(1, len(item.ids), dtype=torch.long), [item])
    assert found[0] == pytest.approx(expected, abs=TOLERANCE)


def test_the_sum_over_heads_is_not_the_effect_of_all_together() -> None:
    of = editor("bert")
    found = of_order(of.changed(pairs(model("bert")), [*alone(of.every), of.every]))
    effects = found[:, 1:] - found[:, :1]
    assert np.abs(effects[:, :-1].sum(axis=1) - effects[:, -1]).min() > 0.01


def test_a_fixed_value_stands_at_every_position() -> None:
    of, tiny = editor("bert"), model("bert")
    values = np.random.default_rng(0).normal(size=(of.layers, of.heads, 8))
    asked = question(tiny, TEXTS[0][0])
    (row,) = of_order(of.changed([(asked, None)], alone(of.every), instead=values))
    expected = [plainly(tiny, asked, {head: torch.tensor(values[head], dtype=torch.float32)}) for head in of.every]
    assert row[1:] == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("family", ["bert", "mobilebert", "albert", "gpt2"])
def test_the_mean_output_is_that_over_all_tokens_each_input_once(family: str) -> None:
    of, tiny = editor(family), model(family)
    asked = [item for item, _ in pairs(tiny)]
    found = of.mean_output([*asked, asked[0]])
    assert found is not None
    layers = zip(*(contexts(tiny, item) for item in asked), strict=True)
    expected = [torch.cat([context[0] for context in layer]).mean(dim=0).view(of.heads, -1) for layer in layers]
    np.testing.assert_allclose(found, torch.stack(expected).numpy(), atol=TOLERANCE)


@pytest.mark.parametrize("family", ["bert", "mobilebert", "gpt2"])
def test_batches_and_order_change_no_number(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of, asked = editor(family), pairs(model(family))
    sets = alone(of.every)
    expected = of_order(of.changed(asked, sets))
    monkeypatch.setattr(reading, "PROCESSOR_TOKENS", 40)
    monkeypatch.setattr(reading, "LEAST_TOKENS", 40)
    again = of_order(of.changed(asked[::-1], sets[::-1]))
    assert again[::-1, :1] == pytest.approx(expected[:, :1], abs=TOLERANCE)
    assert again[::-1, :0:-1] == pytest.approx(expected[:, 1:], abs=TOLERANCE)


def test_out_of_memory_changes_no_number() -> None:
    of, asked = editor("bert"), pairs(model("bert"))
    expected = of_order(of.changed(asked, alone(of.every)))
    with watching(model("bert"), room=2) as watched:
        found = of_order(of.changed(asked, alone(of.every)))
    assert watched.refused
    assert found == pytest.approx(expected, abs=TOLERANCE)


def test_a_stop_between_batches_leaves_whole_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PROCESSOR_TOKENS", 40)
    monkeypatch.setattr(reading, "LEAST_TOKENS", 40)
    of, asked = editor("bert"), pairs(model("bert"))
    expected = of_order(of.changed(asked, alone(of.every)))
    reached = set()
    for patience in range(1, 30):
        allowed = iter(range(patience))
        run = Callbacks(cancelled=lambda allowed=allowed: next(allowed, None) is None)  # type: ignore[misc]
        found = list(of.changed(asked, alone(of.every), run=run))
        reached.add(sum(len(part) for part, _ in found))
        for part, values in found:
            assert values == pytest.approx(expected[list(part)], abs=TOLERANCE)
    assert 0 in reached
    assert len(reached) > 2


def test_layers_below_are_not_called() -> None:
    """Two layers: a head of the first one costs two layers, a head of the second one, and the input costs two."""
    tiny, of = model("bert"), editor("bert")
    calls = []
    handles = [
        layer.attention.register_forward_hook(lambda *_, at=at: calls.append(at))
        for at, layer in enumerate(tiny.module.base_model.encoder.layer)
    ]
    try:
        list(of.changed([(question(tiny, TEXTS[0][0]), None)], [((0, 0),), ((1, 0),)]))
    finally:
        for handle in handles:
            handle.remove()
    assert calls == [0, 1, 0, 1, 1]


def test_a_copy_of_a_model_that_was_asked_computes_by_itself() -> None:
    editor("bert")
    mine = copy.deepcopy(model("bert").module)
    with torch.no_grad():
        mine.base_model.encoder.layer[0].output.dense.weight.zero_()
    ids = torch.tensor([[5, 6, 7]])
    with torch.inference_mode():
        assert not torch.allclose(mine(input_ids=ids).logits, model("bert").module(input_ids=ids).logits, atol=1e-3)


def test_a_model_that_was_asked_gives_the_same_numbers_to_others() -> None:
    editor("bert")
    assert a_few_numbers(model("bert")) == pytest.approx(a_few_numbers(load_tiny("bert")), abs=TOLERANCE)


@pytest.mark.parametrize("name", ["DeBERTa", "Phi-3", "Falcon, groups", "Qwen3", "BLOOM"])
def test_further_families(name: str) -> None:
    tiny = model_of(KNOWN[name])
    of, asked = HeadEditor(tiny), Question((5, 6, 7, 8), 2, ((9, 1.0), (10, -1.0)))
    (row,) = of_order(of.changed([(asked, None)], alone(of.every)))
    expected = [plainly(tiny, asked, {head: torch.tensor(0.0)}) for head in of.every]
    assert row[1:] == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("config", [CTRLConfig(**GPT, dff=64), NystromformerConfig(**LONG)])
def test_heads_that_cannot_be_told_apart_are_refused(config: object) -> None:
    with pytest.raises(UnsupportedModel, match="cannot be told apart"):
        HeadEditor(model_of(config))


def test_a_model_without_attention_outputs_is_refused() -> None:
    with pytest.raises(ModelError, match="without attention outputs"):
        HeadEditor(load_tiny("bert"))


def test_inputs_of_two_lengths_have_no_partners() -> None:
    tiny = model("bert")
    first, second = question(tiny, TEXTS[0][0]), question(tiny, TEXTS[1][0])
    with pytest.raises(ValueError, match="no partner"):
        list(editor("bert").changed([(first, second)], []))


def test_little_is_kept_of_a_model_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    of, asked = editor("bert"), pairs(model("bert"))
    expected = of_order(of.changed(asked, alone(of.every)))
    monkeypatch.setattr(interventions, "KEPT", 1)
    found = list(of.changed(asked, alone(of.every)))
    assert len(found) == len(asked)
    assert of_order(iter(found)) == pytest.approx(expected, abs=TOLERANCE)
