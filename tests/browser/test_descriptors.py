"""Descriptor likelihood in a browser: by its link, a click on a bar, a file that goes in, reload, and a wrong file."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.measures.descriptors import words
from core.measures.descriptors.spec import DescriptorSpec
from core.spec import File
from tests.support.browser import CHART, FINDING, link, settled
from tests.support.descriptor_results import descriptor_table

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
TEMPLATE = "I am a [PERSON]."


def test_a_list_is_measured_a_bar_shows_its_axis_and_a_reload_finds_it_again(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Benchmarks", what="descriptors", axes="age", descriptor_templates=TEMPLATE))
    expect(page.locator(FINDING)).to_contain_text("descriptors of age differ in")
    settled(page)
    box = "[class*=st-key-benchmarks-descriptor_list] input[type=file]"  # a box is a new one after each file
    wrong = {"name": "list.csv", "mimeType": "text/csv", "buffer": b"axis,descriptor\nmood,calm\nmood,\n"}
    page.set_input_files(box, [wrong])
    expect(page.get_by_text("Line 3 of list.csv has no descriptor")).to_be_visible()
    expect(page.locator(FINDING)).to_contain_text("descriptors of age differ in")
    page.set_input_files(box, [wrong | {"buffer": descriptor_table()}])
    expect(page.locator(FINDING)).to_contain_text("of 3 axes")
    settled(page)
    spec = DescriptorSpec.of(
        {
            "axes": ("age",),
            "descriptor_list": (File.of("list.csv", descriptor_table()),),
            "descriptor_templates": TEMPLATE,
        }
    )
    result = spec.run()
    expected = words.finding(result, "minilm-mlm").text
    expect(page.locator(FINDING)).to_have_text(expected)

    bars = page.locator(f".st-key-descriptor-shares {CHART} .barlayer .point")
    bars.nth(1).scroll_into_view_if_needed()
    place = bars.nth(1).bounding_box()
    assert place is not None
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page).to_have_url(re.compile("descriptor_axis=mood"))
    settled(page)
    shown = page.locator(".st-key-descriptor-perplexities").first
    expect(shown).to_contain_text("tired")
    page.reload()
    expect(page.locator(FINDING)).to_have_text(expected)
    settled(page)
    expect(shown).to_contain_text("tired")
