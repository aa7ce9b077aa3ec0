"""What was stopped goes on where it was: nothing is read twice, and the end is that of a run that was not stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pandas.testing import assert_frame_equal

from core.engine import reading
from core.engine.loading import LoadedModel
from core.errors import NothingToScore
from core.measures.agreement.compute import agreement, metrics_of_model
from core.measures.agreement.divergence import divergence
from core.measures.agreement.metrics import Materials
from core.measures.agreement.result import AgreementOptions, DivergenceOptions
from core.result import Group, Progress, Result
from core.run import UNWATCHED, Callbacks, Watch
from core.sources.blanks import Words, own_templates
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

TEMPLATES = own_templates("This is the _.\nThe _ is here.\nThe _ is tired.\nThe _ is a [MASK].\nHere comes the _.")
WORDS = Words(
    Group("X", ("nurse", "secretary", "teacher", "daughter")),
    Group("Y", ("engineer", "doctor", "manager", "son")),
    Group("A", ("woman", "girl", "sister")),
    Group("B", ("man", "boy", "brother")),
)
OPTIONS = AgreementOptions(subsets=6, drawn=3)
Measure = Callable[[list[LoadedModel], dict[Any, Any], Watch], Result]


def of(kind: str, *names: str) -> Measure:
    def measure(models: list[LoadedModel], memory: dict[Any, Any], run: Watch) -> Result:
        return agreement(models, kind, TEMPLATES, names, OPTIONS, words=WORDS, memory=memory, run=run)

    return measure


def blanks(models: list[LoadedModel], memory: dict[Any, Any], run: Watch) -> Result:
    return divergence(models, TEMPLATES, DivergenceOptions("own 1"), memory=memory, run=run)


MEASURES: dict[str, Measure] = {
    "templates": of("templates", "pooled-in-templates", "cls-in-templates"),
    "representations": of("representations", "input-embedding", "cls-no-context", "vulic", "pooled-in-templates"),
    "divergence": blanks,
}


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "tokens_at_once", lambda module: 24)


def texts_read(model: LoadedModel, work: Callable[[], object]) -> int:
    """How many texts go through the model during the work."""
    rows: list[int] = []
    hook = model.module.base_model.register_forward_pre_hook(
        lambda _module, args, kwargs: rows.append(len(args[0] if args else kwargs["input_ids"])), with_kwargs=True
    )
    try:
        work()
    finally:
        hook.remove()
    return sum(rows)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_each_text_is_read_once_in_all(measure: Measure) -> None:
    model = load_tiny("bert")
    results: list[Result] = []
    whole = texts_read(model, lambda: results.append(measure([model], {}, UNWATCHED)))
    memory: dict[Any, Any] = {}
    seen: list[Progress] = []

    def stopped() -> None:
        with pytest.raises(NothingToScore, match="stopped"):
            measure([model], memory, Callbacks(seen.append, lambda: bool(seen) and seen[-1].done > 0))

    first = texts_read(model, stopped)
    again: list[Progress] = []
    rest = texts_read(model, lambda: results.append(measure([model], memory, Callbacks(again.append))))
    assert 0 < first < whole
    assert first + rest == whole
    assert again[0].done >= seen[-1].done > 0
    before, after = results
    for table, of_resumed in ((before.summary, after.summary), (before.detail, after.detail)):
        assert_frame_equal(table, of_resumed, atol=1e-4)
    assert before.left_out == after.left_out


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_the_model_that_was_finished_is_in_the_result_of_a_stopped_run(measure: Measure) -> None:
    first, second = renamed(load_tiny("bert"), "first"), renamed(load_tiny("distilbert"), "second")
    memory: dict[Any, Any] = {}
    stop = False

    def report(progress: Progress) -> None:
        nonlocal stop
        stop = stop or ("second" in progress.stage and progress.done > 0)

    part = measure([first, second], memory, Callbacks(report, lambda: stop))
    assert set(part.summary["model"]) == {"first"}
    assert [(item.model, item.role) for item in part.left_out if "stopped" in item.reason] == [("second", "model")]
    assert_frame_equal(part.summary, measure([first], {}, UNWATCHED).summary)
    whole = measure([first, second], memory, UNWATCHED)
    assert set(whole.summary["model"]) == {"first", "second"}


def test_metrics_keep_what_was_computed_and_no_number_of_a_part(embedded: LoadedModel) -> None:
    """Stopped while LPBS reads its sentences: WEAT is kept and not computed again, LPBS has no number yet."""
    asked = ["weat", "lpbs", "seat"]
    memory: dict[Any, Any] = {}
    stages: list[str] = []
    stopped = metrics_of_model(
        embedded, asked, Materials(), memory=memory,
        run=Callbacks(lambda progress: stages.append(progress.stage), lambda: bool(stages)),
    )  # fmt: skip
    assert stopped.detail["name"].tolist() == ["weat"]
    assert [(item.test, "stopped" in item.reason) for item in stopped.left_out] == [("lpbs", True), ("seat", True)]
    whole = metrics_of_model(embedded, asked, Materials(), memory=memory)
    assert_frame_equal(whole.detail, metrics_of_model(embedded, asked, Materials()).detail)
    assert texts_read(embedded, lambda: metrics_of_model(embedded, asked, Materials(), memory=memory)) == 0
