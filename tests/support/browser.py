"""A running program and a real browser, for the browser tests and the screenshots."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, expect

from core.report.renderer import find_browser
from tests.support.paths import ROOT

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAIT = 120_000  # milliseconds; a cold start on two busy cores is slow, and a wait that succeeds ends at once
HOST = "127.0.0.1"
expect.set_options(timeout=WAIT)
NO_BROWSER = "no Chrome or Chromium here; install one or set BROWSER_PATH"
CHART = ".js-plotly-plot"
# While a page is drawn anew, what was there stands for a moment beside what comes in its place: the new one counts.
FINDING, SUPPORT = "[data-stale='false'] .finding", "[data-stale='false'] .support"
LPBS_CHART = f":is(.st-key-tilt, .st-key-home) {CHART}"  # the playground's, and the first measurement of the home page


@dataclass
class Watch:
    """What a page asked of other machines, and the errors on its console."""

    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextmanager
def serving(
    settings: Mapping[str, str] | None = None,
    command: Sequence[str] = (sys.executable, str(ROOT / "app.py")),
    folder: Path | None = None,
) -> Iterator[str]:
    """Start the program as ``make run`` does, but from another folder and with a home of its own.

    Gives its address and ends it. ``command`` starts it, in ``folder`` where one is given.
    """
    with tempfile.TemporaryDirectory(prefix="home-") as home:
        port = free_port()
        environment = {
            **os.environ,
            "HOME": home,
            "XDG_CACHE_HOME": str(Path(home) / "cache"),
            "TILTMETER_CACHE": str(Path(home) / "cache"),
            "BROWSER_PATH": find_browser() or "",
            **(settings or {}),
        }
        log = Path(home) / "server.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--port", str(port)],
                cwd=folder or home,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that the end takes the Chrome of its exports with it
            )
            try:
                address = f"http://{HOST}:{port}"
                _wait_until_healthy(process, address, log)
                yield address
            finally:
                _end(process)


def free_port() -> int:
    """A port where nothing listens."""
    with closing(socket.socket()) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def launch(playwright: Playwright) -> Browser:
    """The browser of this machine. It reaches this machine alone: all else goes to a port where nothing listens.

    Playwright's own ``route`` would do the same, but turns the cache off, and every page would load anew.
    """
    return playwright.chromium.launch(
        executable_path=find_browser(), args=ARGUMENTS, proxy={"server": f"http://{HOST}:9", "bypass": HOST}
    )


@contextmanager
def visitor(browser: Browser, **options: Any) -> Iterator[tuple[BrowserContext, Watch]]:
    """A fresh browser profile that is watched; ``options`` are those of ``new_context``."""
    watch = Watch()

    def requested(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "file") and parts.hostname != HOST:
            watch.outside.append(request.url)

    def said(message: ConsoleMessage) -> None:
        if message.type == "error":
            watch.errors.append(f"{message.text} ({message.location.get('url', '')})")

    settings = {"viewport": {"width": 1440, "height": 900}, "accept_downloads": True, **options}
    context = browser.new_context(**settings)
    context.set_default_timeout(WAIT)
    context.on("request", requested)
    context.on("console", said)
    context.on("weberror", lambda error: watch.errors.append(str(error.error)))
    try:
        yield context, watch
    finally:
        context.close()


# What stands still has the same places at so many looks one after the other, so many milliseconds apart.
_LOOKS, _APART = 3, 300
_AT_MOST = 200  # looks
_WATCHED = "[data-testid=stMain], [data-testid=stMainBlockContainer], .js-plotly-plot, .js-plotly-plot text"
_PLACES = """watched => JSON.stringify([...document.querySelectorAll(watched)].map(shown => {
    const box = shown.getBoundingClientRect()
    return [box.x, box.y, box.width, box.height].map(Math.round)
}))"""


def settled(page: Page) -> Page:
    """Wait until the page has a finding and a drawn chart, and nothing runs or moves any more."""
    expect(page.locator(FINDING).first).to_be_visible(timeout=WAIT)
    expect(page.locator(f"{CHART} svg.main-svg").first).to_be_visible(timeout=WAIT)
    return still(page)


def still(page: Page) -> Page:
    """Wait until nothing runs and nothing moves.

    The browser tells its width after the first run, which lays the page out once more, and charts follow a new size
    with an animation of their own: a click must not fall between.
    """
    seen: list[str] = []
    for _ in range(_AT_MOST):
        seen.append(idle(page).evaluate(_PLACES, _WATCHED))
        if len(seen) >= _LOOKS and len(set(seen[-_LOOKS:])) == 1:
            return page
        page.wait_for_timeout(_APART)
    raise AssertionError("the page never stands still")


def pin(page: Page, what: str) -> None:
    """Pin the chart, table or finding of the first panel of a page."""
    page.get_by_role("button", name="Pin", exact=True).first.click()
    page.get_by_role("button", name=f"Pin {what}", exact=True).click()
    expect(page.get_by_text("Pinned to the report.").first).to_be_visible()
    page.keyboard.press("Escape")
    idle(page)


def idle(page: Page) -> Page:
    """Wait until the server has no more to say to this page."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=WAIT)
    expect(page.locator("[data-stale='true']")).to_have_count(0, timeout=WAIT)
    return page


def rgb(colour: str) -> str:
    """A colour such as #0F1418 as the browser says it."""
    return f"rgb({', '.join(str(int(colour[at : at + 2], 16)) for at in (1, 3, 5))})"


def bars(page: Page, chart: str = LPBS_CHART) -> dict[str, float]:
    """The bar of each attribute as the browser has it, from top to bottom.

    The chart is addressed by name: while it is drawn anew, the first one on the page may be the card's.
    """
    rows = page.locator(chart).last.evaluate(
        "chart => { const bar = chart.data.find(trace => trace.type === 'bar');"
        " return Array.from(bar.x, (x, at) => [bar.y[at], bar.customdata[at][0], x]); }"
    )
    return {attribute: x for _, attribute, x in sorted(rows)}


def link(address: str, page: str = "", **parameters: str | list[str]) -> str:
    """The address of a page with its inputs; a list gives a parameter several values."""
    query = urlencode(parameters, doseq=True)
    return f"{address}/{page}" + (f"?{query}" if query else "")


def _wait_until_healthy(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    for _ in range(WAIT // 100):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except OSError:
            try:
                process.wait(0.1)  # the pause between two looks; a server that died ends it
            except subprocess.TimeoutExpired:
                continue
            break
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
