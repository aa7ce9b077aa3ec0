"""The README's pictures, from the running program: ``python -m tests.support.screenshots``."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from core.engine import catalog
from core.report.renderer import find_browser
from tests.support.browser import NO_BROWSER, idle, launch, link, serving, settled, visitor
from tests.support.paths import ROOT

DOCS = ROOT / "docs"
WIDTH = 1440
_LEAST, _MOST = 700, 1300  # pixels; Streamlit scrolls inside the page, so the window is made as high as the page


def main() -> int:
    """Write docs/*.png; returns the exit code."""
    if find_browser() is None:
        sys.stderr.write(f"The pictures need a browser: {NO_BROWSER}.\n")
        return 1
    DOCS.mkdir(exist_ok=True)
    second = next((entry.name for entry in catalog.entries() if entry.origin == "local"), None)
    with (
        serving({"TILTMETER_CACHE": str(catalog.user_models().parents[1])}) as address,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        take(browser, link(address), "home")
        take(browser, link(address, "Playground"), "playground-light")
        take(browser, link(address, "Playground"), "playground-dark", scheme="dark")
        take(browser, link(address, "Professions"), "professions")
        take(browser, link(address, "Attention"), "attention")
        take(browser, link(address, "Reliability"), "reliability")
        if second is None:
            sys.stderr.write("two-models.png stays as it is: `make extra-model` brings the second model.\n")
        else:
            take(browser, link(address, "Playground", models=[catalog.DEFAULT, second]), "two-models")
        browser.close()
    return 0


def take(browser: Browser, address: str, name: str, *, scheme: str = "light", width: int = WIDTH) -> Path:
    """A picture of a page as it stands when it is drawn, from its top."""
    with visitor(browser, color_scheme=scheme, viewport={"width": width, "height": _LEAST}) as (context, _):
        page = context.new_page()
        page.goto(address)
        settled(page)
        page.set_viewport_size({"width": width, "height": _height(page)})
        idle(page)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(1000)  # charts follow the new size with an animation of their own
        path = DOCS / f"{name}.png"
        page.screenshot(path=path)
        sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    return path


def _height(page: Page) -> int:
    needed = int(page.get_by_test_id("stMain").evaluate("main => main.scrollHeight"))
    return max(_LEAST, min(needed, _MOST))


if __name__ == "__main__":
    sys.exit(main())
