"""The instance that gives attentions beside the one that scores: shared weights, settings of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from core.engine.checkpoints import ModelRequest
from core.engine.loading import LoadedModel
from core.engine.pool import ModelPool
from tests.support.tiny import CAUSAL, MASKED, POSITIONS, tiny_folder
from tests.support.watching import a_few_numbers


def ask(family: str, attention: str = "default") -> ModelRequest:
    return ModelRequest(str(tiny_folder(family)), device="cpu", attention=attention)


def storages(*modules: Any) -> int:
    """Bytes of all distinct tensors that hang anywhere in the modules, registered or not."""
    seen: dict[int, int] = {}
    for module in modules:
        for part in module.modules():
            values = [*part.parameters(recurse=False), *part.buffers(recurse=False), *vars(part).values()]
            for value in values:
                if isinstance(value, torch.Tensor):
                    storage = value.untyped_storage()
                    seen[storage.data_ptr()] = storage.nbytes()
    return sum(seen.values())


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_the_instance_with_attentions_shares_all_weights(family: str) -> None:
    pool = ModelPool()
    plain_request, eager_request = ask(family), ask(family, "eager")
    with pool.lease(plain_request) as plain, pool.lease(eager_request) as eager:
        before = plain.module.config._attn_implementation
        own, shared = (dict(model.module.named_parameters()) for model in (plain, eager))
        assert own.keys() == shared.keys()
        assert all(own[name].data_ptr() == shared[name].data_ptr() for name in own)
        assert storages(plain.module, eager.module) < 1.05 * storages(plain.module)
        assert (plain.info.attention, eager.info.attention) == ("default", "eager")
        assert eager.module.config._attn_implementation == "eager"
        assert plain.module is not eager.module
        assert a_few_numbers(eager) == pytest.approx(a_few_numbers(plain), abs=1e-5)
        assert plain.module.config._attn_implementation == before
    assert pool.held() == (family,)


@pytest.mark.parametrize("family", ["bert", "distilbert", "roberta", "electra", "gpt2", "opt", "gpt-neox", "llama"])
def test_the_plain_instance_keeps_the_fast_attention(family: str) -> None:
    pool = ModelPool()
    with pool.lease(ask(family, "eager")), pool.lease(ask(family)) as plain:
        assert {config._attn_implementation for config in configurations(plain)} == {"sdpa"}


def configurations(model: LoadedModel) -> list[Any]:
    return [part.config for part in model.module.modules() if hasattr(part, "config")]


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_attention_rows_sum_to_one(family: str) -> None:
    with ModelPool().lease(ask(family, "eager")) as model, torch.inference_mode():
        ids = model.tokenizer("The man said that he was tired.", return_tensors="pt").input_ids
        maps = model.module(input_ids=ids, output_attentions=True).attentions
    assert len(maps) == model.info.layers == 2
    tokens = ids.shape[1]
    assert tokens < POSITIONS
    for layer in maps:
        assert layer.shape == (1, model.info.heads, tokens, tokens)
        assert torch.allclose(layer.sum(-1), torch.ones(1, model.info.heads, tokens), atol=1e-5)
        assert bool((layer >= 0).all())
        assert bool((layer.triu(1) == 0).all()) == (family in CAUSAL)


def test_attentions_are_asked_for_while_others_score() -> None:
    """The two instances share weights, not settings: neither disturbs the other's numbers."""
    pool = ModelPool()
    with pool.lease(ask("bert")) as model:
        expected = a_few_numbers(model)

    def score(_: int) -> list[float]:
        with pool.lease(ask("bert")) as model:
            return a_few_numbers(model)

    def look(_: int) -> bool:
        with pool.lease(ask("bert", "eager")) as model, torch.inference_mode():
            ids = model.tokenizer("He was tired.", return_tensors="pt").input_ids
            return len(model.module(input_ids=ids, output_attentions=True).attentions) == 2

    with ThreadPoolExecutor(4) as threads:
        scores, looks = threads.map(score, range(12)), threads.map(look, range(12))
        assert all(looks)
        assert all(found == pytest.approx(expected, abs=1e-5) for found in scores)
