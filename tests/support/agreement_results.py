"""Agreements and divergences made by hand, for charts, tables and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from core.measures.agreement.choices import Compared
from core.measures.agreement.result import AgreementResult
from core.measures.agreement.spec import AgreementSpec
from core.result import Excluded, Note, Provenance
from core.sources.blanks import BlankTemplate, TemplateSet

NOBODY = Provenance("Tiltmeter", (), (), 0, (), "2026-01-01T00:00:00Z")
POOLED, CLS = "pooled-in-templates", "cls-in-templates"
NAMES = (("T1", "This is the _."), ("T2", "The _ is here."), ("T10", "The _ of the <b>."))
# (a, b): r, p, n
PAIRS = {("T1", "T2"): (0.91, 0.0001, 20), ("T1", "T10"): (-0.12, 0.61, 20), ("T2", "T10"): (None, None, 20)}
# |r| of a two-sided p of .05 by the number of points, from a printed table.
CRITICAL = {4: 0.9500, 5: 0.8783, 6: 0.8114, 9: 0.6664, 20: 0.4438}
Pairs = Mapping[tuple[str, str], tuple[float | None, float | None, int]]
_TABLES = AgreementResult.SCHEMA.tables


def pairs(found: Pairs = PAIRS, *, model: str | None = "m", representation: str | None = POOLED) -> pd.DataFrame:
    """The pairs of one model and representation."""
    return _TABLES["pairs"].frame(
        {"model": model, "representation": representation, "a": a, "b": b, "r": r, "p": p, "n": n}
        | {"critical": None if r is None else CRITICAL.get(n), "significant": p is not None and p < 0.05}
        for (a, b), (r, p, n) in found.items()
    )


def points(
    values: Mapping[str, Sequence[float | None]],
    *,
    model: str | None = "m",
    representation: str | None = POOLED,
    models: Sequence[str] = (),
) -> pd.DataFrame:
    """The values of each name at the subsets 1, 2, … of one model and representation, or in each of ``models``."""
    return _TABLES["points"].frame(
        {
            "model": models[at] if models else model,
            "representation": None if models else representation,
            "name": name,
            "point": at + 1,
            "value": value,
        }
        for name, row in values.items()
        for at, value in enumerate(row)
        if value is not None
    )


def agreement_result(
    pairs_: pd.DataFrame | None = None,
    points_: pd.DataFrame | None = None,
    *,
    compare: Compared = Compared.TEMPLATES,
    names: Sequence[tuple[str, str]] = NAMES,
    kinds: Sequence[str] = (),
    stability: Sequence[Mapping[str, Any]] = (),
    excluded: Sequence[Excluded] = (),
    notes: Sequence[Note] = (),
    provenance: Provenance = NOBODY,
    **options: Any,
) -> AgreementResult:
    """A result of these pairs and points; those of ``PAIRS`` unless given."""
    templates = TemplateSet("hand", "by hand", tuple(BlankTemplate(*name, "by hand") for name in NAMES), "by hand", "")
    return AgreementResult(
        spec=AgreementSpec(compare=compare, templates=templates, **options),
        tables=AgreementResult.SCHEMA.frames(
            pairs=pairs() if pairs_ is None else pairs_,
            points=points({"T1": [0.5, 1.0], "T2": [0.6, 0.9]}) if points_ is None else points_,
            names=[
                {"name": name, "title": title, "source": "by hand"}
                | ({"kind": kinds[at], "meaning": f"What {name} is."} if kinds else {})
                for at, (name, title) in enumerate(names)
            ],
            stability=stability,
        ),
        excluded=tuple(excluded),
        notes=tuple(notes),
        provenance=provenance,
    )


def stability(
    of: str = "models",
    *,
    kept: float = 0.92,
    flips: float = 0.03,
    w: float | None = 0.81,
    model: str | None = None,
    representation: str = POOLED,
    templates: int = 11,
) -> dict[str, Any]:
    """An order of three over 11 templates."""
    return {
        **{"of": of, "model": model, "representation": representation, "kept": kept, "flips": flips, "w": w},
        **{"templates": templates, "resamples": 1000, "ordered": 3, "order": "a, b, c"},
    }


def divergence_result(
    values: Mapping[str, tuple[float | None, float | None]] | None = None,
    *,
    models: Sequence[str] = ("m",),
    words: Sequence[tuple[str, str, float, float, float]] = (
        ("full", "nurse", 0.5, 0.25, 0.3466),
        ("full", "<i>", 0.25, 0.5, -0.1733),
        ("gendered", "she", 0.00001, 0.0002, -0.0003),
        ("gendered", "he", 0.00002, 0.0001, -0.0001),
    ),
    provenance: Provenance = NOBODY,
) -> AgreementResult:
    """KL over the vocabulary and the gendered words by template, against T1; ``words`` are all of T2."""
    values = {"T2": (0.218, 0.0321), "T10": (5.5, 0.004)} if values is None else values
    rows = [(model, name, "T1", *pair) for model in models for name, pair in values.items()]
    details = [(model, "T2", *word) for model in models for word in words]
    result = agreement_result(_TABLES["pairs"].frame([]), _TABLES["points"].frame([]), compare=Compared.DIVERGENCE)
    frames = {
        name: pd.DataFrame(content, columns=[column.name for column in _TABLES[name].columns])
        for name, content in (("divergence", rows), ("words", details))
    }
    return AgreementResult(
        spec=result.spec,
        tables=AgreementResult.SCHEMA.frames(names=result["names"], **frames),
        excluded=(),
        notes=(),
        provenance=provenance,
    )
