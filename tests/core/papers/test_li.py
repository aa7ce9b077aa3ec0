"""The cards of Li et al. 2021: places of a scan, layers together, beside what the paper says in words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

from core.engine.loading import with_attentions
from core.measures.attention.scan.compute import read
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.scan.spec import ScanSpec
from core.papers.card import Found
from core.papers.comparison import compared, remarks, text_frame
from core.papers.registry import card
from core.run import Run
from core.sources.example_corpus import EXAMPLE_SCAN, example_corpus
from tests.support.attention_results import NOBODY, heads, profile, result
from tests.support.watching import load_tiny

FLOW, SPREAD, CORPUS, SENTENCE = (card(f"li-{name}") for name in ("flow", "spread", "corpus", "sentence"))
DIRECTION = "against what it is computed from"
# Of the embedding, then query, key, value, context and output of two layers.
CHANGES = [None, 0.3, 0.2, 0.1, -0.2, 0.05, 0.1, 0.4, 0.1, 0.1, 0.05]


def scan(changes: Sequence[float | None], model: str = "m", kept: int = 7, **columns: Sequence[float]) -> ScanResult:
    rows = profile(model, [0.02] * len(changes), difference=changes, **columns)
    return ScanResult(
        spec=ScanSpec(),
        tables=ScanResult.SCHEMA.frames(positions=rows, counts=pd.DataFrame({"reason": ["kept"], "n": [kept]})),
        excluded=(),
        notes=(),
        provenance=NOBODY,
    )


def test_changes_are_means_over_layers() -> None:
    """Query (.3 + .1) / 2, key (.2 + .4) / 2, value .1, context (−.2 + .1) / 2, output .05."""
    found = FLOW.obtained(scan(CHANGES), "m")
    changes = {row: value for (row, column), value in found.items() if column == "mean change"}
    assert changes == pytest.approx(
        {"query": 0.2, "key": 0.3, "value": 0.1, "averaged attention": -0.05, "rest of the layer": 0.05}
    )
    said = [found[row, DIRECTION] for row in changes]
    assert said == ["rises", "rises", "rises", "falls", "rises"]
    assert said == [value.printed for value in FLOW.values if value.column == DIRECTION], "as the paper says"
    assert found["embedding", "mean degree"] == pytest.approx(0.02)
    assert found["query and key", "add more than every other part"] == "yes"


@pytest.mark.parametrize("place", [3, 10])  # value of the first layer, output of the second
def test_query_and_key_add_more_only_where_both_do(place: int) -> None:
    """0.5 there makes the mean of value .3, or that of output .275: more than the .2 of query."""
    changes = [*CHANGES[:place], 0.5, *CHANGES[place + 1 :]]
    assert FLOW.obtained(scan(changes), "m")["query and key", "add more than every other part"] == "no"


def test_the_embedding_may_have_more_too() -> None:
    rows = scan(CHANGES)
    rows["positions"].loc[0, "mean_degree"] = 0.21
    assert FLOW.obtained(rows, "m")["query and key", "add more than every other part"] == "no"


def test_a_place_without_a_value_says_nothing() -> None:
    found = FLOW.obtained(scan([None, *[None] * 5, *[None] * 5]), "m")
    assert set(found) == {("embedding", "mean degree")}
    assert FLOW.obtained(scan([None, 0.0, *CHANGES[2:6], 0.0, *CHANGES[7:]]), "m")["query", DIRECTION] == "stays"
    assert not FLOW.obtained(scan(CHANGES), "another")


def test_the_spread_is_a_mean_over_layers() -> None:
    found = SPREAD.obtained(scan(CHANGES, median=[0.5, *[0.1] * 5, *[0.3] * 5], share_biased=[0.25, *range(10)]), "m")
    assert found["embedding", "median degree"] == 0.5
    assert found["embedding", "heads biased"] == 0.25
    assert found["query", "median degree"] == pytest.approx(0.2)
    assert found["query", "heads biased"] == pytest.approx(2.5)  # (0 + 5) / 2
    assert found["rest of the layer", "heads biased"] == pytest.approx(6.5)  # (4 + 9) / 2
    assert set(found) == {value.key for value in SPREAD.values}


def test_each_model_has_a_scan_of_its_own() -> None:
    for found in (FLOW, SPREAD, CORPUS):
        assert found.asks is not None
        specs = [asked.spec for asked in found.asks(("a", "b"))]
        assert specs == [ScanSpec(models="a"), ScanSpec(models="b")]
        assert specs[0].corpus == example_corpus()  # type: ignore[attr-defined]
    both = [scan(CHANGES, "a", kept=5), scan(CHANGES, "b", kept=6)]
    found = {model: values["sentences kept", "n"] for model, values in CORPUS.measured(both).items()}
    assert found == {"a": Found(5, "another corpus"), "b": Found(6, "another corpus")}


def test_what_is_of_another_corpus_says_so_and_has_no_difference() -> None:
    (row,) = compared(CORPUS, [scan(CHANGES, kept=180)])
    assert (row.value.number, row.obtained, row.of) == (60548, 180, "another corpus")
    assert (row.difference, row.agrees) == (None, None)
    (line,) = text_frame([row]).to_dict("records")
    assert line == {
        **{"model": "m", "row": "sentences kept", "column": "n"},
        **{"printed": "60,548", "obtained": "180", "of": "another corpus"},
    }
    for found in (FLOW, SPREAD, CORPUS):
        assert remarks(found, [scan(CHANGES)]) == (
            "Obtained from another corpus (example_corpus.txt): no difference from the print is given.",
        )
        assert {row.of for row in compared(found, [scan(CHANGES)]) if row.obtained is not None} <= {"another corpus"}


def test_the_scan_that_comes_with_the_program_gives_every_value() -> None:
    example = read(EXAMPLE_SCAN)
    for found in (FLOW, SPREAD, CORPUS):
        rows = compared(found, [example])
        assert rows[0].model == "minilm-mlm"
        assert all(item.obtained is not None for item in rows)
    kept = sum(len(pd.read_parquet(part)) for part in sorted(EXAMPLE_SCAN.glob("*.parquet")))
    assert CORPUS.obtained(example, "minilm-mlm") == {("sentences kept", "n"): kept}
    (value,) = CORPUS.values
    assert value.number == 60548


def test_heads_of_a_sentence() -> None:
    """Three heads of four have a degree, two of them above 0; the largest is the second of the second layer."""
    rows = heads("m", [[0.2, None], [-0.1, 0.4]], [["male", "neither"], ["neither", "female"]])
    assert not SENTENCE.measured([result(rows)]), "of another sentence"
    (spec,) = SENTENCE.needed
    assert {key: found.value for key, found in SENTENCE.measured([result(rows, spec=spec)])["m"].items()} == {
        ("largest degree of a head", "degree"): 0.4,
        ("largest degree of a head", "head"): "L1 H1",
        ("heads with a degree above 0", "share"): pytest.approx(2 / 3),
    }
    assert not SENTENCE.measured([result(heads("m", [[None]], [["neither"]]), spec=spec)])


def test_a_run_of_the_sentence_gives_every_value() -> None:
    assert SENTENCE.asks is not None
    (asked,) = SENTENCE.asks(("minilm-mlm",))
    found = asked.spec.measure([with_attentions(load_tiny("bert"))], Run())
    assert all(item.obtained is not None for item in compared(SENTENCE, [found]))
