"""What is left out, and that the reasons are listed: several models, and runs that were stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.engine import reading
from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer, MaskQuery
from core.errors import NothingToScore
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.scoring import Memory
from core.result import Excluded, Group
from core.run import Callbacks
from tests.support.lpbs import run
from tests.support.stubs import SAID, Probabilities, said_model

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
MEN_WOMEN = (Group("men", ("he", "chairman")), Group("women", ("she", "woman")))
STOPPED = "was not reached: the run was stopped."


def lpbs(result: LpbsResult, model: str) -> dict[str, float]:
    rows = result["attributes"][result["attributes"]["model"] == model]
    return dict(zip(rows["attribute"], rows["lpbs"], strict=True))


def of_role(result: LpbsResult, role: str) -> list[Excluded]:
    return [item for item in result.excluded if item.kind == role]


TABLE = {"he": 0.1, "she": 0.2, "chairman": 0.4, "woman": 0.05}
LESS = {"he": 0.1, "she": 0.3, "woman": 0.2}


def two_models() -> list[LoadedModel]:
    """The second has no chairman: chair + ##man."""
    return [
        said_model({"nurse": TABLE}, dict.fromkeys(TABLE, 0.1), "full"),
        said_model({"nurse": LESS}, dict.fromkeys(LESS, 0.1), "small", without=("chairman",)),
    ]


def test_words_not_all_models_have_are_left_out_for_all() -> None:
    result = run(two_models(), [SAID], MEN_WOMEN, ["nurse"])
    assert lpbs(result, "full")["nurse"] == pytest.approx(log(0.1 / 0.2), abs=1e-6)
    assert lpbs(result, "small")["nurse"] == pytest.approx(log(0.1 / 0.3), abs=1e-6)
    assert "chairman" not in set(result["targets"]["target"])
    reasons = {(item.model, item.what): item.why for item in of_role(result, "target")}
    lacking = "chairman cannot be scored by every model (not by small)."
    assert reasons["full", "chairman"] == lacking
    assert "chair + ##man" in reasons["small", "chairman"]
    assert {word for _, word in reasons} == {"chairman", "woman"}  # woman cannot be paired


def test_each_model_may_keep_its_own_words() -> None:
    result = run(two_models(), [SAID], MEN_WOMEN, ["nurse"], {"common_words": False})
    # he − she and chairman − woman: (ln .5 + ln 8) / 2
    assert lpbs(result, "full")["nurse"] == pytest.approx((log(0.5) + log(8)) / 2, abs=1e-6)
    assert lpbs(result, "small")["nurse"] == pytest.approx(log(0.1 / 0.3), abs=1e-6)
    assert {item.model for item in of_role(result, "target")} == {"small"}


def test_attributes_not_all_models_can_read_are_left_out_for_all() -> None:
    """Without the letter piece "7" that attribute is unknown to the second model."""
    tables: dict[str, Probabilities] = {"nurse": {"he": 0.1, "she": 0.2}, "7": {"he": 0.3, "she": 0.1}}
    even = {"he": 0.1, "she": 0.1}
    models = [said_model(tables, even, "full"), said_model(tables, even, "small", without=("7",))]
    result = run(models, [SAID], HE_SHE, ["nurse", "7"])
    for name in ("full", "small"):
        assert np.isnan(lpbs(result, name)["7"])
        assert lpbs(result, name)["nurse"] == pytest.approx(log(0.5), abs=1e-6)
    reasons = {(item.model, item.what): item.why for item in of_role(result, "attribute")}
    assert reasons == {
        ("full", "7"): "7 cannot be scored by every model (not by small).",
        ("small", "7"): "7 is unknown to this model.",
    }
    own = run(models, [SAID], HE_SHE, ["nurse", "7"], {"common_words": False})
    assert lpbs(own, "full")["7"] == pytest.approx(log(3), abs=1e-6)


def test_too_few_values_are_said() -> None:
    result = run([said_model({"nurse": {"he": 0.1, "she": 0.2}}, {"he": 0.1, "she": 0.1})], [SAID], HE_SHE, ["nurse"])
    for table in ("attributes", "overall"):
        assert result[table][["ci_low", "ci_high", "p_value", "p_adjusted"]].isna().all(axis=None)
    assert [(item.what, item.why) for item in of_role(result, "statistic")] == [
        ("nurse", "nurse: interval and p not computed, n too small (1 of at least 6 values)."),
        ("all attributes", "all attributes: interval and p not computed, n too small (1 of at least 6 attributes)."),
    ]
    assert {item.contrast for item in result.excluded} == {"he − she"}


def test_no_word_of_a_group_left() -> None:
    table = {"he": 0.1, "chairman": 0.2}
    model = said_model({"nurse": table}, dict.fromkeys(table, 0.1))
    groups = (Group("men", ("he",)), Group("women", ("chairwoman",)))
    with pytest.raises(NothingToScore, match="chairwoman = chair") as caught:
        run([model], [SAID], groups, ["nurse"])
    assert str(caught.value).startswith("stub gives no score here: ")


def after(batches: int) -> Callable[[], bool]:
    """A cancel check that lets so many batches pass."""
    left = iter(range(batches))
    return lambda: next(left, None) is None


WORDS = {word: {"he": 0.1, "she": 0.4} for word in ("nurse", "teacher", "doctor", "engineer")}
EVEN = {"he": 0.2, "she": 0.2}


@pytest.fixture
def one_input_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs of one length then run in the order asked: nurse, its prior, teacher, doctor, engineer."""
    monkeypatch.setattr(reading, "TOKENS", 1)


@pytest.mark.usefixtures("one_input_a_batch")
def test_a_stopped_run_keeps_what_is_done() -> None:
    result = run([said_model(WORDS, EVEN)], [SAID], HE_SHE, list(WORDS), run=Callbacks(cancelled=after(3)))
    found = lpbs(result, "stub")
    assert [found["nurse"], found["teacher"]] == pytest.approx([-log(4)] * 2, abs=1e-6)
    assert np.isnan([found["doctor"], found["engineer"]]).all()
    assert set(result["targets"]["attribute"]) == {"nurse", "teacher"}
    assert result["overall"].iloc[-1]["n"] == 2
    assert [(item.what, item.why) for item in of_role(result, "attribute")] == [
        ("doctor", f"doctor {STOPPED}"),
        ("engineer", f"engineer {STOPPED}"),
    ]


@pytest.mark.usefixtures("one_input_a_batch")
def test_a_run_stopped_before_the_prior_has_no_result() -> None:
    with pytest.raises(NothingToScore, match=f"nurse {STOPPED}"):
        run([said_model(WORDS, EVEN)], [SAID], HE_SHE, list(WORDS), run=Callbacks(cancelled=after(1)))


@pytest.mark.usefixtures("one_input_a_batch")
@pytest.mark.parametrize("batches", [5, 7])
def test_a_run_stopped_at_the_second_model_keeps_the_first_and_lists_the_rest(batches: int) -> None:
    """The first model takes 5 batches; the second is not begun, or has done one attribute with its prior."""
    models = [said_model(WORDS, EVEN, name) for name in ("first", "second", "third")]
    result = run(models, [SAID], HE_SHE, list(WORDS), run=Callbacks(cancelled=after(batches)))
    assert list(lpbs(result, "first").values()) == pytest.approx([-log(4)] * 4, abs=1e-6)
    assert {item.model for item in result.excluded if STOPPED in item.why} == {"second", "third"}


@pytest.mark.usefixtures("one_input_a_batch")
def test_a_stopped_run_is_resumed_from_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five batches are the whole of the first model; three do nurse and teacher of the second."""
    models = [said_model(WORDS, EVEN, name) for name in ("first", "second")]
    whole = run(models, [SAID], HE_SHE, list(WORDS))
    memory: Memory = {}
    run(models, [SAID], HE_SHE, list(WORDS), memory=memory, run=Callbacks(cancelled=after(8)))
    texts: list[str] = []
    plain = MaskedScorer.log_probs

    def noting(self: MaskedScorer, queries: Sequence[MaskQuery], **kwargs: Any) -> Any:
        texts.extend(query.text for query in queries)
        return plain(self, queries, **kwargs)

    monkeypatch.setattr(MaskedScorer, "log_probs", noting)
    resumed = run(models, [SAID], HE_SHE, list(WORDS), memory=memory)
    for table in ("attributes", "overall", "targets"):
        pd.testing.assert_frame_equal(resumed[table], whole[table])
    assert {word for word in WORDS for text in texts if word in text} == {"doctor", "engineer"}
