"""A run belongs to the server: two tabs, a reload, a stop, and the way back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import WAIT, link, settled

pytestmark = pytest.mark.browser

# Long enough to look at on any machine: every test by every representation, in a model that comes with the program.
LONG = {
    "tests": [f"weat{number}" for number in range(1, 11)],
    "representations": [
        "cls-in-templates",
        "cls-no-context",
        "pooled-in-templates",
        "pooled-no-context",
        "first-piece-in-templates",
        "vulic",
        "layer-11-mean",
        "lpbs",
    ],
}


def progress(page: Page) -> str:
    bar = page.get_by_test_id("stProgress")
    expect(bar).to_contain_text(re.compile(r"\d of \d"), timeout=WAIT)
    return bar.inner_text()


def stopped(page: Page) -> None:
    expect(page.get_by_test_id("stAlert").filter(has_text="Stopped before its end")).to_be_visible()


def test_two_tabs_share_a_run_and_stop_takes_it_from_nobody(server: str, new_page: Callable[..., Page]) -> None:
    first, second = new_page(), new_page()
    address = link(server, "Association_tests", seed="77", **LONG)
    first.goto(address)
    progress(first)
    second.goto(address)
    progress(second)
    # The second leaves; the first keeps it.
    second.get_by_role("button", name="Stop").click()
    expect(second.get_by_text("You have left this measurement; another session waits for it")).to_be_visible()
    progress(first)
    second.get_by_role("button", name="Measure").click()
    progress(second)
    # A page that is reloaded shows the run as it stands; what it was before waits for nothing.
    second.close()
    first.reload()
    progress(first)
    first.get_by_role("button", name="Stop").click()
    stopped(first)
    expect(first.get_by_role("button", name="Resume")).to_be_visible()
    first.get_by_role("button", name="Resume").click()
    progress(first)
    first.get_by_role("button", name="Stop").click()
    stopped(first)


def test_leaving_a_page_and_coming_back_finds_the_run(server: str, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto(link(server, "Association_tests", seed="78", **LONG))
    progress(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    settled(page)
    page.go_back()
    progress(page)
    page.get_by_role("button", name="Stop").click()
    stopped(page)
