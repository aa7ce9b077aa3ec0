"""Why a head's attention is not its effect: where heads look, and what changes when one is knocked out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from ..charts.theme import Theme
from ..errors import NothingToScore
from ..measures.attention.causes import figures
from ..measures.attention.causes.result import EFFECT, OUTCOME, SIZE, SUM, TOGETHER, CausesResult
from ..measures.attention.causes.spec import CausesSpec, hidden_word
from ..measures.attention.result import AttentionResult
from ..measures.attention.spec import EXAMPLE, EXAMPLE_TWIN, AttentionSpec, sentence_given
from ..measures.drawing import draw
from ..measures.prepared import Prepared
from ..report.numbers import head_name
from .lesson import Lesson, Outcome, Step
from .templates import THIRDS, third

FEW = 10  # heads that count as among the first
_NO_DEGREE = "No head of this model has a degree in this sentence."
_NONE, _STRONG = 0.2, 0.5  # of a correlation
_LOOK = Prepared(AttentionSpec, {"twin": EXAMPLE_TWIN})
_KNOCK_OUT = Prepared(CausesSpec, {"twin": EXAMPLE_TWIN, "intervention": "zero"})


@dataclass(frozen=True)
class _Given:
    """The sentence, the same with its pronoun hidden, its occupation, and how many heads count as the first."""

    sentence: str
    hidden: str
    occupation: str
    few: int


@dataclass(frozen=True)
class _Looked:
    """Of so many heads, how many have a degree above 0, and the one with the highest."""

    model: str
    heads: int
    alike: int
    top: str
    degree: float


@dataclass(frozen=True)
class Head:
    """A head: its effect (nats), its degree, and its rank from 1 by the size of the one and by the other."""

    name: str
    effect: float
    degree: float
    by_size: int
    by_degree: int


@dataclass(frozen=True)
class Heads:
    """Of so many heads the one with the highest degree and that with the largest effect; the log odds, in nats."""

    n: int
    seen: Head
    felt: Head
    log_odds: float


@dataclass(frozen=True)
class _Together:
    """Correlations of degree with size and with effect; the effect of all heads at once, and the sum of each (nats)."""

    n: int
    r: float
    r_signed: float
    all: float
    sum: float


def _given() -> _Given:
    sentence = sentence_given(EXAMPLE)
    text, (start, stop) = sentence.text, hidden_word(sentence) or (0, 0)
    hidden = f"{text[:start]}___{text[stop:]}".removesuffix(".")
    return _Given(text, hidden, text[slice(*sentence.occupation)], FEW)


def _look(results: Sequence[AttentionResult]) -> Outcome:
    heads = results[0]["heads"]
    degrees = heads.loc[heads["kind"] == "attention"].dropna(subset="degree")
    alike = int((degrees["degree"] > 0).sum())
    if degrees.empty:
        raise NothingToScore(_NO_DEGREE)
    top = degrees.sort_values("degree").iloc[-1]
    model, name = next(iter(results[0].models)), head_name(top["layer"], top["head"])
    return Outcome(third(alike, len(degrees)), _Looked(model, len(degrees), alike, name, float(top["degree"])))


def ranked(result: CausesResult) -> pd.DataFrame:
    """The heads of the first model that have a degree, with their ranks from 1.

    Parameters
    ----------
    result : CausesResult
        Effects and degrees, head by head.

    Returns
    -------
    DataFrame
        The rows of the heads, and their ranks ``by_degree``, from the highest, and ``by_size`` of the effect, from the
        largest; of equal ones the first counts before.

    Raises
    ------
    NothingToScore
        Where no head has a degree.
    """
    rows = result.heads_of(next(iter(result.models))).dropna(subset="degree").copy()
    if rows.empty:
        raise NothingToScore(_NO_DEGREE)
    rows["by_degree"] = rows["degree"].rank(ascending=False, method="first").astype(int)
    rows["by_size"] = rows["effect"].abs().rank(ascending=False, method="first").astype(int)
    return rows


def _head(row: pd.Series) -> Head:
    return Head(
        head_name(row["layer"], row["head"]),
        effect=float(row["effect"]),
        degree=float(row["degree"]),
        by_size=int(row["by_size"]),
        by_degree=int(row["by_degree"]),
    )


def _known(row: dict[str, float] | None, column: str) -> float:
    """A number of a row that must be there. Raises NothingToScore."""
    if row is None or pd.isna(row[column]):
        raise NothingToScore("This model gives no number here that could be told.")
    return float(row[column])


def _heads(result: CausesResult) -> Heads:
    rows = ranked(result)
    seen, felt = (_head(rows.sort_values(rank).iloc[0]) for rank in ("by_degree", "by_size"))
    log_odds = _known(result.total(next(iter(result.models)), OUTCOME), "mean")
    return Heads(len(rows), seen, felt, log_odds)


def _by_rank(results: Sequence[CausesResult], of: Callable[[Heads], int]) -> Outcome:
    """Where a head stands by this rank: one of ``_RANKS``."""
    heads = _heads(results[0])
    rank = of(heads)
    return Outcome("first" if rank == 1 else "among" if rank <= FEW else "behind", heads)


def _together(results: Sequence[CausesResult]) -> Outcome:
    result, model = results[0], next(iter(results[0].models))
    r, r_signed = (_known(result.correlation(model, of, "Pearson"), "r") for of in (SIZE, EFFECT))
    of_all, of_each = (_known(result.total(model, of), "mean") for of in (TOGETHER, SUM))
    answer = "none" if abs(r) < _NONE else "strong" if r > _STRONG else "weak"
    return Outcome(answer, _Together(len(ranked(result)), r, r_signed, of_all, of_each))


def _place(result: CausesResult, by: str) -> tuple[int, int]:
    row = ranked(result).sort_values(by).iloc[0]
    return int(row["layer"]), int(row["head"])


def _grid(results: Sequence[CausesResult], theme: Theme) -> go.Figure:
    selected = _place(results[0], "by_degree")
    return figures.effect_grid(results[0], model=next(iter(results[0].models)), theme=theme, selected=selected)


def _largest(results: Sequence[CausesResult], theme: Theme) -> go.Figure:
    selected = _place(results[0], "by_size")
    return figures.largest_effects(results[0], model=next(iter(results[0].models)), theme=theme, selected=selected)


def _scatter(results: Sequence[CausesResult], theme: Theme) -> go.Figure:
    return figures.effect_against_degree(results[0], model=next(iter(results[0].models)), theme=theme)


_RANKS = {"first": "the first of all", "among": f"among the first {FEW}, but not the first", "behind": "further behind"}

LESSON = Lesson(
    id="heads",
    title="Why a head’s attention is not its effect",
    promise="Why a map of where a model looks does not show what makes it say what it says.",
    source="Li et al. 2021; Vig et al. 2020",
    steps=(
        Step(
            name="heads_look",
            title="Where the heads look",
            choices=THIRDS,
            asked=(_LOOK,),
            given=_given,
            outcome=_look,
            draw=lambda results, theme: draw(results[0], theme=theme),
            alt="A cell for each head: its degree",
        ),
        Step(
            name="heads_seen",
            title="Knock out the one with the highest degree",
            choices=_RANKS,
            asked=(_KNOCK_OUT,),
            given=_given,
            outcome=lambda results: _by_rank(results, lambda heads: heads.seen.by_size),
            draw=_grid,
            alt="A cell for each head: the effect of knocking it out; the head with the highest degree is framed",
        ),
        Step(
            name="heads_felt",
            title="Find the one that matters most",
            choices=_RANKS,
            asked=(_KNOCK_OUT,),
            given=_given,
            outcome=lambda results: _by_rank(results, lambda heads: heads.felt.by_degree),
            draw=_largest,
            alt="A bar for each of the heads with the largest effects",
        ),
        Step(
            name="heads_together",
            title="All heads",
            choices={
                "strong": f"strong: a correlation above {_STRONG}",
                "weak": f"weak or negative: between {_NONE} and {_STRONG}, or below −{_NONE}",
                "none": f"next to none: between −{_NONE} and {_NONE}",
            },
            asked=(_KNOCK_OUT,),
            given=_given,
            outcome=_together,
            draw=_scatter,
            alt="A point for each head: its effect against its degree",
        ),
    ),
)
