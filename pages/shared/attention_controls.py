"""The inputs of attention in one sentence: the sentence and its twin, whose words are clicked into their roles."""

from __future__ import annotations

import streamlit as st

from core import lexicon
from core.errors import TiltmeterError
from core.results import MarkedSentence
from pages.shared import resources
from pages.shared.controls import PRECISIONS, select
from pages.shared.frame import theme
from pages.shared.inputs import AttentionInputs
from pages.shared.jobs import AGAIN
from pages.shared.markdown import literal

EXAMPLE = "She accompanied him on stage and on several recordings before becoming a nurse in 1939."
MOST_BUTTONS = 60  # words that can be clicked; a row of more is slow and hard to read

_CYCLE = ("", "male", "female", "occupation")
_TWIN_OF = "twin of"


def sentence_inputs(models: tuple[str, ...]) -> AttentionInputs:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    _style()
    text = st.text_area(
        "Sentence",
        EXAMPLE,
        key="sentence",
        bind="query-params",
        height=70,
        help="With a male word, a female word and an occupation. A click on a word changes what it is.",
    )
    text = lexicon.parse_sentence(text)
    roles = _words("sentence", text)
    twin_text = lexicon.parse_sentence(_twin_box(text))
    twin_roles = _words("twin", twin_text)
    left, right = st.columns([4, 1])
    with left.expander("Method"):
        dtype = select(st.container(), "Precision", PRECISIONS, "dtype")
    right.button("Measure", type="primary", width="stretch", key=AGAIN)
    return AttentionInputs(models, dtype, _marked("", text, roles), _marked("The twin: ", twin_text, twin_roles))


def _marked(where: str, text: str, roles: dict[tuple[int, int], str]) -> MarkedSentence:
    try:
        return lexicon.marked(text, roles)
    except TiltmeterError as error:
        raise type(error)(f"{where}{error}") from None


def _twin_box(text: str) -> str:
    """The twin, made for each new sentence and then the user's to change."""
    before = st.session_state.get(_TWIN_OF)
    if before != text:
        # A link brings its twin with it; a sentence typed later gets a new one.
        if before is not None or "twin" not in st.query_params:
            st.session_state["twin"] = resources.twin(text) or text
        st.session_state[_TWIN_OF] = text
    return st.text_area(
        "Its gender-swapped twin",
        key="twin",
        bind="query-params",
        height=70,
        help="Made by word lists; the embedded model decides between his and him. Change it where it is wrong.",
    )


def _words(which: str, text: str) -> dict[tuple[int, int], str]:
    """The roles of the words: as the lists find them, or as the user clicked them. Draws the words to click."""
    slot = f"roles of {which}"
    state = st.session_state.get(slot)
    if state is None or state[0] != text:
        state = st.session_state[slot] = (text, {})
    changed: dict[tuple[int, int], str] = state[1]
    roles = {**lexicon.found_roles(text), **changed}
    spans = lexicon.word_spans(text)

    def turn(span: tuple[int, int], role: str) -> None:
        changed[span] = _CYCLE[(_CYCLE.index(role) + 1) % len(_CYCLE)]

    if len(spans) <= MOST_BUTTONS:
        with st.container(horizontal=True, gap=None, key=f"words_of_{which}"):
            for at, (start, end) in enumerate(spans):
                role = roles.get((start, end), "")
                st.button(
                    literal(text[start:end]),
                    key=f"{which}_{at}_is_{role or 'none'}",
                    on_click=turn,
                    args=((start, end), role),
                    type="tertiary",
                    help=f"{role or 'no role'}; click to change",
                )
    else:
        named = [f"{text[start:end]} ({roles[start, end]})" for start, end in spans if roles.get((start, end))]
        st.caption(literal(f"{', '.join(named) or 'No word found'}. {len(spans)} words are too many to click."))
    return {span: role for span, role in roles.items() if role}


def _style() -> None:
    male, female = theme().groups[:2]
    st.html(
        "<style>"
        f'[class*="_is_male"] button p {{ color: {male}; font-weight: 700; text-decoration: underline; }}'
        f'[class*="_is_female"] button p {{ color: {female}; font-weight: 700; text-decoration: underline dotted; }}'
        '[class*="_is_occupation"] button p { font-weight: 700; border-bottom: 2px solid currentColor; }'
        '[class*="st-key-words_of_"] button { padding: 0 .18rem; min-height: 1.6rem; }'
        "</style>"
        f"<p class='support'><b style='color:{male}'>male words</b>, <b style='color:{female}'>female words</b>, "
        "<b>occupation</b>: a click on a word changes what it is.</p>"
    )
