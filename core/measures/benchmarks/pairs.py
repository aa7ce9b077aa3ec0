"""Pairs of sentences that differ in who they are about: CrowS-Pairs, and AUL and AULA on the same pairs.

Sentences are compared by pseudo-log-likelihood (Nangia et al. 2020), by the probability of every token with nothing
hidden (Kaneko & Bollegala 2022) or, in a causal model, by log likelihood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from ...engine.pairs import indistinct
from ...result import count, text
from ...run import Watch
from ...sources.benchmarks import CROWS_PAIRS as FORMAT
from ...sources.benchmarks import SentencePair
from .benchmark import (
    COUNTING,
    SALMON,
    WILSON,
    Benchmark,
    Measure,
    Scored,
    Scores,
    compared,
    lost,
    percent,
)
from .summary import ALL, Row, parts, preference_row

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel
    from .spec import BenchmarkSpec

_PREFERRED = ("the more stereotypical sentence is preferred", "the less stereotypical sentence is preferred")
_PROBLEMS = (
    f"{SALMON} found pitfalls in the pairs, such as stereotypes that are unclear or none and sentences that differ in "
    "more than the group they name."
)

_Value = tuple[float | None, int, str]  # a number with its count of tokens, or a reason
_Values = Callable[["LoadedModel", Sequence[SentencePair], Watch], list[tuple[_Value, _Value]]]


def _score(
    values: _Values, model: LoadedModel, items: Sequence[SentencePair], spec: BenchmarkSpec, run: Watch
) -> Scores:
    reasons = indistinct(model.tokenizer, [(pair.more, pair.less) for pair in items])
    asked = [pair for pair, reason in zip(items, reasons, strict=True) if not reason]
    found = iter(values(model, asked, run))
    return [
        lost(pair.item, reason) if reason else _scored(pair, *next(found))
        for pair, reason in zip(items, reasons, strict=True)
    ]


def _scored(pair: SentencePair, first: _Value, second: _Value) -> Scored | None:
    (more, tokens, _), (less, _, _) = first, second
    if more is None or less is None:
        return lost(pair.item, first[2] or second[2])
    own = {"tokens": tokens, "direction": pair.direction}
    return Scored((compared(pair.item, pair.bias_type, pair.more, pair.less, (more, less), **own),))


def _likelihoods(model: LoadedModel, items: Sequence[SentencePair], run: Watch) -> list[tuple[_Value, _Value]]:
    from ...engine.causal import CausalScorer, TextQuery
    from ...engine.pseudo import PseudoScorer

    if model.info.kind != "causal":
        shared = PseudoScorer(model).pairs([(pair.more, pair.less) for pair in items], run=run)
        return [((more.ln_p, more.tokens, more.reason), (less.ln_p, less.tokens, less.reason)) for more, less in shared]
    queries = [TextQuery(text, (0, len(text))) for text in _texts(items)]
    scores = CausalScorer(model).log_likelihood(queries, run=run)
    return _by_pair([(score.ln_p, score.tokens, score.reason) for score in scores])


def _unmasked(
    weighted: bool, model: LoadedModel, items: Sequence[SentencePair], run: Watch
) -> list[tuple[_Value, _Value]]:
    from ...engine.unmasked import UnmaskedScorer

    scores = UnmaskedScorer(model, weighted=weighted).scores(_texts(items), run=run)
    return _by_pair([(score.aula if weighted else score.aul, score.tokens, score.reason) for score in scores])


def _texts(items: Sequence[SentencePair]) -> list[str]:
    return [text for pair in items for text in (pair.more, pair.less)]


def _by_pair(values: Sequence[_Value]) -> list[tuple[_Value, _Value]]:
    return list(zip(values[::2], values[1::2], strict=True))


def _summary(measures: Sequence[Measure], items: pd.DataFrame, spec: BenchmarkSpec) -> list[Row]:
    (measure,) = measures
    (_, whole), *types = parts(items)
    directions = [direction for direction in dict.fromkeys(items["direction"]) if direction]
    chosen = [(ALL, whole), *((name, whole[whole["direction"] == name]) for name in directions), *types]
    return [preference_row(measure.id, part, rows) for part, rows in chosen]


_of_pairs = partial(
    Benchmark,
    reads=FORMAT,
    hub="nyu-mll/crows_pairs:test",
    options=("text",),
    summary=_summary,
    sides=("more stereotypical", "less stereotypical"),
    items="pairs",
    rows="pairs",
    intervals=WILSON,
    columns=(
        count("tokens", "Tokens that both sentences share and that were scored.", missing=True),
        text("direction", "Stereotype or anti-stereotype, as the data say."),
    ),
)

CROWS_PAIRS = _of_pairs(
    id="crows-pairs",
    title="CrowS-Pairs",
    citation="Nangia et al. 2020, CrowS-Pairs",
    problems=_PROBLEMS,
    measures=(percent("crows-pairs", "CrowS-Pairs, pseudo-log-likelihood", *_PREFERRED),),
    causal_measures=(percent("crows-pairs-likelihood", "CrowS-Pairs, sentence log likelihood", *_PREFERRED),),
    score=partial(_score, _likelihoods),
    chunk=128,
    method=lambda spec: (
        "Each sentence's pseudo-log-likelihood is the sum of the log probabilities of the tokens that both sentences "
        f"of a pair share, masked one at a time. {COUNTING}"
    ),
    causal_method="In causal models the log likelihoods of the whole sentences are compared.",
    explanation=(
        "Pairs of sentences that differ in who they are about; one is more stereotypical. Tokens that both share are "
        "hidden one at a time, and the sentence in which they are more probable is preferred. Causal models are "
        "compared by the likelihood of the whole sentence, which is another measure."
    ),
)
AUL = _of_pairs(
    id="aul",
    title="AUL (all unmasked likelihood)",
    citation="Kaneko & Bollegala 2022, AUL, on the pairs of Nangia et al. 2020",
    problems=f"AUL reads the pairs of CrowS-Pairs, and {_PROBLEMS}",
    measures=(percent("aul", "AUL, all tokens unmasked", *_PREFERRED),),
    score=partial(_score, partial(_unmasked, False)),
    chunk=256,
    method=lambda spec: (
        f"The value of a sentence is the mean log probability of all of its tokens with nothing masked. {COUNTING}"
    ),
    explanation=(
        "The pairs of CrowS-Pairs with nothing hidden: the mean log probability of all tokens of a sentence. The words "
        "that differ count too, so frequent groups no longer win by being frequent alone; but a model sees the very "
        "token whose probability is read."
    ),
)
AULA = _of_pairs(
    id="aula",
    title="AULA (AUL weighted by attention)",
    citation="Kaneko & Bollegala 2022, AULA, on the pairs of Nangia et al. 2020",
    problems=f"AULA reads the pairs of CrowS-Pairs, and {_PROBLEMS}",
    measures=(percent("aula", "AULA, weighted by attention", *_PREFERRED),),
    score=partial(_score, partial(_unmasked, True)),
    chunk=256,
    attention="eager",
    method=lambda spec: (
        "The value of a sentence is the mean log probability of all of its tokens with nothing masked, weighted by the "
        f"attention each receives, averaged over layers, heads and queries. {COUNTING}"
    ),
    explanation=(
        "The pairs of CrowS-Pairs with nothing hidden: the mean log probability of all tokens of a sentence, each "
        "weighted by the attention it receives. Attention is one part of what a layer computes, so a weight is no "
        "proof of importance."
    ),
)
