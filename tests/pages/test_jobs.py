from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import ModelNotFound
from core.results import IsCancelled, Progress, ReportProgress
from pages.shared.jobs import Job
from tests.pages.visiting import errors


def page(name, key, work):  # type: ignore[no-untyped-def]  # becomes a script of its own, without our imports
    import streamlit as st

    from pages.shared import jobs

    st.text(jobs.finished(name, key, work))


def opened(work: Callable[..., Any], key: object = 1) -> AppTest:
    return AppTest.from_function(page, default_timeout=30, kwargs={"name": "test", "key": key, "work": work}).run()


def until_stopped(progress: ReportProgress, cancelled: IsCancelled) -> str:
    progress(Progress("Counting", 3, 10))
    while not cancelled():
        threading.Event().wait(0.01)
    return "kept 3"


def test_quick_work_shows_no_progress() -> None:
    at = opened(lambda _progress, _cancelled: "done")
    assert [one.value for one in at.text] == ["done"]
    assert not at.get("progress")


def test_slow_work_shows_progress_and_stop_keeps_what_is_done() -> None:
    at = opened(until_stopped)
    bar = at.get("progress")[0].proto
    assert bar.text.startswith("Counting … 3 of 10")
    assert bar.value == 30
    assert not at.text
    at.button[0].click().run()
    if at.get("progress"):
        at.run()
    assert [one.value for one in at.text] == ["kept 3"]


def test_work_can_be_stopped_before_its_first_report() -> None:
    def silent(_progress: ReportProgress, cancelled: IsCancelled) -> str:
        while not cancelled():
            threading.Event().wait(0.01)
        return "stopped early"

    at = opened(silent)
    assert at.get("progress")
    assert [one.label for one in at.button] == ["Stop"]
    at.button[0].click().run()
    if at.get("progress"):
        at.run()
    assert [one.value for one in at.text] == ["stopped early"]


def test_same_work_is_done_once_and_other_inputs_stop_it() -> None:
    calls = []

    def counted(_progress: ReportProgress, _cancelled: IsCancelled) -> str:
        calls.append(1)
        return f"call {len(calls)}"

    at = opened(counted)
    at.run()
    assert calls == [1]
    assert [one.value for one in at.text] == ["call 1"]

    at = opened(until_stopped)
    slow = at.session_state["job test"]
    assert not slow.cancelled()
    at.kwargs = {"name": "test", "key": 2, "work": counted}
    at._run()
    assert slow.cancelled()


def test_expected_error_is_its_sentence() -> None:
    def missing(_progress: ReportProgress, _cancelled: IsCancelled) -> str:
        raise ModelNotFound("There is no folder x; give another.")

    at = opened(missing)
    assert errors(at) == ["There is no folder x; give another."]
    assert not at.exception
    assert not at.text


def test_unexpected_exception_is_a_sentence_without_traceback(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_progress: ReportProgress, _cancelled: IsCancelled) -> str:
        raise ZeroDivisionError("division by a secret")

    at = opened(broken)
    (said,) = (one.value for one in at.error)
    assert "inside the program" in said
    assert "secret" not in said
    assert "Traceback" not in said
    assert not at.exception
    assert any(record.exc_info and isinstance(record.exc_info[1], ZeroDivisionError) for record in caplog.records), (
        "the log has it"
    )


def test_nobody_looks_any_more() -> None:
    """A closed tab cannot say so: a minute without a look stops the work."""
    job = Job(key=1, work=until_stopped)
    assert not job.cancelled()
    job.seen = time.monotonic() - 59
    assert not job.cancelled()
    job.seen = time.monotonic() - 61
    assert job.cancelled()
