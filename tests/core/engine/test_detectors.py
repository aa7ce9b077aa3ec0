from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from core.engine import catalog, checkpoints
from core.engine.detectors import Asking, Batch
from core.engine.loading import LoadedModel, load, with_attentions
from tests.support.attention_results import measured

EXTRA = catalog.find("smollm2-135m-instruct")
SENTENCE = "She told him that her brother met the phlebotomist"
TWIN = "He told her that his sister met the phlebotomist"


def test_scores_far_below_the_best_keep_their_ratio() -> None:
    """Width 1, the word at place 3 asks: its scores are 30 · (0, −10, −20, 30) = 0, −300, −600, 900.

    ln T of place 1 = −300 − 900 = −1200, of place 2 = −600 − 900 = −1500: both are 0 in any float, and their ratio
    is e³⁰⁰. Places 0 and 1 together: ln(1 + e⁻³⁰⁰) − 900 = −900.
    """
    states = torch.tensor([0.0, -10, -20, 30])[None, :, None, None]
    batch = Batch([Asking(4, (3,), ((1,), (2,)))], 4, looks_back=True, device=torch.device("cpu"))
    assert batch.of_states(states)[0, 0].tolist() == pytest.approx([-1200, -1500])
    both = Batch([Asking(4, (3,), ((0, 1), (3,)))], 4, looks_back=True, device=torch.device("cpu"))
    assert both.of_states(states)[0, 0].tolist() == pytest.approx([-900, 0])


def test_a_side_that_cannot_be_seen_has_no_attention() -> None:
    """Place 1 asks and looks back: place 2 is behind it. Places 0 and 1 score 1 · 0 and 1 · 1: ln(1 / (1 + e))."""
    states = torch.tensor([0.0, 1, 5])[None, :, None, None]
    batch = Batch([Asking(3, (1,), ((0,), (2,)))], 3, looks_back=True, device=torch.device("cpu"))
    seen, unseen = batch.of_states(states)[0, 0].tolist()
    assert seen == pytest.approx(-math.log(1 + math.e))
    assert unseen == -math.inf


@pytest.fixture(scope="module")
def deep() -> LoadedModel:
    """A model of 30 layers, whose deep states differ by hundreds."""
    if EXTRA is None:
        pytest.skip("smollm2-135m-instruct is not on this machine; `make extra-model` brings it")
    return with_attentions(load(checkpoints.fetch(checkpoints.request(EXTRA.name)), device="cpu"))


def test_a_deep_model_loses_no_head(deep: LoadedModel) -> None:
    """The values are those of the same model in double precision, where a softmax still defines these heads."""
    sentence, twin = (SENTENCE, TWIN)
    result = measured([deep], sentence, twin)
    assert not result.excluded
    rows = result["heads"][(result["heads"]["layer"] == 14) & (result["heads"]["kind"] == "output")].set_index("head")
    assert rows["bias_swapped"][[1, 2]].tolist() == pytest.approx([-0.9875, -0.9982], abs=5e-5)
    assert rows["direction"][1] == "male"
    exact = measured([replace(deep, module=deep.module.double())], sentence, twin)["heads"]
    for column in ("bias", "bias_swapped"):
        assert result["heads"][column].to_numpy() == pytest.approx(exact[column].to_numpy(), abs=1e-4)
    assert (result["heads"]["direction"] == exact["direction"]).all()
