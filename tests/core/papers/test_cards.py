"""What every card promises, and how it is compared."""

from __future__ import annotations

import math
from typing import Any

import pytest

from core.errors import OptionError
from core.measures.lpbs.spec import LpbsSpec
from core.papers.card import NEEDED, NOTHING, RUNS, Card, ask
from core.papers.comparison import compared, frame, text_frame
from core.papers.inputs import Inputs
from core.papers.printed import PaperData, Value, paper_data
from core.papers.registry import card, cards, papers
from core.report.works import REFERENCES
from core.sources.lists import data_files
from tests.support.past import scores

CARDS = list(cards().values())


def ids(found: Card) -> str:
    return found.id


def test_every_paper_has_its_file_and_every_file_its_paper() -> None:
    assert {f"papers/{paper.id}.json" for paper in papers()} == set(data_files("papers"))
    for paper in papers():
        assert set(paper_data(paper.id).cards) == {found.id for found in paper.cards}
        assert paper.name in REFERENCES
        assert paper_data(paper.id).source
        assert paper_data(paper.id).licence


@pytest.mark.parametrize("found", CARDS, ids=ids)
def test_a_card_says_what_a_reader_needs(found: Card) -> None:
    assert found.id.startswith(f"{found.paper}-")
    for text in (found.shows, *found.causes, found.needs, found.tolerance, *found.references.values()):
        assert not text or text[-1] in ".)", text
    assert found.runs in (RUNS, NEEDED, NOTHING)
    assert (found.runs == NOTHING) == (found.asks is None and not found.needs)
    columns = {value.column for value in found.values}
    assert set(found.tolerances) <= columns
    numbers = any(value.number is not None for value in found.values)
    assert found.tolerance or not (found.kinds and numbers), "why there is this tolerance, or none"
    assert len({value.key for value in found.values}) == len(found.values)
    assert len({tuple(value.references) for value in found.values}) <= 1
    for value in found.values:
        if value.rounding is not None and value.column in found.tolerances:
            assert found.tolerances[value.column] >= value.rounding, "the print itself is no closer"


def numbers(place: str) -> set[str]:
    """Every table and figure that a place names: “Figures 3 to 5” are three, “Tables 2 and 3, Figure 1” as many."""
    named = set()
    for part in place.split(", "):
        kind, _, rest = part.partition(" ")
        if kind.rstrip("s") in ("Table", "Figure"):
            first, _, last = rest.partition(" to ")
            which = range(int(first), int(last) + 1) if last else rest.split(" and ")
            named |= {f"{kind.rstrip('s')} {number}" for number in which}
    return named


def every(kind: str, last: int) -> set[str]:
    return {f"{kind} {number}" for number in range(1, last + 1)}


@pytest.mark.parametrize(
    ("paper", "there_are"),
    [
        ("kurita", every("Table", 6)),
        ("bartl", every("Table", 5) | every("Figure", 5)),
        ("irani", {"Table I"} | every("Figure", 7)),
        ("delobelle", every("Table", 4) | every("Figure", 4)),
    ],
)
def test_each_table_and_figure_of_a_paper_is_found_by_its_number(paper: str, there_are: set[str]) -> None:
    """Figures 2a and 2b are Figure 2. Of Li et al. no number is known."""
    places = [found.place for found in CARDS if found.paper == paper]
    named = set().union(*map(numbers, places))
    assert {name.rstrip("ab") for name in named} == there_are


@pytest.mark.parametrize("found", [found for found in CARDS if found.asks], ids=ids)
def test_a_spec_is_one_that_a_user_would_get(found: Card) -> None:
    assert found.asks is not None
    for asked in found.asks(("minilm-mlm",)):
        known = {item.name: item for item in asked.kind.inputs()}
        assert set(asked.inputs) <= set(known)
        # Through a link and back nothing changes.
        linked = {name: known[name].read(known[name].write(value)) for name, value in asked.inputs.items()}
        assert {problem for _, problem in linked.values()} == {None}
        assert asked.kind.of({name: value for name, (value, _) in linked.items()}) == asked.spec


def test_printed_texts_keep_their_digits() -> None:
    values = [
        Value("r", "c", text, {}) for text in ("0.8744*", "-0.20", "359188", "4e-11", "1,234.5", "", "T is A", "<.05")
    ]
    assert [value.number for value in values] == [0.8744, -0.2, 359188, 4e-11, 1234.5, None, None, None]
    assert [value.decimals for value in values[:5]] == [4, 2, 0, 0, 1]
    assert [value.rounding for value in values] == pytest.approx([0.00005, 0.005, 0.5, 5e-12, 0.05, None, None, None])


def made_up(monkeypatch: pytest.MonkeyPatch, **more: Any) -> Card:
    """A card of four values, whose scores obtain the first three."""
    values = (
        Value("nurse", "LPBS", "0.40*", {"stored": 0.4123}),
        Value("judge", "LPBS", "-0.5", {"stored": None}),
        Value("judge", "words", "he, she", {"stored": None}),
        Value("judge", "p", "", {"stored": 0.25}),
    )
    data = PaperData("a paper", "facts", {"stored": "Stored scores."}, {"toy-table-1": values})
    monkeypatch.setattr("core.papers.card.paper_data", {"toy": data}.__getitem__)

    def obtained(result: Any, model: str) -> dict[Any, Any]:
        (row,) = result["overall"].query("model == @model").to_dict("records")
        return {
            ("nurse", "LPBS"): row["lpbs"],
            ("judge", "LPBS"): row["lpbs"] - 1,
            ("judge", "words"): "he, she" if row["lpbs"] > 0 else "they",
        }

    fields: dict[str, Any] = {
        "asks": ask(LpbsSpec, attributes="winobias"),
        "inputs": (Inputs(of=LpbsSpec, free=("attributes",)),),
        "obtained": obtained,
        "model_ids": ("me/bert",),
        "tolerances": {"LPBS": 0.1},
        "tolerance": "Made up.",
    }
    return Card(id="toy-table-1", place="Table 1", title="Toy", shows="Toy.", **(fields | more))


def test_obtained_stands_beside_the_print_with_difference_and_tolerance(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = compared(made_up(monkeypatch), [scores(0.5)])
    # 0.5 − 0.40 = 0.1, just within; −0.5 − −0.5 = 0.
    assert [row.difference for row in rows] == [pytest.approx(0.1), pytest.approx(0.0), None, None]
    assert [row.agrees for row in rows] == [True, True, True, None]
    assert [row.agrees for row in compared(made_up(monkeypatch), [scores(0.51)])] == [False, True, True, None]
    assert [row.agrees for row in compared(made_up(monkeypatch), [scores(-0.2)])] == [False, False, False, None]
    found = frame(rows)
    assert list(found.columns) == [
        *("model", "row", "column", "printed", "obtained", "difference", "agrees", "stored", "tolerance")
    ]
    assert math.isclose(found["difference"].iloc[0], 0.1)
    text = text_frame(rows)
    assert text.iloc[0].to_dict() == {
        **{"model": "bert", "row": "nurse", "column": "LPBS", "printed": "0.40*", "stored": "0.41"},
        **{"obtained": "0.50", "difference": "+0.10", "tolerance": "± 0.1", "agrees": "yes"},
    }
    assert text["printed"].iloc[1] == "−0.5"
    assert text["stored"].iloc[3] == "0.250"


def test_another_model_is_compared_and_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = compared(made_up(monkeypatch, model_ids=("else/where",)), [scores(0.5)])
    assert [row.agrees for row in rows] == [None, None, None, None]
    assert rows[0].difference == pytest.approx(0.1)
    assert rows[0].tolerance == 0.1


def test_without_results_the_print_and_the_stored_scores_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made_up(monkeypatch)
    assert list(frame(compared(found)).columns) == ["row", "column", "printed", "stored", "tolerance"]
    assert list(frame(compared(made_up(monkeypatch, obtained=lambda result, model: {}), [scores()])).columns) == [
        *("row", "column", "printed", "stored", "tolerance")
    ]


def test_what_could_not_be_computed_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = compared(made_up(monkeypatch), [scores(math.nan)])
    assert [row.obtained for row in rows] == [None, None, "they", None]
    assert text_frame(rows)["obtained"].dropna().tolist() == ["they"]


def test_what_needs_no_model_is_compared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made_up(monkeypatch, asks=None, here=lambda: {("judge", "words"): "she, he"}, tolerance="")
    assert found.runs == NOTHING
    assert [row.agrees for row in compared(found)] == [None, None, False, None]


def test_the_spec_is_that_of_the_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made_up(monkeypatch)
    assert found.asks is not None
    (asked,) = found.asks(("a", "b"))
    assert asked.spec == LpbsSpec(attributes="winobias", models=("a", "b"))


def test_an_unknown_card_is_refused_with_those_that_are_near() -> None:
    with pytest.raises(OptionError, match="Did you mean kurita-table-3"):
        card("kurita-tabel-3")
    with pytest.raises(OptionError, match="“paper list” names them all"):
        card("zzz")
