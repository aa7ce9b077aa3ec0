"""Metrics against each other over models: one number a metric and model (Delobelle et al. 2022, Figure 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.engine.checkpoints import labels, request
from core.engine.lending import check_different, excluded, same_files
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import ModelError, NothingToScore, OptionError, TiltmeterError
from core.measures.agreement.correlations import POINT_COLUMNS, correlate
from core.measures.agreement.metric_list import GIVEN, Materials, Metric, metric
from core.measures.agreement.metric_table import VALUES, Asked
from core.measures.agreement.result import METRICS as KIND
from core.measures.agreement.result import AgreementOptions, AgreementResult
from core.measures.shared import provenance
from core.result import LeftOut, Note
from core.run import UNWATCHED, Watch
from core.sources.digests import texts_digest
from core.sources.measured import Column
from core.spec import check_options


def run(
    model: LoadedModel,
    names: Sequence[str],
    materials: Materials,
    options: AgreementOptions | None = None,
    *,
    run: Watch = UNWATCHED,
) -> AgreementResult:
    """Each metric of one model: a result with a point each, and no correlation yet (see ``join``).

    A metric without a number has its reason in ``left_out``, as has what a number does not rest on. Raises OptionError.
    """
    options = options or AgreementOptions()
    check_options(options)
    chosen = [metric(name) for name in dict.fromkeys(names)]
    if not chosen:
        raise OptionError("No metric is chosen; choose at least two.")
    asked = Asked(model, materials, options.seed, run)
    rows, left_out = [], []
    for one in chosen:
        reason = ""
        if one.needs and not getattr(materials, one.needs):
            reason = f"needs {GIVEN[one.needs]}"
        elif run.cancelled():
            reason = STOPPED
        else:
            try:
                number = VALUES[one.id](asked)
                reason = "" if np.isfinite(number.value) else "undefined: no variation"
                left_out += [
                    replace(item, reason=f"{one.title}: {item.reason}", test=one.id) for item in number.excluded
                ]
            except TiltmeterError as error:
                reason = str(error).rstrip(".")
        if reason:
            name = model.info.name
            left_out.append(LeftOut(name, "statistic", one.title, f"{one.title}: {reason}", test=one.id))
        else:
            rows.append((None, None, one.id, model.info.name, number.value))
    points = pd.DataFrame(rows, columns=list(POINT_COLUMNS))
    return AgreementResult(
        summary=pd.DataFrame(),
        detail=points,
        left_out=tuple(left_out),
        options=options,
        provenance=provenance.of([model.info], data=_sources(chosen, materials), seed=options.seed),
        kind=KIND,
        names=tuple((one.id, one.title) for one in chosen),
        critical=(),
        notes=tuple(map(Note, _reading(materials))),
    )


def _reading(materials: Materials) -> tuple[str, ...]:
    """What was assumed in reading the user's files, and what of them is excluded."""
    given = [data for data in (materials.crows_pairs, materials.stereoset) if data is not None]
    excluded = [f"{problem.count:,} {problem.reason}; excluded." for data in given for problem in data.left_out]
    return tuple(dict.fromkeys([*materials.notes, *(note for data in given for note in data.notes), *excluded]))


def _sources(chosen: Sequence[Metric], materials: Materials) -> list[str]:
    """The paper of each metric, and the user's data."""
    given = [data.source for data in (materials.crows_pairs, materials.stereoset) if data is not None]
    digest = texts_digest(materials.sentences)
    own = f"{len(materials.sentences):,} sentences of the user's own, SHA-256 {digest}"
    sentences = [own] if materials.sentences else []
    return [*(f"{one.title}: {one.source}" for one in chosen), *given, *sentences]


def of_models(
    names: Sequence[str],
    measure: Callable[[str], AgreementResult],
    columns: Sequence[Column] = (),
    run: Watch = UNWATCHED,
) -> AgreementResult:
    """The metrics of several models, one in memory at a time, and the user's own columns, against each other.

    ``measure`` gives the metrics of one model by its name, hub id or folder, as ``run`` does; in the result each has a
    label that no other has. A model that cannot be had, or was not reached, is listed. Raises the first refusal where
    none can be had, OptionError for a model that is there twice, NothingToScore where no metric has a number.
    """
    results: list[AgreementResult] = []
    refused: list[LeftOut] = []
    errors: list[ModelError] = []
    for name, label in zip(names, labels([request(name) for name in names]), strict=True):
        if run.cancelled() and results:
            refused.append(LeftOut(label, "model", label, STOPPED))
            continue
        try:
            results.append(_renamed(measure(name), label))
        except ModelError as error:
            errors.append(error)
            refused.append(excluded(label, error))
    if not results:
        raise errors[0]
    check_different([info for result in results for info in result.provenance.models])
    joined = join(results, columns)
    return replace(
        joined,
        left_out=(*refused, *joined.left_out),
        notes=(*same_files(joined.provenance.models), *joined.notes),
    )


def _renamed(result: AgreementResult, label: str) -> AgreementResult:
    """The metrics of one model under another name."""
    (info,) = result.provenance.models
    return replace(
        result,
        detail=result.detail.assign(point=label),
        left_out=tuple(replace(item, model=label) for item in result.left_out),
        provenance=replace(result.provenance, models=(replace(info, name=label),)),
        notes=tuple(replace(note, model=label) if note.model is not None else note for note in result.notes),
    )


def join(results: Sequence[AgreementResult], columns: Sequence[Column] = ()) -> AgreementResult:
    """The metrics of several models, each a result of ``run``, and the user's own columns, against each other.

    Points of a column are those of the models measured, by name. Raises NothingToScore where no metric has a number.
    """
    first = results[0]
    models = [info for result in results for info in result.provenance.models]
    known = {info.name for info in models}
    own = [
        (None, None, column.name, model, value)
        for column in columns
        for model, value in column.values
        if model in known
    ]
    points = pd.concat([*(result.detail for result in results), pd.DataFrame(own, columns=list(POINT_COLUMNS))])
    points = points.reset_index(drop=True)
    left_out = [item for result in results for item in result.left_out]
    if points.empty:
        reasons = list(dict.fromkeys(item.reason for item in left_out))
        raise NothingToScore(f"No metric could be computed. {'; '.join(reasons[:5])}.")
    left_out += [
        LeftOut(model, "statistic", column.name, f"{column.name}: {model} is not among the models", test=column.name)
        for column in columns
        for model, _ in column.values
        if model not in known
    ]
    names = (*first.names, *((column.name, column.name) for column in columns))
    summary, undefined, critical = correlate(points, names, ("metric_a", "metric_b"), first.options)
    said = [note for result in results for note in result.notes]
    return replace(
        first,
        summary=summary,
        detail=points,
        left_out=tuple(dict.fromkeys([*left_out, *undefined])),
        provenance=provenance.of(models, data=first.provenance.data, seed=first.options.seed),
        names=names,
        critical=critical,
        notes=tuple(dict.fromkeys([*said, *(Note(text) for column in columns for text in column.notes)])),
    )
