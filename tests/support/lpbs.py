"""Log probability bias scores for tests: measured with models at hand, or made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.engine.loading import LoadedModel
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.result import Excluded, Group, Note, Provenance
from core.run import UNWATCHED, Part, Watch
from core.sources.lists import OWN, GroupPreset, own_words
from core.sources.templates import Template


def spec_of(
    templates: Sequence[Template], groups: Iterable[Group], attributes: Sequence[str], **options: Any
) -> LpbsSpec:
    """The spec of words that are given as they are, which need no parsing."""
    preset = GroupPreset(OWN, "the user's own groups", tuple(groups), "", None, "")
    return LpbsSpec(templates=tuple(templates), groups=preset, attributes=own_words(attributes), **options)


def run(
    models: Sequence[LoadedModel],
    templates: Sequence[Template],
    groups: Iterable[Group],
    attributes: Sequence[str],
    options: Mapping[str, Any] | None = None,
    *,
    run: Watch = UNWATCHED,
    memory: dict[Any, Any] | None = None,
) -> LpbsResult:
    """Measure with models at hand; ``options`` are fields of the spec by name."""
    spec = spec_of(templates, groups, attributes, **(options or {}))
    return spec.measure(models, Part(run, {} if memory is None else memory))


def by_hand(
    spec: LpbsSpec,
    tables: Mapping[str, Iterable[Mapping[str, Any]]],
    *,
    excluded: Iterable[Excluded] = (),
    notes: Iterable[Note] = (),
    provenance: Provenance,
) -> LpbsResult:
    """The result of these rows by table; a number that a row does not give is missing, and a count is 1."""
    rows = {
        name: pd.DataFrame(list(tables.get(name, ()))).reindex(columns=[column.name for column in declared.columns])
        for name, declared in LpbsResult.SCHEMA.tables.items()
    }
    return LpbsResult(
        spec=spec,
        tables=LpbsResult.SCHEMA.frames(
            **{name: frame.fillna({"n": 1}) if "n" in frame else frame for name, frame in rows.items()}
        ),
        excluded=tuple(excluded),
        notes=tuple(notes),
        provenance=provenance,
    )


def replaced(result: LpbsResult, **rows: Iterable[Mapping[str, Any]]) -> LpbsResult:
    """The result with other rows in some tables."""
    made = by_hand(result.spec, rows, provenance=result.provenance)
    return replace(result, tables={name: made[name] if name in rows else result[name] for name in result.tables})
