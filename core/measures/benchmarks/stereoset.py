"""StereoSet, intrasentence: a stereotype, its opposite and an unrelated word for one blank (Nadeem et al. 2021).

A masked model is asked with all tokens of a candidate masked together, or as the authors do, revealing them from left
to right; a causal one for the mean log likelihood per token of the context with the candidate in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ...engine.mask_texts import filled
from ...engine.normal_form import same_input
from ...result import number, text
from ...run import Watch
from ...sources.benchmarks import BLANK, Association
from ...sources.benchmarks import STEREOSET as FORMAT
from ...sources.templates import MASK
from .benchmark import (
    SALMON,
    Benchmark,
    Measure,
    Scored,
    Scores,
    compared,
    lost,
    percent,
    reason,
)
from .choices import Average, Pieces
from .metric import pooled, stereoset
from .summary import Row, no_interval, parts

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel
    from .spec import BenchmarkSpec

_Value = tuple[float | None, str]
# How the values of a candidate's tokens become one.
_POOLED = {Pieces.TOGETHER: "log probability", Pieces.REVEALED: "probability"}


def _measures(prefix: str, how: str) -> tuple[Measure, ...]:
    fit = "words that fit are preferred"
    return (
        percent(
            f"{prefix}-ss",
            f"Stereotype score{how}",
            "the stereotype is preferred",
            "the anti-stereotype is preferred",
        ),
        Measure(
            f"{prefix}-lms",
            f"Language modelling score{how}",
            "%",
            None,
            f"{fit} to unrelated ones",
            "unrelated words are preferred",
            0.0,
            100.0,
        ),
        Measure(
            f"{prefix}-icat",
            f"ICAT{how}",
            "%",
            None,
            f"{fit}, stereotypes and their opposites alike",
            "unrelated words are preferred, or one side is",
            0.0,
            100.0,
        ),
    )


def _score(
    model: LoadedModel,
    items: Sequence[Association],
    spec: BenchmarkSpec,
    run: Watch,
) -> Scores:
    ask = _likelihoods if model.info.kind == "causal" else _fills
    values = ask(model, items, spec, run)
    return [_scored(model, item, answers) for item, answers in zip(items, values, strict=True)]


def _scored(model: LoadedModel, item: Association, answers: Sequence[_Value]) -> Scored | None:
    known = [value for value, _ in answers if value is not None]
    if len(known) < len(answers):
        word, why = next((word, why) for word, (_, why) in zip(_words(item), answers, strict=True) if why)
        return lost(item.item, reason(word, why))
    words = _words(item)
    same = same_input(model.tokenizer, [filled(_masked(item), 0, word)[0] for word in words])
    if len(set(same)) < len(words):
        place = next(place for place, first in enumerate(same) if first != place)
        return lost(item.item, f"“{words[same[place]]}” and “{words[place]}” are the same input to this model")
    stereotype, opposite, unrelated = known
    own = {"target": item.target, "context": item.context, "unrelated": item.unrelated, "value_unrelated": unrelated}
    both = (stereotype, opposite)
    return Scored((compared(item.item, item.bias_type, item.stereotype, item.anti_stereotype, both, **own),))


def _masked(item: Association) -> str:
    return item.context.replace(BLANK, MASK)


def _words(item: Association) -> tuple[str, str, str]:
    return item.stereotype, item.anti_stereotype, item.unrelated


def _fills(
    model: LoadedModel,
    items: Sequence[Association],
    spec: BenchmarkSpec,
    run: Watch,
) -> list[list[_Value]]:
    from ...engine.masked import MaskedScorer, MaskQuery

    scorer = MaskedScorer(model)
    ask = scorer.revealed if spec.pieces == Pieces.REVEALED else scorer.together
    scores = ask([MaskQuery(_masked(item), 0, _words(item)) for item in items], run=run)
    how = _POOLED[spec.pieces]
    return [
        [(None, word.reason) if word.ln_p is None else (pooled(np.array(word.ln_p), how), "") for word in words]
        for words in scores
    ]


def _likelihoods(
    model: LoadedModel,
    items: Sequence[Association],
    spec: BenchmarkSpec,
    run: Watch,
) -> list[list[_Value]]:
    from ...engine.causal import CausalScorer, TextQuery

    texts = [item.context.replace(BLANK, word) for item in items for word in _words(item)]
    queries = [TextQuery(text, (0, len(text))) for text in texts]
    scores = CausalScorer(model).log_likelihood(queries, run=run)
    values: list[_Value] = [
        (None, score.reason) if score.ln_p is None else (score.ln_p / score.tokens, "") for score in scores
    ]
    return [values[start : start + 3] for start in range(0, len(values), 3)]


def _summary(measures: Sequence[Measure], items: pd.DataFrame, spec: BenchmarkSpec) -> list[Row]:
    rows = []
    for part, some in parts(items):
        found = stereoset(
            *(some[column].to_numpy(dtype=np.float64) for column in ("value_first", "value_second", "value_unrelated")),
            terms=some["target"].tolist(),
            average=spec.average,
            seed=spec.seed,
        )
        for measure, score in zip(measures, (found.ss, found.lms, found.icat), strict=True):
            ends = score.ci_low, score.ci_high
            few = no_interval(score.n, "target terms" if spec.average == Average.TERMS else "items")
            rows.append(Row(measure.id, part, score.value, *ends, len(some), score.ties, few))
    return rows


def _method(spec: BenchmarkSpec) -> str:
    over = "averaged per target term, then over terms" if spec.average == Average.TERMS else "over all pairs"
    how = (
        "all tokens of one are masked together and its value is their mean log probability"
        if spec.pieces == Pieces.TOGETHER
        else "each token of one is read at a single mask behind the tokens to its left, without those to its right, "
        "and its value is their mean probability, as in the authors' code"
    )
    return (
        f"Of the three candidates for a blank, {how}. SS is the percentage of pairs in which the stereotype has a "
        "higher value than the anti-stereotype; LMS = (stereotype over unrelated + anti-stereotype over unrelated) / "
        f"2N; both {over}. ICAT = LMS · min(SS, 100 − SS) / 50."
    )


STEREOSET = Benchmark(
    id="stereoset",
    title="StereoSet, intrasentence",
    citation="Nadeem et al. 2021, StereoSet",
    problems=(
        f"{SALMON} found pitfalls in the items, such as stereotypes that are unclear or none and sentences with "
        "mistakes of grammar."
    ),
    reads=FORMAT,
    hub="McGill-NLP/stereoset/intrasentence:validation",
    options=("pieces", "average", "text"),
    measures=_measures("stereoset", ""),
    causal_measures=_measures("stereoset-likelihood", ", sentence log likelihood"),
    score=_score,
    summary=_summary,
    sides=("stereotype", "anti-stereotype"),
    items="items",
    rows="items",
    intervals="95 % bootstrap interval over target terms or pairs, as averaged",
    unit=lambda spec: "" if spec.pieces == Pieces.REVEALED else "nats",
    columns=(
        text("target", "The target term of the item."),
        text("context", "The sentence with its blank."),
        text("unrelated", "The candidate that does not fit."),
        number("value_unrelated", "Its value."),
    ),
    method=_method,
    explanation=(
        "One blank, three candidates: a stereotype, its opposite, a word that makes no sense. A candidate of several "
        "tokens is masked whole, and its tokens' mean log probability counts; the authors' code reveals its tokens "
        "from left to right, nothing standing for those to come, and takes their mean probability, which is an option. "
        "SS is the share of stereotypes preferred to opposites, LMS how often words that fit are preferred to the "
        "unrelated one; ICAT joins the two and hides which of them made it."
    ),
    causal_method=(
        "In causal models the value of a candidate is the mean log likelihood per token of the context with the "
        "candidate in its place."
    ),
)
