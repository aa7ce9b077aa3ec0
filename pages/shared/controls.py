"""The controls of inputs, each drawn from its declaration and kept in the link, and the inputs of the playground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import sources
from core.errors import TiltmeterError, WordListError
from core.inputs import Choice, Number, Option, Reference, Several, Span, Switch, Text, Upload
from core.measures.lpbs.result import LpbsOptions
from core.result import Group
from core.sources import FileWords, GroupPreset, WordList
from core.sources.templates import ATTRIBUTE, TARGET, Template
from pages.shared import links, resources
from pages.shared.frame import MODELS
from pages.shared.inputs import LpbsInputs, worked_example
from pages.shared.jobs import AGAIN, Refused
from pages.shared.markdown import literal
from pages.shared.options import choice_of, number_of

OWN = "own"
_WORDS_FROM = "words of a file"
_DEFAULT = LpbsOptions()
_DRAWN = "drawn template"  # what the page is drawn for: the template's text, None for one that is refused
_WHOLE_PAGE = "whole page runs"

SEED = number_of(LpbsOptions, "seed", "Seed")
PRECISION = Choice(
    "dtype",
    "Precision",
    choices={"float32": "float32 (full precision)", "bfloat16": "bfloat16 (GPU)", "float16": "float16 (GPU)"},
    help="Half precision saves memory on a GPU. On a CPU it is slower.",
)

TEMPLATE = Text(
    "template",
    "Template",
    worked_example().templates[0].text,
    help=f"A sentence with one {TARGET}, where the model guesses, and one {ATTRIBUTE}, where each word of the "
    "list is put.",
)
GROUPS = Choice(
    "groups",
    "Groups",
    choices={preset.id: preset.title for preset in sources.group_presets()} | {OWN: "your own …"},
    help="The words whose probability is read. A positive score leans towards the first group.",
)
ATTRIBUTES = Choice(
    "attributes",
    "Attributes",
    choices={words.id: words.title for words in sources.attribute_lists()} | {OWN: "your own …"},
    help="The words whose lean is measured, one score each.",
)
OWN_GROUPS = Text(
    "own_groups",
    "Your groups, one a line: name: word, word",
    "he: he\nshe: she",
    height=110,
    help="Two groups or more. Groups of equal length are pairs by position.",
)
OWN_ATTRIBUTES = Text(
    "own_attributes",
    "Your words, one a line or separated by commas",
    "nurse\nengineer\nteacher\ncarpenter",
    height=170,
)
MORE_TEMPLATES = Text(
    "more_templates",
    "More templates, one a line",
    height=120,
    help="Scores are averaged over templates, attribute by attribute.",
)
MASKING = choice_of(
    LpbsOptions,
    "masking",
    "How the attribute is hidden for the prior",
    {
        "wordpiece": "one mask per word piece",
        "word": "one mask per word",
        "single": "one mask for all of it",
    },
)
SEVERAL_PIECES = choice_of(
    LpbsOptions,
    "several_pieces",
    "Target words split into several tokens",
    {"single": "exclude them", "joint": "score all their tokens together"},
)
FORM = choice_of(
    LpbsOptions,
    "form",
    "How words are written in their slots",
    {
        "sentence": "as the sentence shows them",
        "typed": "as typed",
        "capital": "targets with a capital",
    },
    help="Where a sentence begins, a word gets a capital first letter; models that tell capitals apart score another "
    "word then. Choose another form where the beginning is not found right.",
)
CONTRASTS = choice_of(
    LpbsOptions,
    "contrasts",
    "With three groups or more, compare",
    {"pairs": "every pair of groups", "others": "each group against the mean of the others"},
)
PAIRED = Switch("paired", "Groups of equal length are pairs", _DEFAULT.paired)
COMMON_WORDS = Switch("common_words", "Only words that every model knows", _DEFAULT.common_words)

LPBS = (
    MODELS,
    TEMPLATE,
    GROUPS,
    ATTRIBUTES,
    OWN_GROUPS,
    OWN_ATTRIBUTES,
    MORE_TEMPLATES,
    MASKING,
    SEVERAL_PIECES,
    FORM,
    CONTRASTS,
    PRECISION,
    SEED,
    PAIRED,
    COMMON_WORDS,
)


@dataclass(frozen=True)
class File:
    """A file of the user's: its name and its content."""

    name: str
    data: bytes


def ask(place: DeltaGenerator, option: Option) -> Any:
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
    with place:
        return span(option) if isinstance(option, Span) else None


def choice(option: Choice) -> str:
    """One of a few, side by side."""
    key, value = links.before(option)
    return links.take(
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


def select(place: DeltaGenerator, option: Choice, *, bare: bool = False) -> str:
    """One of several, in a box that opens; ``bare`` without its label."""
    key, value = links.before(option)
    return links.take(
        option,
        place.selectbox(
            option.label,
            list(option.choices),
            list(option.choices).index(value),
            format_func=option.choices.get,
            key=key,
            help=option.help,
            label_visibility="collapsed" if bare else "visible",
        ),
    )


def steps(place: DeltaGenerator, option: Choice) -> str:
    """One of several that have an order."""
    key, value = links.before(option)
    return links.take(
        option,
        place.select_slider(
            option.label, list(option.choices), value, format_func=option.choices.get, key=key, help=option.help
        ),
    )


def span(option: Span) -> tuple[int, int]:
    """A range of neighbours."""
    key, value = links.before(option)
    numbers = list(range(option.low, option.high + 1))
    return links.take(option, st.select_slider(option.label, numbers, value, key=key, help=option.help))


def several(place: DeltaGenerator, option: Several) -> tuple[str, ...]:
    """Any of several, in the order they are chosen."""
    key, value = links.before(option)
    return links.take(
        option,
        place.multiselect(
            option.label,
            list(option.choices),
            value,
            format_func=option.choices.get,
            key=key,
            max_selections=option.most,
            help=option.help,
        ),
    )


def number(place: DeltaGenerator, option: Number) -> int:
    """A whole number."""
    key, value = links.before(option)
    given = place.number_input(option.label, option.low, option.high, value, key=key, help=option.help)
    return links.take(option, given)


def check(place: DeltaGenerator, option: Switch) -> bool:
    """Yes or no, as a box to tick."""
    key, value = links.before(option)
    return links.take(option, place.checkbox(option.label, value, key=key, help=option.help))


def toggle(option: Switch) -> bool:
    """Yes or no, as a switch."""
    key, value = links.before(option)
    return links.take(option, st.toggle(option.label, value, key=key, help=option.help))


def text(place: DeltaGenerator, option: Text) -> str:
    """A line, or a box of several."""
    key, value = links.before(option)
    if option.height:
        given = place.text_area(
            option.label, value, key=key, height=option.height, placeholder=option.placeholder, help=option.help
        )
    else:
        given = place.text_input(option.label, value, key=key, placeholder=option.placeholder, help=option.help)
    return links.take(option, given)


def upload(place: DeltaGenerator, option: Upload) -> tuple[File, ...]:
    """The user's files. They are kept by their content, so that the page finds them when it is entered again."""
    page = links.current()
    # The box is emptied once its file is kept: what is in use stands below it, however it came.
    times = st.session_state.get(f"{page.key(option)} uploads", 0)
    key = f"{page.key(option)} {times}" if times else page.key(option)
    with place.container():
        file_box(
            option.label,
            option.megabytes,
            accept_multiple_files=option.several,
            key=key,
            on_change=_keep_files,
            args=(option, key),
            help=option.help,
        )
        references: tuple[Reference, ...] = links.take(option, links.value_of(option))
        contents = [(reference, resources.uploads().get(reference.digest)) for reference in references]
        for reference, data in contents:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(reference.name if data is not None else f"{reference.name} (not here)")
                st.button(
                    "Remove file",
                    key=f"remove {page.key(option)} {reference.digest}",
                    on_click=_remove_file,
                    args=(option, reference),
                    type="tertiary",
                )
    return tuple(File(reference.name, data) for reference, data in contents if data is not None)


def file_box(label: str, megabytes: int, **more: Any) -> Any:
    """Streamlit's box for files of any kind (see ``Upload``) whose label says how large they may be."""
    return st.file_uploader(f"{label} (up to {megabytes} MB)", max_upload_size=megabytes, **more)


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


def measure_button(place: DeltaGenerator) -> None:
    """The button that measures, and that tries again what failed or was stopped."""
    with place, st.container(key="measure_button"):
        st.button("Measure", type="primary", width="stretch", key=AGAIN)


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
    presets = {preset.id: preset for preset in sources.group_presets()}
    lists = {words.id: words for words in sources.attribute_lists()}
    preset = presets.get(select(groups_place, GROUPS))
    words = lists.get(select(attributes_place, ATTRIBUTES))
    measure_button(button_place)
    options, dtype, more = _method()
    own_groups = text(st, OWN_GROUPS) if preset is None else ""
    own_words = _own_words() if words is None else ""
    links.settle()
    if not _template_is_good():
        raise Refused  # the box above says what to correct
    templates = _templates(more)
    groups, group_source = _groups(preset, own_groups)
    attributes, attribute_source = _attributes(words, own_words)
    data = tuple(source for source in (group_source, attribute_source) if source)
    inputs = LpbsInputs(models, dtype, templates, groups, attributes, options, data)
    return inputs, words.noun_plural if words else "attributes"


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


def _templates(more: str) -> tuple[Template, ...]:
    first = Template.parse(_template())
    others = [Template.parse(line) for line in more.splitlines() if line.strip()]
    return tuple(dict.fromkeys([first, *others]))


def _groups(preset: GroupPreset | None, own: str) -> tuple[tuple[Group, ...], str]:
    if preset is not None:
        return preset.groups, preset.citation
    return sources.parse_groups(own), "groups of the user's own"


def _attributes(words: WordList | None, own: str) -> tuple[tuple[str, ...], str]:
    if words is not None:
        return words.words, words.citation
    written, source = st.session_state.get(_WORDS_FROM, ("", ""))
    return sources.parse_words(own), source if own == written else "words of the user's own"


def _own_words() -> str:
    box, file = st.columns([2, 1])
    with file:
        _word_file()
    return text(box, OWN_ATTRIBUTES)


def _word_file() -> None:
    """A CSV or TXT file whose words go into the text box, and with it into the link."""
    file = file_box("or from a CSV or TXT file", sources.MAX_BYTES >> 20, key="word_file")
    if file is None:
        return
    try:
        columns = sources.columns(file.getvalue(), file.name)
        column = st.selectbox("Column with the words", columns, key="word_column") if columns else None
        found = sources.read_words(file.getvalue(), file.name, column)
    except WordListError as error:
        st.error(literal(str(error)), icon=":material/edit:")
        return
    show_reading(found.notes)
    written, label = sources.format_words(found.words), f"Use these {len(found.words):,} words"

    def take() -> None:
        links.put(OWN_ATTRIBUTES, written)
        # What was assumed in reading the file goes with its words into the result, while they stay as they are.
        st.session_state[_WORDS_FROM] = (written, " ".join((f"words of {file.name}", *found.notes)))

    st.button(label, on_click=take)
    if st.session_state.get(_WORDS_FROM, ("", ""))[0] != written:
        st.warning(literal(f"{file.name} is not used yet: what is measured are the words in the box. Press “{label}”."))


def show_reading(notes: Sequence[str]) -> None:
    """What was assumed in reading the user's file, beside the file."""
    for note in notes:
        st.warning(literal(note), icon=":material/translate:")


def sentences_of(files: Sequence[File]) -> FileWords:
    """The sentences of the user's files, one a line, saying what was assumed. Raises WordListError."""
    found = [sources.read_lines(file.data, file.name) for file in files]
    notes = tuple(note for file in found for note in file.notes)
    show_reading(notes)
    return FileWords(tuple(line for file in found for line in file.words), notes)


def _method() -> tuple[LpbsOptions, str, str]:
    """The choices of the method, folded away; returns options, precision and further templates."""
    with st.expander("Method and more templates", key="method"):
        left, right = st.columns(2)
        more = text(left, MORE_TEMPLATES)
        masking = select(left, MASKING)
        several_pieces = select(left, SEVERAL_PIECES)
        form = select(left, FORM)
        contrasts = select(right, CONTRASTS)
        dtype = select(right, PRECISION)
        seed = number(right, SEED)
        paired = check(right, PAIRED)
        common = check(right, COMMON_WORDS)
    return LpbsOptions(masking, several_pieces, paired, contrasts, common, seed, form), dtype, more
