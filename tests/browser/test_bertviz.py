from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Frame, Page, expect

from core.engine.bertviz_views import MAX_LINES, head_view, model_view
from tests.support.browser import visitor

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
Opened = Callable[[str], Frame]
PIECES = ["[CLS]", "she", "</script><img src=x>", '"', "看護師"]
LAYERS, HEADS, TOKENS = 3, 4, len(PIECES)
LARGE = 900  # seen without scrolling


@pytest.fixture
def attention() -> NDArray[np.float32]:
    return np.random.default_rng(7).dirichlet(np.ones(TOKENS), (LAYERS, HEADS, TOKENS)).astype(np.float32)


@pytest.fixture(params=["page", "frame"])
def opened(request: pytest.FixtureRequest, new_page: NewPage, tmp_path: Path) -> Iterator[Opened]:
    """Opens a view without a network, as a page of its own or in a frame that may do nothing but run scripts.

    Afterwards the page must have asked for nothing but itself.
    """
    page = new_page(offline=True)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    file = tmp_path / "view.html"

    def show(html: str) -> Frame:
        if request.param == "frame":
            html = (
                "<!DOCTYPE html><meta charset='utf-8'>"
                f'<iframe sandbox="allow-scripts" width="1100" height="{LARGE}" srcdoc="{escape(html)}"></iframe>'
            )
        file.write_text(html, encoding="utf-8")
        page.goto(file.as_uri())
        return page.frames[-1]

    yield show
    assert [address for address in asked if address != "about:srcdoc"] == [file.as_uri()]


def test_head_view_is_drawn(opened: Opened, attention: NDArray[np.float32]) -> None:
    """The opacity of a line is its attention over the number of heads that are shown."""
    frame = opened(head_view(PIECES, attention, layer=1).html)
    lines = frame.locator("#vis svg #attention line")
    expect(lines).to_have_count(HEADS * TOKENS**2)
    expect(frame.locator("#vis #left text")).to_have_text(PIECES)
    expect(frame.locator("#vis #right text")).to_have_text(PIECES)
    assert _opacities(frame) == pytest.approx(attention[1].ravel() / HEADS, abs=0.00005)
    frame.get_by_label("Layer").select_option("2")
    assert _opacities(frame) == pytest.approx(attention[2].ravel() / HEADS, abs=0.00005)
    box = lines.first.bounding_box()
    assert box is not None
    assert box["width"] > 100


def test_model_view_is_drawn(opened: Opened, attention: NDArray[np.float32]) -> None:
    frame = opened(model_view(PIECES, attention, layers=[0, 2]).html)
    lines = frame.locator("#vis svg line")
    expect(lines).to_have_count(2 * HEADS * TOKENS**2)
    grid = frame.locator("#vis svg > g:has(.attn_background)")
    expect(grid).to_have_count(2 * HEADS)
    # The second row is layer 2.
    drawn = [float(line.get_attribute("stroke-opacity") or "nan") for line in grid.nth(HEADS + 1).locator("line").all()]
    assert drawn == pytest.approx(attention[2, 1].ravel(), abs=0.00005)
    grid.nth(HEADS + 1).locator("rect").last.click()
    expect(frame.locator("#vis text.detail")).to_have_text("Layer 2, Head 1")
    expect(frame.locator("#vis .detail text.token")).to_have_text([*PIECES, *PIECES])


@pytest.mark.parametrize(("dark", "ink"), [(False, "rgb(28, 36, 40)"), (True, "rgb(233, 237, 237)")])
def test_text_is_legible_in_both_schemes(
    new_page: NewPage, attention: NDArray[np.float32], dark: bool, ink: str
) -> None:
    """Text has the charts' ink, and what it stands on has the colour of the page."""
    colours = (
        "() => [...document.querySelectorAll('svg text')].map(text => getComputedStyle(text).fill)"
        ".filter((fill, at, all) => all.indexOf(fill) === at)"
    )
    page = new_page()
    page.set_content(head_view(PIECES, attention, dark=dark).html)
    assert page.evaluate(colours) == [ink]
    page = new_page()
    page.set_content(model_view(PIECES, attention, layers=[0, 1, 2], dark=dark).html)
    page.locator("#vis svg > g rect").last.click()
    assert page.evaluate(colours) == [ink]
    papers = page.evaluate(
        "() => [getComputedStyle(document.body).backgroundColor, ...['svg', '.attn_background', 'rect.detail']"
        ".map(name => getComputedStyle(document.querySelector(name)).fill)]"
    )
    assert papers == [papers[0]] * 4


def test_the_policy_forbids_the_network(browser: Browser, attention: NDArray[np.float32]) -> None:
    """A picture that a script asks for is refused by the page itself; the browser names its policy as the cause."""
    with visitor(browser) as (context, _):
        page = context.new_page()
        page.set_content(head_view(PIECES, attention).html)
        failures: list[str | None] = []
        page.on("requestfailed", lambda request: failures.append(request.failure))
        page.on("requestfinished", lambda request: failures.append(None))
        refused = page.evaluate(
            "() => new Promise(answer => {"
            " addEventListener('securitypolicyviolation', event => answer(event.effectiveDirective), {once: true});"
            " new Image().src = 'http://127.0.0.1:9/picture.png'; })"
        )
        assert refused == "img-src"
        assert failures == ["csp"]


def test_a_page_at_its_limit_is_drawn(new_page: NewPage) -> None:
    """91 tokens × 12 heads are the most lines of one layer."""
    tokens, heads = 91, 12
    attention = np.full((1, heads, tokens, tokens), 1 / tokens, dtype=np.float32)
    page = new_page()
    page.set_content(model_view(["word"] * tokens, attention, layers=[0]).html)
    expect(page.locator("#vis svg line")).to_have_count(heads * tokens**2)
    assert MAX_LINES - heads * 2 * tokens < heads * tokens**2 <= MAX_LINES


def _opacities(frame: Frame) -> list[float]:
    """Of all lines, by head, query and key."""
    return frame.locator("#vis #attention line").evaluate_all(
        "lines => lines.map(line => +line.getAttribute('stroke-opacity'))"
    )
