"""A saved result on its page: opened from the user's file, shown in place of a measurement until it is closed."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

import streamlit as st

from core.errors import TiltmeterError
from core.measures.measure import MeasureSpec, measures, opened
from core.result import Result
from pages.shared import jobs, links, resources
from pages.shared.markdown import literal

M = TypeVar("M", bound=Result)
S = TypeVar("S", bound=MeasureSpec[Any])

MEGABYTES = 64


def shown(name: str, kind: type[S], ask: Callable[[], S]) -> tuple[S, Any]:
    """The spec that the controls ask for (``ask`` draws them) and its result; or those of a result that is opened.

    Until the result is there, progress stands in its place, as in ``jobs.measured``.
    """
    result = opened_result(name, kind)
    if result is not None:
        return result.spec, result
    spec, measured = jobs.measured(name, ask, resources.measure, attrgetter("base"))
    return spec, spec.finish(measured)


def opened_result(name: str, kind: type[MeasureSpec[Any]]) -> Result | None:
    """The saved result that is open in this place of the page, said to be one; None where none is."""
    slot = f"opened {name}"
    _box(kind, slot)
    kept: tuple[str, Result] | None = st.session_state.get(slot)
    if kept is None:
        return None
    called, result = kept
    links.rest()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            literal(
                f"This is the saved result {called}: {result.spec.line}, measured {_when(result)}."
                + (" Its run was stopped before its end." if result.stopped else "")
            ),
            icon=":material/folder_open:",
        )
        st.button("Close it", on_click=lambda: st.session_state.pop(slot, None), help="Goes back to measuring.")
    return result


def _box(kind: type[MeasureSpec[Any]], slot: str) -> None:
    """The place in the sidebar where a saved result is opened; it says what is wrong with a file."""
    with st.sidebar.expander("Open a saved result"):
        times = st.session_state.get(f"{slot} times", 0)
        file = st.file_uploader(
            f"A .tilt file (up to {MEGABYTES} MB)", max_upload_size=MEGABYTES, key=f"{slot} file {times}"
        )
        if file is None:
            return
        try:
            result = opened(file.getvalue(), file.name)
        except TiltmeterError as error:
            st.error(literal(str(error)), icon=":material/edit:")
            return
        if type(result) is not kind.RESULT:
            of = next(spec for spec in measures().values() if spec.RESULT is type(result))
            st.error(literal(f"{file.name} holds a result of another page: {of.TITLE}."), icon=":material/edit:")
            return
        st.session_state[slot] = (file.name, result)
        st.session_state[f"{slot} times"] = times + 1  # empties the box


def _when(result: Result) -> str:
    return result.provenance.created.replace("T", " at ").replace("Z", " UTC")
