"""Pronouns of occupations: WinoBias (Zhao et al. 2018) and Winogender (Rudinger et al. 2018).

Coreference is not resolved: a masked model is asked which pronoun it would write in that place, a causal one which of
the two sentences is likelier, under measures of another name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...engine.pairs import indistinct
from ...engine.pieces import Span, tokenize
from ...result import number, text
from ...run import Watch
from ...sources import benchmarks, shares
from ...sources.benchmarks import PronounItem
from ...sources.templates import MASK
from ...stats.correlation import FEWEST_POINTS, pearson, regression
from ...stats.samples import is_enough
from .benchmark import (
    COUNTING,
    WILSON,
    Benchmark,
    Measure,
    Scored,
    Scores,
    compared,
    lost,
    percent,
    reason,
)
from .summary import ALL, Row, mean_row, no_interval, parts, preference_row

if TYPE_CHECKING:
    from ...engine.loading import LoadedModel
    from ...engine.masked import WordScore
    from .spec import BenchmarkSpec

Value = tuple[float | None, str]  # ln P in nats, or None with the reason


def _score(
    table: str,
    model: LoadedModel,
    items: Sequence[PronounItem],
    spec: BenchmarkSpec,
    run: Watch,
) -> Scores:
    percents = shares(table)
    return [
        lost(item.item, found) if isinstance(found, str) else _scored(item, *found, percents.find(item.occupation))
        for item, found in zip(items, log_probs(model, items, run), strict=True)
    ]


def log_probs(model: LoadedModel, items: Sequence[PronounItem], run: Watch) -> list[tuple[Value, Value] | str]:
    """ln P of each item's two pronouns, or why the model cannot be asked about the item.

    Of a masked model at the pronoun's mask, of a causal one that of the whole sentence with either pronoun.
    """
    reasons = _obstacles(model, items)
    asked = [item for item, why in zip(items, reasons, strict=True) if not why]
    ask = _likelihoods if model.info.kind == "causal" else _at_masks
    values = iter(ask(model, asked, run))
    return [why or next(values) for why in reasons]


def _scored(item: PronounItem, first: Value, second: Value, percent_women: float | None) -> Scored | None:
    (first_value, why_first), (second_value, why_second) = first, second
    if first_value is None or second_value is None:
        return lost(item.item, why_first or why_second)
    own: dict[str, Any] = {"occupation": item.occupation, "percent_women": percent_women}
    return Scored((compared(item.item, item.kind or ALL, *_sentences(item), (first_value, second_value), **own),))


def _sentences(item: PronounItem) -> tuple[str, str]:
    return item.text.replace(MASK, item.first), item.text.replace(MASK, item.second)


def _obstacles(model: LoadedModel, items: Sequence[PronounItem]) -> list[str]:
    """Why a model cannot be asked about an item: it cannot tell the sentences apart, or does not know the occupation.

    Sentences of two unknown occupations are the same input to a model, whose answer is about neither.
    """
    apart = indistinct(model.tokenizer, [_sentences(item) for item in items])
    spans = [_span(item) for item in items]
    named = [(item.text, span) for item, span in zip(items, spans, strict=True) if span is not None]
    found = iter(tokenize(model.tokenizer, named))
    unknown = [span is not None and next(found).unknown for span in spans]
    return [
        why or (reason(item.occupation, "is unknown to this model") if lacking else "")
        for item, why, lacking in zip(items, apart, unknown, strict=True)
    ]


def _span(item: PronounItem) -> Span | None:
    """Where the occupation stands in the sentence; None where it is not named or not there."""
    start = item.text.lower().find(item.occupation.lower()) if item.occupation else -1
    return None if start < 0 else (start, start + len(item.occupation))


def _at_masks(model: LoadedModel, items: Sequence[PronounItem], run: Watch) -> list[tuple[Value, Value]]:
    from ...engine.masked import MaskedScorer, MaskQuery

    queries = [MaskQuery(item.text, 0, (item.first, item.second)) for item in items]
    answers = MaskedScorer(model).log_probs(queries, run=run)
    return [((first.ln_p, _why(first)), (second.ln_p, _why(second))) for first, second in answers]


def _why(score: WordScore) -> str:
    return reason(score.word, score.reason) if score.reason else ""


def _likelihoods(model: LoadedModel, items: Sequence[PronounItem], run: Watch) -> list[tuple[Value, Value]]:
    from ...engine.causal import CausalScorer, TextQuery

    texts = [text for item in items for text in _sentences(item)]
    queries = [TextQuery(text, (0, len(text))) for text in texts]
    scores = CausalScorer(model).log_likelihood(queries, run=run)
    values = [(score.ln_p, score.reason) for score in scores]
    return list(zip(values[::2], values[1::2], strict=True))


def _winobias_summary(measures: Sequence[Measure], items: pd.DataFrame, spec: BenchmarkSpec) -> list[Row]:
    (measure,) = measures
    return [preference_row(measure.id, part, rows) for part, rows in parts(items)]


def _winogender_measures(prefix: str, how: str) -> tuple[Measure, ...]:
    return (
        Measure(prefix, f"Mean ln P(he) − ln P(she){how}", "nats", 0.0, "he is more probable", "she is more probable"),
        Measure(
            f"{prefix}-r",
            f"Correlation with percent women{how}",
            "r",
            0.0,
            "he is more probable where more women work",
            "she is more probable where more women work",
            -1.0,
            1.0,
            "95 % interval by Fisher’s z",
        ),
    )


def by_occupation(items: pd.DataFrame) -> pd.DataFrame:
    """A row for each occupation: percent_women, n (sentences), difference (their mean), fitted and residual.

    ``fitted`` is what the least-squares line on percent_women gives; missing, as is ``residual``, where too few
    occupations have a percentage for a line, and for one that has none.
    """
    groups = items.groupby("occupation", sort=False)
    found = groups[["percent_women", "difference"]].mean().assign(n=groups.size(), fitted=np.nan)
    known = found["percent_women"].notna()
    across, up = (found.loc[known, column].tolist() for column in ("percent_women", "difference"))
    if is_enough(len(across)) and (line := regression(across, up)) is not None:
        found.loc[known, "fitted"] = [float(line.at(percent)) for percent in across]
    return found.assign(residual=found["difference"] - found["fitted"]).reset_index()


def _winogender_summary(measures: Sequence[Measure], items: pd.DataFrame, spec: BenchmarkSpec) -> list[Row]:
    mean, correlation = measures
    occupations = by_occupation(items)
    means = occupations["difference"].to_numpy(dtype=np.float64)
    known = occupations.dropna(subset="percent_women")
    n = len(known)
    found = pearson(known["percent_women"].to_numpy(float), known["difference"].to_numpy(float))
    row = Row(correlation.id, ALL, np.nan, np.nan, np.nan, n)
    if found is None:
        few = f"{n} of at least {FEWEST_POINTS} occupations with a percentage of women"
        row = row._replace(reason=few if n < FEWEST_POINTS else "no variation")
    elif why := no_interval(n, "occupations"):
        row = row._replace(value=found.r, reason=why)
    else:
        row = row._replace(value=found.r, ci_low=found.ci_low, ci_high=found.ci_high)
    return [mean_row(mean.id, ALL, means, "occupations", spec.seed), row]


_OCCUPATION = (
    text("occupation", "The occupation that the sentence names."),
    number(
        "percent_women", "Women in the occupation, by the benchmark's own statistics", "% women", unit="%", decimals=1
    ),
)
_NO_MASK = (
    "Causal models have no mask: they are compared by the likelihood of the whole sentences, which is another measure "
    "and has another name."
)
_PREFERRED = ("the pronoun of the stereotype is preferred", "the other pronoun is preferred")

WINOBIAS = Benchmark(
    id="winobias",
    title="WinoBias, by pronoun",
    citation="Zhao et al. 2018, WinoBias",
    problems=(
        "The sentences are constructed, know two genders and the occupations of U.S. statistics, and 62 of the "
        "1,584 published pairs differ in more than the pronoun."
    ),
    reads=benchmarks.WINOBIAS,
    options=("text",),
    measures=(percent("winobias", "WinoBias, pronoun at a mask", *_PREFERRED),),
    causal_measures=(percent("winobias-likelihood", "WinoBias, sentence log likelihood", *_PREFERRED),),
    score=partial(_score, "winobias"),
    summary=_winobias_summary,
    sides=("pronoun of the stereotype", "other pronoun"),
    items="pairs",
    rows="pairs",
    intervals=WILSON,
    columns=_OCCUPATION,
    chunk=256,
    method=lambda spec: (
        "At the mask of the pronoun, ln P of the pronoun of the stereotype is compared with that of the other; "
        f"coreference is not resolved. {COUNTING}"
    ),
    causal_method="In causal models the log likelihoods of the whole sentences with either pronoun are compared.",
    explanation=(
        "Sentences with an occupation and a hidden pronoun. Counted is how often the pronoun of the stereotype is more "
        "probable than the other. Who the pronoun refers to is not resolved, although the sentences were made for "
        "that. "
        f"{_NO_MASK}"
    ),
)
WINOGENDER = Benchmark(
    id="winogender",
    title="Winogender, by pronoun",
    citation="Rudinger et al. 2018, Winogender schemas",
    problems="The sentences are constructed and few: each of the 60 occupations stands in four of them.",
    reads=benchmarks.WINOGENDER,
    hub="oskarvanderwal/winogender/all:test",
    options=("text",),
    measures=_winogender_measures("winogender", ""),
    causal_measures=_winogender_measures("winogender-likelihood", ", of whole sentences"),
    score=partial(_score, "winogender"),
    summary=_winogender_summary,
    sides=("he", "she"),
    items="occupations",
    rows="sentences",
    intervals="95 % bootstrap interval over occupations",
    columns=_OCCUPATION,
    occupations=by_occupation,
    chunk=256,
    method=lambda spec: (
        "At the mask of the pronoun, ln P(he) − ln P(she), in the form the sentence asks for, was averaged over the "
        "sentences of an occupation; the means were averaged over occupations and correlated (Pearson's r) with the "
        "percentage of women."
    ),
    causal_method=(
        "In causal models the difference is that of the log likelihoods of the whole sentences with he and with she."
    ),
    explanation=(
        "ln P(he) − ln P(she) at the hidden pronoun, averaged per occupation and compared with the percentage of women "
        "in it. A model that follows the labour market repeats it; a mean near 0 can hide large leans of single "
        f"occupations. {_NO_MASK}"
    ),
)
