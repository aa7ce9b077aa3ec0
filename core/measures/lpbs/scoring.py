"""Asking one model for every sentence of a grid: the numbers behind an LPBS, a few attributes at a time.

What is scored is whole attributes, so that a run that is stopped has some whole, and can be resumed from there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...engine.causal import CausalScorer, TextQuery
from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED, MaskedScorer, MaskQuery, WordScore
from ...engine.normal_form import same_input
from ...result import ModelInfo, Progress
from ...run import Callbacks, Watch
from ...sources.templates import AS_TYPED, ATTRIBUTE, TARGET
from ..shared.sameness import Named, not_told_apart
from .grid import Grid, Sentence

FloatArray = NDArray[np.float64]

# Sentences asked at once: they fill the forward passes, and a stop loses no more than these. Causal models share the
# beginnings of the sentences that are asked together.
_AT_ONCE = {"masked": 900, "causal": 1_800}


@dataclass(frozen=True)
class Asking:
    """How a model is asked.

    ``masking`` and ``several_pieces`` as in ``LpbsOptions``. ``whole``, of causal models: whole sentences are scored
    too, and where the target stands first its prior is ln P of the beginning; otherwise that prior is a mean over all
    target words.
    """

    masking: str
    several_pieces: str
    whole: bool


@dataclass(eq=False)
class Scores:
    """One model's numbers, float64 [template, attribute, word] in nats, NaN where there is none.

    ``ln_p_sentence`` is what the log ratio is taken of: for masked models ``ln_p_target`` itself, for causal
    models the log likelihood of the whole sentence where that was asked. ``mean_prior`` says for each template over
    which axis of its [attribute, word] a causal model's prior is a mean (``fill_mean_priors``), None where it was
    asked. ``why_word`` gives the reason for each missing word by (template, word), ``why_attribute`` by (template,
    attribute), ``not_reached`` the attributes that a stop left unscored. ``inputs``: for each attribute a key that is
    the same where the model gets the same inputs in every template. Holds no model, so that it can be kept to resume.
    """

    model: ModelInfo
    grid: Grid
    ln_p_target: FloatArray
    ln_p_prior: FloatArray
    ln_p_sentence: FloatArray
    mean_prior: tuple[int | None, ...] = ()
    why_word: dict[tuple[int, int], str] = field(default_factory=dict)
    why_attribute: dict[tuple[int, int], str] = field(default_factory=dict)
    not_reached: tuple[int, ...] = ()
    inputs: tuple[Hashable, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def empty(cls, model: ModelInfo, grid: Grid) -> Scores:
        """Scores with every place still without a number."""
        target, prior, sentence = (np.full(grid.shape, np.nan) for _ in range(3))
        everything = tuple(range(len(grid.attributes)))
        return cls(model, grid, target, prior, sentence, (None,) * len(grid.templates), not_reached=everything)

    def copy(self) -> Scores:
        """A copy from which numbers can be removed without losing them for the next run."""
        return replace(
            self,
            ln_p_target=self.ln_p_target.copy(),
            ln_p_prior=self.ln_p_prior.copy(),
            ln_p_sentence=self.ln_p_sentence.copy(),
            why_word=dict(self.why_word),
            why_attribute=dict(self.why_attribute),
        )

    def of_attributes(self, rows: Sequence[int]) -> Scores:
        """The scores of these attributes alone."""
        place = {row: a for a, row in enumerate(rows)}
        return replace(
            self,
            ln_p_target=self.ln_p_target[:, rows],
            ln_p_prior=self.ln_p_prior[:, rows],
            ln_p_sentence=self.ln_p_sentence[:, rows],
            why_word=dict(self.why_word),
            why_attribute={(t, place[row]): why for (t, row), why in self.why_attribute.items() if row in place},
            not_reached=tuple(place[row] for row in self.not_reached if row in place),
            inputs=tuple(self.inputs[row] for row in rows),
        )

    @property
    def present(self) -> NDArray[np.bool_]:
        """Where there is a number: [template, attribute, word]."""
        there: NDArray[np.bool_] = ~np.isnan(self.ln_p_target)
        return there

    def association(self) -> FloatArray:
        """association = ln_p_target − ln_p_prior."""
        return self.ln_p_target - self.ln_p_prior

    def count_attributes_once(self, attributes: Sequence[str]) -> None:
        """Of attributes that are the same input to the model the first one keeps its numbers."""
        read = np.any(self.present, axis=(0, 2))
        keys = [key if there else None for key, there in zip(self.inputs, read, strict=True)]
        (twice,) = not_told_apart([Named("", attributes, keys)])
        for a, reason in twice.items():
            self.ln_p_target[:, a] = np.nan
            self.why_attribute.update({(t, a): reason for t in range(len(self.ln_p_target))})

    def fill_mean_priors(self) -> None:
        """ln of the mean of P(target | beginning) over the attributes or the words that stay, where priors are means.

        Adds the note that says over how many attributes.
        """
        counts = []
        for t, axis in enumerate(self.mean_prior):
            if axis is not None:
                self.ln_p_prior[t] = _log_mean(self.ln_p_target[t], axis)
                if axis == 0:
                    counts.append(int(self.present[t].sum(axis=0).max(initial=0)))
        if any(counts):
            note = f"where the target stands last, the prior is a mean over {max(counts)} attributes."
            self.notes = (*self.notes, note)


Memory = MutableMapping[Hashable, Scores]


def score(model: LoadedModel, grid: Grid, asking: Asking, *, memory: Memory | None = None, run: Watch) -> Scores:
    """Ask a masked or a causal model for every sentence; the priors that are means are still to be filled.

    ``memory`` holds what earlier, stopped runs have done and takes up what this one does. Raises the model's refusal
    when it cannot be scored. Target words that are one input to the model have no number more than once in a template,
    and none where they are of two groups.
    """
    key = (model.info, grid, asking)
    scores = Scores.empty(model.info, grid)
    if memory is not None:
        scores = memory.setdefault(key, scores)
    ask = _causal(model, scores, asking) if model.info.kind == "causal" else _masked(model, asking)
    _ask(scores, ask, _AT_ONCE[model.info.kind], run)
    found = scores.copy()
    _count_words_once(found, model)
    found.inputs = _attribute_inputs(model, grid)
    return found


def masks_of(scorer: MaskedScorer, sentences: Sequence[Sentence], masking: str) -> list[tuple[int, str]]:
    """For each sentence how many masks hide its attribute, and the reason where it cannot be asked."""
    texts = [(sentence.present, sentence.attribute_in_present) for sentence in sentences]
    distinct = list(dict.fromkeys(texts))
    found = dict(zip(distinct, scorer.pieces(distinct), strict=True))
    masks = []
    for text in texts:
        item, word = found[text], text[0][slice(*text[1])]
        count = {"wordpiece": item.last - item.first, "word": len(word.split()), "single": 1}[masking]
        masks.append((max(count, 1), "is unknown to this model" if item.unknown or not item.pieces else ""))
    return masks


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a model says of a sentence, or the ``reason`` why it does not, and whether that is the attribute's."""

    target: float = np.nan
    prior: float = np.nan
    sentence: float = np.nan
    reason: str = ""
    of_attribute: bool = False


_Ask = Callable[[Sequence[Sentence], Watch], list[_Answer]]


def _ask(scores: Scores, ask: _Ask, at_once: int, run: Watch) -> None:
    """Fill in the attributes not reached yet, whole ones, until cancelled."""
    by_attribute: list[list[Sentence]] = [[] for _ in scores.grid.attributes]
    for sentence in scores.grid.sentences:
        by_attribute[sentence.place[1]].append(sentence)
    per, total = len(by_attribute[0]), len(scores.grid.sentences)
    left, size = list(scores.not_reached), max(1, at_once // per)
    if len(left) > size:
        # Similar lengths together; longest first, as within a batch.
        left.sort(key=lambda a: -len(by_attribute[a][0].text))
    for chunk in [left[start : start + size] for start in range(0, len(left), size)]:
        before = total - len(scores.not_reached) * per
        stage, asked = f"Scoring with {scores.model.name}", [sentence for a in chunk for sentence in by_attribute[a]]

        def report(part: Progress, stage: str = stage, before: int = before, count: int = len(asked)) -> None:
            run.report(Progress(stage, before + count * part.done // max(part.total, 1), total))

        answers = ask(asked, Callbacks(report, run.cancelled))
        # An attribute half asked would lean on the words that happened to come first.
        stopped = {
            sentence.place[1] for sentence, answer in zip(asked, answers, strict=True) if answer.reason == STOPPED
        }
        for sentence, answer in zip(asked, answers, strict=True):
            if sentence.place[1] not in stopped:
                _put(scores, sentence, answer)
        done = set(chunk) - stopped
        scores.not_reached = tuple(a for a in scores.not_reached if a not in done)
        if scores.not_reached and run.cancelled():
            return


def _put(scores: Scores, sentence: Sentence, answer: _Answer) -> None:
    t, a, w = sentence.place
    if answer.of_attribute:
        scores.why_attribute[t, a] = answer.reason
    elif answer.reason:
        scores.why_word[t, w] = answer.reason
    else:
        scores.ln_p_target[t, a, w], scores.ln_p_prior[t, a, w] = answer.target, answer.prior
        scores.ln_p_sentence[t, a, w] = answer.sentence


def _masked(model: LoadedModel, asking: Asking) -> _Ask:
    scorer = MaskedScorer(model)
    known: dict[MaskQuery, WordScore] = {}  # priors, shared by all attributes of as many words

    def ask(sentences: Sequence[Sentence], run: Watch) -> list[_Answer]:
        pairs: list[tuple[MaskQuery, MaskQuery] | str] = []
        for sentence, (masks, obstacle) in zip(sentences, masks_of(scorer, sentences, asking.masking), strict=True):
            texts = sentence.masked(masks)
            # The target is taken from the sentence, where it has its form already.
            present = MaskQuery(texts.present, texts.present_mask, (sentence.word,), AS_TYPED)
            prior = MaskQuery(texts.prior, texts.prior_mask, (sentence.word,), AS_TYPED)
            pairs.append(obstacle or (present, prior))
        queries = [query for pair in pairs if not isinstance(pair, str) for query in pair]
        new = [query for query in dict.fromkeys(queries) if query not in known]
        answers = scorer.log_probs(new, several_pieces=asking.several_pieces, run=run)
        found = {**known, **{query: answer for query, (answer,) in zip(new, answers, strict=True)}}
        known.update((query, found[query]) for query in queries[1::2] if found[query].reason != STOPPED)
        return [
            _Answer(reason=pair, of_attribute=True) if isinstance(pair, str) else _both(*(found[q] for q in pair))
            for pair in pairs
        ]

    return ask


def _both(present: WordScore, prior: WordScore) -> _Answer:
    if present.ln_p is None or prior.ln_p is None:
        return _Answer(reason=present.reason or prior.reason)
    return _Answer(present.ln_p, prior.ln_p, present.ln_p)


def _causal(model: LoadedModel, scores: Scores, asking: Asking) -> _Ask:
    scorer = CausalScorer(model)
    target_first = {sentence.place[0]: sentence.target_first for sentence in scores.grid.sentences}
    over_words = None if asking.whole else 1
    scores.mean_prior = tuple(over_words if first else 0 for _, first in sorted(target_first.items()))
    scores.notes = tuple(_causal_notes(scorer, scores.grid, asking.whole))

    def ask(sentences: Sequence[Sentence], run: Watch) -> list[_Answer]:
        spans = [
            (sentence.attribute[0], len(sentence.text)) if sentence.target_first else sentence.target
            for sentence in sentences
        ]
        queries = [TextQuery(sentence.text, span) for sentence, span in zip(sentences, spans, strict=True)]
        if asking.whole:
            queries += [TextQuery(sentence.text, (0, len(sentence.text))) for sentence in sentences]
        found = scorer.log_likelihood(queries, run=run)
        answers = []
        for i, (sentence, part) in enumerate(zip(sentences, found[: len(sentences)], strict=True)):
            whole = found[len(sentences) + i] if asking.whole else None
            if part.ln_p is None or (whole is not None and whole.ln_p is None):
                answers.append(_Answer(reason=(whole.reason if whole else "") or part.reason))
            elif whole is None or whole.ln_p is None:
                answers.append(_Answer(part.ln_p))
            elif sentence.target_first:
                answers.append(_Answer(whole.ln_p, whole.ln_p - part.ln_p, whole.ln_p))
            else:
                answers.append(_Answer(part.ln_p, sentence=whole.ln_p))
        return answers

    return ask


def _causal_notes(scorer: CausalScorer, grid: Grid, whole: bool) -> Iterator[str]:
    if scorer.note:
        yield scorer.note
    if not whole:
        yield (
            "a causal (left-to-right) model cannot fill a mask: the association is ln P(profession and what follows | "
            "beginning with the person), less the same averaged over all persons; by Bayes’ rule it leans as the "
            "masked one does."
        )
        return
    first = [text for text in grid.templates if text.index(TARGET) < text.index(ATTRIBUTE)]
    if first:
        yield (
            "a causal (left-to-right) model cannot fill a mask: where the target stands first, its score is "
            "ln P(attribute and what follows | beginning), which by Bayes' rule leans as the masked score does."
        )
    for text in first:
        after = text.rsplit("]", 1)[1].strip()
        if any(letter.isalnum() for letter in after):
            yield f"the words after the attribute (“{after}”) are scored with it."


def _attribute_inputs(model: LoadedModel, grid: Grid) -> tuple[Hashable, ...]:
    """For each attribute what the model reads beside the first word of each group, in every template."""
    firsts = {part.start for part in grid.slices}
    sentences = [sentence for sentence in grid.sentences if sentence.place[2] in firsts]
    read: list[list[int]] = [[] for _ in grid.attributes]
    for sentence, input_ in zip(
        sentences, same_input(model.tokenizer, [sentence.text for sentence in sentences]), strict=True
    ):
        read[sentence.place[1]].append(input_)
    return tuple(map(tuple, read))


def _count_words_once(scores: Scores, model: LoadedModel) -> None:
    """Words are compared beside the first attribute, template by template."""
    grid = scores.grid
    texts = {sentence.place: sentence.text for sentence in grid.sentences}
    for t in range(len(grid.templates)):
        inputs = same_input(model.tokenizer, [texts[t, 0, w] for w in range(len(grid.words))])
        read = np.any(scores.present[t], axis=0)
        keys = [key if there else None for key, there in zip(inputs, read, strict=True)]
        parts = zip(grid.groups, grid.slices, strict=True)
        sets = [Named(group.name, group.words, keys[part]) for group, part in parts]
        for part, reasons in zip(grid.slices, not_told_apart(sets), strict=True):
            for place, reason in reasons.items():
                scores.ln_p_target[t, :, part.start + place] = np.nan
                scores.why_word[t, part.start + place] = reason


def _log_mean(values: FloatArray, axis: int) -> FloatArray:
    """ln of the mean of exp(values) over an axis, which is kept; missing ones excluded, NaN where all are missing."""
    count = (~np.isnan(values)).sum(axis=axis, keepdims=True)
    total = np.logaddexp.reduce(np.where(np.isnan(values), -np.inf, values), axis=axis, keepdims=True)
    return np.where(count > 0, total - np.log(np.maximum(count, 1)), np.nan)
