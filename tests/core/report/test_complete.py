"""Nothing of a result is lost on the way out: a field that is added to any result is written, or this fails.

Every class of result is filled by the types of its fields, each text and number a mark that occurs once; what is
written must hold every mark.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import types
import typing
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.measures.agreement.result import AgreementResult, DivergenceResult
from core.report.frames import remarks, to_csv, to_json, to_table
from core.result import Result

KINDS = (
    AgreementResult,
    DivergenceResult,
)


class Marks:
    """Values of any type a result holds, each a mark of its own."""

    def __init__(self) -> None:
        self._numbers = itertools.count(100_001)
        self.of: dict[str, list[str]] = {}  # the path of a field, and the marks in it

    def value(self, kind: Any, path: str) -> Any:
        arguments, origin = typing.get_args(kind), typing.get_origin(kind)
        if origin in (types.UnionType, typing.Union):
            return self.value(next(part for part in arguments if part is not type(None)), path)
        if origin is tuple:
            items = arguments[:1] * 2 if arguments[-1] is Ellipsis else arguments
            return tuple(self.value(item, path) for item in items)
        if dataclasses.is_dataclass(kind):
            return self.filled(kind, path)
        mark = self._mark(path)
        if kind is bool:
            self.of[path].pop()
            return True
        if kind is str:
            return f"mark {mark}"
        if kind in (int, float):
            return kind(mark)
        if kind is pd.DataFrame:
            return pd.DataFrame({"model": [f"mark {mark}"], "value": [float("nan")]})
        if origin is np.ndarray:
            return np.full((1, 1), float(mark))
        if kind is object:
            return mark
        raise AssertionError(f"{path} is a {kind}, which this test cannot fill")

    def filled(self, kind: Any, path: str) -> Any:
        hints = typing.get_type_hints(kind)
        names = [field.name for field in dataclasses.fields(kind)]
        return kind(**{name: self.value(hints[name], f"{path}.{name}".removeprefix(".")) for name in names})

    def _mark(self, path: str) -> int:
        mark = next(self._numbers)
        self.of.setdefault(path, []).append(str(mark))
        return mark


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_json_holds_every_field(kind: type[Result]) -> None:
    marks = Marks()
    result = marks.filled(kind, "")
    document = json.loads(to_json(result))
    assert list(document) == [field.name for field in dataclasses.fields(kind)]
    text = json.dumps(document)
    lost = {path for path, held in marks.of.items() if not all(mark in text for mark in held)}
    assert not lost


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_table_and_csv_say_every_field_but_the_rows_of_the_detail(kind: type[Result]) -> None:
    marks = Marks()
    result = marks.filled(kind, "")
    said = {"table": to_table(result), "csv": to_csv(result.summary, result.provenance).decode() + remarks(result)}
    for form, text in said.items():
        text = text.replace(",", "")  # thousands
        lost = {path for path, held in marks.of.items() if not all(mark in text for mark in held)}
        lost = {path for path in lost if path.split(".")[0] not in ("detail", "cells")}
        assert lost <= NOT_SAID, form


# What a person who reads a table has by another name or does not need: JSON holds it.
NOT_SAID = {"left_out.role", "stabilities.representation"}
