"""The figures of descriptor likelihood: the share of pairs that differ, and the perplexity of each descriptor."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ...charts.rows import ValueBar, value_bars
from ...charts.text import literal
from ...charts.theme import Theme
from ...errors import NothingToScore, OptionError
from ...report.numbers import fixed
from .choices import Comparison
from .result import ALL, AXES, DESCRIPTORS, DescriptorResult

_TESTS = {
    Comparison.PAIRED: "adjusted p of a signed-rank test over the nouns below .05",
    Comparison.PUBLISHED: "p of a Mann–Whitney U test over the nouns below .05, uncorrected",
}


def draw(result: DescriptorResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the share of pairs that differ on each axis, in one model."""
    return shares(result, theme=theme, model=model)


def shares(result: DescriptorResult, *, theme: Theme, model: str = "", template: str = ALL) -> go.Figure:
    """In how many of the comparisons of an axis two descriptors differ: bars from 0 to 100 %, for each model or one.

    A share has no interval, since pairs share their descriptors. ``customdata`` of a bar is (axis,).

    Parameters
    ----------
    result : DescriptorResult
        What was measured.
    theme : Theme
        Colours and width.
    model : str
        By its name in the result; empty for all.
    template : str
        One of the templates, or ``ALL``.

    Returns
    -------
    Figure
        A bar for each axis, model by model.

    Raises
    ------
    OptionError
        For another template.
    NothingToScore
        Where no pair was tested.
    """
    table = result.of(AXES, model) if model else result[AXES]
    rows = _in(table, template).dropna(subset="share_differing")
    if rows.empty:
        raise NothingToScore("No pair of descriptors was tested; the list below says why.")
    lines: list[ValueBar | str] = []
    for name in dict.fromkeys(rows["model"]):
        lines += [name, *(_share(row, theme) for row in rows[rows["model"] == name].to_dict("records"))]
    caption = (
        f"Comparisons of two descriptors of an axis in {_called(template)} in which they differ, in percent: "
        f"{_TESTS[result.spec.comparison]}. More nouns find more differences."
    )
    return value_bars(lines, theme=theme, name="pairs that differ", high=100.0, caption=caption)


def perplexities(result: DescriptorResult, *, theme: Theme, axis: str, model: str, template: str = ALL) -> go.Figure:
    """The median perplexity of the sentences with each descriptor of an axis, in one model, from the lowest.

    Bars begin at 1, the least there is, on a logarithmic scale. ``customdata`` of a bar is (axis, descriptor).

    Parameters
    ----------
    result : DescriptorResult
        What was measured.
    theme : Theme
        Colours and width.
    axis, model : str
        By their names in the result.
    template : str
        One of the templates, or ``ALL``.

    Returns
    -------
    Figure
        A bar for each descriptor: the higher, the less the model expects sentences with it.

    Raises
    ------
    OptionError
        For an axis or a template that the model has no numbers of.
    """
    rows = result.of(DESCRIPTORS, model)
    known = list(dict.fromkeys(rows["axis"]))
    if axis not in known:
        raise OptionError(f"{model} has no axis “{axis}”; it has {', '.join(known)}.")
    rows = _in(rows[rows["axis"] == axis], template).sort_values("perplexity", kind="stable")
    bars = [_perplexity(row, theme) for row in rows.to_dict("records")]
    high = max(1.0, 1.02 * max(bar.value for bar in bars))
    scale = [(float(power), f"{10**power:,}") for power in range(math.floor(high) + 1)]
    caption = (
        f"{axis}, {model}: median perplexity per {result.spec.per} of the sentences with each descriptor in "
        f"{_called(template)}, on a logarithmic scale. The higher, the less the model expects them; rare words are "
        "expected less, whoever they describe."
    )
    return value_bars(bars, theme=theme, name="median perplexity", high=high, caption=caption, scale=scale)


def _in(rows: pd.DataFrame, template: str) -> pd.DataFrame:
    """The rows of a template, or of all together. Raises OptionError."""
    known = list(dict.fromkeys(rows["template"]))
    if template not in known:
        raise OptionError(f"There is no template “{template}”; choose one of {', '.join(known)}.")
    return rows[rows["template"] == template]


def _called(template: str) -> str:
    return "each template" if template == ALL else f"“{template}”"


def _share(row: dict[Any, Any], theme: Theme) -> ValueBar:
    return ValueBar(
        row["axis"],
        row["share_differing"],
        None,
        theme.neutral,
        f"{fixed(row['share_differing'], 1)} %  {row['differing']:,} of {row['pairs']:,}",
        f"<b>{literal(row['axis'])}</b><br>{literal(row['model'])}<br>{row['differing']:,} of {row['pairs']:,} "
        f"comparisons differ<br>mean distance {fixed(row['distance'], 3)} nats<br>n = {row['n']:,} nouns",
        (row["axis"],),
    )


def _perplexity(row: dict[Any, Any], theme: Theme) -> ValueBar:
    number = written(row["perplexity"])
    return ValueBar(
        row["descriptor"],
        math.log10(row["perplexity"]),
        None,
        theme.neutral,
        number,
        f"<b>{literal(row['descriptor'])}</b><br>median perplexity {number}<br>n = {row['n']:,} sentences, of "
        f"{fixed(row['tokens'], 1)} tokens on average",
        (row["axis"], row["descriptor"]),
    )


def written(perplexity: float) -> str:
    """A perplexity with as many digits as tell anything: "28.4", "1,598"."""
    return fixed(perplexity, 1 if perplexity < 100 else 0)
