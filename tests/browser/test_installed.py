"""The dashboard of the installed package: all that a page shows was carried along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import CHART, bars, serving, settled
from tests.support.installed import Installed

pytestmark = pytest.mark.browser
PLAYGROUND_CHART = f".st-key-tilt {CHART}"


def test_it_measures_and_finds_its_pages_from_any_folder(
    installed: Installed, new_page: Callable[..., Page], tmp_path: Path
) -> None:
    with serving(command=(str(installed.command), "dashboard"), folder=tmp_path) as address:
        page = new_page()
        page.goto(address)
        assert len(bars(settled(page))) == 26  # the furthest of 60 professions to either side
        expect(page.locator(".brand")).to_have_css("font-weight", "700")  # by assets/style.css
        page.get_by_role("link", name="Playground").first.click()
        page.wait_for_url("**/Playground*")
        expect(page.locator(PLAYGROUND_CHART)).to_be_visible()
        assert len(bars(settled(page), PLAYGROUND_CHART)) == 26
