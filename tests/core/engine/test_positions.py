"""The states of other positions end in front of the last layer's own work, and nothing is cut unasked."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from core.engine import positions, reading
from core.engine.positions import CUT_IN_LAST_LAYER
from tests.support.watching import load_tiny


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "xlm-roberta"])
def test_the_last_layer_works_on_the_wanted_positions_only(family: str) -> None:
    model = load_tiny(family)
    assert model.module.config.model_type in CUT_IN_LAST_LAYER
    ids = torch.tensor([[7, 8, 9, 10, 11, 12]])
    wanted = torch.tensor([[4, 1]])
    whole = model.module(input_ids=ids).logits.log_softmax(-1)
    seen: list[tuple[int, ...]] = []
    layer = model.module.base_model.encoder.layer[-1]
    hook = layer.intermediate.register_forward_pre_hook(lambda _module, args: seen.append(tuple(args[0].shape[:2])))
    try:
        log_probs, _ = reading.forward(model.module, ids, torch.ones_like(ids), wanted)
    finally:
        hook.remove()
    assert seen == [(1, 2)]
    assert torch.allclose(log_probs[0], whole[0, [4, 1]], atol=1e-5)


def test_nothing_is_cut_unasked() -> None:
    module: Any = load_tiny("bert").module
    ids = torch.tensor([[7, 8, 9, 10]])
    assert module.base_model(input_ids=ids)[0].shape[1] == 4
    with positions.wanting(torch.tensor([[2]])) as wanted:
        assert module.base_model(input_ids=ids)[0].shape[1] == 1
    assert wanted.cut
    assert module.base_model(input_ids=ids)[0].shape[1] == 4
