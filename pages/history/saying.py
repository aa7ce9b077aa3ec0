"""What a press on the page of the history did, said above the list in the run of the page that follows."""

from collections.abc import Sequence

import streamlit as st

from pages.shared.markdown import literal

_SAID, _PROBLEMS = "history said", "history problems"


def say(text: str, problems: Sequence[str] = ()) -> None:
    """Have it said, and what could not be done."""
    st.session_state[_SAID], st.session_state[_PROBLEMS] = text, tuple(problems)


def said() -> None:
    """Say it, once."""
    if text := st.session_state.pop(_SAID, ""):
        st.success(literal(text), icon=":material/check:")
    for problem in st.session_state.pop(_PROBLEMS, ()):
        st.error(literal(problem), icon=":material/edit:")
