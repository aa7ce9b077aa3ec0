"""The attention page without a browser: words clicked into roles, twins, views, and scans."""

from __future__ import annotations

import os
import re
import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from streamlit.testing.v1 import AppTest

from core.errors import BrokenModel, OptionError
from core.kept import size_of
from core.measures.attention.scan import compute as scan
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.scan.spec import ScanSpec
from core.measures.attention.spec import EXAMPLE, AttentionSpec
from core.run import Run
from core.sources.example_corpus import EXAMPLE_SCAN, example_corpus
from core.spec import File
from pages.attention import scan_panel
from pages.shared import resources
from tests.pages.visiting import charts, errors, findings, opened, settle, visit
from tests.support.tiny import tiny_folder

ATTENTION = "pages/4_Attention.py"
SHORT = "She told him that the nurse was late."


def heat(figure: dict[str, Any]) -> list[dict[str, Any]]:
    return [trace for trace in figure["data"] if trace["type"] == "heatmap"]


def infos(at: AppTest) -> list[str]:
    """The blue boxes as a reader sees them."""
    return [re.sub(r"\\(.)", r"\1", box.value) for box in at.info]


def word(at: AppTest, which: str, place: int) -> Any:
    """The button of a word of the sentence or of its twin, whatever its role."""
    return next(button for button in at.button if button.key and button.key.startswith(f"{which}_{place}_is_"))


@pytest.fixture(scope="module")
def first() -> AppTest:
    return visit(ATTENTION)


def test_the_first_visit_shows_a_finding_heads_and_both_maps(first: AppTest) -> None:
    assert not errors(first)
    (finding,) = findings(first)
    assert finding.endswith("to female words.")
    assert "of 72 heads attend to the same gender in both versions" in finding
    grid, maps = charts(first)
    assert len(heat(grid)) == 2  # heads that are biased, heads that follow
    assert np.shape(heat(grid)[0]["z"]) == (6, 12)
    assert len(heat(maps)) == 2


def test_a_model_loaded_without_maps_shows_maps_whose_rows_sum_to_one(first: AppTest) -> None:
    """Case 9: the model was loaded as every page loads it; this one asks for its attention."""
    assert "minilm-mlm" in resources.pool().held()
    for item in heat(charts(first)[1]):
        rows = np.array(item["z"], dtype=float)
        assert rows.shape == (18, 18)
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=18 * 5e-5)  # drawn with four decimals


def test_maps_are_made_for_who_looks_and_kept_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = AttentionSpec(sentence=SHORT, twin="He told her that the nurse was late.")
    result = resources.measure(spec, Run())
    (model,) = result.provenance.models
    maps = resources.attention_maps(spec, model)
    assert resources.attention_maps(spec, model) is maps
    assert [held.model for held in maps] == ["minilm-mlm"] * 2
    # 6 layers × 12 heads × 10 × 10 tokens × 4 bytes each: a bound of one pair keeps the later one.
    for held in maps:
        assert held.attention.nbytes == 6 * 12 * len(held.pieces) ** 2 * 4
    other = AttentionSpec(sentence=SHORT, twin="He told her that a nurse was late.")
    monkeypatch.setattr(resources.runs().results, "max_bytes", size_of(maps) + 100)
    kept = resources.attention_maps(other, model)
    assert resources.attention_maps(other, model) is kept
    assert resources.attention_maps(spec, model) is not maps


def test_maps_of_files_that_have_changed_are_refused() -> None:
    spec = AttentionSpec(sentence=SHORT, twin="He told her that the nurse was here.")
    (model,) = resources.measure(spec, Run()).provenance.models
    with pytest.raises(BrokenModel, match="are not those that were measured"):
        resources.attention_maps(spec, replace(model, digest="0" * 64))


def test_the_twin_is_made_and_shown_for_editing(first: AppTest) -> None:
    assert [area.value for area in first.text_area][:2] == [
        EXAMPLE,
        "He accompanied her on stage and on several recordings before becoming a nurse in 1939.",
    ]


def test_words_stand_to_be_clicked_in_their_roles(first: AppTest) -> None:
    assert word(first, "sentence", 0).key == "sentence_0_is_female"
    assert word(first, "sentence", 2).key == "sentence_2_is_male"
    assert word(first, "sentence", 12).key == "sentence_12_is_occupation"
    assert word(first, "twin", 0).key == "twin_0_is_male"


def test_a_click_changes_what_a_word_is() -> None:
    at = visit(ATTENTION, sentence=SHORT)
    before = findings(at)
    word(at, "sentence", 2).click()
    settle(at)  # him was male and is female now
    assert errors(at) == [
        f"“{SHORT}” has no male word; it needs a male word, a female word and an occupation. Say which word is one, "
        "or write another sentence."
    ]
    for _ in range(3):  # female → occupation → none → male
        word(at, "sentence", 2).click()
        settle(at)
    assert not errors(at)
    assert findings(at) == before


def test_a_sentence_without_an_occupation_keeps_what_was_typed() -> None:
    at = visit(ATTENTION, sentence="He met her.")
    assert errors(at)[0].startswith("“He met her.” has no occupation;")
    assert at.text_area(key="attention.sentence").value == "He met her."
    assert at.text_area(key="attention.twin").value == "She met him."


def test_another_sentence_gets_another_twin_and_an_edited_twin_counts() -> None:
    at = visit(ATTENTION, sentence=SHORT)
    assert at.text_area(key="attention.twin").value == "He told her that the nurse was late."
    at.text_area(key="attention.twin").set_value("He told her that the weather was fine.")
    settle(at)
    assert errors(at)[0].startswith("The twin: “He told her that the weather was fine.” has no occupation")
    at.text_area(key="attention.sentence").set_value("He told her that the judge was late.")
    settle(at)
    assert at.text_area(key="attention.twin").value == "She told him that the judge was late."
    assert not errors(at)


def test_a_twin_of_a_link_is_kept() -> None:
    mine = "He told her that the nurse had come late."
    assert visit(ATTENTION, sentence=SHORT, twin=mine).text_area(key="attention.twin").value == mine


def test_along_the_model_there_are_four_charts() -> None:
    at = visit(ATTENTION, sentence=SHORT, view="model")
    curve, steps, boxes, share = charts(at)
    assert len(curve["data"][0]["x"]) == 31
    assert len(steps["data"]) == 2
    assert boxes["data"][0]["type"] == "box"
    assert max(value for value in share["data"][0]["y"] if value is not None) <= 100


def test_bertviz_stands_in_a_frame_of_its_own() -> None:
    at = visit(ATTENTION, sentence=SHORT, view="bertviz")
    (frame,) = at.get("iframe")
    assert "Content-Security-Policy" in frame.proto.srcdoc
    at = visit(ATTENTION, sentence=SHORT, view="bertviz", bertviz_view="model")
    assert len(at.get("iframe")) == 1


def test_two_models_stand_side_by_side_and_a_decoder_is_told_to_look_back() -> None:
    folders = [str(tiny_folder(name)) for name in ("bert", "gpt2")]
    at = visit(ATTENTION, models=folders, sentence="The woman told him that she was a nurse.")
    assert len(findings(at)) == 2
    assert len(heat(charts(at)[0])) == 4
    at = visit(ATTENTION, models=folders, sentence="The nurse told him that she was late.")
    assert ["No head can be judged" in finding for finding in findings(at)] == [False, True]
    assert any("gpt2 is causal (left-to-right)" in text.value for text in at.text)


def scan_link(folder: Path, corpus: Path) -> dict[str, Any]:
    return {
        "what": "corpus",
        "way": "new",
        "models": [str(tiny_folder("bert"))],
        "corpus": str(corpus),
        "scan_folder": str(folder),
    }


def test_a_scan_is_run_and_opened(tmp_path: Path) -> None:
    corpus = tmp_path / "c.txt"
    corpus.write_text("The woman told him that the nurse was tired.\nIt is not clear.\n", encoding="utf-8")
    at = visit(ATTENTION, **scan_link(tmp_path / "out", corpus))
    assert not charts(at)
    at.button(key="measure").click()
    settle(at)
    assert not errors(at)
    assert not charts(at)
    assert f"There is no folder out in {tmp_path}. Create it?" in infos(at)
    assert not (tmp_path / "out").exists()  # nothing is made unasked
    at.button(key="make_folder").click()
    settle(at)
    assert not errors(at)
    assert findings(at)[0].endswith("over 1 sentence: too few to say where it is highest (1 of at least 6).")
    assert any("kept: 1" in item.value and "no male or female word: 1" in item.value for item in at.text)
    assert len(charts(at)) == 5
    others = "not what is chosen above"
    assert not any(others in text.value for text in at.text)
    opened = visit(ATTENTION, what="corpus", way="open", open_scan=str(tmp_path / "out"))
    assert findings(opened) == findings(at)
    by_link = visit(ATTENTION, **scan_link(tmp_path / "out", corpus))
    assert findings(by_link) == findings(at)
    assert any("Shown is the scan that this folder holds" in caption.value for caption in by_link.caption)
    at.text_input(key="attention.scan_folder").set_value(str(tmp_path / "other"))
    settle(at)
    assert findings(opened) == findings(at)
    assert any(others in text.value for text in at.text)


def test_an_upload_is_kept_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploaded again on another day, it is the same corpus, and its scan goes on."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))

    def upload(name: str, data: bytes) -> Path:
        return scan_panel.stored(File.of(name, data))

    first = upload("../c.txt", b"She told him.")
    reading = first.stat().st_mtime_ns, first.stat().st_ino
    assert first == upload("c.txt", b"She told him.")
    assert (first.stat().st_mtime_ns, first.stat().st_ino) == reading  # a scan may be reading it
    assert first.read_bytes() == b"She told him."
    assert first.is_relative_to(tmp_path)
    assert upload("c.txt", b"He told her.") != first
    assert not list(tmp_path.rglob("*.tmp"))
    monkeypatch.setenv("TILTMETER_CACHE", str(first / "no folder"))
    with pytest.raises(OptionError, match=r"^The file c\.txt cannot be kept on the server: "):
        upload("c.txt", b"They told me.")


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"corpus": "", "scan_folder": "/tmp/x"}, "There is no corpus; upload a file, or give the path of one."),
        ({"corpus": "c.txt", "scan_folder": ""}, "There is no folder for the results; give a new one."),
        ({"corpus": "/none/c.txt", "scan_folder": "/tmp/x"}, "There is no file /none/c.txt;"),
    ],
)
def test_what_a_scan_lacks_is_said(link: dict[str, str], message: str) -> None:
    at = visit(ATTENTION, what="corpus", way="new", **link)
    at.button(key="measure").click()
    settle(at)
    assert errors(at)[0].startswith(message)


def test_a_folder_without_a_scan_is_said(tmp_path: Path) -> None:
    at = visit(ATTENTION, what="corpus", way="open", open_scan=str(tmp_path))
    assert errors(at)[0].endswith("holds no scan; give the folder that a scan was written to.")


def test_the_example_corpus_is_shown_with_its_stored_scan_and_can_be_scanned() -> None:
    at = visit(ATTENTION, what="corpus")
    assert findings(at)[0].startswith("Over 180 sentences the mean degree is highest at the value of L0")
    assert any("Shown is the stored scan with" in caption.value for caption in at.caption)
    assert any("kept: 180" in text.value for text in at.text)
    at = visit(ATTENTION, what="corpus", models=[str(tiny_folder("bert"))])
    assert findings(at)[0].startswith("Over 180 sentences")
    at.button(key="measure").click()
    settle(at)
    assert not errors(at)
    assert findings(at)[0].startswith("Over 1")
    assert not any("Shown is the stored scan" in item.value for item in at.caption)


def test_an_opened_scan_is_read_once_until_its_folder_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    plain = scan.read

    def counted(folder: Path) -> ScanResult:
        read.append(folder)
        return plain(folder)

    monkeypatch.setattr(scan, "read", counted)
    folder = tmp_path / "scan"
    shutil.copytree(EXAMPLE_SCAN, folder)
    first = resources.opened_scan(folder)
    assert resources.opened_scan(folder) is first
    assert read == [folder]
    (part,) = folder.glob("*.parquet")
    os.utime(part, (0, 0))
    assert resources.opened_scan(folder)["positions"].equals(first["positions"])
    assert len(read) == 2


def test_who_writes_to_a_folder_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "scan"
    shutil.copytree(EXAMPLE_SCAN, folder)
    with FileLock(folder / "scan.lock"):
        at = visit(ATTENTION, what="corpus", way="open", open_scan=str(folder))
        assert infos(at) == [
            "A scan is being written to this folder (another program); “Reload” shows its figures so far."
        ]
        assert findings(at)
        at = visit(ATTENTION, what="corpus", way="new", scan_folder=str(folder))
        assert "“open a scan” above shows its figures so far" in infos(at)[0]


def test_a_reloaded_page_finds_the_scan_that_is_under_way(tmp_path: Path) -> None:
    """The run is another session's; this one gave the folder and pressed nothing."""
    folder, release = tmp_path / "scan", threading.Event()
    inputs = ScanSpec(corpus=example_corpus(), folder=folder)

    def work(_: ScanSpec, run: Run[ScanResult]) -> ScanResult:
        release.wait(300)
        return resources.opened_scan(EXAMPLE_SCAN)

    run = resources.runs().join(inputs, work, "another session")
    try:
        at = opened(ATTENTION, what="corpus", way="new", scan_folder=str(folder)).run()
        assert [button.label for button in at.button if button.label == "Stop"] == ["Stop"]
    finally:
        release.set()
    assert run.wait(300)
    settle(at)
    assert findings(at)[0].startswith("Over 180 sentences")
