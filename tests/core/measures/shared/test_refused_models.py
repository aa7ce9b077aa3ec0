"""A model that cannot be asked beside one that can: the good one's numbers stand, the other is listed, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from pandas.testing import assert_frame_equal

from core.engine import loading
from core.engine.loading import LoadedModel
from core.errors import ModelError, ModelNotFound, NothingToScore
from core.measures.agreement import compute, divergence
from core.measures.agreement.choices import Compared
from core.measures.agreement.compute import joined
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.measures.lpbs.result import LpbsResult
from core.result import Group, Result
from core.run import Run
from core.sources import corpus
from core.sources.blanks import own_set
from core.sources.templates import Template
from tests.support import profession_results as professions
from tests.support.attention_results import measured
from tests.support.lpbs import run
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

GROUPS = (Group("male", ("he",)), Group("female", ("she",)))


def lpbs(models: Sequence[LoadedModel]) -> LpbsResult:
    return run(models, [Template.parse("[TARGET] is a [ATTRIBUTE].")], GROUPS, ["nurse", "doctor"])


def jobs(models: Sequence[LoadedModel]) -> Result:
    few = corpus("en").changed(templates="[TARGET] is a [ATTRIBUTE].", pairs="she / he", professions="nurse\ndoctor")
    return professions.run(models, [few])


def blanks(models: Sequence[LoadedModel]) -> AgreementResult:
    texts = own_set("This is the _.\nThe _ is here.")
    return divergence.measure(AgreementSpec(compare=Compared.DIVERGENCE, templates=texts), models, Run())


def heads(models: Sequence[LoadedModel]) -> Result:
    eager = [loading.with_attentions(model) if model.info.name == "good" else model for model in models]
    return measured(eager, "He said that she met a nurse.", "She said that he met a nurse.")


Measure = Callable[[Sequence[LoadedModel]], Result | Result]
MEASURES: dict[str, Measure] = {
    "playground": lpbs,
    "professions": jobs,
    "divergence": blanks,
    "attention": heads,  # the other model is lent without its maps
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@pytest.mark.parametrize("bad_first", [True, False])
def test_the_good_one_is_measured_as_it_is_alone(measure: Measure, bad_first: bool) -> None:
    good, bad = renamed(load_tiny("bert"), "good"), renamed(load_tiny("bert-encoder"), "bad")
    if measure is heads:
        bad = renamed(load_tiny("gpt2"), "bad")
    result = measure([bad, good] if bad_first else [good, bad])
    alone = measure([good])
    assert_equal_frames(result, alone)
    assert [info.name for info in result.provenance.models] == ["good"]
    excluded = result.excluded if isinstance(result, Result) else result.left_out
    (item,) = [item for item in excluded if item.kind == "model"]
    assert item.model == item.what == "bad"
    with pytest.raises(ModelError) as refused:
        measure([bad])
    assert str(refused.value) in item.why


def assert_equal_frames(result: Result, expected: Result) -> None:
    """Equal tables."""
    assert list(result.tables) == list(expected.tables)
    for name, frame in result.tables.items():
        assert_frame_equal(frame, expected[name])


def test_a_model_that_knows_no_word_takes_none_from_the_other() -> None:
    """Words that not every model can represent are excluded; a model that represents none is no reason to."""
    good, other = renamed(load_tiny("bert"), "good"), renamed(load_tiny("bert"), "other")
    blind = replace(other, max_tokens=3)  # no sentence fits
    together, alone = lpbs([good, blind]), lpbs([good])
    for table in ("attributes", "overall"):
        rows = together[table][together[table]["model"] == "good"]
        assert rows["lpbs"].tolist() == pytest.approx(alone[table]["lpbs"].tolist(), abs=1e-9)
    assert {item.model for item in together.excluded if item.kind == "target"} == {"other"}
    (item,) = [item for item in together.excluded if item.kind == "model"]
    assert item.why.startswith("other gives no score here: he stands in a sentence of 7 tokens; other reads 3")
    with pytest.raises(NothingToScore, match="other gives no score here"):
        lpbs([blind])


def test_metrics_of_a_model_that_cannot_be_had() -> None:
    """Each model is measured alone, and called by a label of its own."""
    spec = AgreementSpec(compare=Compared.METRICS, models=("a/last", "b/last"), metrics=("seat",))
    first = compute.measure(spec.parts[0], [load_tiny("bert")], Run())
    refusal = ModelNotFound("The hub has no model b/last.")
    with pytest.raises(ModelNotFound):
        joined(spec, [refusal, refusal])
    result = joined(spec, [first, refusal])
    assert result.models == ("a/last",)
    assert set(result["points"]["model"]) <= {"a/last"}
    assert [(item.model, item.why) for item in result.excluded if item.kind == "model"] == [
        ("b/last", "The hub has no model b/last.")
    ]
