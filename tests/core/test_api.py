"""What a notebook or a program gets of Tiltmeter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from core import api
from core.engine import catalog
from core.measures.lpbs.result import LpbsResult
from core.measures.measure import measures
from core.report.renderer import find_browser

TEMPLATES = ("[TARGET] is a [ATTRIBUTE].", "[TARGET] works as a [ATTRIBUTE].")


@pytest.fixture(scope="module")
def result() -> LpbsResult:
    return api.LpbsSpec(templates=TEMPLATES, groups="he-she", attributes=["nurse", "=farmer"]).run()


def test_every_measure_has_its_spec_in_it() -> None:
    specs = {spec.__name__ for spec in measures().values() if spec.__module__.startswith("core.")}
    assert {"LpbsSpec", "AttentionSpec", "ScanSpec"} <= specs
    assert specs <= set(api.__all__)
    assert all(hasattr(api, name) for name in api.__all__)


def test_a_spec_takes_the_ids_that_are_listed() -> None:
    for preset in api.groups().index:
        assert api.LpbsSpec(groups=preset).groups.id == preset
    for words in api.words().index:
        assert api.LpbsSpec(attributes=words).attributes.id == words
    assert api.groups().loc["he-she", "groups"] == "he: he; she: she"
    assert api.words().loc["professions", "source"].startswith("Bartl, Nissim & Gatt 2020")


def test_association_tests_and_representations_are_listed_for_their_spec() -> None:
    listed, kinds = api.tests(), api.representations()
    spec = api.AssociationSpec(tests=tuple(listed.index), representations=tuple(kinds.index))
    assert [test.title for test in spec.tests] == listed["title"].tolist()
    assert listed.loc["weat6", "lpbs"]
    assert not listed.loc["weat2", "lpbs"]


def test_the_models_are_those_of_the_catalog() -> None:
    assert list(api.models().index) == [entry.name for entry in catalog.entries()]
    assert api.models().loc["bert-base-german", "languages"] == "de"


def test_a_figure_is_that_of_its_page(result: LpbsResult) -> None:
    figure = api.draw(result)
    (bars,) = [trace for trace in figure.data if trace.type == "bar"]
    scores = dict(zip(result["attributes"]["attribute"], result["attributes"]["lpbs"], strict=True))
    assert {name: x for (name, _), x in zip(bars.customdata, bars.x, strict=True)} == pytest.approx(scores)
    assert api.draw(result, model="minilm-mlm", theme=api.DARK).layout.template != figure.layout.template


def test_a_model_that_was_not_measured_cannot_be_drawn(result: LpbsResult) -> None:
    with pytest.raises(api.TiltmeterError, match=r"no model “bert” in the result; there are: minilm-mlm"):
        api.draw(result, model="bert")


def test_what_leaves_carries_its_provenance(result: LpbsResult, tmp_path: Path) -> None:
    api.export(result["attributes"], result, tmp_path / "scores.csv")
    text = (tmp_path / "scores.csv").read_text(encoding="utf-8-sig")
    assert "'=farmer" in text  # no formula for a spreadsheet
    digest = result.provenance.models[0].digest
    assert digest[:8] in text
    api.export(api.draw(result), result, str(tmp_path / "tilt.html"))
    page = (tmp_path / "tilt.html").read_text(encoding="utf-8")
    assert digest in page
    assert "Kurita" in page


@pytest.mark.skipif(find_browser() is None, reason="no Chrome or Chromium here")
def test_a_picture_carries_its_provenance(result: LpbsResult, tmp_path: Path) -> None:
    api.export(api.draw(result), result, tmp_path / "tilt.PNG")
    with Image.open(tmp_path / "tilt.PNG") as image:
        provenance = json.loads(image.text["provenance"])
    assert provenance["models"][0]["digest"] == result.provenance.models[0].digest


@pytest.mark.parametrize("name", ["tilt.csv", "tilt.gif", "tilt"])
def test_a_figure_has_no_other_ending(result: LpbsResult, tmp_path: Path, name: str) -> None:
    with pytest.raises(api.TiltmeterError, match=r"\.png, \.svg, \.pdf or \.html"):
        api.export(api.draw(result), result, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written_is_said(result: LpbsResult, tmp_path: Path) -> None:
    with pytest.raises(api.TiltmeterError, match=r"A table is written as \.csv, not as “\.png”"):
        api.export(result["attributes"], result, tmp_path / "scores.png")
    with pytest.raises(api.TiltmeterError, match="cannot be written: No such file or directory"):
        api.export(result["attributes"], result, tmp_path / "nowhere" / "scores.csv")


def test_a_saved_result_is_read_again(result: LpbsResult, tmp_path: Path) -> None:
    result.save(tmp_path / "x.tilt")
    assert api.load(tmp_path / "x.tilt") == result
    assert "minilm-mlm" in api.methods(result)


def test_a_run_tells_its_progress() -> None:
    stages: list[str] = []
    api.LpbsSpec(attributes=["nurse"]).run(api.Run(heard=lambda progress: stages.append(progress.stage)))
    assert "Scoring with minilm-mlm" in stages
