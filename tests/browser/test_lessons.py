"""A lesson by keyboard, shared by its link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import CHART, idle, link, visitor

pytestmark = pytest.mark.browser


def test_a_lesson_is_taken_by_keyboard_and_shared_by_its_link(browser: Browser, server: str) -> None:
    with visitor(browser) as (one, watch), visitor(browser, viewport={"width": 390, "height": 844}) as (other, _):
        page = one.new_page()
        page.goto(link(server, "Lessons"))
        idle(page)  # a key that is pressed while the page is drawn anew meets nothing
        page.get_by_role("button", name="Begin").first.press("Enter")
        expect(page.get_by_role("button", name="Answer")).to_be_disabled()
        page.get_by_role("radio", name="“he”").press("Space")
        expect(page.get_by_role("button", name="Answer")).to_be_enabled()
        page.get_by_role("button", name="Answer").press("Enter")
        expect(page.get_by_text("You said: “he”. That is what was measured.")).to_be_visible()
        expect(page.locator(f"{CHART} svg.main-svg").first).to_be_visible()
        idle(page)
        page.get_by_role("button", name="Next").first.press("Enter")
        expect(page.get_by_role("heading", name="2. What it says of anybody")).to_be_visible()
        idle(page)
        address = page.url
        assert "lesson=prior" in address
        assert "step=2" in address
        page.go_back()
        expect(page.get_by_text("You said: “he”. That is what was measured.")).to_be_visible()
        page.get_by_role("link", name="Change this measurement on Playground").click()
        expect(page.get_by_role("heading", name="Playground")).to_be_visible()
        expect(page.get_by_label("Template", exact=True)).to_have_value("[TARGET] is the [ATTRIBUTE].")
        shared = other.new_page()
        shared.goto(address)
        expect(shared.get_by_role("heading", name="2. What it says of anybody")).to_be_visible()
        expect(shared.get_by_role("button", name="Answer")).to_be_disabled()
        assert watch.outside == []
