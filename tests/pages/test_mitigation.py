"""The mitigation page: what it shows is what the swap gives."""

from __future__ import annotations

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from core.measures.mitigation.swap import words
from core.measures.mitigation.swap.spec import SwapSpec
from core.spec import File
from tests.pages.visiting import charts, errors, findings, html, settle, visit
from tests.support.tiny import tiny_folder

PAGE = "pages/7_Mitigation.py"
TEXT = b"Mary Thomas lost her keys <b>.\nHe said that Jackson was his.\n"


def of_file(content: bytes, name: str = "x.txt", **link: str) -> AppTest:
    at = visit(PAGE, **link)
    at.file_uploader(key="mitigation.text_file").set_value([(name, content, "text/plain")])
    return settle(at)


def test_the_first_visit_shows_a_result() -> None:
    at = visit(PAGE)
    assert findings(at) == [words.finding(SwapSpec().run()).text]
    assert not errors(at)
    assert len(charts(at)) == 1
    assert [button.label for button in at.get("download_button")][:1] == ["Download the swapped file"]


def test_a_file_before_and_after_with_reasons() -> None:
    at = of_file(TEXT, every="yes")
    spec = SwapSpec(file=File.of("x.txt", TEXT), every=True)
    assert findings(at) == [words.finding(spec.run()).text]
    shown = re.sub(r' title="[^"]*"', "", html(at))
    assert "<del>Mary</del><sup>1</sup> Thomas lost <del>her</del><sup>2</sup> keys &lt;b&gt;." in shown
    assert "<ins>John</ins><sup>1</sup> Thomas lost <ins>his</ins><sup>2</sup> keys &lt;b&gt;." in shown
    assert "pronoun: stands alone" in shown
    assert "<b>Jackson</b>: name or word; stays" in shown
    at.segmented_control(key="mitigation.which").set_value("doubtful")
    assert "Thomas lost" not in html(settle(at))


def test_a_path_on_the_server(tmp_path: Path) -> None:
    path = tmp_path / "y.txt"
    path.write_bytes(TEXT)
    at = visit(PAGE, text_path=str(path), every="yes")
    assert findings(at) == [words.finding(SwapSpec(file=path, every=True).run()).text]
    assert "no-such.txt cannot be read" in errors(visit(PAGE, text_path="/no-such.txt"))[0]


def test_two_models_are_one_too_many() -> None:
    at = visit(PAGE, models=["default", str(tiny_folder("bert"))])
    assert "one decides between" in errors(at)[0]


def test_wrong_files_get_a_sentence() -> None:
    assert "is empty" in errors(of_file(b""))[0]
    assert "not plain text" in errors(of_file(b"\x00\x01"))[0]
    assert "without the columns" in errors(of_file(b"a\tb\n1\t2\n", "x.tsv"))[0]
    assert "spreadsheet" in errors(of_file(b"PK\x03\x04", "x.xlsx"))[0]
