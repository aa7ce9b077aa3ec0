"""The numbers behind an association test: each member of X and Y with each of A and B."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.charts.heat import blend, write_in_cells
from core.charts.key import write
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore
from core.measures.association.result import AssociationCell
from core.report.numbers import signed

_MOST_LABELS = 0.32  # of the width
_LABELS = 190  # pixels, as all that follows
_COLUMN_LABELS = 120
_SET_LINE = 20
_ROW = 20
_LOWEST_ROW = 4
_TALLEST = 800  # of the map itself
_WIDEST_COLUMN = 90
_TEXT_LINE = 14  # labels closer than that would touch
_RIGHT = 74  # the scale
_ROOM_FOR_A_NUMBER = 44
# What makes each name one of its kind on a category axis, and keeps one like "12" from being read as a place.
_UNSEEN = "\u200b"


def association_matrix(
    cell: AssociationCell, *, theme: Theme, names: tuple[str, str, str, str] = ("X", "Y", "A", "B")
) -> go.Figure:
    """Cosines (or, for LPBS, associations in nats) of the members of X then Y, in rows, with those of A then B.

    The colour scale is centred on zero: positive in the hue of group 1, negative in that of group 2, zero the paper.
    ``names`` are those of the four sets as the cell holds them (see ``member_associations``). Labels are thinned
    where they would touch; every value and name is whole on hover, and values are printed where they fit. A missing
    value is a hole.

    Raises NothingToScore for a matrix without any value.
    """
    values = cell.matrix
    if not values.size or not np.isfinite(values).any():
        raise NothingToScore("There is no matrix to draw: the test could not be computed.")
    rows, first_rows = _members(cell.members_x, cell.members_y, values.shape[0])
    columns, first_columns = _members(cell.members_a, cell.members_b, values.shape[1])
    labels = min(_LABELS, _MOST_LABELS * theme.width, max(text_width(row, SMALL_SIZE) for row in rows))
    left = labels + 14 + _SET_LINE
    right = 8 if theme.is_narrow else _RIGHT
    below = min(_COLUMN_LABELS, max(text_width(column, SMALL_SIZE) for column in columns)) + 14
    row_height = max(_LOWEST_ROW, min(_ROW, _TALLEST / len(rows)))
    plot = theme.width - left - right
    share = min(1.0, _WIDEST_COLUMN * len(columns) / plot)
    column_width = plot * share / len(columns)
    most = float(np.nanmax(np.abs(np.where(np.isfinite(values), values, np.nan)))) or 1.0
    top = _SET_LINE + 10
    bottom = round(below + 8 + (_TEXT_LINE if theme.is_narrow else 0))

    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(top + row_height * len(rows)) + bottom,
            "margin": {"l": round(left), "r": right, "t": top, "b": bottom},
            "xaxis": {**_axis(columns, column_width, _COLUMN_LABELS), "domain": [0, share], "tickangle": -90},
            "yaxis": {**_axis(rows, row_height, labels), "range": [len(rows) - 0.5, -0.5]},
        }
    )
    printed = column_width >= _ROOM_FOR_A_NUMBER and row_height >= _TEXT_LINE
    figure.add_heatmap(
        z=[[round(value, 4) if np.isfinite(value) else None for value in row] for row in values.tolist()],
        x=_categories(columns),
        y=_categories(rows),
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
        write_in_cells(figure, theme, "", SMALL_SIZE - 1, texts, (_categories(rows), _categories(columns)))
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


def colour_scale(
    theme: Theme, most: float, *, hues: tuple[str, str], length: float, right_of: float, shown: bool
) -> dict[str, object]:
    """Of a heatmap, the scale from −``most`` to ``most``: from the first of ``hues`` over the paper to the second.

    Its bar, where ``shown``, is ``length`` pixels long and stands right of that share of the plot's width.
    """
    return {
        "zmin": -most,
        "zmax": most,
        "colorscale": [[0, hues[0]], [0.5, theme.paper], [1, hues[1]]],
        "showscale": shown,
        "colorbar": {
            "thickness": 10,
            "len": length,
            "lenmode": "pixels",
            "y": 1,
            "yanchor": "top",
            "x": right_of,
            "xpad": 10,
            "ypad": 0,
            "outlinewidth": 0,
            "tickmode": "array",
            "tickvals": [-most, 0, most],
            "ticktext": [signed(-most), "0", signed(most)],
            "tickfont": {"color": theme.muted, "size": SMALL_SIZE},
        },
    }


def _members(first: Sequence[str], second: Sequence[str], count: int) -> tuple[list[str], int]:
    """The names along a side of the matrix, and how many of them are the first set's.

    Pooled LPBS names a word once for every template; in the matrix it stands once.
    """
    if len(first) + len(second) != count:
        first, second = list(dict.fromkeys(first)), list(dict.fromkeys(second))
    return [*first, *second], len(first)


def _categories(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0)
    found = []
    for name in names:
        seen[name] += 1
        found.append(literal(name) + _UNSEEN * seen[name])
    return found


def _axis(names: Sequence[str], pixels: float, most: float) -> dict[str, object]:
    """A category axis whose labels keep their distance when a name takes ``pixels``."""
    step = max(1, int(np.ceil(_TEXT_LINE / pixels)))
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
    names: tuple[str, str, str, str],
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
