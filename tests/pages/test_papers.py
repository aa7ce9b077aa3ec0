"""The page of the papers: what is printed, what a model gives, and the way to the measure's own page."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.errors import NothingToScore
from core.measures.attention.scan.spec import ScanSpec
from core.measures.prepared import Prepared
from core.papers.comparison import compared
from core.papers.registry import cards
from pages.papers.cards import told_apart
from pages.papers.table import as_html
from pages.shared import resources
from pages.shared.frame import path_of
from pages.shared.places import PAGE_OF, address
from tests.core.papers.test_bartl import change, info
from tests.core.papers.test_kurita import resolved
from tests.pages.visiting import errors, settle, visit
from tests.support.past import scores

PAGE = "pages/9_Papers.py"
FIRST, MODEL = "kurita-table-3", "minilm-mlm"


def rows(at: AppTest) -> list[dict[str, Any]]:
    """The rows of the first table on screen, as texts, each below the heading it stands under."""
    (body, *_) = [shown.proto.body for shown in at.main.get("html") if "<table" in shown.proto.body]
    table = next(ElementTree.fromstring(body).iter("table"))
    names = [str(head.text) for head in table.iterfind("thead/tr/th")][1:]
    found: list[dict[str, Any]] = []
    for group in table.iterfind("tbody"):
        heading = group.find("tr/th[@scope='rowgroup']")
        for row in group.iterfind("tr"):
            label, cells = row.find("th"), [cell.text for cell in row.iterfind("td")]
            if label is None or label is heading:
                continue
            place = label.text if heading is None else heading.text
            found.append({"row": place, "column": label.findtext("span"), **dict(zip(names, cells, strict=True))})
    return found


def test_a_card_shows_the_print_and_measures_nothing_until_it_is_asked_to() -> None:
    at = visit(PAGE)
    assert not errors(at)
    assert list(rows(at)[0]) == ["row", "column", "printed", "stored outputs", "without prior", "tolerance"]
    assert rows(at)[2]["printed"] == "0.8744*"
    assert rows(at)[2]["stored outputs"] == "0.4458"
    assert "run" not in at.query_params
    assert any("Nothing is measured yet" in info.value for info in at.info)
    drawn = [element.type for element in at.main]
    table = next(place for place, element in enumerate(at.main) if "<table" in getattr(element.proto, "body", ""))
    assert drawn.index("info") < table, "and so its progress: below a long table nobody sees it"


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
    asked: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Any] = []

    def measured(spec: Any, run: Any) -> Any:
        found.append(spec)
        raise NothingToScore("known now")

    monkeypatch.setattr("pages.shared.resources.measure", measured)
    monkeypatch.setattr("pages.shared.resources.into_folder", measured)
    at = visit(path_of(PAGE_OF[asked.kind.COMMAND]), **address(asked))
    if asked.kind is ScanSpec:  # what stands there is the stored scan, until the button asks for another
        settle(next(button for button in at.button if button.label.startswith("Scan")).click().run())
    assert [spec for spec in found if type(spec) is asked.kind] == [asked.spec.base]
    assert not at.warning


def test_a_link_to_no_card_says_so() -> None:
    at = visit(PAGE, card="kurita-table-99")
    assert "kurita-table-99" in at.warning[0].value.replace("\\", "")


def test_every_card_can_be_read_without_measuring() -> None:
    at = visit(PAGE)
    for card in cards().values():
        at.selectbox[0].set_value(card.id)
        settle(at)
        assert not errors(at), card.id
        said = [shown.value.replace("\\", "") for kind in (at.markdown, at.info, at.caption) for shown in kind]
        assert card.shows in said
        if card.values:
            assert len(rows(at)) == len(card.values)
        if card.needs:
            assert f"To bring: {card.needs}" in said
        assert (f"Run on {MODEL}" in [button.label for button in at.button]) == (card.asks is not None)


def test_several_models_are_named_by_the_button() -> None:
    at = visit(PAGE, card="kurita-table-5", models=[MODEL, "distilbert"])
    assert "Run on minilm-mlm and distilbert" in [button.label for button in at.button]


def test_a_saved_result_stands_beside_the_card_it_is_for() -> None:
    saved = f"{resources.uploads().put(resolved().to_bytes())}:gap.tilt"
    at = visit(PAGE, card="kurita-table-4", saved=saved)
    assert not errors(at)
    assert [row["obtained"] for row in rows(at)][:2] == ["0.110", "0.115"]
    at.selectbox[0].set_value("bartl-table-4")
    settle(at)
    assert "gap.tilt is not a result of this page" in errors(at)[0]
    next(button for button in at.button if button.label == "Close it").click()
    assert not errors(settle(at))


def test_what_cannot_be_measured_is_said_below_the_print() -> None:
    at = visit(PAGE, card="bartl-table-5", run="bartl-table-5")
    (said,) = errors(at)
    assert "German" in said
    assert rows(at)[0]["printed"] == "2.05"


def test_the_link_of_several_models_is_that_of_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(spec: Any, run: Any) -> Any:
        raise NothingToScore("of its inputs alone")

    monkeypatch.setattr("pages.shared.resources.measure", measured)
    monkeypatch.setattr("core.papers.bartl.parentage_of", lambda name: None if name == MODEL else "a record")
    asks = cards()["bartl-table-4"].asks
    assert asks is not None
    (asked,) = asks((MODEL, "distilbert"))
    link = address(asked)
    assert link == {"what": ["changed"], "children": ["distilbert"]}, "the base and professions are the defaults"
    at = visit(path_of(PAGE_OF["change"]), **link)
    assert not at.warning
    assert at.multiselect(key="mitigation.children").value == ["distilbert"]


def test_links_to_one_page_say_what_tells_them_apart() -> None:
    at = visit(PAGE, card="kurita-table-5")
    labels = [link.proto.label.replace("\\", "") for link in at.get("page_link")]
    assert [label for label in labels if label.startswith("The same")] == [
        "The same on Playground: 230 positive traits (Kurita)",
        "The same on Playground: 257 negative traits (Kurita)",
    ]
    at = visit(PAGE, card=FIRST)
    (label,) = [link.proto.label for link in at.get("page_link") if link.proto.label.startswith("The same")]
    assert ":" not in label
    for card in cards().values():
        asked = () if card.asks is None else card.asks((MODEL, "distilbert"))
        for page in {PAGE_OF[ask.kind.COMMAND] for ask in asked}:
            there = [ask for ask in asked if PAGE_OF[ask.kind.COMMAND] == page]
            assert len({told_apart(ask, there) for ask in there}) == len(there), card.id


def test_of_several_results_it_is_said_which_leaves_by_which_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [scores(model="bert"), scores(model="gpt2", word="pilot")]
    monkeypatch.setattr("pages.papers.cards._measured", lambda card, asked: found)
    at = visit(PAGE, card="kurita-table-5", run="kurita-table-5")
    assert not errors(at)
    said = [caption.value.replace("\\", "") for caption in at.caption]
    (first,) = [text for text in said if text.startswith("CSV and Pin have the rows of both measurements")]
    assert f"are of {found[0].spec.line};" in first
    assert f"Also behind this card: {found[1].spec.line}." in said
    tilts = [button.proto.label for button in at.get("download_button") if button.proto.label in ("JSON", "TILT")]
    assert tilts == ["JSON", "TILT"] * 2


def test_a_model_that_is_not_there_is_said_and_the_print_stays() -> None:
    at = visit(PAGE, card="bartl-table-4", run="bartl-table-4", models=["/no/such"])
    assert errors(at) == ["There is no folder /no/such; give the folder that holds config.json and the weights."]
    assert rows(at)[0]["printed"] == "0.50"


def test_a_table_has_its_rows_below_headings_and_every_text_as_it_is() -> None:
    table = pd.DataFrame(
        {"row": ["<b>A</b>", "<b>A</b>", "B"], "column": ["x", "y", "z"], "printed": ["1", None, "[MASK] & 2"]}
    )
    markup = as_html(table, 'of "A"')
    root = ElementTree.fromstring(markup)
    assert root.get("aria-label") == 'of "A"'
    lines = ["".join(item.itertext()) for item in root.iter("tr")]
    assert lines == ["rowprinted", "<b>A</b>", "x1", "y–", "Bz[MASK] & 2"]
    assert [item.get("colspan") for item in root.iter("th") if item.get("scope") == "rowgroup"] == ["2"]


def test_printed_obtained_and_difference_come_first() -> None:
    at = visit(PAGE, card="bartl-professions")
    assert list(rows(at)[0])[2:6] == ["printed", "obtained", "difference", "agrees"]
    assert len(rows(at)) == 60


def test_a_model_after_without_a_record_stands_there_as_the_user_said() -> None:
    result = change(base=info("base"), elsewhere=info("elsewhere"))
    at = visit(PAGE, card="bartl-table-4", saved=f"{resources.uploads().put(result.to_bytes())}:change.tilt")
    assert not errors(at)
    assert not at.warning
    assert any("elsewhere: made from base, as you said" in shown.value.replace("\\", "") for shown in at.info)
    assert {row["column"] for row in rows(at) if row["obtained"] != "–"} == {"pre", "post", "difference", "W", "r"}


def test_the_measures_of_table_1_say_where_they_are_found() -> None:
    """Each of the 13 rows names a page that there is."""
    found = [row for row in compared(cards()["delobelle-table-1"]) if row.value.column == "in this program"]
    assert len(found) == 13
    assert {str(row.obtained).removeprefix("page ").partition(",")[0] for row in found} <= set(PAGE_OF.values())
    assert all(row.agrees is None for row in compared(cards()["delobelle-table-1"]))
