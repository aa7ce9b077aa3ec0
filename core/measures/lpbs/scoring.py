"""Asking one model for every template × attribute × target word: the numbers behind an LPBS."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED, MaskedScorer, MaskQuery
from core.engine.normal_form import same_input
from core.measures.lpbs.result import LpbsOptions
from core.measures.shared.sameness import Named, not_told_apart
from core.result import Group
from core.run import Watch
from core.sources.templates import AS_THE_SENTENCE_SHOWS, MASK, Filled, Template, mask_spans

FloatArray = NDArray[np.float64]


@dataclass(eq=False)
class Scores:
    """One model's numbers, float64 [template, attribute, word] in nats, NaN where there is none.

    ``ln_p_sentence`` is what the log ratio is taken of: for masked models ``ln_p_target`` itself, for causal
    models the log likelihood of the whole sentence. ``ln_p_prior`` is left empty by a causal model whose target
    follows the attribute: its prior is a mean over the attributes that stay (``mean_prior``).
    ``why`` gives the reason for each missing word (template, word index) and attribute (template, attribute index).
    ``inputs``: for each attribute a key that is the same where the model gets the same inputs in every template.
    """

    model: LoadedModel
    ln_p_target: FloatArray
    ln_p_prior: FloatArray
    ln_p_sentence: FloatArray
    mean_prior: list[bool]
    why_word: dict[tuple[int, int], str] = field(default_factory=dict)
    why_attribute: dict[tuple[int, int], str] = field(default_factory=dict)
    inputs: tuple[Hashable, ...] = ()
    stopped: bool = False
    notes: tuple[str, ...] = ()

    def association(self) -> FloatArray:
        """association = ln_p_target − ln_p_prior."""
        return self.ln_p_target - self.ln_p_prior

    def count_attributes_once(self, attributes: Sequence[str]) -> None:
        """Of attributes that are the same input to the model the first one keeps its numbers."""
        unread = [bool(np.isnan(row).all()) for row in self.ln_p_target.transpose(1, 0, 2)]
        keys = [None if missing else key for key, missing in zip(self.inputs, unread, strict=True)]
        (twice,) = not_told_apart([Named("", attributes, keys)])
        for a, reason in twice.items():
            self.ln_p_target[:, a] = np.nan
            self.why_attribute.update({(t, a): reason for t in range(len(self.ln_p_target))})

    def fill_mean_priors(self) -> None:
        """ln of the mean over the attributes of P(target | beginning with that attribute), per template and word.

        Adds the note that says over how many attributes.
        """
        counts = []
        for t, mean in enumerate(self.mean_prior):
            if mean:
                for w in range(self.ln_p_target.shape[2]):
                    values = self.ln_p_target[t, :, w]
                    present = values[~np.isnan(values)]
                    if len(present):
                        self.ln_p_prior[t, :, w] = np.logaddexp.reduce(present) - np.log(len(present))
                        counts.append(len(present))
        if counts:
            note = f"where the target stands last, the prior is a mean over {max(counts)} attributes."
            self.notes = (*self.notes, note)


def score(
    model: LoadedModel,
    templates: Sequence[Template],
    attributes: Sequence[str],
    groups: Sequence[Group],
    options: LpbsOptions,
    *,
    run: Watch,
) -> Scores:
    """Ask a masked or a causal model for the words of all groups. Raises the model's refusal when it cannot be scored.

    Target words that are one input to the model have no number more than once, and none where they are of two groups.
    """
    words = tuple(word for group in groups for word in group.words)
    shape = (len(templates), len(attributes), len(words))
    scores = Scores(
        model, np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, np.nan), [False] * len(templates)
    )
    ask = _ask_causal if model.info.kind == "causal" else _ask_masked
    ask(scores, templates, attributes, words, options, run)
    # An attribute half asked would lean on the words that happened to come first.
    if scores.stopped:
        for t, a in [place for place, reason in scores.why_attribute.items() if reason == STOPPED]:
            scores.ln_p_target[:, a] = np.nan
            scores.why_attribute.update({(other, a): STOPPED for other in range(len(templates)) if other != t})
    _count_words_once(scores, templates, attributes, groups, options.form)
    beside = MASK if model.info.kind == "masked" else words[0]
    inputs = (
        same_input(model.tokenizer, [template.fill(beside, attribute, options.form).text for attribute in attributes])
        for template in templates
    )
    scores.inputs = tuple(zip(*inputs, strict=True))
    return scores


def _count_words_once(
    scores: Scores, templates: Sequence[Template], attributes: Sequence[str], groups: Sequence[Group], form: str
) -> None:
    words = [word for group in groups for word in group.words]
    for t, template in enumerate(templates):
        texts = [template.fill(word, attributes[0], form).text for word in words]
        unread = [bool(np.isnan(column).all()) for column in scores.ln_p_target[t].T]
        keys = iter(
            None if missing else key
            for key, missing in zip(same_input(scores.model.tokenizer, texts), unread, strict=True)
        )
        sets = [Named(group.name, group.words, [next(keys) for _ in group.words]) for group in groups]
        start = 0
        for group, reasons in zip(groups, not_told_apart(sets), strict=True):
            for place, reason in reasons.items():
                scores.ln_p_target[t, :, start + place] = np.nan
                scores.why_word[t, start + place] = reason
            start += len(group.words)


@dataclass(frozen=True)
class MaskedTexts:
    """The two texts a masked model is asked: attribute present, and hidden too. ``*_mask``: the mask to read."""

    present: str
    present_mask: int
    prior: str
    prior_mask: int


def masked_texts(template: Template, attribute: str, masks: int, form: str = AS_THE_SENTENCE_SHOWS) -> MaskedTexts:
    """Hide the target, then the attribute behind so many masks. Both texts are read at the target's mask."""
    filled = template.fill(MASK, attribute, form)
    prior = mask_spans(filled.text, [(filled.attribute, masks)])
    return MaskedTexts(filled.text, 0, prior, 0 if template.target_first else masks)


def attribute_masks(
    scorer: MaskedScorer, template: Template, attributes: Sequence[str], options: LpbsOptions
) -> Iterator[tuple[int, str]]:
    """For each attribute how many masks hide it, and the reason where it cannot be asked."""
    filled = [template.fill(MASK, attribute, options.form) for attribute in attributes]
    for item, found in zip(filled, scorer.pieces([(f.text, f.attribute) for f in filled]), strict=True):
        word = item.text[slice(*item.attribute)]
        masks = {"wordpiece": found.last - found.first, "word": len(word.split()), "single": 1}[options.masking]
        yield max(masks, 1), "is unknown to this model" if found.unknown or not found.pieces else ""


def _ask_masked(
    scores: Scores,
    templates: Sequence[Template],
    attributes: Sequence[str],
    words: tuple[str, ...],
    options: LpbsOptions,
    run: Watch,
) -> None:
    scorer = MaskedScorer(scores.model)
    places: list[tuple[int, int]] = []
    queries: list[MaskQuery] = []
    for t, template in enumerate(templates):
        masks = attribute_masks(scorer, template, attributes, options)
        for a, (attribute, (count, obstacle)) in enumerate(zip(attributes, masks, strict=True)):
            if obstacle:
                scores.why_attribute[t, a] = obstacle
                continue
            texts = masked_texts(template, attribute, count, options.form)
            places.append((t, a))
            queries.append(MaskQuery(texts.present, texts.present_mask, words, options.form))
            queries.append(MaskQuery(texts.prior, texts.prior_mask, words, options.form))
    answers = scorer.log_probs(queries, several_pieces=options.several_pieces, run=run)
    for (t, a), present, prior in zip(places, answers[::2], answers[1::2], strict=True):
        for w, pair in enumerate(zip(present, prior, strict=True)):
            reason = next((answer.reason for answer in pair if answer.ln_p is None), "")
            if not reason:
                scores.ln_p_target[t, a, w], scores.ln_p_prior[t, a, w] = (answer.ln_p for answer in pair)
            else:
                _note(scores, t, a, w, reason)
    scores.ln_p_sentence = scores.ln_p_target


def _ask_causal(
    scores: Scores,
    templates: Sequence[Template],
    attributes: Sequence[str],
    words: tuple[str, ...],
    options: LpbsOptions,
    run: Watch,
) -> None:
    scorer = CausalScorer(scores.model)
    places = [
        (t, a, w, template.fill(word, attribute, options.form))
        for t, template in enumerate(templates)
        for a, attribute in enumerate(attributes)
        for w, word in enumerate(words)
    ]
    queries = [
        TextQuery(filled.text, span)
        for t, _, _, filled in places
        for span in ((0, len(filled.text)), _conditional_span(templates[t], filled))
    ]
    answers = scorer.log_likelihood(queries, run=run)
    for (t, a, w, _), whole, part in zip(places, answers[::2], answers[1::2], strict=True):
        if whole.ln_p is None or part.ln_p is None:
            _note(scores, t, a, w, whole.reason or part.reason)
            continue
        scores.ln_p_sentence[t, a, w] = whole.ln_p
        if templates[t].target_first:
            scores.ln_p_target[t, a, w] = whole.ln_p
            scores.ln_p_prior[t, a, w] = whole.ln_p - part.ln_p
        else:
            scores.ln_p_target[t, a, w] = part.ln_p
    scores.mean_prior = [not template.target_first for template in templates]
    scores.notes = tuple(_causal_notes(scorer, scores, templates))


def _conditional_span(template: Template, filled: Filled) -> tuple[int, int]:
    """Target first: the attribute and what follows it. Target last: the target alone."""
    return (filled.attribute[0], len(filled.text)) if template.target_first else filled.target


def _causal_notes(scorer: CausalScorer, scores: Scores, templates: Sequence[Template]) -> Iterator[str]:
    if scorer.note:
        yield scorer.note
    if any(template.target_first for template in templates):
        yield (
            "a causal (left-to-right) model cannot fill a mask: where the target stands first, its score is "
            "ln P(attribute and what follows | beginning), which by Bayes' rule leans as the masked score does."
        )
    for template in templates:
        after = template.text.rsplit("]", 1)[1].strip()
        if template.target_first and any(letter.isalnum() for letter in after):
            yield f"the words after the attribute (“{after}”) are scored with it."


def _note(scores: Scores, t: int, a: int, w: int, reason: str) -> None:
    if reason == STOPPED:
        scores.stopped = True
        scores.why_attribute[t, a] = STOPPED
    else:
        scores.why_word[t, w] = reason
