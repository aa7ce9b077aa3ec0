"""What is done with the chosen runs: name, note, star; compare two; export; delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import HistoryError, TiltmeterError
from core.history.difference import CHANGED, NUMBERS, TESTS, Difference
from core.history.entry import Entry
from core.history.history import History
from core.report.numbers import counted
from pages.history import listing, saying
from pages.history.listing import CHOSEN
from pages.shared import links, resources, shelved, tables
from pages.shared.controls import select
from pages.shared.markdown import literal

_SURE = "sure to delete"


def entries(kept: History) -> tuple[Entry, ...]:
    """The chosen runs that are still kept; says which are not."""
    some = []
    for id in links.value_of(CHOSEN):
        try:
            some.append(kept.entry(id))
        except HistoryError as error:
            st.warning(literal(str(error)), icon=":material/link_off:")
    return tuple(some)


def show(kept: History, chosen: Sequence[Entry]) -> None:
    """The panels for one, two or more runs."""
    if not chosen:
        if links.value_of(CHOSEN):  # they are gone, which was said
            st.button("Choose none", on_click=_choose_none)
        return
    st.subheader(f"{counted(len(chosen), 'run')} chosen", anchor=False)
    if len(chosen) == 1:
        _edit(kept, chosen[0])
        _compare_with_published(kept, chosen[0])
    elif len(chosen) == 2:
        _compare(kept, *sorted(chosen, key=lambda entry: (entry.created, entry.id)))
    _take_away(kept, chosen)


def _edit(kept: History, entry: Entry) -> None:
    st.text(entry.line)
    with st.form(f"own words {entry.id}", border=False):
        name = st.text_input("Name", entry.name, key=f"name {entry.id}", max_chars=200)
        note = st.text_area("Note", entry.note, key=f"note {entry.id}", height=100)
        starred = st.checkbox("Star", entry.starred, key=f"star {entry.id}")
        if st.form_submit_button("Save"):
            try:
                kept.edit(entry.id, name=name, note=note, starred=starred)
            except HistoryError as error:
                st.error(literal(str(error)), icon=":material/error:")
            else:
                st.rerun()


def _compare(kept: History, first: Entry, second: Entry) -> None:
    """The later run against the earlier."""
    st.caption(literal(f"First: {first.title}, {listing.when(first.created)}."))
    st.caption(literal(f"Second: {second.title}, {listing.when(second.created)}."))
    _show_difference(lambda: resources.compared(kept, first, second))


def _compare_with_published(kept: History, entry: Entry) -> None:
    """A run against a published result of its measure, where there is one."""
    option = shelved.against(entry.measure)
    if len(option.choices) == 1:
        return
    id = select(st, option)
    if id:
        st.caption(literal(f"First: {option.choices[id]}; published, not measured here."))
        st.caption(literal(f"Second: {entry.title}, {listing.when(entry.created)}."))
        _show_difference(lambda: resources.compared_with_published(kept, id, entry))


def _show_difference(made: Callable[[], Difference]) -> None:
    """The tables of a difference; a sentence where there is none."""
    try:
        found = made()
    except TiltmeterError as error:
        st.info(literal(str(error)), icon=":material/info:")
        return
    st.markdown("**What was changed**")
    tables.show(found.changed, CHANGED.columns)
    st.markdown("**The numbers that sum them up**")
    for why in found.unnumbered:
        st.caption(literal(why))
    if found.numbers.empty and not found.unnumbered:
        st.caption("The two runs have no such number in common.")
    elif len(found.numbers):
        tables.show(found.numbers, NUMBERS.columns)
    st.markdown("**Item by item, paired**")
    for why in (*found.untested, *found.paired):
        st.caption(literal(why))
    if len(found.tests):
        unit = f" Values are in {found.unit}." if found.unit else ""
        st.caption(
            "Only what both runs have is compared. The interval takes whole entries, such as words or professions, "
            f"as independent; p takes every item so, and is shown beside it.{unit}"
        )
        tables.show(found.tests, TESTS.columns)


def _take_away(kept: History, chosen: Sequence[Entry]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Export",
            lambda: kept.exported(chosen).data,
            file_name="tiltmeter-runs.zip",
            mime="application/zip",
            on_click="ignore",
            help="A ZIP that another history imports.",
        )
        sure = st.session_state.get(_SURE) == [entry.id for entry in chosen]
        if not sure:
            st.button("Delete", on_click=_ask, args=(chosen,))
        st.button("Choose none", on_click=_choose_none)
    if gone := kept.missing(chosen):
        names = ", ".join(entry.title for entry in gone)
        st.warning(
            literal(f"An export leaves out what is not here any more: the result of {names}."),
            icon=":material/link_off:",
        )
    if sure:
        st.warning(
            f"Delete {counted(len(chosen), 'run')} for good? Results saved elsewhere stay.", icon=":material/delete:"
        )
        with st.container(horizontal=True):
            st.button("Delete for good", type="primary", on_click=_delete, args=(kept, chosen))
            st.button("Keep", on_click=_ask, args=((),))


def _ask(chosen: Sequence[Entry]) -> None:
    st.session_state[_SURE] = [entry.id for entry in chosen]


def _choose_none() -> None:
    links.change(CHOSEN, ())


def _delete(kept: History, chosen: Sequence[Entry]) -> None:
    try:
        kept.delete([entry.id for entry in chosen])
    except HistoryError as error:
        saying.say(str(error))
        return
    _ask(())
    _choose_none()
    saying.say(f"{counted(len(chosen), 'run')} deleted.")
