"""The files of a report: each is made by a run that can be left, joined and stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.publication.bundle import to_zip
from core.publication.contents import Contents, contents
from core.publication.document import file_name, to_html, to_markdown, to_pdf
from core.publication.notebook import to_notebook
from core.publication.report import Report
from core.publication.store import Reports
from core.report.renderer import image_export_available
from core.run import Run
from pages.shared import jobs

_NEED_BROWSER = ("PDF", "ZIP")
_MAKERS: dict[str, tuple[str, str, Callable[[Contents, Run[Any]], bytes]]] = {  # by name: ending, type, how it is made
    "HTML": ("html", "text/html", to_html),
    "PDF": ("pdf", "application/pdf", to_pdf),
    "Markdown": ("md", "text/markdown", to_markdown),
    "Notebook": ("ipynb", "application/x-ipynb+json", lambda whole, run: to_notebook(whole)),
    "ZIP": ("zip", "application/zip", to_zip),
}
_WANTED = "file of the report"


@dataclass(frozen=True)
class _Wanted:
    """A file that is being made: of which report, as it was, in which form."""

    report: Report
    form: str

    @property
    def line(self) -> str:
        return f"{self.report.heading} as {self.form}"


def export(kept: Reports, report: Report) -> None:
    """A button for each form, then the file to download."""
    st.subheader("Export", anchor=False)
    st.caption("ZIP holds everything: the report, every figure and table, and a manifest that `verify` checks.")
    missing = image_export_available()
    with st.container(horizontal=True, gap="small"):
        for form in _MAKERS:
            without = missing if form in _NEED_BROWSER else None
            st.button(
                form,
                key=f"make {form}",
                disabled=not report.pins or without is not None,
                help=without,
                on_click=_want,  # a callback: so no other run of the page can overtake a press and lose it
                args=(form,),
            )
    wanted: str | None = st.session_state.get(_WANTED)
    if wanted is None or not report.pins:
        return
    ending, mime, make = _MAKERS[wanted]
    data = jobs.finished("report", _Wanted(report, wanted), lambda _, run: make(contents(report, kept, run), run))
    st.download_button(
        f"Download the {wanted}",
        data,
        file_name=f"{file_name(report.heading)}.{ending}",
        mime=mime,
        type="primary",
        on_click="ignore",
    )


def _want(form: str) -> None:
    st.session_state[_WANTED] = form
