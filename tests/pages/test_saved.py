"""A saved result on the page of its measure: shown without its model, refused with a sentence, closed again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import tilt
from core.engine.pool import ModelPool
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.measures.measure import measures
from core.plain import Plain
from core.run import Run
from pages.shared import resources
from pages.shared.places import PAGE_OF
from pages.shared.uploads import digest_of
from tests.conformance.toy.spec import ToySpec
from tests.pages.visiting import (
    PLAYGROUND,
    WORKED,
    bars,
    charts,
    errors,
    findings,
    html,
    playground,
    scores,
    settle,
    visit,
)
from tests.support.paths import ROOT
from tests.support.tiny import build, tiny_folder

SHOWN = ("judge", "plumber")
TINY = str(tiny_folder("bert"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> LpbsResult:
    """The result of a model that is not on this machine any more."""
    folder = tmp_path_factory.mktemp("models") / "gone"
    build("bert", folder)
    found = LpbsSpec(models=str(folder), attributes=SHOWN, seed=5).run(pool=ModelPool())
    shutil.rmtree(folder)
    return found


def box(at: AppTest) -> Any:
    return next(box for box in at.sidebar.get("file_uploader") if ".tilt" in box.label)


def opened(at: AppTest, data: bytes, name: str = "mine.tilt") -> AppTest:
    box(at).set_value([(name, data, "application/zip")])
    return settle(at)


def copies(at: AppTest) -> list[Any]:
    """The buttons that copy the link."""
    return [component for component in at.get("bidi_component") if component.key == "copy_link"]


def infos(at: AppTest) -> str:
    return " ".join(info.value for info in at.info).replace("\\", "")


def made(result: LpbsResult, **other: Plain) -> bytes:
    """A file of this result with another word in its document."""
    document: Mapping[str, Plain] = {**result.document(), **other}
    return tilt.packed(document, result.tables)


def test_a_saved_result_is_shown_without_its_model_and_closed_again(saved: LpbsResult) -> None:
    at = playground(models=TINY)
    assert copies(at)
    before, drawn = findings(at), bars(charts(at)[0])
    address = dict(at.query_params)
    opened(at, saved.to_bytes())
    assert not errors(at)
    data = saved.to_bytes()
    opened_here = f"{digest_of(data)}:mine.tilt"
    assert dict(at.query_params) == {**address, "saved": opened_here}, "what the inputs ask for waits"
    assert copies(at)
    assert not at.sidebar.multiselect, "no choice of models that would change nothing"
    assert "mine.tilt" in infos(at)
    assert WORKED in infos(at)
    assert saved.provenance.created[:10] in infos(at)
    assert bars(charts(at)[0]) == [pytest.approx(scores(saved, "gone"), abs=1e-5)]
    assert list(at.dataframe[0].value["attribute"]) == list(scores(saved, "gone"))
    assert "2 words" in findings(at)[0]
    # The card has its arithmetic; what only the model can say is missing with a word.
    assert "<td>he</td>" in html(at)
    (warning,) = at.warning
    assert "gone cannot be found here" in warning.value
    assert "<code>" not in html(at)
    assert len(at.get("download_button")) > 0

    next(button for button in at.button if button.label == "Close it").click()
    settle(at)
    assert findings(at) == before
    assert bars(charts(at)[0]) == drawn
    assert at.text_area(key="playground.own_attributes").value == "nurse, engineer, teacher"
    assert "mine.tilt" not in infos(at)


def test_a_reload_and_a_link_find_what_is_open(saved: LpbsResult) -> None:
    at = opened(playground(models=TINY), saved.to_bytes())
    link = {name: at.query_params[name] for name in at.query_params}
    again = visit(PLAYGROUND, **link)
    assert not errors(again)
    assert "This is the saved result mine.tilt" in infos(again)
    assert findings(again) == findings(at)
    next(button for button in again.button if button.label == "Close it").click()
    settle(again)
    assert "saved" not in again.query_params
    assert "mine.tilt" not in infos(again)


def test_a_link_to_what_is_not_here_says_so_and_measures_nothing(saved: LpbsResult) -> None:
    at = visit(PLAYGROUND, models=TINY, saved="0123456789abcdef:gone.tilt")
    (said,) = errors(at)
    assert said == "The saved result gone.tilt (its digest is 0123456789abcdef) is not here: open it again."
    assert not findings(at)
    at = visit("pages/6_Benchmarks.py", saved=f"{resources.uploads().put(saved.to_bytes())}:mine.tilt")
    assert "mine.tilt is not a result of this page" in errors(at)[0]
    next(button for button in at.button if button.label == "Close it").click()
    assert not errors(settle(at))


def test_the_card_of_a_model_with_other_files_holds_nothing_that_was_not_measured(tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    build("bert", folder)
    result = LpbsSpec(models=str(folder), attributes=SHOWN).run()
    shutil.rmtree(folder)
    build("distilbert", folder)
    at = opened(playground(models=TINY), result.to_bytes())
    assert any("are not those that were measured" in warning.value for warning in at.warning)
    assert "<code>" not in html(at)
    assert not any("Top predictions" in caption.value for caption in at.caption)


def test_a_stopped_result_says_so(saved: LpbsResult) -> None:
    at = opened(playground(models=TINY), replace(saved, stopped=True).to_bytes())
    assert "stopped before its end" in infos(at)


@pytest.mark.parametrize("page", ["app.py", "pages/6_Benchmarks.py"])
def test_a_result_of_another_page_is_opened_there(page: str, saved: LpbsResult) -> None:
    at = opened(visit(page), saved.to_bytes())
    assert not errors(at)
    assert "mine.tilt is a result of the page Playground" in infos(at)
    assert "This is the saved result" not in infos(at)
    next(button for button in at.button if button.label == "Open it on Playground").click()
    settle(at)
    assert at.title[0].value == "Playground"
    assert "This is the saved result mine.tilt" in infos(at)
    assert bars(charts(at)[0]) == [pytest.approx(scores(saved, "gone"), abs=1e-5)]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda saved: saved.to_bytes()[:-100], "mine.tilt is damaged"),
        (lambda saved: b"", "mine.tilt is damaged"),
        (lambda saved: b"nurse, engineer", "mine.tilt is damaged, or is not a result saved by Tiltmeter"),
        (lambda saved: made(saved, format=2), "mine.tilt was saved by a newer Tiltmeter"),
        (lambda saved: made(saved, schema="lpbs/9"), "mine.tilt holds lpbs/9, and this Tiltmeter reads lpbs/2"),
        (lambda saved: made(saved, schema="other/1"), "of a kind this Tiltmeter does not know (“other”)"),
        (lambda saved: made(saved, provenance=None), "lacks a part of a result of the kind lpbs/2"),
        (lambda saved: tilt.packed(saved.document(), {}), "lacks a part of a result of the kind lpbs/2"),
        (lambda saved: _toy().to_bytes(), "mine.tilt holds a result that no page shows: Tokens of words."),
    ],
    ids=["cut", "empty", "text", "newer format", "newer", "unknown", "no provenance", "no tables", "no page"],
)
def test_a_file_that_cannot_be_opened_gets_its_sentence_and_changes_nothing(
    spoil: Callable[[LpbsResult], bytes], sentence: str, saved: LpbsResult
) -> None:
    at = playground(models=TINY)
    before = findings(at)
    opened(at, spoil(saved))
    (said,) = errors(at)
    assert sentence in said
    assert findings(at) == before
    assert "saved result" not in infos(at)


def _toy() -> Any:
    spec = ToySpec(models=TINY)
    return spec.run(Run(spec))


def test_every_command_has_a_page_that_shows_it_and_no_page_shows_another() -> None:
    ours = {name: kind for name, kind in measures().items() if kind.__module__.startswith("core.")}
    files = (ROOT / "pages").glob("[0-9]*.py")
    pages = {file.stem.partition("_")[2].replace("_", " "): file.read_text() for file in files}
    assert set(PAGE_OF) == set(ours)
    assert set(PAGE_OF.values()) == {page for page, text in pages.items() if re.search(r"import .*\bsaved\b", text)}
    for command, page in PAGE_OF.items():
        assert re.search(rf"\b{ours[command].__name__}\b", pages[page]), f"{page} does not show {command}"
