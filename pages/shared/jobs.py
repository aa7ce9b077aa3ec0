"""Work that may take longer than a click: a plain thread beside the page, with progress and a stop button.

A page that is left or rerun never waits for it: Streamlit can only stop a script at its own calls, so a long loop
in the script itself would go on unseen beside the next run.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

import streamlit as st

from core.errors import TiltmeterError
from core.results import IsCancelled, Progress, ReportProgress
from pages.shared.markdown import literal

T = TypeVar("T")
Work = Callable[[ReportProgress, IsCancelled], T]

AGAIN = "measure"  # key of the button that measures
_PATIENCE = 0.45  # seconds to wait for quick work before a progress bar is drawn
_POLL = 0.5
_ABANDONED = 60.0  # seconds without a look from the page: the tab is closed


@dataclass
class Job(Generic[T]):
    """One piece of work for one set of inputs (``key``)."""

    key: Hashable
    work: Work[T]
    started: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)
    progress: Progress | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    result: T | None = None
    error: str | None = None
    thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, on a thread of its own."""
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def cancelled(self) -> bool:
        """Whether somebody pressed stop, asked for something else, or closed the page."""
        return self.stop.is_set() or time.monotonic() - self.seen > _ABANDONED

    @property
    def was_stopped(self) -> bool:
        """Whether somebody stopped it and it has ended."""
        return self.stop.is_set() and self.result is not None

    def _run(self) -> None:
        def report(progress: Progress) -> None:
            self.progress = progress

        try:
            self.result = self.work(report, self.cancelled)
        except TiltmeterError as error:
            self.error = str(error)
        except Exception:
            logging.getLogger(__name__).exception("a measurement failed")
            self.error = (
                "Something failed inside the program; your inputs are kept. "
                "The server's log has the details; please report them with this page's address."
            )


def finished(name: str, key: Hashable, work: Work[T]) -> T:
    """The result of ``work`` for these inputs; until it is there, progress and a stop button stand in its place.

    Ends the script run while the work goes on or when it failed; a failure is shown as its sentence.
    """
    slot = f"job {name}"
    job = cast("Job[T] | None", st.session_state.get(slot))
    # What failed may work now, with the network back or a folder in place, and what was stopped can go on.
    again = job is not None and (job.error is not None or job.was_stopped) and st.session_state.get(AGAIN)
    if job is None or job.key != key or again:
        if job is not None:
            job.stop.set()
        job = Job(key, work)
        st.session_state[slot] = job
        job.start()
    job.seen = time.monotonic()
    thread = cast(threading.Thread, job.thread)
    thread.join(_PATIENCE)
    if thread.is_alive():
        _watch(job)
        st.stop()
    if job.error is not None:
        st.error(literal(job.error), icon=":material/error:")
        st.stop()
    return cast(T, job.result)


@st.fragment(run_every=_POLL)
def _watch(job: Job[T]) -> None:
    job.seen = time.monotonic()
    if not cast(threading.Thread, job.thread).is_alive():
        st.rerun()
    if st.button("Stop", help="Stops and keeps what is done."):
        job.stop.set()
    progress = job.progress
    if progress is None:
        st.progress(0.0, text="Starting the engine …")
        return
    left = ""
    if 0 < progress.done < progress.total and job.seen - job.started > 2:
        seconds = (job.seen - job.started) * (progress.total - progress.done) / progress.done
        left = f", about {seconds:,.0f} s left" if seconds < 100 else f", about {seconds / 60:,.0f} min left"
    share = progress.done / progress.total if progress.total else 0.0
    st.progress(min(share, 1.0), text=f"{literal(progress.stage)} … {progress.done:,} of {progress.total:,}{left}")
