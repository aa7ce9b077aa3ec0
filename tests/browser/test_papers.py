"""A card by hand: chosen, measured, reloaded, found by its link elsewhere, and opened on the measure's own page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import idle, link, settled

pytestmark = pytest.mark.browser
_SLOW = 120_000  # milliseconds; 100,000 permutations of five tests


def test_a_card_is_measured_and_found_again_by_its_link(server: str, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 1280, "height": 1000})
    page.goto(link(server, "Papers", card="kurita-table-5"))
    run = page.get_by_role("button", name="Run on minilm-mlm")
    expect(run).to_be_visible()
    expect(page.get_by_text("Nothing is measured yet")).to_be_visible()
    run.click()
    methods = page.get_by_role("button", name="Methods text").first
    expect(methods).to_be_visible(timeout=_SLOW)
    expect(page.get_by_text("Nothing is measured yet")).to_be_hidden()
    address = page.url
    assert "run=kurita-table-5" in address
    page.reload()
    expect(methods).to_be_visible(timeout=_SLOW)
    other = new_page(viewport={"width": 390, "height": 800})
    other.goto(address)
    expect(other.get_by_role("button", name="Methods text").first).to_be_visible(timeout=_SLOW)

    page.get_by_role("link", name="The same on Playground: 230 positive traits (Kurita)").click()
    settled(page)
    expect(page.get_by_label("Template", exact=True)).to_have_value("[TARGET] is [ATTRIBUTE].")
    page.go_back()
    expect(methods).to_be_visible(timeout=_SLOW)
    idle(page)

    page.goto(link(server, "Papers", card="kurita-table-99"))
    expect(page.get_by_text("This link sets “Table or figure” to “kurita-table-99”")).to_be_visible()
