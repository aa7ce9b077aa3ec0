"""Results of association tests made by hand, for figures, tables and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.measures.association.result import AssociationResult
from core.measures.association.spec import AskedTest, AssociationSpec
from core.result import Excluded, Provenance
from core.sources.association_tests import WordSet

MISSING = dict.fromkeys(
    ("effect_size", "ci_low", "ci_high", "p_one_sided", "p_two_sided", "p_observed_direction", "p_adjusted"), np.nan
)
WHICH = ("m", "weat1", "vectors")
SET_NAMES = ("flowers", "insects", "pleasant", "unpleasant")


def asked_test(
    name: str, title: str = "", names: tuple[str, str, str, str] = SET_NAMES, permuted: tuple[str, ...] = ()
) -> AskedTest:
    """A test that asks one word a set; by LPBS it permutes ``permuted``, and its groups are called men and women."""
    x, y, a, b = (WordSet(set_name, (f"{set_name} 1",)) for set_name in names)
    return AskedTest(name, title or name, "", (x, y, a, b), permuted=permuted, groups=("men", "women"))


def row(model: str, test: str, representation: str, d: float | None, **columns: object) -> dict[str, object]:
    """A row with interval d ± .5 and p values .01, .02 and, adjusted, .04; None is a row not computed."""
    same: dict[str, object] = {
        "model": model, "test": test, "representation": representation, "layer": "last", "templates": 0, "ddof": 1
    }  # fmt: skip
    if d is None:
        counts = dict.fromkeys(("ddof", "n_permutations", "n_x", "n_y", "n_a", "n_b"))
        none = {"test_statistic": np.nan, **MISSING, "significant": False, "p_kind": None}
        return {**same, **none, **counts, **columns}
    return {
        **same,
        "test_statistic": d / 10,
        "effect_size": d,
        "ci_low": d - 0.5,
        "ci_high": d + 0.5,
        "p_one_sided": 0.01,
        "p_two_sided": 0.02,
        "p_observed_direction": 0.01,
        "p_adjusted": 0.04,
        "significant": True,
        "p_kind": "exact",
        "n_permutations": 12870,
        "n_x": 8,
        "n_y": 8,
        "n_a": 25,
        "n_b": 24,
        **columns,
    }


def association_result(
    rows: Sequence[Mapping[str, object]] = (),
    *,
    tests: Sequence[AskedTest] = (),
    excluded: Sequence[Excluded] = (),
    **tables: pd.DataFrame | Sequence[Mapping[str, object]],
) -> AssociationResult:
    """A result of these rows of its tests, and of its other tables; a test that is not given asks a word a set."""
    schema = AssociationResult.SCHEMA
    frames = schema.frames(**{name: table for name, table in {"tests": rows, **tables}.items() if len(table)})
    named = dict.fromkeys(str(name) for frame in frames.values() if "test" in frame for name in frame["test"])
    asked = {test.id: test for test in tests}
    return AssociationResult(
        spec=AssociationSpec(tests=tuple(asked.get(name, asked_test(name)) for name in named or ("weat1",))),
        tables=frames,
        excluded=tuple(excluded),
        notes=(),
        provenance=Provenance("tiltmeter", (), (), 0, (), "2026-01-01"),
    )


def members(
    s_x: Sequence[float],
    s_y: Sequence[float],
    names: tuple[Sequence[str], Sequence[str]] | None = None,
    which: tuple[str, str, str] = WHICH,
) -> list[dict[str, object]]:
    """Rows of members x1, x2 … and y1, y2 …, unless named, with these associations."""
    model, test, representation = which
    found: list[dict[str, object]] = []
    for at, (letter, values) in enumerate((("X", s_x), ("Y", s_y))):
        for number, value in enumerate(values):
            name = names[at][number] if names else f"{letter.lower()}{number + 1}"
            found.append(
                {
                    "model": model, "test": test, "representation": representation, "set": letter, "member": name,
                    "template": None, "association": value,
                }
            )  # fmt: skip
    return found


def matrix(
    values: Sequence[Sequence[float]],
    rows: tuple[Sequence[str], Sequence[str]],
    columns: tuple[Sequence[str], Sequence[str]],
    which: tuple[str, str, str] = WHICH,
) -> list[dict[str, object]]:
    """Rows of the members of X and Y with those of A and B."""
    model, test, representation = which
    down = [(letter, name) for letter, names in zip("XY", rows, strict=True) for name in names]
    across = [(letter, name) for letter, names in zip("AB", columns, strict=True) for name in names]
    return [
        {
            "model": model, "test": test, "representation": representation, "set": letter, "member": name,
            "template": None, "other_set": other_letter, "other": other, "value": value,
        }
        for (letter, name), line in zip(down, values, strict=True)
        for (other_letter, other), value in zip(across, line, strict=True)
    ]  # fmt: skip


def bars(
    ends: Sequence[float], counts: Sequence[int], tail: Sequence[bool], which: tuple[str, str, str] = WHICH
) -> list[dict[str, object]]:
    """Rows of a histogram with these ends of its bars."""
    model, test, representation = which
    return [
        {
            "model": model, "test": test, "representation": representation,
            "low": low, "high": high, "count": count, "in_tail": beyond,
        }
        for low, high, count, beyond in zip(ends[:-1], ends[1:], counts, tail, strict=True)
    ]  # fmt: skip
