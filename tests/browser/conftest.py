from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from core import lexicon
from core.experiments import playground
from core.export.finding import lpbs_finding
from core.export.renderer import find_browser
from core.models.loading import LoadedModel
from core.results import LpbsResult
from core.templates import Template
from tests.support.browser import NO_BROWSER, launch, serving, visitor

# On /Playground Streamlit's page first asks for these beside itself, then at the root, where they are.
_HARMLESS = re.compile(r"404 .*/Playground/_stcore/(health|host-config)\)$")


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


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A page in a profile of its own; afterwards, nothing may have left the machine or failed on the console."""
    with ExitStack() as stack:
        watches = []

        def make(**options: Any) -> Page:
            context, watch = stack.enter_context(visitor(browser, **options))
            watches.append(watch)
            return context.new_page()

        yield make
        for watch in watches:
            assert watch.outside == []
            assert [error for error in watch.errors if not _HARMLESS.search(error)] == []


@pytest.fixture
def measured(embedded: LoadedModel) -> Callable[..., LpbsResult]:
    """The measurement of the embedded model for he and she, made in this process."""

    def measure(template: str, attributes: tuple[str, ...], groups: str = "he\nshe") -> LpbsResult:
        return playground.run([embedded], [Template.parse(template)], lexicon.parse_groups(groups), attributes)

    return measure


@pytest.fixture
def finding() -> Callable[..., str]:
    """The headline that a measurement must have."""
    return lambda result, noun="attributes": lpbs_finding(result, result.contrasts[0], "minilm-mlm", noun).text
