"""What a press on the page of the history did, said above the list in the run of the page that follows."""

import streamlit as st

from pages.shared.markdown import literal

_SAID = "history said"


def say(text: str) -> None:
    """Have it said."""
    st.session_state[_SAID] = text


def said() -> None:
    """Say it, once."""
    if text := st.session_state.pop(_SAID, ""):
        st.success(literal(text), icon=":material/check:")
