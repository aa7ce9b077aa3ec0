"""The runs of a server seen from another browser: opened by its link, stopped for all, resumed, and its result."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_runs import LONGER
from tests.support.browser import CHART, FINDING, idle, link, visitor

pytestmark = pytest.mark.browser

# What the bar says, read whole while it moves; the bar of a page that is being left is none.
DONE = """() => document.querySelector("[data-stale='false'] [data-testid='stProgress']")
    ?.innerText.replace(/\\s+/g, ' ').match(/Scoring.* ([\\d,]+) of ([\\d,]+)/)?.slice(1)"""


def done(page: Page) -> tuple[int, int]:
    """What the one bar of the page says: done, and of how many."""
    first, last = (int(number.replace(",", "")) for number in page.wait_for_function(DONE, polling=100).json_value())
    return first, last


def test_a_run_of_one_browser_is_opened_stopped_and_resumed_in_another(browser: Browser, server: str) -> None:
    with visitor(browser) as (one, _), visitor(browser) as (other, watch):
        mine, theirs = one.new_page(), other.new_page()
        mine.goto(link(server, "Playground", seed="901", more_templates=LONGER))
        done(mine)
        theirs.goto(link(server, "Jobs"))
        expect(theirs.get_by_role("heading", name="Under way")).to_be_visible()
        row = theirs.locator("[class*=st-key-job]").filter(has_text="and 192 more")
        expect(row).to_contain_text("1 session waits for it.")
        row.get_by_role("button", name="Open").press("Enter")
        expect(theirs.get_by_role("button", name="All runs")).to_be_visible()
        reached, of = done(theirs)
        address = theirs.url
        assert "run=" in address
        # Its link, elsewhere: as it stands.
        third = other.new_page()
        third.goto(address)
        later, same = done(third)
        assert same == of
        assert later >= reached
        third.close()
        expect(theirs.get_by_text("2 sessions wait for it, this one included.")).to_be_visible()
        # Stopped here, and said there.
        theirs.get_by_role("button", name="Stop").press("Enter")
        expect(theirs.get_by_test_id("stAlert")).to_contain_text("What was complete by then is kept")
        expect(theirs.get_by_test_id("stAlert")).to_contain_text("while 1 other session waited for it")
        expect(mine.get_by_test_id("stAlert").filter(has_text="Stopped before its end")).to_be_visible()
        # Resumed here; a reload shows it as it stands.
        theirs.get_by_role("button", name="Resume").press("Enter")
        assert done(theirs)[1] == of
        theirs.reload()
        done(theirs)
        theirs.get_by_role("button", name="Stop").click()
        expect(theirs.get_by_role("button", name="Resume")).to_be_visible()
        theirs.get_by_role("button", name="All runs").click()
        expect(theirs.get_by_role("heading", name="Stopped or failed")).to_be_visible()
        theirs.go_back()
        expect(theirs.get_by_role("button", name="All runs")).to_be_visible()
        assert theirs.url == address
        assert watch.outside == []


def test_a_finished_run_shows_its_result_and_leads_to_its_page(browser: Browser, server: str) -> None:
    with visitor(browser) as (context, _):
        page = context.new_page()
        page.goto(link(server, "Playground", attributes="own", own_attributes="nurse, glazier, dancer"))
        expect(page.locator(FINDING).first).to_be_visible()
        page.goto(link(server, "Jobs"))
        row = page.locator("[class*=st-key-job]").filter(has_text="glazier")
        expect(row).to_contain_text("Finished after")
        idle(page)  # a press while the page is drawn anew is lost
        row.get_by_role("link", name="Result").click()
        expect(page.get_by_text("This is the saved result")).to_be_visible()
        expect(page.locator(f"{CHART} svg.main-svg").first).to_be_visible()
        idle(page)
