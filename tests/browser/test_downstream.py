"""The tabs of the downstream page: each by its link, with inputs of its own, and files that go in."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.measures.downstream.coreference import words as coreference_words
from core.measures.downstream.coreference.spec import CoreferenceSpec
from core.measures.downstream.occupations import words
from core.measures.downstream.occupations.spec import OccupationSpec
from core.spec import File
from tests.support.browser import FINDING, link, settled
from tests.support.coreference_results import wino_table
from tests.support.occupation_results import bios_table

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]


def test_each_tab_keeps_its_own_inputs_and_a_file_is_measured(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Downstream", what="coreference", wino_seed="5"))
    expect(page.locator(FINDING)).to_contain_text("of the stereotype")
    settled(page)
    page.get_by_role("radio", name="Occupation classification").click()
    expect(page.locator(FINDING)).to_contain_text("women")
    settled(page)
    expect(page).to_have_url(re.compile("what=occupations"))
    assert "wino_seed" not in page.url
    page.set_input_files(
        ".st-key-downstream-bios input[type=file]",
        [{"name": "bios.csv", "mimeType": "text/csv", "buffer": bios_table()}],
    )
    expect(page.get_by_text("bios.csv lacks the column “text”")).to_be_visible()
    page.get_by_text("Columns of the file", exact=True).click()
    for label, column in (("Column of texts", "bio"), ("Column of splits", "part")):
        box = page.get_by_role("textbox", name=label)
        box.fill(column)
        box.press("Enter")
    result = OccupationSpec(biographies=(File.of("bios.csv", bios_table()),), text="bio", split="part").run()
    expected = words.finding(result, result.classifiers[0])
    expect(page.locator(FINDING)).to_have_text(expected.text)
    page.reload()
    expect(page.locator(FINDING)).to_have_text(expected.text)
    settled(page)
    page.get_by_role("radio", name="Coreference skew").click()
    expect(page.locator(FINDING)).to_contain_text("of the stereotype")
    settled(page)
    assert "bios" not in page.url


def test_a_saved_result_opens_in_its_tab(server: str, new_page: NewPage) -> None:
    result = CoreferenceSpec(sentences=(File.of("wino.csv", wino_table()),)).run()
    page = new_page()
    page.goto(link(server, "Downstream"))
    settled(page)
    page.get_by_text("Open a saved result").click()
    page.set_input_files(
        "[data-testid=stSidebar] input[type=file]",
        [{"name": "x.tilt", "mimeType": "application/zip", "buffer": result.to_bytes()}],
    )
    expected = coreference_words.finding(result, result.resolvers[0])
    expect(page.locator(FINDING).first).to_have_text(expected.text)
