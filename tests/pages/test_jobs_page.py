"""The page of all runs: what each session sees of those of others, and what it can do with them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.engine.loading import LoadedModel
from core.errors import ModelNotFound
from core.history import history as past
from core.measures.lpbs.spec import LpbsSpec
from core.result import Progress
from core.run import Run, State
from core.runs import Ended, Runs
from pages.jobs import words
from pages.shared import resources
from tests.pages.visiting import charts, errors, opened, visit

PAGE = "pages/12_Jobs.py"
A_SECOND = 10.0  # the most that a step of these tests may take
SPEC = LpbsSpec(attributes=("nurse", "engineer"))


class Slow:
    """Work that takes its turn, says 3 of 10, and goes on until it is told to end or let go."""

    def __init__(self, runs: Runs) -> None:
        self.runs, self.go = runs, threading.Event()

    def __call__(self, _spec: Any, run: Run[str]) -> str:
        with self.runs.turns.turn(run):
            run.report(Progress("Counting", 3, 10))
            run.memory["done"] = 3
            while not run.cancelled() and not self.go.wait(0.01):
                pass
        return "done"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    """Those of a server that has just started, where one computes at a time."""
    made = Runs(1 << 24, at_once=1)
    monkeypatch.setattr(resources, "runs", lambda: made)
    return made


@pytest.fixture
def slow(runs: Runs) -> Iterator[Slow]:
    work = Slow(runs)
    yield work
    work.go.set()


def begun(runs: Runs, work: Slow, spec: LpbsSpec = SPEC, visitor: object = "ann") -> Run[Any]:
    """A run that some session waits for, as far as it goes by itself."""
    run = runs.join(spec, work, ("", visitor))
    end = time.monotonic() + A_SECOND
    while not (run.progress or runs.turns.place(run)):
        assert time.monotonic() < end
        time.sleep(0.01)
    return run


def look(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    return at


def jobs(**link: str) -> AppTest:
    return look(opened(PAGE, **link))


def press(at: AppTest, label: str) -> AppTest:
    return next(button for button in at.button if button.label == label).click().run()


def captions(at: AppTest) -> list[str]:
    return [caption.value.replace("\\", "") for caption in at.caption]


def looked_at(at: AppTest) -> str:
    """The run in the address."""
    value = at.query_params["run"]
    return value if isinstance(value, str) else value[0]


def sections(at: AppTest) -> list[str]:
    return [heading.value for heading in at.subheader]


def bars(at: AppTest) -> list[str]:
    return [bar.proto.text for bar in at.get("progress")]


def test_a_server_that_measured_nothing_says_what_will_be_here(runs: Runs) -> None:
    at = jobs()
    (said,) = at.info
    assert said.value.startswith("Nothing is measured now. What anybody measures on this server appears here")
    assert not sections(at)
    assert runs.known() == ()


def test_runs_that_differ_in_an_input_their_line_does_not_name_say_it(runs: Runs, slow: Slow) -> None:
    begun(runs, slow, replace(SPEC, seed=7))
    at = jobs()
    assert [text.value for text in at.text] == [SPEC.line], "alone, it needs no more"
    begun(runs, slow, SPEC, "ben")
    begun(runs, slow, LpbsSpec(attributes=("nurse",)), "cleo")
    assert sorted(text.value for text in look(at).text) == sorted(
        [f"{SPEC.line} · Seed: 7", f"{SPEC.line} · Seed: 0", LpbsSpec(attributes=("nurse",)).line]
    )
    press(at, "Open")
    assert [text.value for text in at.text] == [f"{SPEC.line} · Seed: 7"]


def test_what_runs_and_what_waits_in_line(runs: Runs, slow: Slow) -> None:
    other = LpbsSpec(attributes=("nurse",))
    begun(runs, slow)
    begun(runs, slow, other, "ben")
    at = jobs()
    assert sections(at) == ["Under way"]
    assert [text.value for text in at.text] == [SPEC.line, other.line]
    first, second = bars(at)
    assert first.startswith("Counting … 3 of 10")
    assert second == "Waiting for its turn: next in line; 1 run computes at a time"
    assert captions(at).count("1 session waits for it.") == 2
    assert any("Began just now" in caption for caption in captions(at))


def test_stop_ends_it_for_all_and_says_who_waited_and_anybody_resumes_it(runs: Runs, slow: Slow) -> None:
    run = begun(runs, slow)
    at = press(jobs(), "Stop")
    assert run.wait(A_SECOND)
    assert run.state == State.STOPPED
    look(at)
    assert sections(at) == ["Stopped or failed"]
    became = f"{SPEC.TITLE} · Stopped at 3 of 10 (Counting) while 1 other session waited for it, just now"
    assert f"{became}; what was complete is kept" in captions(at)
    press(at, "Resume")
    assert looked_at(at) == run.id
    again = runs.find(run.id)
    assert isinstance(again, Run)
    assert again.memory == {"done": 3}
    assert len(again.waiting()) == 1
    slow.go.set()
    assert again.wait(A_SECOND)
    assert again.state == State.FINISHED


def test_a_link_opens_a_run_as_it_stands_and_the_way_back_shows_all(runs: Runs, slow: Slow) -> None:
    run = begun(runs, slow)
    at = jobs(run=run.id)
    assert bars(at)[0].startswith("Counting … 3 of 10")
    assert "2 sessions wait for it, this one included." in captions(at)
    assert len(run.waiting()) == 2, "who looks at a run waits for it"
    press(at, "All runs")
    assert sections(at) == ["Under way"]
    assert "run" not in at.query_params
    press(at, "Open")
    assert looked_at(at) == run.id


def test_a_failed_run_says_its_sentence_and_is_tried_again(runs: Runs) -> None:
    found: list[str] = []

    def missing(_spec: Any, _run: Run[str]) -> str:
        if not found:
            raise ModelNotFound("There is no folder *x*; give another.")
        return found[0]

    runs.join(SPEC, missing, "ann").wait(A_SECOND)
    at = jobs()
    assert errors(at) == ["There is no folder *x*; give another."]
    assert sections(at) == ["Stopped or failed"]
    found.append("x")
    press(at, "Try again")
    run = runs.find(looked_at(at))
    assert run is None or isinstance(run, Run)


def test_the_link_of_a_run_that_is_not_known_says_so(runs: Runs) -> None:
    at = jobs(run="0123456789ab")
    (said,) = at.warning
    assert "This run is not known here any more" in said.value
    press(at, "All runs")
    assert at.info


@pytest.mark.parametrize("setting", ["sqlite", "off"])
def test_a_finished_run_leads_to_its_result(
    setting: str, runs: Runs, embedded: LoadedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the history, and without: then the result is remembered by the server."""
    url = setting if setting == "off" else f"sqlite:///{tmp_path / 'history.db'}"
    monkeypatch.setenv("TILTMETER_HISTORY", url)
    run = runs.join(SPEC, resources.measure, "ann")
    assert run.wait(300)
    assert run.error is None
    at = jobs()
    assert sections(at) == ["Finished"]
    saved = runs.find(run.id)
    assert isinstance(saved, Ended)
    assert saved.saved is not None
    links = {link.proto.label: link.proto.query_string for link in at.main.get("page_link")}
    assert links["Result"].startswith(f"saved={saved.saved.digest[:16]}")
    assert ("History" in links) == (setting != "off")
    if setting != "off":
        kept = past.history()
        assert kept is not None
        (entry,) = kept.find(past.Query()).entries
        assert links["History"] == f"run={entry.id}"
    one = jobs(run=run.id)
    (figure,) = charts(one)
    assert figure["data"]
    page = visit("pages/1_Playground.py", saved=f"{saved.saved.digest[:16]}:score.tilt")
    assert not errors(page)
    assert "saved result" in page.info[0].value


def test_what_others_make_of_a_report_is_not_listed(runs: Runs) -> None:
    """Only measurements: the file of a report is its author's."""
    go = threading.Event()

    def work(_spec: Any, run: Run[str]) -> str:
        with runs.turns.turn(run):
            go.wait(A_SECOND)
        return "file"

    runs.join("my report as PDF", work, "ann")
    at = jobs()
    go.set()
    assert not sections(at)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (59.9, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (3600, "1 hour ago"),
        (90_000, "1 day ago"),
        (180_000, "2 days ago"),
    ],
)
def test_when(seconds: float, said: str) -> None:
    assert words.ago(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "less than a second"),
        (1.0, "1 second"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (3_600, "1 hour"),
        (7_500, "2 hours 5 minutes"),
    ],
)
def test_how_long(seconds: float, said: str) -> None:
    assert words.lasted(seconds) == said
