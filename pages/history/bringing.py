"""Runs that are brought to the history: an export of another one, or saved results."""

import streamlit as st

from core.errors import TiltmeterError
from core.history.history import History
from core.report.numbers import counted
from pages.history import saying

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
    problems: list[str] = []
    for file in files:
        try:
            brought = kept.imported(file.getvalue(), file.name)
        except TiltmeterError as error:
            problems.append(str(error))
            continue
        added, known = added + brought.added, known + brought.known
        problems += brought.refused
    here = f"; {counted(known, 'run')} {'was' if known == 1 else 'were'} here already" if known else ""
    saying.say(f"{counted(added, 'run')} added{here}." if added or known else "", problems)
    st.session_state[_TIMES] = times + 1  # empties the box
    st.rerun()
