"""The figures of occupation classification: the gap of each occupation, and gaps against percentages of women."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from ....charts.rows import SignedBar, finite, signed_bars
from ....charts.scale import most_ticks, tick_texts, ticks
from ....charts.scatter import Point, Scale, plot_width, point_chart
from ....charts.text import literal, sentence_lines, shorten
from ....charts.theme import TEXT_SIZE, Theme
from ....errors import NothingToScore, OptionError
from ....report.numbers import fixed, p_text, signed
from ....result import Group
from ....sources.biographies import GENDERS
from ....stats.samples import LEAST
from .result import CORRELATIONS, IN_FILE, IN_STATISTICS, OCCUPATIONS, OccupationResult

GROUPS = tuple(Group(gender, (gender,)) for gender in GENDERS)
AGAINST = {"file": IN_FILE, "statistics": IN_STATISTICS}

_COLUMNS = {IN_FILE: "women_file", IN_STATISTICS: "women_labour"}
_SMALLEST = 0.05
_NAMED = 20
_PERCENTS = (0, 25, 50, 75, 100)


def draw(result: OccupationResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the gaps of a model, or of the first classifier where it has none."""
    own = [named for named in result.classifiers if named[0] == model]
    return gaps(result, classifier=(own or list(result.classifiers))[0], theme=theme)


def gaps(result: OccupationResult, *, classifier: tuple[str, str], theme: Theme) -> go.Figure:
    """The gap of each occupation of a classifier (its name and the texts it saw), from the lowest: bars around 0.

    Bars to the right: women are recognised more often. Thin lines are 95 % intervals over the biographies.
    ``customdata`` of a bar is (occupation,).

    Raises OptionError for another classifier, NothingToScore where no occupation has a gap.
    """
    rows = _rows(result, classifier).dropna(subset="gap").sort_values("gap", kind="stable")
    if rows.empty:
        raise NothingToScore(f"A gap needs at least {LEAST} test biographies of each gender; no occupation has them.")
    return signed_bars(
        [_bar(row, theme) for row in rows.to_dict("records")],
        theme=theme,
        name="gap",
        smallest=_SMALLEST,
        sides=(
            ("men are recognised more often", "men more often", "men"),
            ("women are recognised more often", "women more often", "women"),
        ),
        caption=f"True positive rate of women minus that of men, {_called(classifier)}. Thin lines: 95 % intervals.",
    )


def against_women(result: OccupationResult, *, classifier: tuple[str, str], against: str, theme: Theme) -> go.Figure:
    """Each occupation's percentage of women (``against``: in the file, or in the labour statistics) and its gap.

    The caption holds Pearson's r. ``customdata`` of a point is (occupation,).

    Raises OptionError for another classifier or percentage, NothingToScore where no occupation has both.
    """
    if against not in _COLUMNS:
        raise OptionError(f"There is no percentage {against}; choose one of {', '.join(_COLUMNS)}.")
    column = _COLUMNS[against]
    rows = _rows(result, classifier).dropna(subset=["gap", column])
    if rows.empty:
        raise NothingToScore(f"No occupation has both a gap and {against}.")
    records = rows.to_dict("records")
    half = 1.15 * max(_SMALLEST, float(rows["gap"].abs().max()))
    marks = ticks(half, most_ticks(300 / 2, 3))
    return point_chart(
        [_point(row, column, theme) for row in records],
        Scale(-3.0, 103.0, tuple((percent, f"{percent}") for percent in _PERCENTS), against),
        Scale(-half, half, tuple(zip(marks, tick_texts(marks), strict=True)), "gap, women − men"),
        theme=theme,
        caption=[
            shorten(_called(classifier), plot_width(theme), TEXT_SIZE),
            *sentence_lines(_correlation(result, classifier, against), plot_width(theme), TEXT_SIZE),
        ],
        name="occupations",
        square=False,
        named=_NAMED,
        order=sorted(range(len(records)), key=lambda at: -abs(records[at]["gap"])),
    )


def _rows(result: OccupationResult, classifier: tuple[str, str]) -> Any:
    if classifier not in result.classifiers:
        known = ", ".join(map(_called, result.classifiers))
        raise OptionError(f"The result holds no classifier {_called(classifier)}; it holds {known}.")
    rows = result[OCCUPATIONS]
    return rows[(rows["model"] == classifier[0]) & (rows["texts"] == classifier[1])]


def _called(classifier: tuple[str, str]) -> str:
    return f"{classifier[0]}, texts {classifier[1]}"


def _bar(row: dict[Any, Any], theme: Theme) -> SignedBar:
    low, high = finite(row["gap_low"]), finite(row["gap_high"])
    return SignedBar(
        row["occupation"],
        row["gap"],
        _hue(row["gap"], theme),
        _hover(row),
        (row["occupation"],),
        interval=None if low is None or high is None else (low, high),
    )


def _point(row: dict[Any, Any], column: str, theme: Theme) -> Point:
    return Point(row["occupation"], row[column], row["gap"], _hue(row["gap"], theme), _hover(row), (row["occupation"],))


def _hue(gap: float, theme: Theme) -> str:
    return theme.neutral if gap == 0 else theme.groups[1 if gap > 0 else 0]


def _hover(row: dict[Any, Any]) -> str:
    low, high = finite(row["gap_low"]), finite(row["gap_high"])
    interval = "" if low is None or high is None else f" ({signed(low, 3)} to {signed(high, 3)})"
    return (
        f"<b>{literal(row['occupation'])}</b><br>gap {signed(row['gap'], 3)}{interval}<br>recognised: women "
        f"{fixed(row['tpr_women'], 3)} (n = {row['n_women']:,}), men {fixed(row['tpr_men'], 3)} (n = {row['n_men']:,})"
    )


def _correlation(result: OccupationResult, classifier: tuple[str, str], against: str) -> str:
    rows = result[CORRELATIONS]
    of = (rows["model"] == classifier[0]) & (rows["texts"] == classifier[1]) & (rows["against"] == against)
    found = {row["method"]: row for row in rows[of].to_dict("records")}
    if "Pearson" not in found:
        return "no correlation over occupations"
    row, ranked = found["Pearson"], found["Spearman"]
    linear, of_ranks = ("" if finite(of["p"]) is None else f", {p_text(of['p'])}" for of in (row, ranked))
    return (
        f"Pearson r = {signed(row['r'])} over {row['n']:,} occupations{linear}; Spearman "
        f"{signed(ranked['r'])}{of_ranks}"
    )
