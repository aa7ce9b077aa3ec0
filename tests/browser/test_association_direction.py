"""The gender direction in a real browser: another representation is looked at, and the data read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.engine.loading import LoadedModel
from core.measures.association.direction.spec import DirectionSpec
from core.measures.association.direction.words import finding
from core.run import Run
from tests.support.browser import FINDING, link, settled

pytestmark = pytest.mark.browser


def test_the_tab_is_opened_and_its_projections_are_read_back(
    server: str, new_page: Callable[..., Page], embedded: LoadedModel
) -> None:
    result = DirectionSpec(representations=("input-embedding",)).measure([embedded], Run())
    page = new_page()
    page.goto(link(server, "Association_tests", what="direction", direction_representations="input-embedding"))
    settled(page)
    expect(page.locator(FINDING)).to_have_text(finding(result, result.places[0]).text)
    page.get_by_role("button", name="Data").first.click()
    with page.expect_download() as download:
        page.locator(".st-key-direction-words-CSV button").click()
    text = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["word"] for row in rows] == result["projections"]["word"].tolist()
    for name in ("projection", "ci_low", "percent"):
        assert [float(row[name]) for row in rows] == pytest.approx(result["projections"][name].tolist(), abs=5e-5)
