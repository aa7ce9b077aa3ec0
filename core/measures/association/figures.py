"""Figures of association tests. Right and up are positive: X is more strongly associated with A, and Y with B."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ...charts.heat import blend, categories, colour_scale, thinned_axis, write_in_cells
from ...charts.key import Mark, legend_entries, legend_name, model_marks, set_legend, show_legend, write
from ...charts.rows import (
    ABOVE,
    EDGE,
    RIGHT,
    Band,
    Dot,
    Gap,
    SignedBar,
    add_dots,
    choose,
    finite,
    reach_of,
    signed_bands,
    signed_bars,
    stack_bands,
    write_caption,
    write_directions,
    write_not_computed,
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
_DIRECTIONS = 29  # above the rows: which way is which
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
_SCALE_LINE = 14  # below, on a narrow page: what the colours are
_RIGHT = 74  # the scale
_ROOM_FOR_A_NUMBER = 44
# The curves over layers.
_CURVE_MARGIN = {"l": 56, "t": 12, "b": 52}
_CURVE_PLOT = 340
_CURVE_LABELS = 200
_TEXT_LINE = 16
_LEADER = 22  # between the plot and its labels
_DIRECTION = 24  # kept free of lines above and below, for the words that say which way is which
_POINT = 6
_MOST_TICKS = 14
_DASHES = ("solid", "dash", "dot", "dashdot")

Row = Mapping[Hashable, object]
Which = tuple[str, str, str]  # model, test and representation


def of_one(result: AssociationResult, table: str, which: Which) -> pd.DataFrame:
    """The rows of a table that one test by one representation in one model has."""
    rows = result[table]
    return rows[np.logical_and.reduce([rows[name] == value for name, value in zip(WHICH, which, strict=True)])]


def asked_test(result: AssociationResult, test: str) -> AskedTest:
    """What a test of the result asks."""
    asked: AskedTest = next(asked for asked in result.spec.tests if asked.id == test)
    return asked


def title_of(representation: str) -> str:
    """What a reader knows a representation by."""
    return TITLES.get(representation, representation)


def names_of(result: AssociationResult, which: Which) -> tuple[str, ...]:
    """The names of the sets that stand for X, Y, A and B."""
    return asked_test(result, which[1]).names(which[2])


@dataclass(frozen=True)
class _Tested:
    """A row of the forest: what one representation gives for one test, in each model and as printed elsewhere."""

    test: str
    representation: str
    of_models: tuple[Row, ...]
    printed: tuple[Row, ...]

    @property
    def computed(self) -> bool:
        return any(finite(row["effect_size"]) is not None for row in self.of_models)

    @property
    def lines(self) -> int:
        """A line for each model and one for what is printed; where no model has a value, they share one."""
        return (len(self.of_models) if self.computed else 1) + bool(self.printed)

    @property
    def ends(self) -> list[float]:
        """Everything that the scale has to hold."""
        values = [row[column] for row in self.of_models for column in ("effect_size", "ci_low", "ci_high")]
        values += [row["effect_size"] for row in self.printed]
        return [number for value in values if (number := finite(value)) is not None]


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
    tested = _by_test(rows, result["published"].to_dict("records") if published else [])
    names = [title_of(row.representation) for row in tested]
    above = [  # of the first row of a test, for its title
        _HEADING + _LINE * (len(titled[row.test]) - 1) if at == 0 or tested[at - 1].test != row.test else 0
        for at, row in enumerate(tested)
    ]
    bands = stack_bands(
        ((pixels, row.lines) for pixels, row in zip(above, tested, strict=True)), ABOVE if theme.is_narrow else 0
    )
    half = 1.06 * max(_NARROWEST, *(abs(end) for row in tested for end in row.ends))
    figure, left, side = signed_bands(theme, bands, names, half, labels=_LABELS, top=_DIRECTIONS)
    for row, band, pixels in zip(tested, bands, above, strict=True):
        if pixels:
            title = "<br>".join(f"<b>{literal(line)}</b>" for line in titled[row.test])
            at = {"xshift": EDGE - left, "y": band.top - (pixels - 2) / 2, "bgcolor": theme.paper, "align": "left"}
            write(figure, title, theme.ink, TEXT_SIZE, **at)
    for model, mark in marks.items():
        add_dots(figure, theme, model, mark, _dots(result, tested, bands, model), "95 % interval")
    key = [(mark.hue, mark.symbol, model) for model, mark in marks.items()]
    if printed := _printed_dots(tested, bands):
        add_dots(figure, theme, "published", Mark(theme.neutral, *_PUBLISHED), printed, "95 % interval")
        key.append((theme.neutral, _PUBLISHED[0], "published, of the model named on hover"))
    _say_not_computed(figure, result, tested, bands, theme, several=len(marks) > 1)
    sides = [(theme.ink, (f"X associated with {letter}", f"X with {letter}")) for letter in "BA"]
    write_directions(figure, sides, side + RIGHT, 4)
    caption = "effect size d; thin line: 95 % interval; filled: "
    caption += f"p < .05 after correction over {counted(result.family_size, 'test')}"
    if any(finite(row["effect_size"]) is not None and finite(row["ci_low"]) is None for row in rows):
        caption += f"; hollow without a line: fewer than {LEAST} members in X or Y, too few to say"
    write_caption(figure, theme, caption)
    legend_entries(figure, theme, key)
    return figure


def _by_test(rows: Sequence[Row], printed: Sequence[Row]) -> list[_Tested]:
    """The rows of the forest from top to bottom, those of a test together."""
    tests: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        tests.setdefault(str(row["test"]), {}).setdefault(str(row["representation"]), []).append(row)
    return [
        _Tested(
            test,
            representation,
            tuple(of_models),
            tuple(
                row
                for row in printed
                if (row["test"], row["representation"]) == (test, representation)
                and finite(row["effect_size"]) is not None
            ),
        )
        for test, representations in tests.items()
        for representation, of_models in representations.items()
    ]


def _dots(result: AssociationResult, tested: Sequence[_Tested], bands: Sequence[Band], model: str) -> list[Dot]:
    dots = []
    for at, band in zip(tested, bands, strict=True):
        for line, row in enumerate(at.of_models):
            d, low, high = (finite(row[column]) for column in ("effect_size", "ci_low", "ci_high"))
            if row["model"] != model or d is None:
                continue
            hover = (
                f"<b>{literal(model)}</b>",
                literal(asked_test(result, at.test).title),
                literal(title_of(at.representation)),
                *_statistics(row, d, result.family_size),
            )
            span = None if low is None or high is None else (low, high)
            data = (model, at.test, at.representation)
            dots.append(Dot(d, band.at(line), span, "<br>".join(hover), data, filled=bool(row["significant"])))
    return dots


def _printed_dots(tested: Sequence[_Tested], bands: Sequence[Band]) -> list[Dot]:
    dots = []
    for at, band in zip(tested, bands, strict=True):
        for row in at.printed:
            d, p = finite(row["effect_size"]), finite(row["p_value"])
            if d is not None:
                value = f"d = {signed(d)}" + ("" if p is None else f", {p_text(p)}")
                hover = f"<b>published</b>: {value}<br>{literal(str(row['model']))}<br>{literal(str(row['source']))}"
                dots.append(Dot(d, band.at(-1), None, hover))
    return dots


def _statistics(line: Row, d: float, family: int) -> list[str]:
    """What hovering says of the numbers: all that the row has."""
    low, high = finite(line["ci_low"]), finite(line["ci_high"])
    ends = "" if low is None or high is None else f", {interval(low, high)}"
    lines = [f"d = {signed(d)}{ends}"]
    p_values = [
        f"{name} {p_text(p)}"
        for name, column in (("one-sided", "p_one_sided"), ("two-sided", "p_two_sided"), ("adjusted", "p_adjusted"))
        if (p := finite(line[column])) is not None
    ]
    if p_values:
        adjusted = f" over {counted(family, 'test')}" if p_values[-1].startswith("adjusted") else ""
        lines.append(", ".join(p_values) + adjusted)
    if (n := finite(line["n_permutations"])) is not None:
        lines.append(f"{line['p_kind']}, {counted(n, 'sample' if line['p_kind'] == 'random effects' else 'partition')}")
    sizes = [(letter, finite(line[f"n_{letter.lower()}"])) for letter in "XYAB"]
    lines.append("n: " + ", ".join(f"{letter} {size:.0f}" for letter, size in sizes if size is not None))
    return lines


def _say_not_computed(
    figure: go.Figure,
    result: AssociationResult,
    tested: Sequence[_Tested],
    bands: Sequence[Band],
    theme: Theme,
    *,
    several: bool,
) -> None:
    """Say in its line what has no value, and when hovering why; where no model has one, once."""
    reasons: dict[tuple[str, str | None, str | None], str] = {
        (item.model, item.test, item.representation): item.why for item in result.excluded if item.kind == "statistic"
    }
    for at, band in zip(tested, bands, strict=True):
        missing = [(line, row) for line, row in enumerate(at.of_models) if finite(row["effect_size"]) is None]
        for line, row in missing if at.computed else missing[:1]:
            model = str(row["model"])
            why = reasons.get((model, at.test, at.representation), "")
            of = model if several and at.computed else ""
            write_not_computed(figure, theme, band.at(line), of=of, why=why)


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
    bottom = round(below + 8 + (_SCALE_LINE if theme.is_narrow else 0))

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + row_height * len(rows)) + bottom,
            "margin": {"l": round(left), "r": right, "t": top, "b": bottom},
            "xaxis": {
                **thinned_axis([shorten(column, _COLUMN_LABELS, SMALL_SIZE) for column in columns], column_width),
                "type": "category",
                "domain": [0, share],
                "tickangle": -90,
                "ticklabelstandoff": 4,
            },
            "yaxis": {
                **thinned_axis([shorten(row, labels, SMALL_SIZE) for row in rows], row_height),
                "type": "category",
                "range": [len(rows) - 0.5, -0.5],
                "ticklabelstandoff": 4,
            },
        }
    )
    printed = column_width >= _ROOM_FOR_A_NUMBER and row_height >= SMALL_SIZE + 2
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
        below_names = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -round(below), "xshift": 4 - round(left)}
        write(figure, scale, theme.muted, SMALL_SIZE, **below_names)
    beside: dict[str, object] = {"textangle": -90, "xanchor": "center", "xshift": _SET_LINE / 2 - round(left)}
    above: dict[str, object] = {
        "xref": "x",
        "xanchor": "center",
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 5,
    }
    x, y, a, b = names
    for name, start, end in ((x, 0, first_rows), (y, first_rows, len(rows))):
        _name_set(figure, theme, name, (end - start) * row_height, y=(start + end - 1) / 2, **beside)
    for name, start, end in ((a, 0, first_columns), (b, first_columns, len(columns))):
        _name_set(figure, theme, name, (end - start) * column_width, x=(start + end - 1) / 2, **above)
    return figure


def _separate(figure: go.Figure, theme: Theme, **ends: object) -> None:
    # Ink under paper: the gap is seen on dark cells and on light ones.
    for colour, width in ((theme.paper, 5), (theme.ink, 1)):
        figure.add_shape(type="line", line={"color": colour, "width": width}, **ends)


def _name_set(figure: go.Figure, theme: Theme, name: str, room: float, **place: object) -> None:
    """Name a set in the middle of its rows or columns, which take ``room`` pixels; whole on hover, where it is cut."""
    shown = shorten(name, max(room, 2 * SMALL_SIZE), SMALL_SIZE * BOLD)
    write(figure, f"<b>{literal(shown)}</b>", theme.ink, SMALL_SIZE, **place, hovertext=literal(name))


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
    # A narrow page has no room for the names at the lines' ends.
    right = 14.0 if theme.is_narrow else max(text_width(label, SMALL_SIZE) for label in labels) + _LEADER + 8
    hues = (*theme.groups[2:4], theme.groups[1], theme.groups[0])
    styles = [_style(curve, marks, representations, hues) for curve in curves]

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(plot) + _CURVE_MARGIN["t"] + _CURVE_MARGIN["b"],
            "margin": {**_CURVE_MARGIN, "r": round(right)},
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
            name=f"{curve.title}, {curve.model}" if several else legend_name(figure, theme, curve.title),
            showlegend=theme.is_narrow and not several,
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
        write(figure, f"<b>{text}</b>", theme.ink, SMALL_SIZE, y=y, yref="paper", yanchor=anchor, xshift=8)
    if several and theme.is_narrow:
        for title, dash in {curve.title: dash for curve, (_, dash) in zip(curves, styles, strict=True)}.items():
            name, line = legend_name(figure, theme, title), {"color": theme.ink, "dash": dash, "width": 1.8}
            figure.add_scatter(x=[None], y=[None], mode="lines", name=name, line=line, showlegend=True)
    if several:
        legend_entries(figure, theme, [(mark.hue, mark.symbol, model) for model, mark in marks.items()])
    elif theme.is_narrow:
        show_legend(figure, theme)
    return figure


def _curves(result: AssociationResult, test: str) -> list[_Curve]:
    frame = result["layers"][result["layers"]["test"] == test]
    curves = []
    for (model, representation), part in frame.groupby(["model", "representation"], sort=False):
        by_layer = dict(zip(part["layer"], part["effect_size"], strict=True))
        # The table leaves out a layer without a value; here it has its place, so that no line runs across it.
        layers = range(int(min(by_layer)), int(max(by_layer)) + 1)
        values = tuple(finite(by_layer.get(layer)) for layer in layers)
        if any(value is not None for value in values):
            kind = str(representation)
            curves.append(_Curve(str(model), kind, title_of(kind), tuple(layers), values))
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
