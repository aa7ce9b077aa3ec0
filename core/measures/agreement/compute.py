"""Templates, representations and metrics compared with each other (Delobelle et al. 2022)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ...engine import lending
from ...engine.checkpoints import labels, request
from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED
from ...errors import ModelError, NothingToScore, TiltmeterError
from ...result import Excluded, Note
from ...run import Run
from ...sources.measured import Column, published_columns
from ...stats.effects import effect_size
from ...stats.ranks import kendall_w, order_stability
from ..shared import provenance
from ..shared.checks import Refusals, check_models
from ..shared.representations import representation_by_id
from . import divergence
from .choices import Compared, Draws
from .correlating import CORRELATION, correlate, name_row, over_models
from .metrics import DIRECTION, GIVEN, Asked, Materials, Metric, Number, said_of
from .outcomes import Outcome, outcomes
from .result import DOWNSTREAM, METRIC, NAMES, OWN, POINTS, AgreementResult
from .spec import AgreementSpec
from .word_scores import WordScores, not_computed, word_scores

FloatArray = NDArray[np.float64]
Row = dict[str, Any]
RESAMPLES = 1000
PUBLISHED = (
    "Published, not measured here: the effect sizes are the paper’s, and the correlations are computed from them."
)


def measure(spec: AgreementSpec, models: Sequence[LoadedModel], run: Run[Any]) -> AgreementResult:
    """Compare what the spec asks for in these models.

    What is done is kept in ``run.memory``, and the next run of the same spec resumes from there; a run that is stopped
    has the models that were finished in its result. Raises OptionError, the first refusal where no model can be asked,
    or NothingToScore.
    """
    check_models(models)
    if spec.compare == Compared.METRICS:
        return _metrics(spec, models[0], run)
    if spec.compare == Compared.DIVERGENCE:
        return divergence.measure(spec, models, run)
    return _effects(spec, models, run)


def _effects(spec: AgreementSpec, models: Sequence[LoadedModel], run: Run[Any]) -> AgreementResult:
    """Do templates, or representations, agree on d of subsets of professions, in each model?

    A representation's d is the mean over the templates. With templates the result also says how far the order of
    professions, and of two or more models, survives a change of template.
    """
    kinds = [representation_by_id(name) for name in spec.kinds]
    scores: list[WordScores] = []
    left_out: list[Excluded] = []
    refusals = Refusals()
    stopped = False
    for model in models:
        of_model, lost = list[WordScores](), list[Excluded]()
        with refusals.of(model):
            of_model, lost = word_scores(model, kinds, spec.templates.templates, spec.words, run.memory, run)
        if refusals.has(model):
            continue
        if not of_model and not lost:
            lost = [Excluded(model.info.name, "model", model.info.name, f"{model.info.name} {STOPPED}")]
            stopped = True
        scores += [scored for scored in of_model if _can_draw(scored, spec, lost)]
        left_out += lost
    refusals.check(bool(scores))
    if not scores:
        reasons = list(dict.fromkeys(item.why for item in left_out))
        raise NothingToScore(f"No effect size could be computed. {'; '.join(reasons[:5])}.")
    of_templates = spec.compare == Compared.TEMPLATES
    if of_templates:
        names = [name_row(template.id, template.text, template.source) for template in spec.templates.templates]
    else:
        names = [name_row(kind.id, kind.title, kind.source) for kind in kinds]
    points = [row for scored in scores for row in _points(scored, spec)]
    pairs, undefined = correlate(pd.DataFrame(points), names, spec)
    shown = {scored.model for scored in scores}
    same = [
        Note(f"{name} is the same input as {earlier}, so that the two agree of necessity.", scored.model)
        for scored in scores
        for name, earlier in scored.same
    ]
    return AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(
            pairs=pairs,
            points=points,
            names=names,
            stability=list(_stabilities(scores, spec.seed)) if of_templates else [],
        ),
        excluded=tuple(dict.fromkeys([*refusals.left_out, *left_out, *undefined])),
        notes=tuple(dict.fromkeys(same)),
        provenance=provenance.of(
            [model.info for model in models if model.info.name in shown], data=spec.data, seed=spec.seed
        ),
        stopped=stopped,
    )


def _can_draw(scored: WordScores, spec: AgreementSpec, left_out: list[Excluded]) -> bool:
    kept = min(len(scored.words_x), len(scored.words_y))
    if kept >= spec.drawn:
        return True
    reason = f"{scored.representation}: {spec.drawn} words of each set are drawn, one kept {kept}"
    left_out.append(not_computed(scored.model, scored.representation, scored.representation, reason))
    return False


def _points(scored: WordScores, spec: AgreementSpec) -> Iterator[Row]:
    values = _subset_effects(scored, spec)
    where: Row = {"model": scored.model, "representation": scored.representation}
    names: Sequence[str] = scored.templates
    if spec.compare == Compared.REPRESENTATIONS:
        where["representation"] = None
        names, values = [scored.representation], values.mean(axis=0, keepdims=True)
    for name, row in zip(names, values, strict=True):
        for subset, d in enumerate(row, 1):
            yield {**where, "name": name, "point": subset, "value": float(d)}


def _subset_effects(scored: WordScores, spec: AgreementSpec) -> FloatArray:
    """d [template, subset]: the same subsets for every template and representation that kept the same words."""
    if spec.draws == Draws.AUTHORS:
        sides = ((spec.words.x.words, scored.words_x), (spec.words.y.words, scored.words_y))
        drawn = [_drawn_by_authors(words, kept, spec) for words, kept in sides]
    else:
        generator = np.random.default_rng(spec.seed)
        drawn = [
            np.stack([generator.choice(side.shape[1], spec.drawn, replace=False) for _ in range(spec.subsets)])
            for side in (scored.x, scored.y)
        ]
    return effect_size(scored.x[:, drawn[0]], scored.y[:, drawn[1]])


def _drawn_by_authors(words: Sequence[str], kept: Sequence[str], spec: AgreementSpec) -> NDArray[np.int64]:
    """Places among the words kept [subset, word]: the first of a list that is shuffled by the subset's number.

    The notebooks of Delobelle et al. shuffle with pandas, ``sample(frac=1, random_state=k)``, which is this. A word
    that the model lost gives its place to the next.
    """
    place = {word: at for at, word in enumerate(kept)}
    shuffled = (np.random.RandomState(subset).permutation(len(words)) for subset in range(1, spec.subsets + 1))
    return np.array([[place[words[at]] for at in order if words[at] in place][: spec.drawn] for order in shuffled])


def _stabilities(scores: Sequence[WordScores], seed: int) -> Iterator[Row]:
    """Of the professions in each model and, for two or more models, of the models' d over all professions."""
    for scored in scores:
        if len(scored.templates) > 1:
            names = (*scored.words_x, *scored.words_y)
            values = np.hstack([scored.x, scored.y])
            yield _stability("words", scored.model, scored.representation, names, values, seed)
    for representation in dict.fromkeys(scored.representation for scored in scores):
        of_models = [scored for scored in scores if scored.representation == representation]
        common = [name for name in of_models[0].templates if all(name in scored.templates for scored in of_models)]
        if len(of_models) > 1 and len(common) > 1:
            columns = [
                effect_size(*(side[[scored.templates.index(t) for t in common]] for side in (scored.x, scored.y)))
                for scored in of_models
            ]
            names = tuple(scored.model for scored in of_models)
            yield _stability("models", None, representation, names, np.stack(columns, axis=1), seed)


def _stability(
    of: str, model: str | None, representation: str, names: Sequence[str], values: FloatArray, seed: int
) -> Row:
    """``values`` [template, name]."""
    stability = order_stability(values, seed=seed, resamples=RESAMPLES)
    return {
        "of": of,
        "model": model,
        "representation": representation,
        "kept": stability.kept,
        "flips": stability.flips,
        "w": kendall_w(values),
        "templates": len(values),
        "resamples": RESAMPLES,
        "ordered": len(names),
        "order": ", ".join(names[i] for i in stability.order),
    }


def _metrics(spec: AgreementSpec, model: LoadedModel, run: Run[Any]) -> AgreementResult:
    """Each metric of one model; what a number does not rest on is excluded, as is a metric without a number."""
    name, materials = model.info.name, spec.materials()
    points, left_out, stopped = list[Row](), list[Excluded](), False
    for metric in spec.chosen_metrics:
        number = _number(metric, model, materials, spec.seed, run)
        if isinstance(number, str):
            stopped = stopped or number == STOPPED
            left_out.append(Excluded(name, "statistic", metric.title, f"{metric.title}: {number}", test=metric.id))
            continue
        points.append({"model": name, "representation": None, "name": metric.id, "point": 1, "value": number.value})
        left_out += [replace(item, why=f"{metric.title}: {item.why}", test=metric.id) for item in number.excluded]
    names = [over_models(metric.id, metric.title, metric.source, METRIC, DIRECTION) for metric in spec.chosen_metrics]
    pairs, undefined = correlate(pd.DataFrame(points), names, spec)
    return AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(pairs=pairs, points=points, names=names),
        excluded=tuple(dict.fromkeys([*left_out, *undefined])),
        notes=tuple(map(Note, said_of(materials))),
        provenance=provenance.of([model.info], data=spec.data, seed=spec.seed),
        stopped=stopped,
    )


def _number(metric: Metric, model: LoadedModel, materials: Materials, seed: int, run: Run[Any]) -> Number | str:
    """The metric of one model, from the run's memory where it is there, or why there is none."""
    if metric.needs and not getattr(materials, metric.needs):
        return f"needs {GIVEN[metric.needs]}"
    memory, key = run.memory, (model.info, metric.id)
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


def joined(spec: AgreementSpec, results: Sequence[AgreementResult | ModelError | None]) -> AgreementResult:
    """The metrics of the spec's models, measured one by one, own columns and downstream results, against each other.

    Each model has a label that no other has. One that refused, or was not reached (None), is listed. Raises the first
    refusal where no model can be had, OptionError for a model that is there twice, NothingToScore where no metric has a
    number.
    """
    known, left_out, errors = list[AgreementResult](), list[Excluded](), list[ModelError]()
    for label, result in zip(labels([request(name) for name in spec.models]), results, strict=True):
        if isinstance(result, ModelError):
            errors.append(result)
            left_out.append(lending.excluded(label, result))
        elif result is None:
            left_out.append(Excluded(label, "model", label, f"{label} {STOPPED}"))
        else:
            known.append(_renamed(result, label))
    if not known:
        raise errors[0] if errors else NothingToScore("The run was stopped before any metric was computed.")
    models = [info for result in known for info in result.provenance.models]
    lending.check_different(models)
    numbers = {info.name: at for at, info in enumerate(models, 1)}
    columns = spec.scores()
    tasks, without, said = outcomes(spec.brought(), models)
    points = pd.concat(
        [*(result[POINTS] for result in known), _of_columns(columns, numbers), _of_tasks(tasks)], ignore_index=True
    )
    points["point"] = points["model"].map(numbers)
    left_out += [item for result in known for item in result.excluded if item.test != CORRELATION]
    if points.empty:
        reasons = list(dict.fromkeys(item.why for item in left_out))
        raise NothingToScore(f"No metric could be computed. {'; '.join(reasons[:5])}.")
    left_out += [
        Excluded(model, "statistic", column.name, f"{column.name}: {model} is not among the models", test=column.name)
        for column in columns
        for model, _ in column.values
        if model not in numbers
    ]
    left_out += without
    own = "" if spec.columns is None else spec.columns.name
    names = [{str(key): value for key, value in row.items()} for row in known[0][NAMES].to_dict("records")]
    names += [
        over_models(column.name, column.name, own, OWN, f"The column “{column.name}” of {own}.") for column in columns
    ]
    names += [
        over_models(task.column.name, task.column.title, task.source, DOWNSTREAM, task.column.help) for task in tasks
    ]
    pairs, undefined = correlate(points, names, spec)
    notes = [note for result in known for note in result.notes]
    notes += [*(Note(text) for column in columns for text in column.notes), *said]
    return AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(pairs=pairs, points=points, names=names),
        excluded=tuple(dict.fromkeys([*left_out, *undefined])),
        notes=tuple(dict.fromkeys([*lending.same_files(models), *notes])),
        provenance=provenance.of(models, data=spec.data, seed=spec.seed),
        stopped=any(result is None or (isinstance(result, AgreementResult) and result.stopped) for result in results),
    )


def _renamed(result: AgreementResult, label: str) -> AgreementResult:
    """The metrics of one model under another name."""
    (info,) = result.provenance.models
    return replace(
        result,
        tables={**result.tables, POINTS: result[POINTS].assign(model=label)},
        excluded=tuple(replace(item, model=label) if item.model == info.name else item for item in result.excluded),
        notes=tuple(replace(note, model=label) if note.model is not None else note for note in result.notes),
        provenance=replace(result.provenance, models=(replace(info, name=label),)),
    )


def _of_columns(columns: Sequence[Column], numbers: Mapping[str, int]) -> pd.DataFrame:
    """The points of the user's columns, of the models that are measured."""
    return AgreementResult.SCHEMA.tables[POINTS].frame(
        {"model": model, "representation": None, "name": column.name, "point": numbers[model], "value": value}
        for column in columns
        for model, value in column.values
        if model in numbers
    )


def _of_tasks(tasks: Sequence[Outcome]) -> pd.DataFrame:
    """The points of downstream results."""
    return AgreementResult.SCHEMA.tables[POINTS].frame(
        {"model": model, "representation": None, "name": task.column.name, "point": 1, "value": value}
        for task in tasks
        for model, value in task.values.items()
    )


def published() -> AgreementResult:
    """Six embedding-based metrics over the paper's five models, a point a model; its notes say where they are from."""
    data = published_columns()
    numbers = {model: at for at, model in enumerate(data.models, 1)}
    spec = AgreementSpec(compare=Compared.METRICS, models=data.models)
    points = _of_columns(data.columns, numbers)
    names = [
        over_models(column.name, column.name, data.citation, METRIC, "As the paper’s code gives it.")
        for column in data.columns
    ]
    pairs, undefined = correlate(points, names, spec)
    return AgreementResult(
        spec=spec,
        tables=AgreementResult.SCHEMA.frames(pairs=pairs, points=points, names=names),
        excluded=tuple(undefined),
        notes=(Note(PUBLISHED), Note(data.note)),
        provenance=provenance.of([], data=(data.citation,), seed=spec.seed),
    )
