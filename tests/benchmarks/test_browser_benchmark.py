"""What a user waits for: the first chart of a freshly started server, and a new chart after a click."""

from __future__ import annotations

import time
from statistics import median

import pytest
from playwright.sync_api import expect, sync_playwright

from core.report.renderer import find_browser
from tests.support.browser import CHART, NO_BROWSER, launch, link, serving, settled, visitor

pytestmark = [pytest.mark.benchmark, pytest.mark.skipif(find_browser() is None, reason=NO_BROWSER)]
DRAWN = f"{CHART} svg.main-svg"
CLICKS = 5


def test_from_the_first_request_to_the_first_chart() -> None:
    """The server has just begun to answer; its default model loads while the browser asks."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        with serving() as address, visitor(browser) as (context, _):
            page = context.new_page()
            start = time.perf_counter()
            page.goto(link(address, "Playground"), wait_until="commit")
            expect(page.locator(DRAWN).first).to_be_visible()
            print(f"\ncold start, first request to chart: {time.perf_counter() - start:.1f} s")
        browser.close()


def test_from_a_click_to_the_new_chart() -> None:
    """60 professions × he/she, warm, a new template each time."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        with serving() as address, visitor(browser) as (context, _):
            page = context.new_page()
            page.goto(link(address, "Playground"))
            settled(page)
            seconds = []
            for number in range(CLICKS):
                before = page.locator(".finding").first.inner_text()
                box = page.get_by_label("Template", exact=True)
                box.fill(f"[TARGET] has been a [ATTRIBUTE] for {number + 3} years.")
                start = time.perf_counter()
                box.press("Enter")
                expect(page.locator(".finding").first).not_to_have_text(before)
                expect(page.locator(DRAWN).first).to_be_visible()
                seconds.append(time.perf_counter() - start)
                settled(page)
            print(f"\nEnter to the new chart in the browser, warm, median of {CLICKS}: {median(seconds):.2f} s")
        browser.close()
