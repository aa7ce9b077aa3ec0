"""WinoBias tables for tests, and results of coreference skew made by hand for charts and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.measures.downstream.coreference.metric import skews
from core.measures.downstream.coreference.result import NUMBERS, CoreferenceResult
from core.measures.downstream.coreference.spec import CoreferenceSpec
from core.result import Provenance
from core.sources.lists import read_json
from tests.support.attention_results import NOBODY

CELLS = (("pro", "masculine"), ("pro", "feminine"), ("anti", "masculine"), ("anti", "feminine"))
WINO_TABLES: Mapping[str, Mapping[str, Any]] = {
    "wino": {},
    "answers": {"answers": True},
    "single": {"least": 1, "most": 8},
    "exchanged": {"exchanged": True},
    "reversed": {"reverse": True},
}


def wino_table(
    *, answers: bool = False, exchanged: bool = False, reverse: bool = False, least: int = 0, most: int = 99
) -> bytes:
    """The sentences of our own as a table of WinoBias, splits dev and test; the first and last too few for an interval.

    ``exchanged``: pro is called anti and the other way round. ``answers``: with whom each pronoun refers to.
    """
    rows = []
    for number, (kind, text, *pronouns) in enumerate(read_json("pronoun_choices.json")["sentences"]):
        if not least <= number <= most:
            continue
        for condition, pronoun in zip(("anti", "pro") if exchanged else ("pro", "anti"), pronouns, strict=True):
            cells = [kind, condition, "dev" if number % 2 else "test", str(number + 1)]
            sentence = text.replace("[_]", f"[{pronoun}]")
            answer = sentence.partition("[")[2].partition("]")[0] if (number + (condition == "pro")) % 3 else ""
            rows.append(",".join([*cells, f'"{sentence}"', *([answer] if answers else [])]))
    head = "type,condition,split,number,sentence_bracketed" + (",answer" if answers else "")
    return "\n".join([head, *(rows[::-1] if reverse else rows), ""]).encode()


def coreference_result(
    f1: Mapping[str, tuple[float, float, float, float]],
    *,
    n: int = 400,
    half: float = 0.02,
    provenance: Provenance = NOBODY,
    **choices: Any,
) -> CoreferenceResult:
    """F1 by resolver: pro masculine, pro feminine, anti masculine, anti feminine; intervals are ± ``half``."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in CoreferenceResult.SCHEMA.tables}
    width = half if n >= 6 else np.nan
    for name, values in f1.items():
        numbers = skews(np.array(values).reshape(2, 2))
        for kind in ("all", "type 1", "type 2"):
            where = {"model": name, "type": kind, "split": "all"}
            ends = {
                f"{column}{end}": value + shift
                for column, value in zip(NUMBERS, numbers, strict=True)
                for end, shift in (("", 0.0), ("_low", -width), ("_high", width))
            }
            rows["skews"].append(where | {"n": n, "masculine_share": 0.8} | ends)
            rows["scores"] += [
                where
                | {"condition": condition, "gender": gender, "n": n // 2, "missing": 0}
                | {"f1": value, "f1_low": value - width, "f1_high": value + width}
                for (condition, gender), value in zip(CELLS, values, strict=True)
            ]
    return CoreferenceResult(
        spec=CoreferenceSpec(**choices),
        tables=CoreferenceResult.SCHEMA.frames(**rows),
        excluded=(),
        notes=(),
        provenance=provenance,
    )
