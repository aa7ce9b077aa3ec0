"""Log probability bias scores for tests: measured with models at hand, or made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from core.engine.loading import LoadedModel
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.result import Group
from core.run import UNWATCHED, Part, Watch
from core.sources.lists import OWN, GroupPreset, own_words
from core.sources.templates import Template


def spec_of(
    templates: Sequence[Template], groups: Iterable[Group], attributes: Sequence[str], **options: Any
) -> LpbsSpec:
    """The spec of words that are given as they are, which need no parsing."""
    preset = GroupPreset(OWN, "groups of the user's own", tuple(groups), "", None, "")
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


def summary(result: LpbsResult) -> pd.DataFrame:
    """Scores of attributes and of all of them in one frame, told apart by ``kind``."""
    parts = [result["attributes"].assign(kind="attribute"), result["overall"].assign(kind="all")]
    return pd.concat(parts, ignore_index=True)
