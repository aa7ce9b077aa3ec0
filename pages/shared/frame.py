"""The frame every page opens with: settings, style, menu and model picker."""

from __future__ import annotations

import re
from pathlib import Path

import plotly.io
import streamlit as st

from core.charts import DARK, LIGHT, Theme
from core.models import catalog
from pages.shared.markdown import literal

OUTDATED = "outdated"  # in the session, and key of the words on the page: it shows a measurement of other inputs
_ROOT = Path(__file__).resolve().parents[2]
# The number in a page's file name decides its section: the last section that begins at or before it.
_SECTIONS = ((1, "Measure"), (4, "Look inside"), (5, "Trust the ruler"))
_PAGE = re.compile(r"(\d+)_(.+)")


def open_page(title: str, subtitle: str) -> None:
    """Begin a page: browser title, style, menu, heading."""
    st.set_page_config(page_title=f"{title} · Tiltmeter", page_icon=_ROOT / "assets" / "icon.svg", layout="wide")
    st.session_state[OUTDATED] = False
    # Streamlit sets a template of placeholders for everybody; every figure of ours names its own.
    plotly.io.templates.default = "none"
    st.html(_ROOT / "assets" / "style.css")
    with st.sidebar:
        _menu()
    st.title(title, anchor=False)
    st.caption(subtitle)


def theme() -> Theme:
    """The colours of the charts: light or dark, as the browser shows the page."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def choose_models(most: int = catalog.MAX_MODELS) -> tuple[str, ...]:
    """The model picker of the sidebar: catalog names, hub ids or folders, one to ``most``."""
    names = [entry.name for entry in catalog.entries()]
    with st.sidebar:
        chosen = st.multiselect(
            "Models",
            names,
            default=[catalog.DEFAULT],
            key="models",
            bind="query-params",
            max_selections=most,
            accept_new_options=True,
            placeholder="Name, owner/name or folder",
            format_func=_model_label,
            help="Pick one to four to compare. Any model of the Hugging Face Hub works by its owner/name "
            "(owner/name@revision), any folder by its path. Only safetensors are read.",
        )
        for name in chosen:
            st.caption(literal(_model_line(name)))
    if not chosen:
        st.info(f"Choose a model at the left; {catalog.DEFAULT} needs no download.")
        st.stop()
    return tuple(chosen)


def _menu() -> None:
    st.html('<p class="brand">Tiltmeter</p>')
    st.caption("the lean of language models")
    st.page_link("app.py", label="Home")
    section = ""
    for path in sorted((_ROOT / "pages").glob("[0-9]*_*.py"), key=lambda path: int(path.name.split("_")[0])):
        number, name = _PAGE.fullmatch(path.stem).groups()  # type: ignore[union-attr]
        heading = [title for first, title in _SECTIONS if first <= int(number)][-1]
        if heading != section:
            section = heading
            st.html(f'<p class="section">{heading}</p>')
        st.page_link(f"pages/{path.name}", label=name.replace("_", " "))


def _model_label(name: str) -> str:
    entry = catalog.find(name)
    return name if entry is None or entry.origin != "hub" else f"{name} (hub)"


def _model_line(name: str) -> str:
    entry = catalog.find(name)
    if entry is None:
        return f"{name}: from a folder" if catalog.as_folder(name) is not None else f"{name}: from the hub"
    languages = ", ".join(entry.languages)
    origin = {"embedded": "comes with the program", "local": "on this machine", "hub": "from the hub"}[entry.origin]
    return f"{entry.family}, {entry.kind}, {languages}, {'cased' if entry.cased else 'lower case'}; {origin}"
