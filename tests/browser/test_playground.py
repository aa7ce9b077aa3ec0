from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.charts import DARK, LIGHT, Theme
from core.measures.lpbs.result import LpbsResult
from tests.support.browser import CHART, FINDING, bars, idle, link, rgb, settled, visitor

pytestmark = pytest.mark.browser
WORKED = "The [ATTRIBUTE] said that [TARGET] was tired."
PROFESSIONS = "professions"  # the list by its id
OWN = "own"
NewPage = Callable[..., Page]
Measured = Callable[..., LpbsResult]
Finding = Callable[..., str]


def template_box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Template", exact=True)


def click_bar(page: Page, attribute: str) -> None:
    """Click the middle of a bar; plotly's own layer above it takes the click."""
    chart = page.locator(CHART).first
    marks = chart.evaluate("chart => chart.data.find(trace => trace.type === 'bar').customdata.map(mark => mark[0])")
    bar = chart.locator(".barlayer .point path").nth(marks.index(attribute))
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def lpbs(result: LpbsResult) -> dict[str, float]:
    """Attribute and score, from she to he."""
    rows = result["attributes"].sort_values("lpbs")
    return dict(zip(rows["attribute"], rows["lpbs"], strict=True))


@pytest.mark.parametrize("path", ["", "Playground"])
def test_first_visit_shows_a_measurement(
    path: str, server: str, new_page: NewPage, measured: Measured, finding: Finding
) -> None:
    page = new_page()
    page.goto(link(server, path))
    settled(page)
    result = measured(WORKED, PROFESSIONS)
    expected = lpbs(result)
    drawn = bars(page)
    assert list(drawn) == list(expected)[:13] + list(expected)[-13:]
    assert drawn == pytest.approx({word: expected[word] for word in drawn}, abs=1e-5)
    expect(page.locator(FINDING)).to_have_text(finding(result))


def test_template_typed_and_enter_pressed(server: str, new_page: NewPage, measured: Measured, finding: Finding) -> None:
    page = new_page()
    page.goto(link(server, "Playground"))
    settled(page)
    before = bars(page)
    template_box(page).fill("[TARGET] is a [ATTRIBUTE].")
    page.keyboard.press("Enter")
    result = measured("[TARGET] is a [ATTRIBUTE].", PROFESSIONS)
    expect(page.locator(FINDING)).to_have_text(finding(result))
    expected = lpbs(result)
    strongest = max(expected, key=lambda word: abs(expected[word]))
    expect(page.locator(".st-key-card h3")).to_contain_text(strongest)
    after = bars(settled(page))
    assert after != before
    assert after == pytest.approx({word: expected[word] for word in after}, abs=1e-5)


def test_wrong_template_is_said_while_typing_and_the_chart_stays(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Playground"))
    settled(page)
    before = bars(page)
    template_box(page).press_sequentially(" [TARGET]")
    sentence = page.get_by_text("Found 2 [TARGET] slots, needs 1: write [TARGET] once")
    expect(sentence).to_be_visible()
    assert bars(page) == before
    expect(page.locator(FINDING)).to_be_visible()
    template_box(page).fill(WORKED)
    expect(sentence).to_have_count(0)


def test_bar_clicked_is_explained_in_the_card(server: str, new_page: NewPage, measured: Measured) -> None:
    page = new_page()
    page.goto(link(server, "Playground", attributes=OWN, own_attributes="nurse\nengineer\nteacher"))
    settled(page)
    heading = page.locator(".st-key-card h3")
    expect(heading).to_contain_text("nurse")
    click_bar(page, "engineer")
    expected = lpbs(measured(WORKED, ("nurse", "engineer", "teacher")))["engineer"]
    expect(heading).to_have_text(f"engineer {expected:+.2f}".replace("-", "−"))
    expect(page.locator(".st-key-card code").first).to_have_text("The engineer said that [MASK] was tired.")


def test_column_of_an_uploaded_file_becomes_the_attributes(server: str, new_page: NewPage, measured: Measured) -> None:
    page = new_page()
    page.goto(link(server, "Playground", attributes=OWN))
    settled(page)
    table = "code;profession;percent_women\n1;nurse;87,4\n2;null;50,0\n3;plumber;2,1\n"
    page.get_by_test_id("stMain").locator("input[type=file]").set_input_files(
        {"name": "jobs.csv", "mimeType": "text/csv", "buffer": table.encode("cp1252")}
    )
    page.get_by_role("combobox", name=re.compile("Column with the words")).click()
    page.get_by_role("option", name="profession").click()
    idle(page)
    page.get_by_role("button", name="Use these 3 words").click()
    expect(page.locator(FINDING)).to_contain_text("3 words")
    expect(page.get_by_role("textbox", name=re.compile("Your words"))).to_have_value("nurse\nnull\nplumber")
    settled(page)
    expected = lpbs(measured(WORKED, ("nurse", "null", "plumber")))
    assert bars(page) == pytest.approx(expected, abs=1e-5)
    assert list(bars(page)) == list(expected)


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_colour_scheme_of_the_system_draws_its_paper(scheme: str, theme: Theme, server: str, new_page: NewPage) -> None:
    page = new_page(color_scheme=scheme)
    page.goto(link(server, "Playground"))
    settled(page)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", rgb(theme.paper))
    expect(page.locator(f"{CHART} .main-svg").first).to_have_css("background-color", rgb(theme.paper))


@pytest.mark.parametrize("path", ["", "Playground"])
def test_nothing_sticks_out_at_800_pixels(path: str, server: str, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 800, "height": 900})
    page.goto(link(server, path))
    settled(page)
    too_wide = page.evaluate(
        """() => [...document.querySelectorAll('[data-testid="stMain"], [data-testid="stMain"] *')]
            .filter(one => { const box = one.getBoundingClientRect();
                return box.width > 0 && box.height > 0 && box.right > innerWidth + 1
                    && !one.closest('[data-testid="stDataFrame"]') && !one.closest('svg'); })
            .map(one => one.dataset.testid || one.className)"""
    )
    assert too_wide == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth")


def test_watch_sees_what_leaves_and_what_fails(browser: Browser, server: str) -> None:
    """The checks that stand behind every test of this folder can fail."""
    with visitor(browser) as (context, watch):
        page = context.new_page()
        page.goto(f"{server}/_stcore/health")
        with page.expect_console_message(lambda message: message.text == "refused"):
            page.evaluate("fetch('http://192.0.2.1/').catch(() => console.error('refused'))")
        assert watch.outside == ["http://192.0.2.1/"]
        assert any("refused" in error for error in watch.errors)
