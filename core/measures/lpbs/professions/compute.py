"""Professions between two kinds of person words, models and languages side by side (BEC-Pro)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pandas as pd

from core import sources
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.errors import NothingToScore, UnsupportedModel, WordListError
from core.measures.lpbs.grid import corpus_grid
from core.measures.lpbs.omissions import drop_partners, keep_common, not_scored, partners_left_out
from core.measures.lpbs.professions.result import ProfessionOptions, ProfessionResult
from core.measures.lpbs.professions.rows import detail_rows, profession_rows, table_rows
from core.measures.lpbs.scoring import Asking, Memory, Scores, score
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.measures.shared.readable import MULTILINGUAL, reading_notes, refuse_special_tokens
from core.result import LeftOut, ModelInfo, Note, notes_of
from core.run import UNWATCHED, Watch
from core.sources import PROFESSION_GROUPS, Corpus
from core.spec import check_options
from core.stats.corrections import benjamini_hochberg
from core.stats.samples import is_enough, too_few


def run(
    models: Sequence[LoadedModel],
    corpora: Sequence[Corpus],
    options: ProfessionOptions | None = None,
    *,
    memory: Memory | None = None,
    run: Watch = UNWATCHED,
) -> ProfessionResult:
    """Each corpus in each model that knows its language (metrics: professions; Bartl, Nissim & Gatt 2020).

    ``memory`` holds what earlier, stopped runs have done and takes up what this one does: a run goes on from there.
    When cancelled, only whole professions are in the result. The result has no statistic yet; see ``labour.against``.
    Raises OptionError, WordListError, UnsupportedModel for a language a model does not know, the models' refusals, or
    NothingToScore.
    """
    options = options or ProfessionOptions()
    _check(models, corpora, options)
    asking = Asking(options.masking, options.several_pieces, whole=False)
    done: list[tuple[Scores, Corpus]] = []
    left_out: list[LeftOut] = []
    notes: list[Note] = []
    stopped = False
    refusals = Refusals()
    for model in models:
        with refusals.of(model):
            _check_corpora(model, corpora)
    for corpus in corpora:
        grid = corpus_grid(corpus, options.form)
        scores: list[Scores] = []
        for model in models:
            if refusals.has(model):
                continue
            if obstacle := _unfit(model, corpus):
                left_out.append(LeftOut(model.info.name, "corpus", corpus.name, obstacle))
                continue
            with refusals.of(model):
                scores.append(score(model, grid, asking, memory=memory, run=run))
                scores[-1].count_attributes_once(grid.attributes)
                scores[-1].notes += tuple(_notes(model, corpus))
        # Of a stopped run the models that were finished, or the first one with the professions it was asked.
        reached = [one for one in scores if not one.not_reached] or scores[:1]
        reached = [one for one in reached if len(one.not_reached) < len(grid.attributes)]
        for one in scores:
            stopped |= bool(one.not_reached)
            if one not in reached:
                left_out.append(LeftOut(one.model.name, "corpus", corpus.name, f"{one.model.name} {STOPPED}"))
        left_out += [item for one in reached for item in not_scored(one)]
        if corpus.paired:
            for one in reached:
                left_out += partners_left_out(one, corpus.contrast, grid.groups)
                drop_partners(one)
        if options.common_words:
            left_out += keep_common(reached)
        for one in reached:
            one.fill_mean_priors()
            notes += [Note(text, one.model.name) for text in one.notes]
        done += [(one, corpus) for one in reached]
    refusals.check(len(refusals.left_out) < len(models))
    able = [model.info for model in models if not refusals.has(model)]
    left_out = [*refusals.left_out, *left_out]
    scored = [(one, corpus) for one, corpus in done if one.present.any()]
    if not scored:
        reasons = "; ".join(dict.fromkeys(item.reason for item in left_out[:5]))
        raise NothingToScore(f"No sentence could be scored here: {reasons}.")
    summary = pd.concat(
        [frame for pair in scored for frame in (table_rows(*pair, options), profession_rows(*pair))], ignore_index=True
    )
    summary.insert(list(summary.columns).index("p") + 1, "p_adjusted", benjamini_hochberg(summary["p"]))
    held = {group for corpus in corpora for group in corpus.groups}
    return ProfessionResult(
        summary=summary,
        detail=pd.concat([detail_rows(*pair) for pair in scored], ignore_index=True),
        left_out=(*left_out, *_tests_left_out(summary)),
        options=options,
        provenance=provenance.of(
            [replace(info, notes=notes_of(notes, info.name)) for info in able],
            data=tuple(corpus.source for corpus in corpora),
            seed=options.seed,
        ),
        contrast=corpora[0].contrast,
        groups=tuple(group for group in PROFESSION_GROUPS if group in held),
        sentences=tuple((corpus.language, corpus.size) for corpus in corpora),
        stopped=stopped,
        notes=tuple(dict.fromkeys([*notes, *(Note(corpus.note) for corpus in corpora if corpus.note)])),
    )


def not_its_language(info: ModelInfo, corpus: Corpus) -> str:
    """The sentence for a corpus in a language that a model does not know."""
    known = " and ".join(sources.language_name(code) for code in info.languages)
    return (
        f"{info.name} knows {known} and the corpus is {corpus.name}: its words would be noise to "
        f"it. Choose a {corpus.name} or a multilingual model"
    )


def _check(models: Sequence[LoadedModel], corpora: Sequence[Corpus], options: ProfessionOptions) -> None:
    check_options(options)
    check_models(models)
    if not corpora or len({corpus.contrast for corpus in corpora}) > 1:
        raise WordListError("Needs one corpus or more, all with the same two kinds of person words.")
    for corpus in corpora:
        if not corpus.professions:
            raise WordListError("There is no profession; write at least one.")
        refuse_special_tokens(models, [*corpus.templates, *_words(corpus)])


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


def _tests_left_out(rows: pd.DataFrame) -> Iterable[LeftOut]:
    """The groups of professions with too few pairs for a p."""
    for row in rows[rows["kind"] == "test"].to_dict("records"):
        n = int(row["n"])
        if not is_enough(n):
            what = f"signed-rank test of the {row['group']} professions"
            reason = f"{what} in {row['model']}: p not computed, n too small ({too_few(n)} pairs that differ)"
            yield LeftOut(str(row["model"]), "statistic", what, reason, test="signed-rank")
