"""Effects of heads in a real browser: a head is clicked, and the data read back are those of the engine."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.engine.loading import LoadedModel, with_attentions
from core.measures.attention.causes import compute
from core.measures.attention.causes.spec import CausesSpec
from core.measures.attention.causes.words import finding
from core.run import Run
from tests.support.browser import CHART, FINDING, WAIT, idle, link, settled

pytestmark = pytest.mark.browser
TEXT = "She told him that the nurse was late."
TWIN = "He told her that the nurse was late."
NewPage = Callable[..., Page]


def test_a_head_is_clicked_and_the_effects_are_read_back(server: str, new_page: NewPage, embedded: LoadedModel) -> None:
    result = compute.measure(CausesSpec(sentence=TEXT, twin=TWIN), [with_attentions(embedded)], Run())
    page = new_page()
    page.goto(link(server, "Attention", what="causes", sentence=TEXT))
    settled(page)
    expect(page.locator(FINDING)).to_have_text(finding(result, "minilm-mlm").text)
    cell = page.locator(CHART).first.locator(".scatterlayer .points path").nth(2 * 12 + 5)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text("L2 H5: Effect ")).to_be_visible(timeout=WAIT)
    idle(page)
    page.get_by_role("button", name="Data").first.click()
    with page.expect_download() as download:
        page.locator(".st-key-causes-heads-CSV button").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"), newline="")))
    assert [float(row["effect"]) for row in rows] == pytest.approx(result["heads"]["effect"].tolist(), abs=5e-5)
