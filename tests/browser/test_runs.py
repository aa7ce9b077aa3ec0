"""A run belongs to the server: two tabs, a reload, a stop, and the way back; and files that are too large."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import SUPPORT, WAIT, idle, link, settled

pytestmark = pytest.mark.browser

# Enough to look at on any machine: 60 professions in 64 sentences, scored one after the other.
VERBS = ("said", "knew", "felt", "thought", "wrote", "claimed", "heard", "saw")
ENDS = ("tired", "late", "here", "ill", "right", "wrong", "gone", "back")
TEMPLATES = "\n".join(f"The [ATTRIBUTE] {verb} [TARGET] was {end}." for verb in VERBS for end in ENDS)
# Three times as many, for a run that is stopped: it must not end while it is looked at from elsewhere.
LONGER = "\n".join(TEMPLATES.replace("The ", first) for first in ("The ", "This ", "That "))


def long_run(server: str, seed: int, templates: str = TEMPLATES) -> str:
    """The address of a measurement that takes its time; another seed is another measurement."""
    return link(server, "Playground", seed=str(seed), more_templates=templates)


def progress(page: Page) -> None:
    """Wait until the page says how far its run is."""
    bar = page.locator("[data-stale='false']").get_by_test_id("stProgress")
    expect(bar).to_contain_text(re.compile(r"\d of \d"), timeout=WAIT)


def stopped(page: Page) -> None:
    expect(page.get_by_test_id("stAlert").filter(has_text="Stopped before its end")).to_be_visible()


def test_two_tabs_share_a_run_and_stop_takes_it_from_nobody(server: str, new_page: Callable[..., Page]) -> None:
    first, second = new_page(), new_page()
    first.goto(long_run(server, 77, LONGER))
    progress(first)
    second.goto(long_run(server, 77, LONGER))
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
    first.get_by_role("button", name="Resume").click()
    progress(first)
    first.get_by_role("button", name="Stop").click()
    stopped(first)


def test_leaving_a_page_and_coming_back_finds_the_run(server: str, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto(long_run(server, 78))
    progress(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Home").click()
    expect(page).to_have_url(f"{server}/")
    expect(page.get_by_role("heading", name="Playground")).to_be_hidden()
    settled(page)
    page.go_back()
    expect(page).to_have_url(re.compile("seed=78"))
    # Under way or done by now; in either case it is that run, of 65 templates, and nobody has to press anything.
    expect(page.get_by_role("heading", name="Playground")).to_be_visible()
    expect(page.locator(SUPPORT)).to_contain_text("65 templates", timeout=5 * WAIT)
    settled(page)


def test_a_file_over_the_limit_gets_a_sentence(server: str, new_page: Callable[..., Page]) -> None:
    page = new_page()
    page.goto(link(server, "Playground", attributes="own", own_attributes="nurse, engineer"))
    settled(page)
    large = {"name": "large.csv", "mimeType": "text/csv", "buffer": b"word\n" * (1 << 20) + b"word\n"}
    expect(page.get_by_text("or from a CSV or TXT file")).to_be_visible()
    page.get_by_test_id("stMain").locator("input[type=file]").set_input_files([large])
    sentence = page.get_by_text("File must be 5.0MB or smaller.")
    expect(sentence).to_be_visible()
    box = sentence.bounding_box()
    assert box is not None
    assert box["width"] > 100, "it can be read, not only heard"
    assert box["height"] > 10
    idle(page)
