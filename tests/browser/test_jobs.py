"""The runs of a server seen from another browser: opened by its link, stopped for all, resumed, and its result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_runs import TEMPLATES
from tests.support.browser import CHART, WAIT, idle, link, visitor

pytestmark = pytest.mark.browser

NUMBER = re.compile(r"([\d,]+) of ([\d,]+)")


def done(page: Page) -> tuple[int, int]:
    """What the one bar of the page says: done, and of how many."""
    bar = page.get_by_test_id("stProgress")
    expect(bar).to_contain_text(re.compile(r"Scoring.* [\d,]+ of [\d,]+"), timeout=WAIT)
    found = NUMBER.search(bar.inner_text())
    assert found is not None
    first, last = (int(number.replace(",", "")) for number in found.groups())
    return first, last


def test_a_run_of_one_browser_is_opened_stopped_and_resumed_in_another(browser: Browser, server: str) -> None:
    # More templates than other tests: a run that lasts while it is looked at from elsewhere.
    templates = "\n".join((TEMPLATES, TEMPLATES.replace("The ", "This "), TEMPLATES.replace("The ", "That ")))
    with visitor(browser) as (one, _), visitor(browser) as (other, watch):
        mine, theirs = one.new_page(), other.new_page()
        mine.goto(link(server, "Playground", seed="901", more_templates=templates))
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
        page.goto(link(server, "Playground", attributes="own", own_attributes="nurse, plumber, dancer"))
        expect(page.locator(".finding").first).to_be_visible()
        page.goto(link(server, "Jobs"))
        row = page.locator("[class*=st-key-job]").filter(has_text="plumber")
        expect(row).to_contain_text("Finished after")
        row.get_by_role("link", name="Result").click()
        expect(page.get_by_text("This is the saved result")).to_be_visible()
        expect(page.locator(f"{CHART} svg.main-svg").first).to_be_visible()
        idle(page)
