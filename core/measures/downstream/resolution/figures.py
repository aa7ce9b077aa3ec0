"""The figures of pronoun resolution: a measure by gender, and topics against P(neither)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ....charts.rows import ValueBar, finite, value_bars
from ....charts.scale import most_ticks, tick_texts, ticks, ticks_between
from ....charts.scatter import Point, Scale, plot_width, point_chart
from ....charts.text import literal, sentence_lines, shorten
from ....charts.theme import TEXT_SIZE, Theme, hue
from ....errors import NothingToScore, OptionError
from ....report.numbers import fixed, p_text, signed
from ....result import Group
from ....sources.gap import FEMININE, GENDERS
from .result import (
    ACCURACY,
    CORRELATIONS,
    F1,
    LOG_LOSS,
    MEASURES,
    P_NEITHER,
    PUBLISHED,
    SCORES,
    TITLES,
    TOPICS,
    ResolutionResult,
)

GROUPS = tuple(Group(gender, (gender,)) for gender in GENDERS)

_NAMED = 12  # topics
_LEAST = 0.1


def draw(result: ResolutionResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: F1 by gender, of one model where it resolves."""
    return by_gender(result, theme=theme, measure=F1, resolver=model if model in result.resolvers else "")


def by_gender(result: ResolutionResult, *, theme: Theme, measure: str, resolver: str = "") -> go.Figure:
    """A measure of each resolver, or of one, for masculine and for feminine pronouns: bars from 0.

    Thin lines are 95 % intervals over documents; the value, its spread over networks and n stand at the right. Beside
    P(neither) an upright stroke marks the share of documents that are labelled neither. ``customdata`` of a bar is
    (resolver, gender).

    Raises OptionError for another measure or resolver, NothingToScore where no resolver has the measure.
    """
    if measure not in MEASURES:
        raise OptionError(f"There is no measure {measure}; choose one of {', '.join(MEASURES)}.")
    names = _chosen(result, resolver)
    rows = result[SCORES]
    rows = rows[(rows["labels"] == result.labels) & rows["gender"].isin(GENDERS) & rows["model"].isin(names)]
    rows = rows.dropna(subset=measure)
    if rows.empty:
        raise NothingToScore(f"No resolver has a value of {TITLES[measure]}.")
    lines: list[ValueBar | str] = []
    for name in names:
        found = rows[rows["model"] == name].to_dict("records")
        lines += [name, *(_bar(line, measure, theme) for line in found)] if found else []
    return value_bars(
        lines,
        theme=theme,
        name=TITLES[measure],
        high=_reach(rows.to_dict("records"), measure),
        caption=_caption(result, measure),
        marked="labelled neither" if measure == P_NEITHER else "",
    )


def topic_scatter(result: ResolutionResult, *, theme: Theme, resolver: str, words_by: str) -> go.Figure:
    """Each topic's score (nats, right leans towards men) against mean P(neither) of its feminine documents.

    The caption holds Spearman's r over documents. Topics are named by their heaviest words where there is room, those
    of most documents first. ``customdata`` of a point is (topic,).

    Raises OptionError for a resolver the result does not hold, NothingToScore where no topic has both.
    """
    _chosen(result, resolver)
    rows = result[TOPICS]
    rows = rows[(rows["model"] == resolver) & (rows["words_by"] == words_by)].dropna(subset=["score", "p_feminine"])
    if rows.empty:
        raise NothingToScore("No topic has both a score and a document with a feminine pronoun.")
    records = rows.to_dict("records")
    half = 1.15 * max(1e-3, float(rows["score"].abs().max()))
    marks = ticks(half, most_ticks(plot_width(theme) / 2, 3))
    high = min(1.0, max(_LEAST, 1.12 * float(rows["p_feminine"].max())))
    upright = ticks_between(0, high)
    return point_chart(
        [_topic(theme, row) for row in records],
        Scale(-half, half, tuple(zip(marks, tick_texts(marks), strict=True)), _across(theme)),
        Scale(
            -0.03 * high,
            high,
            tuple(zip(upright, tick_texts(upright, sign=False), strict=True)),
            "mean P(neither), feminine pronouns",
        ),
        theme=theme,
        caption=[
            shorten(resolver, plot_width(theme), TEXT_SIZE),
            *sentence_lines(_correlation(result, resolver, words_by), plot_width(theme), TEXT_SIZE),
        ],
        name=resolver,
        square=False,
        named=_NAMED,
        order=sorted(range(len(records)), key=lambda at: -records[at]["n_feminine"]),
    )


def _chosen(result: ResolutionResult, resolver: str) -> tuple[str, ...]:
    if resolver and resolver not in result.resolvers:
        raise OptionError(f"The result holds no resolver {resolver}; it holds {', '.join(result.resolvers)}.")
    return (resolver,) if resolver else result.resolvers


def _numbers(line: dict[Any, Any], measure: str) -> str:
    spread = finite(line[f"{measure}_sd"])
    more = "" if spread is None else f" ± {fixed(spread, 3)}"
    return f"{fixed(line[measure], 3)}{more}  n = {line['n']:,}"


def _reach(lines: Sequence[dict[Any, Any]], measure: str) -> float:
    if measure in (ACCURACY, F1):
        return 1.0
    names = (measure, f"{measure}_high", *(("share_neither",) if measure == P_NEITHER else ()))
    ends = [end for line in lines for name in names if (end := finite(line[name])) is not None]
    return max(_LEAST, 1.08 * max(ends))


def _bar(line: dict[Any, Any], measure: str, theme: Theme) -> ValueBar:
    low, high = finite(line[f"{measure}_low"]), finite(line[f"{measure}_high"])
    return ValueBar(
        line["gender"],
        line[measure],
        None if low is None or high is None else (low, high),
        hue(theme, GROUPS, line["gender"]),
        _numbers(line, measure),
        _hover(line, measure),
        (line["model"], line["gender"]),
        mark=finite(line["share_neither"]),
    )


def _hover(line: dict[Any, Any], measure: str) -> str:
    low, high = finite(line[f"{measure}_low"]), finite(line[f"{measure}_high"])
    interval = "" if low is None or high is None else f"<br>95 % interval {fixed(low, 3)} to {fixed(high, 3)}"
    share = f"<br>labelled neither {fixed(line['share_neither'], 3)}" if measure == P_NEITHER else ""
    return (
        f"<b>{literal(line['model'])}</b><br>{line['gender']} pronouns<br>{TITLES[measure]} {fixed(line[measure], 3)}"
        f"{interval}{share}<br>n = {line['n']:,} documents"
    )


def _caption(result: ResolutionResult, measure: str) -> str:
    unit = ", nats" if measure == LOG_LOSS else ""
    text = f"{TITLES[measure]}{unit}, by the gender of the pronoun. Thin lines: 95 % intervals over documents"
    text += "; ±: SD over networks." if (result[SCORES]["networks"] > 1).any() else "."
    if measure == P_NEITHER:
        text += " Upright strokes: share labelled neither."
    return text if result.labels == PUBLISHED else f"{text} Corrected labels."


def _topic(theme: Theme, row: dict[Any, Any]) -> Point:
    words = str(row["words"])
    hover = (
        f"<b>{literal(words)}</b><br>score {signed(row['score'], 3)} nats<br>mean P(neither) "
        f"{fixed(row['p_feminine'], 3)} over {row['n_feminine']:,} documents with feminine pronouns"
    )
    side = np.sign(row["score"])
    colour = theme.neutral if side == 0 else theme.groups[0 if side > 0 else 1]
    name = ", ".join(words.split(", ")[:2])
    return Point(name, float(row["score"]), float(row["p_feminine"]), colour, hover, (str(row["topic"]),))


def _across(theme: Theme) -> str:
    left, right = (
        f'<span style="color:{theme.words[at]}"><b>{text}</b></span>' for at, text in ((1, "◀ women"), (0, "men ▶"))
    )
    return f"{left}  ·  topic score, nats  ·  {right}"


def _correlation(result: ResolutionResult, resolver: str, words_by: str) -> str:
    rows = result[CORRELATIONS]
    of = (rows["model"] == resolver) & (rows["words_by"] == words_by) & (rows["gender"] == FEMININE)
    row = next(iter(rows[of].to_dict("records")), None)
    if row is None:
        return "no correlation over documents"
    tested = "" if finite(row["p"]) is None else f", {p_text(row['p'])}"
    return f"Spearman r = {signed(row['r'])} over {row['n']:,} documents{tested}"
