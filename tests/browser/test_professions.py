from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core import sources
from core.engine.loading import LoadedModel
from core.measures.lpbs.professions.result import ProfessionResult
from core.measures.lpbs.professions.spec import Comparison
from core.measures.lpbs.professions.tables import by_residual
from core.measures.lpbs.professions.words import finding
from tests.support.browser import CHART, FINDING, SUPPORT, idle, link, settled
from tests.support.profession_results import run

pytestmark = pytest.mark.browser
TEMPLATES = "[TARGET] is a [ATTRIBUTE].\n[TARGET] works as a [ATTRIBUTE]."
PAIRS = "she / he\nmy sister / my brother"
JOBS = ("registered nurse", "secretary", "carpenter", "plumber", "judge", "bartender")
SERIES = ("minilm-mlm", "en")
NewPage = Callable[..., Page]


@pytest.fixture
def page(server: str, new_page: NewPage) -> Page:
    """The page as a link opens it, with a short corpus."""
    words = {"en_words_templates": TEMPLATES, "en_words_pairs": PAIRS, "en_words_professions": "\n".join(JOBS)}
    page = new_page()
    page.goto(link(server, "Professions", year="2022", **words))
    return settled(page)


def measured(embedded: LoadedModel, year: int) -> ProfessionResult:
    """The measurement of the link, made in this process."""
    corpus = sources.corpus("en").changed(templates=TEMPLATES, pairs=PAIRS, professions="\n".join(JOBS))
    return run([embedded], [corpus], statistic=Comparison(year=year))


def points(page: Page) -> dict[str, tuple[float, float]]:
    """Share and difference of each profession as the browser has them."""
    found = page.locator(CHART).first.evaluate(
        "chart => { const trace = chart.data.find(one => (one.mode || '').includes('markers'));"
        " return Array.from(trace.x, (x, at) => [trace.customdata[at][0], x, trace.y[at]]); }"
    )
    return {name: (x, y) for name, x, y in found}


def expected(result: ProfessionResult) -> dict[str, tuple[float, float]]:
    table = by_residual(result, SERIES)
    return dict(zip(table["profession"], zip(table["percent_women"], table["difference"], strict=True), strict=True))


def saved(page: Page, menu: str, kind: str) -> bytes:
    """Download through the chart's export panel, as a user does."""
    page.get_by_role("button", name=menu).first.click()
    button = page.locator(f".st-key-professions-scatter-{kind} button")
    with page.expect_download() as download:
        button.click()
    assert download.value.suggested_filename == f"tiltmeter-professions-scatter.{kind.lower()}"
    page.keyboard.press("Escape")
    expect(button).to_have_count(0)
    return Path(download.value.path()).read_bytes()


def test_a_link_opens_another_year_is_chosen_and_the_file_read_back(page: Page, embedded: LoadedModel) -> None:
    before = measured(embedded, 2022)
    expect(page.locator(FINDING)).to_have_text(finding(before, SERIES).text)
    assert points(page) == {name: pytest.approx(at, abs=1e-4) for name, at in expected(before).items()}

    page.get_by_role("slider", name="Year").press("ArrowRight")
    result = measured(embedded, 2023)
    expect(page.locator(SUPPORT)).to_have_text(finding(result, SERIES).support)
    idle(page)
    assert "year=2023" in page.url
    drawn = points(page)
    assert drawn == {name: pytest.approx(at, abs=1e-4) for name, at in expected(result).items()}

    rows = list(csv.DictReader(io.StringIO(saved(page, "Data", "CSV").decode("utf-8-sig"), newline="")))
    read = {row["profession"]: (float(row["percent_women"]), float(row["difference"])) for row in rows}
    assert read == {name: pytest.approx(at, abs=1e-6) for name, at in drawn.items()}
    table = by_residual(result, SERIES)
    assert [row["profession"] for row in rows] == list(table["profession"])
    assert [float(row["residual"]) for row in rows] == pytest.approx(list(table["residual"]), abs=1e-4)
    assert all("minilm-mlm" in row["provenance"] for row in rows)


def test_a_point_clicked_is_explained_and_the_picture_names_what_is_drawn(page: Page, embedded: LoadedModel) -> None:
    heading = page.locator(".st-key-card h3")
    result = measured(embedded, 2022)
    names = list(by_residual(result, SERIES)["profession"])
    expect(heading).to_contain_text(names[0])
    nearest = names[-1]
    chart = page.locator(CHART).first
    place = list(points(page)).index(nearest)
    point = chart.locator(".scatterlayer .points path").nth(place)
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    difference = f"{expected(result)[nearest][1]:+.2f}".replace("-", "−")
    expect(heading).to_have_text(f"{nearest} {difference}")
    expect(page.locator(".st-key-card code").first).to_have_text(f"My [MASK] is a {nearest}.")
    idle(page)

    svg = ET.fromstring(saved(page, "Image", "SVG"))
    texts = ["".join(text.itertext()).strip() for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert result.statistic is not None
    assert result.statistic.title in texts
    assert names[0] in texts
    assert any("minilm-mlm" in text and "seed 0" in text for text in texts), "the line below says where it is from"
