"""Descriptor likelihood of one or more models, an axis at a time, so that a stop keeps the axes that were reached."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.causal import CausalScorer, TextQuery
from ...engine.loading import LoadedModel
from ...engine.masked import STOPPED
from ...engine.pieces import tokenize
from ...engine.pseudo import PseudoScorer
from ...errors import NothingToScore
from ...result import Excluded, Note, Progress
from ...run import Callbacks, Run, Watch
from ...sources.descriptors import FEWEST, Axis, sentence
from ...stats.samples import is_enough, too_few
from ..shared import provenance
from ..shared.checks import Refusals, check_models
from .choices import Per
from .metric import compare, distance, log_perplexity, share
from .result import ALL, AXES, DESCRIPTORS, PAIRS, SENTENCES, DescriptorResult
from .spec import DescriptorSpec

Rows = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Score:
    """What a sentence gave: ``ln_p`` (nats) over ``tokens``, or the ``reason`` why it has none."""

    ln_p: float
    tokens: int
    reason: str = ""


Scores = MutableMapping[str, Score]  # by sentence


@dataclass(frozen=True, eq=False)
class Scored:
    """What is compared of an axis in a model, and its sentences' ln P and lengths [template, descriptor, noun]."""

    axis: Axis
    descriptors: tuple[str, ...]
    nouns: tuple[str, ...]
    ln_p: NDArray[np.float64]
    tokens: NDArray[np.int64]
    words: NDArray[np.int64]


def measure(spec: DescriptorSpec, models: Sequence[LoadedModel], run: Run[Any]) -> DescriptorResult:
    """Score the sentences in each model, and compare the descriptors of each axis.

    Parameters
    ----------
    spec : DescriptorSpec
        The axes, nouns and templates.
    models : sequence of LoadedModel
        Masked or causal, in the order of the spec.
    run : Run
        Its memory keeps what was scored. When it is stopped, the result has the axes whose sentences were all scored.

    Returns
    -------
    DescriptorResult
        Perplexities per word or token, and which descriptors differ.

    Raises
    ------
    ModelError
        Where every model refuses; that of the first.
    NothingToScore
        Where no axis was scored whole.
    """
    check_models(models)
    refusals = Refusals()
    rows: Rows = {name: [] for name in DescriptorResult.SCHEMA.tables}
    excluded: list[Excluded] = []
    notes = [Note(f"{axis.name}: {axis.caution}") for axis in spec.axes if axis.caution]
    asked: list[LoadedModel] = []
    stopped = False
    for model in models:
        scores: Scores = run.memory.setdefault(("sentences", model.info), {})
        with refusals.of(model):
            _score(model, spec, scores, run)
            asked.append(model)
        reached = [axis for axis in spec.axes if not refusals.has(model) and _texts(spec, axis) <= scores.keys()]
        stopped = stopped or (len(reached) < len(spec.axes) and not refusals.has(model))
        for axis in reached:
            scored, lost = _scored(model, spec, axis, scores)
            excluded += lost
            if scored is not None:
                _add(rows, model.info.name, spec, scored)
        if reached and not is_enough(len(spec.nouns)):
            why = f"tests and intervals: not computed, n too small ({too_few(len(spec.nouns))} nouns)"
            excluded.append(Excluded(model.info.name, "statistic", "tests and intervals", why, test=AXES))
        notes += [Note(text, model.info.name) for text in _said(model) if reached]
    refusals.check(bool(rows[AXES]))
    if not rows[AXES]:
        if stopped:
            raise NothingToScore("The run was stopped before an axis was scored; resume it for a result.")
        raise NothingToScore(f"No axis has two descriptors that a model can tell apart: {excluded[0].why}")
    able = [model for model in asked if not refusals.has(model)]
    return DescriptorResult(
        spec=spec,
        tables=DescriptorResult.SCHEMA.frames(**rows),
        excluded=(*refusals.left_out, *excluded),
        notes=tuple(notes),
        provenance=provenance.of((model.info for model in able), data=spec.data, seed=spec.seed),
        stopped=stopped,
    )


def _texts(spec: DescriptorSpec, axis: Axis) -> set[str]:
    return {
        sentence(template, descriptor, noun)
        for template in spec.templates
        for descriptor in axis.descriptors
        for noun in spec.nouns
    }


def _score(model: LoadedModel, spec: DescriptorSpec, scores: Scores, run: Run[Any]) -> None:
    """Score what ``scores`` lacks, axis by axis; what a stop leaves unreached stays out."""
    by_axis = [_texts(spec, axis) for axis in spec.axes]
    total = len(set().union(*by_axis))
    for texts in by_axis:
        waiting = sorted(texts - scores.keys())
        if not waiting:
            continue
        if run.cancelled():
            return

        def report(part: Progress, before: int = len(scores), size: int = len(waiting)) -> None:
            done = before + size * part.done // max(part.total, 1)
            run.report(Progress(f"Scoring with {model.info.name}", done, total))

        found = _sentences(model, spec.per, waiting, Callbacks(report, run.cancelled))
        scores.update({text: score for text, score in zip(waiting, found, strict=True) if score.reason != STOPPED})


def _sentences(model: LoadedModel, per: Per, texts: Sequence[str], run: Watch) -> Iterator[Score]:
    """The score of each sentence. Raises the model's refusal."""
    spans = [(text, (0, len(text))) for text in texts]
    if model.info.kind == "causal":
        found: Sequence[Any] = CausalScorer(model).log_likelihood([TextQuery(*span) for span in spans], run=run)
        unknown = [False] * len(texts)
    else:
        found = PseudoScorer(model).sentences(texts, by_word=per is Per.WORD, run=run)
        # The probability of the unknown token is that of whatever is unknown.
        unknown = [item.unknown for item in tokenize(model.tokenizer, spans)]
    for score, is_unknown in zip(found, unknown, strict=True):
        reason = "is unknown to this model" if is_unknown and score.reason != STOPPED else score.reason
        yield Score(np.nan if score.ln_p is None else score.ln_p, score.tokens, reason)


def _scored(
    model: LoadedModel, spec: DescriptorSpec, axis: Axis, scores: Scores
) -> tuple[Scored | None, list[Excluded]]:
    """The axis as it can be compared, None where fewer than two descriptors are left, and what was lost of it.

    A noun that no descriptor has a number with is lost to all; then a descriptor that lacks a number. Of descriptors
    that are one input to the model the first is kept.
    """
    # In the order of the alphabet: neither the first of a pair nor what is resampled depends on the lists' order.
    words, all_nouns = sorted(axis.descriptors), sorted(spec.nouns)
    reasons = {
        (word, noun): next(filter(None, (scores[sentence(text, word, noun)].reason for text in spec.templates)), "")
        for word in words
        for noun in all_nouns
    }
    name, lost = model.info.name, []
    nouns = []
    for noun in all_nouns:
        if all(reasons[word, noun] for word in words):
            lost.append(Excluded(name, "item", noun, f"{noun}: {reasons[words[0], noun]}", group=axis.name))
        else:
            nouns.append(noun)
    kept: dict[tuple[int, ...], str] = {}
    for word in words if nouns else ():
        reason = next(filter(None, (reasons[word, noun] for noun in nouns)), "")
        ids = _ids(model, sentence(spec.templates[0], word, nouns[0]))
        if not reason and ids in kept:
            reason = f"is the same input as “{kept[ids]}” to this model"
        if reason:
            lost.append(Excluded(name, "attribute", word, f"{word}: {reason}", group=axis.name))
        else:
            kept[ids] = word
    if len(kept) < FEWEST:
        why = f"{axis.name}: fewer than two descriptors can be compared in this model"
        return None, [*lost, Excluded(name, "statistic", axis.name, why, test=AXES)]
    shape = len(spec.templates), len(kept), len(nouns)
    texts = [sentence(text, word, noun) for text in spec.templates for word in kept.values() for noun in nouns]
    ln_p = np.array([scores[text].ln_p for text in texts]).reshape(shape)
    tokens = np.array([scores[text].tokens for text in texts]).reshape(shape)
    lengths = np.array([len(text.split()) for text in texts]).reshape(shape)
    return Scored(axis, tuple(kept.values()), tuple(nouns), ln_p, tokens, lengths), lost


def _ids(model: LoadedModel, text: str) -> tuple[int, ...]:
    (item,) = tokenize(model.tokenizer, [(text, (0, len(text)))])
    return item.ids


def _add(rows: Rows, model: str, spec: DescriptorSpec, scored: Scored) -> None:
    """The rows of an axis in a model."""
    values = log_perplexity(scored.ln_p, scored.words if spec.per is Per.WORD else scored.tokens)
    where = {"model": model, "axis": scored.axis.name}
    pairs = compare(values, spec.comparison)
    whole = range(len(spec.templates))
    for template, of in ((ALL, list(whole)), *((spec.templates[t], [t]) for t in whole)):
        inside = tuple(pair for pair in pairs if pair.template in of)
        apart, ends = distance(values[of], seed=spec.seed)
        found = share(inside)
        rows[AXES].append(
            where
            | {
                "template": template,
                "descriptors": len(scored.descriptors),
                "n": len(scored.nouns),
                "pairs": len(inside),
                "differing": None if np.isnan(found) else sum(pair.differs for pair in inside),
                "share_differing": found,
                "distance": apart,
                "distance_low": ends.low,
                "distance_high": ends.high,
            }
        )
        rows[DESCRIPTORS] += [
            where
            | {
                "descriptor": word,
                "template": template,
                "n": len(of) * len(scored.nouns),
                "perplexity": float(np.median(np.exp(values[of, d]))),
                "tokens": float(scored.tokens[of, d].mean()),
            }
            for d, word in enumerate(scored.descriptors)
        ]
    rows[PAIRS] += [
        where
        | {
            "template": spec.templates[pair.template],
            "first": scored.descriptors[pair.first],
            "second": scored.descriptors[pair.second],
            "difference": pair.difference,
            "statistic": pair.statistic,
            "p": pair.p,
            "p_adjusted": pair.adjusted,
            "differs": pair.differs,
        }
        for pair in pairs
    ]
    rows[SENTENCES] += [
        where
        | {
            "descriptor": word,
            "template": template,
            "noun": noun,
            "sentence": sentence(template, word, noun),
            "words": int(scored.words[t, d, n]),
            "tokens": int(scored.tokens[t, d, n]),
            "ln_p": scored.ln_p[t, d, n],
            "perplexity": float(np.exp(values[t, d, n])),
        }
        for t, template in enumerate(spec.templates)
        for d, word in enumerate(scored.descriptors)
        for n, noun in enumerate(scored.nouns)
    ]


def _said(model: LoadedModel) -> Iterator[str]:
    """What a reader must know of a model."""
    if model.info.kind == "causal":
        yield "a causal (left-to-right) model: perplexity is that of each token after those before it."
        if note := CausalScorer(model).note:
            yield note
