"""Effect sizes of association tests: one row for each test and representation, a mark for each model."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core.charts.key import Mark, key_lines, model_marks, write
from core.charts.panel import ABOVE, EDGE, RIGHT, STANDOFF, label_width
from core.charts.rows import finite
from core.charts.scale import most_ticks, tick_texts, ticks
from core.charts.text import literal, shorten, text_width, wrap
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from core.errors import NothingToScore
from core.measures.association.result import AssociationResult
from core.report.numbers import counted, interval, p_text, signed
from core.stats.samples import ALPHA, LEAST

_PUBLISHED = ("diamond", "◆")
_LABELS = 225
_HEADING = 30  # pixels, as all that follows
_SLOT = 14
_ROW_PADDING = 8
_LINE = 17
_MARKER = 10
_AXIS = 66
_NARROWEST = 1.0  # the scale never shows less than ±1, so that noise looks small

Row = Mapping[Hashable, object]


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


def effect_sizes(
    result: AssociationResult,
    *,
    theme: Theme,
    titles: Mapping[str, str],
    test_titles: Mapping[str, str],
    published: bool = False,
) -> go.Figure:
    """Effect size d of every test and representation, a mark per model with its 95 % interval as a thin line.

    Right is positive: X goes with A, and Y with B, more than the other way round. Filled marks have an adjusted
    p below ``ALPHA`` and an interval, which sets with too few members have not. ``titles`` and ``test_titles`` name
    representation and test ids; ``published`` adds values as printed, in grey. What has no value is a row that says
    so. A mark's ``customdata`` is (model, test, representation); published values have none.

    Raises NothingToScore where no test has a value, OptionError for more than ``MOST_MODELS`` models.
    """
    rows: list[Row] = list(result.summary.to_dict("records"))
    if all(finite(row["effect_size"]) is None for row in rows):
        raise NothingToScore("No test has an effect size; the list of exclusions says why.")
    marks = model_marks(theme, list(dict.fromkeys(str(row["model"]) for row in rows)))
    titled = {
        str(row["test"]): wrap(
            test_titles.get(str(row["test"]), str(row["test"])), theme.width - RIGHT, TEXT_SIZE * BOLD, 2
        )
        for row in rows
    }
    bands, headings = _stack(rows, result.published.to_dict("records") if published else [], titled, theme)
    total = bands[-1].bottom
    names = [titles.get(band.representation, band.representation) for band in bands]
    left = EDGE if theme.is_narrow else round(min(_LABELS, max(text_width(name, TEXT_SIZE) for name in names))) + 16
    shown = [literal(shorten(name, label_width(theme, _LABELS), TEXT_SIZE)) for name in names]
    half = 1.06 * max(_NARROWEST, *(abs(end) for band in bands for end in _ends(band)))
    entries = [(mark.hue, mark.glyph, name) for name, mark in marks.items()]
    if any(band.published for band in bands):
        entries.append((theme.neutral, _PUBLISHED[1], "published, of the model named on hover"))
    key = key_lines(theme, entries)
    top = _LINE * (len(key) + 1) + 12

    positions = ticks(half * (1 - 16 / (theme.width - left)), most_ticks((theme.width - left - RIGHT) / 2, 4))
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + total + _AXIS),
            "margin": {"l": left, "r": RIGHT, "t": top, "b": _AXIS},
            "xaxis": {
                "range": [-half, half],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions),
                "zeroline": True,
                "zerolinecolor": theme.zero,
                "zerolinewidth": 1.5,
            },
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
        _add_model(figure, result, bands, model, mark, theme, titles, test_titles)
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
    titles: Mapping[str, str],
    test_titles: Mapping[str, str],
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
    filled = [
        (p := finite(line["p_adjusted"])) is not None and p < ALPHA and finite(line["ci_low"]) is not None
        for _, _, line, _ in drawn
    ]
    figure.add_scatter(
        name=model,
        x=[d for *_, d in drawn],
        y=[y for _, y, _, _ in drawn],
        mode="markers",
        customdata=[[model, band.test, band.representation] for band, *_ in drawn],
        marker={
            "symbol": mark.symbol,
            "size": _MARKER,
            "opacity": 1,
            "color": [mark.hue if full else theme.paper for full in filled],
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
                    literal(test_titles.get(band.test, band.test)),
                    literal(titles.get(band.representation, band.representation)),
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
        marker={"symbol": _PUBLISHED[0], "size": _MARKER - 2, "color": theme.neutral, "line": {"width": 0}},
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
        (item.model, item.test, item.representation): item.reason
        for item in result.left_out
        if item.role == "statistic"
    }
    for band in bands:
        missing = [(at, line) for at, line in enumerate(band.lines) if finite(line["effect_size"]) is None]
        for slot, line in missing if band.computed else missing[:1]:
            named = f"{shorten(str(line['model']), 150, SMALL_SIZE)}: " if several and band.computed else ""
            why = reasons.get((str(line["model"]), band.test, band.representation), "")
            place = {"x": 0, "xref": "x", "xshift": 6, "y": band.at(slot), "bgcolor": theme.paper}
            text = f"{literal(named)}not computed"
            write(figure, text, theme.muted, SMALL_SIZE, **place, hovertext=literal(why))
