from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.support.browser import CHART, FINDING, bars, idle, link, settled

pytestmark = pytest.mark.browser
OWN = "own"
# Words that would be formulas in a spreadsheet or missing values in a careless reader.
WORDS = ("nurse", "engineer", "null", "=1+1")
NewPage = Callable[..., Page]


@pytest.fixture
def page(server: str, new_page: NewPage) -> Page:
    page = new_page()
    page.goto(link(server, "Playground", attributes=OWN, own_attributes="\n".join(WORDS)))
    return settled(page)


def saved(page: Page, menu: str, kind: str) -> bytes:
    """Download through the chart's export panel, as a user does."""
    page.get_by_role("button", name=menu).first.click()
    button = page.locator(f".st-key-playground-{kind} button")
    expect(button).to_be_visible()
    with page.expect_download() as download:
        button.click()
    assert download.value.suggested_filename == f"tiltmeter-playground.{kind.lower()}"
    content = Path(download.value.path()).read_bytes()
    page.keyboard.press("Escape")
    expect(button).to_have_count(0)
    return content


def test_data_is_what_the_chart_shows(page: Page) -> None:
    drawn = bars(page)
    rows = list(csv.DictReader(io.StringIO(saved(page, "Data", "CSV").decode("utf-8-sig"))))
    assert [row["attribute"].removeprefix("'") for row in rows] == list(drawn), "the order of the chart"
    assert [float(row["lpbs"]) for row in rows] == pytest.approx(list(drawn.values()), abs=1e-6)
    assert {"'=1+1", "null"} <= {row["attribute"] for row in rows}, "text stays text"
    assert all("minilm-mlm" in row["provenance"] for row in rows)

    document = json.loads(saved(page, "Data", "JSON"))
    assert set(document) == {"schema", "spec", "tables", "excluded", "notes", "provenance"}
    scores = {row["attribute"]: row["lpbs"] for row in document["tables"]["attributes"]}
    assert scores == pytest.approx(drawn, abs=1e-6)
    assert document["provenance"]["models"][0]["name"] == "minilm-mlm"


def test_what_others_read_holds_the_numbers_of_the_result(page: Page) -> None:
    def left_as(label: str) -> str:
        page.get_by_role("button", name="For others").first.click()
        button = page.get_by_role("button", name=label)
        expect(button).to_be_visible()
        with page.expect_download() as download:
            button.click()
        page.keyboard.press("Escape")
        expect(button).to_have_count(0)
        return Path(download.value.path()).read_text(encoding="utf-8")

    mean = sum(bars(page).values()) / len(WORDS)
    overall = json.loads(left_as("Every Eval Ever"))["evaluation_results"][0]
    assert overall["metric_config"]["metric_id"] == "lpbs.overall"
    assert overall["score_details"]["score"] == pytest.approx(abs(mean), abs=1e-6)
    incident = json.loads(left_as("AVID report"))["metrics"][0]["results"]
    assert incident["value"] == pytest.approx(mean, abs=1e-6)
    assert left_as("model-index").startswith("---\n")
    assert "## Bias, Risks, and Limitations" in left_as("Model card sections")
    batch = left_as("Batch file")
    assert "- measure: score" in batch
    assert "#   lpbs.overall of he − she: " in batch


def test_images_are_of_the_chart_and_say_where_it_comes_from(page: Page, new_page: NewPage, tmp_path: Path) -> None:
    drawn = bars(page)
    with Image.open(io.BytesIO(saved(page, "Image", "PNG"))) as image:
        image.load()
        provenance = json.loads(image.text["provenance"])
        colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []}
    assert provenance["models"][0]["name"] == "minilm-mlm"
    assert (0xFB, 0xFB, 0xF9) in colours, "the paper of the light theme"

    svg = ET.fromstring(saved(page, "Image", "SVG"))
    texts = ["".join(text.itertext()).strip() for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text in WORDS] == list(drawn)
    for value in drawn.values():
        assert f"{value:+.2f}".replace("-", "−") in texts

    assert saved(page, "Image", "PDF").startswith(b"%PDF-")

    file = tmp_path / "chart.html"
    file.write_bytes(saved(page, "Image", "HTML"))
    alone = new_page()
    alone.goto(file.as_uri())  # the fixture fails the test if it asks anybody for anything
    expect(alone.locator("svg.main-svg").first).to_be_visible()
    assert bars(alone, CHART) == pytest.approx(drawn, abs=1e-6)
    assert json.loads(alone.locator("#provenance").text_content() or "") == provenance


def test_download_leaves_the_results_and_computes_nothing(page: Page) -> None:
    """Cases 12. The mark on the headline is gone when the page is drawn anew; the time is that of the measurement."""
    page.locator(FINDING).evaluate("headline => { headline.dataset.mark = 'same'; }")
    before = bars(page)
    first = json.loads(saved(page, "Data", "JSON"))["provenance"]["created"]
    saved(page, "Data", "CSV")
    idle(page)
    expect(page.locator(".finding[data-mark=same]")).to_be_visible()
    assert bars(page) == before
    assert json.loads(saved(page, "Data", "JSON"))["provenance"]["created"] == first
