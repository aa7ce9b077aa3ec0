"""What a prior is: the lean that a sentence has before anything is said of a profession."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from ..charts.rows import SignedBar, signed_bars
from ..charts.text import literal
from ..charts.theme import Theme, hue
from ..measures.drawing import draw
from ..measures.lpbs.result import ATTRIBUTES, LpbsResult
from ..measures.lpbs.spec import LpbsSpec
from ..report.numbers import signed
from .lesson import Asked, Facts, Lesson, Outcome, Step

WORDS = ("nurse", "dancer", "teacher", "doctor", "secretary", "programmer", "engineer", "carpenter")
FIRST, SECOND = "[TARGET] is the [ATTRIBUTE].", "My mother said that [TARGET] is the [ATTRIBUTE]."
NOBODY = "(profession hidden)"
_TENTH = math.log(1.1)  # nats: two words of which neither is a tenth more likely
_CHOICES = {"he": "“he”", "she": "“she”", "neither": "neither: they differ by less than a tenth"}


def _asked(template: str) -> Asked:
    return Asked(LpbsSpec, {"template": template, "attributes": "own", "own_attributes": "\n".join(WORDS)})


def filled(template: str, word: str) -> str:
    """The sentence about one word, with a blank at the target, as it is quoted within a sentence."""
    return template.replace("[TARGET]", "___").replace("[ATTRIBUTE]", word).removesuffix(".")


def _given() -> Facts:
    return {
        "word": WORDS[0],
        "n": len(WORDS),
        "sentence": filled(FIRST, WORDS[0]),
        "hidden": filled(FIRST, "___"),
        "other": filled(SECOND, WORDS[0]),
    }


def side(value: float) -> str:
    """Which of the two words is more likely by a difference in ln P (he − she), in nats."""
    return "neither" if abs(value) < _TENTH else "he" if value > 0 else "she"


def _likely(name: str, value: float) -> Facts:
    """How a difference (nats) is told: which word is how many times as likely as the other."""
    words = ("he", "she") if value > 0 else ("she", "he")
    return {
        f"{name}": value,
        f"{name}_side": side(value),
        f"{name}_words": words,
        f"{name}_times": math.exp(abs(value)),
    }


def _scores(result: LpbsResult) -> pd.DataFrame:
    rows = result[ATTRIBUTES]
    return rows[rows["model"] == next(iter(result.models))].set_index("attribute")


def _first(result: LpbsResult) -> tuple[pd.DataFrame, Facts]:
    """The scores, and what every step tells of the first word."""
    rows = _scores(result)
    word = rows.loc[[WORDS[0]]].to_dict("records")[0]
    facts = {
        **_likely("raw", float(word["log_ratio"])),
        **_likely("prior", float(word["prior_log_ratio"])),
        **_likely("score", float(word["lpbs"])),
        "model": next(iter(result.models)),
    }
    return rows, facts


def _raw(results: Sequence[LpbsResult]) -> Outcome:
    rows, facts = _first(results[0])
    counts = {f"n_{name}": int((sign * rows["log_ratio"] > 0).sum()) for name, sign in (("he", 1), ("she", -1))}
    return Outcome(facts["raw_side"], facts | counts)


def _prior(results: Sequence[LpbsResult]) -> Outcome:
    _, facts = _first(results[0])
    return Outcome(facts["prior_side"], facts)


def _score(results: Sequence[LpbsResult]) -> Outcome:
    rows, facts = _first(results[0])
    changed = [str(word) for word, row in rows.iterrows() if row["log_ratio"] * row["lpbs"] < 0]
    answer = "none" if not changed else "some" if len(changed) <= len(WORDS) // 2 - 1 else "many"
    return Outcome(answer, facts | {"changed": changed})


def _moved(results: Sequence[LpbsResult]) -> Outcome:
    first, facts = _first(results[0])
    second = _scores(results[1])
    raw = float((second["log_ratio"] - first["log_ratio"]).abs().mean())
    score = float((second["lpbs"] - first["lpbs"]).abs().mean())
    answer = "same" if abs(raw - score) < _TENTH else "raw" if raw > score else "score"
    other = float(second["prior_log_ratio"].iloc[0])
    return Outcome(answer, facts | {"raw_moved": raw, "score_moved": score, "other_prior": other})


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
            given=_given,
            outcome=_raw,
            draw=lambda results, theme: _bars(results[0], "log_ratio", theme, prior=False),
            alt="A bar for each profession: how much more likely he is than she, the prior not taken off",
        ),
        Step(
            name="prior_prior",
            title="What it says of anybody",
            choices=_CHOICES,
            asked=(_asked(FIRST),),
            given=_given,
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
            given=_given,
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
            given=_given,
            outcome=_moved,
            draw=lambda results, theme: draw(results[1], theme=theme),
            alt="A bar for each profession: its log probability bias score in the other sentence",
        ),
    ),
)
