"""Professions between two kinds of person words, models and languages side by side (BEC-Pro)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .... import sources
from ....engine.loading import LoadedModel
from ....engine.masked import STOPPED
from ....errors import NothingToScore, UnsupportedModel
from ....result import Excluded, ModelInfo, Note, notes_of
from ....run import Run
from ....sources import Corpus
from ...shared import provenance
from ...shared.checks import Refusals, check_models
from ...shared.readable import MULTILINGUAL, reading_notes, refuse_special_tokens
from ..grid import corpus_grid
from ..omissions import drop_partners, keep_common, not_scored, partners_left_out
from ..scoring import Asking, Scores, score
from .result import TESTS, ProfessionResult
from .rows import all_tables, tests_excluded
from .spec import ProfessionSpec, SignedRank


def measure(spec: ProfessionSpec, models: Sequence[LoadedModel], run: Run[Any]) -> ProfessionResult:
    """Each corpus in each model that knows its language (metrics: professions; Bartl, Nissim & Gatt 2020).

    ``run.memory`` holds what earlier, stopped runs have done and takes up what this one does. When the run is stopped,
    only whole professions are in the result. The result has no statistic yet; see ``labour.compared``. Raises
    OptionError, UnsupportedModel for a language a model does not know, the models' refusals, or NothingToScore.
    """
    check_models(models)
    for corpus in spec.corpora:
        refuse_special_tokens(models, [*corpus.templates, *_words(corpus)])
    refusals = Refusals()
    for model in models:
        with refusals.of(model):
            _check_corpora(model, spec.corpora)
    done, excluded, notes, stopped = _asked(spec, models, run, refusals)
    refusals.check(len(refusals.left_out) < len(models))
    excluded = [*refusals.left_out, *excluded]
    scored = [(scores, corpus) for scores, corpus in done if scores.present.any()]
    if not scored:
        reasons = "; ".join(dict.fromkeys(item.why for item in excluded[:5]))
        raise NothingToScore(f"No sentence could be scored here: {reasons}.")
    tables = all_tables(scored, normal=spec.signed_rank == SignedRank.NORMAL)
    able = [model.info for model in models if not refusals.has(model)]
    return ProfessionResult(
        spec=spec,
        tables=tables,
        excluded=(*excluded, *tests_excluded(tables[TESTS])),
        notes=tuple(dict.fromkeys([*notes, *(Note(corpus.note) for corpus in spec.corpora if corpus.note)])),
        provenance=provenance.of(
            [replace(info, notes=(*info.notes, *notes_of(notes, info.name))) for info in able],
            data=spec.data,
            seed=spec.seed,
        ),
        stopped=stopped,
    )


def _asked(
    spec: ProfessionSpec, models: Sequence[LoadedModel], run: Run[Any], refusals: Refusals
) -> tuple[list[tuple[Scores, Corpus]], list[Excluded], list[Note], bool]:
    """Scores of each corpus in each model, what is excluded, notes, and whether a stop left something out."""
    asking = Asking(spec.masking, spec.several_pieces, whole=False)
    done: list[tuple[Scores, Corpus]] = []
    excluded: list[Excluded] = []
    notes: list[Note] = []
    stopped = False
    for corpus in spec.corpora:
        grid = corpus_grid(corpus, spec.form)
        scores: list[Scores] = []
        for model in models:
            if refusals.has(model):
                continue
            if obstacle := _unfit(model, corpus):
                excluded.append(Excluded(model.info.name, "corpus", corpus.name, obstacle))
                continue
            with refusals.of(model):
                scores.append(score(model, grid, asking, memory=run.memory, run=run))
                scores[-1].count_attributes_once(grid.attributes)
                scores[-1].notes += tuple(_notes(model, corpus))
        # Of a stopped run the models that were finished, or the first one with the professions it was asked.
        reached = [part for part in scores if not part.not_reached] or scores[:1]
        reached = [part for part in reached if len(part.not_reached) < len(grid.attributes)]
        stopped |= any(part.not_reached for part in scores)
        excluded += [
            Excluded(part.model.name, "corpus", corpus.name, f"{part.model.name} {STOPPED}")
            for part in scores
            if part not in reached
        ]
        excluded += [item for part in reached for item in not_scored(part)]
        if corpus.paired:
            for part in reached:
                excluded += partners_left_out(part, corpus.contrast, grid.groups)
                drop_partners(part)
        if spec.common_words:
            excluded += keep_common(reached)
        for part in reached:
            part.fill_mean_priors()
            notes += [Note(text, part.model.name) for text in part.notes]
        done += [(part, corpus) for part in reached]
    return done, excluded, notes, stopped


def not_its_language(info: ModelInfo, corpus: Corpus) -> str:
    """The sentence for a corpus in a language that a model does not know."""
    known = " and ".join(sources.language_name(code) for code in info.languages)
    return (
        f"{info.name} knows {known} and the corpus is {corpus.name}: its words would be noise to "
        f"it. Choose a {corpus.name} or a multilingual model"
    )


def _unfit(model: LoadedModel, corpus: Corpus) -> str:
    """Why this corpus cannot be asked of this model, empty where it can."""
    if not _knows(model, corpus):
        return not_its_language(model.info, corpus)
    if model.info.kind == "causal" and corpus.gendered:
        return (
            f"{model.info.name} is causal (left-to-right), and in {corpus.name} the profession changes its form with "
            "the person, so that its own probability does not cancel. Choose a masked model"
        )
    return ""


def _notes(model: LoadedModel, corpus: Corpus) -> Iterator[str]:
    if not model.info.languages:
        yield f"its languages are not stated; read its numbers only if it knows {corpus.name}."
    yield from reading_notes(model, corpus.templates, _words(corpus))


def _check_corpora(model: LoadedModel, corpora: Sequence[Corpus]) -> None:
    """Raise UnsupportedModel for a model that none of the corpora can be asked of."""
    reasons = [_unfit(model, corpus) for corpus in corpora]
    if all(reasons):
        raise UnsupportedModel(f"{reasons[0]}.")


def _words(corpus: Corpus) -> list[str]:
    """Every person and every form of a profession, as a reader sees them."""
    forms = (form for profession in corpus.professions for form in (profession.first, profession.second))
    return list(dict.fromkeys([*(label for side in corpus.labels for label in side), *forms]))


def _knows(model: LoadedModel, corpus: Corpus) -> bool:
    languages = model.info.languages
    return not languages or corpus.language in languages or MULTILINGUAL in languages
