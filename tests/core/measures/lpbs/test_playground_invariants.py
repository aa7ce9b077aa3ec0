"""What holds for every measurement of the playground: signs, order, company, shape, and mistakes that are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.engine.loading import LoadedModel
from core.errors import OptionError, WordListError
from core.measures.lpbs import compute
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.report.frames import as_document
from core.result import Group, Progress
from core.run import Callbacks, Part
from core.sources.lists import group_preset, own_words
from tests.support import tiny_tokenizers
from tests.support.lpbs import run, spec_of
from tests.support.stubs import SAID, asked, masked_stub, renamed, said, said_model

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
SCORES = ["contrast", "n", "lpbs", "log_ratio", "prior_log_ratio", "ci_low", "ci_high", "p_value", "p_adjusted"]
TARGETS = ["model", "template", "attribute", "group", "target", "form", "ln_p_target", "ln_p_prior", "association"]


def row(result: LpbsResult, attribute: str | None) -> Any:
    """The one row of an attribute, or of all of them."""
    if attribute is None:
        return result["overall"].squeeze()
    frame = result["attributes"]
    return frame[frame["attribute"] == attribute].squeeze()


def eight() -> LoadedModel:
    """Eight attributes, each one piece: enough for an interval over attributes."""
    draw = np.random.default_rng(3)
    words = ("nurse", "teacher", "doctor", "engineer", "secretary", "manager", "programmer", "housekeeper")
    tables = {word: {"he": float(draw.uniform(0.02, 0.4)), "she": float(draw.uniform(0.02, 0.4))} for word in words}
    return said_model(tables, {"he": 0.3, "she": 0.2})


EIGHT = ["nurse", "teacher", "doctor", "engineer", "secretary", "manager", "programmer", "housekeeper"]


@pytest.mark.parametrize("table", ["attributes", "overall"])
def test_swapping_the_groups_flips_every_sign(table: str) -> None:
    one, other = (run([eight()], [SAID], groups, EIGHT)[table] for groups in (HE_SHE, HE_SHE[::-1]))
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


@pytest.mark.parametrize("table", ["attributes", "overall"])
def test_a_model_against_itself_differs_by_zero(table: str) -> None:
    model = eight()
    result = run([model, renamed(model, "twin")], [SAID], HE_SHE, EIGHT)
    one, other = (result[table][result[table]["model"] == name] for name in ("stub", "twin"))
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
    preset = group_preset("he-she")
    spec = LpbsSpec(templates=SAID, groups=preset, attributes=own_words(EIGHT, "words of Somebody 2019"), seed=7)
    result = spec.measure([eight()], Part(Callbacks(reports.append), {}))
    assert list(result["attributes"].columns) == ["model", "attribute", *SCORES]
    assert list(result["overall"].columns) == ["model", *SCORES]
    assert list(result["targets"].columns) == TARGETS
    assert [len(frame) for frame in result.tables.values()] == [8, 1, 1, 16]
    for frame in (result["attributes"], result["overall"]):
        np.testing.assert_allclose(frame["lpbs"], frame["log_ratio"] - frame["prior_log_ratio"], atol=1e-12)
    assert (result.spec, result.provenance.seed) == (spec, 7)
    assert result.provenance.data == (preset.citation, "words of Somebody 2019")
    assert (result.templates, result.groups, result.attributes) == ((SAID.text,), preset.groups, tuple(EIGHT))
    assert (reports[0].done, reports[-1].done) == (0, 16)
    assert reports[-1].total == 16  # sentences: 8 attributes with he and with she
    tables: Any = as_document(result)["tables"]
    assert tables["attributes"][0]["p_value"] is None
    assert tables["overall"][0]["p_value"] is not None


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"masking": "all"},
            "How the attribute is hidden for the prior: “all” is not possible; choose wordpiece, word, single.",
        ),
        (
            {"several_pieces": "x"},
            "Target words split into several tokens: “x” is not possible; choose single, joint.",
        ),
        ({"contrasts": "x"}, "Comparisons of three groups or more: “x” is not possible; choose pairs, others."),
        ({"models": ()}, "0 models chosen; 1 to 4 can be compared."),
        ({"models": ("stub",) * 5}, "5 models chosen; 1 to 4 can be compared."),
        ({"templates": []}, "There is no template; write one."),
        ({"groups": HE_SHE[:1]}, "Found 1 of at least 2 groups; write one per line, such as “he: he, him”."),
        ({"groups": (*HE_SHE, Group("it", ()))}, "The group on line 3 has no word; write at least one."),
        ({"groups": HE_SHE[:1] * 2}, "2 groups are named “he”; give each a name of its own."),
        ({"attributes": []}, "The attribute list is empty; give at least one word, such as nurse."),
    ],
)
def test_each_mistake_has_its_sentence(changed: dict[str, Any], sentence: str) -> None:
    right: dict[str, Any] = {"templates": [SAID], "groups": HE_SHE, "attributes": EIGHT}
    with pytest.raises((OptionError, WordListError)) as caught:
        LpbsSpec(**{**right, **changed})
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        ([], "0 models chosen; 1 to 4 can be compared."),
        ([eight()] * 2, "The same model is chosen twice; choose different ones."),
        ([eight()] * 5, "5 models chosen; 1 to 4 can be compared."),
    ],
)
def test_so_has_each_mistake_in_the_models_at_hand(models: list[LoadedModel], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        run(models, [SAID], HE_SHE, EIGHT)
    assert str(caught.value) == sentence


def test_explanation_shows_the_model_s_own_mask() -> None:
    tokenizer = tiny_tokenizers.roberta()
    table = {"Ġhe": 0.5, "Ġshe": 0.25, "Ġthey": 0.125}
    model = masked_stub(tokenizer, {"The Ġnurse Ġsaid Ġthat <mask> Ġwas Ġtired .": [table]})
    found = compute.explain(model, SAID, "nurse", spec_of([SAID], HE_SHE, ["nurse"]))
    assert [text for _, text in found.asked] == [
        "The nurse said that <mask> was tired.",
        "The <mask> said that <mask> was tired.",
    ]
    ((_, fills),) = found.fills
    assert [fill.word for fill in fills[:3]] == ["he", "she", "they"]
    assert [fill.probability for fill in fills[:3]] == pytest.approx([0.5, 0.25, 0.125], abs=1e-6)
    assert len(fills) == 10
