from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.engine.loading import LoadedModel, with_attentions
from core.measures.attention import compute
from core.measures.attention.result import AttentionResult
from core.measures.attention.spec import AttentionSpec
from core.measures.attention.words import finding
from tests.support.attention_results import measured
from tests.support.browser import CHART, FINDING, WAIT, idle, link, settled

pytestmark = pytest.mark.browser
TEXT = "She told him that the nurse was late."
TWIN = "He told her that the nurse was late."
NewPage = Callable[..., Page]


@pytest.fixture
def result(embedded: LoadedModel) -> AttentionResult:
    """The measurement of the link, made in this process."""
    return measured([with_attentions(embedded)], TEXT, TWIN)


def test_a_head_is_clicked_and_its_map_read_back(
    server: str, new_page: NewPage, result: AttentionResult, embedded: LoadedModel
) -> None:
    page = new_page()
    page.goto(link(server, "Attention", sentence=TEXT))
    settled(page)
    expect(page.locator(FINDING)).to_have_text(finding(result, "minilm-mlm").text)
    cell = page.locator(CHART).first.locator(".scatterlayer .points path").nth(2 * 12 + 5)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("heading", name="minilm-mlm, L2 H5")).to_be_visible(timeout=WAIT)
    idle(page)
    page.get_by_role("button", name="Data").nth(1).click()
    with page.expect_download() as download:
        page.locator(".st-key-attention-map-CSV button").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"), newline="")))
    for maps in compute.maps(with_attentions(embedded), AttentionSpec(sentence=TEXT, twin=TWIN)):
        own = [float(row["attention"]) for row in rows if row["which"] == maps.which]
        assert own == pytest.approx(maps.attention[2, 5].ravel().tolist(), abs=1e-5)
    assert {row["layer"] for row in rows} == {"2"}


def test_a_word_clicked_changes_its_role_and_the_twin_can_be_edited(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Attention", sentence=TEXT))
    settled(page)
    # Each role has a button of its own: a click before the last one is answered would be lost.
    for role, after in pairwise(("male", "female", "occupation", "none", "male")):
        page.locator(f".st-key-sentence_2_is_{role}").get_by_role("button", name="him").click()
        expect(page.locator(f".st-key-sentence_2_is_{after}").get_by_role("button", name="him")).to_be_visible()
        if after == "female":
            expect(page.get_by_text("has no male word; it needs a male word")).to_be_visible()
        idle(page)
    settled(page)
    box = page.get_by_role("textbox", name="Its gender-swapped twin")
    box.fill("He told her that the late nurse was there.")
    box.press("Control+Enter")
    expect(page.locator(".st-key-words_of_twin")).to_contain_text("there", timeout=WAIT)
    settled(page)
    assert "twin=" in page.url


def test_bertviz_is_drawn_inside_the_page(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Attention", sentence=TEXT, view="bertviz"))
    expect(page.locator(FINDING).first).to_be_visible(timeout=WAIT)
    frame = page.frame_locator("iframe").first
    expect(frame.locator("svg line").first).to_be_attached(timeout=WAIT)
    expect(frame.locator("text", has_text="nurse").first).to_be_attached(timeout=WAIT)
