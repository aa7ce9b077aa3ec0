from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core import sources
from core.engine.loading import LoadedModel
from tests.support import association
from tests.support.browser import CHART, FINDING, link, settled

pytestmark = pytest.mark.browser


def summary(page: Page) -> list[dict[str, str]]:
    """The figure's data through the export panel."""
    data = page.get_by_role("button", name="Data", exact=True).first
    data.click()
    if data.get_attribute("aria-expanded") != "true":  # the first click may only close the select box above
        data.click()
    with page.expect_download() as download:
        page.locator(".st-key-association-CSV button").click()
    page.keyboard.press("Escape")
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"))))


def test_a_test_is_run_its_representation_changed_and_the_file_read_back(
    server: str, new_page: Callable[..., Page], embedded: LoadedModel
) -> None:
    test = sources.association_test("weat7")
    page = new_page()
    page.goto(link(server, "Association_tests", tests=test.id, representations="input-embedding"))
    settled(page)
    page.get_by_role("combobox", name="Representations").click()
    page.get_by_role("option", name="pooled, no context").click()
    page.keyboard.press("Escape")
    expect(page.locator(FINDING).first).to_contain_text("of 2")
    expect(page.locator(CHART).first).to_contain_text("pooled, no context")
    settled(page)
    result = association.run([embedded], [test], ["input-embedding", "pooled-no-context"])
    rows = summary(page)
    assert [row["representation"] for row in rows] == list(result["tests"]["representation"])
    for name in ("effect_size", "ci_low", "p_two_sided", "p_adjusted"):
        assert [float(row[name]) for row in rows] == pytest.approx(list(result["tests"][name]), abs=1e-4)
    assert all(row["n_x"] == "8" and "minilm-mlm" in row["provenance"] for row in rows)
