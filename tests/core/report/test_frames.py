from __future__ import annotations

import csv
import dataclasses
import io
import json

import numpy as np
import pandas as pd
import pytest

from core.measures.lpbs.result import LpbsResult
from core.report.frames import as_document, to_csv, to_json, to_table
from core.report.wording import exclusion_lines, provenance_lines
from core.result import Provenance

DATA = "data: Occupations, Bureau of Labor Statistics 2019; seed 0; 2026-11-27T23:31:00Z"
LINE = "Tiltmeter 0.1.0; minilm-mlm sha256:ab12cd34ef56 float32 cpu; " + DATA


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_csv_keeps_formulas_as_text_and_numbers_as_numbers(provenance: Provenance) -> None:
    # the case of a user's report: the word =1+1 beside the number -0.5
    content = to_csv(pd.DataFrame({"attribute": ["=1+1"], "lpbs": [-0.5]}), provenance)
    assert content.startswith(b"\xef\xbb\xbf")
    assert rows_of(content) == [["attribute", "lpbs", "provenance"], ["'=1+1", "-0.5", LINE]]
    assert pd.read_csv(io.BytesIO(content))["lpbs"].tolist() == [-0.5]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_protects_every_start_a_spreadsheet_computes_in_cells_and_headers(
    provenance: Provenance, start: str
) -> None:
    content = to_csv(pd.DataFrame({f"{start}head": [f"{start}cell"]}), provenance)
    header, row = rows_of(content)
    assert header[0] == f"'{start}head"
    assert row[0] == f"'{start}cell"


@pytest.mark.parametrize("text", ["null", "NA", "None", 'a "quoted", word', "two\nlines", "'tis", "he − she", "護"])
def test_csv_gives_back_any_other_text_as_it_was(provenance: Provenance, text: str) -> None:
    content = to_csv(pd.DataFrame({"word": [text]}), provenance)
    assert pd.read_csv(io.BytesIO(content), keep_default_na=False)["word"].tolist() == [text]


def test_csv_keeps_every_digit(provenance: Provenance) -> None:
    numbers = [0.1 + 0.2, -3.6888794541139363, 1e-300, 5e-324, 1 / 3]
    content = to_csv(pd.DataFrame({"lpbs": numbers}), provenance)
    assert [float(row[0]) for row in rows_of(content)[1:]] == numbers


def test_csv_writes_numpy_scalars_of_a_mixed_column_as_plain_numbers(provenance: Provenance) -> None:
    frame = pd.DataFrame({"value": pd.Series([np.float64(-1.5), np.int64(-2), "-2"], dtype=object)})
    assert [row[0] for row in rows_of(to_csv(frame, provenance))[1:]] == ["-1.5", "-2", "'-2"]


def test_csv_leaves_a_missing_value_empty(provenance: Provenance) -> None:
    frame = pd.DataFrame({"attribute": ["a", None], "p_value": [np.nan, 0.5]})
    assert [row[:2] for row in rows_of(to_csv(frame, provenance))[1:]] == [["a", ""], ["", "0.5"]]


def test_csv_names_the_rows_own_model(two_models: Provenance) -> None:
    rows = rows_of(to_csv(pd.DataFrame({"model": ["gpt", "minilm-mlm"]}), two_models))[1:]
    assert "gpt" in rows[0][1]
    assert "minilm" not in rows[0][1]
    assert rows[1][1] == LINE


def test_csv_of_an_empty_frame_is_its_header(provenance: Provenance) -> None:
    assert rows_of(to_csv(pd.DataFrame({"a": []}), provenance)) == [["a", "provenance"]]


def test_json_is_strict_and_holds_every_field(lpbs: LpbsResult) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    document = json.loads(to_json(lpbs).decode(), parse_constant=refuse)
    assert list(document) == ["schema", "spec", "tables", "excluded", "notes", "provenance"]
    assert document["schema"] == "lpbs/2"
    assert document["spec"]["templates"] == ["[TARGET] is a [ATTRIBUTE]."]
    assert document["spec"]["groups"]["groups"][1] == {"name": "women", "words": ["she", "chairwoman"]}
    assert document["spec"]["seed"] == 0
    assert document["tables"]["attributes"] == [
        {
            "model": "minilm-mlm",
            "attribute": "nurse",
            "contrast": "men − women",
            "n": 1,
            "lpbs": -3.6888794541139363,
            **dict.fromkeys(("log_ratio", "prior_log_ratio", "ci_low", "ci_high", "p_value", "p_adjusted")),
        }
    ]
    assert document["tables"]["targets"][0]["ln_p_target"] is None
    assert document["excluded"][0] == {
        "kind": "target",
        "what": "chairwoman",
        "where": {"model": "minilm-mlm", "group": "women"},
        "why": "chairwoman is split into several tokens: chair + ##woman.",
    }
    assert document["notes"] == [{"model": None, "text": "A start token was added."}]
    assert document["provenance"]["models"][0]["name"] == "minilm-mlm"
    assert document == as_document(lpbs)


def test_text_is_aligned_and_says_what_was_excluded(lpbs: LpbsResult) -> None:
    overall = lpbs["overall"][["model", "lpbs", "p_value"]]
    few = dataclasses.replace(lpbs, tables=dict(lpbs.tables, attributes=lpbs["attributes"].head(0), overall=overall))
    assert to_table(few).splitlines() == [
        "model          lpbs  p_value",
        "minilm-mlm  −0.5000  < 0.001",
        "",
        "targets: 1 row; --format json prints them",
        "note: A start token was added.",
        *exclusion_lines(lpbs.excluded),
        *provenance_lines(lpbs.provenance),
    ]


def test_text_names_each_of_several_tables(lpbs: LpbsResult) -> None:
    lines = to_table(lpbs).splitlines()
    assert (lines[0], lines[4]) == ("attributes:", "overall:")
    assert lines[1].split()[:5] == ["model", "attribute", "contrast", "n", "lpbs"]
    assert lines[2].split()[:8] == ["minilm-mlm", "nurse", "men", "−", "women", "1", "−3.6889", "–"]


def test_text_shows_no_negative_zero(lpbs: LpbsResult) -> None:
    tiny = dataclasses.replace(
        lpbs,
        tables=dict(
            lpbs.tables, attributes=lpbs["attributes"].head(0), overall=pd.DataFrame({"lpbs": [-0.00001, 12.0]})
        ),
    )
    assert to_table(tiny).splitlines()[:4] == ["   lpbs", " 0.0000", "12.0000", ""]


def test_of_a_table_with_many_rows_the_first_stand_in_text_and_all_in_json(lpbs: LpbsResult) -> None:
    rows = pd.concat([lpbs["attributes"].head(1)] * 103, ignore_index=True)
    many = dataclasses.replace(lpbs, tables={**lpbs.tables, "attributes": rows})
    head = to_table(many).partition("… and 3 more rows; --format json prints all")
    assert head[1]
    assert head[0].count(str(rows["attribute"][0])) == 100
    assert len(json.loads(to_json(many))["tables"]["attributes"]) == 103
    exact = dataclasses.replace(lpbs, tables={**lpbs.tables, "attributes": rows.head(100)})
    assert "more row" not in to_table(exact)
