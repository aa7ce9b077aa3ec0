"""Templates, and representations, against each other over subsets of professions (Delobelle et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import NothingToScore, OptionError
from core.measures.agreement.correlations import POINT_COLUMNS, correlate
from core.measures.agreement.result import REPRESENTATIONS, TEMPLATES, AgreementOptions, AgreementResult, Stability
from core.measures.agreement.word_scores import Words, WordScores, not_computed, word_scores
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.measures.shared.representations import COMPARABLE, IN_TEMPLATES, Representation, representation_by_id
from core.result import LeftOut, Note
from core.run import UNWATCHED, Watch
from core.sources import blanks
from core.sources.blanks import BlankTemplate, WordGroup
from core.spec import check_options
from core.stats.effects import effect_size
from core.stats.ranks import kendall_w, order_stability

FloatArray = NDArray[np.float64]
RESAMPLES = 1000


def delobelle_words() -> Words:
    """Delobelle's female and male professions (B.1) against her female and male words (B.2)."""
    return Words(*blanks.professions(), *blanks.gendered_words())


def run(
    models: Sequence[LoadedModel],
    kind: str,
    templates: Sequence[BlankTemplate],
    representations: Sequence[str],
    options: AgreementOptions | None = None,
    *,
    words: Words | None = None,
    data: Sequence[str] = (),
    run: Watch = UNWATCHED,
) -> AgreementResult:
    """Do templates (``kind`` ``templates``), or representations, agree on d of subsets of professions, in each model?

    A representation's d is the mean over the templates. With ``templates`` the result also says how far the order of
    professions, and of two or more models, survives a change of template. When
    cancelled, the models that were finished are in. Raises OptionError, the models' refusals, or NothingToScore.
    """
    options = options or AgreementOptions()
    rulers = [representation_by_id(name) for name in representations]
    _check(models, kind, templates, rulers, options)
    words = words or delobelle_words()
    found: list[WordScores] = []
    left_out: list[LeftOut] = []
    refusals = Refusals()
    for model in models:
        scores, lost = list[WordScores](), list[LeftOut]()
        with refusals.of(model):
            if not run.cancelled():
                scores, lost = word_scores(model, rulers, templates, words, run)
        if refusals.has(model):
            continue
        if not scores and run.cancelled():
            lost = [LeftOut(model.info.name, "model", model.info.name, STOPPED)]
        kept = [one for one in scores if _can_draw(one, options, lost)]
        found += kept
        left_out += lost
    refusals.check(bool(found))
    if not found:
        reasons = list(dict.fromkeys(item.reason for item in left_out))
        raise NothingToScore(f"No effect size could be computed. {'; '.join(reasons[:5])}.")
    names = [(one.id, one.text) for one in templates] if kind == TEMPLATES else [(one.id, one.title) for one in rulers]
    points = pd.DataFrame([row for one in found for row in _points(one, kind, options)], columns=list(POINT_COLUMNS))
    columns = ("template_a", "template_b") if kind == TEMPLATES else ("representation_a", "representation_b")
    summary, undefined, critical = correlate(points, names, columns, options)
    shown = {one.model for one in found}
    return AgreementResult(
        summary=summary,
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
        critical=critical,
        representations=tuple((one.id, one.title) for one in rulers),
        stabilities=tuple(_stabilities(found, options.seed)) if kind == TEMPLATES else (),
        notes=tuple(
            dict.fromkeys(
                Note(f"{name} is the same input as {earlier}, so that the two agree of necessity.", one.model)
                for one in found
                for name, earlier in one.same
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
    rulers: Sequence[Representation],
    options: AgreementOptions,
) -> None:
    check_models(models)
    check_options(options)
    least = 2 if kind == REPRESENTATIONS else 1
    if len(rulers) < least:
        raise OptionError(f"{len(rulers)} representations chosen; choose {least} or more.")
    known = IN_TEMPLATES if kind == TEMPLATES else COMPARABLE
    for one in rulers:
        if one.id not in known:
            what = "words in templates" if kind == TEMPLATES else "words in templates or alone"
            raise OptionError(f"“{one.id}” does not read {what}; choose {', '.join(known)}.")
    if kind == TEMPLATES and len(templates) < 2:
        raise OptionError("Agreement needs two templates or more.")
    if not templates:
        raise OptionError("No template is chosen; choose at least one.")


def _can_draw(one: WordScores, options: AgreementOptions, left_out: list[LeftOut]) -> bool:
    kept = min(len(one.words_x), len(one.words_y))
    if kept >= options.drawn:
        return True
    reason = f"{one.representation}: {options.drawn} words of each set are drawn, one kept {kept}"
    left_out.append(not_computed(one.model, one.representation, one.representation, reason))
    return False


def _points(one: WordScores, kind: str, options: AgreementOptions) -> list[tuple[str, str | None, str, int, float]]:
    values = _subset_effects(one, options)
    if kind == TEMPLATES:
        return [
            (one.model, one.representation, template, subset, float(d))
            for template, row in zip(one.templates, values, strict=True)
            for subset, d in enumerate(row, 1)
        ]
    means = values.mean(axis=0)
    return [(one.model, None, one.representation, subset, float(d)) for subset, d in enumerate(means, 1)]


def _subset_effects(one: WordScores, options: AgreementOptions) -> FloatArray:
    """d [template, subset]: the same seeded subsets for every template and representation that kept the same words."""
    generator = np.random.default_rng(options.seed)
    drawn = [
        np.stack([generator.choice(side.shape[1], options.drawn, replace=False) for _ in range(options.subsets)])
        for side in (one.x, one.y)
    ]
    return effect_size(one.x[:, drawn[0]], one.y[:, drawn[1]])


def _stabilities(found: Sequence[WordScores], seed: int) -> list[Stability]:
    """Of the professions in each model and, for two or more models, of the models' d over all professions."""
    result = []
    for one in found:
        if len(one.templates) > 1:
            names = (*one.words_x, *one.words_y)
            result.append(_stability("words", one.model, one.representation, names, np.hstack([one.x, one.y]), seed))
    for representation in dict.fromkeys(one.representation for one in found):
        of_models = [one for one in found if one.representation == representation]
        common = [name for name in of_models[0].templates if all(name in one.templates for one in of_models)]
        if len(of_models) > 1 and len(common) > 1:
            columns = [
                effect_size(*(side[[one.templates.index(t) for t in common]] for side in (one.x, one.y)))
                for one in of_models
            ]
            names = tuple(one.model for one in of_models)
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
