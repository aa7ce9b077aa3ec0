"""The downstream page: a demonstration at first, a user's files after that, and sentences for wrong ones."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.sources import gap
from tests.pages.visiting import charts, errors, findings, settle, visit
from tests.support.gap import demo_files, predictions_file
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
