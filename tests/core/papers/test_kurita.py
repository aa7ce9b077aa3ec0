"""The cards of Kurita et al. 2019: what is kept is what the stored scores give."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from core.engine.loading import LoadedModel
from core.papers.comparison import compared
from core.papers.registry import card
from core.run import Run
from core.sources import association_test
from tests.support.paths import SHARED
from tests.support.reference import skip, table

TESTS = {
    "weat1": "Flowers vs. Insects",
    "weat3": "Black vs. White",
    "weat6": "Career vs Family",
    "weat7": "Math vs. Art",
    "weat8": "Science vs. Art",
}
KINDS = {"vectors": "WEAT on GloVe", "partner-masked": "WEAT on BERT", "lpbs": "LPBS"}


def test_table_3_is_what_the_tests_of_this_program_print() -> None:
    printed = {value.key: value for value in card("kurita-table-3").values}
    rows = {value.row.partition(":")[0]: value.row for value in printed.values()}
    found = 0
    for test in TESTS:
        for known in association_test(test).published:
            value = printed[rows[test.upper().replace("WEAT", "WEAT ")], KINDS[known.representation]]
            assert value.number == known.effect_size
            assert value.printed.endswith("*") == known.significant
            found += 1
    assert found == len(printed) == 15


def test_table_3_of_the_stored_scores() -> None:
    """d = (mean A − mean B) / sd of both (ddof 1), a value for each word and template."""
    values = {value.row.partition(":")[0]: value for value in card("kurita-table-3").values if value.column == "LPBS"}
    scores = table("kurita_lpbs")
    for test, category in TESTS.items():
        rows = scores[scores["category"] == category]
        first, second = (rows.loc[rows["set"] == name, "lpbs"].to_numpy() for name in ("df1", "df2"))
        d = (first.mean() - second.mean()) / np.concatenate([first, second]).std(ddof=1)
        sign = -1 if test == "weat3" else 1  # the code takes black first
        stored = values[f"WEAT {test[4:]}"].references["stored outputs"]
        assert stored == pytest.approx(sign * d, abs=5e-5)


def test_the_rest_of_table_3_is_what_the_notebooks_print() -> None:
    file = SHARED / "data" / "reference" / "kurita_tables.json"
    if not file.is_file():
        skip("the outputs of Kurita et al.")
    stored = json.loads(file.read_text(encoding="utf-8"))
    names = {"WEAT 1": "Flowers/Insects", "WEAT 3": "EA/AA", "WEAT 6": "Career/Family", "WEAT 7": "Math/Arts"}
    raw = {
        f"WEAT {test[4:]}": row["d_raw_logratio"]
        for test, category in TESTS.items()
        for row in stored["table3_lpbs"]
        if row["category"] == category
    }
    for value in card("kurita-table-3").values:
        test = value.row.partition(":")[0]
        sign = -1 if test == "WEAT 3" else 1
        if value.column == "LPBS":
            assert value.references["without prior"] == pytest.approx(sign * raw[test], abs=5e-5)
        else:
            of = stored["table3_weat_on_glove" if value.column == "WEAT on GloVe" else "table3_weat_on_bert"]
            expected = of[names.get(test, "Science/Arts")]["notebook"]
            assert value.references["stored outputs"] == pytest.approx(sign * expected, abs=5e-5)
            assert value.references["without prior"] is None


def test_table_3_on_the_embedded_model_is_what_the_association_tests_give(embedded: LoadedModel) -> None:
    found = card("kurita-table-3")
    assert found.asks is not None
    (asked,) = found.asks(("minilm-mlm",))
    spec = replace(asked.spec, tests=("weat7",))
    result = spec.measure([embedded], Run(spec))
    rows = [row for row in compared(found, [result]) if row.obtained is not None]
    assert [row.value.row.partition(":")[0] for row in rows] == ["WEAT 7", "WEAT 7"]
    lpbs = result["members"].query("representation == 'lpbs'")
    first, second = (lpbs.loc[lpbs["set"] == name, "association"].to_numpy() for name in ("X", "Y"))
    assert len(first) == len(second) == 24  # 8 words in 3 templates, as in the stored scores
    d = (first.mean() - second.mean()) / np.concatenate([first, second]).std(ddof=1)
    assert rows[1].obtained == pytest.approx(d)
    assert rows[1].difference == pytest.approx(d - 0.8495)
    assert rows[1].within is None, "the print is of another model"
