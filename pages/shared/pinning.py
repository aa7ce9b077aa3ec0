"""The control that pins what a page shows, and the report that this session pins to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.charts import Theme
from core.errors import TiltmeterError
from core.inputs import Text
from core.publication import pins
from core.publication.report import Pin
from core.publication.store import Reports, reports
from core.report.numbers import counted
from core.result import Result
from pages.shared import links
from pages.shared.frame import drawing_for
from pages.shared.markdown import literal

REPORT = Text("report", "Report")  # its id, in the link of the page of reports
_CURRENT = "report that is pinned to"
_LISTED = 20  # reports that are offered


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure as the page shows it, and what draws it again within ``frame.drawing_for``."""

    figure: go.Figure
    draw: Callable[[], go.Figure]

    def drawn_for(self, look: Theme) -> go.Figure:
        """The figure in another look."""
        with drawing_for(look):
            return self.draw()


def current() -> str:
    """The id of the report that this session pins to; empty where there is none yet."""
    return str(st.session_state.get(_CURRENT, ""))


def choose(report: str) -> None:
    """Pin to this report from now on, which the menu's link to the page of reports then opens."""
    st.session_state[_CURRENT] = report
    links.lead("Report", REPORT, report)


def latest() -> dict[str, str]:
    """The reports that were changed last, what they are called by their id. Raises TiltmeterError."""
    return {
        report.id: f"{report.heading} · {counted(report.pins, 'pin')} · {report.changed:%Y-%m-%d %H:%M} UTC"
        for report in reports().latest(_LISTED)
    }


def _target(name: str) -> None:
    """Ask a session without a report, such as after a reload, which one to pin to."""
    if current():
        return
    try:
        known = latest()
    except TiltmeterError:  # said when something is pinned
        return
    if known:
        st.selectbox(
            "Report", ["", *known], format_func=lambda id: known.get(id, "A new report"), key=f"{name} pin report"
        )


def control(
    name: str,
    result: Result,
    *,
    chart: Drawn | None,
    title: str,
    table: pd.DataFrame | None,
    also: Sequence[Result] = (),
) -> None:
    """Pin a chart, the table beside it, or the findings shown so far; ``also``: further results of the table's rows."""
    page = links.current()
    findings = page.findings.get(id(result), [])
    with st.popover("Pin", key=f"{name} pin"):
        _target(name)
        st.text_area("Note", key=f"{name} pin note", placeholder="What should a reader notice?", height=80)
        if chart is not None:
            alt = page.alts.get(id(chart.figure), title)
            _button(
                name,
                "Pin the chart",
                lambda kept: [pins.chart(kept, name, result, chart.drawn_for, title=title, alt=alt, table=table)],
            )
        if table is not None:
            _button(
                name,
                "Pin the table",
                lambda kept: [pins.table(kept, name, result, table, title=title, also=also)],
            )
        if findings:
            _button(
                name,
                "Pin the finding" if len(findings) == 1 else "Pin the findings",
                lambda kept: [pins.finding(kept, name, result, text) for text in tuple(findings)],
            )
        if current():
            st.page_link("pages/11_Report.py", label="Open the report", query_params={REPORT.name: current()})


def _button(name: str, label: str, make: Callable[[Reports], list[Pin]]) -> None:
    # By a callback: so no other run of the page can overtake a press and lose it.
    st.button(label, key=f"{name} {label}", width="stretch", on_click=_press, args=(name, make))


def _press(name: str, make: Callable[[Reports], list[Pin]]) -> None:
    target = current() or str(st.session_state.get(f"{name} pin report", ""))
    note = str(st.session_state[f"{name} pin note"])
    try:
        kept = reports()
        _pin(kept, make(kept), note, target)
    except TiltmeterError as error:
        st.toast(literal(str(error)), icon=":material/error:")
        return
    st.toast("Pinned to the report.", icon=":material/keep:")


def _pin(kept: Reports, made: list[Pin], note: str, target: str) -> None:
    try:
        report = kept.get(target)
    except TiltmeterError:  # none yet, or it is gone: a new one begins
        report = kept.new()
    choose(report.id)
    noted = tuple(replace(pin, note=note.strip()) for pin in made)
    kept.change(report.id, lambda now: now.with_pins(*noted))
