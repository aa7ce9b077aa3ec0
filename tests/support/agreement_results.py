"""Agreements and divergences made by hand, for charts, tables and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.measures.agreement.result import (
    TEMPLATES,
    AgreementOptions,
    AgreementResult,
    DivergenceOptions,
    DivergenceResult,
    Stability,
    pair_columns,
)
from core.result import LeftOut, Provenance

NOBODY = Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z")
TITLES = (("pooled", "pooled in templates"), ("cls", "[CLS] in <templates>"))
NAMES = (("T1", "This is the _."), ("T2", "The _ is here."), ("T10", "The _ of the <b>."))
# (a, b): r, p, n
PAIRS = {("T1", "T2"): (0.91, 0.0001, 20), ("T1", "T10"): (-0.12, 0.61, 20), ("T2", "T10"): (None, None, 20)}
# |r| of a two-sided p of .05 by the number of points, from a printed table.
CRITICAL = {4: 0.9500, 5: 0.8783, 6: 0.8114, 9: 0.6664, 20: 0.4438}
Pairs = Mapping[tuple[str, str], tuple[float | None, float | None, int]]


def pairs(
    found: Pairs = PAIRS,
    *,
    kind: str = TEMPLATES,
    model: str | None = "m",
    representation: str | None = "pooled",
) -> pd.DataFrame:
    """The summary rows of one model and representation."""
    first, second = pair_columns(kind)
    rows = [
        {"model": model, "representation": representation, first: a, second: b, "r": r, "p": p, "n": n}
        | {"critical": None if r is None else CRITICAL.get(n), "significant": None if p is None else p < 0.05}
        for (a, b), (r, p, n) in found.items()
    ]
    return pd.DataFrame(rows).astype({"r": float, "p": float, "critical": float, "significant": "boolean"})


def points(
    values: Mapping[str, Sequence[float | None]],
    *,
    model: str | None = "m",
    representation: str | None = "pooled",
    names: Sequence[object] = (),
) -> pd.DataFrame:
    """The detail rows of one model and representation: the values of each name at the points 1, 2, … or ``names``."""
    rows = [
        {"model": model, "representation": representation, "name": name, "point": point, "value": value}
        for name, row in values.items()
        for point, value in zip(names or range(1, len(row) + 1), row, strict=True)
    ]
    return pd.DataFrame(rows).astype({"value": float})


def agreement_result(
    summary: pd.DataFrame | None = None,
    detail: pd.DataFrame | None = None,
    *,
    kind: str = TEMPLATES,
    names: Sequence[tuple[str, str]] = NAMES,
    stabilities: Sequence[Stability] = (),
    left_out: Sequence[LeftOut] = (),
    options: AgreementOptions = AgreementOptions(),  # noqa: B008  frozen
    provenance: Provenance = NOBODY,
) -> AgreementResult:
    """A result of these pairs and points; those of ``PAIRS`` unless given."""
    return AgreementResult(
        summary=pairs() if summary is None else summary,
        detail=points({"T1": [0.5, 1.0], "T2": [0.6, 0.9]}) if detail is None else detail,
        left_out=tuple(left_out),
        options=options,
        provenance=provenance,
        kind=kind,
        names=tuple(names),
        representations=TITLES,
        stabilities=tuple(stabilities),
    )


def stability(
    of: str = "models",
    *,
    kept: float = 0.92,
    flips: float = 0.03,
    w: float | None = 0.81,
    model: str = "",
    **changes: str,
) -> Stability:
    """An order of three over 11 templates."""
    representation = changes.get("representation", "pooled")
    return Stability(of, model, representation, ("a", "b", "c"), kept, flips, w, 11, 1000)


def divergence_result(
    values: Mapping[str, tuple[float | None, float | None]] | None = None,
    *,
    models: Sequence[str] = ("m",),
    words: Sequence[tuple[str, str, float, float, float]] = (
        ("full", "nurse", 0.5, 0.25, 0.3466),
        ("full", "<i>", 0.25, 0.5, -0.1733),
        ("gendered", "she", 0.00001, 0.0002, -0.0003),
    ),
    provenance: Provenance = NOBODY,
) -> DivergenceResult:
    """KL over the vocabulary and the gendered words by template, against T1; ``words`` are all of T2."""
    values = {"T2": (0.218, 0.0321), "T10": (5.5, 0.004)} if values is None else values
    summary = [(model, name, "T1", *pair) for model in models for name, pair in values.items()]
    detail = [(model, "T2", *word) for model in models for word in words]
    return DivergenceResult(
        summary=pd.DataFrame(summary, columns=["model", "template", "base", "kl_full", "kl_gendered"]).astype(
            {"kl_full": float, "kl_gendered": float}
        ),
        detail=pd.DataFrame(
            detail, columns=["model", "template", "scope", "word", "p", "p_base", "contribution"]
        ).astype({"contribution": float}),
        left_out=(),
        options=DivergenceOptions(),
        provenance=provenance,
        templates=NAMES,
        gendered=("she", "he"),
    )
