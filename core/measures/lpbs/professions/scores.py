"""Asking one model for every sentence of a corpus: the numbers behind the associations, a few professions at a time.

What is asked is whole professions, so that a run that is stopped has some whole, and can go on from there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED, MaskedScorer, MaskQuery, WordScore
from core.measures.lpbs.professions.result import ProfessionOptions
from core.result import ModelInfo, Progress
from core.run import Callbacks, Watch
from core.sources import Corpus, CorpusSentence
from core.sources.templates import AS_TYPED, mask_spans

FloatArray = NDArray[np.float64]

_AT_ONCE = 10  # professions; their inputs fill a forward pass, and a stop loses no more


@dataclass(eq=False)
class CorpusScores:
    """One model's numbers for one corpus, for each kind of person float64 [template, person, profession] in nats.

    ``target`` is ln P with the profession present, ``prior`` with it hidden; NaN where there is none. ``why`` gives
    the reason by (side, place), ``not_reached`` the professions (by index) that a stop left out. Holds no model, so
    that it can be kept for going on without keeping the model in memory.
    """

    model: ModelInfo
    corpus: Corpus
    target: tuple[FloatArray, FloatArray]
    prior: tuple[FloatArray, FloatArray]
    why: dict[tuple[int, tuple[int, int, int]], str] = field(default_factory=dict)
    not_reached: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()

    def association(self) -> tuple[FloatArray, FloatArray]:
        """association = target − prior, by kind of person."""
        first, second = (target - prior for target, prior in zip(self.target, self.prior, strict=True))
        return first, second


Numbers = dict[tuple[int, tuple[int, int, int]], tuple[float, float] | str]
Ask = Callable[[Sequence[CorpusSentence], Watch], Numbers]
Way = tuple[Ask, Callable[["CorpusScores"], None], tuple[str, ...]]  # how to ask, what to do at the end, notes


def empty_scores(model: ModelInfo, corpus: Corpus) -> CorpusScores:
    """Scores with every place still without a number."""
    shapes = [(len(corpus.templates), len(group.words), len(corpus.professions)) for group in corpus.persons]
    first, second = (np.full(shape, np.nan) for shape in shapes)
    everything = tuple(range(len(corpus.professions)))
    return CorpusScores(model, corpus, (first, second), (first.copy(), second.copy()), not_reached=everything)


def ask_corpus(
    model: LoadedModel,
    corpus: Corpus,
    options: ProfessionOptions,
    scores: CorpusScores,
    run: Watch,
) -> None:
    """Fill in the professions that ``scores`` has not reached yet, whole ones, until cancelled.

    Raises the model's refusal.
    """
    ask, finish, scores.notes = _causal(model) if model.info.kind == "causal" else _masked(model, options)
    by_profession = [
        list(group) for _, group in itertools.groupby(corpus.sentences(options.form), key=lambda one: one.place[2])
    ]
    # Similar lengths together; longest first, as within a batch.
    order = sorted(scores.not_reached, key=lambda p: -len(by_profession[p][0].text))
    stage, per = f"Scoring with {model.info.name}", len(by_profession[0])
    left = list(order)
    known = len(corpus.professions) - len(order)
    for start in range(0, len(order), _AT_ONCE):
        chunk = order[start : start + _AT_ONCE]
        before = (known + start) * per

        def report(part: Progress, before: int = before, size: int = len(chunk) * per) -> None:
            done = before + size * part.done // max(part.total, 1)
            run.report(Progress(stage, done, len(by_profession) * per))

        numbers = ask([sentence for p in chunk for sentence in by_profession[p]], Callbacks(report, run.cancelled))
        for p in chunk:
            places = [(sentence.side, sentence.place) for sentence in by_profession[p]]
            if any(numbers[place] == STOPPED for place in places):
                continue
            left.remove(p)
            for side, place in places:
                number = numbers[side, place]
                if isinstance(number, str):
                    scores.why[side, place] = number
                else:
                    scores.target[side][place], scores.prior[side][place] = number
        if run.cancelled():
            break
    scores.not_reached = tuple(left)
    finish(scores)


def _masked(model: LoadedModel, options: ProfessionOptions) -> Way:
    scorer = MaskedScorer(model)
    priors: dict[MaskQuery, WordScore] = {}  # shared by all professions of as many words

    def ask(sentences: Sequence[CorpusSentence], run: Watch) -> Numbers:
        hidden = [mask_spans(one.text, [(one.noun, 1)]) for one in sentences]
        counts = _masks(scorer, sentences, options.masking)
        queries = []
        for one, present, masks in zip(sentences, hidden, counts, strict=True):
            noun = one.text[slice(*one.noun)]
            prior = mask_spans(one.text, [(one.noun, 1), (one.form_span, masks)])
            # The noun is taken from the sentence, where it has its form already.
            queries.append(MaskQuery(present, 0, (noun,), AS_TYPED))
            queries.append(MaskQuery(prior, 0 if one.target_first else masks, (noun,), AS_TYPED))
        new = [query for query in dict.fromkeys(queries) if query not in priors]
        answers = scorer.log_probs(new, several_pieces=options.several_pieces, run=run)
        found = {**priors, **{query: answer for query, (answer,) in zip(new, answers, strict=True)}}
        priors.update((query, found[query]) for query in queries[1::2] if found[query].reason != STOPPED)
        numbers: Numbers = {}
        for one, target, prior_score in zip(
            sentences, (found[q] for q in queries[::2]), (found[q] for q in queries[1::2]), strict=True
        ):
            if target.ln_p is None or prior_score.ln_p is None:
                numbers[one.side, one.place] = target.reason or prior_score.reason
            else:
                numbers[one.side, one.place] = (target.ln_p, prior_score.ln_p)
        return numbers

    return ask, lambda _scores: None, ()


def _masks(scorer: MaskedScorer, sentences: Sequence[CorpusSentence], masking: str) -> list[int]:
    """How many masks hide the profession of each sentence."""
    if masking == "single":
        return [1] * len(sentences)
    if masking == "word":
        return [len(one.text[slice(*one.form_span)].split()) for one in sentences]
    found = scorer.pieces([(one.text, one.form_span) for one in sentences])
    return [max(item.last - item.first, 1) for item in found]


def _causal(model: LoadedModel) -> Way:
    scorer = CausalScorer(model)
    note = (
        "a causal (left-to-right) model cannot fill a mask: the association is ln P(profession and what follows | "
        "beginning with the person), less the same averaged over all persons; by Bayes’ rule it leans as the masked "
        "one does."
    )

    def ask(sentences: Sequence[CorpusSentence], run: Watch) -> Numbers:
        queries = [
            TextQuery(one.text, (one.form_span[0], len(one.text)) if one.target_first else one.noun)
            for one in sentences
        ]
        answers = scorer.log_likelihood(queries, run=run)
        return {
            (one.side, one.place): answer.reason if answer.ln_p is None else (answer.ln_p, np.nan)
            for one, answer in zip(sentences, answers, strict=True)
        }

    return ask, _mean_priors, tuple(part for part in (scorer.note, note) if part)


def _mean_priors(scores: CorpusScores) -> None:
    """Fill the priors of a causal model: ln of the mean probability over all persons of both kinds.

    Where the person stands last it is the mean over professions, person by person.
    """
    first_of = [text.index("[TARGET]") < text.index("[ATTRIBUTE]") for text in scores.corpus.templates]
    for t, target_first in enumerate(first_of):
        if target_first:
            both = np.concatenate([side[t] for side in scores.target])
            prior = _log_mean(both, axis=0)
            for side in (0, 1):
                scores.prior[side][t] = np.where(np.isnan(scores.target[side][t]), np.nan, prior[None, :])
        else:
            for side in (0, 1):
                target = scores.target[side][t]
                scores.prior[side][t] = np.where(np.isnan(target), np.nan, _log_mean(target, axis=1)[:, None])


def _log_mean(values: FloatArray, axis: int) -> FloatArray:
    """ln of the mean of exp(values) over an axis, missing ones left out; NaN where all are missing."""
    count = (~np.isnan(values)).sum(axis=axis)
    total = np.logaddexp.reduce(np.where(np.isnan(values), -np.inf, values), axis=axis)
    return np.where(count > 0, total - np.log(np.maximum(count, 1)), np.nan)
