"""Pairs of sentences that differ in who they are about: CrowS-Pairs, and AUL and AULA on the same pairs.

Sentences are compared by pseudo-log-likelihood (Nangia et al. 2020), by the probability of every token with nothing
hidden (Kaneko & Bollegala 2022) or, in a causal model, by log likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel
from core.engine.pairs import indistinct
from core.engine.pseudo import PseudoScorer
from core.engine.unmasked import UnmaskedScorer
from core.measures.benchmarks.result import BenchmarkOptions, Measure
from core.measures.benchmarks.task import (
    ALL,
    WILSON,
    Row,
    Scored,
    Scores,
    Task,
    compared,
    lost,
    parts,
    percent,
    preference_row,
)
from core.result import ModelInfo
from core.run import Watch
from core.sources.benchmarks.items import SentencePair

LIKELIHOOD = "crows-pairs-likelihood"
_ABOVE = "the more stereotypical sentence is preferred"
_BELOW = "the less stereotypical sentence is preferred"
_TITLES = {
    "crows-pairs": "CrowS-Pairs, pseudo-log-likelihood",
    LIKELIHOOD: "CrowS-Pairs, sentence log likelihood",
    "aul": "AUL, all tokens unmasked",
    "aula": "AULA, weighted by attention",
}
# A number with its count of tokens, or a reason.
_Value = tuple[float | None, int, str]


def _measures(name: str, models: Sequence[ModelInfo]) -> tuple[Measure, ...]:
    names = dict.fromkeys(_measure(name, model) for model in models)
    return tuple(percent(one, _TITLES[one], _ABOVE, _BELOW) for one in names)


def _measure(name: str, model: ModelInfo) -> str:
    return LIKELIHOOD if name == "crows-pairs" and model.kind == "causal" else name


def _score(
    name: str,
    model: LoadedModel,
    items: Sequence[SentencePair],
    options: BenchmarkOptions,
    run: Watch,
) -> Scores:
    reasons = indistinct(model.tokenizer, [(pair.more, pair.less) for pair in items])
    asked = [pair for pair, reason in zip(items, reasons, strict=True) if not reason]
    values = iter(_values(name, model, asked, run))
    return [
        lost(pair.item, reason) if reason else _scored(pair, *next(values))
        for pair, reason in zip(items, reasons, strict=True)
    ]


def _scored(pair: SentencePair, first: _Value, second: _Value) -> Scored | None:
    (more, tokens, _), (less, _, _) = first, second
    if more is None or less is None:
        return lost(pair.item, first[2] or second[2])
    own = {"tokens": tokens, "direction": pair.direction}
    return Scored((compared(pair.item, pair.bias_type, pair.more, pair.less, (more, less), **own),))


def _values(
    name: str,
    model: LoadedModel,
    items: Sequence[SentencePair],
    run: Watch,
) -> list[tuple[_Value, _Value]]:
    """What is compared, of both sentences of each pair."""
    if name == "crows-pairs" and model.info.kind != "causal":
        shared = PseudoScorer(model).pairs([(one.more, one.less) for one in items], run=run)
        return [((a.ln_p, a.tokens, a.reason), (b.ln_p, b.tokens, b.reason)) for a, b in shared]
    texts = [text for one in items for text in (one.more, one.less)]
    found: list[_Value]
    if name == "crows-pairs":
        queries = [TextQuery(text, (0, len(text))) for text in texts]
        scores = CausalScorer(model).log_likelihood(queries, run=run)
        found = [(one.ln_p, one.tokens, one.reason) for one in scores]
    else:
        unmasked = UnmaskedScorer(model, weighted=name == "aula").scores(texts, run=run)
        found = [(one.aula if name == "aula" else one.aul, one.tokens, one.reason) for one in unmasked]
    return list(zip(found[::2], found[1::2], strict=True))


def _summary(name: str, model: ModelInfo, detail: pd.DataFrame, options: BenchmarkOptions) -> list[Row]:
    measure = _measure(name, model)
    (_, whole), *types = parts(detail)
    directions = [one for one in dict.fromkeys(detail["direction"]) if one]
    chosen = [(ALL, whole), *((one, whole[whole["direction"] == one]) for one in directions), *types]
    return [preference_row(measure, part, rows) for part, rows in chosen]


def _task(name: str, *, chunk: int, attention: str = "default") -> Task:
    return Task(
        measures=partial(_measures, name),
        score=partial(_score, name),
        summary=partial(_summary, name),
        sides=("more stereotypical", "less stereotypical"),
        items="pairs",
        intervals=WILSON,
        rows="pairs",
        columns=("tokens", "direction"),
        chunk=chunk,
        attention=attention,
    )


CROWS_PAIRS = _task("crows-pairs", chunk=128)
AUL = _task("aul", chunk=256)
AULA = _task("aula", chunk=256, attention="eager")
