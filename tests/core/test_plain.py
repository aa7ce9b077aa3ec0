from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from core.errors import SavedFileError
from core.plain import is_missing, plain, restored, strict_json
from core.result import ModelInfo, Progress, Provenance


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
    expected = {"stage": "training", "done": 2, "total": 5, "losses": [[1, 0.5]]}
    assert plain(Progress("training", 2, 5, ((1, 0.5),))) == expected


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no form in JSON"):
        plain({"words": {"he"}})


def test_letters_stay_letters() -> None:
    assert strict_json("Pflegekräfte − 護") == '"Pflegekräfte − 護"'


def test_what_is_written_is_read_again() -> None:
    model = ModelInfo("m", "o/m", None, "ab", "BERT", "masked", 2, 2, 9, ("en",), True, "float32", "cpu", "eager")
    made = Provenance("Tiltmeter", (model,), ("a list",), 7, (("torch", "2.13.0"),), "2026-01-01T00:00:00Z")
    line = strict_json(made)
    assert "\n" not in line
    assert restored(Provenance, json.loads(line)) == made


@pytest.mark.parametrize("data", [{"stage": "reading"}, {"stage": 1, "done": 2, "total": 5}, [], "reading", {"x": 1}])
def test_what_is_of_another_kind_is_a_sentence(data: object) -> None:
    with pytest.raises(SavedFileError, match="not a Progress"):
        restored(Progress, data)
