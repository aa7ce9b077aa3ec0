from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.measures.lpbs.result import LpbsResult
from core.report.renderer import find_browser
from tests.support.browser import FINDING, NO_BROWSER, bars, idle, link, serving, settled

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
    rows = result["attributes"].sort_values("lpbs")
    expected = dict(zip(rows["attribute"], rows["lpbs"], strict=True))
    assert list(bars(page)) == list(expected)
    assert bars(page) == pytest.approx(expected, abs=1e-5)
    expect(page.locator(FINDING)).to_have_text(finding(result))


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
    expect(page.locator(FINDING)).to_be_visible()


def test_inputs_go_into_the_link_and_come_back_from_it(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Playground", attributes=OWN, own_attributes="\n".join(WORDS)))
    settled(page)
    before = page.locator(FINDING).inner_text()
    page.get_by_role("combobox", name="Groups").click()
    page.get_by_role("option", name="men / women").click()
    expect(page.locator(FINDING)).not_to_have_text(before)
    idle(page)
    said, drawn = page.locator(FINDING).inner_text(), bars(page)
    address = page.url
    assert "groups=" in address
    assert "template=" not in address, "what is as it was stays out of the link"

    other = new_page(locale="de-DE")
    other.goto(address)
    settled(other)
    expect(other.locator(FINDING)).to_have_text(said)
    assert bars(other) == pytest.approx(drawn, abs=1e-6)


def state(page: Page) -> tuple[str, str, str]:
    """What a reader has: the query of the address, the template in its box, the finding."""
    settled(page)
    box = page.get_by_role("textbox", name="Template", exact=True)
    return page.url.partition("?")[2], box.input_value(), page.locator(FINDING).inner_text()


def shows(page: Page, expected: tuple[str, str, str]) -> None:
    """Wait until a reader has this state: a step through the history changes the address before the page."""
    for _ in range(100):
        if state(page) == expected:
            return
        page.wait_for_timeout(200)
    assert state(page) == expected


def test_inputs_survive_menu_back_forward_and_reload(server: str, new_page: NewPage) -> None:
    """Each step is a history entry whose address is the state of its page; professions stay as they were."""
    page = new_page()
    page.goto(link(server, "Playground", attributes=OWN, own_attributes="\n".join(WORDS)))
    first = state(page)
    page.get_by_role("textbox", name="Template", exact=True).fill(TEMPLATE)
    expect(page.locator(FINDING)).not_to_have_text(first[2])
    expect(page).to_have_url(re.compile("template="))
    typed = state(page)
    page.get_by_text("Method and more templates").click()
    page.get_by_role("spinbutton", name="Seed").fill("7")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("seed=7"))
    seeded = state(page)
    assert "attributes=own" in seeded[0]
    assert seeded[1] == TEMPLATE

    menu = page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Professions").click()
    expect(page).to_have_url(f"{server}/Professions")
    settled(page)
    page.get_by_text("Templates, persons, professions and method").click()
    expect(page.get_by_role("spinbutton", name="Seed")).to_have_value("0")
    assert page.locator(".changed").count() == 0
    menu.get_by_role("link", name="Playground").click()
    expect(page).to_have_url(re.compile("seed=7"))
    shows(page, seeded)

    page.go_back()
    expect(page).to_have_url(f"{server}/Professions")
    settled(page)
    page.go_back()
    expect(page).to_have_url(re.compile("seed=7"))
    shows(page, seeded)
    page.go_back()
    expect(page).not_to_have_url(re.compile("seed="))
    shows(page, typed)
    page.go_forward()
    expect(page).to_have_url(re.compile("seed=7"))
    shows(page, seeded)
    page.reload()
    shows(page, seeded)


def test_copy_link_by_keyboard_and_reset(server: str, new_page: NewPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(link(server, "Playground", attributes=OWN, own_attributes="nurse", seed="7"))
    settled(page)
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.get_by_role("button", name="Reset").click()
    expect(page).to_have_url(f"{server}/Playground")
    settled(page)
    expect(page.locator(FINDING)).to_contain_text("professions")
    expect(page.get_by_role("combobox", name="Attributes")).to_have_value(re.compile("professions", re.IGNORECASE))


def test_what_a_link_cannot_have_is_said_again_after_a_reload(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Playground", groups="bogus", attributes=OWN, own_attributes="nurse"))
    said = page.get_by_text("This link sets “Groups” to “bogus”, which does not exist; shown is gender: he / she.")
    settled(page)
    expect(said).to_be_visible()
    page.reload()
    settled(page)
    expect(said).to_be_visible()
    page.get_by_role("button", name="Dismiss").click()
    expect(said).to_have_count(0)
    expect(page).not_to_have_url(re.compile("bogus"))


def test_an_uploaded_file_survives_menu_and_reload(server: str, new_page: NewPage, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("job,percent\nregistered nurse,95\nsecretary,90\ncarpenter,5\nplumber,10\njudge,50\n")
    page = new_page()
    page.goto(link(server, "Professions", statistic="file"))
    page.locator("input[type=file]").last.set_input_files(file)
    # The row below the box: for a moment the box itself names the file too.
    in_use = page.get_by_test_id("stText").get_by_text("mine.csv", exact=True)
    expect(in_use).to_be_visible()
    settled(page)
    said = page.locator(FINDING).inner_text()
    assert "over 5 professions" in said
    menu = page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Reliability").click()
    expect(page).to_have_url(re.compile("/Reliability"))
    idle(page)
    menu.get_by_role("link", name="Professions").click()
    expect(page.locator(FINDING)).to_have_text(said)
    page.reload()
    expect(page.locator(FINDING)).to_have_text(said)
    expect(in_use).to_be_visible()
    idle(page)


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
