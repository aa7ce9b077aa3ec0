from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from core import sources
from core.engine.loading import LoadedModel
from core.measures.lpbs import words
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.report.renderer import find_browser
from core.run import Run
from core.sources.lists import own_groups
from tests.support.browser import NO_BROWSER, Watch, launch, serving, visitor

Scheme = Literal["light", "dark"]

# On a page of its own Streamlit's page first asks for these beside itself, then at the root, where they are.
_HARMLESS = re.compile(
    r"404 .*/(Playground|Association_tests|Professions|Attention|Reliability|Benchmarks|Mitigation|Downstream|Papers|"
    r"History|Report|Jobs|Lessons)/_stcore/(health|host-config)\)$"
)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a running program, one for all tests."""
    if find_browser() is None:
        pytest.skip(NO_BROWSER)
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser a file: playwright keeps an event loop in this thread, which tests of other folders must not find."""
    if find_browser() is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture(scope="module")
def usual(browser: Browser) -> Iterator[tuple[BrowserContext, Watch]]:
    """The profile that tests share, with what it keeps of the program's scripts. A page of its own is a new session."""
    with visitor(browser) as found:
        yield found


@pytest.fixture
def new_page(browser: Browser, usual: tuple[BrowserContext, Watch]) -> Iterator[Callable[..., Page]]:
    """A page, of the size and in the colours that are given; in a profile of its own where other options are.

    Afterwards, nothing may have left the machine or failed on the console.
    """
    with ExitStack() as stack:
        watches = []

        def make(viewport: ViewportSize | None = None, color_scheme: Scheme | None = None, **options: Any) -> Page:
            context, watch = stack.enter_context(visitor(browser, **options)) if options else usual
            watches.append(watch)
            page = context.new_page()
            stack.callback(page.close)
            if viewport is not None:
                page.set_viewport_size(viewport)
            if color_scheme is not None:
                page.emulate_media(color_scheme=color_scheme)
            return page

        yield make
        for watch in watches:
            outside, errors = watch.outside.copy(), [one for one in watch.errors if not _HARMLESS.search(one)]
            watch.outside.clear()
            watch.errors.clear()
            assert outside == []
            assert errors == []


@pytest.fixture
def measured(embedded: LoadedModel) -> Callable[..., LpbsResult]:
    """The measurement of the embedded model for he and she, made in this process; a list of ours by its id."""

    def measure(template: str, attributes: str | tuple[str, ...], groups: str = "he\nshe") -> LpbsResult:
        spec = LpbsSpec(templates=template, groups=own_groups(sources.parse_groups(groups)), attributes=attributes)
        return spec.measure([embedded], Run(spec))

    return measure


@pytest.fixture
def finding() -> Callable[[LpbsResult], str]:
    """The headline that a measurement must have."""
    return lambda result: words.finding(result, result.contrasts[0], "minilm-mlm").text
