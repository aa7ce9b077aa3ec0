"""The frame every page opens with: settings, style, menu and model picker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import plotly.io
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts import DARK, LIGHT, WIDTH, Theme
from core.engine import catalog
from core.engine.checkpoints import labels, request
from core.inputs import Option, Several
from core.measures.measure import MODELS
from pages.shared import links
from pages.shared.markdown import literal

OUTDATED = "outdated"  # in the session, and key of the words on the page: it shows a measurement of other inputs
UP_TO_DATE = "up_to_date"  # key of what ends that on the page
HOME = "Tiltmeter"  # title of the home page
_ROOT = Path(__file__).resolve().parents[2]
# The number in a page's file name decides its section: the last section that begins at or before it.
_SECTIONS = (
    (1, "Measure"),
    (4, "Look inside"),
    (5, "Check the measures"),
    (7, "Mitigation and tasks"),
    (9, "Compare, keep, publish"),
    (13, "Learn"),
)
_ACROSS = "pixels across"
_WIDEST = 1120  # pixels of a page; more makes no difference
_CHART, _CARD, _COLUMNS_GAP = 560, 256, 32  # the least of the two columns, and the gap between them: see style.css
_ELSEWHERE: ContextVar[Theme | None] = ContextVar("the look of a chart that is drawn for another reader", default=None)
_across = st.components.v2.component("tiltmeter_width", js=(_ROOT / "assets" / "width.js").read_text("utf-8"))


def open_page(title: str, subtitle: str, inputs: tuple[Option, ...] = (), views: tuple[Option, ...] = ()) -> None:
    """Begin a page: browser title, style, menu, heading, and its inputs from the address (see ``links``)."""
    st.set_page_config(page_title=f"{title} · Tiltmeter", page_icon=_ROOT / "assets" / "icon.svg", layout="wide")
    st.session_state[OUTDATED] = False
    # Streamlit sets a template of placeholders for everybody; every figure of ours names its own.
    plotly.io.templates.default = "none"
    st.html(_ROOT / "assets" / "style.css")
    page = links.begin(title, inputs, (*views, links.SAVED))
    with st.sidebar:
        _menu(page)
    st.title(title, anchor=False)
    st.caption(subtitle)
    page.notices = st.container()
    _learn_width()


def theme(most: int = WIDTH) -> Theme:
    """The look of the charts: light or dark, as the browser shows the page, for its width, up to ``most`` pixels."""
    scheme = _ELSEWHERE.get() or (DARK if st.context.theme.type == "dark" else LIGHT)
    return replace(scheme, width=min(most, _page_width()))


@contextmanager
def drawing_for(look: Theme) -> Iterator[None]:
    """Within it, charts are drawn in this look, whatever the page has."""
    before = _ELSEWHERE.set(look)
    try:
        yield
    finally:
        _ELSEWHERE.reset(before)


def theme_beside_card(most: int = WIDTH) -> Theme:
    """As ``theme``, for a chart in the first of two columns, 2.5 to 1; on a narrow page the second is below it."""
    width = _page_width()
    beside = width >= _CHART + _CARD + _COLUMNS_GAP
    return theme(min(most, max(_CHART, int((width - _COLUMNS_GAP) * 2.5 / 3.5))) if beside else most)


def _page_width() -> int:
    """The pixels that the page has for its contents; many while the browser has not said so yet."""
    look = _ELSEWHERE.get()
    return look.width if look is not None else _known_width()


def _known_width() -> int:
    return int(st.session_state.get(_ACROSS, _WIDEST))


def _learn_width() -> None:
    """Keep how many pixels the page has across: the browser says so, and again when that changes."""
    known = {"known": _known_width(), "most": _WIDEST}
    found = _across(key="page_width", data=known, default={"pixels": 0}, on_pixels_change=lambda: None)
    if found.pixels:
        st.session_state[_ACROSS] = int(found.pixels)


def choose_models(place: DeltaGenerator) -> tuple[str, ...]:
    """The model picker, drawn in ``place`` of the sidebar: catalog names, hub ids or folders, at least one."""
    models = pick_models(place, MODELS)
    with place:
        for name, label in zip(models, labels([request(name) for name in models]), strict=True):
            st.caption(literal(_model_line(name, label)))
    if not models:
        links.settle(whole=False)
        st.info(f"Choose a model at the left; {catalog.DEFAULT} needs no download.")
        st.stop()
    return models


def pick_models(place: DeltaGenerator, option: Several) -> tuple[str, ...]:
    """A box for models, of the list or typed: catalog names, hub ids or folders."""
    key, value = links.before(option)
    entries = catalog.entries()
    away = {name for entry in entries if entry.origin == "hub" for name in (entry.name, entry.id)}
    chosen = place.multiselect(
        option.label,
        list(dict.fromkeys((*(entry.name for entry in entries), *value))),
        value,
        key=key,
        max_selections=option.most,
        accept_new_options=True,
        placeholder="Name, owner/name or folder",
        format_func=lambda name: f"{name} (hub)" if name in away else name,
        help=option.help,
    )
    models: tuple[str, ...] = links.take(option, chosen)
    return models


def link_to(path: str, label: str, page: str, icon: str | None = None) -> None:
    """A link to a page of the program, with the inputs it had last in this session."""
    st.page_link(path, label=label, icon=icon, query_params=links.address_of(page))


def go_to(page: str, **parameters: list[str]) -> NoReturn:
    """Go to a page of the program, with the inputs it had last in this session, and other ``parameters`` of a link."""
    st.switch_page(path_of(page), query_params={**links.address_of(page), **parameters})


def path_of(page: str) -> str:
    """The file of a page by its title."""
    return next(path for path, title in _numbered().values() if title == page)


def _numbered() -> dict[int, tuple[str, str]]:
    """Path and title of every page but home, by its number, in order."""
    pages = {}
    for path in (_ROOT / "pages").glob("[0-9]*_*.py"):
        number, _, name = path.stem.partition("_")
        pages[int(number)] = (f"pages/{path.name}", name.replace("_", " "))
    return dict(sorted(pages.items()))


def _menu(page: links.Page) -> None:
    st.html('<p class="brand">Tiltmeter</p>')
    st.caption("social bias in language models")
    _item(page, "app.py", "Home", HOME)
    section = ""
    for number, (path, title) in _numbered().items():
        heading = [heading for first, heading in _SECTIONS if first <= number][-1]
        if heading != section:
            section = heading
            st.html(f'<p class="section">{heading}</p>')
        _item(page, path, title, title)


def _item(page: links.Page, path: str, label: str, title: str) -> None:
    """A link of the menu; that to the page itself is drawn again when its address changes."""
    if title != page.name:
        link_to(path, label, title)
        return
    place = st.empty()

    def draw(address: links.Parameters) -> None:
        place.page_link(path, label=label, query_params=address)

    page.menu = draw
    draw(page.address)


def _model_line(name: str, label: str) -> str:
    """What a model is: of one outside the catalog what it is called in the result, and where it is from."""
    entry = catalog.find(name)
    if entry is None:
        if catalog.as_folder(name) is not None:
            return f"{label}: the folder {name}"
        return f"{name}: there is no such folder" if catalog.looks_like_path(name) else f"{label}: {name} from the hub"
    languages = ", ".join(entry.languages)
    origin = {"embedded": "comes with the program", "local": "on this machine", "hub": "from the hub"}[entry.origin]
    return f"{entry.family}, {entry.kind}, {languages}, {'cased' if entry.cased else 'lower case'}; {origin}"
