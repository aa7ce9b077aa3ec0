"""Where a profession's difference comes from: its templates or its pairs of persons, as a map of colours."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.charts.heat import blend, colour_scale, write_in_cells
from core.charts.key import write
from core.charts.profession_parts import (
    Heading,
    Means,
    Series,
    heading_text,
    means_of,
    people,
    sections,
    series_title,
    side_hue,
)
from core.charts.rows import finite
from core.charts.text import literal, sentence_lines, shorten, text_width, wrap
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.result import ProfessionResult
from core.report.numbers import fixed, signed

BY = ("template", "pair")

_MOST_LABELS = 0.4  # of the width
_LABELS = 205  # pixels, as all that follows
_COLUMN_LABELS = 170
_MOST_LINES = 3  # of a column's label
_TEXT_LINE = 15
_ROW = 19
_WIDEST_COLUMN = 90
_RIGHT = 74  # the scale
_LINE = 20
_BELOW = 32
_NUMBER_SIZE = SMALL_SIZE - 1
_SMALLEST = 0.1  # nats; the scale never shows less, so that noise stays pale


def profession_heat(result: ProfessionResult, *, series: Series, by: str, theme: Theme) -> go.Figure:
    """Mean difference (nats, contrast's first minus second) of each profession in each template or pair of persons.

    ``by`` is ``template`` or ``pair``. Rows are those of ``profession_bars``, columns in the order of the corpus. The
    scale is centred on zero, which is the paper; positive has the hue of the contrast's first side. A cell where one
    side was not scored is a hole. Values are printed where they fit, and whole on hover.

    Raises OptionError for an unknown series or ``by``, or for pairs where persons are none; NothingToScore where no
    cell has a value.
    """
    if by not in BY:
        raise OptionError(f"There is no map by {by}; choose one of {', '.join(BY)}.")
    rows = sections(means_of(result, series), result.groups)
    columns, cells = _cells(result, series, by) if rows else ([], {})
    if not cells:
        raise NothingToScore("No profession was scored with both sides; the list of exclusions says why.")
    professions = [row.profession if isinstance(row, Means) else None for row in rows]
    values = [[cells.get((name, column)) if name else None for column in columns] for name in professions]
    named = [name for name in professions if name]
    left = round(min(_LABELS, _MOST_LABELS * theme.width, max(text_width(name, SMALL_SIZE) for name in named))) + 14
    right = 8 if theme.is_narrow else _RIGHT  # no room for the scale, which the words above say too
    plot = theme.width - left - right
    share = min(1.0, _WIDEST_COLUMN * len(columns) / plot)
    column_width = plot * share / len(columns)
    most = max(_SMALLEST, *map(abs, cells.values()))
    printed = max(text_width(signed(value), _NUMBER_SIZE) for value in cells.values()) + 3 <= column_width
    lines = max(1, min(_MOST_LINES, int(column_width / _TEXT_LINE)))
    heads = [wrap(column, _COLUMN_LABELS, SMALL_SIZE, lines) for column in columns]
    top = _LINE + round(max(text_width(line, SMALL_SIZE) for head in heads for line in head)) + 16
    height = _ROW * len(rows)
    contrast = result.contrast
    hues = (side_hue(theme, contrast, contrast.second), side_hue(theme, contrast, contrast.first))
    ends = [
        literal(shorten(f"{sign} leans towards {people(name)}", theme.width / 2 - 20, SMALL_SIZE * BOLD))
        for sign, name in (("+", contrast.first), ("−", contrast.second))
    ]

    title = shorten(series_title(result, series), theme.width / 2, SMALL_SIZE)
    label = shorten(contrast.label, theme.width - 60, SMALL_SIZE)
    scale = f"; palest 0, darkest ±{fixed(most)}" if theme.is_narrow else ""
    caption = sentence_lines(f"{title}: {label}, nats{scale}", theme.width - 8, SMALL_SIZE)
    bottom = _BELOW + _TEXT_LINE * (len(caption) - 1)

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + height + bottom,
            "margin": {"l": left, "r": right, "t": top, "b": bottom},
            "xaxis": {"range": [-0.5, len(columns) - 0.5], "domain": [0, share], "showgrid": False, "tickvals": []},
            "yaxis": {
                "range": [len(rows) - 0.5, -0.5],
                "tickmode": "array",
                "tickvals": [at for at, name in enumerate(professions) if name],
                "ticktext": [literal(shorten(name, left - 12, SMALL_SIZE)) for name in named],
                "tickfont": {"color": theme.ink, "size": SMALL_SIZE},
                "ticklabelstandoff": 4,
                "showgrid": False,
            },
        }
    )
    figure.add_heatmap(
        z=[[None if value is None else round(value, 4) for value in row] for row in values],
        x=list(range(len(columns))),
        y=list(range(len(rows))),
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hoverinfo="text",
        hovertext=[
            [
                "" if value is None else _hover(result, str(name), column, value)
                for column, value in zip(columns, row, strict=True)
            ]
            for name, row in zip(professions, values, strict=True)
        ],
        **colour_scale(
            theme,
            most,
            hues=hues,
            length=min(220, height),
            right_of=share,
            shown=not theme.is_narrow,
        ),
    )
    if printed:
        texts = {
            (at, column): (signed(value), blend(theme.paper, hues[int(value > 0)], abs(value) / most))
            for at, row in enumerate(values)
            for column, value in enumerate(row)
            if value is not None
        }
        write_in_cells(figure, theme, "", _NUMBER_SIZE, texts)
    step = max(1, math.ceil(_TEXT_LINE / column_width))
    above: dict[str, object] = {"yref": "paper", "y": 1, "yanchor": "bottom"}
    for at in range(0, len(columns), step):
        text = "<br>".join(literal(line) for line in heads[at])
        place = {**above, "x": at, "xref": "x", "xanchor": "center", "yshift": 5, "textangle": -90, "align": "left"}
        write(figure, text, theme.muted, SMALL_SIZE, **place, hovertext=literal(columns[at]))  # whole, where cut
    for at, row in enumerate(rows):
        if isinstance(row, Heading):
            heading = literal(shorten(heading_text(row), theme.width - right, SMALL_SIZE * BOLD))
            write(figure, f"<b>{heading}</b>", theme.ink, SMALL_SIZE, y=at, xshift=4 - left)
    words_of = zip((contrast.first, contrast.second), ends, strict=True)
    words = (
        f'<span style="color:{side_hue(theme.in_words, contrast, name)}"><b>{text}</b></span>'
        for name, text in words_of
    )
    write(figure, "     ".join(words), theme.ink, SMALL_SIZE, **above, yshift=top - _LINE, xshift=4 - left)
    below: dict[str, object] = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -6}
    write(figure, "<br>".join(map(literal, caption)), theme.muted, SMALL_SIZE, **below, xshift=4 - left, align="left")
    return figure


def _cells(result: ProfessionResult, series: Series, by: str) -> tuple[list[str], dict[tuple[str, str], float]]:
    """The columns in the order of the corpus, and the difference of each (profession, column) that has one."""
    detail = result.detail
    own = detail[(detail["model"] == series[0]) & (detail["language"] == series[1])]
    own = own[own[by].notna()]
    if own.empty:
        raise OptionError("The persons of this measurement are no pairs; show it by template.")
    sides = own.groupby(["profession", by, "gender"], observed=True, sort=False)["association"].mean().unstack()
    first, second = (sides.reindex(columns=[side])[side] for side in (result.contrast.first, result.contrast.second))
    keys = zip(*(map(str, sides.index.get_level_values(level)) for level in ("profession", by)), strict=True)
    found = {key: finite(value) for key, value in zip(keys, (first - second).tolist(), strict=True)}
    columns = [str(name) for name in own[by].drop_duplicates()]
    return columns, {key: value for key, value in found.items() if value is not None}


def _hover(result: ProfessionResult, name: str, column: str, value: float) -> str:
    difference = f"{literal(result.contrast.label)}: <b>{signed(value, 4)}</b> nats"
    return f"<b>{literal(name)}</b><br>{literal(column)}<br>{difference}"
