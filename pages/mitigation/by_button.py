"""What is started by its button alone, since it costs time and disk: a training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.errors import OptionError, TiltmeterError
from core.measures.measure import MeasureSpec
from pages.shared import jobs, resources
from pages.shared.jobs import AGAIN


def result(place: str, ask: Callable[[], MeasureSpec[Any] | None], introduce: Callable[[], None]) -> Any:
    """What the controls started, or has under way for them; ``introduce`` says what it does where there is none yet.

    ``place`` is that of the run on the page, ``ask`` draws the controls.
    """
    try:
        spec = ask()
    except TiltmeterError as error:
        jobs.refuse(error)
    if spec is None:
        introduce()
        return None
    return jobs.finished(place, spec, resources.into_folder)


def asked(label: str, what: str, make: Callable[[], MeasureSpec[Any]], *, missing: str = "") -> Any:
    """The spec that was started, or that is under way for the controls; None where there is none yet.

    ``label`` is the button's, ``what`` names what it starts, ``make`` makes the spec of the controls, ``missing`` says
    what is not given yet. Raises TiltmeterError.
    """
    slot = f"{what} started"
    pressed = st.button(label, type="primary", key=AGAIN)
    started = st.session_state.get(slot)
    if not pressed and (started is not None or missing):
        if started is not None and started != _quietly(make):
            st.text(f"Shown below is the {what} {started.line}, not what is chosen above.")
        return started
    if missing:
        raise OptionError(missing)
    spec = make()
    # After a reload the page finds what it, or another session, has under way for the same inputs.
    if not pressed and all(run.spec != spec for run in resources.runs().under_way()):
        return None
    st.session_state[slot] = spec
    return spec


def _quietly(make: Callable[[], MeasureSpec[Any]]) -> MeasureSpec[Any] | None:
    """The spec of the controls; None where they make none."""
    try:
        return make()
    except TiltmeterError:
        return None
