"""The figure of coreference skew: F1 by condition and gender."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from ....charts.rows import ValueBar, finite, value_bars
from ....charts.text import literal
from ....charts.theme import Theme, hue
from ....errors import OptionError
from ....report.numbers import fixed
from ....result import Group
from ....sources.gap import GENDERS
from .result import ALL, SCORES, CoreferenceResult

GROUPS = tuple(Group(gender, (gender,)) for gender in GENDERS)


def draw(result: CoreferenceResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: F1 by condition and gender, of one model where it was scored."""
    return by_gender(result, theme=theme, resolver=model if model in result.resolvers else "")


def by_gender(result: CoreferenceResult, *, theme: Theme, kind: str = ALL, resolver: str = "") -> go.Figure:
    """F1 of each resolver, or of one, in pro and in anti sentences (hatched) by gender: bars from 0.

    ``kind`` is a type of sentences, or all. Thin lines are 95 % intervals over pairs. ``customdata`` of a bar is
    (resolver, condition, gender).

    Raises OptionError for another type or resolver.
    """
    rows = result[SCORES]
    kinds = list(dict.fromkeys(rows["type"]))
    if kind not in kinds:
        raise OptionError(f"There is no type {kind}; choose one of {', '.join(kinds)}.")
    if resolver and resolver not in result.resolvers:
        raise OptionError(f"The result holds no resolver {resolver}; it holds {', '.join(result.resolvers)}.")
    rows = rows[(rows["type"] == kind) & (rows["split"] == ALL)]
    lines: list[ValueBar | str] = []
    for name in (resolver,) if resolver else result.resolvers:
        lines += [name, *(_bar(row, theme) for row in rows[rows["model"] == name].to_dict("records"))]
    what = "all sentences" if kind == ALL else f"sentences of {kind}"
    caption = (
        f"F1 by condition and the gender of the pronoun, {what}. pro: the pronoun follows the stereotype; anti "
        "(hatched): it does not. Thin lines: 95 % intervals over pairs."
    )
    return value_bars(lines, theme=theme, name="F1", high=1.0, caption=caption)


def _bar(row: dict[Any, Any], theme: Theme) -> ValueBar:
    low, high = finite(row["f1_low"]), finite(row["f1_high"])
    interval = None if low is None or high is None else (low, high)
    said = "" if interval is None else f"<br>95 % interval {fixed(interval[0], 3)} to {fixed(interval[1], 3)}"
    return ValueBar(
        f"{row['condition']}, {row['gender']}",
        row["f1"],
        interval,
        hue(theme, GROUPS, row["gender"]),
        f"{fixed(row['f1'], 3)}  n = {row['n']:,}",
        f"<b>{literal(row['model'])}</b><br>{row['condition']}, {row['gender']} pronouns<br>F1 {fixed(row['f1'], 3)}"
        f"{said}<br>n = {row['n']:,} sentences",
        (row["model"], row["condition"], row["gender"]),
        hatched=row["condition"] == "anti",
    )
