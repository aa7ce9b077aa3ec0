"""A report by hand: pinned, ordered by keyboard, found elsewhere by its link, and read without any network."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import idle, link, pin, settled, visitor
from tests.support.paths import ROOT

LAYOUT = (ROOT / "tests" / "support" / "layout.js").read_text(encoding="utf-8")
pytestmark = pytest.mark.browser


def test_a_report_is_read_offline_with_every_chart(browser: Browser, server: str, tmp_path: Path) -> None:
    with visitor(browser) as (context, watch):
        page = context.new_page()
        page.goto(link(server, "Playground"))
        settled(page)
        pin(page, "the chart")
        pin(page, "the table")
        page.get_by_role("link", name="Report", exact=True).click()
        expect(page.get_by_role("heading", name="Pinned")).to_be_visible()
        page.get_by_role("button", name="Down", exact=True).first.press("Enter")
        idle(page)
        expect(page.get_by_text("1. Log probability").locator("xpath=..")).to_contain_text("table")
        page.reload()
        address = page.url
        assert "report=" in urlsplit(address).query
        with visitor(browser) as (elsewhere, _):
            other = elsewhere.new_page()
            other.goto(address)
            expect(other.get_by_text("1. Log probability").locator("xpath=..")).to_contain_text("table")
            other.get_by_label("Title").fill("Read elsewhere")
            other.keyboard.press("Tab")
            idle(other)
        page.reload()
        expect(page.get_by_label("Title")).to_have_value("Read elsewhere")
        page.get_by_role("button", name="HTML", exact=True).click()
        with page.expect_download() as got:
            page.get_by_role("button", name="Download the HTML").click()
        target = tmp_path / "report.html"
        got.value.save_as(target)
        assert not watch.outside
    for scheme in ("light", "dark"):
        with visitor(browser, color_scheme=scheme, viewport={"width": 390, "height": 800}, offline=True) as (
            reader,
            asked,
        ):
            page = reader.new_page()
            page.goto(target.as_uri())
            expect(page.get_by_role("heading", level=1)).to_have_text("Read elsewhere")
            charts = page.locator(".chart")
            assert charts.count() == 1
            expect(charts.locator("svg.main-svg").first).to_be_visible()
            assert charts.locator(".bars .point").count() > 10
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert page.evaluate(LAYOUT) == []
            # The chart is that of the reader: of the page's own colour, and not one drawn for another width.
            papers = page.evaluate(
                "[getComputedStyle(document.body).backgroundColor,"
                " getComputedStyle(document.querySelector('.chart svg.main-svg')).backgroundColor]"
            )
            assert papers[0] == papers[1] == ("rgb(15, 20, 24)" if scheme == "dark" else "rgb(251, 251, 249)")
            page.set_viewport_size({"width": 1280, "height": 800})
            expect(page.locator(".chart .yaxislayer-above text").first).to_be_visible()
            assert page.evaluate(LAYOUT) == []
            assert not asked.outside
            assert not asked.errors
