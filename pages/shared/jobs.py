"""A page and the run it waits for: progress with a stop button, and what stands in place of a result.

A page that is left or rerun never waits for the work, which has a thread of its own (``core.runs``): Streamlit can only
stop a script at its own calls, so a long loop in the script itself would go on unseen beside the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NoReturn, TypeVar, cast
from uuid import uuid4

import pandas as pd
import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import InputError, TiltmeterError
from core.report.numbers import counted
from core.report.wording import time_left
from core.result import Result
from core.run import Run, State
from pages.shared import links, resources
from pages.shared.frame import OUTDATED, UP_TO_DATE, theme
from pages.shared.markdown import literal

A = TypeVar("A")
T = TypeVar("T")
S = TypeVar("S", bound=Hashable)
Visitor = tuple[str, str]  # Streamlit's id of the session, and one of our own that no other session has

AGAIN = "measure"  # key of the button that measures
_QUICK = 0.45  # seconds to wait for quick work before a progress bar is drawn
_POLL = 0.5


class Refused(TiltmeterError):
    """Inputs that cannot be measured, which the page has said already where they stand."""


def measured(
    name: str, ask: Callable[[], A], work: Callable[[Any, Run[T]], T], spec: Callable[[A], Any] = lambda asked: asked
) -> tuple[A, T]:
    """What the controls ask for (``ask``, which draws them), and the result of ``work`` for its ``spec``.

    Until the result is there, progress stands in its place, as in ``finished``. Where the inputs are refused or their
    run fails, that is said, and both are those of the last measurement of this place, marked as such and without
    exports (``outdated``); without one, the script run ends.
    """
    slot = f"last {name}"
    try:
        asked = ask()
        result = _result(name, spec(asked), work)
    except TiltmeterError as error:
        error = links.refused(error)
        if not isinstance(error, Refused):
            _say(error)
        last = cast("tuple[A, T] | None", st.session_state.get(slot))
        if last is None:
            st.stop()
        st.session_state[OUTDATED] = True
        with st.container(key=OUTDATED):
            st.text(f"Shown below is the last measurement, which is not that of the inputs above: {spec(last[0]).line}")
        return last
    st.session_state[slot] = (asked, result)
    return asked, result


def outdated() -> bool:
    """Whether what the page shows belongs to other inputs than those above it."""
    return bool(st.session_state[OUTDATED])


def up_to_date() -> None:
    """What the page shows from here on does not depend on its inputs."""
    st.session_state[OUTDATED] = False
    st.container(key=UP_TO_DATE)


def finished(name: str, spec: S, work: Callable[[S, Run[T]], T]) -> T:
    """The result of ``work`` for this spec; until it is there, progress and a stop button stand in its place.

    ``name`` is that of the place on the page, which shows one run at a time. Ends the script run while the work goes
    on, when it failed, or when this session has left it to others. What was stopped is shown as such.
    """
    try:
        return _result(name, spec, work)
    except TiltmeterError as error:
        _say(error)
        st.stop()


def refuse(error: TiltmeterError) -> NoReturn:
    """Say what is wrong with the inputs, and end the run of the page."""
    _say(links.refused(error))
    st.stop()


def _say(error: TiltmeterError) -> None:
    icon = "edit" if isinstance(error, InputError) else "error"
    st.error(literal(str(error)), icon=f":material/{icon}:")


def _result(name: str, spec: S, work: Callable[[S, Run[T]], T]) -> T:
    """As ``finished``, but raises what the run failed with."""
    run = _joined(name, spec, work)
    if not run.wait(_QUICK):
        if _left(name) is run:
            _wait_for_others(run)
        else:
            # Not in the fragment, and by a callback: so no other run of the page can overtake a press and lose it.
            st.button(
                "Stop",
                key=f"stop {name}",
                help="Stops and keeps what is done. It continues where another session waits for it.",
                disabled=run.ending,
                on_click=_stop,
                args=(name, run),
            )
            _watch(name, run)
        st.stop()
    if run.state == State.FAILED:
        raise run.error or TiltmeterError()
    if run.state != State.FINISHED:
        done = "what is shown was measured until then" if run.result is not None else "nothing was measured until then"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(f"Stopped before its end: {done}.", icon=":material/pause_circle:")
            st.button("Resume", key=_resume(name))
        if run.result is None:
            st.stop()
    _say_missing(run.result)
    if run.remark:
        st.warning(literal(run.remark), icon=":material/history_toggle_off:")
    return cast(T, run.result)


def _say_missing(result: object) -> None:
    """The models that were asked for and are not in the result, and why."""
    for item in result.excluded if isinstance(result, Result) else ():
        if item.kind == "model":
            st.warning(literal(f"{item.model} was not measured: {item.why}"), icon=":material/block:")


def _joined(name: str, spec: S, work: Callable[[S, Run[T]], T]) -> Run[T]:
    """The run that this place shows: the one it showed before, or another where that is no answer any more."""
    slot, me = f"run {name}", visitor()
    run = cast("Run[T] | None", st.session_state.get(slot))
    if run is not None and run.spec != spec:
        run.leave(me)
        run = None
    # What failed may work now, with the network back or a folder in place; what was stopped can be resumed.
    pressed = bool(st.session_state.get(AGAIN) or st.session_state.get(_resume(name)))
    left = run is not None and _left(name) is run
    abandoned = run is not None and run.over and run.state == State.ABANDONED and not left
    if run is None or abandoned or (pressed and (run.over or left)):
        run = resources.runs().join(spec, work, me)
        st.session_state[slot] = run
        st.session_state.pop(_left_slot(name), None)
    elif not left:
        run.look(me)
    return run


@st.fragment(run_every=_POLL)
def _watch(name: str, run: Run[Any]) -> None:
    if run.over or _left(name) is run:
        st.rerun()
    run.look(visitor())
    show_progress(run)


def show_progress(run: Run[Any]) -> None:
    """How far a run is: its place in line, or what is done of its present stage, and how long the rest takes."""
    turns, progress = resources.runs().turns, run.progress
    if place := turns.place(run):
        first = "next in line" if place == 1 else f"number {place:,} in line"
        at_once = f"{counted(turns.at_once, 'run')} {'computes' if turns.at_once == 1 else 'compute'}"
        st.progress(0.0, text=f"Waiting for its turn: {first}; {at_once} at a time")
        return
    if progress is None:
        st.progress(0.0, text="Starting the engine …")
        return
    seconds, left = run.seconds_left(), ""
    if run.ending:
        left = "; stopping after this batch"
    elif seconds is not None:
        left = f", {time_left(seconds)}"
    share = progress.done / progress.total if progress.total else 0.0
    st.progress(min(share, 1.0), text=f"{literal(progress.stage)} … {progress.done:,} of {progress.total:,}{left}")
    if len(progress.losses) > 1:
        losses = pd.DataFrame(progress.losses, columns=["step", "loss, nats"])
        st.line_chart(losses, x="step", y="loss, nats", height=200, color=theme().groups[2])


def _stop(name: str, run: Run[Any]) -> None:
    if run.stop(visitor(), connected):
        st.session_state[_left_slot(name)] = run


@st.fragment(run_every=_POLL)
def _wait_for_others(run: Run[Any]) -> None:
    if run.over:
        st.rerun()
    others = len(run.waiting())
    who = "another session waits" if others == 1 else f"{others} other sessions wait"
    st.info(f"You have left this measurement; {who} for it, so it continues. “Measure” joins it again.")


def _left(name: str) -> Run[Any] | None:
    """The run that this session has stopped waiting for, while others still do."""
    return cast("Run[Any] | None", st.session_state.get(_left_slot(name)))


def _left_slot(name: str) -> str:
    return f"left {name}"


def _resume(name: str) -> str:
    return f"resume {name}"


def visitor() -> Visitor:
    """This session, as runs know who waits for them."""
    context = get_script_run_ctx()
    own = st.session_state.setdefault("visitor", uuid4().hex)
    return (context.session_id if context is not None else "", own)


def connected(visitor: Hashable) -> bool:
    """Whether the visitor's browser is still there: a page that was closed or reloaded waits for nothing."""
    session, _ = cast(Visitor, visitor)
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
