"""Attention in one sentence: by hand from a plain call, invariants, and sentences a model cannot judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from core.engine import loading
from core.engine.attention import AttentionReader
from core.engine.loading import LoadedModel
from core.errors import ModelError, NothingToScore, OptionError
from core.measures.attention.compute import maps, run
from core.measures.attention.result import AttentionResult
from core.run import Callbacks
from core.sources import marked
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

TEXT = "The woman told him that she was a nurse."
TWIN = "The man told her that he was a nurse."


def eager(family: str) -> LoadedModel:
    return loading.with_attentions(load_tiny(family))


def measured(model: LoadedModel) -> AttentionResult:
    return run([model], marked(TEXT), marked(TWIN))


def test_the_models_own_maps_by_a_plain_call() -> None:
    model = eager("bert")
    result = measured(model)
    biases = []
    for text, male, female in ((TEXT, ("him",), ("woman", "she")), (TWIN, ("man", "he"), ("her",))):
        inputs = model.tokenizer(text, return_tensors="pt")
        pieces = model.tokenizer.convert_ids_to_tokens(inputs.input_ids[0])
        with torch.inference_mode():
            own = torch.stack(model.module(**inputs, output_attentions=True).attentions)[:, 0].double().numpy()
        row = own[:, :, pieces.index("nurse")]
        t_m, t_f = (row[..., [pieces.index(word) for word in words]].sum(axis=-1) for words in (male, female))
        biases.append((t_m - t_f) / np.sqrt(t_m**2 + t_f**2))
    rows = result.summary[result.summary["kind"] == "attention"]
    assert rows["bias"].tolist() == pytest.approx(biases[0].ravel(), abs=1e-5)
    assert rows["bias_swapped"].tolist() == pytest.approx(biases[1].ravel(), abs=1e-5)
    assert rows["degree"].tolist() == pytest.approx((biases[0] * biases[1]).ravel(), abs=1e-5)
    total = (biases[0] + biases[1]).ravel()
    assert rows["direction"].tolist() == ["male" if one > 0 else "female" for one in total]


def test_rows_name_every_head_of_every_position() -> None:
    summary = measured(eager("bert")).summary
    own, detectors = summary[summary["position"].isna()], summary[summary["position"].notna()]
    assert set(own["kind"]) == {"attention"}
    assert len(own) == 2 * 4
    assert len(detectors) == (5 * 2 + 1) * 4
    assert detectors["kind"].tolist()[::4][:6] == ["embedding", "query", "key", "value", "context", "output"]
    assert detectors["layer"].isna().sum() == 4
    assert detectors["position"].tolist()[::4] == list(range(11))


def test_every_row_of_every_map_sums_to_one() -> None:
    for held in maps(eager("bert"), marked(TEXT), marked(TWIN)):
        assert held.attention.shape == (2, 4, len(held.pieces), len(held.pieces))
        np.testing.assert_allclose(held.attention.sum(axis=-1), 1, atol=1e-5)


def test_the_tokens_carry_their_roles() -> None:
    model = eager("bert")
    first, second = maps(model, marked(TEXT), marked(TWIN))
    roles = [(piece, role) for piece, role in zip(first.pieces, first.roles, strict=True) if role]
    assert roles == [("woman", "female"), ("him", "male"), ("she", "female"), ("nurse", "occupation")]
    assert (first.which, second.which) == ("sentence", "twin")
    tokens = measured(model).detail
    for held in (first, second):
        own = tokens[tokens["which"] == held.which]
        assert (tuple(own["piece"]), tuple(own["role"])) == (held.pieces, held.roles)


def test_exchanging_sentence_and_twin_changes_no_degree() -> None:
    model = eager("bert")
    one, other = run([model], marked(TEXT), marked(TWIN)), run([model], marked(TWIN), marked(TEXT))
    np.testing.assert_allclose(one.summary["degree"], other.summary["degree"], atol=1e-6)
    np.testing.assert_allclose(one.summary["bias"], other.summary["bias_swapped"], atol=1e-6)
    assert one.summary["direction"].tolist() == other.summary["direction"].tolist()


def test_a_sentence_that_is_its_own_twin_is_biased_in_every_head() -> None:
    result = run([eager("bert")], marked(TEXT), marked(TEXT))
    degrees = result.summary["degree"]
    assert (degrees >= 0).all()
    np.testing.assert_allclose(degrees, result.summary["bias"] ** 2, atol=1e-6)


def test_the_profile_is_the_mean_of_its_heads() -> None:
    result = measured(eager("bert"))
    detectors = result.summary[result.summary["position"].notna()]
    by_position = detectors.groupby("position")["degree"]
    np.testing.assert_allclose(result.profile["mean_degree"], by_position.mean(), atol=1e-9)
    np.testing.assert_allclose(result.profile["median"], by_position.median(), atol=1e-9)
    np.testing.assert_allclose(result.profile["share_biased"], by_position.apply(lambda d: (d > 0).mean()))
    mean = result.profile["mean_degree"]
    # Query of the second layer against the first layer's output; its context against its value.
    assert result.profile["difference"][6] == pytest.approx(mean[6] - mean[5])
    assert result.profile["difference"][9] == pytest.approx(mean[9] - mean[8])
    assert np.isnan(result.profile["difference"][0])


def test_models_stand_side_by_side_and_equal_themselves() -> None:
    model = eager("bert")
    result = run([model, renamed(model, "twin")], marked(TEXT), marked(TWIN))
    half = len(result.summary) // 2
    columns = [name for name in result.summary if name != "model"]
    assert result.summary[columns][:half].equals(result.summary[columns][half:].reset_index(drop=True))


def test_a_decoder_judges_only_what_stands_before() -> None:
    result = measured(eager("gpt2"))
    assert result.summary["degree"].notna().any()
    assert not result.left_out
    behind = "The nurse told him that she was tired."
    with pytest.raises(
        NothingToScore, match=r"is causal \(left-to-right\), and a gendered word stands behind the occupation"
    ):
        run([eager("gpt2")], marked(behind), marked("The nurse told her that he was tired."))


def test_a_model_that_cannot_judge_has_maps_and_is_listed() -> None:
    text, twin = "The nurse told him that she was tired.", "The nurse told her that he was tired."
    result = run([eager("bert"), eager("gpt2")], marked(text), marked(twin))
    assert set(result.summary["model"]) == {"bert"}
    assert [held.model for held in maps(eager("gpt2"), marked(text), marked(twin))] == ["gpt2", "gpt2"]
    (item,) = result.left_out
    assert (item.model, "left-to-right" in item.reason) == ("gpt2", True)


def test_no_attention_at_all_is_undefined_and_counted() -> None:
    model = eager("bert")
    plain = model.module.base_model.forward

    def blind(*args: object, **kwargs: object) -> object:
        output = plain(*args, **kwargs)
        output["attentions"] = tuple(torch.zeros_like(one) for one in output.attentions)
        return output

    model.module.base_model.forward = blind
    result = measured(model)
    own = result.summary[result.summary["kind"] == "attention"]
    assert own[["bias", "bias_swapped", "degree"]].isna().all(axis=None)
    assert own["direction"].isna().all()
    # Two layers of four; the detectors stand on states and go on.
    assert [item.reason.partition(" of ")[0] for item in result.left_out] == ["8"]
    assert "heads of bert give no attention to either gender: undefined" in result.left_out[0].reason


def test_a_long_sentence_and_a_short_one() -> None:
    long = "He told her that " + "the teacher was calm and " * 150 + "she was a nurse."
    with pytest.raises((NothingToScore, ModelError), match="pieces"):
        run([eager("bert")], marked(long), marked(long))
    short = "He, she, nurse"
    assert run([eager("bert")], marked(short), marked("She, he, nurse")).summary["degree"].notna().all()


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(OptionError, match="chosen twice"):
        run([eager("bert"), eager("bert")], marked(TEXT), marked(TWIN))
    with pytest.raises(OptionError, match="0 models"):
        run([], marked(TEXT), marked(TWIN))
    with pytest.raises(ModelError, match="without its attention maps"):
        run([replace(load_tiny("bert"))], marked(TEXT), marked(TWIN))


def test_a_run_resumes_with_the_models_that_it_has_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    models, memory = [eager("bert"), eager("gpt2")], dict[object, object]()
    asked = []
    plain = AttentionReader.sums

    def counted(self: AttentionReader, *args: Any, **kwargs: Any) -> Any:
        asked.append(self.missing)
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(AttentionReader, "sums", counted)
    stopping = Callbacks(cancelled=lambda: len(memory) == 1)
    part = run(models, marked(TEXT), marked(TWIN), memory=memory, run=stopping)
    assert (set(part.summary["model"]), [item.model for item in part.left_out]) == ({"bert"}, ["gpt2"])
    whole = run(models, marked(TEXT), marked(TWIN), memory=memory)
    assert len(asked) == 2
    again = run(models, marked(TEXT), marked(TWIN))
    pd.testing.assert_frame_equal(whole.summary, again.summary)
    pd.testing.assert_frame_equal(whole.profile, again.profile)
    assert whole.left_out == again.left_out == ()
