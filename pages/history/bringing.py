"""Runs that are brought to the history: an export of another one, or saved results."""

import streamlit as st

from core.errors import TiltmeterError
from core.history.history import History
from core.report.numbers import counted
from pages.history import saying
from pages.shared.markdown import literal

_TIMES = "brought"


def bring(kept: History) -> None:
    """Add runs of an export, or saved results."""
    times = st.session_state.get(_TIMES, 0)
    files = st.file_uploader(
        "An export of a history (ZIP), or saved results (TILT)",
        accept_multiple_files=True,
        max_upload_size=256,
        key=f"bring {times}",
    )
    if not files or not st.button("Import", type="primary"):
        return
    added, known = 0, 0
    for file in files:
        try:
            brought = kept.imported(file.getvalue(), file.name)
        except TiltmeterError as error:
            st.error(literal(str(error)), icon=":material/edit:")
            continue
        added, known = added + brought.added, known + brought.known
        for why in brought.refused:
            st.error(literal(why), icon=":material/edit:")
    were = f"; {counted(known, 'run')} {'was' if known == 1 else 'were'} here already" if known else ""
    saying.say(f"{counted(added, 'run')} added{were}.")
    if added:
        st.session_state[_TIMES] = times + 1  # empties the box
        st.rerun()
    saying.said()
