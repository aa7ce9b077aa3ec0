"""The inputs of the playground."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core import sources
from core.errors import TiltmeterError, WordListError
from core.measures.lpbs.spec import (
    ATTRIBUTES,
    GROUPS,
    MORE_TEMPLATES,
    OWN_ATTRIBUTES,
    OWN_GROUPS,
    TEMPLATE,
    LpbsSpec,
)
from core.sources.lists import OWN, own_words
from core.sources.templates import Template
from pages.shared import links
from pages.shared.controls import check, measure_button, number, select, show_reading, text
from pages.shared.jobs import Refused
from pages.shared.markdown import literal

_WORDS_FROM = "words of a file"
_DRAWN = "drawn template"  # what the page is drawn for: the template's text, None for one that is refused
_WHOLE_PAGE = "whole page runs"


def lpbs_spec(models: tuple[str, ...]) -> LpbsSpec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="controls"):
        template_place, groups_place, attributes_place, button_place = st.columns([3.0, 2.0, 1.9, 1.1])
    with template_place:
        # The box reruns the page only when it runs alone; within a run of the page it would do so for ever.
        st.session_state[_WHOLE_PAGE] = True
        _template_box()
        st.session_state[_WHOLE_PAGE] = False
    groups = select(groups_place, GROUPS)
    attributes = select(attributes_place, ATTRIBUTES)
    measure_button(button_place)
    _method()
    if groups == OWN:
        text(st, OWN_GROUPS)
    if attributes == OWN:
        _own_words()
    links.settle()
    if not _template_is_good():
        raise Refused  # the box above says what to correct
    values = links.values()
    spec = LpbsSpec.of({**values, "models": models})
    written, source = st.session_state.get(_WORDS_FROM, ("", ""))
    if attributes == OWN and values[OWN_ATTRIBUTES.name] == written:
        spec = replace(spec, attributes=own_words(spec.attributes.words, source))
    _say_misfits(spec)
    return spec


def _say_misfits(spec: LpbsSpec) -> None:
    """Where the groups' words have no place in a template: that, and a template that has one."""
    if not spec.misfits:
        return
    st.warning(literal("\n".join(spec.misfits)), icon=":material/edit:")
    if better := spec.better_template:

        def take() -> None:
            links.put(TEMPLATE, better)
            links.put(MORE_TEMPLATES, "")

        st.button(literal(f"Use “{better}”"), on_click=take)


@st.fragment
def _template_box() -> None:
    """The template, checked as it is typed without running the page; a good one is measured at once.

    A refused one runs the page once, which then says that what it shows is another's.
    """
    key, value = links.before(TEMPLATE)
    typed = st.text_input(TEMPLATE.label, value, key=key, live="300ms", help=TEMPLATE.help)
    drawn = None
    try:
        drawn = Template.parse(links.take(TEMPLATE, typed)).text
    except TiltmeterError as error:
        st.error(literal(str(error)), icon=":material/edit:")
    if st.session_state[_WHOLE_PAGE]:
        st.session_state[_DRAWN] = drawn
    elif drawn != st.session_state.get(_DRAWN):
        st.rerun()


def _template() -> str:
    return str(links.current().values.get(TEMPLATE.name, TEMPLATE.default))


def _template_is_good() -> bool:
    try:
        Template.parse(_template())
    except TiltmeterError:
        return False
    return True


def _own_words() -> str:
    box, file = st.columns([2, 1])
    with file:
        _word_file()
    return text(box, OWN_ATTRIBUTES)


def _word_file() -> None:
    """A CSV or TXT file whose words go into the text box, and with it into the link."""
    file = st.file_uploader("or from a CSV or TXT file", max_upload_size=sources.MAX_BYTES >> 20, key="word_file")
    if file is None:
        return
    try:
        columns = sources.columns(file.getvalue(), file.name)
        column = st.selectbox("Column with the words", columns, key="word_column") if columns else None
        words = sources.read_words(file.getvalue(), file.name, column)
    except WordListError as error:
        st.error(literal(str(error)), icon=":material/edit:")
        return
    show_reading(words.notes)
    written, label = sources.format_words(words.words), f"Use these {len(words.words):,} words"

    def take() -> None:
        links.put(OWN_ATTRIBUTES, written)
        # What was assumed in reading the file goes with its words into the result, while they stay as they are.
        st.session_state[_WORDS_FROM] = (written, " ".join((f"words of {file.name}", *words.notes)))

    st.button(label, on_click=take)
    if st.session_state.get(_WORDS_FROM, ("", ""))[0] != written:
        st.warning(literal(f"{file.name} is not used yet: what is measured are the words in the box. Press “{label}”."))


def _method() -> None:
    """The choices of the method, folded away."""
    with st.expander("Method and more templates", key="method"):
        left, right = st.columns(2)
        text(left, MORE_TEMPLATES)
        for name in ("masking", "several_pieces", "form"):
            select(left, LpbsSpec.input(name))
        for name in ("contrasts", "dtype"):
            select(right, LpbsSpec.input(name))
        number(right, LpbsSpec.input("seed"))
        for name in ("paired", "common_words"):
            check(right, LpbsSpec.input(name))
