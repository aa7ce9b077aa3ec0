"""All runs of a program.

A run belongs to the program, not to a tab: equal specs are one run, which goes on while anybody waits for it. So many
compute at once, the others wait in line. What is finished is kept within a bound in bytes, and so is what a run that
ended early had done, so that it can be resumed, and what is known of runs that ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from .errors import NothingToScore
from .kept import Kept
from .result import Progress
from .run import Run, Saved, State

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)

# Seconds without a look before nobody waits any more. A browser lets a tab in the background look once a minute.
PATIENCE = 180.0
_LOOK = 0.2  # seconds after which a run in line looks whether anybody still waits for it
_ENDED_BYTES = 64 << 20  # of what is known of runs that ended


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
