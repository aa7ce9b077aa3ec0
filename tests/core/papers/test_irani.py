"""The cards of Irani et al. 2020: the print, the notebook, and what a result gives beside them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.measures.association.result import AssociationResult
from core.papers.comparison import compared
from core.papers.registry import card
from core.result import ModelInfo
from core.run import Run
from core.sources import association_test
from tests.support.association_results import association_result, matrix, row
from tests.support.watching import load_tiny

TABLE, FIGURES = card("irani-table-1"), card("irani-figures-1-7")
BERT = ModelInfo(
    "bert",
    "google-bert/bert-base-uncased",
    None,
    "sha256:0",
    "bert",
    "masked",
    12,
    12,
    1,
    ("en",),
    False,
    "f",
    "c",
    "d",
)


def effects(*rows: dict[str, object]) -> AssociationResult:
    found = association_result(rows)
    (spec,) = TABLE.needed
    return replace(found, spec=spec, provenance=replace(found.provenance, models=(BERT,)))


def test_the_notebook_rounds_to_the_print() -> None:
    rounded = [value for value in TABLE.values if value.printed]
    assert len(rounded) == 10
    for value in rounded:
        stored, unit = value.references["notebook"], value.rounding
        assert isinstance(stored, float)
        assert unit is not None
        assert value.number == pytest.approx(stored, abs=unit)


def test_the_print_is_what_the_page_of_the_tests_shows() -> None:
    printed = {value.key: value.number for value in TABLE.values}
    known = association_test("irani").published
    assert {(item.model, item.effect_size, item.p_value) for item in known} == {
        (model, printed[model, "d"], printed[model, "p"])
        for model, column in printed
        if column == "d"
        if "(" not in model
    }


def test_d_and_p_stand_in_the_rows_of_their_layers() -> None:
    result = effects(
        row("bert", "irani", "layer-11-mean", -0.5412, p_observed_direction=0.1452),
        row("bert", "irani", "last-two-layers-mean", -0.61, p_observed_direction=0.12),
        row("else", "irani", "layer-11-mean", 1.0),
    )
    found = {item.value.key: item for item in compared(TABLE, [result]) if item.model == "bert"}
    assert found["BERT-base", "d"].obtained == -0.5412
    assert found["BERT-base", "p"].obtained == 0.1452
    assert found["BERT-base (text)", "d"].obtained == -0.61
    assert found["BERT-base (text)", "p"].obtained == 0.12
    assert found["MSRP", "d"].obtained is None
    # −.5412 is .0002 from the print, −.5425 is .0015.
    assert [found["BERT-base", column].agrees for column in ("d", "p")] == [True, True]
    far = compared(TABLE, [effects(row("bert", "irani", "layer-11-mean", -0.5425, p_observed_direction=0.1452))])
    assert [item.agrees for item in far if item.obtained is not None] == [False, True]


def test_a_row_without_a_print_has_no_tolerance() -> None:
    """What the text says of the layer was never printed: ± 0.001 would be around nothing."""
    rows = {item.value.key: item.tolerance for item in compared(TABLE)}
    assert rows["BERT-base (text)", "d"] is None
    assert rows["BERT-base (text)", "p"] is None
    assert {tolerance for (row, _), tolerance in rows.items() if "text" not in row} == {0.001}


def test_other_tests_and_representations_of_a_saved_result_are_left_alone() -> None:
    result = effects(row("bert", "weat6", "layer-11-mean", 1.0), row("bert", "irani", "vulic", 1.0))
    assert not TABLE.obtained(result, "bert")
    cosine = matrix([[0.5], [0.5]], (["w"], ["b"]), (["n"], []), ("bert", "irani", "vulic"))
    assert not FIGURES.obtained(association_result([row("bert", "irani", "vulic", 1.0)], matrix=cosine), "bert")


def test_a_test_without_a_value_gives_none() -> None:
    assert not TABLE.obtained(effects(row("bert", "irani", "layer-11-mean", None)), "bert")


def test_cosines_are_means_over_the_sentences() -> None:
    """X with A (.1 + .3 + .5 + .7) / 4, with B .2; Y with A (.0 + .4) / 2, with B −.6."""
    values = [[0.1, 0.3, 0.2], [0.5, 0.7, 0.2], [0.0, 0.4, -0.6]]
    rows = matrix(values, (["w1", "w2"], ["b1"]), (["n1", "n2"], ["p1"]), ("bert", "irani", "layer-11-mean"))
    found = FIGURES.obtained(association_result([row("bert", "irani", "layer-11-mean", 0.1)], matrix=rows), "bert")
    assert found == {
        ("white, negative emotions", "mean cosine"): pytest.approx(0.4),
        ("white, positive emotions", "mean cosine"): pytest.approx(0.2),
        ("black, negative emotions", "mean cosine"): pytest.approx(0.2),
        ("black, positive emotions", "mean cosine"): pytest.approx(-0.6),
    }


@pytest.mark.parametrize("id", [TABLE.id, FIGURES.id])
def test_a_run_gives_every_row_that_a_model_can(id: str) -> None:
    model = load_tiny("bert")
    found = card(id)
    assert found.asks is not None
    results = [asked.spec.measure([model], Run()) for asked in found.asks(("minilm-mlm",))]
    rows = compared(found, results)
    unpublished = {"MSRP", "Jigsaws", "COVID", "Hate"}
    assert {item.value.row for item in rows if item.obtained is None} == (unpublished if found is TABLE else set())
