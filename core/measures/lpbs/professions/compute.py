"""Professions between two kinds of person words, models and languages side by side (BEC-Pro)."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core import sources
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED
from core.engine.normal_form import same_input
from core.errors import NothingToScore, UnsupportedModel, WordListError
from core.measures.lpbs.professions.result import ProfessionOptions, ProfessionResult
from core.measures.lpbs.professions.rows import detail_rows, profession_rows, table_rows
from core.measures.lpbs.professions.scores import CorpusScores, ask_corpus, empty_scores
from core.measures.shared import provenance
from core.measures.shared.checks import Refusals, check_models
from core.measures.shared.readable import MULTILINGUAL, reading_notes, refuse_special_tokens
from core.measures.shared.sameness import Named, not_told_apart
from core.result import LeftOut, ModelInfo, Note, notes_of
from core.run import UNWATCHED, Watch
from core.sources import PROFESSION_GROUPS, Corpus
from core.spec import check_options
from core.stats.corrections import benjamini_hochberg
from core.stats.samples import is_enough, too_few


@dataclass(frozen=True)
class MemoryKey:
    """What the numbers of a stopped run depend on."""

    model: ModelInfo
    corpus: Corpus
    masking: str
    several_pieces: str
    form: str


Memory = MutableMapping[MemoryKey, CorpusScores]


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
    memory = {} if memory is None else memory
    done: list[CorpusScores] = []
    left_out: list[LeftOut] = []
    notes: list[Note] = []
    refusals = Refusals()
    for model in models:
        with refusals.of(model):
            _check_corpora(model, corpora)
    for corpus in corpora:
        able = [model for model in models if not refusals.has(model)]
        fitting = [model for model in able if not _unfit(model, corpus)]
        for model in able:
            if model not in fitting:
                left_out.append(LeftOut(model.info.name, "corpus", corpus.name, _unfit(model, corpus)))
        of_corpus = []
        for model in fitting:
            key = MemoryKey(model.info, corpus, options.masking, options.several_pieces, options.form)
            scores = memory.setdefault(key, empty_scores(model.info, corpus))
            with refusals.of(model):
                if scores.not_reached and not run.cancelled():
                    ask_corpus(model, corpus, options, scores, run)
            if refusals.has(model):
                continue
            notes += [Note(text, model.info.name) for text in scores.notes]
            if not model.info.languages:
                said = f"its languages are not stated; read its numbers only if it knows {corpus.name}."
                notes.append(Note(said, model.info.name))
            of_corpus.append(_copy(scores))
            left_out += _not_told_apart(of_corpus[-1], model, options)
            read = reading_notes(model, corpus.templates, _words(corpus))
            notes += [Note(text, model.info.name) for text in read]
        left_out += [item for scores in of_corpus for item in _not_scored(scores)]
        if corpus.paired:
            left_out += [item for scores in of_corpus for item in _drop_partners(scores)]
        # A model that can score nothing here, or was not reached, takes nothing from the others.
        begun = [scores for scores in of_corpus if not np.isnan(scores.association()[0]).all()]
        if options.common_words and len(begun) > 1:
            left_out += _keep_common(begun)
        done += of_corpus
    refusals.check(bool(done))
    able = [model for model in models if not refusals.has(model)]
    return _result(able, corpora, done, [*refusals.left_out, *left_out], notes, options)


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


def _copy(scores: CorpusScores) -> CorpusScores:
    """A copy whose numbers can be left out without losing them for the next run."""
    target, prior = ((first.copy(), second.copy()) for first, second in (scores.target, scores.prior))
    return replace(scores, target=target, prior=prior, why=dict(scores.why))


def _not_scored(scores: CorpusScores) -> Iterable[LeftOut]:
    """Persons that could not be scored anywhere in a template, else single sentences; professions not reached."""
    name, corpus = scores.model.name, scores.corpus
    if len(scores.not_reached) == len(corpus.professions):
        yield LeftOut(name, "corpus", corpus.name, f"{name} {STOPPED}")
        return
    for p in scores.not_reached:
        word = corpus.professions[p].name
        yield LeftOut(name, "profession", word, f"{word} {STOPPED}")
    where: dict[tuple[int, int, str], set[int]] = {}
    for (side, (t, w, _)), reason in sorted(scores.why.items()):
        where.setdefault((side, w, reason), set()).add(t)
    for (side, w, reason), templates in where.items():
        person, everywhere = corpus.labels[side][w], len(templates) == len(corpus.templates)
        for template in [None] if everywhere else [corpus.templates[t] for t in sorted(templates)]:
            yield LeftOut(name, "target", person, f"{person} {reason}", corpus.persons[side].name, template)


def _not_told_apart(scores: CorpusScores, model: LoadedModel, options: ProfessionOptions) -> Iterable[LeftOut]:
    """Take away what is the same input to the model: a profession or person that counts already, persons of both kinds.

    Inputs are compared over all templates: a profession beside the first persons, a person beside the first profession.
    """
    corpus, name = scores.corpus, scores.model.name
    sentences = [
        sentence for sentence in corpus.sentences(options.form) if sentence.place[1] == 0 or sentence.place[2] == 0
    ]
    inputs = same_input(model.tokenizer, [sentence.text for sentence in sentences])
    read: dict[tuple[int, str, int], list[int]] = {}
    for sentence, input_ in zip(sentences, inputs, strict=True):
        _, w, p = sentence.place
        if w == 0:
            read.setdefault((0, "profession", p), []).append(input_)
        if p == 0:
            read.setdefault((sentence.side, "person", w), []).append(input_)
    scored = [~np.isnan(side) for side in scores.association()]
    keys = [
        tuple(read[0, "profession", p]) if any(side[..., p].any() for side in scored) else None
        for p in range(len(corpus.professions))
    ]
    (twice,) = not_told_apart([Named("", [profession.name for profession in corpus.professions], keys)])
    for p, reason in twice.items():
        for side in (0, 1):
            scores.target[side][..., p] = np.nan
        word = corpus.professions[p].name
        yield LeftOut(name, "profession", word, f"{word} {reason}")
    sets = [
        Named(
            group.name,
            corpus.labels[side],
            [tuple(read[side, "person", w]) if scored[side][:, w].any() else None for w in range(len(group.words))],
        )
        for side, group in enumerate(corpus.persons)
    ]
    for side, reasons in enumerate(not_told_apart(sets)):
        for w, reason in reasons.items():
            scores.target[side][:, w] = np.nan
            person = corpus.labels[side][w]
            yield LeftOut(name, "target", person, f"{person} {reason}", corpus.persons[side].name)


def _drop_partners(scores: CorpusScores) -> Iterable[LeftOut]:
    """Leave out the partner of every sentence that could not be scored."""
    missing = [np.isnan(side) for side in scores.association()]
    either = missing[0] | missing[1]
    reached = np.ones(len(scores.corpus.professions), dtype=bool)
    reached[list(scores.not_reached)] = False
    labels = scores.corpus.labels
    for side in (0, 1):
        lost = either & ~missing[side] & reached
        scores.target[side][either] = np.nan
        for t, w in sorted({(t, w) for t, w, _ in np.argwhere(lost).tolist()}):
            person, partner = labels[side][w], labels[1 - side][w]
            yield LeftOut(
                scores.model.name,
                "target",
                person,
                f"{person} cannot be paired, since its partner {partner} could not be scored",
                group=scores.corpus.persons[side].name,
                template=scores.corpus.templates[t],
            )


def _keep_common(several: Sequence[CorpusScores]) -> Iterable[LeftOut]:
    """Leave out of every model what another could not score; list the persons and professions that costs."""
    items = []
    corpus = several[0].corpus
    for side in (0, 1):
        present = [~np.isnan(scores.association()[side]) for scores in several]
        common = np.logical_and.reduce(present)
        for scores, has in zip(several, present, strict=True):
            lacking = [o.model.name for o, other in zip(several, present, strict=True) if (has & ~other).any()]
            why = f"cannot be scored by every model (not by {', '.join(lacking)})"
            lost = has & ~common
            scores.target[side][~common] = np.nan
            whole = [p for p in range(lost.shape[2]) if has[..., p].any() and not common[..., p].any()]
            for p in whole if side == 0 else ():
                word = corpus.professions[p].name
                items.append(LeftOut(scores.model.name, "profession", word, f"{word} {why}"))
            rest = np.delete(lost, whole, axis=2)
            for w in sorted({w for _, w, _ in np.argwhere(rest).tolist()}):
                person, group = corpus.labels[side][w], corpus.persons[side].name
                items.append(LeftOut(scores.model.name, "target", person, f"{person} {why}", group=group))
    return items


def _tests_left_out(rows: pd.DataFrame) -> Iterable[LeftOut]:
    """The groups of professions with too few pairs for a p."""
    for row in rows[rows["kind"] == "test"].to_dict("records"):
        n = int(row["n"])
        if not is_enough(n):
            what = f"signed-rank test of the {row['group']} professions"
            reason = f"{what} in {row['model']}: p not computed, n too small ({too_few(n)} pairs that differ)"
            yield LeftOut(str(row["model"]), "statistic", what, reason, test="signed-rank")


def _result(
    models: Sequence[LoadedModel],
    corpora: Sequence[Corpus],
    done: Sequence[CorpusScores],
    left_out: Sequence[LeftOut],
    notes: Sequence[Note],
    options: ProfessionOptions,
) -> ProfessionResult:
    scored = [scores for scores in done if not np.isnan(scores.association()[0]).all()]
    if not scored:
        reasons = "; ".join(dict.fromkeys(item.reason for item in left_out[:5]))
        raise NothingToScore(f"No sentence could be scored here: {reasons}.")
    rows = [frame for scores in scored for frame in (table_rows(scores, options), profession_rows(scores))]
    infos = [replace(model.info, notes=notes_of(notes, model.info.name)) for model in models]
    left_out = [*left_out, *_tests_left_out(pd.concat(rows))]
    held = {group for corpus in corpora for group in corpus.groups}
    summary = pd.concat(rows, ignore_index=True)
    summary.insert(list(summary.columns).index("p") + 1, "p_adjusted", benjamini_hochberg(summary["p"]))
    return ProfessionResult(
        summary=summary,
        detail=pd.concat([detail_rows(scores) for scores in scored], ignore_index=True),
        left_out=tuple(left_out),
        options=options,
        provenance=provenance.of(infos, data=tuple(corpus.source for corpus in corpora), seed=options.seed),
        contrast=corpora[0].contrast,
        groups=tuple(group for group in PROFESSION_GROUPS if group in held),
        sentences=tuple((corpus.language, corpus.size) for corpus in corpora),
        stopped=any(scores.not_reached for scores in done),
        notes=tuple(dict.fromkeys([*notes, *(Note(corpus.note) for corpus in corpora if corpus.note)])),
    )
