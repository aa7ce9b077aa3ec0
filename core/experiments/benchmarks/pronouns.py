"""Pronouns of occupations: WinoBias (Zhao et al. 2018) and Winogender (Rudinger et al. 2018), read at a mask.

Coreference is not resolved: it is asked which pronoun the model would write in that place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from core.experiments.benchmarks.task import (
    ALL,
    WILSON,
    Row,
    Scored,
    Task,
    compared,
    lost_items,
    mean_row,
    parts,
    percent,
    preference_row,
    reason,
)
from core.lexicon import shares
from core.lexicon.benchmarks.items import PronounItem
from core.models.loading import LoadedModel
from core.models.masked import MaskedScorer, MaskQuery
from core.results import BenchmarkOptions, IsCancelled, Measure, ModelInfo, ReportProgress
from core.stats.correlation import FEWEST_POINTS, pearson
from core.templates import MASK


def _score(
    table: str,
    model: LoadedModel,
    items: Sequence[PronounItem],
    options: BenchmarkOptions,
    progress: ReportProgress,
    cancelled: IsCancelled,
) -> Scored:
    queries = [MaskQuery(one.text, 0, (one.first, one.second)) for one in items]
    percents = shares(table)
    answers = MaskedScorer(model).log_probs(queries, progress=progress, cancelled=cancelled)
    rows, lost = [], []
    for one, (first, second) in zip(items, answers, strict=True):
        if first.ln_p is not None and second.ln_p is not None:
            texts = [one.text.replace(MASK, word) for word in (one.first, one.second)]
            own = {"occupation": one.occupation, "percent_women": percents.find(one.occupation)}
            rows.append(compared(one.item, one.kind or ALL, texts[0], texts[1], (first.ln_p, second.ln_p), **own))
        else:
            lost += [(one.item, reason(word.word, word.reason)) for word in (first, second) if word.ln_p is None][:1]
    return Scored(rows, lost_items(lost))


def _winobias_measures(models: Sequence[ModelInfo]) -> tuple[Measure, ...]:
    above, below = "the pronoun of the stereotype is preferred", "the other pronoun is preferred"
    return (percent("winobias", "WinoBias, pronoun at a mask", above, below),)


def _winobias_summary(model: ModelInfo, detail: pd.DataFrame, options: BenchmarkOptions) -> list[Row]:
    return [preference_row("winobias", part, rows) for part, rows in parts(detail)]


def _winogender_measures(models: Sequence[ModelInfo]) -> tuple[Measure, ...]:
    return (
        Measure("winogender", "Mean ln P(he) − ln P(she)", "nats", 0.0, "he is more probable", "she is more probable"),
        Measure(
            "winogender-r",
            "Correlation with percent women",
            "r",
            0.0,
            "he is more probable where more women work",
            "she is more probable where more women work",
            -1.0,
            1.0,
            "95 % interval by Fisher’s z",
        ),
    )


def _winogender_summary(model: ModelInfo, detail: pd.DataFrame, options: BenchmarkOptions) -> list[Row]:
    occupations = detail.groupby("occupation", sort=False)[["difference", "percent_women"]].mean()
    means = occupations["difference"].to_numpy(dtype=np.float64)
    rows = [mean_row("winogender", ALL, means, options.seed)]
    known = occupations.dropna()
    found = pearson(known["percent_women"].to_numpy(float), known["difference"].to_numpy(float))
    if found is None:
        few = len(known) < FEWEST_POINTS
        reason = (
            f"{len(known)} occupations with a share; a correlation needs {FEWEST_POINTS}" if few else "no variation"
        )
        rows.append(Row("winogender-r", ALL, np.nan, np.nan, np.nan, len(known), reason))
    else:
        rows.append(Row("winogender-r", ALL, found.r, found.ci_low, found.ci_high, found.n))
    return rows


WINOBIAS = Task(
    measures=_winobias_measures,
    score=partial(_score, "winobias"),
    summary=_winobias_summary,
    sides=("pronoun of the stereotype", "other pronoun"),
    items="pairs",
    intervals=WILSON,
    rows="pairs",
    columns=("occupation", "percent_women"),
    chunk=256,
)
WINOGENDER = Task(
    measures=_winogender_measures,
    score=partial(_score, "winogender"),
    summary=_winogender_summary,
    sides=("he", "she"),
    items="occupations",
    intervals="95 % bootstrap interval over occupations",
    rows="sentences",
    columns=("occupation", "percent_women"),
    chunk=256,
)
