"""StereoSet, intrasentence: a stereotype, its opposite and an unrelated word for one blank (Nadeem et al. 2021).

A masked model is asked with all pieces of a candidate hidden together; a causal one for the mean log likelihood per
token of the whole sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.experiments.benchmarks.task import Row, Scored, Task, compared, lost_items, parts, reason
from core.lexicon.benchmarks.items import BLANK, Association
from core.metrics.stereoset import pooled, stereoset
from core.models.causal import CausalScorer, TextQuery
from core.models.loading import LoadedModel
from core.models.masked import MaskedScorer, MaskQuery
from core.results import BenchmarkOptions, IsCancelled, Measure, ModelInfo, ReportProgress
from core.templates import MASK

_Value = tuple[float | None, str]


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
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> Scored:
    ask = _likelihoods if model.info.kind == "causal" else _fills
    values = ask(model, items, options, progress, cancelled)
    rows, lost = [], []
    for one, answers in zip(items, values, strict=True):
        known = [value for value, _ in answers if value is not None]
        if len(known) < len(answers):
            lost += [(one.item, reason(word, why)) for word, (_, why) in zip(_words(one), answers, strict=True) if why][
                :1
            ]
            continue
        stereotype, opposite, unrelated = known
        own = {"target": one.target, "context": one.context, "unrelated": one.unrelated, "value_unrelated": unrelated}
        both = (stereotype, opposite)
        rows.append(compared(one.item, one.bias_type, one.stereotype, one.anti_stereotype, both, **own))
    return Scored(rows, lost_items(lost))


def _words(one: Association) -> tuple[str, str, str]:
    return one.stereotype, one.anti_stereotype, one.unrelated


def _fills(
    model: LoadedModel,
    items: Sequence[Association],
    options: BenchmarkOptions,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> list[list[_Value]]:
    queries = [MaskQuery(one.context.replace(BLANK, MASK), 0, _words(one)) for one in items]
    scores = MaskedScorer(model).together(queries, progress=progress, cancelled=cancelled)
    return [
        [
            (None, word.reason) if word.ln_p is None else (pooled(np.array(word.ln_p), options.pieces), "")
            for word in words
        ]
        for words in scores
    ]


def _likelihoods(
    model: LoadedModel,
    items: Sequence[Association],
    options: BenchmarkOptions,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> list[list[_Value]]:
    texts = [one.context.replace(BLANK, word) for one in items for word in _words(one)]
    queries = [TextQuery(text, (0, len(text))) for text in texts]
    scores = CausalScorer(model).log_likelihood(queries, progress=progress, cancelled=cancelled)
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
            rows.append(Row(f"{name}-{measure}", part, score.value, score.ci_low, score.ci_high, len(some)))
    return rows


TASK = Task(
    measures=_measures,
    score=_score,
    summary=_summary,
    sides=("stereotype", "anti-stereotype"),
    items="items",
    intervals="95 % bootstrap interval over target terms or pairs, as averaged",
    rows="items",
    unit=lambda options: "" if options.pieces == "probability" else "nats",
    columns=("target", "context", "unrelated", "value_unrelated"),
)
