"""Whoever reads a page: on a phone, with little contrast, by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.charts import DARK
from tests.support.browser import CHART, FINDING, idle, link, pin, rgb, settled, still
from tests.support.paths import ROOT

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]

CONTRAST = (ROOT / "tests" / "support" / "contrast.js").read_text(encoding="utf-8")
LAYOUT = (ROOT / "tests" / "support" / "layout.js").read_text(encoding="utf-8")
READABLE = 4.5
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("", {}),
    ("Playground", {}),
    ("Association_tests", {}),
    ("Association_tests", {"view": "null"}),
    ("Association_tests", {"view": "matrix"}),
    ("Association_tests", {"view": "layers"}),
    ("Professions", {}),
    ("Professions", {"view": "bars"}),
    ("Professions", {"view": "templates"}),
    ("Professions", {"view": "pairs"}),
    ("Attention", {}),
    ("Association_tests", {"what": "direction"}),
    ("Attention", {"view": "model"}),
    ("Attention", {"what": "causes"}),
    ("Reliability", {}),
    ("Reliability", {"compare": "divergence"}),
    ("Reliability", {"compare": "metrics"}),
    ("Benchmarks", {}),
    ("Benchmarks", {"what": "descriptors", "axes": "age"}),
    ("Mitigation", {}),
    ("Mitigation", {"what": "tuned"}),
    ("Mitigation", {"what": "changed"}),
    ("Mitigation", {"what": "classified"}),
    ("Downstream", {}),
    ("Downstream", {"what": "occupations"}),
    ("Downstream", {"what": "coreference"}),
    ("Papers", {}),
    ("Papers", {"card": "kurita-table-3"}),
    ("History", {}),
    ("Report", {}),
    ("Jobs", {}),
    ("Lessons", {}),
    ("Lessons", {"lesson": "prior"}),
)


ONCE = tuple(page for page in PAGES if page[1].keys() <= {"what"})  # the first view of each page and tab
BY_BUTTON = ("tuned", "changed", "classified")  # tabs that measure nothing until a button is pressed
NARROW, WIDE = (390, 800), (1400,)


def _all_of_it(page: Page) -> Page:
    """Make the window as high as the page, so that every chart is drawn."""
    idle(page)
    height = int(page.get_by_test_id("stMain").evaluate("main => main.scrollHeight"))
    page.set_viewport_size({"width": page.viewport_size["width"], "height": min(height, 6000)})  # type: ignore[index]
    return still(page)


def _in_the_dark(page: Page) -> Page:
    """The same page for a reader whose system is dark by now: drawn anew, as at any next step of theirs."""
    page.emulate_media(color_scheme="dark")
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", rgb(DARK.paper))
    page.keyboard.press("r")
    page.wait_for_function(
        "([charts, paper]) => [...document.querySelectorAll(charts)]"
        ".every(chart => getComputedStyle(chart).backgroundColor === paper)",
        arg=[f"{CHART} .main-svg:first-child", rgb(DARK.paper)],
    )
    return still(page)


def _open(page: Page, server: str, place: tuple[str, dict[str, str]]) -> None:
    if place[0] == "Report":
        _report(page, server)
        return
    page.goto(link(server, place[0], **place[1]))
    if place[0] in ("Papers", "History", "Jobs") or place[1].get("what") in BY_BUTTON:
        # Says what the button starts, or that it is empty; the runs of this server are those of earlier tests.
        expect(page.get_by_test_id("stAlert").or_(page.get_by_role("link", name="Result")).first).to_be_visible()
        still(page)
    elif place[0] == "Lessons":
        expect(page.get_by_role("button", name=re.compile("Begin|Answer")).first).to_be_visible()
        still(page)
    else:
        settled(page)


def _report(page: Page, server: str) -> None:
    """A report with a chart, a table and a finding, which were pinned in the dark or the light of the page."""
    page.goto(link(server, "Playground"))
    settled(page)
    for what in ("chart", "table", "finding"):
        pin(page, f"the {what}")
    page.get_by_role("button", name="Pin", exact=True).first.click()
    page.get_by_role("link", name="Open the report").click()
    expect(page.get_by_role("heading", name="Pinned")).to_be_visible()
    expect(page.locator(f"{CHART} svg.main-svg").first).to_be_visible()
    still(page)


def _named(page: tuple[str, dict[str, str]]) -> str:
    return " ".join((page[0] or "Home", *page[1].values()))


@pytest.mark.parametrize("place", PAGES, ids=_named)
def test_no_text_is_cut_or_meets_another_at_any_width_or_lacks_contrast_in_light_or_dark(
    place: tuple[str, dict[str, str]], server: str, new_page: NewPage
) -> None:
    page = new_page(color_scheme="light", viewport={"width": NARROW[0], "height": 900})
    _open(page, server, place)
    # A page is loaded once and lays itself out anew in a window of another width.
    found = {}
    for width in (*NARROW, *(WIDE if place in ONCE else ())):
        page.set_viewport_size({"width": width, "height": 900})
        if problems := _all_of_it(page).evaluate(LAYOUT):
            found[width] = problems
    assert found == {}
    if place in ONCE:
        assert _without_contrast(page) == []
        assert _without_contrast(_in_the_dark(page)) == []


def test_a_report_that_was_pinned_in_the_dark_has_the_contrast_of_aa_there(server: str, new_page: NewPage) -> None:
    page = new_page(color_scheme="dark", viewport={"width": WIDE[0], "height": 900})
    _report(page, server)
    assert _without_contrast(page) == []


def _without_contrast(page: Page) -> list[object]:
    """The texts of a page that lack the contrast of AA."""
    texts = page.evaluate(CONTRAST, READABLE)
    assert texts["seen"] > (30 if page.locator(FINDING).count() else 10)
    found: list[object] = texts["found"]
    return found


def test_details_are_chosen_by_keyboard_and_by_click(server: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1400, "height": 1000})
    page.goto(link(server, "Playground", attributes="own", own_attributes="nurse\nengineer\nteacher"))
    settled(page)
    card = page.locator(".st-key-card h3")
    box = page.get_by_role("combobox", name="Show details of")
    for word in ("engineer", "nurse"):
        box.focus()
        page.keyboard.type(word)
        expect(page.get_by_role("option", name=word)).to_be_visible()
        page.keyboard.press("Enter")
        expect(card).to_contain_text(word)
        idle(page)
    for word in ("teacher", "engineer"):
        bar = page.locator(f".st-key-tilt {CHART}").last.evaluate(
            "(chart, word) => { const bars = chart.data.find(one => one.type === 'bar');"
            " const at = bars.customdata.findIndex(mark => mark[0] === word);"
            " const box = chart.querySelectorAll('.barlayer .point')[at].getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; }",
            word,
        )
        page.mouse.click(*bar)
        expect(card).to_contain_text(word)
        expect(box).to_have_value(word)
        idle(page)


def test_the_keyboard_goes_in_the_order_of_the_page_and_shows_where_it_is(server: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1400, "height": 1000})
    page.goto(link(server, "Playground", attributes="own", own_attributes="nurse\nengineer\nteacher"))
    settled(page)
    passed: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        at = page.evaluate(
            "() => { const at = document.activeElement; const style = getComputedStyle(at);"
            " const boxed = at.closest('[data-baseweb], [data-testid=stTextInputRootElement]');"
            " const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0"
            "   || style.boxShadow !== 'none' || (boxed && ['INPUT', 'TEXTAREA'].includes(at.tagName));"
            " return [at.getAttribute('aria-label') || at.textContent.trim().slice(0, 40), at.tagName, !!ring]; }"
        )
        if at[1] in ("BUTTON", "A", "SUMMARY"):
            assert at[2], f"{at} shows no focus"
        passed.append(at[0])
        if "Show details of" in at[0]:
            break
    order = [next(i for i, name in enumerate(passed) if part in name) for part in ("Template", "Groups", "Measure")]
    assert order == sorted(order)
    assert "Show details of" in passed[-1]


def test_the_name_of_a_chosen_model_is_seen_whole(new_page: NewPage, server: str) -> None:
    page = new_page({"width": 800, "height": 800})
    page.goto(link(server, "Playground"))
    settled(page)
    name = page.locator("[data-testid=stSidebar] [data-tag] > span")
    expect(name).to_have_text("minilm-mlm")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
