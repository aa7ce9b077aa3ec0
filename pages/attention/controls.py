"""The inputs of attention in one sentence: the sentence and its twin, whose words are clicked into their roles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from core import sources
from core.inputs import Option, Roles
from core.measures.attention.spec import ROLES, SENTENCE, TWIN, TWIN_ROLES, AttentionSpec, of_twin
from core.measures.measure import PRECISION
from core.sources.marking import MarkedSentence
from pages.shared import links, resources
from pages.shared.controls import select, text
from pages.shared.frame import theme
from pages.shared.jobs import AGAIN
from pages.shared.markdown import literal

MOST_BUTTONS = 60  # words that can be clicked; a row of more is slow and hard to read

_CYCLE = ("", "male", "female", "occupation")

INPUTS = (SENTENCE, ROLES, TWIN, TWIN_ROLES, PRECISION)
_TALL = 70  # pixels of the box of a sentence


def attention_spec(models: tuple[str, ...]) -> AttentionSpec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    sentence, twin = sentence_and_twin()
    left, right = st.columns([4, 1])
    with left.expander("Method"):
        dtype = select(st, PRECISION)
    right.button("Measure", type="primary", width="stretch", key=AGAIN)
    links.settle()
    return AttentionSpec(models=models, dtype=dtype, sentence=sentence(), twin=twin())


def sentence_and_twin() -> tuple[Callable[[], MarkedSentence], Callable[[], MarkedSentence]]:
    """Draw the sentence and its twin with their words to click; both are marked when all controls are drawn."""
    _style()
    typed = text(st, replace(SENTENCE, height=_TALL))
    sentence = sources.parse_sentence(typed)
    roles = _words("sentence", sentence, ROLES)
    # A new sentence gets a new twin; one that came with the link stays with its sentence.
    _start_anew("twin of", sentence, TWIN)
    twin = sources.parse_sentence(text(st, replace(TWIN, height=_TALL, default=resources.twin(sentence) or sentence)))
    twin_roles = _words("twin", twin, TWIN_ROLES)
    return (
        lambda: sources.marked(sentence, roles),
        lambda: of_twin(lambda: sources.marked(twin, twin_roles)),
    )


def _start_anew(slot: str, sentence: str, option: Option) -> None:
    """Give the option its default when the sentence that it belongs to was changed."""
    if links.changed(slot, sentence):
        links.put(option, option.default)


def _words(which: str, sentence: str, option: Roles) -> dict[sources.Span, str]:
    """The roles of the words: as the lists find them, or as the user clicked them. Draws the words to click."""
    _start_anew(f"roles of {which}", sentence, option)
    spans = sources.word_spans(sentence)
    found = sources.found_roles(sentence)
    clicked = dict(links.take(option, links.value_of(replace(option, words=len(spans)))))
    roles = {**found, **{spans[number - 1]: role for number, role in clicked.items()}}

    def turn(number: int, role: str) -> None:
        new = _CYCLE[(_CYCLE.index(role) + 1) % len(_CYCLE)]
        others = {at: kept for at, kept in clicked.items() if at != number}
        if new != found.get(spans[number - 1], ""):
            others[number] = new
        links.change(option, tuple(sorted(others.items())))

    if len(spans) <= MOST_BUTTONS:
        with st.container(horizontal=True, gap=None, key=f"words_of_{which}"):
            for number, span in enumerate(spans, 1):
                role = roles.get(span, "")
                st.button(
                    literal(sentence[slice(*span)]),
                    key=f"{which}_{number - 1}_is_{role or 'none'}",
                    on_click=turn,
                    args=(number, role),
                    type="tertiary",
                    help=f"{role or 'no role'}; click to change",
                )
    else:
        named = [f"{sentence[slice(*span)]} ({roles[span]})" for span in spans if roles.get(span)]
        st.caption(literal(f"{', '.join(named) or 'No word found'}. {len(spans)} words are too many to click."))
    return {span: role for span, role in roles.items() if role}


def _style() -> None:
    male, female = theme().words[:2]
    st.html(
        "<style>"
        f'[class*="_is_male"] button p {{ color: {male}; font-weight: 700; text-decoration: underline; }}'
        f'[class*="_is_female"] button p {{ color: {female}; font-weight: 700; text-decoration: underline dotted; }}'
        '[class*="_is_occupation"] button p { font-weight: 700; border-bottom: 2px solid currentColor; }'
        '[class*="st-key-words_of_"] button { padding: 0 .18rem; min-height: 1.6rem; }'
        "</style>"
        f"<p class='legend'><b style='color:{male}'>male words</b>, <b style='color:{female}'>female words</b>, "
        "<b>occupation</b>: a click on a word changes what it is.</p>"
    )
