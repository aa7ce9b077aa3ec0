"""A run: one measurement under way, for everybody who waits for it; and all runs of a program.

A run belongs to the program, not to a tab: equal specs are one run, which goes on while anybody waits for it. So many
compute at once, the others wait in line. What is finished is kept within a bound in bytes, and so is what a run that
ended early had done, so that it can be resumed, and what is known of runs that ended.
"""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast
from uuid import uuid4

import numpy as np
import pandas as pd

from .errors import NothingToScore, TiltmeterError, log_cause
from .result import Progress

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)

# Seconds without a look before nobody waits any more. A browser lets a tab in the background look once a minute.
PATIENCE = 180.0
_LEAST_TIMED = 2.0  # seconds of work from which the rest is estimated
_LOOK = 0.2  # seconds after which a run in line looks whether anybody still waits for it
_ID = 12  # digits of a run's id
_ENDED_BYTES = 64 << 20  # of what is known of runs that ended
_FAILED = (
    "Something failed inside the program; your inputs are kept. "
    "The server's log has the details; please report them with this page's address."
)


class Watch:
    """What work reports to and asks whether to go on. This one takes no notice and never ends the work."""

    def report(self, progress: Progress) -> None:
        """Take the work's report of what is done."""

    def cancelled(self) -> bool:
        """Whether the work should end. Once true it stays true."""
        return False


UNWATCHED = Watch()


class Callbacks(Watch):
    """A watch of functions, for work that is no run of its own: a part of one, or a command's."""

    def __init__(
        self,
        report: Callable[[Progress], None] = UNWATCHED.report,
        cancelled: Callable[[], bool] = UNWATCHED.cancelled,
    ) -> None:
        self._report, self._cancelled = report, cancelled

    def report(self, progress: Progress) -> None:
        """Pass it on."""
        self._report(progress)

    def cancelled(self) -> bool:
        """Ask whoever knows."""
        return self._cancelled()


def continued(run: Watch, done: int) -> Watch:
    """The watch of what is left of a work, whose reports count the ``done`` units of earlier runs too."""

    def report(rest: Progress) -> None:
        run.report(Progress(rest.stage, done + rest.done, done + rest.total))

    return Callbacks(report, run.cancelled)


class State(StrEnum):
    """Where a run stands. ``STOPPED`` by somebody who waited, ``ABANDONED`` by everybody: that one has no result."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    ABANDONED = "abandoned"
    FAILED = "failed"
    FINISHED = "finished"


@dataclass(frozen=True)
class Saved:
    """Where a result can be opened: the SHA-256 of its saved file, or its beginning, and its id in the history."""

    digest: str
    history: str = ""


class Run(Watch, Generic[T]):
    """One measurement under way. The work reports to it and asks it whether to go on; visitors look at it.

    Parameters
    ----------
    spec : Hashable
        What is measured; equal specs are the same measurement.
    patience : float or None
        Seconds without a look of any visitor after which the run is abandoned; None for work nobody needs to watch.
    clock : callable
        Seconds that only grow.
    heard : callable
        Gets each report of progress as it comes.

    Attributes
    ----------
    state : State
        Where it stands.
    memory : dict
        What the work has done so far, for the next run of the same spec; the work decides what is in it.
    progress : Progress or None
        The last report; None before the first.
    result : object or None
        Whole when ``FINISHED``. When ``STOPPED``, what was done until then, or None where that was nothing.
    error : TiltmeterError or None
        When ``FAILED``, what it failed with; its text is a sentence for the screen.
    remark : str
        What a reader must hear beside the result, and is no part of it; empty where there is nothing.
    id : str
        What it is known by among the runs of a program, the same for whatever is begun again with its spec.
    computed : bool
        Whether it had its turn to compute. One that only looked up what is kept did not.
    saved : Saved or None
        Where its result can be opened; the work says so.
    others : int
        How many waited when somebody ended it for all.
    """

    def __init__(
        self,
        spec: Hashable = None,
        *,
        patience: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        heard: Callable[[Progress], None] = UNWATCHED.report,
    ) -> None:
        self.spec: Any = spec
        self.state = State.WAITING
        self.memory: dict[Any, Any] = {}
        self.progress: Progress | None = None
        self.result: T | None = None
        self.error: TiltmeterError | None = None
        self.remark = ""
        self.id = uuid4().hex[:_ID]
        self.computed = False
        self.saved: Saved | None = None
        self.others = 0
        self._patience, self._clock, self._heard = patience, clock, heard
        self.began = clock()
        self._looks: dict[Hashable, float] = {}
        self._lock = threading.Lock()
        self._stop, self._over = threading.Event(), threading.Event()
        self._interrupted = False
        self._first: tuple[Progress, float] | None = None  # the first report of the present stage, and its time

    def report(self, progress: Progress) -> None:
        """Take the work's report of what is done."""
        last, now = self.progress, self._clock()
        same = last is not None and (last.stage, last.total) == (progress.stage, progress.total)
        if not same or last is None or progress.done < last.done:
            self._first = (progress, now)
        self.progress = progress
        self._heard(progress)

    def cancelled(self) -> bool:
        """Whether the work should end: somebody stopped it, or nobody waits. Once true it stays true."""
        if self._stop.is_set() or (self._patience is not None and not self.waiting()):
            self._interrupted = True
        return self._interrupted

    @property
    def interrupted(self) -> bool:
        """Whether the work was told to end early."""
        return self._interrupted

    def look(self, visitor: Hashable) -> None:
        """``visitor`` waits for this run; to be called again within the patience."""
        with self._lock:
            self._looks[visitor] = self._clock()

    def waiting(self) -> tuple[Hashable, ...]:
        """The visitors who looked within the patience."""
        now, patience = self._clock(), math.inf if self._patience is None else self._patience
        with self._lock:
            return tuple(visitor for visitor, seen in self._looks.items() if now - seen <= patience)

    def leave(self, visitor: Hashable) -> None:
        """``visitor`` wants something else now. The work goes on only while another waits."""
        with self._lock:
            self._looks.pop(visitor, None)

    def stop(self, visitor: Hashable, present: Callable[[Hashable], bool] = lambda _: True) -> int:
        """``visitor`` presses Stop: the work ends where nobody else waits. Returns how many others wait.

        ``present`` tells of another visitor whether it is still connected.
        """
        self.leave(visitor)
        for other in self.waiting():
            if not present(other):
                self.leave(other)
        others = len(self.waiting())
        if not others:
            self._stop.set()
        return others

    def end(self, others: int = 0) -> None:
        """Somebody ends the work though ``others`` wait for it."""
        self.others = others
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over, at most so many seconds; whether it is."""
        return self._over.wait(seconds)

    @property
    def over(self) -> bool:
        """Whether the work has ended, one way or another."""
        return self._over.is_set()

    @property
    def ending(self) -> bool:
        """Whether it is over, or was stopped and will be."""
        return self.over or self._interrupted or self._stop.is_set()

    def seconds_left(self) -> float | None:
        """Seconds to the end of the present stage, by the pace of this run alone; None while that is unknown.

        What was done by an earlier run stands in ``progress`` from the first report on and counts for nothing here.
        """
        if self.progress is None or self._first is None:
            return None
        (first, began), now = self._first, self._clock()
        done = self.progress.done - first.done
        if done <= 0 or now - began < _LEAST_TIMED or self.progress.done >= self.progress.total:
            return None
        return (now - began) * (self.progress.total - self.progress.done) / done

    def execute(self, work: Callable[[Any, Run[T]], T], last: Callable[[], None] = lambda: None) -> None:
        """Do the work here and now, and ``last`` before anybody can see that it is over.

        Never raises: what goes wrong is in ``error``.
        """
        self.state = State.RUNNING
        try:
            result = work(self.spec, self)
        except TiltmeterError as error:
            log_cause(error)
            # What is kept for the screen keeps no frames: they hold models.
            error.__traceback__ = error.__cause__ = error.__context__ = None
            # Told to end, a measurement may have nothing yet and say so.
            self._finish(self._early() if self._interrupted else State.FAILED, error=error)
        except Exception:
            logging.getLogger(__name__).exception("a measurement failed")
            self._finish(State.FAILED, error=TiltmeterError(_FAILED))
        else:
            whole = not self._interrupted or getattr(result, "stopped", True) is False
            self._finish(State.FINISHED if whole else self._early(), result)
        finally:
            try:
                last()
            finally:
                self._over.set()

    def _early(self) -> State:
        return State.STOPPED if self._stop.is_set() else State.ABANDONED

    def _finish(self, state: State, result: T | None = None, error: TiltmeterError | None = None) -> None:
        # A part that nobody asked for is no result.
        self.result = None if state == State.ABANDONED else result
        self.error = error if state == State.FAILED else None
        self.state = state


class Part(Run[T]):
    """A run that is a part of other work: it reports there, ends with it, and keeps what it did in its memory."""

    def __init__(self, whole: Watch, memory: dict[Any, Any]) -> None:
        super().__init__()
        self.memory, self._whole = memory, whole

    def report(self, progress: Progress) -> None:
        """Pass it on."""
        self._whole.report(progress)

    def cancelled(self) -> bool:
        """Whether the whole is to end."""
        return self._whole.cancelled()


class Kept:
    """Things kept within a bound in bytes; what was used longest ago goes first.

    A thing larger than the bound is not kept at all. Safe to share between threads.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._things: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any | None:
        """The thing, or None."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: Hashable, thing: Any) -> None:
        """Keep a thing, in place of an earlier one of this key."""
        size = size_of(thing)
        with self._lock:
            self._things.pop(key, None)
            if size > self.max_bytes:
                return
            self._things[key] = (thing, size)
            while self._sum() > self.max_bytes:
                self._things.popitem(last=False)

    def pop(self, key: Hashable) -> Any | None:
        """The thing, which is kept no longer, or None."""
        with self._lock:
            return self._things.pop(key, (None, 0))[0]

    def things(self) -> tuple[Any, ...]:
        """Everything kept, what was used longest ago first."""
        with self._lock:
            return tuple(thing for thing, _ in self._things.values())

    @property
    def bytes(self) -> int:
        """The size of everything kept, as ``size_of`` estimates it."""
        with self._lock:
            return self._sum()

    def _sum(self) -> int:
        return sum(size for _, size in self._things.values())


@dataclass(frozen=True)
class Ended:
    """What is known of a run that ended.

    ``error`` is the sentence that a failed one failed with, ``others`` how many waited when somebody ended it for all,
    ``seconds`` how long it took, its time in line included, ``at`` when it ended, by the clock of its ``Runs``.
    ``work`` begins it again.
    """

    id: str
    spec: Any
    state: State
    progress: Progress | None
    error: str
    saved: Saved | None
    others: int
    seconds: float
    at: float
    work: Callable[[Any, Run[Any]], Any] = field(repr=False)


class Turns:
    """Whose turn it is to compute: so many at once; the others stand in line in the order they came.

    Parameters
    ----------
    at_once : int
        How many compute at once, at least 1.
    """

    def __init__(self, at_once: int) -> None:
        self.at_once = max(1, at_once)
        self._computing = 0
        self._line: list[Run[Any]] = []
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, run: Run[Any]) -> Iterator[None]:
        """Wait in line, and compute for as long as the ``with`` block runs.

        Raises NothingToScore where the run is told to end before its turn has come.
        """
        with self._changed:
            self._line.append(run)
            try:
                while self._line[0] is not run or self._computing == self.at_once:
                    run.state = State.WAITING
                    if run.cancelled():
                        raise NothingToScore("Stopped before its turn had come.")
                    self._changed.wait(_LOOK)
                self._computing += 1
            finally:
                self._line.remove(run)
                self._changed.notify_all()
        run.state, run.computed = State.RUNNING, True
        try:
            yield
        finally:
            with self._changed:
                self._computing -= 1
                self._changed.notify_all()

    def place(self, run: Run[Any]) -> int:
        """Its place in line, 1 for the next; 0 for one that does not stand there."""
        with self._changed:
            return self._line.index(run) + 1 if run in self._line else 0


class Runs:
    """All runs of a program: equal specs are one run, whoever asks.

    Parameters
    ----------
    max_bytes : int
        Bound of what is kept: finished results, and what runs that ended early had done.
    at_once : int
        How many compute at once.
    patience, clock
        As for ``Run``.
    """

    def __init__(
        self,
        max_bytes: int,
        *,
        at_once: int = 4,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.results = Kept(max_bytes)
        self.turns = Turns(at_once)
        self._ended = Kept(_ENDED_BYTES)  # by spec
        self._patience, self._clock = patience, clock
        self._under_way: dict[Hashable, Run[Any]] = {}
        self._lock = threading.Lock()

    def join(self, spec: S, work: Callable[[S, Run[T]], T], visitor: Hashable) -> Run[T]:
        """The run of this spec, begun on a thread of its own where none is under way; ``visitor`` waits for it.

        One that ended early is resumed from its memory; one that is about to end is waited for first.
        """
        with self._lock:
            run = cast("Run[T] | None", self._under_way.get(spec))
            if run is not None and not run.ending:
                run.look(visitor)
                return run
            before, run = run, Run(spec, patience=self._patience, clock=self._clock)
            known: Run[Any] | Ended | None = before or self._ended.get(spec)
            if known is not None:
                run.id = known.id
            run.look(visitor)
            self._under_way[spec] = run
        threading.Thread(target=self._execute, args=(run, work, before), daemon=True).start()
        return run

    def under_way(self) -> tuple[Run[Any], ...]:
        """The runs that have not ended."""
        with self._lock:
            return tuple(run for run in self._under_way.values() if not run.ending)

    def known(self) -> tuple[Run[Any] | Ended, ...]:
        """The runs that are not over, in the order they began, and those that are, the last first; a spec once.

        Of those that are over: what failed, was stopped, or computed something. What is kept needs no run.
        """
        with self._lock:
            busy = tuple(run for run in self._under_way.values() if not run.over)
        ids = {run.id for run in busy}
        ended: Iterable[Ended] = (run for run in self._ended.things() if run.id not in ids)
        return (*sorted(busy, key=lambda run: run.began), *sorted(ended, key=lambda run: -run.at))

    def find(self, id: str) -> Run[Any] | Ended | None:
        """The run of this id; None where none is known."""
        return next((run for run in self.known() if run.id == id), None)

    def now(self) -> float:
        """The time by the clock of the runs, in seconds."""
        return self._clock()

    def resume(self, id: str, visitor: Hashable) -> Run[Any] | None:
        """The run of this id, begun again where it ended; ``visitor`` waits for it. None where none is known."""
        run = self.find(id)
        if isinstance(run, Ended):
            return self.join(run.spec, run.work, visitor)
        if run is not None:
            run.look(visitor)
        return run

    def _execute(self, run: Run[T], work: Callable[[Any, Run[T]], T], before: Run[T] | None) -> None:
        if before is not None:
            before.wait()
        unfinished = ("unfinished", run.spec)
        run.memory = self.results.pop(unfinished) or {}

        def remembered(spec: Any, run: Run[T]) -> T:
            whole = False
            try:
                result = work(spec, run)
                whole = not run.interrupted
                return result
            finally:
                # Before anybody can see that it is over, and resume it.
                if run.memory and not whole:
                    self.results.put(unfinished, run.memory)

        run.execute(remembered, last=lambda: self._note(run, work))
        with self._lock:
            if self._under_way.get(run.spec) is run:
                del self._under_way[run.spec]

    def _note(self, run: Run[Any], work: Callable[[Any, Run[Any]], Any]) -> None:
        """Keep what is known of a run that ends."""
        before: Ended | None = self._ended.get(run.spec)
        if run.computed or run.state in (State.FAILED, State.STOPPED):
            error, now = "" if run.error is None else str(run.error), self._clock()
            took, others = now - run.began, run.others
            ended = Ended(run.id, run.spec, run.state, run.progress, error, run.saved, others, took, now, work)
            self._ended.put(run.spec, ended)
        elif before is not None and run.state == State.FINISHED and before.state != State.FINISHED:
            self._ended.pop(run.spec)  # what it says is no longer so


def size_of(thing: Any) -> int:
    """Bytes that a result takes: its frames with their texts, its arrays whole, and everything they stand in.

    What is held twice counts once. An estimate: small numbers and texts that other results share count here too.
    """
    total, seen, left = 0, set(), [thing]
    while left:
        item = left.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, pd.DataFrame | pd.Series | pd.Index):
            total += int(np.sum(item.memory_usage(deep=True)))
        elif isinstance(item, np.ndarray) and isinstance(item.base, np.ndarray):
            left.append(item.base)  # a view holds the whole
        elif isinstance(item, np.ndarray):
            total += item.nbytes
        else:
            total += sys.getsizeof(item)
            left += _inside(item)
    return total


def _inside(item: Any) -> Iterable[Any]:
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, tuple | list | set | frozenset):
        return item
    if is_dataclass(item) and not isinstance(item, type):
        return [getattr(item, field.name) for field in fields(item)]
    return ()
