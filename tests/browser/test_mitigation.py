from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.measures.lpbs.spec import LpbsSpec
from core.measures.mitigation.change import words as change_words
from core.measures.mitigation.change.spec import ChangeSpec
from core.measures.mitigation.swap import compute, words
from core.measures.mitigation.swap.spec import SwapSpec
from core.spec import File
from tests.support.browser import FINDING, idle, link, settled
from tests.support.tiny import tiny_folder

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
PEOPLE = (("nurse", "job"), ("clerk", "job"), ("sister", "kin"), ("brother", "kin"))
GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "a-1\tMary <b> Brown saw Ann and her dog.\ther\t27\tMary\t0\tTRUE\tAnn\t19\tFALSE\thttp://x.org/Mary\n"
)


def test_a_file_goes_in_and_comes_out_swapped(server: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(link(server, "Mitigation", every="yes"))
    expect(page.locator(FINDING)).to_contain_text("8 of 8 documents")
    page.set_input_files(
        ".st-key-mitigation-text_file input[type=file]",
        [{"name": "gap.tsv", "mimeType": "text/plain", "buffer": GAP.encode()}],
    )
    expect(page.locator(FINDING)).to_contain_text("1 of 1 document")
    settled(page)
    result = SwapSpec(file=File.of("gap.tsv", GAP.encode()), every=True).run()
    expect(page.locator(FINDING)).to_have_text(words.finding(result).text)
    before, after = page.locator(".swap .sides p").all()
    expect(before.locator("del")).to_have_text(["Mary", "Ann", "her"])
    expect(after.locator("ins")).to_have_text(["John", "Carl", "his"])
    expect(after).to_contain_text("<b> Brown")
    page.locator(".swap summary").click()
    expect(page.locator(".swap ol li").first).to_contain_text("Mary → John")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the swapped file").click()
    assert download.value.suggested_filename == "gap-swapped.tsv"
    written = Path(download.value.path()).read_bytes()
    assert written == compute.swapped_file(result)
    row = written.decode().splitlines()[1].split("\t")
    assert [row[3], row[5], row[8]] == ["28", "0", "19"]


def test_a_classifier_is_trained_and_read_by_the_association_tests(server: str, new_page: NewPage) -> None:
    page = new_page()
    rows = "".join(f"The {who} is {how}.,{label}\n" for who, label in PEOPLE for how in ("late", "here", "tired"))
    steps = {"classifier_steps": "3", "classifier_batch": "4", "label_column": "kind"}
    page.goto(link(server, "Mitigation", what="classified", **steps))
    page.set_input_files(
        ".st-key-mitigation-labelled_data input[type=file]",
        [{"name": "judge.csv", "mimeType": "text/csv", "buffer": f"text,kind\n{rows}".encode()}],
    )
    expect(page.get_by_text("judge.csv").first).to_be_visible()
    idle(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator(FINDING)).to_contain_text("After training,")
    settled(page)
    expect(page.get_by_text("In the list of models as minilm-mlm-judge.")).to_be_visible()
    page.goto(
        link(
            server,
            "Association_tests",
            models=["minilm-mlm", "minilm-mlm-judge"],
            tests=["irani"],
            representations=["layer-11-mean"],
        )
    )
    settled(page)
    expect(page.get_by_role("heading", name="The models side by side")).to_be_visible()
    expect(page.locator(FINDING).last).to_contain_text("in minilm-mlm, the base")
    expect(page.locator(FINDING).last).to_contain_text("in minilm-mlm-judge")


def test_a_model_before_and_after(server: str, new_page: NewPage) -> None:
    base, child = str(tiny_folder("bert")), str(tiny_folder("distilbert"))
    words = ("nurse", "engineer", "teacher", "doctor", "clerk", "mechanic")
    page = new_page()
    page.goto(
        link(
            server,
            "Mitigation",
            what="changed",
            models=base,
            children=child,
            measured="score",
            score_attributes="own",
            score_own_attributes="\n".join(words),
        )
    )
    expected = ChangeSpec(models=base, measured=LpbsSpec(attributes=words), children=child).run()
    expect(page.locator(FINDING)).to_have_text(change_words.finding(expected).text)
    settled(page)
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    page.get_by_role("radio", name="their size").click()
    expect(page.locator(".st-key-change-size .js-plotly-plot")).to_contain_text("larger after")
