"""The two mean associations behind each profession's difference, in the sections of their groups."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.charts.key import key_lines, write
from core.charts.panel import RIGHT, Row, label_column, label_rows, label_width
from core.charts.profession_parts import (
    Heading,
    Means,
    Series,
    heading_text,
    means_of,
    sections,
    series_title,
    side_hue,
    words,
)
from core.charts.rows import Gap
from core.charts.scale import most_ticks, tick_texts, ticks
from core.charts.text import literal, sentence_lines, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from core.errors import NothingToScore
from core.measures.lpbs.professions.result import ProfessionResult
from core.report.numbers import signed

_LABELS = 225  # pixels, as all that follows
_ROW = 24
_LINE = 17
_AXIS = 50
_BAR = 0.36  # of a row
_OFFSET = 0.19
_COLUMN_HEAD = 110  # a longer one is said in a word
_SMALLEST = 0.1  # nats; the scale never shows less, so that noise stays small


def profession_bars(result: ProfessionResult, *, series: Series, theme: Theme, limit: int | None = None) -> go.Figure:
    """Mean association (nats) of a profession with the words of each side of the contrast: two bars a row.

    Right is positive: the profession makes the words likelier. The upper, hatched bar is the contrast's first side;
    the column on the right holds first minus second. Rows stand under the headings of their groups, the largest
    difference first; ``limit`` is the most rows of a section, the rest is counted in one. ``customdata`` of a bar is
    (profession, model, language). A side that was not scored has no bar.

    Raises OptionError for an unknown series or a limit below 1, NothingToScore where nothing was scored.
    """
    means = means_of(result, series)
    rows = sections(means, result.groups, limit)
    drawn = [(at, row) for at, row in enumerate(rows) if isinstance(row, Means)]
    furthest = [abs(value) for _, row in drawn for value in (row.first, row.second) if value is not None]
    if not furthest:
        raise NothingToScore("No profession has an association; the list of exclusions says why.")
    contrast = result.contrast
    labels = {at: _label(row, theme) for at, row in enumerate(rows)}
    left = round(label_column(theme, _texts(rows), _LABELS))
    size = Row(theme, _ROW)
    fits = text_width(contrast.label, SMALL_SIZE) <= _COLUMN_HEAD
    head = contrast.label if fits else "difference"
    column = max(text_width(text, SMALL_SIZE) for text in (head, *(_number(row) for _, row in drawn))) + 12
    pixels = (theme.width - left - RIGHT - column) / 2
    half = max(_SMALLEST, *furthest) * 1.04
    numbers_at = half * (1 + column / pixels)
    positions = ticks(half * (1 - 16 / pixels), most_ticks(pixels, 3))
    hues = {name: side_hue(theme, contrast, name) for name in (contrast.first, contrast.second)}
    key = key_lines(
        theme,
        [(hues[contrast.first], "▨", words(contrast.first)), (hues[contrast.second], "■", words(contrast.second))],
    )
    top = _LINE * (len(key) + 1) + 12
    title = shorten(series_title(result, series), theme.width / 2, SMALL_SIZE)
    text = f"{title}: mean association with the profession, nats"
    caption = sentence_lines(text, theme.width - 2 * RIGHT, SMALL_SIZE)
    bottom = _AXIS + _LINE * (len(caption) - 1)

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + bottom + size.height * len(rows),
            "margin": {"l": left, "r": RIGHT, "t": top, "b": bottom},
            "hovermode": "y",
            "barmode": "overlay",
            "bargap": 0,
            "xaxis": {
                "range": [-half, numbers_at],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions),
                "zeroline": True,
                "zerolinecolor": theme.zero,
                "zerolinewidth": 1,
            },
        }
    )
    label_rows(figure, size, labels, len(rows))
    for name, offset, hatch in ((contrast.first, -_OFFSET, "/"), (contrast.second, _OFFSET, "")):
        is_first = name == contrast.first
        bars = [(at, row, row.first if is_first else row.second) for at, row in drawn]
        bars = [bar for bar in bars if bar[2] is not None]
        figure.add_bar(
            name=words(name),
            orientation="h",
            x=[value for *_, value in bars],
            y=[at + size.lower + size.share(offset) for at, *_ in bars],
            width=size.share(_BAR),
            customdata=[[row.profession, *series] for _, row, _ in bars],
            marker={
                "color": hues[name],
                "opacity": 0.85,
                "line": {"width": 0},
                "pattern": {
                    "shape": hatch,
                    "fillmode": "overlay",
                    "fgcolor": theme.paper,
                    "fgopacity": 0.6,
                    "size": 5,
                    "solidity": 0.25,
                },
            },
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 0.85}},
            hoverinfo="text",
            hovertext=[_hover(result, row) for _, row, _ in bars],
        )
    figure.add_scatter(
        name="difference",
        x=[numbers_at] * len(drawn),
        y=[at + size.lower for at, _ in drawn],
        mode="text",
        text=[_number(row) for _, row in drawn],
        textposition="middle left",
        textfont={"size": SMALL_SIZE, "color": theme.ink},
        unselected={"textfont": {"color": theme.ink}},
        cliponaxis=False,
        hoverinfo="skip",
    )
    for at, row in enumerate(rows):
        if isinstance(row, Heading):
            heading = literal(shorten(heading_text(row), theme.width - 2 * RIGHT, TEXT_SIZE * BOLD))
            write(figure, f"<b>{heading}</b>", theme.ink, TEXT_SIZE, y=at, xshift=4 - left)
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4}
    zero: dict[str, object] = {"x": 0, "xref": "x"}
    write(figure, "<b>◀ less likely</b>", theme.ink, SMALL_SIZE, **above, **zero, xanchor="right", xshift=-8)
    write(figure, "<b>more likely ▶</b>", theme.ink, SMALL_SIZE, **above, **zero, xshift=8)
    write(figure, literal(head), theme.muted, SMALL_SIZE, **above, x=1, xanchor="right")
    lifted = {**above, "yshift": _LINE + 6}
    write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, **lifted, xshift=4 - left, align="left")
    below = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24}
    write(figure, "<br>".join(map(literal, caption)), theme.muted, SMALL_SIZE, **below, align="right")
    return figure


def _label(row: Heading | Means | Gap, theme: Theme) -> str:
    if isinstance(row, Heading):
        return ""  # wider than this column: written over the plot's edge
    if isinstance(row, Gap):
        return f'<span style="color:{theme.muted}">{_gap_text(row)}</span>'
    return literal(shorten(row.profession, label_width(theme, _LABELS), TEXT_SIZE))


def _gap_text(gap: Gap) -> str:
    return f"· · · {gap.count} more that differ less"


def _texts(rows: Sequence[Heading | Means | Gap]) -> list[str]:
    """The labels beside the rows."""
    return [_gap_text(row) if isinstance(row, Gap) else row.profession for row in rows if not isinstance(row, Heading)]


def _number(row: Means) -> str:
    return "" if row.difference is None else signed(row.difference)


def _hover(result: ProfessionResult, row: Means) -> str:
    lines = [f"<b>{literal(row.profession)}</b>"]
    sides = zip((result.contrast.first, result.contrast.second), (row.first, row.second), row.counts, strict=True)
    for name, value, count in sides:
        number = "not scored" if value is None else f"{signed(value, 4)}, mean of {count}"
        lines.append(f"{literal(words(name))}: {number}")
    if row.difference is not None:
        lines.append(f"difference: {signed(row.difference, 4)} nats")
    return "<br>".join(lines)
