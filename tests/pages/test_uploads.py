"""Files that cannot be read get a sentence, whatever they are, and each box says how large they may be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from core.measures.benchmarks.registry import BENCHMARKS
from core.sources import MAX_BYTES, benchmarks, gap
from tests.pages.visiting import PLAYGROUND, errors, settle, visit
from tests.support.tiny import tiny_folder

XLSX = b"PK\x03\x04" + bytes(200)  # how a file of Excel or LibreOffice begins
PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)
TINY = {"models": [str(tiny_folder("bert"))]}
BOXES: dict[str, tuple[str, dict[str, Any], int]] = {
    "word_file": (PLAYGROUND, {"attributes": "own", "own_attributes": "nurse, engineer"}, MAX_BYTES),
    "association_tests.own_test": ("pages/2_Association_tests.py", {"tests": "weat6"}, MAX_BYTES),
    "association_tests.sentences": ("pages/2_Association_tests.py", {"tests": "weat6"}, MAX_BYTES),
    "professions.share_file": ("pages/3_Professions.py", {"statistic": "file"}, MAX_BYTES),
    "reliability.crows_pairs": ("pages/5_Reliability.py", {"compare": "metrics"}, benchmarks.MAX_BYTES),
    "reliability.stereoset": ("pages/5_Reliability.py", {"compare": "metrics"}, benchmarks.MAX_BYTES),
    "reliability.sentences": ("pages/5_Reliability.py", {"compare": "metrics"}, MAX_BYTES),
    "reliability.columns": ("pages/5_Reliability.py", {"compare": "metrics"}, MAX_BYTES),
    "benchmarks.descriptor_list": ("pages/6_Benchmarks.py", {"what": "descriptors", "axes": "age"}, MAX_BYTES),
    **{
        f"downstream.{name}": ("pages/8_Downstream.py", {}, gap.MAX_BYTES)
        for name in ("train", "validation", "test", "predictions", "corrections")
    },
    **{
        f"benchmarks.data {benchmark.id}": ("pages/6_Benchmarks.py", {"benchmark": benchmark.id}, benchmarks.MAX_BYTES)
        for benchmark in BENCHMARKS
        if not isinstance(benchmark.reads, benchmarks.Words)
    },
}


@pytest.mark.parametrize("key", BOXES)
def test_spreadsheets_and_pictures_get_a_sentence(key: str) -> None:
    page, link, most = BOXES[key]
    at = visit(page, **TINY, **link)
    box = at.file_uploader(key=key.split()[0])
    assert box.proto.max_upload_size_mb == most >> 20
    assert "MB" not in box.label, "Streamlit says the limit itself"
    assert not box.proto.type, "a browser that refuses a kind of file says no word"
    box.set_value([("scores.xlsx", XLSX, "application/octet-stream")])
    settle(at)
    assert "scores.xlsx is a spreadsheet; save it as CSV" in errors(at)[0]
    if page == PLAYGROUND:
        return  # this box empties nothing and keeps its file
    at = visit(page, **TINY, **link)
    at.file_uploader(key=key.split()[0]).set_value([("photo.png", PNG, "image/png")])
    settle(at)
    assert "photo.png is not a .txt, .csv or .tsv file" in errors(at)[0]


def test_an_assumed_encoding_goes_with_the_words_into_the_result() -> None:
    at = visit(PLAYGROUND, **TINY, attributes="own", own_attributes="nurse, engineer")
    at.file_uploader(key="word_file").set_value([("jobs.txt", "nurse\nchef de café".encode("cp1252"), "text/plain")])
    settle(at)
    said = "jobs.txt is not UTF-8 text; it was read as Windows-1252, which gives “café”"
    assert said in plain(at.warning[0].value)
    assert any("jobs.txt is not used yet" in plain(warning.value) for warning in at.warning)
    next(button for button in at.button if button.label == "Use these 2 words").click()
    settle(at)
    assert not any("is not used yet" in plain(warning.value) for warning in at.warning)
    assert any(f"words of jobs.txt {said}" in plain(caption.value) for caption in at.caption)
    at.text_area(key="playground.own_attributes").set_value("nurse\nteacher")
    settle(at)
    assert not any("jobs.txt" in plain(caption.value) for caption in at.caption)


def plain(markdown: str) -> str:
    """A text without the signs that keep Markdown away."""
    return re.sub(r"\\(.)", r"\1", markdown)
