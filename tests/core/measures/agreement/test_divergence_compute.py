"""Divergence of templates: by hand on a stub, then the embedded model against a plain computation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from core.engine.loading import LoadedModel
from core.errors import NothingToScore, OptionError, UnsupportedModel
from core.measures.agreement.divergence import measure
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.run import Run
from core.sources.blanks import TemplateSet, own_set, template_set
from tests.support import tiny_tokenizers
from tests.support.stubs import masked_stub
from tests.support.watching import load_tiny

TWO = own_set("This is the _.\nThe _ is here.")


def run(
    models: list[LoadedModel], templates: TemplateSet = TWO, base: str = "", run: Run[Any] | None = None
) -> AgreementResult:
    return measure(AgreementSpec(compare="divergence", templates=templates, base_template=base), models, run or Run())


def stub() -> LoadedModel:
    """The gendered words: .5, .3, .2 of all but a billionth against .25, .25, .5."""
    rest = 1e-9
    texts = {
        "the [MASK] is here .": [{"woman": 0.5 - rest, "man": 0.3, "girl": 0.2}],
        "this is the [MASK] .": [{"woman": 0.25 - rest, "man": 0.25, "girl": 0.5}],
    }
    return masked_stub(tiny_tokenizers.bert(), texts)


def test_worked_by_hand() -> None:
    """.5 ln 2 + .3 ln 1.2 + .2 ln .4 = .2180; what the gendered words lack of 1 changes nothing visible."""
    result = run([stub()])
    (row,) = result["divergence"].to_dict("records")
    assert (row["template"], row["base"]) == ("own 2", "own 1")
    assert row["kl_full"] == pytest.approx(0.2180, abs=5e-5)
    assert row["kl_gendered"] == pytest.approx(0.2180, abs=5e-5)
    full = result["words"][result["words"]["scope"] == "full"].set_index("word")
    assert list(full.index[:3]) == ["woman", "girl", "man"]  # .3466, −.1833, .0547
    assert full.loc["girl", "contribution"] == pytest.approx(0.2 * math.log(0.4), abs=1e-6)
    assert (full.loc["girl", "p"], full.loc["girl", "p_base"]) == pytest.approx((0.2, 0.5))


def test_the_other_way_round_is_another_number() -> None:
    """.25 ln .5 + .25 ln (5/6) + .5 ln 2.5 = .2393."""
    result = run([stub()], TWO, "own 2")
    assert result["divergence"]["kl_full"].iloc[0] == pytest.approx(0.2393, abs=5e-5)


def test_equals_a_plain_computation(embedded: LoadedModel) -> None:
    result = run([embedded], template_set("delobelle"))
    tokenizer, module = embedded.tokenizer, embedded.module

    def ln_p(text: str) -> torch.Tensor:
        encoded = tokenizer(text, return_tensors="pt")
        place = (encoded["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
        with torch.inference_mode():
            return module(**encoded).logits[0, place].double().log_softmax(-1)

    p, q = ln_p("the [MASK] is a [MASK]."), ln_p("this is the [MASK].")
    rows = result["divergence"].set_index("template")
    assert rows.loc["T9", "kl_full"] == pytest.approx(float((p.exp() * (p - q)).sum()), abs=1e-4)
    ids = tokenizer.convert_tokens_to_ids(list(result.gendered))
    assert len(ids) == 16
    p, q = p[ids].log_softmax(-1), q[ids].log_softmax(-1)
    assert rows.loc["T9", "kl_gendered"] == pytest.approx(float((p.exp() * (p - q)).sum()), abs=1e-4)
    assert list(rows.index) == [f"T{i}" for i in range(2, 12)]
    assert (rows[["kl_full", "kl_gendered"]] > 0).all().all()


def test_gendered_contributions_add_up(embedded: LoadedModel) -> None:
    delobelle = template_set("delobelle")
    result = run([embedded], replace(delobelle, templates=delobelle.templates[:3]))
    of_words = result["words"][result["words"]["scope"] == "gendered"]
    sums = of_words.groupby("template")["contribution"].sum()
    assert sums.to_numpy() == pytest.approx(result["divergence"]["kl_gendered"].to_numpy())
    assert np.allclose(of_words.groupby("template")["p"].sum(), 1)


def test_words_of_several_pieces_are_left_out() -> None:
    """The tiny vocabulary writes female, aunt, uncle … in pieces."""
    result = run([load_tiny("bert")])
    assert "woman" in result.gendered
    assert any(item.what == "grandmother" for item in result.excluded)
    assert "grandmother" not in result.gendered


def test_a_causal_model_has_no_blank(embedded: LoadedModel) -> None:
    causal = load_tiny("gpt2")
    with pytest.raises(UnsupportedModel, match="has no mask"):
        run([causal])
    result = run([embedded, causal])
    assert set(result["divergence"]["model"]) == {embedded.info.name}
    assert [item.model for item in result.excluded if item.kind == "model"] == [causal.info.name]


def test_what_is_refused(embedded: LoadedModel) -> None:
    with pytest.raises(OptionError, match="base template “T1” is not among those chosen: own 1, own 2"):
        run([embedded], TWO, "T1")
    with pytest.raises(OptionError, match="two templates or more"):
        run([embedded], own_set("This is the _."))
    stopped: Run[Any] = Run()
    stopped.stop("nobody")
    with pytest.raises(NothingToScore, match="stopped"):
        run([embedded], run=stopped)
