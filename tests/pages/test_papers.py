"""The page of the papers: what is printed, what a model gives, and the way to the measure's own page."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import NothingToScore
from core.papers.card import Ask
from core.papers.registry import cards
from pages.papers.cards import address
from pages.shared.frame import path_of
from pages.shared.saved import PAGE_OF
from tests.pages.visiting import errors, settle, visit

PAGE = "pages/9_Papers.py"
FIRST = "kurita-table-3"


def rows(at: AppTest) -> list[dict[str, Any]]:
    """The rows on screen, as texts."""
    return at.dataframe[0].value.to_dict("records")


def test_a_card_shows_the_print_and_measures_nothing_until_it_is_asked_to() -> None:
    at = visit(PAGE, card=FIRST)
    assert not errors(at)
    assert list(rows(at)[0]) == ["row", "column", "printed", "stored outputs", "without prior", "tolerance"]
    assert rows(at)[2]["printed"] == "0.8744*"
    assert rows(at)[2]["stored outputs"] == "0.4458"
    assert "run" not in at.query_params
    assert any("Nothing is measured yet" in info.value for info in at.info)


def test_the_button_measures_and_the_link_says_so() -> None:
    at = visit(PAGE, card=FIRST)
    next(button for button in at.button if button.label == "Run on minilm-mlm").click()
    settle(at)
    assert not errors(at)
    assert at.query_params["run"] == FIRST
    (row,) = [row for row in rows(at) if row["row"] == "WEAT 7: math, arts" and row["column"] == "LPBS"]
    assert float(row["obtained"]) - 0.8495 == pytest.approx(float(row["difference"].replace("−", "-")), abs=1e-4)
    assert "agrees" not in row, "the print is of another model"
    again = visit(PAGE, card=FIRST, run=FIRST)
    assert rows(again) == rows(at)


@pytest.mark.parametrize(
    "asked",
    [asked for card in cards().values() if card.asks for asked in card.asks(("minilm-mlm",))],
    ids=lambda asked: asked.kind.COMMAND,
)
def test_the_link_of_a_card_opens_the_same_inputs_on_the_page_of_the_measure(
    asked: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Any] = []

    def measured(spec: Any, run: Any) -> Any:
        found.append(spec)
        raise NothingToScore("known now")

    monkeypatch.setattr("pages.shared.resources.measure", measured)
    at = visit(path_of(PAGE_OF[asked.kind.COMMAND]), **address(asked))
    assert [spec for spec in found if type(spec) is asked.kind] == [asked.spec.base]
    assert not at.warning


def test_a_link_to_no_card_says_so() -> None:
    at = visit(PAGE, card="kurita-table-99")
    assert "kurita-table-99" in at.warning[0].value.replace("\\", "")
