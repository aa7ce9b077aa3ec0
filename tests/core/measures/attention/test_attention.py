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
from core.measures.attention.compute import maps
from core.measures.attention.result import AttentionResult
from core.measures.attention.spec import AttentionSpec
from core.run import Run
from tests.support.attention_results import measured as run
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

TEXT = "The woman told him that she was a nurse."
TWIN = "The man told her that he was a nurse."


def eager(family: str) -> LoadedModel:
    return loading.with_attentions(load_tiny(family))


def measured(model: LoadedModel) -> AttentionResult:
    return run([model], TEXT, TWIN)


SPEC = AttentionSpec(sentence=TEXT, twin=TWIN)


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
    rows = result["heads"][result["heads"]["kind"] == "attention"]
    assert rows["bias"].tolist() == pytest.approx(biases[0].ravel(), abs=1e-5)
    assert rows["bias_swapped"].tolist() == pytest.approx(biases[1].ravel(), abs=1e-5)
    assert rows["degree"].tolist() == pytest.approx((biases[0] * biases[1]).ravel(), abs=1e-5)
    total = (biases[0] + biases[1]).ravel()
    assert rows["direction"].tolist() == ["male" if item > 0 else "female" for item in total]


def test_rows_name_every_head_of_every_position() -> None:
    summary = measured(eager("bert"))["heads"]
    own, detectors = summary[summary["position"].isna()], summary[summary["position"].notna()]
    assert set(own["kind"]) == {"attention"}
    assert len(own) == 2 * 4
    assert len(detectors) == (5 * 2 + 1) * 4
    assert detectors["kind"].tolist()[::4][:6] == ["embedding", "query", "key", "value", "context", "output"]
    assert detectors["layer"].isna().sum() == 4
    assert detectors["position"].tolist()[::4] == list(range(11))


def test_every_row_of_every_map_sums_to_one() -> None:
    for held in maps(eager("bert"), SPEC):
        assert held.attention.shape == (2, 4, len(held.pieces), len(held.pieces))
        np.testing.assert_allclose(held.attention.sum(axis=-1), 1, atol=1e-5)


def test_the_tokens_carry_their_roles() -> None:
    model = eager("bert")
    first, second = maps(model, SPEC)
    roles = [(piece, role) for piece, role in zip(first.pieces, first.roles, strict=True) if role]
    assert roles == [("woman", "female"), ("him", "male"), ("she", "female"), ("nurse", "occupation")]
    assert (first.which, second.which) == ("sentence", "twin")
    tokens = measured(model)["tokens"]
    for held in (first, second):
        own = tokens[tokens["which"] == held.which]
        assert (tuple(own["piece"]), tuple(own["role"])) == (held.pieces, held.roles)


def test_exchanging_sentence_and_twin_changes_no_degree() -> None:
    model = eager("bert")
    one, other = run([model], TEXT, TWIN), run([model], TWIN, TEXT)
    np.testing.assert_allclose(one["heads"]["degree"], other["heads"]["degree"], atol=1e-6)
    np.testing.assert_allclose(one["heads"]["bias"], other["heads"]["bias_swapped"], atol=1e-6)
    assert one["heads"]["direction"].tolist() == other["heads"]["direction"].tolist()


def test_a_sentence_that_is_its_own_twin_is_biased_in_every_head() -> None:
    result = run([eager("bert")], TEXT, TEXT)
    degrees = result["heads"]["degree"]
    assert (degrees >= 0).all()
    np.testing.assert_allclose(degrees, result["heads"]["bias"] ** 2, atol=1e-6)


def test_the_profile_is_the_mean_of_its_heads() -> None:
    result = measured(eager("bert"))
    detectors = result["heads"][result["heads"]["position"].notna()]
    by_position = detectors.groupby("position")["degree"]
    np.testing.assert_allclose(result["positions"]["mean_degree"], by_position.mean(), atol=1e-9)
    np.testing.assert_allclose(result["positions"]["median"], by_position.median(), atol=1e-9)
    np.testing.assert_allclose(result["positions"]["share_biased"], by_position.apply(lambda d: (d > 0).mean()))
    mean = result["positions"]["mean_degree"]
    # Query of the second layer against the first layer's output; its context against its value.
    assert result["positions"]["difference"][6] == pytest.approx(mean[6] - mean[5])
    assert result["positions"]["difference"][9] == pytest.approx(mean[9] - mean[8])
    assert np.isnan(result["positions"]["difference"][0])


def test_models_stand_side_by_side_and_equal_themselves() -> None:
    model = eager("bert")
    result = run([model, renamed(model, "twin")], TEXT, TWIN)
    half = len(result["heads"]) // 2
    columns = [name for name in result["heads"] if name != "model"]
    assert result["heads"][columns][:half].equals(result["heads"][columns][half:].reset_index(drop=True))


def test_a_decoder_judges_only_what_stands_before() -> None:
    result = measured(eager("gpt2"))
    assert result["heads"]["degree"].notna().any()
    assert not result.excluded
    behind = "The nurse told him that she was tired."
    with pytest.raises(
        NothingToScore, match=r"is causal \(left-to-right\), and a gendered word stands behind the occupation"
    ):
        run([eager("gpt2")], behind, "The nurse told her that he was tired.")


def test_a_model_that_cannot_judge_has_maps_and_is_listed() -> None:
    text, twin = "The nurse told him that she was tired.", "The nurse told her that he was tired."
    result = run([eager("bert"), eager("gpt2")], text, twin)
    assert set(result["heads"]["model"]) == {"bert"}
    assert [held.model for held in maps(eager("gpt2"), AttentionSpec(sentence=text, twin=twin))] == ["gpt2", "gpt2"]
    (item,) = result.excluded
    assert (item.model, "left-to-right" in item.why) == ("gpt2", True)


def test_no_attention_at_all_is_undefined_and_counted() -> None:
    model = eager("bert")
    plain = model.module.base_model.forward

    def blind(*args: object, **kwargs: object) -> object:
        output = plain(*args, **kwargs)
        output["attentions"] = tuple(torch.zeros_like(attention) for attention in output.attentions)
        return output

    model.module.base_model.forward = blind
    result = measured(model)
    own = result["heads"][result["heads"]["kind"] == "attention"]
    assert own[["bias", "bias_swapped", "degree"]].isna().all(axis=None)
    assert own["direction"].isna().all()
    # Two layers of four; the detectors stand on states and go on.
    assert [item.why.partition(" of ")[0] for item in result.excluded] == ["8"]
    assert "heads of bert give no attention to either gender: undefined" in result.excluded[0].why


def test_a_long_sentence_and_a_short_one() -> None:
    long = "He told her that " + "the teacher was calm and " * 150 + "she was a nurse."
    with pytest.raises((NothingToScore, ModelError), match="tokens"):
        run([eager("bert")], long, long)
    short = "He, she, nurse"
    assert run([eager("bert")], short, "She, he, nurse")["heads"]["degree"].notna().all()


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(OptionError, match="chosen twice"):
        run([eager("bert"), eager("bert")], TEXT, TWIN)
    with pytest.raises(OptionError, match="0 models"):
        run([], TEXT, TWIN)
    with pytest.raises(ModelError, match="without attention outputs"):
        run([replace(load_tiny("bert"))], TEXT, TWIN)


def test_a_run_resumes_with_the_models_that_it_has_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    models, asked = [eager("bert"), eager("gpt2")], []
    plain = AttentionReader.sums

    def counted(self: AttentionReader, *args: Any, **kwargs: Any) -> Any:
        asked.append(self.missing)
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(AttentionReader, "sums", counted)
    first, second = Run[AttentionResult](), Run[AttentionResult]()
    monkeypatch.setattr(first, "cancelled", lambda: len(first.memory) == 1)
    part = run(models, TEXT, TWIN, first)
    assert (set(part["heads"]["model"]), [item.model for item in part.excluded]) == ({"bert"}, ["gpt2"])
    assert part.stopped
    second.memory = first.memory
    whole = run(models, TEXT, TWIN, second)
    assert len(asked) == 2
    again = run(models, TEXT, TWIN)
    pd.testing.assert_frame_equal(whole["heads"], again["heads"])
    pd.testing.assert_frame_equal(whole["positions"], again["positions"])
    assert whole.excluded == again.excluded == ()
    assert not whole.stopped
