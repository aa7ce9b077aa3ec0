"""Figures of association tests. Right and up are positive: X is more strongly associated with A, and Y with B."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ...charts.heat import blend, categories, colour_scale, write_in_cells
from ...charts.key import Mark, key_lines, model_marks, set_legend, write
from ...charts.rows import (
    ABOVE,
    EDGE,
    RIGHT,
    STANDOFF,
    Gap,
    SignedBar,
    choose,
    finite,
    label_width,
    reach_of,
    signed_bars,
)
from ...charts.scale import most_ticks, signed_axis
from ...charts.text import literal, sentence_lines, shorten, text_width, wrap
from ...charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from ...errors import NothingToScore
from ...report.numbers import counted, fixed, interval, p_text, signed
from ...stats.samples import LEAST
from ..shared.representations import LPBS, TITLES
from .metric import RANDOM_EFFECTS
from .result import AssociationResult
from .spec import AskedTest

WHICH = ("model", "test", "representation")
# Pixels, unless it says otherwise.
_NARROWEST = 1.0  # of d: the scale never shows less than ±1, so that noise looks small
_LABELS = 225
_LINE = 17
# The forest of effect sizes.
_PUBLISHED = ("diamond", "◆")
_HEADING = 30
_SLOT = 14
_ROW_PADDING = 8
_MARK = 10
_EFFECTS_AXIS = 66
# The bars of members.
MOST_ROWS = 80  # more are counted in one row; the table has them all
_SMALLEST = 0.01  # the scale never shows less than ± that, so that rounding is not drawn as an effect
# The null distribution.
_NULL_MARGIN = {"l": 64, "r": 24, "b": 52}
_NULL_PLOT = 230
# The matrix.
_MOST_LABELS = 0.32  # of the width
_MATRIX_LABELS = 190
_COLUMN_LABELS = 120
_SET_LINE = 20
_HIGHEST_ROW, _LOWEST_ROW = 20, 4
_TALLEST = 800  # of the map itself
_WIDEST_COLUMN = 90
_LABEL_LINE = 14  # labels closer than that would touch
_RIGHT = 74  # the scale
_ROOM_FOR_A_NUMBER = 44
# The curves over layers.
_CURVE_MARGIN = {"l": 56, "b": 52}
_CURVE_PLOT = 340
_CURVE_LABELS = 200
_TEXT_LINE = 16
_LEADER = 22  # between the plot and its labels
_DIRECTION = 24  # kept free of lines above and below, for the words that say which way is which
_POINT = 6
_MOST_TICKS = 14
_DRAWN = {"solid": "──", "dash": "╌╌", "dot": "┈┈", "dashdot": "─·─"}
_DASHES = tuple(_DRAWN)

Row = Mapping[Hashable, object]
Which = tuple[str, str, str]  # model, test and representation


def of_one(result: AssociationResult, table: str, which: Which) -> pd.DataFrame:
    """The rows of a table that one test by one representation in one model has."""
    rows = result[table]
    return rows[np.logical_and.reduce([rows[name] == value for name, value in zip(WHICH, which, strict=True)])]


def asked_test(result: AssociationResult, test: str) -> AskedTest:
    """What a test of the result asks."""
    found: AskedTest = next(asked for asked in result.spec.tests if asked.id == test)
    return found


def title_of(representation: str) -> str:
    """What a reader knows a representation by."""
    return TITLES.get(representation, representation)


def names_of(result: AssociationResult, which: Which) -> tuple[str, ...]:
    """The names of the sets that stand for X, Y, A and B."""
    return asked_test(result, which[1]).names(which[2])


@dataclass(frozen=True)
class _Band:
    """A row of the chart: what one representation gives for one test, ``top`` pixels down.

    ``lines`` are the models' summary rows, each on a line of its own; a row without any value has one line. ``label``
    pixels are kept above them for the row's name, where it does not stand beside them.
    """

    test: str
    representation: str
    top: float
    lines: tuple[Row, ...]
    published: tuple[Row, ...]
    label: float

    @property
    def computed(self) -> bool:
        return any(finite(line["effect_size"]) is not None for line in self.lines)

    @property
    def _slots(self) -> int:
        return (len(self.lines) if self.computed else 1) + bool(self.published)

    @property
    def bottom(self) -> float:
        return self.top + self.label + _SLOT * self._slots + _ROW_PADDING

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def at(self, slot: int) -> float:
        """The height of a line; published values stand on the last one, slot −1."""
        return self.top + self.label + _ROW_PADDING / 2 + _SLOT * (slot % self._slots + 0.5)


def draw(result: AssociationResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the effect sizes of all models."""
    del model
    return effect_sizes(result, theme=theme)


def effect_sizes(result: AssociationResult, *, theme: Theme, published: bool = False) -> go.Figure:
    """Effect size d of every test and representation, a mark per model with its 95 % interval as a thin line.

    Right is positive: X is more strongly associated with A, and Y with B. Filled marks are significant and have an
    interval, which sets with too few members have not. ``published`` adds values as printed, in grey. What has no value
    is a row that says so. A mark's ``customdata`` is (model, test, representation); published values have none.

    Raises NothingToScore where no test has a value, OptionError for more than ``MOST_MODELS`` models.
    """
    rows: list[Row] = list(result["tests"].to_dict("records"))
    if all(finite(row["effect_size"]) is None for row in rows):
        raise NothingToScore("No test has an effect size; the list of exclusions says why.")
    marks = model_marks(theme, list(dict.fromkeys(str(row["model"]) for row in rows)))
    titled = {
        test: wrap(asked_test(result, test).title, theme.width - RIGHT, TEXT_SIZE * BOLD, 2)
        for test in dict.fromkeys(str(row["test"]) for row in rows)
    }
    bands, headings = _stack(rows, result["published"].to_dict("records") if published else [], titled, theme)
    total = bands[-1].bottom
    names = [title_of(band.representation) for band in bands]
    left = EDGE if theme.is_narrow else round(min(_LABELS, max(text_width(name, TEXT_SIZE) for name in names))) + 16
    shown = [literal(shorten(name, label_width(theme, _LABELS), TEXT_SIZE)) for name in names]
    half = 1.06 * max(_NARROWEST, *(abs(end) for band in bands for end in _ends(band)))
    entries = [(mark.hue, mark.glyph, name) for name, mark in marks.items()]
    if any(band.published for band in bands):
        entries.append((theme.neutral, _PUBLISHED[1], "published, of the model named on hover"))
    key = key_lines(theme, entries)
    top = _LINE * (len(key) + 1) + 12

    plot = theme.width - left
    per_side = most_ticks((plot - RIGHT) / 2, 4)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + total + _EFFECTS_AXIS),
            "margin": {"l": left, "r": RIGHT, "t": top, "b": _EFFECTS_AXIS},
            "xaxis": signed_axis(theme, half, per_side=per_side, reach=reach_of(half, plot)),
            "yaxis": {
                "range": [total, 0],
                "tickmode": "array",
                "tickvals": [band.middle for band in bands],
                "ticktext": ["" if theme.is_narrow else name for name in shown],
                "tickfont": {"size": TEXT_SIZE, "color": theme.ink},
                "ticklabelstandoff": STANDOFF - 3,
                "showgrid": False,
            },
        }
    )
    for model, mark in marks.items():
        _add_model(figure, result, bands, model, mark, theme)
    _add_published(figure, bands, theme)
    _add_not_computed(figure, result, bands, theme, several=len(marks) > 1)
    if theme.is_narrow:
        for band, name in zip(bands, shown, strict=True):
            write(figure, name, theme.ink, TEXT_SIZE, y=band.top + ABOVE / 2 + 2)
    for test, y in headings:
        title = "<br>".join(f"<b>{literal(line)}</b>" for line in titled[test])
        place = {"xshift": -left + 4, "y": y, "bgcolor": theme.paper, "align": "left"}
        write(figure, title, theme.ink, TEXT_SIZE, **place)
    for shift, text in ((-8, "<b>◀ X associated with B</b>"), (8, "<b>X associated with A ▶</b>")):
        side = {"x": 0.5, "xanchor": "right" if shift < 0 else "left", "xshift": shift}
        write(figure, text, theme.ink, SMALL_SIZE, **side, y=1, yref="paper", yanchor="bottom", yshift=4)
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": _LINE + 6, "align": "left"}
    write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, xshift=-left + 4, **above)
    family = f"p < .05 after correction over {counted(result.family_size, 'test')}"
    caption = f"effect size d; thin line: 95 % interval<br>filled: {family}"
    if any(finite(line["effect_size"]) is not None and finite(line["ci_low"]) is None for line in rows):
        caption += f"<br>hollow without a line: fewer than {LEAST} members in X or Y, too few to say"
    below = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24, "align": "right"}
    write(figure, caption, theme.muted, SMALL_SIZE, **below)
    return figure


def _stack(
    rows: Sequence[Row], printed: Sequence[Row], titled: Mapping[str, Sequence[str]], theme: Theme
) -> tuple[list[_Band], list[tuple[str, float]]]:
    """The bands from top to bottom, grouped by test, and the headings with the middle of their line."""
    grouped: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        grouped.setdefault(str(row["test"]), {}).setdefault(str(row["representation"]), []).append(row)
    bands: list[_Band] = []
    headings = []
    y = 0.0
    for test, representations in grouped.items():
        height = _HEADING + _LINE * (len(titled[test]) - 1)
        headings.append((test, y + (height + 2) / 2))
        y += height
        for representation, lines in representations.items():
            found = tuple(
                row
                for row in printed
                if (row["test"], row["representation"]) == (test, representation)
                and finite(row["effect_size"]) is not None
            )
            bands.append(_Band(test, representation, y, tuple(lines), found, ABOVE if theme.is_narrow else 0))
            y = bands[-1].bottom
    return bands, headings


def _ends(band: _Band) -> list[float]:
    """Everything that the scale has to hold."""
    values = [line[column] for line in band.lines for column in ("effect_size", "ci_low", "ci_high")]
    values += [row["effect_size"] for row in band.published]
    return [number for value in values if (number := finite(value)) is not None]


def _add_model(
    figure: go.Figure,
    result: AssociationResult,
    bands: Sequence[_Band],
    model: str,
    mark: Mark,
    theme: Theme,
) -> None:
    drawn = [
        (band, band.at(slot), line, d)
        for band in bands
        for slot, line in enumerate(band.lines)
        if line["model"] == model and (d := finite(line["effect_size"])) is not None
    ]
    intervals = [(y, finite(line["ci_low"]), finite(line["ci_high"])) for _, y, line, _ in drawn]
    whole = [(y, low, high) for y, low, high in intervals if low is not None and high is not None]
    figure.add_scatter(
        name="95 % interval",
        x=[x for _, low, high in whole for x in (low, high, None)],
        y=[at for y, _, _ in whole for at in (y, y, None)],
        mode="lines",
        line={"color": mark.hue, "width": 1.4},
        hoverinfo="skip",
    )
    figure.add_scatter(
        name=model,
        x=[d for *_, d in drawn],
        y=[y for _, y, _, _ in drawn],
        mode="markers",
        customdata=[[model, band.test, band.representation] for band, *_ in drawn],
        marker={
            "symbol": mark.symbol,
            "size": _MARK,
            "opacity": 1,
            "color": [mark.hue if line["significant"] else theme.paper for _, _, line, _ in drawn],
            "line": {"color": mark.hue, "width": 1.6},
        },
        # Plotly would fade the others after a click; hollow and filled have to stay what they are.
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[
            "<br>".join(
                (
                    f"<b>{literal(model)}</b>",
                    literal(asked_test(result, band.test).title),
                    literal(title_of(band.representation)),
                    *_statistics(line, d, result.family_size),
                )
            )
            for band, _, line, d in drawn
        ],
    )


def _statistics(line: Row, d: float, family: int) -> list[str]:
    """What hovering says of the numbers: all that the row has."""
    low, high = finite(line["ci_low"]), finite(line["ci_high"])
    ends = "" if low is None or high is None else f", {interval(low, high)}"
    lines = [f"d = {signed(d)}{ends}"]
    found = [
        f"{name} {p_text(p)}"
        for name, column in (("one-sided", "p_one_sided"), ("two-sided", "p_two_sided"), ("adjusted", "p_adjusted"))
        if (p := finite(line[column])) is not None
    ]
    if found:
        adjusted = f" over {counted(family, 'test')}" if found[-1].startswith("adjusted") else ""
        lines.append(", ".join(found) + adjusted)
    if (n := finite(line["n_permutations"])) is not None:
        lines.append(f"{line['p_kind']}, {counted(n, 'sample' if line['p_kind'] == 'random effects' else 'partition')}")
    sizes = [(letter, finite(line[f"n_{letter.lower()}"])) for letter in "XYAB"]
    lines.append("n: " + ", ".join(f"{letter} {size:.0f}" for letter, size in sizes if size is not None))
    return lines


def _add_published(figure: go.Figure, bands: Sequence[_Band], theme: Theme) -> None:
    drawn = [
        (band.at(-1), row, d)
        for band in bands
        for row in band.published
        if (d := finite(row["effect_size"])) is not None
    ]
    figure.add_scatter(
        name="published",
        x=[d for *_, d in drawn],
        y=[y for y, *_ in drawn],
        mode="markers",
        marker={"symbol": _PUBLISHED[0], "size": _MARK - 2, "color": theme.neutral, "line": {"width": 0}},
        unselected={"marker": {"opacity": 1}},
        hoverinfo="text",
        hovertext=[
            f"<b>published</b>: d = {signed(d)}" + ("" if p is None else f", {p_text(p)}") + f"<br>"
            f"{literal(str(row['model']))}<br>{literal(str(row['source']))}"
            for _, row, d in drawn
            for p in (finite(row["p_value"]),)
        ],
    )


def _add_not_computed(
    figure: go.Figure, result: AssociationResult, bands: Sequence[_Band], theme: Theme, *, several: bool
) -> None:
    """Say in its place what has no value; hovering says why."""
    reasons: dict[tuple[str, str | None, str | None], str] = {
        (item.model, item.test, item.representation): item.why for item in result.excluded if item.kind == "statistic"
    }
    for band in bands:
        missing = [(at, line) for at, line in enumerate(band.lines) if finite(line["effect_size"]) is None]
        for slot, line in missing if band.computed else missing[:1]:
            named = f"{shorten(str(line['model']), 150, SMALL_SIZE)}: " if several and band.computed else ""
            why = reasons.get((str(line["model"]), band.test, band.representation), "")
            place = {"x": 0, "xref": "x", "xshift": 6, "y": band.at(slot), "bgcolor": theme.paper}
            text = f"{literal(named)}not computed"
            write(figure, text, theme.muted, SMALL_SIZE, **place, hovertext=literal(why))


def member_associations(result: AssociationResult, which: Which, *, theme: Theme) -> go.Figure:
    """The association of each member of X and Y with A against B as horizontal bars, from B's side to A's.

    Right is positive: nearer to A than to B. X has the hue of group 1, Y that of group 2 and hatching. A member with
    several values (pooled LPBS has one for each template) shows their mean. Beyond ``MOST_ROWS`` the innermost are
    counted in one row. ``customdata`` of a bar is (member, X or Y).

    Raises NothingToScore where no member has an association.
    """
    names = names_of(result, which)
    associations: dict[tuple[str, str], list[float]] = {}
    for row in of_one(result, "members", which).dropna(subset="association").to_dict("records"):
        associations.setdefault((str(row["member"]), str(row["set"])), []).append(float(row["association"]))
    is_lpbs = which[2] == LPBS
    verb, unit = ("leans towards", "LPBS, nats") if is_lpbs else ("nearer to", "difference of mean cosines")
    if not associations:
        raise NothingToScore("No member of X or Y has an association; the list of exclusions says why.")
    # A key of one text for each bar: the letter in front tells apart a member of both sets.
    lean = {letter + member: float(np.mean(values)) for (member, letter), values in associations.items()}
    titles = dict(zip("XYAB", names, strict=True))
    hues = dict(zip("XY", theme.groups, strict=False))

    def bar(letter: str, member: str) -> SignedBar:
        value, count = lean[letter + member], len(associations[member, letter])
        hover = (
            f"<b>{literal(member)}</b>, {literal(titles[letter])}<br>"
            f"{verb} {literal(titles['A' if value >= 0 else 'B'])} by {fixed(abs(value), 3)}"
        )
        if count > 1:
            hover += f"<br>mean of {count} values"
        return SignedBar(member, value, hues[letter], hover, (member, letter), hatched=letter == "Y")

    figure = signed_bars(
        [row if isinstance(row, Gap) else bar(row[0], row[1:]) for row in choose(lean, order="lean", limit=MOST_ROWS)],
        theme=theme,
        name="association",
        smallest=_SMALLEST,
        sides=((f"{verb} {titles['B']}", titles["B"]), (f"{verb} {titles['A']}", titles["A"])),
        caption=unit,
    )
    set_legend(figure, theme, [(hues["X"], "", titles["X"]), (hues["Y"], "/", titles["Y"])])
    return figure


def null_distribution(result: AssociationResult, which: Which, *, theme: Theme) -> go.Figure:
    """The test statistics of the re-partitions as a histogram, the observed one as a line.

    The bars at the observed value and beyond, on the side where fewer are, have the hue of that side: right,
    positive, is X with A. The result holds at most 10,000 re-partitions; the words count in all that p is from.

    For CEAT the values are the effect sizes of the samples, the line is the combined one, and the words count the
    samples on its side of zero.

    Raises NothingToScore where the test has no value.
    """
    title = asked_test(result, which[1]).title
    bars = of_one(result, "distribution", which)
    if bars.empty:
        raise NothingToScore(f"{title}: no distribution to draw, since the test could not be computed.")
    (row,) = of_one(result, "tests", which).to_dict("records")
    low, high, counts, in_tail = (bars[name].to_numpy() for name in ("low", "high", "count", "in_tail"))
    drawn, tail = int(counts.sum()), int(counts[in_tail].sum())
    if row["p_kind"] == RANDOM_EFFECTS:
        observed = float(row["effect_size"])
        right = observed >= 0
        words = f"combined {signed(observed, 3)}; {tail:,} of {drawn:,} samples {'above' if right else 'below'} 0"
        unit, axis, height = "sample", "effect size d of a sample", "samples"
    else:
        observed = float(row["test_statistic"])
        right = bool(row["p_one_sided"] <= row["p_observed_direction"])
        words = f"observed {signed(observed, 3)}; {_reached(row)} at or beyond"
        unit, axis = "partition", "difference of the two sets’ mean associations, in re-partitions of their members"
        height = "partitions" if drawn == row["n_permutations"] else f"partitions, {drawn:,} shown"

    half = 1.06 * max(float(np.abs([low, high]).max()), abs(observed))
    lines = wrap(title, theme.width - 20, TEXT_SIZE * BOLD, 2)
    top = _LINE * (len(lines) + 1) + 14
    plot = theme.width - _NULL_MARGIN["l"] - _NULL_MARGIN["r"]
    axis_lines = sentence_lines(axis, plot, SMALL_SIZE)
    below = _NULL_MARGIN["b"] + _LINE * (len(axis_lines) - 1)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + _NULL_PLOT + below,
            "margin": {**_NULL_MARGIN, "t": top, "b": below},
            "bargap": 0,
            "xaxis": signed_axis(theme, half, "<br>".join(axis_lines), most_ticks(plot / 2, 4))
            # Clear of the 0 of the other axis.
            | {"showgrid": False, "ticklabelstandoff": 5},
            "yaxis": {
                # Room above the tallest bar, so that the line of the observed value ends in the open.
                "range": [0, 1.05 * int(counts.max())],
                "nticks": 4,
                "tickformat": ",d",
                "title": {"text": height, "standoff": 8},
                **({"dtick": 1} if counts.max() < 4 else {}),
            },
        }
    )
    hue = theme.groups[0 if right else 1]
    figure.add_bar(
        name=f"{unit}s",
        x=((low + high) / 2).tolist(),
        y=counts.tolist(),
        width=(high - low).tolist(),
        marker={
            "color": [hue if beyond else theme.neutral for beyond in in_tail.tolist()],
            "opacity": 0.85,
            "line": {"width": 0.5, "color": theme.paper},
        },
        hoverinfo="text",
        hovertext=[
            f"{signed(start, 3)} to {signed(end, 3)}: {number:,} {unit if number == 1 else unit + 's'}"
            for start, end, number in zip(low.tolist(), high.tolist(), counts.tolist(), strict=True)
        ],
    )
    line: dict[str, object] = {"x0": observed, "x1": observed, "y0": 0, "y1": 1, "yref": "paper"}
    figure.add_shape(type="line", line={"color": theme.ink, "width": 1.6}, **line)
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    # Centred over the line, or as near to it as the edges of the plot allow.
    at: dict[str, object] = {"x": observed, "xref": "x", "xanchor": "center"}
    if text_width(words, SMALL_SIZE * BOLD) / 2 > (1 - abs(observed) / half) * plot / 2:
        at = {"x": 1, "xanchor": "right"} if observed > 0 else {"x": 0, "xanchor": "left"}
    write(figure, f"<b>{words}</b>", theme.ink, SMALL_SIZE, **at, **above, yshift=3)
    heading = "<br>".join(f"<b>{literal(line)}</b>" for line in lines)
    write(figure, heading, theme.ink, TEXT_SIZE, **above, xshift=4 - _NULL_MARGIN["l"], yshift=_LINE + 6, align="left")
    return figure


def _reached(row: Row) -> str:
    """How many of the partitions that p is from reach the observed value, of how many."""
    # Where not all are looked at, the observed partition is counted beside those drawn.
    looked_at = int(cast(int, row["n_permutations"])) + (row["p_kind"] != "exact")
    return f"{round(cast(float, row['p_observed_direction']) * looked_at):,} of {looked_at:,}"


def association_matrix(result: AssociationResult, which: Which, *, theme: Theme) -> go.Figure:
    """Cosines (or, for LPBS, associations in nats) of the members of X then Y, in rows, with those of A then B.

    The colour scale is centred on zero: positive in the hue of group 1, negative in that of group 2, zero the paper.
    Labels are thinned where they would touch; every value and name is whole on hover, and values are printed where they
    fit. A missing value is a hole.

    Raises NothingToScore for a matrix without any value.
    """
    cells = of_one(result, "matrix", which)
    if not cells["value"].notna().any():
        raise NothingToScore("There is no matrix to draw: the test could not be computed.")
    names = names_of(result, which)
    across = cells[["other_set", "other"]].drop_duplicates()
    values = cells["value"].to_numpy().reshape(-1, len(across))
    down = cells.iloc[:: len(across)]
    rows, first_rows = down["member"].tolist(), int((down["set"] == "X").sum())
    columns, first_columns = across["other"].tolist(), int((across["other_set"] == "A").sum())
    labels = min(_MATRIX_LABELS, _MOST_LABELS * theme.width, max(text_width(row, SMALL_SIZE) for row in rows))
    left = labels + 14 + _SET_LINE
    right = 8 if theme.is_narrow else _RIGHT
    below = min(_COLUMN_LABELS, max(text_width(column, SMALL_SIZE) for column in columns)) + 14
    row_height = max(_LOWEST_ROW, min(_HIGHEST_ROW, _TALLEST / len(rows)))
    plot = theme.width - left - right
    share = min(1.0, _WIDEST_COLUMN * len(columns) / plot)
    column_width = plot * share / len(columns)
    most = float(np.nanmax(np.abs(np.where(np.isfinite(values), values, np.nan)))) or 1.0
    top = _SET_LINE + 10
    bottom = round(below + 8 + (_LABEL_LINE if theme.is_narrow else 0))

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + row_height * len(rows)) + bottom,
            "margin": {"l": round(left), "r": right, "t": top, "b": bottom},
            "xaxis": {**_axis(columns, column_width, _COLUMN_LABELS), "domain": [0, share], "tickangle": -90},
            "yaxis": {**_axis(rows, row_height, labels), "range": [len(rows) - 0.5, -0.5]},
        }
    )
    printed = column_width >= _ROOM_FOR_A_NUMBER and row_height >= _LABEL_LINE
    figure.add_heatmap(
        z=[[round(value, 4) if np.isfinite(value) else None for value in row] for row in values.tolist()],
        x=categories(columns),
        y=categories(rows),
        **colour_scale(
            theme,
            most,
            hues=(theme.groups[1], theme.groups[0]),
            length=min(220, round(row_height * len(rows))),
            right_of=share,
            shown=not theme.is_narrow,
        ),
        hoverongaps=False,
        # D3's numbers carry a true minus sign.
        hovertemplate="%{y}<br>%{x}<br><b>%{z:+.3f}</b><extra></extra>",
    )
    if printed:
        hues = (theme.groups[1], theme.groups[0])
        texts = {
            (row, column): (signed(value), blend(theme.paper, hues[int(value > 0)], abs(value) / most))
            for row, line in enumerate(values.tolist())
            for column, value in enumerate(line)
            if np.isfinite(value)
        }
        write_in_cells(figure, theme, "", SMALL_SIZE - 1, texts, (categories(rows), categories(columns)))
    if 0 < first_rows < len(rows):
        _separate(figure, theme, x0=0, x1=1, xref="x domain", y0=first_rows - 0.5, y1=first_rows - 0.5)
    if 0 < first_columns < len(columns):
        _separate(figure, theme, y0=0, y1=1, yref="y domain", x0=first_columns - 0.5, x1=first_columns - 0.5)
    if theme.is_narrow:
        scale = f"palest 0; {signed(most)} in the one hue, {signed(-most)} in the other"
        place = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -round(below), "xshift": 4 - round(left)}
        write(figure, scale, theme.muted, SMALL_SIZE, **place)
    _name_sets(figure, theme, names, first_rows / len(rows), share * first_columns / len(columns), share, plot)
    return figure


def _axis(names: Sequence[str], pixels: float, most: float) -> dict[str, object]:
    """A category axis whose labels keep their distance when a name takes ``pixels``."""
    step = max(1, int(np.ceil(_LABEL_LINE / pixels)))
    shown = range(0, len(names), step)
    return {
        "type": "category",
        "tickmode": "array",
        "tickvals": list(shown),
        "ticktext": [literal(shorten(names[at], most, SMALL_SIZE)) for at in shown],
        "ticklabelstandoff": 4,
        "showgrid": False,
    }


def _separate(figure: go.Figure, theme: Theme, **place: object) -> None:
    # Ink under paper: the gap is seen on dark cells and on light ones.
    for colour, width in ((theme.paper, 5), (theme.ink, 1)):
        figure.add_shape(type="line", line={"color": colour, "width": width}, **place)


def _name_sets(
    figure: go.Figure,
    theme: Theme,
    names: Sequence[str],
    rows: float,
    columns: float,
    share: float,
    width: float,
) -> None:
    """Names of the sets: X and Y turned along the rows, A and B above the columns.

    ``rows`` and ``columns`` say where, as a share of the plot, the second set begins; ``share`` where columns end,
    ``width`` the pixels of the whole plot.
    """
    height = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    left = figure.layout.margin.l
    spans = ((0.0, rows), (rows, 1.0), (0.0, columns), (columns, share))
    for at, (text, (start, end)) in enumerate(zip(names, spans, strict=True)):
        room = (end - start) * (height if at < 2 else width)
        shown = f"<b>{literal(shorten(text, max(room, 2 * SMALL_SIZE), SMALL_SIZE * BOLD))}</b>"
        middle = (start + end) / 2
        place: dict[str, object] = {
            "x": middle, "xanchor": "center", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 5
        }  # fmt: skip
        if at < 2:
            place = {"y": 1 - middle, "yref": "paper", "textangle": -90, "xanchor": "center"}
            place["xshift"] = -round(left) + _SET_LINE / 2
        write(figure, shown, theme.ink, SMALL_SIZE, **place, hovertext=literal(text))  # whole, where it was cut


@dataclass(frozen=True)
class _Curve:
    """One model's effect sizes in one representation; None at a layer that has none."""

    model: str
    representation: str
    title: str
    layers: tuple[int, ...]
    values: tuple[float | None, ...]

    @property
    def end(self) -> tuple[int, float]:
        """The last point there is."""
        return [(at, d) for at, d in zip(self.layers, self.values, strict=True) if d is not None][-1]


def layer_curve(result: AssociationResult, test: str, *, theme: Theme) -> go.Figure:
    """Effect size d of one test over the layers, 0 the embedding output: a line for each representation and model.

    Up is positive: X is more strongly associated with A. Each line is named at its end. One model's lines differ in
    hue; several models differ in hue and mark, named above, and their representations in dashes. A layer without a
    value is a gap. A point's ``customdata`` is (model, test, representation, layer).

    Raises NothingToScore where the test has no value in any layer, OptionError for more models than can be told apart.
    """
    curves = _curves(result, test)
    if not curves:
        raise NothingToScore("This test has no curve over layers: no representation reads a model's layers.")
    marks = model_marks(theme, list(dict.fromkeys(curve.model for curve in curves)))
    representations = list(dict.fromkeys(curve.representation for curve in curves))
    deepest = max(curve.layers[-1] for curve in curves)
    plot = max(_CURVE_PLOT, _TEXT_LINE * (len(curves) + 2))
    furthest = max(_NARROWEST, *(abs(d) for curve in curves for d in curve.values if d is not None))
    half = furthest / (1 - 2 * _DIRECTION / plot)
    several = len(marks) > 1
    glyphs = {model: f"{mark.glyph} " if several else "" for model, mark in marks.items()}
    labels = [shorten(glyphs[curve.model] + curve.title, _CURVE_LABELS, SMALL_SIZE) for curve in curves]
    right = 14.0 if theme.is_narrow else max(text_width(label, SMALL_SIZE) for label in labels) + _LEADER + 8
    hues = (*theme.groups[2:], theme.groups[1], theme.groups[0])
    styles = [_style(curve, marks, representations, hues) for curve in curves]
    entries = [(mark.hue, mark.glyph, model) for model, mark in marks.items()] if several else []
    if theme.is_narrow:  # no room for the names at the lines' ends
        lines = {curve.title: (hue, _DRAWN[dash]) for curve, (hue, dash) in zip(curves, styles, strict=True)}
        entries += [(theme.ink if several else hue, drawn, title) for title, (hue, drawn) in lines.items()]
    key = key_lines(theme, entries)
    top = _TEXT_LINE * len(key) + 12

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(plot) + top + _CURVE_MARGIN["b"],
            "margin": {**_CURVE_MARGIN, "t": top, "r": round(right)},
            "xaxis": {
                "range": [-0.25, deepest + 0.25],
                "tickmode": "linear",
                "tick0": 0,
                "dtick": -(-(deepest + 1) // _MOST_TICKS),
                "showgrid": False,
                "title": {"text": "layer (0: embedding output)", "standoff": 8},
            },
            "yaxis": signed_axis(theme, half, "effect size d", reach=reach_of(half, plot)),
        }
    )
    heights = _spread([(half - curve.end[1]) / (2 * half) * plot for curve in curves], plot)
    for curve, label, height, (hue, dash) in zip(curves, labels, heights, styles, strict=True):
        mark = marks[curve.model]
        figure.add_scatter(
            name=f"{curve.title}, {curve.model}",
            x=list(curve.layers),
            y=list(curve.values),
            mode="lines+markers",
            connectgaps=False,
            line={"color": hue, "width": 1.8, "dash": dash},
            marker={"color": hue, "symbol": mark.symbol, "size": _POINT, "opacity": 1, "line": {"width": 0}},
            unselected={"marker": {"opacity": 1}},
            cliponaxis=False,
            customdata=[[curve.model, test, curve.representation, layer] for layer in curve.layers],
            hoverinfo="text",
            hovertext=[
                f"<b>{literal(curve.title)}</b><br>{literal(curve.model)}<br>layer {layer}: d = {signed(d)}"
                if d is not None
                else ""
                for layer, d in zip(curve.layers, curve.values, strict=True)
            ],
        )
        if not theme.is_narrow:
            words = dict(zip(theme.groups, theme.words, strict=True)).get(hue, hue)
            _label(figure, curve, label, hue, words, height / plot)
    for text, y, anchor in (("▲ X associated with A", 1, "top"), ("▼ X associated with B", 0, "bottom")):
        place = {"y": y, "yref": "paper", "yanchor": anchor, "xshift": 8}
        write(figure, f"<b>{text}</b>", theme.ink, SMALL_SIZE, **place)
    if key:
        above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6, "align": "left"}
        write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, xshift=4 - _CURVE_MARGIN["l"], **above)
    return figure


def _curves(result: AssociationResult, test: str) -> list[_Curve]:
    frame = result["layers"][result["layers"]["test"] == test]
    curves = []
    for (model, representation), part in frame.groupby(["model", "representation"], sort=False):
        ordered = part.sort_values("layer")
        values = tuple(finite(value) for value in ordered["effect_size"].tolist())
        if all(value is None for value in values):
            continue
        layers = tuple(int(layer) for layer in ordered["layer"])
        curves.append(_Curve(str(model), str(representation), title_of(str(representation)), layers, values))
    return curves


def _style(
    curve: _Curve, marks: Mapping[str, Mark], representations: Sequence[str], hues: Sequence[str]
) -> tuple[str, str]:
    """Hue and dash of a line."""
    which = representations.index(curve.representation)
    if len(marks) > 1:
        return marks[curve.model].hue, _DASHES[which % len(_DASHES)]
    return hues[which % len(hues)], _DASHES[which // len(hues) % len(_DASHES)]


def _spread(wanted: Sequence[float], room: float) -> list[float]:
    """Heights as near to the ``wanted`` ones as lines of text allow, in the same order, within 0 to ``room``."""
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed = [0.0] * len(wanted)
    least = _TEXT_LINE / 2
    for at in order:
        placed[at] = least = max(least, wanted[at])
        least += _TEXT_LINE
    most = room - _TEXT_LINE / 2
    for at in reversed(order):
        placed[at] = most = min(most, placed[at])
        most -= _TEXT_LINE
    return placed


def _label(figure: go.Figure, curve: _Curve, label: str, hue: str, words: str, down: float) -> None:
    """The line's name right of the plot, that share of its height ``down``, and a thin line to its last point."""
    write(figure, literal(label), words, SMALL_SIZE, x=1, xshift=_LEADER, y=1 - down, yref="paper")
    layer, d = curve.end
    low, high = figure.layout.yaxis.range
    leader: dict[str, object] = {"type": "line", "line": {"color": hue, "width": 0.8, "dash": "dot"}, "y0": d}
    figure.add_shape(x0=layer, x1=figure.layout.xaxis.range[1], y1=d, **leader)
    # In pixels right of the plot, where no axis reaches.
    outside: dict[str, object] = {"xref": "paper", "xsizemode": "pixel", "xanchor": 1, "x0": 0, "x1": _LEADER - 4}
    figure.add_shape(y1=high - down * (high - low), **outside, **leader)
