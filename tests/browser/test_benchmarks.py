from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.engine.loading import LoadedModel
from core.measures.benchmarks import words
from core.measures.benchmarks.registry import benchmark
from tests.support.benchmark_results import measured
from tests.support.browser import CHART, FINDING, link, settled

pytestmark = pytest.mark.browser
PAIRS = (
    "sent_more,sent_less,stereo_antistereo,bias_type\n"
    "She is a nurse.,He is a nurse.,stereo,gender\n"
    "The old man fell.,The young man fell.,stereo,age\n"
    "The =1+1 are poor.,The =1+2 are poor.,antistereo,socioeconomic\n"
)
NewPage = Callable[..., Page]


def test_a_file_is_measured_and_its_numbers_leave_as_they_are_shown(
    server: str, new_page: NewPage, embedded: LoadedModel
) -> None:
    chosen = benchmark("crows-pairs")
    page = new_page()
    page.goto(link(server, "Benchmarks", benchmark=chosen.id))
    expect(page.get_by_text("Give your copy of the data")).to_be_visible()
    page.set_input_files(
        ".st-key-benchmarks-data input[type=file]",
        [{"name": "p.csv", "mimeType": "text/csv", "buffer": PAIRS.encode()}],
    )
    settled(page)
    result = measured([embedded], chosen.id, chosen.read([(PAIRS.encode(), "p.csv")]))
    expect(page.locator(FINDING)).to_have_text(words.finding(result, "minilm-mlm", chosen.id).text)
    drawn = page.locator(f".st-key-crows-pairs-rates {CHART}").evaluate(
        "chart => chart.data.filter(one => one.customdata).flatMap(one =>"
        " one.customdata.map((mark, at) => [mark[1], one.x[at]]))"
    )
    expected = dict(zip(result["measures"]["bias_type"], result["measures"]["value"], strict=True))
    assert dict(drawn) == pytest.approx(expected)

    page.get_by_role("button", name="Data", exact=True).nth(1).click()
    button = page.locator(".st-key-benchmark-crows-pairs-items-CSV button")
    with page.expect_download() as download:
        button.click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"))))
    assert [row["first"] for row in rows] == [pair.split(",")[0] for pair in PAIRS.splitlines()[1:]]
    assert [float(row["difference"]) for row in rows] == pytest.approx(list(result["items"]["difference"]), abs=1e-6)
    assert all("minilm-mlm" in row["provenance"] for row in rows)
