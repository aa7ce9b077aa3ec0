"""Published results on the pages of their measures: chosen beside the models, or opened alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.errors import TiltmeterError
from core.inputs import Choice, Reference, Several
from core.measures.measure import MeasureSpec
from core.measures.shared.published import ShelvedSpec
from core.sources import published
from core.sources.published import PREFIX, Entry
from pages.shared import links, resources
from pages.shared.controls import several
from pages.shared.markdown import literal


def choose(kind: type[ShelvedSpec[Any]], asked: Callable[[], ShelvedSpec[Any]]) -> tuple[str, ...]:
    """The published results beside the models, of those that are comparable; of the others it is said why not.

    ``asked`` gives the spec of the other inputs without a published result.
    """
    option: Several = kind.input("published")
    entries = published.of_measure(kind.COMMAND)
    try:
        spec = asked()
        why = {entry.id: spec.obstacle(entry) for entry in entries}
    except TiltmeterError:  # which the page says where the inputs stand; until then nothing is offered or let go
        held = links.current().values.get(option.name, ())
        return several(st.sidebar, replace(option, choices={id: published.entry(id).title for id in held}))
    _drop(option, why)
    with st.sidebar:
        fitting = {entry.id: entry.title for entry in entries if not why[entry.id]}
        chosen = several(st, replace(option, choices=fitting))
        others = [entry for entry in entries if why[entry.id]]
        if others:
            with st.expander(f"Published, not comparable here: {len(others)}"):
                for reason in dict.fromkeys(why[entry.id] for entry in others):
                    titles = [entry.title for entry in others if why[entry.id] == reason]
                    st.caption(literal(f"{'; '.join(titles)}: {reason}."))
    return chosen


def _drop(option: Several, why: Mapping[str, str]) -> None:
    """Let go of chosen ones that are not comparable with the other inputs; of those that a link asks for, say so."""
    page = links.current()
    chosen: tuple[str, ...] = page.values.get(option.name, ())
    lost = [id for id in chosen if why.get(id)]
    if lost:
        links.put(option, tuple(id for id in chosen if id not in lost))
        if option.name in page.unchecked:
            reasons = "; ".join(f"{published.entry(id).title}: {why[id]}" for id in lost)
            page.refuse(
                option.name, lost, f"What this link asks for is not comparable with its other inputs: {reasons}."
            )


def opener(kinds: Sequence[type[MeasureSpec[Any]]]) -> None:
    """A box of the published results of these measures, and a button that opens one on the page."""
    entries = [entry for kind in kinds for entry in published.of_measure(kind.COMMAND)]
    if not entries:
        return
    titles = {entry.id: entry.title for entry in entries}
    id = st.selectbox(
        "A published result", list(titles), format_func=lambda id: titles[id], key=f"{links.current().name} published"
    )
    if st.button("Open", key=f"{links.current().name} open published"):
        links.change(links.SAVED, (reference(id),))


def offer(entries: Sequence[Entry]) -> None:
    """A button for each of these published results, which opens it alone on the page on screen."""
    for entry in entries:
        st.button(
            literal(entry.title),
            key=f"{links.current().name} open {entry.id}",
            on_click=links.change,
            args=(links.SAVED, (reference(entry.id),)),
        )


def reference(id: str) -> Reference:
    """A published result as a page's address holds it: a file that holds its name alone."""
    name = f"{PREFIX}{id}"
    return Reference(resources.uploads().put(name.encode()), name)


def entry_of(file: Reference) -> Entry | None:
    """The published result that a reference names; None for any other file. Raises OptionError for one that is none."""
    return published.entry(file.name.removeprefix(PREFIX)) if file.name.startswith(PREFIX) else None


def said(entry: Entry) -> str:
    """What stands above a published result that is open."""
    return literal(
        f"This is a published result, not measured here: {entry.title}. Its numbers are {entry.source}. Close it to "
        "choose models and inputs again."
    )


def against(command: str) -> Choice:
    """The published results of a measure that a run can be compared with."""
    choices = {entry.id: entry.title for entry in published.of_measure(command)}
    return replace(AGAINST, choices={"": "none", **choices})


AGAINST = Choice(
    "against",
    "Compare with a published result",
    choices={"": "none", **{entry.id: entry.title for entry in published.entries()}},
)
