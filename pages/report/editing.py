"""A report on its page: title, author, summary, and what was pinned, with its note, place and removal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from core.charts import WIDTH
from core.errors import OptionError, TiltmeterError
from core.publication.report import UNTITLED, Kind, Pin, Report
from core.publication.store import Reports
from core.report.numbers import MISSING, counted
from pages.shared import links, panels, pinning
from pages.shared.frame import theme
from pages.shared.markdown import literal

_AT_ONCE = 20  # pins that are drawn at once
_FRAME = 34  # pixels beside what a pin's frame holds
_PROBLEM = "what the last change to the report could not do"
_SURE = "report that may be deleted"
_FIELDS = (("title", "Title", UNTITLED), ("author", "Author", "Who reports"))


def say_empty() -> None:
    """What there is to do where nothing is pinned."""
    st.info("Nothing is pinned yet. Every chart and table has “Pin” beside its exports.", icon=":material/keep:")


def list_others(report: Report | None = None) -> None:
    """The other reports that are kept here."""
    try:
        known = pinning.latest()
    except TiltmeterError:  # the page says it elsewhere
        return
    others = {id: called for id, called in known.items() if report is None or id != report.id}
    if others:
        st.subheader("Other reports" if report is not None else "Reports", anchor=False)
        for id, called in others.items():
            # No link: one to the page on screen, with another report, would leave the page as it is.
            st.button(
                literal(called), key=f"open {id}", type="tertiary", on_click=links.change, args=(pinning.REPORT, id)
            )
        st.caption("Whoever can open this dashboard sees every report.")


def leave(kept: Reports, report: Report) -> None:
    """Ways to begin another report, and to delete this one, which is asked twice."""
    sure = st.session_state.get(_SURE) == report.id
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Begin another report",
            icon=":material/note_add:",
            help="What you pin from then on goes to a new report. This one stays.",
            on_click=_leave,
        )
        if not sure:
            st.button("Delete this report", icon=":material/delete:", on_click=_ask, args=(report.id,))
    if sure:
        pins = f" with {counted(len(report.pins), 'pin')}" if report.pins else ""
        st.warning(
            literal(
                f"Delete “{report.heading}”{pins} for good? Its link will lead nowhere. Files that you exported stay, "
                "and so does the history."
            ),
            icon=":material/delete:",
        )
        with st.container(horizontal=True, gap="small"):
            st.button("Delete for good", type="primary", on_click=_delete, args=(kept, report.id))
            st.button("Keep", on_click=_ask, args=("",))


def _ask(report: str) -> None:
    st.session_state[_SURE] = report


def _delete(kept: Reports, report: str) -> None:
    _ask("")
    try:
        kept.delete(report)
    except OptionError:  # another window was quicker
        pass
    except TiltmeterError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    _leave()
    st.toast("The report is deleted.", icon=":material/delete:")


def _leave() -> None:
    pinning.choose("")
    links.change(pinning.REPORT, "")


def edit(kept: Reports, report: Report) -> None:
    """The controls of a report and its pins, each kept as soon as it is changed."""
    if problem := st.session_state.pop(_PROBLEM, ""):
        st.error(literal(problem), icon=":material/error:")
    for name, label, placeholder in _FIELDS:
        key = _synced(report, name, getattr(report, name))
        st.text_input(
            label, key=key, placeholder=placeholder, max_chars=300, on_change=_set, args=(kept, report.id, name, key)
        )
    key = _synced(report, "summary", report.summary)
    st.text_area("Summary", key=key, max_chars=20_000, on_change=_set, args=(kept, report.id, "summary", key))
    st.subheader("Pinned", anchor=False)
    if report.removed:
        title = report.removed[-1].pin.title
        st.button(
            "Undo the last removal",
            icon=":material/undo:",
            help=literal(f"Brings back “{title}”."),
            on_click=_change,
            args=(kept, report.id, Report.restored),
        )
    if not report.pins:
        say_empty()
    for place in _shown(report):
        _pin(kept, report, place, report.pins[place])


def _shown(report: Report) -> range:
    """The places of the pins that are drawn, of many those of a part: a browser takes long to draw a hundred charts."""
    count = len(report.pins)
    if count <= _AT_ONCE:
        return range(count)
    parts = [range(first, min(first + _AT_ONCE, count)) for first in range(0, count, _AT_ONCE)]
    chosen = st.selectbox(
        "Show",
        range(len(parts)),
        format_func=lambda part: f"{parts[part].start + 1:,} to {parts[part].stop:,} of {count:,}",
        help="The report has all of them, whichever are shown here.",
        key=f"report {report.id} part of {len(parts)}",
    )
    return parts[chosen]


def _pin(kept: Reports, report: Report, place: int, pin: Pin) -> None:
    number = place + 1
    look = theme(WIDTH + _FRAME)
    look = replace(look, width=look.width - _FRAME)
    with st.container(border=True, key=f"pin {pin.id}"):
        st.markdown(f"**{number}\\. {literal(pin.title)}** · {pin.kind}")
        try:
            if pin.kind == Kind.CHART:
                panels.show_chart(panels.drawn(lambda: pin.drawn_for(look)), f"pinned {pin.id}", pin.alt)
            elif pin.kind == Kind.FINDING:
                st.text(pin.text)
            elif (frame := pin.frame) is not None:
                named = dict(zip(frame.columns, pin.heads, strict=True))
                shown = frame.dropna(axis="columns", how="all")
                high = min(240, 38 + 35 * len(frame))
                st.dataframe(shown, hide_index=True, height=high, column_config=named, placeholder=MISSING)
        except TiltmeterError as error:
            st.error(literal(str(error)), icon=":material/error:")
        for line in pin.lines:
            st.caption(literal(line))
        key = _synced(report, f"note {pin.id}", pin.note)
        st.text_area(f"Note on {number}", key=key, height=80, on_change=_note, args=(kept, report.id, pin.id, key))
        with st.container(horizontal=True, gap="small"):
            for label, by, off in (("Up", -1, not place), ("Down", 1, number == len(report.pins))):
                st.button(
                    label,
                    key=f"{label} {pin.id}",
                    help=f"Moves {number} {label.lower()}.",
                    disabled=off,
                    on_click=_change,
                    args=(kept, report.id, lambda now, by=by: now.moved(pin.id, by)),
                )
            st.button(
                "Remove",
                key=f"Remove {pin.id}",
                help=f"Removes {number}; it can be undone.",
                on_click=_change,
                args=(kept, report.id, lambda now: now.without(pin.id)),
            )


def _synced(report: Report, name: str, value: str) -> str:
    """The key of a control whose value is that of the report: what another window changed is shown here."""
    key, seen = f"report {report.id} {name}", f"report {report.id} {name} seen"
    if key not in st.session_state or st.session_state.get(seen) != value:
        st.session_state[key] = st.session_state[seen] = value
    return key


def _set(kept: Reports, report: str, name: str, key: str) -> None:
    text = st.session_state[key]
    _change(kept, report, lambda now: replace(now, **{name: text}))


def _note(kept: Reports, report: str, pin: str, key: str) -> None:
    text = st.session_state[key]
    _change(kept, report, lambda now: now.noted(pin, text))


def _change(kept: Reports, report: str, how: Callable[[Report], Report]) -> None:
    try:
        kept.change(report, how)
    except TiltmeterError as error:
        st.session_state[_PROBLEM] = str(error)
