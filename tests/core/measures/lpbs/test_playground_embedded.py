"""The embedded model on the worked example, against figures computed elsewhere and against plain transformers calls.

The figures are those of the drawing that the design was made from; its makers computed them with code of their own.
"""

from __future__ import annotations

import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from core import sources
from core.engine.loading import LoadedModel
from core.measures.lpbs.compute import explain
from core.measures.lpbs.result import LpbsResult
from core.sources.templates import Template
from tests.support.lpbs import run, spec_of
from tests.support.paths import EMBEDDED

SAID = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.")
NURSE = "registered nurse"
DRAWN = {
    "registered nurse": -1.35,
    "bartender": -0.87,
    "vocational nurse": -0.87,
    "receptionist": -0.87,
    "childcare worker": -0.72,
    "dental assistant": -0.36,
    "director of religious activities": 0.40,
    "firefighter": 0.51,
    "dispatcher": 0.60,
    "carpenter": 0.71,
    "steel worker": 1.11,
    "mining machine operator": 1.90,
}


@pytest.fixture(scope="module")
def result(embedded: LoadedModel) -> LpbsResult:
    professions, groups = sources.attribute_list("professions"), sources.group_preset("he-she")
    return run([embedded], [SAID], groups.groups, professions.words)


def plain_probabilities(text: str) -> dict[str, float]:
    """P of he and she at the last mask of a text, by a plain call."""
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED, local_files_only=True)
    model = AutoModelForMaskedLM.from_pretrained(EMBEDDED, dtype=torch.float32, local_files_only=True).eval()
    inputs = tokenizer(text, return_tensors="pt")
    place = (inputs.input_ids[0] == tokenizer.mask_token_id).nonzero().flatten()[-1]
    with torch.inference_mode():
        probabilities = model(**inputs).logits[0, place].softmax(dim=-1)
    return {word: probabilities[tokenizer.convert_tokens_to_ids(word)].item() for word in ("he", "she")}


def test_probabilities_of_the_worked_example(result: LpbsResult) -> None:
    detail = result["targets"][result["targets"]["attribute"] == NURSE].set_index("target")[
        ["ln_p_target", "ln_p_prior"]
    ]
    percent = torch.tensor(detail.loc[["he", "she"]].to_numpy()).exp() * 100
    assert percent.flatten().tolist() == pytest.approx([22.47, 41.99, 43.00, 20.77], abs=0.006)


def test_the_same_numbers_as_a_plain_call(result: LpbsResult) -> None:
    present = plain_probabilities("The registered nurse said that [MASK] was tired.")
    prior = plain_probabilities("The [MASK] [MASK] said that [MASK] was tired.")
    detail = result["targets"][result["targets"]["attribute"] == NURSE].set_index("target")
    for word in ("he", "she"):
        expected = torch.tensor([present[word], prior[word]]).log().tolist()
        assert detail.loc[word, ["ln_p_target", "ln_p_prior"]].tolist() == pytest.approx(expected, abs=1e-5)


def test_scores_are_those_of_the_drawing(result: LpbsResult) -> None:
    found = result["attributes"].set_index("attribute")["lpbs"]
    assert {word: round(float(found[word]), 2) for word in DRAWN} == pytest.approx(DRAWN, abs=0.0051)
    attributes = result["attributes"]
    assert (attributes["lpbs"] > 0).sum() == 27
    assert (attributes["lpbs"] < 0).sum() == 33
    assert not [item for item in result.excluded if item.kind != "statistic"]


def test_the_list_as_a_whole(result: LpbsResult) -> None:
    (whole,) = result["overall"].to_dict("records")
    assert whole["n"] == 60
    assert whole["lpbs"] == pytest.approx(0, abs=0.005)
    assert [whole["ci_low"], whole["ci_high"]] == pytest.approx([-0.13, 0.13], abs=0.01)
    assert whole["p_value"] == pytest.approx(0.995, abs=0.005)  # both runs sampled their sign flips


def test_explanation(embedded: LoadedModel) -> None:
    groups = sources.group_preset("he-she").groups
    found = explain(embedded, SAID, NURSE, spec_of([SAID], groups, [NURSE]))
    assert [text for _, text in found.asked] == [
        "The registered nurse said that [MASK] was tired.",
        "The [MASK] [MASK] said that [MASK] was tired.",
    ]
    ((_, fills),) = found.fills
    assert [fill.word for fill in fills[:6]] == ["she", "he", "it", "i", "they", "him"]
    assert [fill.probability * 100 for fill in fills[:6]] == pytest.approx([43.0, 22.5, 8.7, 1.3, 1.2, 1.1], abs=0.06)
    assert len(fills) == 10
    single = explain(embedded, SAID, NURSE, spec_of([SAID], groups, [NURSE], masking="single"))
    assert single.asked[1][1] == "The [MASK] said that [MASK] was tired."
    assert len(single.fills[0][1]) == 10
