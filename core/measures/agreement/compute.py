"""Templates, representations and metrics compared with each other (Delobelle et al. 2022)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.engine.checkpoints import labels, request
from core.engine.lending import check_different, excluded, same_files
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import ModelError, NothingToScore, OptionError, TiltmeterError
from core.measures.agreement.metrics import GIVEN, Asked, Materials, Metric, Number, metric_by_id
from core.measures.agreement.result import (
    METRICS,
    REPRESENTATIONS,
    TEMPLATES,
    AgreementOptions,
    AgreementResult,
    Stability,
    pair_columns,
)
from core.measures.agreement.word_scores import WordScores, not_computed, word_scores
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.measures.shared.representations import COMPARABLE, IN_TEMPLATES, Representation, representation_by_id
from core.result import LeftOut, Note
from core.run import UNWATCHED, Watch
from core.sources.blanks import BlankTemplate, WordGroup, Words, delobelle_words
from core.sources.digests import texts_digest
from core.sources.measured import Column, published_columns
from core.spec import check_options
from core.stats.agreement import correlations, critical_r
from core.stats.correlation import FEWEST_POINTS
from core.stats.effects import effect_size
from core.stats.ranks import kendall_w, order_stability
from core.stats.samples import ALPHA, is_enough, too_few

FloatArray = NDArray[np.float64]
Memory = dict[Any, Any]  # what runs that were stopped had done, by model and piece of work
RESAMPLES = 1000
POINT_COLUMNS = ("model", "representation", "name", "point", "value")
PUBLISHED = (
    "Published, not measured here: the effect sizes are the paper’s, and the correlations are computed from them."
)


def agreement(
    models: Sequence[LoadedModel],
    kind: str,
    templates: Sequence[BlankTemplate],
    representations: Sequence[str],
    options: AgreementOptions | None = None,
    *,
    words: Words | None = None,
    data: Sequence[str] = (),
    memory: Memory | None = None,
    run: Watch = UNWATCHED,
) -> AgreementResult:
    """Do templates (``kind`` ``templates``), or representations, agree on d of subsets of professions, in each model?

    A representation's d is the mean over the templates. With ``templates`` the result also says how far the order of
    professions, and of two or more models, survives a change of template. ``memory`` takes up what was read, so that a
    run that was stopped goes on where it was; the models that were finished are in its result. Raises OptionError, the
    models' refusals, or NothingToScore.
    """
    options, memory = options or AgreementOptions(), {} if memory is None else memory
    words = words or delobelle_words()
    kinds = [representation_by_id(name) for name in representations]
    _check(models, kind, templates, kinds, options)
    scores: list[WordScores] = []
    left_out: list[LeftOut] = []
    refusals = Refusals()
    for model in models:
        of_model, lost = list[WordScores](), list[LeftOut]()
        with refusals.of(model):
            of_model, lost = word_scores(model, kinds, templates, words, memory, run)
        if refusals.has(model):
            continue
        if not of_model and not lost:
            lost = [LeftOut(model.info.name, "model", model.info.name, STOPPED)]
        scores += [scored for scored in of_model if _can_draw(scored, options, lost)]
        left_out += lost
    refusals.check(bool(scores))
    if not scores:
        reasons = list(dict.fromkeys(item.reason for item in left_out))
        raise NothingToScore(f"No effect size could be computed. {'; '.join(reasons[:5])}.")
    names = [(template.id, template.text) for template in templates]
    if kind == REPRESENTATIONS:
        names = [(representation.id, representation.title) for representation in kinds]
    points = pd.DataFrame(
        [row for scored in scores for row in _points(scored, kind, options)], columns=list(POINT_COLUMNS)
    )
    pairs, undefined = correlate(points, names, kind, options)
    shown = {scored.model for scored in scores}
    return AgreementResult(
        summary=pairs,
        detail=points,
        left_out=tuple(dict.fromkeys([*refusals.left_out, *left_out, *undefined])),
        options=options,
        provenance=provenance.of(
            [model.info for model in models if model.info.name in shown],
            data=(*data, *_citations(words)),
            seed=options.seed,
        ),
        kind=kind,
        names=tuple(names),
        representations=tuple((representation.id, representation.title) for representation in kinds),
        stabilities=tuple(_stabilities(scores, options.seed)) if kind == TEMPLATES else (),
        notes=tuple(
            dict.fromkeys(
                Note(f"{name} is the same input as {earlier}, so that the two agree of necessity.", scored.model)
                for scored in scores
                for name, earlier in scored.same
            )
        ),
    )


def _citations(words: Words) -> list[str]:
    """Where the words are from, a line a list."""
    groups = (words.x, words.y, words.a, words.b)
    return list(dict.fromkeys(group.citation for group in groups if isinstance(group, WordGroup)))


def _check(
    models: Sequence[LoadedModel],
    kind: str,
    templates: Sequence[BlankTemplate],
    kinds: Sequence[Representation],
    options: AgreementOptions,
) -> None:
    check_models(models)
    check_options(options)
    least = 2 if kind == REPRESENTATIONS else 1
    if len(kinds) < least:
        raise OptionError(f"{len(kinds)} representations chosen; choose {least} or more.")
    known = IN_TEMPLATES if kind == TEMPLATES else COMPARABLE
    for representation in kinds:
        if representation.id not in known:
            what = "words in templates" if kind == TEMPLATES else "words in templates or alone"
            raise OptionError(f"“{representation.id}” does not read {what}; choose {', '.join(known)}.")
    if kind == TEMPLATES and len(templates) < 2:
        raise OptionError("Agreement needs two templates or more.")
    if not templates:
        raise OptionError("No template is chosen; choose at least one.")


def _can_draw(scored: WordScores, options: AgreementOptions, left_out: list[LeftOut]) -> bool:
    kept = min(len(scored.words_x), len(scored.words_y))
    if kept >= options.drawn:
        return True
    reason = f"{scored.representation}: {options.drawn} words of each set are drawn, one kept {kept}"
    left_out.append(not_computed(scored.model, scored.representation, scored.representation, reason))
    return False


def _points(scored: WordScores, kind: str, options: AgreementOptions) -> list[tuple[str, str | None, str, int, float]]:
    values = _subset_effects(scored, options)
    if kind == TEMPLATES:
        return [
            (scored.model, scored.representation, template, subset, float(d))
            for template, row in zip(scored.templates, values, strict=True)
            for subset, d in enumerate(row, 1)
        ]
    means = values.mean(axis=0)
    return [(scored.model, None, scored.representation, subset, float(d)) for subset, d in enumerate(means, 1)]


def _subset_effects(scored: WordScores, options: AgreementOptions) -> FloatArray:
    """d [template, subset]: the same seeded subsets for every template and representation that kept the same words."""
    generator = np.random.default_rng(options.seed)
    drawn = [
        np.stack([generator.choice(side.shape[1], options.drawn, replace=False) for _ in range(options.subsets)])
        for side in (scored.x, scored.y)
    ]
    return effect_size(scored.x[:, drawn[0]], scored.y[:, drawn[1]])


def _stabilities(scores: Sequence[WordScores], seed: int) -> list[Stability]:
    """Of the professions in each model and, for two or more models, of the models' d over all professions."""
    result = []
    for scored in scores:
        if len(scored.templates) > 1:
            names = (*scored.words_x, *scored.words_y)
            result.append(
                _stability("words", scored.model, scored.representation, names, np.hstack([scored.x, scored.y]), seed)
            )
    for representation in dict.fromkeys(scored.representation for scored in scores):
        of_models = [scored for scored in scores if scored.representation == representation]
        common = [name for name in of_models[0].templates if all(name in scored.templates for scored in of_models)]
        if len(of_models) > 1 and len(common) > 1:
            columns = [
                effect_size(*(side[[scored.templates.index(t) for t in common]] for side in (scored.x, scored.y)))
                for scored in of_models
            ]
            names = tuple(scored.model for scored in of_models)
            result.append(_stability("models", "", representation, names, np.stack(columns, axis=1), seed))
    return result


def _stability(
    of: str, model: str, representation: str, names: Sequence[str], values: FloatArray, seed: int
) -> Stability:
    """``values`` [template, name]."""
    found = order_stability(values, seed=seed, resamples=RESAMPLES)
    order = tuple(names[i] for i in found.order)
    return Stability(
        of, model, representation, order, found.kept, found.flips, kendall_w(values), len(values), RESAMPLES
    )


def metrics_of_model(
    model: LoadedModel,
    names: Sequence[str],
    materials: Materials,
    options: AgreementOptions | None = None,
    *,
    memory: Memory | None = None,
    run: Watch = UNWATCHED,
) -> AgreementResult:
    """Each metric of one model: a result with a point each, and no correlation yet (see ``join``).

    A metric without a number has its reason in ``left_out``, as has what a number does not rest on. ``memory`` takes
    up the numbers, and what is done of one that a stop cuts short. Raises OptionError.
    """
    options, memory = options or AgreementOptions(), {} if memory is None else memory
    check_options(options)
    chosen = [metric_by_id(name) for name in dict.fromkeys(names)]
    if not chosen:
        raise OptionError("No metric is chosen; choose at least two.")
    name = model.info.name
    rows, left_out = [], []
    for metric in chosen:
        number = _number(metric, model, materials, options.seed, memory, run)
        if isinstance(number, str):
            left_out.append(LeftOut(name, "statistic", metric.title, f"{metric.title}: {number}", test=metric.id))
            continue
        rows.append((None, None, metric.id, name, number.value))
        left_out += [replace(item, reason=f"{metric.title}: {item.reason}", test=metric.id) for item in number.excluded]
    return AgreementResult(
        summary=pd.DataFrame(),
        detail=pd.DataFrame(rows, columns=list(POINT_COLUMNS)),
        left_out=tuple(left_out),
        options=options,
        provenance=provenance.of([model.info], data=_sources(chosen, materials), seed=options.seed),
        kind=METRICS,
        names=tuple((metric.id, metric.title) for metric in chosen),
        notes=tuple(map(Note, _said_of(materials))),
    )


def _number(
    metric: Metric, model: LoadedModel, materials: Materials, seed: int, memory: Memory, run: Watch
) -> Number | str:
    """The metric of one model, from ``memory`` where it is there, or why there is none."""
    if metric.needs and not getattr(materials, metric.needs):
        return f"needs {GIVEN[metric.needs]}"
    key = (model.info, metric.id)
    if key not in memory:
        if run.cancelled():
            return STOPPED
        try:
            parts = memory.setdefault((*key, "parts"), {})
            number = metric.compute(Asked(model, materials, seed, run, parts))
        except TiltmeterError as error:
            return STOPPED if run.cancelled() else str(error).rstrip(".")
        # What a stop cut short is a number of a part of the words.
        if run.cancelled():
            return STOPPED
        memory[key] = number
        del memory[*key, "parts"]
    number = memory[key]
    return number if np.isfinite(number.value) else "undefined: no variation"


def _said_of(materials: Materials) -> tuple[str, ...]:
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
    return [*(f"{metric.title}: {metric.source}" for metric in chosen), *given, *sentences]


def metrics_of_models(
    names: Sequence[str],
    measure: Callable[[str], AgreementResult],
    columns: Sequence[Column] = (),
    run: Watch = UNWATCHED,
) -> AgreementResult:
    """The metrics of several models, one in memory at a time, and the user's own columns, against each other.

    ``measure`` gives the metrics of one model by its name, hub id or folder, as ``metrics_of_model`` does; in the
    result each has a label that no other has. A model that cannot be had, or was not reached, is listed. Raises the
    first refusal where none can be had, OptionError for a model that is there twice, NothingToScore where no metric
    has a number.
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
    """Metrics against each other: of several models, each a result of ``metrics_of_model``, and the user's own columns.

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
    pairs, undefined = correlate(points, names, METRICS, first.options)
    said = [note for result in results for note in result.notes]
    return replace(
        first,
        summary=pairs,
        detail=points,
        left_out=tuple(dict.fromkeys([*left_out, *undefined])),
        provenance=provenance.of(models, data=first.provenance.data, seed=first.options.seed),
        names=names,
        notes=tuple(dict.fromkeys([*said, *(Note(text) for column in columns for text in column.notes)])),
    )


def published() -> AgreementResult:
    """Six embedding-based metrics over the paper's five models, a point a model; its notes say where they are from."""
    data, options = published_columns(), AgreementOptions()
    rows = [(None, None, column.name, model, value) for column in data.columns for model, value in column.values]
    points = pd.DataFrame(rows, columns=list(POINT_COLUMNS))
    names = tuple((column.name, column.name) for column in data.columns)
    pairs, undefined = correlate(points, names, METRICS, options)
    return AgreementResult(
        summary=pairs,
        detail=points,
        left_out=tuple(undefined),
        options=options,
        provenance=provenance.of([], data=(data.citation,), seed=options.seed),
        kind=METRICS,
        names=names,
        notes=(Note(PUBLISHED), Note(data.note)),
    )


def correlate(
    points: pd.DataFrame, names: Sequence[tuple[str, str]], kind: str, options: AgreementOptions
) -> tuple[pd.DataFrame, list[LeftOut]]:
    """A row per pair (the ``summary`` of ``AgreementResult``), and what has no correlation or no p, and why."""
    rows, left_out = [], []
    ids = [name for name, _ in names]
    for model, representation, block in _blocks(points):

        def excluded(what: str, reason: str, model: str | None = model, where: str | None = representation) -> LeftOut:
            about = model or "all models"
            return LeftOut(about, "statistic", what, f"{what}: {reason}", test="correlation", representation=where)

        few = set()
        table = block.pivot_table(index="point", columns="name", values="value", sort=False).reindex(columns=ids)
        found = correlations(table.to_numpy(dtype=np.float64), method=options.method)
        for a, b in combinations(range(len(ids)), 2):
            r, n = found.r[a, b], int(found.n[a, b])
            p = found.p[a, b] if is_enough(n) else np.nan
            known, sure = bool(np.isfinite(r)), bool(np.isfinite(p))
            rows.append(
                (model, representation, ids[a], ids[b], r, p, n, critical_r(n) if known else np.nan,
                 bool(p < ALPHA) if sure else pd.NA)
            )  # fmt: skip
            if known and not is_enough(n):
                few.add(n)
            if not known:
                required = f"n = {n}, at least {FEWEST_POINTS} are required"
                reason = "undefined: no variation" if n >= FEWEST_POINTS else required
                left_out.append(excluded(f"{ids[a]} and {ids[b]}", reason))
        left_out += [
            excluded("correlations", f"p not computed, n too small ({too_few(n)} points)") for n in sorted(few)
        ]
    columns = ("model", "representation", *pair_columns(kind), "r", "p", "n", "critical", "significant")
    return pd.DataFrame(rows, columns=list(columns)).astype({"significant": "boolean"}), left_out


def _blocks(points: pd.DataFrame) -> Iterator[tuple[str | None, str | None, pd.DataFrame]]:
    """The points of one model and representation at a time, in their order."""
    for key, block in points.groupby(["model", "representation"], sort=False, dropna=False):
        model, representation = (part if isinstance(part, str) else None for part in tuple(key))
        yield model, representation, block
