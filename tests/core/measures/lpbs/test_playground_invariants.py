"""What holds for every measurement of the playground: signs, order, company, shape, and mistakes that are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.engine.loading import LoadedModel
from core.errors import OptionError, WordListError
from core.measures.lpbs import compute
from core.measures.lpbs.result import LpbsResult
from core.report.frames import as_document
from core.result import Group, Progress
from core.run import Callbacks
from tests.support import tiny_tokenizers
from tests.support.lpbs import run, summary
from tests.support.stubs import SAID, asked, masked_stub, renamed, said, said_model

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
SUMMARY = ["model", "kind", "attribute", "contrast", "n", "lpbs", "log_ratio", "prior_log_ratio"]
SUMMARY += ["ci_low", "ci_high", "p_value", "p_adjusted"]
DETAIL = ["model", "template", "attribute", "group", "target", "form", "ln_p_target", "ln_p_prior", "association"]


def row(result: LpbsResult, attribute: str | None) -> Any:
    """The one row of the summary for an attribute, or for all of them."""
    frame = summary(result)
    (index,) = np.flatnonzero(frame["attribute"].isna() if attribute is None else frame["attribute"] == attribute)
    return frame.loc[index]


def eight() -> LoadedModel:
    """Eight attributes, each one piece: enough for an interval over attributes."""
    draw = np.random.default_rng(3)
    words = ("nurse", "teacher", "doctor", "engineer", "secretary", "manager", "programmer", "housekeeper")
    tables = {word: {"he": float(draw.uniform(0.02, 0.4)), "she": float(draw.uniform(0.02, 0.4))} for word in words}
    return said_model(tables, {"he": 0.3, "she": 0.2})


EIGHT = ["nurse", "teacher", "doctor", "engineer", "secretary", "manager", "programmer", "housekeeper"]


def test_swapping_the_groups_flips_every_sign() -> None:
    one, other = (run([eight()], [SAID], groups, EIGHT).summary for groups in (HE_SHE, HE_SHE[::-1]))
    for column in ("lpbs", "log_ratio", "prior_log_ratio"):
        np.testing.assert_allclose(other[column], -one[column], atol=1e-12)
        assert (one[column] != 0).all()
    np.testing.assert_allclose(other["ci_low"], -one["ci_high"], atol=1e-12)
    assert other["p_value"].dropna().tolist() == one["p_value"].dropna().tolist()
    assert set(other["contrast"]) == {"she − he"}


def test_the_order_of_attributes_changes_nothing() -> None:
    one, other = (run([eight()], [SAID], HE_SHE, words) for words in (EIGHT, EIGHT[::-1]))
    for word in (*EIGHT, None):
        for column in ("n", "lpbs", "log_ratio", "prior_log_ratio"):
            assert row(one, word)[column] == pytest.approx(row(other, word)[column], abs=1e-9)
    assert row(one, None).p_value == row(other, None).p_value  # eight attributes: all 256 sign patterns


def test_a_model_against_itself_differs_by_zero() -> None:
    model = eight()
    result = run([model, renamed(model, "twin")], [SAID], HE_SHE, EIGHT)
    one, other = (summary(result)[summary(result)["model"] == name] for name in ("stub", "twin"))
    for column in ("lpbs", "log_ratio", "prior_log_ratio", "ci_low", "ci_high", "p_value"):
        np.testing.assert_array_equal(one[column], other[column])
    assert [info.name for info in result.provenance.models] == ["stub", "twin"]


def test_work_is_done_once() -> None:
    model = eight()
    run([model], [SAID], HE_SHE, EIGHT)
    # eight sentences and the one prior that they share
    assert asked(model) == sorted(f"[CLS] {said(word)} [SEP]" for word in (*EIGHT, "[MASK]"))


def test_shape_of_a_result() -> None:
    reports: list[Progress] = []
    options = {"seed": 7}
    result = run([eight()], [SAID], HE_SHE, EIGHT, options, data=("Somebody 2019",), run=Callbacks(reports.append))
    assert list(summary(result).columns) == SUMMARY
    assert list(result["targets"].columns) == DETAIL
    assert summary(result)["kind"].tolist() == ["attribute"] * 8 + ["all"]
    assert len(result["targets"]) == 16
    np.testing.assert_allclose(
        summary(result)["lpbs"], summary(result)["log_ratio"] - summary(result)["prior_log_ratio"], atol=1e-12
    )
    assert (result.options, result.provenance.seed) == (options, 7)
    assert result.provenance.data == ("Somebody 2019",)
    assert (result.templates, result.groups, result.attributes) == ((SAID.text,), HE_SHE, tuple(EIGHT))
    assert result.family_sizes == (("all", 1),)
    assert (reports[0].done, reports[-1].done) == (0, 16)
    assert reports[-1].total == 16  # sentences: 8 attributes with he and with she
    document: Any = as_document(result)
    assert document["summary"][-1]["attribute"] is None
    assert document["summary"][0]["p_value"] is None


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"options": {"masking": "all"}}, "masking is “all”; it can be wordpiece, word, single."),
        ({"options": {"several_pieces": "x"}}, "several_pieces is “x”; it can be single, joint."),
        ({"options": {"contrasts": "x"}}, "contrasts is “x”; it can be pairs, others."),
        ({"models": []}, "0 models chosen; 1 to 4 can be compared."),
        ({"models": [eight()] * 2}, "The same model is chosen twice; choose different ones."),
        ({"models": [eight()] * 5}, "5 models chosen; 1 to 4 can be compared."),
        ({"templates": []}, "There is no template; write one."),
        ({"groups": HE_SHE[:1]}, "Found 1 group of target words, needs 2 or more, such as he and she."),
        (
            {"groups": (*HE_SHE, Group("it", ()))},
            "A group of target words is empty; give each group at least one word.",
        ),
        ({"groups": HE_SHE[:1] * 2}, "Two groups have the same name; name them apart."),
        ({"attributes": []}, "The attribute list is empty; give at least one word, such as nurse."),
    ],
)
def test_each_mistake_has_its_sentence(changed: dict[str, Any], sentence: str) -> None:
    right = {"models": [eight()], "templates": [SAID], "groups": HE_SHE, "attributes": EIGHT}
    with pytest.raises((OptionError, WordListError)) as caught:
        compute.run(**{**right, **changed})
    assert str(caught.value) == sentence


def test_explanation_shows_the_model_s_own_mask() -> None:
    tokenizer = tiny_tokenizers.roberta()
    table = {"Ġhe": 0.5, "Ġshe": 0.25, "Ġthey": 0.125}
    model = masked_stub(tokenizer, {"The Ġnurse Ġsaid Ġthat <mask> Ġwas Ġtired .": [table]})
    found = compute.explain(model, SAID, "nurse", HE_SHE, {})
    assert [text for _, text in found.asked] == [
        "The nurse said that <mask> was tired.",
        "The <mask> said that <mask> was tired.",
    ]
    ((_, fills),) = found.fills
    assert [fill.word for fill in fills[:3]] == ["he", "she", "they"]
    assert [fill.probability for fill in fills[:3]] == pytest.approx([0.5, 0.25, 0.125], abs=1e-6)
    assert len(fills) == 10
