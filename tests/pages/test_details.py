"""The select box beside a chart that does what a click on it does."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.details import DETAILS, Details
from tests.pages.visiting import charts, findings, html, settle, visit

ATTENTION = "She told him that the nurse was late."


def _box(at: AppTest) -> Any:
    return next(box for box in at.selectbox if box.key.endswith(".details"))


def _chosen(at: AppTest, label: str) -> AppTest:
    _box(at).select(label)
    return settle(at)


def test_the_box_of_the_playground_chooses_the_card_and_the_shaded_row() -> None:
    at = visit("pages/1_Playground.py", attributes="own", own_attributes="nurse, engineer, teacher")
    first = re.search(r"<h3>(\w+)", html(at))
    assert first is not None
    assert _box(at).value.startswith(first[1])
    other = next(name for name in ("nurse", "engineer", "teacher") if name != first[1])
    at = _chosen(at, f"{other} · minilm-mlm")
    assert f"<h3>{other}" in html(at)
    assert any(label == f"<b>{other}</b>" for label in charts(at)[0]["layout"]["yaxis"]["ticktext"])
    assert at.query_params["details"] == f"{other} · minilm-mlm"


def test_the_box_of_the_professions_chooses_the_card() -> None:
    at = visit("pages/3_Professions.py", en_words_professions="nurse\nplumber\nteacher")
    at = _chosen(at, "teacher · minilm-mlm · en")
    assert "<h3>teacher" in html(at)


def test_the_box_of_the_tests_chooses_what_is_looked_at() -> None:
    at = visit("pages/2_Association_tests.py", tests=["weat6", "weat7"], representations=["lpbs"])
    at = _chosen(at, "minilm-mlm · weat7 · lpbs")
    assert any(heading.value.startswith("WEAT 7") for heading in at.subheader)


def test_the_box_of_the_heads_chooses_the_map() -> None:
    at = visit("pages/4_Attention.py", sentence=ATTENTION)
    at = _chosen(at, "minilm-mlm · 2 · 5")
    assert any("L2 H5" in heading.value for heading in at.subheader)
    frames = [shape for shape in charts(at)[0]["layout"]["shapes"] if shape["type"] == "rect"]
    assert [(shape["x0"], shape["y0"]) for shape in frames] == [(4.5, 1.5)]


def test_a_link_asks_for_details() -> None:
    at = visit("pages/4_Attention.py", sentence=ATTENTION, details="minilm-mlm · 3 · 4")
    assert any("L3 H4" in heading.value for heading in at.subheader)


@pytest.mark.parametrize(
    ("clicked", "name"),
    [
        (("pooled", "T1", "T2"), "pooled · T1 · T2"),
        (("pooled", "T2", "T1"), "pooled · T1 · T2"),  # the other half of the matrix
        (("cls", "T1", "T2"), "cls · T1 · T2"),
        (("cls",), "cls · T1 · T2"),  # a mark that stands for several: the first
        (("cls", "T1", "T3"), None),
        (("max", "T1", "T2"), None),
        ((), None),
    ],
)
def test_a_click_stands_for_a_mark(clicked: tuple[str, ...], name: str | None) -> None:
    marks = [("pooled", "T1", "T2"), ("cls", "T1", "T2")]
    details = Details(DETAILS, {" · ".join(mark): mark for mark in marks}, marks[0])
    assert details.name_of(clicked) == name


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("app.py", {}),
        ("pages/1_Playground.py", {"attributes": "own", "own_attributes": "nurse, engineer, teacher"}),
        (
            "pages/3_Professions.py",
            {"en_words_professions": "nurse\nplumber\ncarpenter\ndietitian\nroofer\nreceptionist"},
        ),
        ("pages/4_Attention.py", {"sentence": ATTENTION}),
    ],
)
def test_the_first_chart_says_what_the_finding_says(page: str, link: dict[str, str]) -> None:
    at = visit(page, **link)
    alternatives = [chart.proto.alt for chart in at.get("plotly_chart")]
    assert findings(at)[0] in alternatives[0]
    assert all(re.search(r"\d", text) for text in alternatives)
