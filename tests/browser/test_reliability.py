from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.engine.loading import LoadedModel
from core.measures.agreement import words
from core.measures.agreement.compute import measure
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.run import Run
from core.sources.blanks import own_set
from tests.support.browser import CHART, FINDING, idle, link, settled

pytestmark = pytest.mark.browser
TEXT = "This is the _.\nThe _ is here.\nThe _ is tired."
REPRESENTATIONS = ("cls-in-templates", "pooled-in-templates")
NewPage = Callable[..., Page]


@pytest.fixture
def page(server: str, new_page: NewPage) -> Page:
    page = new_page()
    inputs = {"set": "own", "own_templates": TEXT, "subsets": "6", "drawn": "5"}
    page.goto(link(server, "Reliability", **inputs))
    return settled(page)


def measured(embedded: LoadedModel) -> AgreementResult:
    spec = AgreementSpec(templates=own_set(TEXT), representations=REPRESENTATIONS, subsets=6, drawn=5)
    return measure(spec, [embedded], Run())


def test_a_cell_opens_its_points_and_the_file_holds_the_numbers(page: Page, embedded: LoadedModel) -> None:
    result = measured(embedded)
    expect(page.locator(FINDING)).to_have_text(words.finding(result).text)
    pairs = result["pairs"]
    least = pairs.loc[pairs["r"].idxmin()]
    other = pairs[pairs["representation"] == REPRESENTATIONS[0]]
    chosen = next(pair for pair in zip(other["a"], other["b"], strict=True) if pair != (least["a"], least["b"]))
    matrix = page.locator(f".st-key-templates-matrix-cls-in-templates {CHART}")
    # The unseen points on top of the heat map are what answers to a click; each knows its cell.
    marks = matrix.locator(".scatterlayer .points path")
    cells = marks.evaluate_all("marks => marks.map(mark => mark.__data__.data ? mark.__data__.data.join() : '')")
    marks.nth(cells.index(",".join((REPRESENTATIONS[0], *chosen)))).click(force=True)
    points = page.locator(f".st-key-templates-points {CHART}").last
    for name in chosen:
        expect(points).to_contain_text(f"d by {name}")
    idle(page)

    page.get_by_role("button", name="Data", exact=True).first.click()
    button = page.locator(".st-key-templates-JSON button")
    with page.expect_download() as download:
        button.click()
    document = json.loads(Path(download.value.path()).read_text())
    assert [row["r"] for row in document["tables"]["pairs"]] == pytest.approx(list(pairs["r"]), abs=1e-6)
    assert document["provenance"]["models"][0]["name"] == "minilm-mlm"
