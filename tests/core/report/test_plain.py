from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from core.report.plain import is_missing, plain, provenance_json, strict_json
from core.result import Progress, Provenance


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_what_is_missing_becomes_null(value: object) -> None:
    assert is_missing(value)
    assert strict_json([value]) == "[null]"


@pytest.mark.parametrize("value", ["", "NA", "null", 0, 0.0, False, (), np.array([np.nan])])
def test_what_is_there_is_not_missing(value: object) -> None:
    assert not is_missing(value)


def test_numpy_types_and_tuples_become_pythons_own() -> None:
    converted = plain({"i": np.int64(3), "f": np.float64(0.1), "b": np.bool_(True), "a": np.array([[1.5, np.inf]])})
    assert converted == {"i": 3, "f": 0.1, "b": True, "a": [[1.5, None]]}
    assert [type(converted[key]) for key in "ifb"] == [int, float, bool]
    assert plain((1, ("a",))) == [1, ["a"]]


def test_a_dataclass_becomes_a_dict_of_its_fields() -> None:
    assert plain(Progress("reading", 2, 5)) == {"stage": "reading", "done": 2, "total": 5}


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no form in JSON"):
        plain({"words": {"he"}})


def test_letters_stay_letters() -> None:
    assert strict_json("Pflegekräfte − 護") == '"Pflegekräfte − 護"'


def test_provenance_is_one_line_of_json(provenance: Provenance) -> None:
    line = provenance_json(provenance)
    assert "\n" not in line
    document = json.loads(line)
    assert document["models"][0]["digest"] == "ab12cd34ef56" + "0" * 52
    assert document["versions"] == [["torch", "2.13.0"]]
