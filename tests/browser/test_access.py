"""Whoever reads a page: on a phone, with little contrast, by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import CHART, idle, link, settled
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
    ("Attention", {"view": "model"}),
    ("Reliability", {}),
    ("Reliability", {"compare": "divergence"}),
    ("Reliability", {"compare": "metrics"}),
    ("Benchmarks", {}),
    ("Mitigation", {}),
    ("Downstream", {}),
)


ONCE = tuple((name, inputs) for name, inputs in PAGES if not inputs)  # the first view of each page
NARROW, WIDE = (390, 800), (1400,)


def _all_of_it(page: Page) -> Page:
    """Make the window as high as the page, so that every chart is drawn."""
    settled(page)
    height = int(page.get_by_test_id("stMain").evaluate("main => main.scrollHeight"))
    page.set_viewport_size({"width": page.viewport_size["width"], "height": min(height, 6000)})  # type: ignore[index]
    idle(page)
    page.wait_for_timeout(900)  # charts follow the new size with an animation of their own
    return idle(page)


def test_no_text_is_cut_or_meets_another_at_any_width_or_lacks_contrast(server: str, new_page: NewPage) -> None:
    page = new_page(color_scheme="light", viewport={"width": NARROW[0], "height": 900})
    found = {}
    for name, inputs in PAGES:
        once = (name, inputs) in ONCE
        # A page is loaded once and lays itself out anew in a window of another width.
        for width in (*NARROW, *(WIDE if once else ())):
            page.set_viewport_size({"width": width, "height": 900})
            if width == NARROW[0]:
                page.goto(link(server, name, **inputs))
            if problems := _all_of_it(page).evaluate(LAYOUT):
                found[f"{name} {inputs} {width}"] = problems
        if once:
            found |= _without_contrast(page, name)
    assert found == {}


def test_every_text_has_the_contrast_of_aa_in_the_dark(server: str, new_page: NewPage) -> None:
    page = new_page(color_scheme="dark", viewport={"width": 1400, "height": 900})
    found = {}
    for name, inputs in ONCE:
        page.goto(link(server, name, **inputs))
        found |= _without_contrast(settled(page), name)
    assert found == {}


def _without_contrast(page: Page, name: str) -> dict[str, object]:
    """The texts of a page that lack the contrast of AA."""
    texts = page.evaluate(CONTRAST, READABLE)
    assert texts["seen"] > 50
    return {f"{name} contrast": texts["found"]} if texts["found"] else {}


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
