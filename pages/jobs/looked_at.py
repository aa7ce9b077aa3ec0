"""One run, as its link opens it: its progress while it is under way, then its result."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.errors import TiltmeterError
from core.measures.drawing import draw
from core.publication.pins import sentence
from core.run import Run, State
from core.runs import Ended
from pages.jobs import runs, words
from pages.shared import jobs, panels, resources
from pages.shared.frame import theme
from pages.shared.markdown import literal

_POLL = 0.5
_NUMBERS = 3  # that sum up a result


def show(id: str) -> None:
    """The run with this id, and the way back to all of them."""
    st.button("All runs", icon=":material/arrow_back:", on_click=runs.look_at, args=("",))
    run = next((run for run in runs.known() if run.id == id), None)
    if run is None:
        st.warning(
            "This run is not known here any more: the server has started again since, or the run ended long ago. "
            "If it finished, its result is in the history.",
            icon=":material/link_off:",
        )
        st.page_link("pages/10_History.py", label="History")
        return
    st.subheader(literal(run.spec.TITLE), anchor=False)
    st.text(runs.line(run))
    if isinstance(run, Run):
        run.look(jobs.visitor())
        st.caption(f"Began {runs.since(run.began)}. While this page is open you wait for it.")
        _progress(run)
        runs.stop_button(st.container(), run)
    else:
        _ended(run)


@st.fragment(run_every=_POLL)
def _progress(run: Run[Any]) -> None:
    if run.over:
        st.rerun()
    run.look(jobs.visitor())
    jobs.show_progress(run)
    st.caption(f"{words.waiting(len(runs.waiting(run)))}, this one included.")


def _ended(run: Ended) -> None:
    when = f"{words.became(run)}, {runs.since(run.at)}."
    if run.state == State.FINISHED:
        st.caption(literal(when))
        runs.result_links(st.container(horizontal=True), run)
        _result(run)
        return
    if run.state == State.FAILED:
        st.caption(literal(when))
        st.error(literal(run.error), icon=":material/error:")
    else:
        st.info(
            literal(f"{when} What was complete by then is kept: “Resume” goes on from there."),
            icon=":material/pause_circle:",
        )
    runs.resume_button(st.container(), run)
    _watch(run)


def _result(run: Ended) -> None:
    """The first of its numbers and its chief figure; the page of its measure shows the rest."""
    if run.saved is None:
        return
    try:
        result = resources.saved_result(runs.saved_file(run))
        for number in result.headlines()[:_NUMBERS]:
            st.text(sentence(number))
        figure = panels.drawn(lambda: draw(result, theme=theme()))
    except TiltmeterError as error:
        st.info(literal(str(error)), icon=":material/info:")
        return
    panels.show_chart(figure, f"result {run.id}", run.spec.line)


@st.fragment(run_every=_POLL)
def _watch(run: Ended) -> None:
    """Show it under way again when somebody resumes it."""
    if resources.runs().find(run.id) is not run:
        st.rerun()
