"""Published scores of Kurita et al. 2019 alone: their statistics are computed by the code of measured ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...sources.published import Entry
from ..shared import provenance
from ..shared.published import beside
from .grid import word_grid
from .metric import GroupScores, contrast_scores
from .omissions import Computed, statistics_left_out
from .result import LpbsResult
from .rows import attribute_rows, overall_rows, share_rows
from .scoring import Scores
from .spec import LpbsSpec


def result(spec: LpbsSpec) -> LpbsResult:
    """The published scores of a spec without models: of each attribute its log ratio and its score, no probability."""
    computed = [_computed(spec, entry) for entry in spec.shelved]
    attributes = spec.attributes.words
    return LpbsResult(
        spec=spec,
        tables=LpbsResult.SCHEMA.frames(
            attributes=attribute_rows(computed, attributes),
            overall=overall_rows(computed),
            shares=list(share_rows(computed)),
        ),
        excluded=tuple(statistics_left_out(computed, attributes, ())),
        notes=tuple(entry.said for entry in spec.shelved),
        provenance=beside(provenance.of((), data=(spec.groups.citation,), seed=spec.seed), spec.shelved),
    )


def _computed(spec: LpbsSpec, entry: Entry) -> Computed:
    """The scores of an entry in the one contrast, as if the first group had them and the second 0."""
    rows = entry.table().drop_duplicates("attribute").set_index("attribute").loc[list(spec.attributes.words)]
    log_ratio, lpbs = (rows[column].to_numpy(dtype=np.float64)[None, :, None] for column in ("log_ratio", "lpbs"))
    second = GroupScores(np.zeros_like(lpbs), np.zeros_like(lpbs))
    numbers = contrast_scores(GroupScores(log_ratio, lpbs), second, paired=True, seed=spec.seed)
    grid = word_grid(spec.templates, spec.attributes.words, spec.groups.groups, spec.form)
    (contrast,) = spec.comparisons
    return replace(Scores.empty(entry.info, grid), not_reached=()), contrast, numbers
