"""All runs of the server: what is under way, what ended early, what is finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.report.numbers import counted
from core.run import Run, State
from core.runs import Ended
from pages.jobs import runs, words
from pages.jobs.runs import Known
from pages.shared import jobs, resources
from pages.shared.markdown import literal

_MOST = 20  # runs of a section
_POLL = 1.0
_MINUTE = 60.0  # seconds after which what is said of times is said anew


def show() -> None:
    """Every section that has a run."""
    some = runs.known()
    _watch(_standing(some), resources.runs().now())
    if not some:
        st.info(
            "Nothing is measured now. What anybody measures on this server appears here, with its progress, and stays "
            "as a line when it has ended.",
            icon=":material/hourglass_empty:",
        )
    under_way = [run for run in some if isinstance(run, Run)]
    ended = [run for run in some if isinstance(run, Ended)]
    early = [run for run in ended if run.state != State.FINISHED]
    _section("Under way", under_way, _running)
    _section("Stopped or failed", early, _ended)
    _section("Finished", [run for run in ended if run.state == State.FINISHED], _ended)
    st.caption(
        "Everybody who can open this dashboard sees these lines, and can stop and resume what they name. Lines of runs "
        "that ended are forgotten when the server starts again; finished results stay in the history."
    )


def _section(title: str, some: Sequence[Any], draw: Callable[[Any], None]) -> None:
    if not some:
        return
    st.subheader(title, anchor=False)
    for run in some[:_MOST]:
        with st.container(key=f"job {run.id}"):
            draw(run)
    if len(some) > _MOST:
        st.caption(f"{counted(len(some) - _MOST, 'earlier run')} not shown.")


def _running(run: Run[Any]) -> None:
    left, right = _row()
    _about(left, run, f"Began {runs.since(run.began)}")
    with left:
        _progress(run)
    runs.open_button(right, run)
    runs.stop_button(right, run)


def _ended(run: Ended) -> None:
    left, right = _row()
    kept = "" if run.state in (State.FINISHED, State.FAILED) else "; what was complete is kept"
    _about(left, run, f"{words.became(run)}, {runs.since(run.at)}{kept}")
    if run.error:
        left.error(literal(run.error), icon=":material/error:")
    runs.open_button(right, run)
    if run.state == State.FINISHED:
        runs.result_links(right, run)
    else:
        runs.resume_button(right, run)


def _row() -> tuple[DeltaGenerator, DeltaGenerator]:
    left, right = st.columns([3, 1], vertical_alignment="top")
    return left, right.container(horizontal=True, gap="small", vertical_alignment="center")


def _about(place: DeltaGenerator, run: Known, standing: str) -> None:
    place.text(runs.line(run))
    place.caption(literal(f"{run.spec.TITLE} · {standing}"))


@st.fragment(run_every=_POLL)
def _progress(run: Run[Any]) -> None:
    jobs.show_progress(run)
    st.caption(f"{words.waiting(len(runs.waiting(run)))}.")


@st.fragment(run_every=_POLL)
def _watch(standing: tuple[tuple[object, ...], ...], drawn: float) -> None:
    """Draw the page anew when a run begins, ends or is being stopped, and once a minute for what is said of times."""
    if _standing(runs.known()) != standing or resources.runs().now() - drawn > _MINUTE:
        st.rerun()


def _standing(some: Sequence[Known]) -> tuple[tuple[object, ...], ...]:
    return tuple((run.id, run.ending if isinstance(run, Run) else run.at) for run in some)
