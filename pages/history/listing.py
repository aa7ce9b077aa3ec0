"""The list of kept runs: what narrows it, and a line a run."""

from __future__ import annotations

from datetime import date

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import OptionError
from core.history.entry import Entry
from core.history.history import Found, History, Query
from core.inputs import DIGEST_LENGTH, Choice, Number, Reference, Several, Switch, Text
from core.measures.measure import measures
from pages.shared import links
from pages.shared.controls import check, number, select, text
from pages.shared.frame import path_of
from pages.shared.markdown import literal
from pages.shared.places import PAGE_OF

ANY = "any"
ROWS = 20  # runs on a page
_MOST_AT_ONCE, _TALLEST = 6, 560  # runs that need no scrolling, and pixels of a list of more
WORDS = Text("words", "Search", placeholder="Words of a run, its name or its note")
MEASURE = Choice(
    "measure", "Measure", choices={ANY: "any measure", **{name: kind.TITLE for name, kind in measures().items()}}
)
MODEL = Text("model", "Model", placeholder="Its name, or a part of it")
SINCE = Text("since", "Measured from", placeholder="2026-11-01")
UNTIL = Text("until", "Measured until", placeholder="2026-11-30")
STARRED = Switch("starred", "Starred only")
PAGE = Number("part", "Page of the list", 1, 1, 100_000)
CHOSEN = Several("run", "Chosen runs", free=True, most=50)
INPUTS = (WORDS, MEASURE, MODEL, SINCE, UNTIL, STARRED, PAGE)


def query() -> Query:
    """Draw what narrows the list. Raises OptionError for a date that is none."""
    words = text(st, WORDS)
    with st.container(key="narrowing"):
        first, second, third, fourth = st.columns([1.4, 1.4, 1, 1])
    measure, model = select(first, MEASURE), text(second, MODEL)
    since, until = text(third, SINCE), text(fourth, UNTIL)
    starred = check(st, STARRED)
    return Query(words, "" if measure == ANY else measure, model, _day(SINCE, since), _day(UNTIL, until), starred)


def found(kept: History, asked: Query) -> Found:
    """The runs on the chosen page of the list, with a control for the page where there are several."""
    page = links.value_of(PAGE)
    some = kept.find(asked, most=ROWS, skip=(page - 1) * ROWS)
    last = max(1, -(-some.total // ROWS))
    if page > last:  # the list has become shorter
        links.put(PAGE, 1)
        some = kept.find(asked, most=ROWS)
    if last > 1:
        number(st, Number(PAGE.name, f"Page of the list, of {last:,}", 1, 1, last))
    return some


def show(some: Found) -> None:
    """A line a run, with a box that chooses it and a link that opens it."""
    chosen: tuple[str, ...] = links.value_of(CHOSEN)
    # A long list scrolls in itself, so that what is done with the chosen runs stays in sight below it.
    with st.container(height=_TALLEST if len(some.entries) > _MOST_AT_ONCE else "content", border=False):
        for entry in some.entries:
            left, right = st.columns([5, 1], vertical_alignment="center")
            key = f"choose {entry.id}"
            st.session_state[key] = entry.id in chosen
            left.checkbox(literal(_named(entry)), key=key, on_change=_choose, args=(entry.id, key))
            left.caption(literal(_about(entry)))
            open_link(right, entry)


def open_link(place: DeltaGenerator, entry: Entry) -> None:
    """A link that opens the run on its page, without computing."""
    page = PAGE_OF.get(entry.measure)
    if page is not None:
        file = Reference(entry.digest[:DIGEST_LENGTH], f"{entry.measure}-{entry.id[:8]}.tilt")
        place.page_link(path_of(page), label="Open", query_params={links.SAVED.name: links.SAVED.write((file,))})


def when(created: str) -> str:
    """A time as a reader knows it: 29 November 2026, 06:55 UTC."""
    day = date.fromisoformat(created[:10])
    return f"{day.day} {day:%B %Y}, {created[11:16]} UTC"


def _named(entry: Entry) -> str:
    return f"★ {entry.title}" if entry.starred else entry.title


def _about(entry: Entry) -> str:
    parts = [
        measures()[entry.measure].TITLE if entry.measure in measures() else entry.measure,
        ", ".join(entry.models),
        when(entry.created),
        entry.summary,
        "stopped before its end" if entry.stopped else "",
        entry.note.partition("\n")[0],
    ]
    return " · ".join(filter(None, parts))


def _choose(id: str, key: str) -> None:
    chosen: tuple[str, ...] = links.value_of(CHOSEN)
    kept = tuple(other for other in chosen if other != id)
    links.change(CHOSEN, (*kept, id) if st.session_state[key] else kept)


def _day(option: Text, written: str) -> str:
    if not written.strip():
        return ""
    try:
        return date.fromisoformat(written.strip()).isoformat()
    except ValueError:
        raise OptionError(f"{option.label}: “{written}” is not a date such as 2026-11-29.") from None
