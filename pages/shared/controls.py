"""The inputs of a measurement. They live in the page's address, so that a link gives the same measurement."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import lexicon
from core.errors import TiltmeterError, WordListError
from core.lexicon import GroupPreset, WordList
from core.results import Group, LpbsOptions
from core.templates import ATTRIBUTE, TARGET, Template
from pages.shared.inputs import LpbsInputs, worked_example
from pages.shared.jobs import AGAIN, Refused
from pages.shared.markdown import literal

OWN = "own"
_DRAWN = "drawn template"  # what the page is drawn for: the template's text, None for one that is refused
_WHOLE_PAGE = "whole page runs"
PRECISIONS = {"float32": "float32 (exact)", "bfloat16": "bfloat16 (GPU)", "float16": "float16 (GPU)"}
_MASKING = {
    "wordpiece": "one mask per word piece",
    "word": "one mask per word",
    "single": "one mask for all of it",
}
_SEVERAL = {"single": "leave them out", "joint": "score all pieces together"}
_CONTRASTS = {"pairs": "every pair of groups", "others": "each group against the mean of the others"}


def choice(label: str, options: Mapping[str, str], key: str) -> str:
    """One of a few, kept in the link; ``options`` maps what is kept to what is shown."""
    return st.segmented_control(
        label,
        list(options),
        default=next(iter(options)),
        format_func=lambda key: literal(options[key]),
        required=True,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
    )


def select(place: DeltaGenerator, label: str, options: Mapping[str, str], key: str, help: str | None = None) -> str:
    """A select box kept in the link; ``options`` maps what the program knows to what is shown."""
    return place.selectbox(label, list(options), format_func=options.get, key=key, bind="query-params", help=help)


def measure_button(place: DeltaGenerator) -> None:
    """The button that measures, and that tries again what failed or was stopped."""
    with place, st.container(key="measure_button"):
        st.button("Measure", type="primary", width="stretch", key=AGAIN)


def seed_box(place: DeltaGenerator) -> int:
    """The seed of every random draw, kept in the link."""
    return int(place.number_input("Seed", 0, 2**31 - 1, 0, key="seed", bind="query-params"))


def lpbs_inputs(models: tuple[str, ...]) -> tuple[LpbsInputs, str]:
    """Draw the controls; returns the inputs and the noun for the attributes ("professions").

    Raises TiltmeterError when an input is not well formed.
    """
    with st.container(key="controls"):
        template_place, groups_place, attributes_place, button_place = st.columns([3.4, 1.5, 2.0, 0.9])
    with template_place:
        # The box reruns the page only when it runs alone; within a run of the page it would do so for ever.
        st.session_state[_WHOLE_PAGE] = True
        _template_box()
        st.session_state[_WHOLE_PAGE] = False
    presets = {preset.id: preset for preset in lexicon.group_presets()}
    lists = {words.id: words for words in lexicon.attribute_lists()}
    group_choice = groups_place.selectbox(
        "Groups",
        [*presets, OWN],
        key="groups",
        bind="query-params",
        format_func=lambda key: presets[key].title if key in presets else "your own …",
        help="The words the model is asked for. A positive score leans to the first group.",
    )
    attribute_choice = attributes_place.selectbox(
        "Attributes",
        [*lists, OWN],
        key="attributes",
        bind="query-params",
        format_func=lambda key: lists[key].title if key in lists else "your own …",
        help="The words whose lean is measured, one score each.",
    )
    measure_button(button_place)
    options, dtype, more = _method()
    if not _template_is_good():
        raise Refused  # the box above says what to correct
    templates = _templates(more)
    groups, group_source = _groups(presets.get(group_choice))
    attributes, attribute_source = _attributes(lists.get(attribute_choice))
    words = lists.get(attribute_choice)
    data = tuple(source for source in (group_source, attribute_source) if source)
    inputs = LpbsInputs(models, dtype, templates, groups, attributes, options, data)
    return inputs, words.noun_plural if words else "attributes"


@st.fragment
def _template_box() -> None:
    """The template, checked as it is typed without running the page; a good one is measured at once.

    A refused one runs the page once, which then says that what it shows is another's.
    """
    text = st.text_input(
        "Template",
        value=worked_example().templates[0].text,
        key="template",
        bind="query-params",
        live="300ms",
        help=f"A sentence with one {TARGET}, where the model guesses, and one {ATTRIBUTE}, where each word of the "
        "list is put.",
    )
    drawn = None
    try:
        drawn = Template.parse(text).text
    except TiltmeterError as error:
        st.error(literal(str(error)), icon=":material/edit:")
    if st.session_state[_WHOLE_PAGE]:
        st.session_state[_DRAWN] = drawn
    elif drawn != st.session_state.get(_DRAWN):
        st.rerun()


def _template_is_good() -> bool:
    try:
        Template.parse(st.session_state["template"])
    except TiltmeterError:
        return False
    return True


def _templates(more: str) -> tuple[Template, ...]:
    first = Template.parse(st.session_state["template"])
    others = [Template.parse(line) for line in more.splitlines() if line.strip()]
    return tuple(dict.fromkeys([first, *others]))


def _groups(preset: GroupPreset | None) -> tuple[tuple[Group, ...], str]:
    if preset is not None:
        return preset.groups, preset.citation
    text = st.text_area(
        "Your groups, one a line: name: word, word",
        value="he: he\nshe: she",
        key="own_groups",
        bind="query-params",
        height=110,
        help="Two groups or more. Groups of equal length are pairs by position.",
    )
    return lexicon.parse_groups(text), "groups of the user's own"


def _attributes(words: WordList | None) -> tuple[tuple[str, ...], str]:
    if words is not None:
        return words.words, words.citation
    box, file = st.columns([2, 1])
    with file:
        _word_file()
    text = box.text_area(
        "Your words, one a line or separated by commas",
        value="nurse\nengineer\nteacher\ncarpenter",
        key="own_attributes",
        bind="query-params",
        height=170,
    )
    return lexicon.parse_words(text), "words of the user's own"


def _word_file() -> None:
    """A CSV or TXT file whose words go into the text box, and with it into the link."""
    file = st.file_uploader("or from a CSV or TXT file (up to 5 MB)", type=["csv", "tsv", "txt"], key="word_file")
    if file is None:
        return
    try:
        columns = lexicon.columns(file.getvalue(), file.name)
        column = st.selectbox("Column with the words", columns, key="word_column") if columns else None
        words = lexicon.read_words(file.getvalue(), file.name, column)
    except WordListError as error:
        st.error(literal(str(error)), icon=":material/edit:")
        return

    def take() -> None:
        st.session_state["own_attributes"] = lexicon.format_words(words)

    st.button(f"Use these {len(words):,} words", on_click=take)


def _method() -> tuple[LpbsOptions, str, str]:
    """The choices of the method, folded away; returns options, precision and further templates."""
    default = LpbsOptions()
    with st.expander("Method and more templates", key="method"):
        left, right = st.columns(2)
        more = left.text_area(
            "More templates, one a line",
            key="more_templates",
            bind="query-params",
            height=120,
            help="Scores are averaged over templates, attribute by attribute.",
        )
        masking = select(left, "How the attribute is hidden for the prior", _MASKING, "masking")
        several = select(left, "Target words of several pieces", _SEVERAL, "several_pieces")
        contrasts = select(right, "With three groups or more, compare", _CONTRASTS, "contrasts")
        dtype = select(
            right, "Precision", PRECISIONS, "dtype", help="Half precision saves memory on a GPU. On a CPU it is slower."
        )
        seed = seed_box(right)
        paired = right.checkbox("Groups of equal length are pairs", default.paired, key="paired", bind="query-params")
        common = right.checkbox(
            "Only words that every model knows", default.common_words, key="common_words", bind="query-params"
        )
    return LpbsOptions(masking, several, paired, contrasts, common, seed), dtype, more
