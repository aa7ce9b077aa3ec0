"""The inputs of the page on screen, and its address, which holds those that differ from their defaults.

Each page has inputs of its own. A page that is entered follows its address: by a link, the menu (which links to each
page with the inputs it had last), back, forward or a reload. From then on the controls rule and the address follows
them. What an address asks for and cannot have is said on the page, and stays in the address until it is changed or
dismissed, so that a reload says it again.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.errors import OptionError, TiltmeterError
from core.inputs import Option, Reference, Several, Text, Upload, abridged, is_digest, quoted
from core.sources.published import PREFIX
from core.spec import File
from pages.shared import resources
from pages.shared.markdown import literal
from pages.shared.uploads import digest_of

_COPY_LINK = st.components.v2.component(
    "copy_link",
    html='<button type="button">Copy link</button><span role="status"></span><input aria-label="Link" readonly hidden>',
    css="""
    button { font: inherit; font-size: .875rem; padding: .25rem .6rem; cursor: pointer; background: none;
      color: inherit; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 8px); }
    button:hover, button:focus-visible { border-color: var(--st-primary-color); }
    button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
    span { font-size: .875rem; margin-left: .5rem; }
    input { display: block; width: 100%; margin-top: .3rem; }
    input[hidden] { display: none; }
    """,
    js=(Path(__file__).resolve().parents[2] / "assets" / "copy_link.js").read_text(encoding="utf-8"),
)

SAVED = Upload("saved", "A .tilt file", megabytes=64)  # a saved result that is open; of every page
LONGEST = 2_000  # characters of an address; beyond, its longest texts go by their digest

_PAGES, _CURRENT = "pages", "page"
_BY_DIGEST = ".digest"

Parameters = dict[str, list[str]]


@dataclass
class Page:
    """What a session knows of one page. ``inputs`` decide what is measured, ``views`` how it is shown.

    ``values`` holds what differs from the defaults, ``asked`` the parameters that cannot be followed, ``said`` the
    sentence on each, ``unchecked`` the names whose value came by the address and whose control was not drawn since,
    ``seen`` what ``changed`` compares with, ``defaults`` and ``given`` what controls were drawn with, ``held`` what
    they held before (``before``).
    """

    name: str
    inputs: tuple[Option, ...] = ()
    views: tuple[Option, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    held: dict[str, Any] = field(default_factory=dict)
    address: Parameters = field(default_factory=dict)
    asked: Parameters = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    unchecked: set[str] = field(default_factory=set)
    seen: dict[str, Hashable] = field(default_factory=dict)
    # Of the present run of the page; ``unused``: sentences on inputs of the link that are not drawn. What is pinned:
    # ``findings`` by the identity of the result they are from, and ``alts``, the words of figures, by theirs.
    drawn: dict[str, Option] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    settled: bool = False
    whole: bool = True
    told: list[str] = field(default_factory=list)
    findings: dict[int, list[str]] = field(default_factory=dict)
    alts: dict[int, str] = field(default_factory=dict)
    notices: DeltaGenerator | None = None
    menu: Callable[[Parameters], None] | None = None

    @property
    def options(self) -> dict[str, Option]:
        """Inputs and views by their name."""
        return {option.name: option for option in (*self.inputs, *self.views)}

    def key(self, option: Option) -> str:
        """The key of an option's control: its own on each page."""
        return f"{self.name.lower().replace(' ', '_')}.{option.name}"

    def follow(self, parameters: Parameters) -> None:
        """Take the inputs from an address; what it does not name has its default."""
        self.values, self.asked, self.said, self.unchecked, self.seen = {}, {}, {}, set(), {}
        for parameter, texts in parameters.items():
            name = parameter.removesuffix(_BY_DIGEST)
            option = self.options.get(name)
            if option is None or (parameter != name and not isinstance(option, Text)):
                self.refuse(
                    parameter, texts, f"This link holds “{abridged(parameter)}”, which is not an input of this page."
                )
            elif parameter != name:
                self._follow_digest(option, parameter, texts)
            else:
                value, problem = option.read(texts)
                if problem is not None:
                    self.refuse(parameter, texts, cannot_be_followed(option, problem, value))
                if value != option.default:
                    self.values[name] = value
                    self.unchecked.add(name)

    def _follow_digest(self, option: Option, parameter: str, texts: list[str]) -> None:
        data = resources.uploads().get(texts[0]) if len(texts) == 1 and is_digest(texts[0]) else None
        self.values[option.name] = "" if data is None else data.decode("utf-8")
        self.unchecked.add(option.name)
        if data is None:
            self.asked[parameter] = texts

    def refuse(self, parameter: str, texts: list[str], sentence: str) -> None:
        """Keep what cannot be followed, and the sentence on it."""
        self.asked[parameter] = texts
        self.said[parameter] = sentence

    def forgive(self, *parameters: str) -> None:
        """Forget what could not be followed."""
        for parameter in parameters:
            self.asked.pop(parameter, None)
            self.said.pop(parameter, None)

    def parameters(self, waiting: tuple[Option, ...]) -> Parameters:
        """The address: what is drawn, and what still waits to be, as it was."""
        names = {*self.drawn, *self.unused, *(option.name for option in waiting)}
        texts = {
            name: option.write(self.values[name])
            for name, option in self.options.items()
            if name in self.values and name in names and name + _BY_DIGEST not in self.asked
        }
        return _shortened(texts | self.asked, self.options)

    def missing(self) -> list[str]:
        """What the link needs and is not here, as sentences."""
        sentences = []
        for name, option in self.drawn.items():
            if isinstance(option, Upload):
                sentences += [
                    f"This link needs the file “{file.name}” (its digest is {file.digest}): upload it again."
                    for file in self.values.get(name, ())
                    if resources.uploads().get(file.digest) is None
                ]
            elif wanted := self.asked.get(name + _BY_DIGEST):
                given = self.values.get(name, option.default)
                other = " What is in the box is another text." if given.strip() else ""
                sentences.append(
                    f"This link needs the text “{option.label}” (its digest is {quoted(wanted)}), which is too long "
                    f"for a link and is not on this server: put it into its box again.{other}"
                )
        return sentences


def begin(name: str, inputs: tuple[Option, ...], views: tuple[Option, ...]) -> Page:
    """Begin a run of a page: from its address where it is entered, from its controls where it runs again."""
    pages: dict[str, Page] = st.session_state.setdefault(_PAGES, {})
    entered = st.session_state.get(_CURRENT) != name
    known = name in pages
    page = pages.setdefault(name, Page(name))
    st.session_state[_CURRENT] = name
    page.inputs, page.views = inputs, views
    page.drawn, page.unused, page.settled, page.whole, page.told = {}, {}, False, True, []
    page.findings, page.alts = {}, {}
    # The address it had last brings back also what no address holds, such as words that wait behind a choice.
    another = (entered or _by_history()) and (not known or _here() != page.address)
    if another:
        page.address = _here()
        page.follow(page.address)
    if entered or another:
        _forget_controls(page)
    return page


def current() -> Page:
    """The page on screen."""
    page: Page = st.session_state[_PAGES][st.session_state[_CURRENT]]
    return page


def values() -> dict[str, Any]:
    """What the inputs of the page on screen hold, by name: what a spec is made of. Files come with their contents."""
    page = current()
    found: dict[str, Any] = {}
    for option in page.inputs:
        declared = page.drawn.get(option.name, option)
        value = page.values.get(option.name, declared.default)
        found[option.name] = tuple(map(file_of, value)) if isinstance(option, Upload) else value
    return found


def file_of(file: Reference) -> File:
    """The file with its content where that is here; otherwise with its digest alone."""
    data = resources.uploads().get(file.digest)
    return File(file.name, file.digest) if data is None else File.of(file.name, data)


def address_of(name: str) -> Parameters:
    """The address that a page had last in this session."""
    pages: dict[str, Page] = st.session_state.get(_PAGES, {})
    return pages[name].address if name in pages else {}


def lead(name: str, option: Option, value: Any) -> None:
    """Give an input of another page a value, so that the links to that page hold it."""
    page: Page = st.session_state.setdefault(_PAGES, {}).setdefault(name, Page(name))
    if value == option.default:
        page.values.pop(option.name, None)
        page.address.pop(option.name, None)
    else:
        page.values[option.name] = value
        page.address[option.name] = option.write(value)


def written(options: Iterable[Option], values: Mapping[str, Any]) -> Parameters:
    """The parameters of a link that gives these inputs of a page, which need not be the one on screen, these values."""
    known = {option.name: option for option in options}
    texts = {name: known[name].write(value) for name, value in values.items() if value != known[name].default}
    return _shortened(texts, known)


def value_of(option: Option) -> Any:
    """The value of an input before its control is drawn.

    ``option`` may hold other choices or another default than the page's declaration, as far as only the drawn page
    knows them. What came by the address and is none of them is said; what another input made impossible is dropped.
    """
    page, name = current(), option.name
    if name not in page.options:
        raise KeyError(f"{page.name} does not declare its input {name}")
    if name in page.values and not option.holds(page.values[name]):
        texts = option.write(page.values.pop(name))
        if name in page.unchecked:
            kept, problem = option.read(texts)
            page.refuse(name, texts, cannot_be_followed(option, problem or quoted(texts), kept))
            if kept != option.default:
                page.values[name] = kept
    return page.values.get(name, option.default)


def before(option: Option) -> tuple[str, Any]:
    """Give the control of an option its value before it is drawn; returns its key and the value.

    A control that stands at its default follows the default. What is given here is given again until the page was
    drawn to its end: the browser does not hear of it from a run that is cut short, and what cuts it short may bring
    once more what the control held before. Any other value is the user's. The control needs the value as its own
    default too, for it may be made anew in the browser at any time.
    """
    page, value, key = current(), value_of(option), current().key(option)
    stale = option.name not in page.values and page.defaults.get(option.name, option.default) != option.default
    if key not in st.session_state or stale or not option.holds(_plain(st.session_state[key])):
        _release(page, option)
        page.given[option.name] = value
    elif page.given.get(option.name) != _plain(st.session_state[key]) and not _held_before(page, option):
        page.given.pop(option.name, None)
    if option.name in page.given:
        st.session_state[key] = list(value) if isinstance(option, Several) else value
    page.defaults[option.name] = option.default
    return key, st.session_state[key]


def _held_before(page: Page, option: Option) -> bool:
    """Whether a control has the value it had before the page's was given; once: who chooses it again means it."""
    return option.name in page.held and page.held.pop(option.name) == _plain(st.session_state[page.key(option)])


def take(option: Option, value: Any) -> Any:
    """Note what a drawn control holds; returns it."""
    page, value = current(), _plain(value)
    change(option, value)
    parameter = option.name + _BY_DIGEST
    if parameter in page.asked and page.asked[parameter] == [digest_of(str(value).encode("utf-8"))]:
        page.forgive(parameter)
    page.unchecked.discard(option.name)
    page.drawn[option.name] = option
    return value


def change(option: Option, value: Any) -> None:
    """Give an input of the page on screen a value."""
    page = current()
    if value != page.values.get(option.name, option.default):
        page.forgive(option.name)
    if value == option.default:
        page.values.pop(option.name, None)
    else:
        page.values[option.name] = value


def put(option: Option, value: Any) -> None:
    """As ``change``, for an input that has a control: from a callback, or before it is drawn."""
    change(option, value)
    _release(current(), option)


def changed(slot: str, value: Hashable) -> bool:
    """Whether this is another value than in the last run of the page. The first after a link is none."""
    page = current()
    known = slot in page.seen
    differs = known and page.seen[slot] != value
    page.seen[slot] = value
    return differs


def settle(*, whole: bool = True) -> None:
    """When the controls of the inputs are drawn: say what differs from the defaults and what cannot be followed.

    Not ``whole``: an error keeps some from being drawn. Raises OptionError when the link needs a file or a text that
    is not here: nothing is measured in its place.
    """
    page = current()
    if not page.settled:
        page.settled, page.whole = True, whole
        if whole:
            _not_used(page, page.inputs)
        _write(page, waiting=page.views if whole else (*page.inputs, *page.views))
        if page.inputs:
            _bar(page)
    _tell(page)
    if missing := page.missing():
        if any(parameter.endswith(_BY_DIGEST) for parameter in page.asked):
            st.button("Continue without it", on_click=dismiss, help="Measures what is in the box.")
        raise OptionError(" ".join(missing))


def rest() -> None:
    """Where the page shows something else than its inputs ask for: they wait in the address, beside the link to it."""
    page = current()
    page.settled, page.whole = True, False
    _write(page, waiting=(*page.inputs, *page.views))
    _link(page)
    _tell(page)


def refused(error: TiltmeterError) -> TiltmeterError:
    """As ``settle``, where an error kept controls from being drawn; what the link needs comes before the error."""
    if not current().settled:
        try:
            settle(whole=False)
        except OptionError as missing:
            return missing
    return error


def close() -> None:
    """End a page whose views are all drawn."""
    page = current()
    page.given.clear()
    page.held.clear()
    _not_used(page, page.views)
    _write(page, waiting=() if page.whole else page.inputs)
    _tell(page)


def cannot_be_followed(option: Option, problem: str, value: Any) -> str:
    """The sentence on an input of a link."""
    return f"This link sets “{option.title}” to {problem}; shown is {option.shown(value)}."


def reset() -> None:
    """Give every input of the page its default."""
    page = current()
    page.values.clear()
    page.unchecked.clear()
    _forget_controls(page)
    dismiss()


def dismiss() -> None:
    """Let go of what the link asks for and cannot have."""
    page = current()
    for name in page.unused:
        page.values.pop(name, None)
    page.unchecked -= set(page.unused)
    page.forgive(*page.asked, *page.said)


def _not_used(page: Page, options: tuple[Option, ...]) -> None:
    """Note what the link gives to inputs that are not drawn beside the others."""
    for option in options:
        if option.name in page.unchecked and option.name not in page.drawn and option.name not in page.said:
            shown = option.shown(page.values[option.name])
            page.unused[option.name] = (
                f"This link also holds “{option.title}” ({shown}), which has no use with the other inputs."
            )


def _write(page: Page, waiting: tuple[Option, ...]) -> None:
    """Put the inputs into the address, where they are not in it, and into the menu's link to this page."""
    linked, page.address = page.address, page.parameters(waiting)
    if page.address != _here():
        st.query_params.from_dict(page.address)
    if page.menu is not None and page.address != linked:
        page.menu(page.address)


def _bar(page: Page) -> None:
    """What differs from the defaults, with a way back to them, and the link."""
    inputs = {option.name for option in page.inputs}
    changes = [
        f"{option.title}: {option.shown(page.values[name])}"
        for name, option in page.drawn.items()
        if name in page.values and name in inputs and name + _BY_DIGEST not in page.asked
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="inputs_bar"):
        if changes:
            text = f"Changed from the defaults: {'; '.join(changes)}"
            st.html(f'<p class="changed">{html.escape(text)}</p>')
            st.button("Reset", on_click=reset, help="Gives every input of this page its default.")
        _COPY_LINK(key="copy_link")
    _say_carried(page)


def _link(page: Page) -> None:
    """The link alone."""
    _COPY_LINK(key="copy_link")
    _say_carried(page)


def _say_carried(page: Page) -> None:
    """What the link holds only the digest of."""
    carried = [page.options[name.removesuffix(_BY_DIGEST)].title for name in page.address if name.endswith(_BY_DIGEST)]
    carried += [
        file.name
        for name, option in page.drawn.items()
        if isinstance(option, Upload)
        for file in page.values.get(name, ())
        if not file.name.startswith(PREFIX)  # a published result comes with the program
    ]
    if carried:
        them = "it" if len(carried) == 1 else "them"
        st.caption(
            literal(
                f"The link holds only the digest of {quoted(carried)}: on another server, or later on this one, "
                f"the page may ask for {them} again."
            )
        )


def _tell(page: Page) -> None:
    """Say above all else what the link asks for and cannot have, each sentence once a run."""
    sentences = [text for text in (*page.said.values(), *page.unused.values()) if text not in page.told]
    if page.notices is None or not sentences:
        return
    with page.notices:
        st.warning("\n\n".join(map(literal, sentences)), icon=":material/link_off:")
        if not page.told:
            st.button("Dismiss", on_click=dismiss, help="Keeps what is shown and takes the rest out of the address.")
    page.told += sentences


def _shortened(parameters: Parameters, options: Mapping[str, Option]) -> Parameters:
    """The address with its longest texts by their digest, as many as it takes."""
    texts = sorted(
        (name for name, option in options.items() if isinstance(option, Text) and name in parameters),
        key=lambda name: len(parameters[name][0]),
        reverse=True,
    )
    while texts and len(urlencode(parameters, doseq=True)) > LONGEST and len(parameters[texts[0]][0]) > LONGEST // 10:
        name = texts.pop(0)
        digest = resources.uploads().put(parameters[name][0].encode("utf-8"))
        parameters = {key: value for key, value in parameters.items() if key != name} | {name + _BY_DIGEST: [digest]}
    return parameters


def _here() -> Parameters:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _by_history() -> bool:
    """Whether the browser's back or forward brought this run; Streamlit knows, and has no public word for it."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _forget_controls(page: Page) -> None:
    for option in page.options.values():
        _release(page, option)


def _release(page: Page, option: Option) -> None:
    """Take the value from a control; it is drawn anew with that of the page."""
    key = page.key(option)
    if key in st.session_state:
        page.held[option.name] = _plain(st.session_state[key])
        del st.session_state[key]


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
