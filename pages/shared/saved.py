"""A saved result on its page: opened from the user's file, shown in place of a measurement until it is closed."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

import streamlit as st

from core.errors import OptionError, TiltmeterError
from core.inputs import Reference
from core.measures.measure import MeasureSpec, measures, opened
from core.result import Result
from pages.shared import jobs, links, resources, shelved
from pages.shared.frame import choose_models, go_to
from pages.shared.markdown import literal
from pages.shared.places import PAGE_OF

S = TypeVar("S", bound=MeasureSpec[Any])


def shown(kind: type[S], ask: Callable[[tuple[str, ...]], S]) -> tuple[S, Any]:
    """The spec that the controls ask for and its result; or those of a saved result that is open.

    ``ask`` draws the controls for the chosen models. Until the result is there, progress stands in its place, as in
    ``jobs.measured``.
    """
    place = st.sidebar.container()
    result = opened_result(kind)
    return measured(kind, lambda: ask(choose_models(place))) if result is None else (result.spec, result)


def measured(kind: type[S], ask: Callable[[], S]) -> tuple[S, Any]:
    """The spec that the controls ask for, and its result."""
    spec, result = jobs.measured(kind.COMMAND, ask, resources.measure, attrgetter("base"))
    return spec, spec.finish(result)


def opened_result(*kinds: type[MeasureSpec[Any]]) -> Result | None:
    """The saved result, of one of these measures, that is open on this page, said to be one; None where none is.

    It is kept on the server by its content, and the page's address holds its digest. Where its content is not here any
    more, that is said, and nothing is measured in its place.
    """
    offer(*kinds)
    files: tuple[Reference, ...] = links.value_of(links.SAVED)
    if not files:
        return None
    (file,) = links.take(links.SAVED, files)
    links.rest()
    with st.container(horizontal=True, vertical_alignment="center"):
        place = st.container()
        st.button("Close it", on_click=links.change, args=(links.SAVED, ()), help="Goes back to measuring.")
    try:
        result = resources.saved_result(file)
        if not any(measure.RESULT is type(result) for measure in kinds):
            raise OptionError(f"{file.name} is not a result of this page; open it again to see where it belongs.")
    except TiltmeterError as error:
        place.error(literal(str(error)), icon=":material/edit:")
        st.stop()
    if (entry := shelved.entry_of(file)) is not None:
        place.info(shelved.said(entry), icon=":material/menu_book:")
        return result
    place.info(
        literal(
            f"This is the saved result {file.name}: {result.spec.line}, measured {_when(result)}."
            + (" Its run was stopped before its end." if result.stopped else "")
            + " Close it to choose models and inputs again."
        ),
        icon=":material/folder_open:",
    )
    return result


def offer(*kinds: type[MeasureSpec[Any]]) -> None:
    """The box in the sidebar where a saved result is opened; that of a measure this page does not show, on its own.

    Says what is wrong with a file.
    """
    page = links.current().name
    with st.sidebar.expander("Open a saved result"):
        shelved.opener(kinds)
        times = st.session_state.get(_times(page), 0)
        file = st.file_uploader(
            links.SAVED.label, max_upload_size=links.SAVED.megabytes, key=f"opened on {page} file {times}"
        )
        if file is None:
            return
        try:
            result = opened(file.getvalue(), file.name)
        except TiltmeterError as error:
            st.error(literal(str(error)), icon=":material/edit:")
            return
        measure = next(measure for measure in measures().values() if measure.RESULT is type(result))
        target = page if measure in kinds else PAGE_OF.get(measure.COMMAND)
        if target is None:
            st.error(
                literal(f"{file.name} holds a result that no page shows: {measure.TITLE}."), icon=":material/edit:"
            )
            return
        if target != page:
            st.info(literal(f"{file.name} is a result of the page {target}."), icon=":material/folder_open:")
            if not st.button(f"Open it on {target}", type="primary"):
                return
        reference = Reference(resources.uploads().put(file.getvalue()), file.name)
        st.session_state[_times(page)] = times + 1  # empties the box
        if target != page:
            go_to(target, saved=links.SAVED.write((reference,)))
        links.change(links.SAVED, (reference,))


def _times(page: str) -> str:
    return f"opened on {page} times"


def _when(result: Result) -> str:
    return result.provenance.created.replace("T", " at ").replace("Z", " UTC")
