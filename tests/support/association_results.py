"""Results of association tests made by hand, for charts, tables and exports."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.measures.association.result import AssociationCell, AssociationOptions, AssociationResult
from core.result import LeftOut, Provenance

MISSING = dict.fromkeys(
    ("effect_size", "ci_low", "ci_high", "p_one_sided", "p_two_sided", "p_observed_direction", "p_adjusted"), np.nan
)


def row(model: str, test: str, representation: str, d: float | None, **columns: object) -> dict[str, object]:
    """A summary row with interval d ± .5 and p values .01, .02 and, adjusted, .04; None is a row not computed."""
    same: dict[str, object] = {
        "model": model, "test": test, "representation": representation, "layer": "last", "templates": 0, "ddof": 1
    }  # fmt: skip
    if d is None:
        counts = dict.fromkeys(("ddof", "n_permutations", "n_x", "n_y", "n_a", "n_b"))
        return {**same, "test_statistic": np.nan, **MISSING, "p_kind": None, **counts, **columns}
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
        "p_kind": "exact",
        "n_permutations": 12870,
        "n_x": 8,
        "n_y": 8,
        "n_a": 25,
        "n_b": 24,
        **columns,
    }


def association_result(
    rows: Sequence[dict[str, object]],
    *,
    layers: Sequence[tuple[str, str, str, int, float]] = (),
    published: Sequence[tuple[str, str, str, str, float, float]] = (),
    left_out: Sequence[LeftOut] = (),
    cells: Sequence[AssociationCell] = (),
) -> AssociationResult:
    """A result of these summary rows; ``layers`` and ``published`` are rows of their frames."""
    summary = pd.DataFrame(list(rows))
    if len(summary):
        summary = summary.astype(dict.fromkeys(("ddof", "n_permutations", "n_x", "n_y", "n_a", "n_b"), "Int64"))
    return AssociationResult(
        summary=summary,
        detail=pd.DataFrame(),
        left_out=tuple(left_out),
        options=AssociationOptions(),
        provenance=Provenance("tiltmeter", (), (), 0, (), "2026-01-01"),
        cells=tuple(cells),
        layers=pd.DataFrame(list(layers), columns=["model", "test", "representation", "layer", "effect_size"]),
        published=pd.DataFrame(
            list(published), columns=["test", "representation", "source", "model", "effect_size", "p_value"]
        ),
        family_size=12,
    )


def association_cell(
    s_x: Sequence[float],
    s_y: Sequence[float],
    *,
    members: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
    attributes: tuple[tuple[str, ...], tuple[str, ...]] = (("a1",), ("b1",)),
    matrix: Sequence[Sequence[float]] | None = None,
    null: Sequence[float] = (),
    representation: str = "vectors",
) -> AssociationCell:
    """A cell with these associations; its members are x1, x2 … and y1, y2 … unless named."""
    x, y = members or (tuple(f"x{at + 1}" for at in range(len(s_x))), tuple(f"y{at + 1}" for at in range(len(s_y))))
    default = np.zeros((len(x) + len(y), len(attributes[0]) + len(attributes[1])))
    return AssociationCell(
        model="m",
        test="weat1",
        representation=representation,
        members_x=x,
        members_y=y,
        members_a=attributes[0],
        members_b=attributes[1],
        s_x=np.array(s_x, dtype=np.float64),
        s_y=np.array(s_y, dtype=np.float64),
        matrix=default if matrix is None else np.array(matrix, dtype=np.float64),
        null=np.array(null, dtype=np.float64),
    )
