"""The downstream page: a demonstration in each tab, a user's files after that, and sentences for wrong ones."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.sources import gap
from pages.downstream import coreference, occupations, resolution
from tests.pages.visiting import charts, errors, findings, settle, visit
from tests.support.coreference_results import wino_table
from tests.support.gap import demo_files, predictions_file
from tests.support.occupation_results import bios_table
from tests.support.tiny import tiny_folder

PAGE = "pages/8_Downstream.py"
FILES = demo_files()
TRUTH = {"A": ("TRUE", "FALSE"), "B": ("FALSE", "TRUE"), "neither": ("FALSE", "FALSE")}


def page(**link: Any) -> AppTest:
    return visit(PAGE, models=[str(tiny_folder("bert"))], layer="-1", **link)


def give(at: AppTest, name: str, content: bytes, file: str) -> AppTest:
    at.file_uploader(key=f"downstream.{name}").set_value([(file, content, "text/tab-separated-values")])
    return settle(at)


def test_the_first_visit_is_a_demonstration_that_says_so() -> None:
    at = page()
    assert not errors(at)
    assert findings(at)[0].startswith("Demonstration, no measurement: ")
    assert any("far too few to say anything about a model" in caption.value for caption in at.caption)
    assert len(charts(at)) == 3


def test_predictions_alone_are_scored_on_the_user_s_documents() -> None:
    at = page()
    at = give(at, "test", FILES["test"].data, "test.tsv")
    assert "nothing to score on the test documents" in errors(at)[0]
    answers = {item.id: TRUTH[item.label] for item in gap.demonstration()["test"].documents}
    at = give(at, "predictions", predictions_file(answers, "ID,A-coref,B-coref"), "truth.csv")
    assert not errors(at)
    assert findings(at)[0].startswith("truth.csv: F1 1.000")


def test_a_wrong_file_is_a_sentence_with_its_line_and_loses_nothing() -> None:
    at = give(page(), "test", FILES["test"].data.replace(b"\t79\t", b"\t80\t", 1), "test.tsv")
    assert "Line 2 of test.tsv: Pronoun-offset 80 is where" in errors(at)[0]
    assert findings(at), "the last result stays on screen"


def test_no_two_tabs_share_the_name_of_an_input() -> None:
    names = [option.name for tab in (resolution, occupations, coreference) for option in (*tab.INPUTS, *tab.VIEWS)]
    assert len(set(names)) == len(names)


def test_coreference_begins_with_a_demonstration_and_takes_files() -> None:
    at = page(what="coreference", wino_seed="5")
    assert not errors(at)
    assert findings(at)[0].startswith("Demonstration, no measurement: ")
    assert len(charts(at)) == 1
    at = give(at, "wino_answers", wino_table(answers=True), "answers.csv")
    assert "give your WinoBias files" in errors(at)[0]
    at = give(at, "wino_sentences", wino_table(), "wino.csv")
    assert not errors(at)
    assert [finding.partition(":")[0] for finding in findings(at)][1:] == ["answers.csv"]
    assert at.query_params["wino_seed"] == "5"


def test_a_table_of_another_kind_is_refused_with_what_is_expected() -> None:
    at = give(page(what="coreference"), "wino_sentences", b"a,b\n1,2\n", "x.csv")
    assert "x.csv is not recognised as WinoBias" in errors(at)[0]


def test_occupations_begin_with_a_demonstration_and_take_files() -> None:
    at = page(what="occupations", bios_text="bio", bios_texts="both", bios_split="part", bios_erase="both")
    assert not errors(at)
    assert all(finding.startswith("Demonstration, no measurement: ") for finding in findings(at))
    assert len(findings(at)) == 4, "texts as they are, and scrubbed, each also with gender erased"
    at = give(at, "bios", bios_table(), "bios.csv")
    assert not errors(at)
    assert not findings(at)[0].startswith("Demonstration")
    assert len(charts(at)) == 2
    at.text_input(key="downstream.bios_occupation").set_value("job")
    at = settle(at)
    assert "bios.csv lacks the column “job”" in errors(at)[0]
    assert at.query_params["bios_occupation"] == "job"
