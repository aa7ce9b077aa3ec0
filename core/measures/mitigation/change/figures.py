"""Pictures of before and after: paired bars, entries from before to after, and differences with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ....charts.key import Mark, hatching, legend_entries, set_legend, write
from ....charts.rows import (
    ABOVE,
    AXIS,
    EDGE,
    RIGHT,
    Band,
    Dot,
    Row,
    add_dots,
    finite,
    label_column,
    label_rows,
    reach_of,
    signed_bands,
    stack_bands,
    write_caption,
    write_directions,
)
from ....charts.scale import most_ticks, signed_axis
from ....charts.text import literal, shorten, text_width
from ....charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from ....errors import NothingToScore, OptionError
from ....report.numbers import interval, p_text, signed
from .result import CHANGES, ENTRIES, LEAN, SIDES, SIZE, SUMMARIES, ChangeResult

MOST_ENTRIES = 60
_LABELS = 210  # pixels, at most
_NARROWEST = 0.01
_BAR_ROW, _OFFSET, _WIDTH = 44, 0.27, 0.22  # pixels of a row; where its bars lie in it and how thick they are
_HEADING, _DIRECTIONS = 30, 29
_BEFORE, _AFTER, _CONTROLS = "before", "after", "controls"
_SYMBOLS = {_BEFORE: "circle-open", _AFTER: "circle", _CONTROLS: "diamond-open"}


@dataclass(frozen=True)
class Means:
    """A section, or one of its sides: means of the base, of all children, and of all controls where there are some."""

    section: str
    side: str
    before: float
    after: float
    control: float | None

    @property
    def values(self) -> tuple[tuple[str, float], ...]:
        """Each mean with its name."""
        after = (_AFTER, self.after)
        controls = () if self.control is None else ((_CONTROLS, self.control),)
        return ((_BEFORE, self.before), after, *controls)

    @property
    def text(self) -> str:
        """The means as text."""
        control = "" if self.control is None else f"  (controls {signed(self.control)})"
        return f"{signed(self.before)} → {signed(self.after)}{control}"


def draw(result: ChangeResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: paired bars of every section."""
    return section_bars(result, theme=theme)


def means_of(result: ChangeResult) -> tuple[Means, ...]:
    """The means of each section's sides, or of its values where they have no sides, or its summaries."""
    rows = result[SIDES]
    if result.comparable.by_summary:
        rows = result[SUMMARIES].assign(side="")
    elif rows.empty:
        rows = result[CHANGES][result[CHANGES]["quantity"] == LEAN].assign(side="")
    found = []
    for (section, side), of in rows.groupby(["section", "side"], sort=False):
        controls = of.loc[of["control"], "after"]
        found.append(
            Means(
                str(section),
                str(side),
                float(of["before"].iloc[0]),
                float(of.loc[~of["control"], "after"].mean()),
                float(controls.mean()) if len(controls) else None,
            )
        )
    return tuple(found)


def bars_of(result: ChangeResult) -> str:
    """What the paired bars are, in a word: means, or the one kind of summaries that is shown in their place."""
    return str(result[SUMMARIES]["name"].iloc[0]) if result.comparable.by_summary else "means"


def section_bars(result: ChangeResult, *, theme: Theme) -> go.Figure:
    """Means before, after and of the controls, side by side in each section (Bartl et al. 2020, Figures 3 to 5).

    Right is positive. Where a value is a difference of two sides, each side has a row; else a section has one. Several
    children, or controls, are one bar: their mean. ``customdata`` of a bar is (section,).
    """
    means = means_of(result)
    lines: list[str | Means] = []
    for at, mean in enumerate(means):
        if mean.side and (at == 0 or means[at - 1].section != mean.section):
            lines.append(mean.section)
        lines.append(mean)
    row = Row(theme, _BAR_ROW)
    bars = [(at, line) for at, line in enumerate(lines) if isinstance(line, Means)]
    names = {at: line.side or line.section for at, line in bars}
    left = round(label_column(theme, names.values(), _LABELS))
    widest = max(text_width(line.text, SMALL_SIZE) for _, line in bars)
    right = RIGHT if theme.is_narrow else round(widest) + RIGHT
    half = 1.06 * max(_NARROWEST, *(abs(value) for _, line in bars for _, value in line.values))
    side = (theme.width - left - right) / 2
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_DIRECTIONS + AXIS + row.height * len(lines)),
            "margin": {"l": left, "r": right, "t": _DIRECTIONS, "b": AXIS},
            "barmode": "overlay",
            "bargap": 0,
            "xaxis": signed_axis(theme, half, per_side=most_ticks(side, 4), reach=reach_of(half, side)),
        }
    )
    room = theme.width - 2 * EDGE if theme.is_narrow else _LABELS
    labels = {at: literal(shorten(name, room, TEXT_SIZE)) for at, name in names.items()}
    if theme.is_narrow:  # there is no room at the right
        labels = {
            at: f'{labels[at]}  <span style="color:{theme.muted}">{literal(line.text)}</span>' for at, line in bars
        }
    label_rows(figure, row, labels, len(lines))
    for at, line in enumerate(lines):
        if isinstance(line, str):
            heading = literal(shorten(line, theme.width - 2 * EDGE, TEXT_SIZE * BOLD))
            write(figure, f"<b>{heading}</b>", theme.ink, TEXT_SIZE, y=at, xshift=EDGE - left)
    shown = dict.fromkeys(name for _, line in bars for name, _ in line.values)
    for place, name in enumerate(shown):
        offset = (place - (len(shown) - 1) / 2) * _OFFSET
        _add_bars(figure, row, [(at, line) for at, line in bars if name in dict(line.values)], name, offset, theme)
    for at, line in () if theme.is_narrow else bars:
        end = {"x": 1, "xref": "paper", "xanchor": "right", "xshift": right - 8, "y": at + row.lower}
        write(figure, literal(line.text), theme.muted, SMALL_SIZE, **end)
    _say_directions(figure, result.comparable.side_ends if means[0].side else result.ends, side, theme)
    write_caption(figure, theme, _caption(result, bars_of(result)))
    keys = {_BEFORE: (theme.ink, ""), _AFTER: (theme.groups[2], ""), _CONTROLS: (theme.neutral, "/")}
    set_legend(figure, theme, [(*keys[name], name) for name in shown])
    return figure


def _add_bars(
    figure: go.Figure, row: Row, bars: Sequence[tuple[int, Means]], name: str, offset: float, theme: Theme
) -> None:
    values = [dict(line.values)[name] for _, line in bars]
    hues = {_BEFORE: theme.ink, _AFTER: theme.groups[2], _CONTROLS: theme.neutral}
    figure.add_bar(
        name=name,
        orientation="h",
        x=values,
        y=[at + row.lower + row.share(offset) for at, _ in bars],
        width=row.share(_WIDTH),
        customdata=[[line.section] for _, line in bars],
        marker={
            "color": hues[name],
            "opacity": 1,
            "line": {"width": 0},
            "pattern": hatching(theme, "/" if name == _CONTROLS else ""),
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(line.section)}</b>{f'<br>{literal(line.side)}' if line.side else ''}<br>{name}: "
            f"{signed(value, 3)}"
            for (_, line), value in zip(bars, values, strict=True)
        ],
    )


def entry_dots(result: ChangeResult, *, whole: str, theme: Theme) -> go.Figure:
    """Each entry of a whole from before (hollow) to after (filled), and the controls: means over several models.

    Right is positive. Entries stand under their sections, the largest value before first; of more than
    ``MOST_ENTRIES`` those that changed most. ``customdata`` of a mark is (entry,).

    Raises OptionError for a whole that the result does not hold.
    """
    rows = _entries(result, whole)
    heads = [str(section) for section in rows["section"]]
    several = len(set(heads)) > 1
    above = [_HEADING if several and (at == 0 or heads[at - 1] != head) else 0 for at, head in enumerate(heads)]
    bands = stack_bands([(pixels, 1) for pixels in above], ABOVE if theme.is_narrow else 0)
    names = [str(entry) for entry in rows["entry"]]
    columns = [name for name in (_BEFORE, _AFTER, _CONTROLS) if name in rows]
    half = 1.06 * max(_NARROWEST, float(rows[columns].abs().max().max()))
    figure, left, side = signed_bands(theme, bands, names, half, labels=_LABELS, top=_DIRECTIONS)
    for head, band, pixels in zip(heads, bands, above, strict=True):
        if pixels:
            _write_heading(figure, head, band, left, theme)
    for name in (_CONTROLS, _BEFORE, _AFTER):  # what is after lies on top
        if name not in columns:
            continue
        dots = [
            Dot(
                float(row[name]),
                band.at(0),
                (float(row[_BEFORE]), float(row[_AFTER])) if name == _AFTER else None,
                _entry_hover(row, columns),
                (str(row["entry"]),),
                filled=name == _AFTER,
            )
            for row, band in zip(rows.to_dict("records"), bands, strict=True)
        ]
        add_dots(figure, theme, name, _mark(theme, name), dots, "from before to after")
    _say_directions(figure, result.ends, side, theme)
    of_whole = result[ENTRIES][result[ENTRIES]["whole"] == whole]
    shown, every = len(rows), len(of_whole[["section", "entry"]].drop_duplicates())
    passed = f"; the {shown} that changed most of {every:,}" if shown == MOST_ENTRIES < every else ""
    write_caption(figure, theme, _caption(result, f"mean of each {result.comparable.entry}{passed}"))
    legend_entries(figure, theme, [(_mark(theme, name).hue, _SYMBOLS[name], name) for name in columns])
    return figure


def _entries(result: ChangeResult, whole: str) -> pd.DataFrame:
    """The entries in the order they are drawn: before, after, and controls where there are some."""
    if whole not in result.wholes:
        raise OptionError(f"There is no part “{whole}”; choose {', '.join(result.wholes)}.")
    rows = result[ENTRIES][result[ENTRIES]["whole"] == whole]
    keys = ["section", "entry"]
    found = rows[~rows["control"]].groupby(keys, sort=False)[["before", "after"]].mean()
    controls = rows[rows["control"]].groupby(keys, sort=False)["after"].mean()
    if len(controls):
        found[_CONTROLS] = controls
    found = found.reset_index()
    found["change"] = (found["after"] - found["before"]).abs()
    found = found.loc[found["change"].nlargest(MOST_ENTRIES).index]
    order = {section: at for at, section in enumerate(dict.fromkeys(rows["section"]))}
    return found.sort_values(
        ["section", "before", "entry"],
        key=lambda column: column.map(order) if column.name == "section" else column,
        ascending=[True, False, True],
    ).reset_index(drop=True)


def _entry_hover(row: dict[Any, Any], columns: Sequence[str]) -> str:
    values = "<br>".join(f"{name}: {signed(row[name], 3)}" for name in columns)
    return f"<b>{literal(str(row['entry']))}</b><br>{literal(str(row['section']))}<br>{values}"


def differences(result: ChangeResult, *, quantity: str, theme: Theme) -> go.Figure:
    """After minus before of each child and control, section by section, with 95 % intervals as thin lines.

    Right is higher after. Filled marks have an interval without 0. ``quantity`` is lean or size.
    ``customdata`` of a mark is (model, section).

    Raises OptionError for another quantity, NothingToScore where there is no difference.
    """
    if quantity not in (LEAN, SIZE):
        raise OptionError(f"There is no quantity {quantity}; choose {LEAN} or {SIZE}.")
    table = result[CHANGES][result[CHANGES]["quantity"] == quantity]
    if table.empty:
        raise NothingToScore("Nothing was compared; the list of exclusions says why.")
    rows: list[dict[Any, Any]] = [
        row for _, of in table.groupby("section", sort=False) for row in of.to_dict("records")
    ]
    heads = [str(row["section"]) for row in rows]
    above = [_HEADING if at == 0 or heads[at - 1] != head else 0 for at, head in enumerate(heads)]
    bands = stack_bands([(pixels, 1) for pixels in above], ABOVE if theme.is_narrow else 0)
    ends = [finite(row[column]) for row in rows for column in ("difference", "ci_low", "ci_high")]
    half = 1.06 * max(_NARROWEST, *(abs(end) for end in ends if end is not None))
    figure, left, side = signed_bands(
        theme, bands, [str(row["model"]) for row in rows], half, labels=_LABELS, top=_DIRECTIONS
    )
    for head, band, pixels in zip(heads, bands, above, strict=True):
        if pixels:
            _write_heading(figure, head, band, left, theme)
    for name in (_AFTER, _CONTROLS):
        dots = [
            _difference_dot(row, band)
            for row, band in zip(rows, bands, strict=True)
            if bool(row["control"]) == (name == _CONTROLS)
        ]
        if dots:
            mark = Mark(_mark(theme, name).hue, _SYMBOLS[name].removesuffix("-open"), "")
            add_dots(figure, theme, name, mark, dots, "95 % interval")
    if quantity == LEAN:
        _say_directions(figure, result.ends, side, theme, "moved towards ")
    else:
        write_directions(figure, [(theme.ink, ("smaller after",)), (theme.ink, ("larger after",))], side + RIGHT, 4)
    caption = f"after − before{_of_unit(result)}; thin line: 95 % interval over {result.comparable.entry} means; "
    write_caption(figure, theme, f"{caption}filled: it does not include 0")
    names = [(_AFTER, "circle", "after")] + ([(_CONTROLS, "diamond", "controls")] if result.controls else [])
    legend_entries(figure, theme, [(_mark(theme, name).hue, symbol, text) for name, symbol, text in names])
    return figure


def _difference_dot(row: dict[Any, Any], band: Band) -> Dot:
    low, high, p = (finite(row[column]) for column in ("ci_low", "ci_high", "p_adjusted"))
    span = None if low is None or high is None else (low, high)
    lines = [
        f"<b>{literal(str(row['model']))}</b>",
        literal(str(row["section"])),
        f"{signed(row['before'], 3)} → {signed(row['after'], 3)}: {signed(row['difference'], 3)}",
        *((interval(low, high, 3),) if low is not None and high is not None else ()),
        *((f"signed-rank test, adjusted {p_text(p)}",) if p is not None else ()),
        f"n = {row['n']:,}",
    ]
    # Not by p, which takes items as independent that share an entry.
    filled = span is not None and not span[0] <= 0 <= span[1]
    data = (str(row["model"]), str(row["section"]))
    return Dot(float(row["difference"]), band.at(0), span, "<br>".join(lines), data, filled=filled)


def _write_heading(figure: go.Figure, text: str, band: Band, left: int, theme: Theme) -> None:
    shown = literal(shorten(text, theme.width - 2 * EDGE, TEXT_SIZE * BOLD))
    at = {"xshift": EDGE - left, "y": band.top - (_HEADING - 2) / 2, "bgcolor": theme.paper}
    write(figure, f"<b>{shown}</b>", theme.ink, TEXT_SIZE, **at)


def _mark(theme: Theme, name: str) -> Mark:
    hues = {_BEFORE: theme.ink, _AFTER: theme.groups[2], _CONTROLS: theme.neutral}
    return Mark(hues[name], _SYMBOLS[name].removesuffix("-open"), "")


def _say_directions(figure: go.Figure, ends: tuple[str, str], side: float, theme: Theme, verb: str = "") -> None:
    above, below = ends
    if below:
        write_directions(figure, [(theme.ink, (f"{verb}{end}", end)) for end in (below, above)], side + RIGHT, 4)


def _of_unit(result: ChangeResult) -> str:
    return f", {result.unit}" if result.unit else ""


def _caption(result: ChangeResult, what: str) -> str:
    after = _named("after", result.children)
    controls = f"; {_named('controls', result.controls)}" if result.controls else ""
    return f"{what}{_of_unit(result)}; {after}{controls}"


def _named(what: str, models: Sequence[str]) -> str:
    return f"{what}: mean of {len(models)} models" if len(models) > 1 else f"{what}: {models[0]}"
