"""Refused inputs: what was measured before is shown as that, with the words it belongs to, and cannot be exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.visiting import PLAYGROUND, WORKED, bars, charts, errors, findings, playground, settle, visit
from tests.support.tiny import tiny_folder

NO_EXPORT = "To export, correct the inputs above; what is shown belongs to the last measurement."
NOT_WHAT_IS_ASKED_FOR = "Shown below is the last measurement, which is not that of the inputs above: "


def said(at: AppTest) -> list[str]:
    """What the shown measurement belongs to, where it is not what is asked for."""
    return [text.value.removeprefix(NOT_WHAT_IS_ASKED_FOR) for text in at.text if NOT_WHAT_IS_ASKED_FOR in text.value]


def exports(at: AppTest) -> int:
    return len(at.get("download_button"))


def typed(at: AppTest, kind: str, key: str, value: Any) -> AppTest:
    getattr(at, kind)(key=key).set_value(value)
    return settle(at)


def test_a_refused_template_leaves_the_last_measurement_as_that_of_its_template() -> None:
    at = playground()
    finding, (panel,) = findings(at), bars(charts(at)[0])
    assert exports(at) > 0
    typed(at, "text_input", "playground.template", "The [ATTRIBUTE] was tired.")
    assert len(errors(at)) == 1, "said once"
    (measured,) = said(at)
    assert measured.startswith(f"“{WORKED}” · he / she · nurse, ")
    assert measured.endswith(" · minilm-mlm")
    assert findings(at) == finding
    assert bars(charts(at)[0]) == [panel]
    assert exports(at) == 0
    assert NO_EXPORT in [caption.value for caption in at.caption]
    # The next good one is measured, and nothing is outdated any more.
    typed(at, "text_input", "playground.template", "[TARGET] is a [ATTRIBUTE].")
    assert not errors(at)
    assert not said(at)
    assert exports(at) > 0
    assert bars(charts(at)[0]) != [panel]


def test_a_refused_template_of_a_link_shows_nothing_in_its_place() -> None:
    at = visit(PLAYGROUND, template="The [ATTRIBUTE] was tired.")
    assert len(errors(at)) == 1
    assert not findings(at)
    assert not said(at)
    assert not charts(at)


def test_a_model_that_does_not_exist_leaves_the_last_measurement_too(tmp_path: Path) -> None:
    at = playground()
    finding = findings(at)
    at.multiselect(key="playground.models").set_value([str(tmp_path / "nowhere")])
    settle(at)
    assert "There is no folder" in errors(at)[0]
    assert len(said(at)) == 1
    assert said(at)[0].endswith("· minilm-mlm")
    assert findings(at) == finding
    assert exports(at) == 0


def test_the_page_of_a_failure_is_not_outdated_on_another_page() -> None:
    at = playground()
    typed(at, "text_input", "playground.template", "no slots")
    assert said(at)
    settle(at.switch_page("app.py"))
    assert not said(at)
    assert exports(at) > 0


TINY = {"models": [str(tiny_folder("bert"))]}
REFUSED = {
    "association": (
        "pages/2_Association_tests.py",
        {"tests": ["weat6"]},
        "text_input",
        "association_tests.layer",
        "first",
    ),
    "professions": (
        "pages/3_Professions.py",
        {"en_words_professions": "nurse\njudge"},
        "text_area",
        "professions.en_words_pairs",
        "no pair at all",
    ),
    "attention": ("pages/4_Attention.py", {}, "text_area", "attention.sentence", "Nobody is here."),
    "templates": ("pages/5_Reliability.py", {"subsets": "4"}, "multiselect", "reliability.representations", []),
    "benchmarks": (
        "pages/6_Benchmarks.py",
        {"words": "own", "female_words": "she\nsister", "male_words": "he\nbrother"},
        "text_area",
        "benchmarks.female_words",
        "",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_every_page_does_the_same(name: str) -> None:
    page, link, kind, key, refused = REFUSED[name]
    at = visit(page, **TINY, **link)
    finding = findings(at)
    assert finding
    assert exports(at) > 0
    typed(at, kind, key, refused)
    assert len(errors(at)) == 1
    assert len(said(at)) == 1
    assert said(at)[0]
    assert findings(at) == finding
    assert exports(at) == 0


def test_a_refused_divergence_and_metrics() -> None:
    at = visit("pages/5_Reliability.py", **TINY, compare="divergence")
    assert findings(at)
    at.selectbox(key="reliability.set").set_value("own")
    settle(at)
    assert not said(at), "the templates that stand in the box are good"
    typed(at, "text_area", "reliability.own_templates", "There is no blank here.")
    assert len(errors(at)) == 1
    assert len(said(at)) == 1
    assert exports(at) == 0
