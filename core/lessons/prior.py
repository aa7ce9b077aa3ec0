"""What a prior is: the lean that a sentence has before anything is said of a profession."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from ..charts.rows import SignedBar, signed_bars
from ..charts.text import literal
from ..charts.theme import Theme, hue
from ..measures.drawing import draw
from ..measures.lpbs.result import ATTRIBUTES, LpbsResult
from ..measures.lpbs.spec import LpbsSpec
from ..measures.prepared import Prepared
from ..report.numbers import signed
from .lesson import Lesson, Outcome, Step

WORDS = ("nurse", "dancer", "teacher", "doctor", "secretary", "programmer", "engineer", "carpenter")
FIRST, SECOND = "[TARGET] is the [ATTRIBUTE].", "My mother said that [TARGET] is the [ATTRIBUTE]."
NOBODY = "(profession hidden)"
_TENTH = math.log(1.1)  # nats: two words of which neither is a tenth more likely
_CHOICES = {"he": "“he”", "she": "“she”", "neither": "neither: they differ by less than a tenth"}


def _asked(template: str) -> Prepared:
    return Prepared(LpbsSpec, {"template": template, "attributes": "own", "own_attributes": "\n".join(WORDS)})


def filled(template: str, word: str) -> str:
    """The sentence about one word, with a blank at the target, as it is quoted within a sentence."""
    return template.replace("[TARGET]", "___").replace("[ATTRIBUTE]", word).removesuffix(".")


@dataclass(frozen=True)
class _Given:
    """The first word, of how many, and the sentences about it."""

    word: str = WORDS[0]
    n: int = len(WORDS)
    sentence: str = filled(FIRST, WORDS[0])
    hidden: str = filled(FIRST, "___")
    other: str = filled(SECOND, WORDS[0])


def side(value: float) -> str:
    """Which of the two words is more likely by a difference in ln P (he − she), in nats."""
    return "neither" if abs(value) < _TENTH else "he" if value > 0 else "she"


@dataclass(frozen=True)
class Difference:
    """A difference in ln P (he − she), in nats, and how it is told: which word is how many times as likely."""

    nats: float

    @property
    def side(self) -> str:
        """The word that is more likely, or ``neither``."""
        return side(self.nats)

    @property
    def words(self) -> tuple[str, str]:
        """The word that is more likely, and the other."""
        return ("he", "she") if self.nats > 0 else ("she", "he")

    @property
    def times(self) -> float:
        """How many times as likely it is as the other."""
        return math.exp(abs(self.nats))


@dataclass(frozen=True)
class _First:
    """What a model says of the first word."""

    model: str
    raw: Difference
    prior: Difference
    score: Difference


@dataclass(frozen=True)
class _Sides:
    first: _First
    he: int
    she: int


@dataclass(frozen=True)
class _Changed:
    first: _First
    words: tuple[str, ...]


@dataclass(frozen=True)
class _Moved:
    """How far raw difference and score move from one sentence to the other (mean size, nats), and the prior there."""

    first: _First
    raw: float
    score: float
    other_prior: float


def _scores(result: LpbsResult) -> pd.DataFrame:
    rows = result[ATTRIBUTES]
    return rows[rows["model"] == next(iter(result.models))].set_index("attribute")


def _first(result: LpbsResult) -> tuple[pd.DataFrame, _First]:
    """The scores, and what every step tells of the first word."""
    rows = _scores(result)
    (word,) = rows.loc[[WORDS[0]]].to_dict("records")
    raw, prior, score = (Difference(float(word[name])) for name in ("log_ratio", "prior_log_ratio", "lpbs"))
    return rows, _First(next(iter(result.models)), raw, prior, score)


def _raw(results: Sequence[LpbsResult]) -> Outcome:
    rows, first = _first(results[0])
    he, she = (int((sign * rows["log_ratio"] > 0).sum()) for sign in (1, -1))
    return Outcome(first.raw.side, _Sides(first, he, she))


def _prior(results: Sequence[LpbsResult]) -> Outcome:
    _, first = _first(results[0])
    return Outcome(first.prior.side, first)


def _score(results: Sequence[LpbsResult]) -> Outcome:
    rows, first = _first(results[0])
    changed = tuple(str(word) for word, row in rows.iterrows() if row["log_ratio"] * row["lpbs"] < 0)
    answer = "none" if not changed else "some" if len(changed) <= len(WORDS) // 2 - 1 else "many"
    return Outcome(answer, _Changed(first, changed))


def _moved(results: Sequence[LpbsResult]) -> Outcome:
    first, of_word = _first(results[0])
    second = _scores(results[1])
    raw = float((second["log_ratio"] - first["log_ratio"]).abs().mean())
    score = float((second["lpbs"] - first["lpbs"]).abs().mean())
    answer = "same" if abs(raw - score) < _TENTH else "raw" if raw > score else "score"
    other = float(second["prior_log_ratio"].iloc[0])
    return Outcome(answer, _Moved(of_word, raw, score, other))


def _bars(result: LpbsResult, column: str, theme: Theme, *, prior: bool) -> go.Figure:
    """The difference in ln P of each profession, and of none."""
    rows = _scores(result)
    values = {str(word): float(value) for word, value in rows[column].sort_values().items()}
    if prior:
        values[NOBODY] = float(rows["prior_log_ratio"].iloc[0])
    first, second = (hue(theme, result.groups, group.name) for group in result.groups)
    bars = [
        SignedBar(
            word,
            value,
            first if value > 0 else second,
            f"<b>{literal(word)}</b><br>ln P(he) − ln P(she) = {signed(value, 3)} nats",
            (word,),
            hatched=word == NOBODY,
        )
        for word, value in values.items()
    ]
    return signed_bars(
        bars,
        theme=theme,
        name=next(iter(result.models)),
        smallest=0.1,
        sides=(("she is more likely", "she"), ("he is more likely", "he")),
        caption="ln P(he) − ln P(she), nats" + ("; hatched: the prior" if prior else ", the prior not taken off"),
    )


LESSON = Lesson(
    id="prior",
    title="What a prior is",
    promise="Why “he is more likely” says little about a profession until one knows what the model says of anybody.",
    source="Kurita et al. 2019",
    steps=(
        Step(
            name="prior_raw",
            title="What the model says",
            choices=_CHOICES,
            asked=(_asked(FIRST),),
            given=_Given,
            outcome=_raw,
            draw=lambda results, theme: _bars(results[0], "log_ratio", theme, prior=False),
            alt="A bar for each profession: how much more likely he is than she, the prior not taken off",
        ),
        Step(
            name="prior_prior",
            title="What it says of anybody",
            choices=_CHOICES,
            asked=(_asked(FIRST),),
            given=_Given,
            outcome=_prior,
            draw=lambda results, theme: _bars(results[0], "log_ratio", theme, prior=True),
            alt="A bar for each profession and one with the profession hidden: how much more likely he is than she",
        ),
        Step(
            name="prior_score",
            title="Taking it off",
            choices={
                "none": "none",
                "some": f"1 to {len(WORDS) // 2 - 1}",
                "many": f"{len(WORDS) // 2} or more",
            },
            asked=(_asked(FIRST),),
            given=_Given,
            outcome=_score,
            draw=lambda results, theme: draw(results[0], theme=theme),
            alt="A bar for each profession: its log probability bias score",
        ),
        Step(
            name="prior_moved",
            title="Another sentence, another prior",
            choices={
                "raw": "the raw difference",
                "score": "the score, with the prior taken off",
                "same": "both about equally",
            },
            asked=(_asked(FIRST), _asked(SECOND)),
            given=_Given,
            outcome=_moved,
            draw=lambda results, theme: draw(results[1], theme=theme),
            alt="A bar for each profession: its log probability bias score in the other sentence",
        ),
    ),
)
