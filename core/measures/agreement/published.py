"""Metrics against each other as a paper found them: nothing is measured here (Delobelle et al. 2022)."""

from __future__ import annotations

import pandas as pd

from core.measures.agreement.correlations import POINT_COLUMNS, correlate
from core.measures.agreement.result import METRICS, AgreementOptions, AgreementResult
from core.measures.shared import provenance
from core.result import Note
from core.sources.measured import published_columns

NOTE = "Published, not measured here: the effect sizes are the paper’s, and the correlations are computed from them."


def published() -> AgreementResult:
    """Six embedding-based metrics over the paper's five models, a point a model; its notes say where they are from."""
    data, options = published_columns(), AgreementOptions()
    rows = [(None, None, column.name, model, value) for column in data.columns for model, value in column.values]
    points = pd.DataFrame(rows, columns=list(POINT_COLUMNS))
    names = tuple((column.name, column.name) for column in data.columns)
    summary, undefined, critical = correlate(points, names, ("metric_a", "metric_b"), options)
    return AgreementResult(
        summary=summary,
        detail=points,
        left_out=tuple(undefined),
        options=options,
        provenance=provenance.of([], data=(data.citation,), seed=options.seed),
        kind=METRICS,
        names=names,
        critical=critical,
        notes=(Note(NOTE), Note(data.note)),
    )
