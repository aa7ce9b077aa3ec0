"""What was stopped goes on where it was: nothing is read twice, and the end is that of a run that was not stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pandas.testing import assert_frame_equal

from core.engine import reading
from core.engine.loading import LoadedModel
from core.errors import NothingToScore
from core.measures.agreement.choices import Compared
from core.measures.agreement.compute import measure
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.result import Group, Progress
from core.run import UNWATCHED, Callbacks, Part, Watch
from core.sources.blanks import Words, own_set
from tests.support.stubs import renamed
from tests.support.watching import load_tiny

TEMPLATES = own_set("This is the _.\nThe _ is here.\nThe _ is tired.\nThe _ is a [MASK].\nHere comes the _.")
WORDS = Words(
    Group("X", ("nurse", "secretary", "teacher", "daughter")),
    Group("Y", ("engineer", "doctor", "manager", "son")),
    Group("A", ("woman", "girl", "sister")),
    Group("B", ("man", "boy", "brother")),
)
Measure = Callable[[list[LoadedModel], dict[Any, Any], Watch], AgreementResult]


def of(compare: Compared, *names: str) -> Measure:
    spec = AgreementSpec(compare=compare, templates=TEMPLATES, representations=names, words=WORDS, subsets=6, drawn=3)

    def measured(models: list[LoadedModel], memory: dict[Any, Any], run: Watch) -> AgreementResult:
        return measure(spec, models, Part(run, memory))

    return measured


MEASURES: dict[str, Measure] = {
    "templates": of(Compared.TEMPLATES, "pooled-in-templates", "cls-in-templates"),
    "representations": of(
        Compared.REPRESENTATIONS, "input-embedding", "cls-no-context", "vulic", "pooled-in-templates"
    ),
    "divergence": of(Compared.DIVERGENCE),
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
@pytest.mark.parametrize("measured", MEASURES.values(), ids=MEASURES)
def test_each_text_is_read_once_in_all(measured: Measure) -> None:
    model = load_tiny("bert")
    results: list[AgreementResult] = []
    whole = texts_read(model, lambda: results.append(measured([model], {}, UNWATCHED)))
    memory: dict[Any, Any] = {}
    seen: list[Progress] = []

    def stopped() -> None:
        with pytest.raises(NothingToScore, match="stopped"):
            measured([model], memory, Callbacks(seen.append, lambda: bool(seen) and seen[-1].done > 0))

    first = texts_read(model, stopped)
    again: list[Progress] = []
    rest = texts_read(model, lambda: results.append(measured([model], memory, Callbacks(again.append))))
    assert 0 < first < whole
    assert first + rest == whole
    assert again[0].done >= seen[-1].done > 0
    before, after = results
    for table in before.tables:
        assert_frame_equal(before[table], after[table], atol=1e-4)
    assert before.excluded == after.excluded


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("measured", MEASURES.values(), ids=MEASURES)
def test_the_model_that_was_finished_is_in_the_result_of_a_stopped_run(measured: Measure) -> None:
    first, second = renamed(load_tiny("bert"), "first"), renamed(load_tiny("distilbert"), "second")
    memory: dict[Any, Any] = {}
    stop = False

    def report(progress: Progress) -> None:
        nonlocal stop
        stop = stop or ("second" in progress.stage and progress.done > 0)

    part = measured([first, second], memory, Callbacks(report, lambda: stop))
    assert part.models == ("first",)
    assert part.stopped
    assert [(item.model, item.kind) for item in part.excluded if "stopped" in item.why] == [("second", "model")]
    alone = measured([first], {}, UNWATCHED)
    for table in alone.tables:
        assert_frame_equal(part[table], alone[table])
    whole = measured([first, second], memory, UNWATCHED)
    assert whole.models == ("first", "second")
    assert not whole.stopped


def test_metrics_keep_what_was_computed_and_no_number_of_a_part(embedded: LoadedModel) -> None:
    """Stopped while LPBS reads its sentences: WEAT is kept and not computed again, LPBS has no number yet."""
    spec = AgreementSpec(compare=Compared.METRICS, metrics=("weat", "lpbs", "seat"))
    memory: dict[Any, Any] = {}
    stages: list[str] = []
    stop = Callbacks(lambda progress: stages.append(progress.stage), lambda: bool(stages))
    stopped = measure(spec, [embedded], Part(stop, memory))
    assert stopped.stopped
    assert stopped["points"]["name"].tolist() == ["weat"]
    assert [(item.test, "stopped" in item.why) for item in stopped.excluded if item.test != "correlation"] == [
        ("lpbs", True), ("seat", True),
    ]  # fmt: skip
    whole = measure(spec, [embedded], Part(UNWATCHED, memory))
    assert_frame_equal(whole["points"], measure(spec, [embedded], Part(UNWATCHED, {}))["points"])
    assert texts_read(embedded, lambda: measure(spec, [embedded], Part(UNWATCHED, memory))) == 0
