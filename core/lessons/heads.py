"""Why a head's attention is not its effect: where heads look, and what changes when one is knocked out."""

from __future__ import annotations

from collections.abc import Sequence

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
from ..report.numbers import head_name
from .lesson import Asked, Facts, Lesson, Outcome, Step
from .templates import THIRDS, third

FEW = 10  # heads that count as among the first
_NO_DEGREE = "No head of this model has a degree in this sentence."
_NONE, _STRONG = 0.2, 0.5  # of a correlation
_LOOK = Asked(AttentionSpec, {"twin": EXAMPLE_TWIN})
_KNOCK_OUT = Asked(CausesSpec, {"twin": EXAMPLE_TWIN, "intervention": "zero"}, {"what": "causes"})


def _given() -> Facts:
    sentence = sentence_given(EXAMPLE)
    text, (start, stop) = sentence.text, hidden_word(sentence) or (0, 0)
    return {
        "sentence": text,
        "hidden": f"{text[:start]}___{text[stop:]}".removesuffix("."),
        "occupation": text[slice(*sentence.occupation)],
        "few": FEW,
    }


def _look(results: Sequence[AttentionResult]) -> Outcome:
    heads = results[0]["heads"]
    degrees = heads.loc[heads["kind"] == "attention"].dropna(subset="degree")
    alike = int((degrees["degree"] > 0).sum())
    if degrees.empty:
        raise NothingToScore(_NO_DEGREE)
    top = degrees.sort_values("degree").iloc[-1]
    facts = {
        "model": next(iter(results[0].models)),
        "heads": len(degrees),
        "alike": alike,
        "top": head_name(top["layer"], top["head"]),
        "degree": float(top["degree"]),
    }
    return Outcome(third(alike, len(degrees)), facts)


def ranked(result: CausesResult) -> pd.DataFrame:
    """The heads of the first model with a degree, and their ranks from 1: by degree, and by the size of the effect."""
    rows = result.heads_of(next(iter(result.models))).dropna(subset="degree").copy()
    if rows.empty:
        raise NothingToScore(_NO_DEGREE)
    rows["by_degree"] = rows["degree"].rank(ascending=False, method="first").astype(int)
    rows["by_size"] = rows["effect"].abs().rank(ascending=False, method="first").astype(int)
    return rows


def _of(row: pd.Series, name: str) -> Facts:
    return {
        f"{name}": head_name(row["layer"], row["head"]),
        f"{name}_effect": float(row["effect"]),
        f"{name}_degree": float(row["degree"]),
        f"{name}_by_size": int(row["by_size"]),
        f"{name}_by_degree": int(row["by_degree"]),
    }


def _known(row: dict[str, float] | None, column: str) -> float:
    """A number of a row that must be there. Raises NothingToScore."""
    if row is None or pd.isna(row[column]):
        raise NothingToScore("This model gives no number here that could be told.")
    return float(row[column])


def _facts(result: CausesResult) -> Facts:
    rows = ranked(result)
    seen, felt = rows.sort_values("by_degree").iloc[0], rows.sort_values("by_size").iloc[0]
    model = next(iter(result.models))
    facts = {"model": model, "heads": len(rows), **_of(seen, "seen"), **_of(felt, "felt")}
    facts["outcome"] = _known(result.total(model, OUTCOME), "mean")
    return facts


def _by_rank(results: Sequence[CausesResult], of: str) -> Outcome:
    """Where a head stands by the rank that this fact tells: one of ``_RANKS``."""
    facts = _facts(results[0])
    rank = facts[of]
    return Outcome("first" if rank == 1 else "among" if rank <= FEW else "behind", facts)


def _together(results: Sequence[CausesResult]) -> Outcome:
    facts = _facts(results[0])
    result, model = results[0], facts["model"]
    r, with_sign = (_known(result.correlation(model, of, "Pearson"), "r") for of in (SIZE, EFFECT))
    totals = {name: _known(result.total(model, of), "mean") for name, of in (("all", TOGETHER), ("sum", SUM))}
    answer = "none" if abs(r) < _NONE else "strong" if r > _STRONG else "weak"
    return Outcome(answer, facts | {"r": r, "r_signed": with_sign, **totals})


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
            outcome=lambda results: _by_rank(results, "seen_by_size"),
            draw=_grid,
            alt="A cell for each head: the effect of knocking it out; the head with the highest degree is framed",
        ),
        Step(
            name="heads_felt",
            title="Find the one that matters most",
            choices=_RANKS,
            asked=(_KNOCK_OUT,),
            given=_given,
            outcome=lambda results: _by_rank(results, "felt_by_degree"),
            draw=_largest,
            alt="A bar for each of the heads with the largest effects",
        ),
        Step(
            name="heads_together",
            title="All heads",
            choices={
                "strong": f"strong: a correlation above {_STRONG}",
                "weak": f"weak: between {_NONE} and {_STRONG}, or negative",
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
