"""The controls of inputs, each drawn from its declaration and kept in the link."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.inputs import Choice, Number, Option, Reference, Several, Span, Switch, Text, Upload
from pages.shared import links, resources
from pages.shared.jobs import AGAIN
from pages.shared.markdown import literal

OWN = "own"
Place = DeltaGenerator | ModuleType  # a part of the page, or ``st`` itself: here


def ask(place: Place, option: Option) -> Any:
    """The control of an input, as its kind is drawn where a page wants nothing special; returns what it holds."""
    match option:
        case Choice():
            return select(place, option)
        case Several():
            return several(place, option)
        case Number():
            return number(place, option)
        case Switch():
            return check(place, option)
        case Text():
            return text(place, option)
        case Upload():
            return upload(place, option)
        case Span():
            return span(option)
    raise TypeError(f"{type(option).__name__} has no control of its own; its page draws it.")


def choice(option: Choice) -> str:
    """One of a few, side by side."""
    key, value = links.before(option)
    held: str = links.take(
        option,
        st.segmented_control(
            option.label,
            list(option.choices),
            default=value,
            format_func=lambda name: literal(option.choices[name]),
            required=True,
            key=key,
            help=option.help,
            label_visibility="collapsed",
        ),
    )
    return held


def select(place: Place, option: Choice, *, bare: bool = False) -> str:
    """One of several, in a box that opens; ``bare`` without its label."""
    key, value = links.before(option)
    held: str = links.take(
        option,
        place.selectbox(
            option.label,
            list(option.choices),
            list(option.choices).index(value),
            format_func=option.shown,
            key=key,
            help=option.help,
            label_visibility="collapsed" if bare else "visible",
        ),
    )
    return held


def steps(place: Place, option: Choice) -> str:
    """One of several that have an order."""
    key, value = links.before(option)
    held: str = links.take(
        option,
        place.select_slider(
            option.label,
            list(option.choices),
            value,
            format_func=option.shown,
            key=key,
            help=option.help,
        ),
    )
    return held


def span(option: Span) -> tuple[int, int]:
    """A range of neighbours."""
    key, value = links.before(option)
    numbers = list(range(option.low, option.high + 1))
    held: tuple[int, int] = links.take(
        option, st.select_slider(option.label, numbers, value, key=key, help=option.help)
    )
    return held


def several(place: Place, option: Several) -> tuple[str, ...]:
    """Any of several, in the order they are chosen."""
    key, value = links.before(option)
    held: tuple[str, ...] = links.take(
        option,
        place.multiselect(
            option.label,
            list(option.choices),
            value,
            format_func=lambda name: option.choices.get(name, name),
            key=key,
            max_selections=option.most,
            help=option.help,
        ),
    )
    return held


def number(place: Place, option: Number) -> int:
    """A whole number."""
    key, value = links.before(option)
    given = place.number_input(option.label, option.low, option.high, value, key=key, help=option.help)
    held: int = links.take(option, given)
    return held


def check(place: Place, option: Switch) -> bool:
    """Yes or no, as a box to tick."""
    key, value = links.before(option)
    held: bool = links.take(option, place.checkbox(option.label, value, key=key, help=option.help))
    return held


def toggle(option: Switch) -> bool:
    """Yes or no, as a switch."""
    key, value = links.before(option)
    held: bool = links.take(option, st.toggle(option.label, value, key=key, help=option.help))
    return held


def text(place: Place, option: Text) -> str:
    """A line, or a box of several."""
    key, value = links.before(option)
    if option.height:
        given = place.text_area(
            option.label, value, key=key, height=option.height, placeholder=option.placeholder, help=option.help
        )
    else:
        given = place.text_input(option.label, value, key=key, placeholder=option.placeholder, help=option.help)
    held: str = links.take(option, given)
    return held


def upload(place: Place, option: Upload) -> tuple[Reference, ...]:
    """The user's files that are here, kept by their content, so that the page finds them when it is entered again."""
    page = links.current()
    # The box is emptied once its file is kept: what is in use stands below it, however it came.
    times = st.session_state.get(f"{page.key(option)} uploads", 0)
    key = f"{page.key(option)} {times}" if times else page.key(option)
    with place.container():
        st.file_uploader(
            option.label,
            max_upload_size=option.megabytes,
            accept_multiple_files=option.several,
            key=key,
            on_change=_keep_files,
            args=(option, key),
            help=option.help,
        )
        references: tuple[Reference, ...] = links.take(option, links.value_of(option))
        here = tuple(file for file in references if resources.uploads().get(file.digest) is not None)
        for reference in references:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(reference.name if reference in here else f"{reference.name} (not here)")
                st.button(
                    "Remove file",
                    key=f"remove {page.key(option)} {reference.digest}",
                    on_click=_remove_file,
                    args=(option, reference),
                    type="tertiary",
                )
    return here


def _keep_files(option: Upload, key: str) -> None:
    page = links.current()
    given = st.session_state.get(key)
    files = given if isinstance(given, list) else [given] if given is not None else []
    if not files:
        return
    new = [Reference(resources.uploads().put(file.getvalue()), file.name) for file in files]
    old: tuple[Reference, ...] = page.values.get(option.name, ())
    if option.several:
        digests = {file.digest for file in new}
        new = [*(file for file in old if file.digest not in digests), *new]
    links.change(option, tuple(dict.fromkeys(new)))
    if not option.several and old and resources.uploads().get(old[0].digest) is None:
        page.said[option.name] = (
            f"This link asks for the file “{old[0].name}” (its digest is {old[0].digest}); shown is “{new[0].name}”, "
            "whose content is different."
        )
    name = f"{page.key(option)} uploads"
    st.session_state[name] = st.session_state.get(name, 0) + 1


def _remove_file(option: Upload, reference: Reference) -> None:
    page = links.current()
    links.change(option, tuple(file for file in page.values.get(option.name, ()) if file != reference))


def measure_button(place: Place) -> None:
    """The button that measures, and that tries again what failed or was stopped."""
    with place.container(key="measure_button"):
        st.button("Measure", type="primary", width="stretch", key=AGAIN)


def show_reading(notes: Sequence[str]) -> None:
    """What was assumed in reading the user's file, beside the file."""
    for note in notes:
        st.warning(literal(note), icon=":material/translate:")
