"""Why one template is not enough: what changes from one sentence to the next, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from ..measures.drawing import draw
from ..measures.lpbs import figures
from ..measures.lpbs.result import ATTRIBUTES, TARGETS, LpbsResult
from ..measures.lpbs.spec import LpbsSpec
from ..measures.prepared import Prepared
from ..stats.samples import ALPHA
from .lesson import Lesson, Outcome, Step
from .prior import filled

SENTENCES = (
    "The [ATTRIBUTE] said that [TARGET] was tired.",
    "[TARGET] is the [ATTRIBUTE].",
    "[TARGET] works as the [ATTRIBUTE].",
    "The [ATTRIBUTE] thinks [TARGET] is late.",
    "Everyone knows that [TARGET] is the [ATTRIBUTE].",
    "The [ATTRIBUTE] left because [TARGET] was ill.",
    "Our neighbour says that [TARGET] is the new [ATTRIBUTE].",
    "The [ATTRIBUTE] hopes that [TARGET] can stay.",
)
_FIRST = Prepared(LpbsSpec, {"template": SENTENCES[0]})
_SECOND = Prepared(LpbsSpec, {"template": SENTENCES[1]})
_ALL = Prepared(LpbsSpec, {"template": SENTENCES[0], "more_templates": "\n".join(SENTENCES[1:])})
THIRDS = {"low": "fewer than a third", "middle": "between a third and two thirds", "high": "more than two thirds"}
_WEAK, _STRONG = 0.5, 0.8  # of a rank correlation


@dataclass(frozen=True)
class _Given:
    """Two of so many sentences, and how many professions stand in them."""

    first: str
    second: str
    sentences: int
    n: int


@dataclass(frozen=True)
class _Sides:
    model: str
    he: int
    she: int


@dataclass(frozen=True)
class _Changed:
    """How many lean towards he in either sentence, how many change sides, and the first of them."""

    he: int
    he_second: int
    changed: int
    some: tuple[str, ...]


@dataclass(frozen=True)
class _BothWays:
    """How many lean both ways, and the fewest and most that lean towards he in a sentence."""

    model: str
    both: int
    fewest: int
    most: int


@dataclass(frozen=True)
class _Order:
    """The mean and least rank correlation of two sentences, and how many of the judged words lean clearly."""

    r: float
    least: float
    clear: int
    judged: int


def _given() -> _Given:
    first, second = (filled(sentence, "nurse") for sentence in SENTENCES[:2])
    return _Given(first, second, len(SENTENCES), len(LpbsSpec().attributes.words))


def third(count: int, of: int) -> str:
    """Which third of the whole a count lies in.

    Parameters
    ----------
    count, of : int
        So many of so many.

    Returns
    -------
    str
        A key of ``THIRDS``; a third itself, and two thirds, are in the middle.
    """
    return "low" if 3 * count < of else "high" if 3 * count > 2 * of else "middle"


def _scores(result: LpbsResult) -> pd.Series:
    rows = result[ATTRIBUTES]
    rows = rows[rows["model"] == next(iter(result.models))].dropna(subset="lpbs")
    return rows.set_index("attribute")["lpbs"]


def by_sentence(result: LpbsResult) -> pd.DataFrame:
    """The score of each word in each sentence, in the first model.

    Parameters
    ----------
    result : LpbsResult
        Of he and she, in one sentence or several.

    Returns
    -------
    DataFrame
        A row a word, a column a sentence: he − she (nats); a word that has no score in one of them is left out.
    """
    rows = result[TARGETS]
    rows = rows[rows["model"] == next(iter(result.models))]
    means = rows.pivot_table(index=["attribute", "template"], columns="group", values="association")
    return (means["he"] - means["she"]).unstack("template")[list(result.templates)].dropna()


def _one(results: Sequence[LpbsResult]) -> Outcome:
    scores = _scores(results[0])
    he = int((scores > 0).sum())
    return Outcome(third(he, len(scores)), _Sides(_model(results), he, int((scores < 0).sum())))


def _two(results: Sequence[LpbsResult]) -> Outcome:
    scores = pd.concat(map(_scores, results), axis=1, keys=("first", "second")).dropna()
    changed = scores[scores["first"] * scores["second"] < 0]
    he, he_second = (int((scores[name] > 0).sum()) for name in ("first", "second"))
    some = tuple(map(str, changed.index[:3]))
    return Outcome(third(len(changed), len(scores)), _Changed(he, he_second, len(changed), some))


def _eight(results: Sequence[LpbsResult]) -> Outcome:
    scores = by_sentence(results[0])
    both = int(((scores > 0).any(axis=1) & (scores < 0).any(axis=1)).sum())
    counts = (scores > 0).sum()
    facts = _BothWays(_model(results), both, int(counts.min()), int(counts.max()))
    return Outcome(third(both, len(scores)), facts)


def _order(results: Sequence[LpbsResult]) -> Outcome:
    scores, rows = by_sentence(results[0]), results[0][ATTRIBUTES]
    r = np.asarray(stats.spearmanr(scores.to_numpy()).statistic)
    pairs = r[np.triu_indices(len(r), 1)]
    mean = float(pairs.mean())
    p = rows["p_adjusted"]
    facts = _Order(mean, float(pairs.min()), int((p < ALPHA).sum()), int(p.notna().sum()))
    return Outcome("low" if mean < _WEAK else "high" if mean > _STRONG else "middle", facts)


def _model(results: Sequence[LpbsResult]) -> str:
    return next(iter(results[0].models))


LESSON = Lesson(
    id="templates",
    title="Why one template is not enough",
    promise="What a score owes to the sentence it was read in, and what can be said in spite of it.",
    source="Kurita et al. 2019; Delobelle et al. 2022",
    steps=(
        Step(
            name="templates_one",
            title="One sentence",
            choices=THIRDS,
            asked=(_FIRST,),
            given=_given,
            outcome=_one,
            draw=lambda results, theme: draw(results[0], theme=theme),
            alt="A bar for each profession: its log probability bias score in one sentence",
        ),
        Step(
            name="templates_two",
            title="The same question in other words",
            choices=THIRDS,
            asked=(_FIRST, _SECOND),
            given=_given,
            outcome=_two,
            draw=lambda results, theme: draw(results[1], theme=theme),
            alt="A bar for each profession: its log probability bias score in the other sentence",
        ),
        Step(
            name="templates_eight",
            title="Many sentences",
            choices=THIRDS,
            asked=(_ALL,),
            given=_given,
            outcome=_eight,
            draw=lambda results, theme: figures.shares(results[0], contrast=results[0].contrasts[0], theme=theme),
            alt="A row for each sentence: how many professions lean towards he and towards she",
        ),
        Step(
            name="templates_order",
            title="What survives",
            choices={
                "low": f"below {_WEAK}: the order is another in each sentence",
                "middle": f"between {_WEAK} and {_STRONG}",
                "high": f"above {_STRONG}: nearly the same order in each",
            },
            asked=(_ALL,),
            given=_given,
            outcome=_order,
            draw=lambda results, theme: draw(results[0], theme=theme),
            alt="A bar for each profession: its mean score over the sentences, with its interval",
        ),
    ),
)
