"""Runs shared by visitors: who sees what, when one ends, and what is resumed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from core.errors import ModelNotFound
from core.result import Progress
from core.run import Run, Saved, State
from core.runs import PATIENCE, Ended, Runs

A_SECOND = 10.0  # the most that a step of these tests may take
MEGABYTE = 1 << 20


class Clock:
    """Seconds that a test moves on by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Counting:
    """Work that counts to ``total``, a step each time the test lets it, and remembers where it was."""

    total: int = 4
    calls: int = 0
    counted: list[int] = field(default_factory=list)
    steps: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    took: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def __call__(self, _spec: Any, run: Run[str]) -> str:
        self.calls += 1
        done = run.memory.get("done", 0)
        run.report(Progress("Counting", done, self.total))
        self.took.release()
        while done < self.total:
            assert self.steps.acquire(timeout=A_SECOND)
            if run.cancelled():
                break
            done += 1
            self.counted.append(done)
            run.memory["done"] = done
            run.report(Progress("Counting", done, self.total))
            self.took.release()
        return f"counted {done}"

    def begin(self) -> None:
        assert self.took.acquire(timeout=A_SECOND)

    def step(self) -> None:
        self.steps.release()
        assert self.took.acquire(timeout=A_SECOND)

    def end(self) -> None:
        """Let it do all it wants."""
        for _ in range(self.total):
            self.steps.release()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def runs(clock: Clock) -> Runs:
    return Runs(MEGABYTE, clock=clock)


def over(run: Run[Any]) -> State:
    assert run.wait(A_SECOND), "the run never ended"
    return run.state


def test_equal_specs_are_one_run_whose_progress_both_see(runs: Runs) -> None:
    work = Counting()
    first = runs.join(("spec", 1), work, "ann")
    work.begin()
    work.step()
    second = runs.join(("spec", 1), Counting(), "ben")
    assert second is first
    assert second.state == State.RUNNING
    assert second.progress == Progress("Counting", 1, 4)
    assert runs.join(("spec", 2), lambda _spec, _run: "other", "ben") is not first
    work.end()
    assert over(first) == State.FINISHED
    assert first.result == "counted 4"
    assert work.calls == 1


def test_stop_of_one_takes_nothing_from_another(runs: Runs) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    runs.join("spec", work, "ben")
    work.begin()
    work.step()
    assert run.stop("ann") == 1, "ben waits"
    work.step()
    assert run.waiting() == ("ben",)
    # She may come back to it.
    assert runs.join("spec", work, "ann") is run
    assert run.stop("ben") == 1
    assert run.stop("ann") == 0, "the last one"
    work.end()
    assert over(run) == State.STOPPED
    assert run.result == "counted 2"


def test_stop_does_not_wait_for_visitors_who_are_gone(runs: Runs) -> None:
    """A page that was reloaded looked a moment ago, and waits for nothing."""
    work = Counting()
    run = runs.join("spec", work, "before the reload")
    runs.join("spec", work, "after the reload")
    assert run.stop("after the reload", present=lambda visitor: visitor != "before the reload") == 0
    work.end()
    assert over(run) == State.STOPPED


def test_a_second_visitor_can_stop_when_the_first_has_left(runs: Runs) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    runs.join("spec", work, "ben")
    run.leave("ann")
    assert not run.cancelled()
    assert run.stop("ben") == 0
    work.end()
    assert over(run) == State.STOPPED


def test_one_that_is_ended_for_all_says_how_many_others_waited(runs: Runs) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    runs.join("spec", work, "ben")
    work.begin()
    run.end(others=1)
    work.end()
    assert over(run) == State.STOPPED
    (ended,) = runs.known()
    assert isinstance(ended, Ended)
    assert (ended.state, ended.others, ended.progress) == (State.STOPPED, 1, Progress("Counting", 0, 4))


@dataclass
class InTurn:
    """Work that takes its turn, says so, and goes on until the test lets it end."""

    runs: Runs
    order: list[Any]
    go: threading.Event = field(default_factory=threading.Event)

    def __call__(self, spec: Any, run: Run[str]) -> str:
        with self.runs.turns.turn(run):
            self.order.append(spec)
            while not run.cancelled() and not self.go.wait(0.01):
                pass
        return f"whole {spec}"


def until(true: Callable[[], bool]) -> None:
    """Look until it is so."""
    end = time.monotonic() + A_SECOND
    while not true():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.01)


def stands(runs: Runs, run: Run[Any], place: int, order: list[Any], computing: int) -> None:
    """Look until the run has its place in line, and so many have begun to compute."""
    until(lambda: runs.turns.place(run) == place and len(order) == computing)


def test_so_many_compute_at_once_and_the_others_stand_in_line() -> None:
    runs, order = Runs(MEGABYTE, at_once=2), list[Any]()
    works = {name: InTurn(runs, order) for name in "abcd"}
    begun = {}
    for place, (name, work) in enumerate(works.items(), start=1):
        begun[name] = runs.join(name, work, "ann")
        stands(runs, begun[name], max(0, place - 2), order, min(place, 2))
    assert order == ["a", "b"]
    assert [run.state for run in begun.values()] == [State.RUNNING, State.RUNNING, State.WAITING, State.WAITING]
    assert [runs.turns.place(run) for run in begun.values()] == [0, 0, 1, 2]
    works["b"].go.set()
    until(lambda: order == ["a", "b", "c"])
    until(lambda: runs.turns.place(begun["d"]) == 1)
    assert begun["c"].state == State.RUNNING
    for work in works.values():
        work.go.set()
    assert {over(run) for run in begun.values()} == {State.FINISHED}
    assert order == ["a", "b", "c", "d"]
    assert begun["d"].result == "whole d"


def test_one_in_line_can_be_stopped_and_those_behind_it_move_up() -> None:
    runs, order = Runs(MEGABYTE, at_once=1), list[Any]()
    works = {name: InTurn(runs, order) for name in "abc"}
    begun = {}
    for place, (name, work) in enumerate(works.items()):
        begun[name] = runs.join(name, work, "ann")
        stands(runs, begun[name], place, order, 1)
    assert begun["b"].stop("ann") == 0
    assert over(begun["b"]) == State.STOPPED
    assert begun["b"].result is None
    assert not begun["b"].computed
    assert runs.turns.place(begun["c"]) == 1
    works["a"].go.set()
    works["c"].go.set()
    assert over(begun["c"]) == State.FINISHED
    assert order == ["a", "c"]


def test_a_turn_ends_when_its_work_fails() -> None:
    runs = Runs(MEGABYTE, at_once=1)

    def failing(_spec: Any, run: Run[str]) -> str:
        with runs.turns.turn(run):
            raise ModelNotFound("There is no folder x.")

    assert over(runs.join("a", failing, "ann")) == State.FAILED
    work = InTurn(runs, [])
    work.go.set()
    assert over(runs.join("b", work, "ann")) == State.FINISHED


def test_all_runs_are_known_while_they_last_and_after(runs: Runs, clock: Clock) -> None:
    assert runs.known() == ()
    work = InTurn(runs, [])
    first = runs.join("first", work, "ann")
    until(lambda: first.computed)
    assert runs.known() == (first,)
    assert runs.find(first.id) is first
    clock.now += 12
    first.saved = Saved("d1", "h1")
    work.go.set()
    assert over(first) == State.FINISHED

    def failing(_spec: Any, _run: Run[str]) -> str:
        raise ModelNotFound("There is no folder x.")

    clock.now += 5
    second = runs.join("second", failing, "ben")
    over(second)
    latest, earlier = runs.known()
    assert isinstance(latest, Ended)
    assert isinstance(earlier, Ended)
    assert (latest.id, latest.state, latest.error) == (second.id, State.FAILED, "There is no folder x.")
    assert (earlier.spec, earlier.state, earlier.saved) == ("first", State.FINISHED, Saved("d1", "h1"))
    assert (earlier.seconds, earlier.at, runs.now()) == (12.0, 1012.0, 1017.0)
    assert runs.find("no such run") is None
    assert runs.resume("no such run", "ann") is None


def test_looking_up_what_is_kept_is_no_run_that_is_listed(runs: Runs) -> None:
    assert over(runs.join("kept", lambda _spec, _run: "at hand", "ann")) == State.FINISHED
    assert runs.known() == ()


def test_what_failed_is_listed_no_more_when_its_result_is_found(runs: Runs) -> None:
    found: list[str] = []

    def work(_spec: Any, _run: Run[str]) -> str:
        if not found:
            raise ModelNotFound("There is no folder x.")
        return found[0]

    over(runs.join("spec", work, "ann"))
    assert len(runs.known()) == 1
    found.append("at hand")
    over(runs.join("spec", work, "ann"))
    assert runs.known() == ()


def test_anybody_resumes_a_run_by_its_id_and_it_keeps_it(runs: Runs) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    work.begin()
    work.step()
    run.stop("ann")
    work.steps.release()
    assert over(run) == State.STOPPED
    again = runs.resume(run.id, "ben")
    assert again is not None
    assert again is not run
    assert again.id == run.id
    assert runs.known() == (again,), "once, though it ended before"
    assert runs.resume(run.id, "cleo") is again
    assert again.waiting() == ("ben", "cleo")
    work.begin()
    work.end()
    assert over(again) == State.FINISHED
    assert again.result == "counted 4"
    assert work.counted == [1, 2, 3, 4]


def test_what_was_stopped_is_resumed(runs: Runs) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    work.begin()
    work.step()
    work.step()
    run.stop("ann")
    work.end()
    assert over(run) == State.STOPPED
    again = Counting()
    resumed = runs.join("spec", again, "ben")
    assert resumed is not run
    again.begin()
    assert resumed.progress == Progress("Counting", 2, 4), "it begins where the first one ended"
    again.end()
    assert over(resumed) == State.FINISHED
    assert (work.counted, again.counted) == ([1, 2], [3, 4])
    assert run.result == "counted 2", "what the first visitor sees does not change under her"


def test_abandoned_is_no_result_and_is_resumed_at_return(runs: Runs, clock: Clock) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    work.begin()
    work.step()
    clock.now += PATIENCE
    work.step()  # a look that is just old enough still counts
    clock.now += 1
    work.end()
    assert over(run) == State.ABANDONED
    assert run.result is None
    again = Counting()
    back = runs.join("spec", again, "ann")
    again.begin()
    assert back.progress == Progress("Counting", 2, 4)
    again.end()
    assert over(back) == State.FINISHED
    assert back.result == "counted 4"


def test_a_tab_in_the_background_still_waits(runs: Runs, clock: Clock) -> None:
    """Browsers let it look once a minute, and a busy server may miss one."""
    work = Counting(total=12)
    run = runs.join("spec", work, "ann")
    work.begin()
    for _ in range(6):
        clock.now += 120
        run.look("ann")
        work.step()
    assert not run.cancelled()
    run.stop("ann")
    work.end()
    over(run)


def test_one_that_looks_keeps_it_for_the_one_who_does_not(runs: Runs, clock: Clock) -> None:
    work = Counting()
    run = runs.join("spec", work, "lid closed")
    runs.join("spec", work, "looking")
    clock.now += PATIENCE + 1
    run.look("looking")
    assert run.waiting() == ("looking",)
    work.end()
    assert over(run) == State.FINISHED


def test_a_run_left_by_its_last_visitor_ends_and_one_who_returns_in_time_finds_it(runs: Runs) -> None:
    work = Counting()
    run = runs.join("spec", work, "ann")
    work.begin()
    run.leave("ann")
    assert runs.join("spec", work, "ann") is run, "nothing was asked in between"
    work.step()
    run.leave("ann")
    work.end()
    assert over(run) == State.ABANDONED


def test_one_that_is_about_to_end_is_waited_for_and_then_resumed(runs: Runs) -> None:
    work, again = Counting(), Counting()
    run = runs.join("spec", work, "ann")
    work.begin()
    work.step()
    run.stop("ann")
    resumed = runs.join("spec", again, "ann")
    assert resumed is not run
    assert resumed.state == State.WAITING
    assert again.calls == 0
    work.end()
    again.begin()
    assert run.state == State.STOPPED
    assert resumed.progress == Progress("Counting", 1, 4)
    again.end()
    assert over(resumed) == State.FINISHED


def test_a_stop_that_came_too_late_stopped_nothing(runs: Runs) -> None:
    @dataclass
    class Whole:
        stopped: bool

    for stopped, state in ((False, State.FINISHED), (True, State.STOPPED)):
        reached, go = threading.Event(), threading.Event()

        def work(_spec: Any, run: Run[Whole], stopped: bool = stopped, reached: Any = reached, go: Any = go) -> Whole:
            reached.set()
            go.wait(A_SECOND)
            assert run.cancelled()
            return Whole(stopped)

        run = runs.join(("late", stopped), work, "ann")
        assert reached.wait(A_SECOND)
        run.stop("ann")
        go.set()
        assert over(run) == state


def test_stopped_before_there_was_anything(runs: Runs) -> None:
    def nothing_yet(_spec: Any, run: Run[str]) -> str:
        while not run.cancelled():
            threading.Event().wait(0.01)
        raise ModelNotFound("The run was stopped before anything was scored.")

    run = runs.join("spec", nothing_yet, "ann")
    run.stop("ann")
    assert over(run) == State.STOPPED
    assert run.result is None
    assert run.error is None


def test_what_failed_says_so_and_the_next_to_ask_tries_again_from_what_was_done(runs: Runs) -> None:
    def broken(_spec: Any, run: Run[str]) -> str:
        run.memory["done"] = 3
        raise ModelNotFound("There is no folder x; give another.")

    run = runs.join("spec", broken, "ann")
    assert over(run) == State.FAILED
    assert str(run.error) == "There is no folder x; give another."
    work = Counting()
    work.end()
    retried = runs.join("spec", work, "ann")
    assert over(retried) == State.FINISHED
    assert work.counted == [4]


def test_an_unexpected_failure_is_a_sentence_and_the_log_has_the_rest(
    runs: Runs, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_spec: Any, _run: Run[str]) -> str:
        raise ZeroDivisionError("division by a secret")

    run = runs.join("spec", broken, "ann")
    assert over(run) == State.FAILED
    assert "inside the program" in str(run.error)
    assert "secret" not in str(run.error)
    assert any(record.exc_info and isinstance(record.exc_info[1], ZeroDivisionError) for record in caplog.records)


def test_time_left_is_of_the_work_since_this_start() -> None:
    """900 of 1,000 were done before. 10 more in 20 s leave 90 at 2 s each: 180 s, not 20 · 90/910 = 2 s."""
    clock = Clock()
    run: Run[str] = Run(clock=clock)
    assert run.seconds_left() is None
    run.report(Progress("Scoring", 900, 1000))
    clock.now += 20
    assert run.seconds_left() is None, "nothing was done yet"
    run.report(Progress("Scoring", 910, 1000))
    assert run.seconds_left() == pytest.approx(180)
    # A stage has a pace of its own: loading says nothing about scoring.
    run.report(Progress("Scoring another", 0, 50))
    assert run.seconds_left() is None
    clock.now += 5
    run.report(Progress("Scoring another", 25, 50))
    assert run.seconds_left() == pytest.approx(5)
    # The same words again, for the next representation.
    run.report(Progress("Scoring another", 0, 50))
    clock.now += 3
    run.report(Progress("Scoring another", 10, 50))
    assert run.seconds_left() == pytest.approx(12)
    run.report(Progress("Scoring another", 50, 50))
    assert run.seconds_left() is None


def test_work_that_nobody_needs_to_watch_is_not_abandoned() -> None:
    run: Run[str] = Run()
    run.execute(lambda _spec, run: f"cancelled: {run.cancelled()}")
    assert (run.state, run.result) == (State.FINISHED, "cancelled: False")


def test_two_sessions_at_the_same_moment_begin_one_run() -> None:
    """Twenty visitors from twenty threads."""
    runs, work = Runs(MEGABYTE), Counting()
    gate = threading.Barrier(20)
    joined: list[Run[str]] = []

    def visit(name: int) -> None:
        gate.wait(A_SECOND)
        joined.append(runs.join("spec", work, name))

    threads = [threading.Thread(target=visit, args=(name,)) for name in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(A_SECOND)
    assert len({id(run) for run in joined}) == 1
    assert len(joined[0].waiting()) == 20
    work.end()
    assert over(joined[0]) == State.FINISHED
    assert work.calls == 1


def test_the_cause_of_a_sentence_is_in_the_log_once(runs: Runs, caplog: pytest.LogCaptureFixture) -> None:
    def refused(_spec: Any, _run: Run[str]) -> str:
        try:
            raise OSError(5, "deep down")
        except OSError as error:
            raise ModelNotFound("A sentence.") from error

    def plain(_spec: Any, _run: Run[str]) -> str:
        raise ModelNotFound("Nothing beneath.")

    assert over(runs.join("plain", plain, "ann")) == State.FAILED
    assert not caplog.records
    run = runs.join("spec", refused, "ann")
    assert over(run) == State.FAILED
    assert str(run.error) == "A sentence."
    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is run.error
    assert "deep down" in caplog.text
    # What is kept with the run is the sentence alone; the frames of a traceback would keep models in memory.
    assert (run.error.__traceback__, run.error.__cause__, run.error.__context__) == (None, None, None)
