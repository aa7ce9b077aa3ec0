"""A run: one measurement under way, for everybody who waits for it."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar
from uuid import uuid4

from .errors import TiltmeterError, log_cause
from .result import Progress

T = TypeVar("T")

_LEAST_TIMED = 2.0  # seconds of work from which the rest is estimated
_ID = 12  # digits of a run's id
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
