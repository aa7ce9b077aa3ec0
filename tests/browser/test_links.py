from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from core.export.renderer import find_browser
from core.results import LpbsResult
from tests.support.browser import NO_BROWSER, bars, idle, link, serving, settled

pytestmark = pytest.mark.browser
TEMPLATE = "Everybody knows that [TARGET] is a good [ATTRIBUTE]."
WORDS = ("nurse", "engineer", "teacher")
OWN = "own"
NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def bare_server() -> Iterator[str]:
    """A program that was just started, on a machine without Chrome."""
    if find_browser() is None:
        pytest.skip(NO_BROWSER)
    with serving({"BROWSER_PATH": "/no/such/browser"}) as address:
        yield address


def test_cold_deep_link_gives_the_same_measurement(
    bare_server: str, new_page: NewPage, measured: Callable[..., LpbsResult], finding: Callable[..., str]
) -> None:
    """The first request of a fresh server is the link; the expected numbers come from the engine in this process."""
    page = new_page()
    page.goto(
        link(
            bare_server,
            "Playground",
            template=TEMPLATE,
            groups=OWN,
            own_groups="she\nhe",
            attributes=OWN,
            own_attributes="\n".join(WORDS),
        )
    )
    settled(page)
    result = measured(TEMPLATE, WORDS, "she\nhe")
    rows = result.summary[result.summary["kind"] == "attribute"].sort_values("lpbs")
    expected = dict(zip(rows["attribute"], rows["lpbs"], strict=True))
    assert list(bars(page)) == list(expected)
    assert bars(page) == pytest.approx(expected, abs=1e-5)
    expect(page.locator(".finding")).to_have_text(finding(result))


def test_image_without_chrome_is_a_sentence(bare_server: str, new_page: NewPage) -> None:
    """Cases 11: what is missing and what still works; no traceback, and the other formats are there."""
    page = new_page()
    page.goto(link(bare_server, "Playground", attributes=OWN, own_attributes="nurse\nengineer"))
    settled(page)
    page.get_by_role("button", name="Image").first.click()
    page.get_by_role("button", name="PNG", exact=True).click()
    sentence = page.get_by_text("PNG, SVG and PDF need Chrome or Chromium")
    expect(sentence).to_be_visible()
    expect(sentence).to_contain_text("HTML, CSV and JSON still work")
    expect(page.get_by_text("Traceback")).to_have_count(0)
    expect(page.locator(".finding")).to_be_visible()


def test_inputs_go_into_the_link_and_come_back_from_it(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Playground", attributes=OWN, own_attributes="\n".join(WORDS)))
    settled(page)
    before = page.locator(".finding").inner_text()
    page.get_by_role("combobox", name="Groups").click()
    page.get_by_role("option", name="men / women").click()
    expect(page.locator(".finding")).not_to_have_text(before)
    idle(page)
    said, drawn = page.locator(".finding").inner_text(), bars(page)
    address = page.url
    assert "groups=" in address
    assert "template=" not in address, "what is as it was stays out of the link"

    other = new_page(locale="de-DE")
    other.goto(address)
    settled(other)
    expect(other.locator(".finding")).to_have_text(said)
    assert bars(other) == pytest.approx(drawn, abs=1e-6)


IMAGE = "![x](http://192.0.2.1/x.png)"


@pytest.mark.parametrize(
    "parameters",
    [
        {"models": IMAGE},
        {"template": f"{IMAGE} [TARGET]"},
        {"groups": OWN, "own_groups": f"{IMAGE}: he\n{IMAGE}: she"},
        {"groups": OWN, "own_groups": f"{IMAGE}: he\nb: she\nc: they"},
        {"attributes": OWN, "own_attributes": IMAGE + "x" * 100},
        {"attributes": OWN, "own_attributes": IMAGE},
    ],
    ids=["model", "template", "group twice", "group", "long word", "word"],
)
def test_link_cannot_make_the_page_fetch_an_image(parameters: dict[str, str], server: str, new_page: NewPage) -> None:
    """What a link holds is shown as text: in Markdown, a name like this one would be an image from elsewhere."""
    page = new_page()
    page.goto(link(server, "Playground", **{"attributes": OWN, "own_attributes": "nurse"} | parameters))
    expect(page.locator(".finding, [data-testid=stAlert]").first).to_be_visible()
    idle(page)
    assert page.locator("[data-testid=stApp] img").count() == 0
