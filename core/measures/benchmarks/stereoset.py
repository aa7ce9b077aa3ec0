"""StereoSet, intrasentence: a stereotype, its opposite and an unrelated word for one blank (Nadeem et al. 2021).

A masked model is asked with all tokens of a candidate masked together, or as the authors do, revealing them from left
to right; a causal one for the mean log likelihood per token of the context with the candidate in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.engine.causal import CausalScorer, TextQuery
from core.engine.loading import LoadedModel
from core.engine.mask_texts import filled
from core.engine.masked import MaskedScorer, MaskQuery
from core.engine.normal_form import same_input
from core.measures.benchmarks.result import BenchmarkOptions, Measure
from core.measures.benchmarks.stereoset_metric import pooled, stereoset
from core.measures.benchmarks.task import Row, Scored, Scores, Task, compared, lost, no_interval, parts, reason
from core.result import ModelInfo
from core.run import Watch
from core.sources.benchmarks.items import BLANK, Association
from core.sources.templates import MASK

_Value = tuple[float | None, str]
# How the values of a candidate's tokens become one.
_POOLED = {"together": "log probability", "revealed": "probability"}


def _prefix(kind: str) -> str:
    return "stereoset-likelihood" if kind == "causal" else "stereoset"


def _measures(models: Sequence[ModelInfo]) -> tuple[Measure, ...]:
    found = []
    for kind in dict.fromkeys(model.kind for model in models):
        name, how = _prefix(kind), ", sentence log likelihood" if kind == "causal" else ""
        found += [
            Measure(
                f"{name}-ss",
                f"Stereotype score{how}",
                "%",
                50.0,
                "the stereotype is preferred",
                "the anti-stereotype is preferred",
                0.0,
                100.0,
            ),
            Measure(
                f"{name}-lms",
                f"Language modelling score{how}",
                "%",
                None,
                "words that fit are preferred to unrelated ones",
                "unrelated words are preferred",
                0.0,
                100.0,
            ),
            Measure(
                f"{name}-icat",
                f"ICAT{how}",
                "%",
                None,
                "words that fit are preferred, stereotypes and their opposites alike",
                "unrelated words are preferred, or one side is",
                0.0,
                100.0,
            ),
        ]
    return tuple(found)


def _score(
    model: LoadedModel,
    items: Sequence[Association],
    options: BenchmarkOptions,
    run: Watch,
) -> Scores:
    ask = _likelihoods if model.info.kind == "causal" else _fills
    values = ask(model, items, options, run)
    return [_scored(model, item, answers) for item, answers in zip(items, values, strict=True)]


def _scored(model: LoadedModel, item: Association, answers: Sequence[_Value]) -> Scored | None:
    known = [value for value, _ in answers if value is not None]
    if len(known) < len(answers):
        word, why = next((word, why) for word, (_, why) in zip(_words(item), answers, strict=True) if why)
        return lost(item.item, reason(word, why))
    words = _words(item)
    same = same_input(model.tokenizer, [filled(_query(item).text, 0, word)[0] for word in words])
    if len(set(same)) < len(words):
        place = next(place for place, first in enumerate(same) if first != place)
        return lost(item.item, f"“{words[same[place]]}” and “{words[place]}” are the same input to this model")
    stereotype, opposite, unrelated = known
    own = {"target": item.target, "context": item.context, "unrelated": item.unrelated, "value_unrelated": unrelated}
    both = (stereotype, opposite)
    return Scored((compared(item.item, item.bias_type, item.stereotype, item.anti_stereotype, both, **own),))


def _query(item: Association) -> MaskQuery:
    return MaskQuery(item.context.replace(BLANK, MASK), 0, _words(item))


def _words(one: Association) -> tuple[str, str, str]:
    return one.stereotype, one.anti_stereotype, one.unrelated


def _fills(
    model: LoadedModel,
    items: Sequence[Association],
    options: BenchmarkOptions,
    run: Watch,
) -> list[list[_Value]]:
    scorer = MaskedScorer(model)
    ask = scorer.revealed if options.pieces == "revealed" else scorer.together
    scores = ask([_query(item) for item in items], run=run)
    how = _POOLED[options.pieces]
    return [
        [(None, word.reason) if word.ln_p is None else (pooled(np.array(word.ln_p), how), "") for word in words]
        for words in scores
    ]


def _likelihoods(
    model: LoadedModel,
    items: Sequence[Association],
    options: BenchmarkOptions,
    run: Watch,
) -> list[list[_Value]]:
    texts = [one.context.replace(BLANK, word) for one in items for word in _words(one)]
    queries = [TextQuery(text, (0, len(text))) for text in texts]
    scores = CausalScorer(model).log_likelihood(queries, run=run)
    values: list[_Value] = [(None, one.reason) if one.ln_p is None else (one.ln_p / one.tokens, "") for one in scores]
    return [values[start : start + 3] for start in range(0, len(values), 3)]


def _summary(model: ModelInfo, detail: pd.DataFrame, options: BenchmarkOptions) -> list[Row]:
    name = _prefix(model.kind)
    rows = []
    for part, some in parts(detail):
        found = stereoset(
            *(some[column].to_numpy(dtype=np.float64) for column in ("value_first", "value_second", "value_unrelated")),
            terms=some["target"].tolist(),
            average=options.average,
            seed=options.seed,
        )
        for measure, score in (("ss", found.ss), ("lms", found.lms), ("icat", found.icat)):
            ends = score.ci_low, score.ci_high
            few = no_interval(score.n, "target terms" if options.average == "terms" else "items")
            rows.append(Row(f"{name}-{measure}", part, score.value, *ends, len(some), score.ties, few))
    return rows


TASK = Task(
    measures=_measures,
    score=_score,
    summary=_summary,
    sides=("stereotype", "anti-stereotype"),
    items="items",
    intervals="95 % bootstrap interval over target terms or pairs, as averaged",
    rows="items",
    unit=lambda options: "" if options.pieces == "revealed" else "nats",
    columns=("target", "context", "unrelated", "value_unrelated"),
)
