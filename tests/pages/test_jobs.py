"""What a page shows of a run: progress, stop, what was stopped, what others wait for. Two visits are two sessions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import ModelNotFound
from core.result import Progress
from core.run import Run
from core.runs import Runs
from pages.shared import resources
from tests.pages.visiting import errors

A_SECOND = 10.0  # the most that a step of these tests may take


def page(name, spec, work):  # type: ignore[no-untyped-def]  # becomes a script of its own, without our imports
    import streamlit as st

    from pages.shared import frame, jobs

    st.session_state[frame.OUTDATED] = False
    st.button("Measure", key=jobs.AGAIN)
    st.text(jobs.finished(name, spec, work))


def opened(work: Callable[..., Any], spec: object = None) -> AppTest:
    kwargs = {"name": "test", "spec": spec or uuid4().hex, "work": work}
    return AppTest.from_function(page, default_timeout=300, kwargs=kwargs).run()


class Slow:
    """Work that says 3 of 10 and goes on until it is told to end, or is let go; then it says what it has."""

    def __init__(self) -> None:
        self.calls, self.go = 0, threading.Event()

    def __call__(self, _spec: Any, run: Run[str]) -> str:
        self.calls += 1
        run.report(Progress("Counting", 3, 10))
        run.memory["done"] = run.memory.get("done", 0) + 3
        while not run.cancelled() and not self.go.wait(0.01):
            pass
        return "kept 3" if run.interrupted else f"whole, begun at {run.memory['done'] - 3}"


@pytest.fixture
def slow() -> Iterator[Slow]:
    work = Slow()
    yield work
    work.go.set()


def press(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label == label).click().run()


def settled(at: AppTest) -> AppTest:
    """Look until the run is over."""
    for _ in range(40):
        if not at.get("progress"):
            return at
        at.run()
    raise AssertionError("the run never ended")


def texts(at: AppTest) -> list[str]:
    return [text.value for text in at.text]


def infos(at: AppTest) -> list[str]:
    return [info.value for info in at.info]


def test_quick_work_shows_no_progress() -> None:
    at = opened(lambda _spec, _run: "done")
    assert texts(at) == ["done"]
    assert not at.get("progress")
    assert not infos(at)


def test_slow_work_shows_progress_and_stop_keeps_what_is_done_and_says_so(slow: Slow) -> None:
    at = opened(slow)
    bar = at.get("progress")[0].proto
    assert bar.text.startswith("Counting … 3 of 10")
    assert bar.value == 30
    assert not texts(at)
    settled(press(at, "Stop"))
    assert texts(at) == ["kept 3"]
    assert infos(at) == ["Stopped before its end: what is shown was measured until then."]


@pytest.mark.parametrize("button", ["Measure", "Resume"])
def test_what_was_stopped_is_resumed_by_a_button(slow: Slow, button: str) -> None:
    at = settled(press(opened(slow), "Stop"))
    at.run()
    assert texts(at) == ["kept 3"], "looking at it begins nothing"
    assert slow.calls == 1
    slow.go.set()
    settled(press(at, button))
    assert texts(at) == ["whole, begun at 3"]
    assert not infos(at)
    assert slow.calls == 2


def test_work_can_be_stopped_before_its_first_report() -> None:
    def silent(_spec: Any, run: Run[str]) -> str:
        while not run.cancelled():
            threading.Event().wait(0.01)
        return "stopped early"

    at = opened(silent)
    assert at.get("progress")
    settled(press(at, "Stop"))
    assert texts(at) == ["stopped early"]


def test_stopped_with_nothing_to_show_says_so() -> None:
    def nothing(_spec: Any, run: Run[str]) -> str:
        while not run.cancelled():
            threading.Event().wait(0.01)
        raise ModelNotFound("Nothing was scored.")

    at = settled(press(opened(nothing), "Stop"))
    assert infos(at) == ["Stopped before its end: nothing was measured until then."]
    assert not errors(at)
    assert not texts(at)


def test_same_work_is_done_once_and_other_inputs_end_it(slow: Slow) -> None:
    calls = []

    def counted(_spec: Any, _run: Run[str]) -> str:
        calls.append(1)
        return f"call {len(calls)}"

    at = opened(counted)
    at.run()
    assert texts(at) == ["call 1"]

    at = opened(slow)
    run = at.session_state["run test"]
    assert not run.cancelled()
    at.kwargs = {"name": "test", "spec": uuid4().hex, "work": counted}
    at._run()
    assert run.wait(A_SECOND)
    assert run.result is None


def test_expected_error_is_its_sentence_and_measure_tries_again() -> None:
    found: list[str] = []

    def missing(_spec: Any, _run: Run[str]) -> str:
        if not found:
            raise ModelNotFound("There is no folder x; give another.")
        return "found"

    at = opened(missing)
    assert errors(at) == ["There is no folder x; give another."]
    assert not at.exception
    assert not texts(at)
    found.append("x")
    at.run()
    assert errors(at)
    settled(press(at, "Measure"))
    assert texts(at) == ["found"]


def test_unexpected_exception_is_a_sentence_without_traceback() -> None:
    def broken(_spec: Any, _run: Run[str]) -> str:
        raise ZeroDivisionError("division by a secret")

    at = opened(broken)
    (said,) = (error.value for error in at.error)
    assert "inside the program" in said
    assert "secret" not in said
    assert "Traceback" not in said
    assert not at.exception


def test_a_second_session_sees_the_progress_of_the_first_and_shares_its_end(slow: Slow) -> None:
    first = opened(slow, "shared")
    second = opened(slow, "shared")
    assert second.get("progress")[0].proto.text.startswith("Counting … 3 of 10")
    slow.go.set()
    assert texts(settled(first)) == texts(settled(second)) == ["whole, begun at 0"]
    assert slow.calls == 1


def test_stop_in_one_session_leaves_the_run_to_the_other_with_a_word(slow: Slow) -> None:
    first, second = opened(slow, "left"), opened(slow, "left")
    press(first, "Stop")
    (said,) = infos(first)
    assert said.startswith("You have left this measurement; another session waits for it, so it continues.")
    assert not first.get("progress")
    second.run()
    assert second.get("progress")
    # It can be joined again, without being begun again.
    press(first, "Measure")
    assert first.get("progress")
    press(first, "Stop")
    settled(press(second, "Stop"))
    assert texts(second) == ["kept 3"]
    first.run()
    assert texts(first) == ["kept 3"], "who left sees what became of it"
    assert slow.calls == 1


def test_stop_of_the_second_session_works_when_the_first_is_gone(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tab that was closed or reloaded a moment ago is no longer connected."""
    first = opened(slow, "gone")
    gone = first.session_state["visitor"]
    second = opened(slow, "gone")
    monkeypatch.setattr("pages.shared.jobs.connected", lambda visitor: visitor[1] != gone)
    settled(press(second, "Stop"))
    assert texts(second) == ["kept 3"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits any more after half a second without a look, though a run of a page takes nearly as long."""
    runs = Runs(1 << 20, patience=0.7)
    monkeypatch.setattr(resources, "runs", lambda: runs)


@pytest.mark.usefixtures("impatient")
def test_a_tab_that_was_not_looked_at_resumes_when_it_is(slow: Slow) -> None:
    """The lid was closed: what was done is no result, and the run goes on from there without a press."""
    at = opened(slow)
    run = at.session_state["run test"]
    assert run.wait(A_SECOND)
    assert run.result is None
    slow.go.set()
    at.run()
    settled(at)
    assert texts(at) == ["whole, begun at 3"]
    assert not infos(at)
    assert slow.calls == 2


@pytest.mark.usefixtures("impatient")
def test_a_closed_tab_ends_its_run_and_another_session_resumes_it(slow: Slow) -> None:
    run = opened(slow, "closed").session_state["run test"]
    assert run.wait(A_SECOND)
    slow.go.set()
    assert texts(settled(opened(slow, "closed"))) == ["whole, begun at 3"]


def test_a_page_that_is_reloaded_or_come_back_to_shows_the_run_as_it_stands(slow: Slow) -> None:
    first = opened(slow, "reloaded")
    run = first.session_state["run test"]
    del first  # the page is closed; its session is not heard of again
    again = opened(slow, "reloaded")
    assert again.session_state["run test"] is run
    assert again.get("progress")[0].proto.text.startswith("Counting … 3 of 10")
    slow.go.set()
    assert texts(settled(again)) == ["whole, begun at 0"]
    assert slow.calls == 1


def test_a_training_under_way_shows_its_losses() -> None:
    go = threading.Event()

    def work(_spec: Any, run: Run[str]) -> str:
        run.report(Progress("Fine-tuning", 2, 10, ((1, 2.5), (2, 2.25))))
        go.wait(A_SECOND)
        return "done"

    at = opened(work)
    chart = at.get("vega_lite_chart")[0].proto
    go.set()
    settled(at)
    assert not at.get("vega_lite_chart")
    assert "loss, nats" in chart.spec


def test_time_left_is_that_of_this_start() -> None:
    """90 of 100 were done before; 5 more in about 2.2 s leave 5 for about as long, where 2.2 · 5/95 would be 0 s."""
    go = threading.Event()

    def work(_spec: Any, run: Run[str]) -> str:
        run.report(Progress("Counting", 90, 100))
        time.sleep(2.2)
        run.report(Progress("Counting", 95, 100))
        go.wait(A_SECOND)
        return "done"

    at = opened(work)
    for _ in range(20):
        at.run()
        text = at.get("progress")[0].proto.text
        if "left" in text:
            break
    go.set()
    settled(at)
    assert text in (f"Counting … 95 of 100, about {seconds} s left" for seconds in (2, 3, 4))
