"""The frame of every page in a browser: the tab's icon."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import idle, link
from tests.support.paths import ROOT

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["", "Playground"])
def test_the_tab_has_the_icon_and_nothing_is_asked_for_in_its_place(
    server: str, new_page: Callable[..., Page], name: str
) -> None:
    page = new_page(viewport={"width": 1000, "height": 700})
    asked: list[str] = []
    # The page's own small components are blobs in the browser: nobody is asked for them.
    page.on("request", lambda request: request.url.startswith("blob:") or asked.append(urlsplit(request.url).path))
    page.goto(link(server, name))
    icon = page.locator("link[rel~='icon']")
    expect(icon).to_have_attribute("href", "data:image/svg+xml;base64," + _drawn())
    idle(page)
    pages = {"/", f"/{name}", "/favicon.png"}
    assert {path for path in asked if not path.startswith(("/static/", "/_stcore/", f"/{name}/_stcore/"))} <= pages


def _drawn() -> str:
    return base64.b64encode((ROOT / "assets" / "icon.svg").read_bytes()).decode()
