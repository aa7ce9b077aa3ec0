"""Which templates, representations or metrics agree: a matrix of correlations for one or two representations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from core.charts.agreement_parts import pairs_of, significance_text
from core.charts.heat import answering_cells, blend, write_in_cells
from core.charts.key import write
from core.charts.rows import finite
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, Theme, template
from core.errors import NothingToScore, OptionError
from core.measures.agreement.result import TEMPLATES, AgreementResult
from core.report.numbers import coefficient, p_text, signed
from core.stats.correlation import FEWEST_POINTS

UNDEFINED = "–"
MOST_MATRICES = 2

_RIGHT, _GAP = 8, 18  # pixels, as all that follows
_KEY, _HEAD, _BELOW = 42, 42, 26  # above all, above each matrix, below each
_LABELS = (64, 130)  # narrowest and widest column of names
_CELL = (20, 34)  # least and greatest height
_NUMBERS = (8, 12)  # smallest and largest size of a cell's number
_WIDEST = "−.00"


@dataclass(frozen=True)
class _Cell:
    """One pair, from row ``a`` to column ``b``; r is None where it is undefined."""

    r: float | None
    significant: bool
    hover: str


@dataclass(frozen=True)
class _Matrix:
    """One block of the result; cells by (row, column) in the order shown."""

    representation: str
    title: str
    caption: str
    cells: dict[tuple[int, int], _Cell]


@dataclass(frozen=True)
class _Frame:
    """What the matrices have in common: ids and the names of rows and columns as shown, and sizes in pixels."""

    theme: Theme
    ids: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    left: float
    width: float
    row: float
    size: int


def correlation_matrix(
    result: AgreementResult,
    *,
    theme: Theme,
    model: str | None,
    representations: tuple[str, ...] = (),
    order: tuple[str, ...] | None = None,
) -> go.Figure:
    """How far each two are correlated, r from −1 to 1, in a square of all pairs.

    For ``templates`` one or two ``representations`` give a matrix each (Delobelle et al. 2022, Figures 2a and 2b),
    beside each other where the numbers have room, else below each other. What a kind does not have (model,
    representations) is not looked at. ``order`` gives the ids of ``result.names`` in another order, such as that of a
    clustering.

    The hue of group 3 is a positive r, that of group 4 a negative one, the paper 0: no gender is meant. A
    significant r is bold, an undefined one is ``UNDEFINED``. A cell's ``customdata`` is (representation or "", id of
    the row, id of the column).

    Raises OptionError for a model, a representation or an order the result does not have, NothingToScore where there
    is no correlation at all.
    """
    wanted: tuple[str | None, ...] = representations if result.kind == TEMPLATES else (None,)
    if not 1 <= len(wanted) <= MOST_MATRICES:
        raise OptionError(f"The chart shows 1 to {MOST_MATRICES} representations; {len(wanted)} were given.")
    ids = tuple(name for name, _ in result.names)
    if order is not None and sorted(order) != sorted(ids):
        raise OptionError(f"The order {', '.join(order)} is not one of {', '.join(ids)}.")
    ids = order or ids
    matrices = [_matrix(result, model, one, ids) for one in wanted]
    if all(cell.r is None for matrix in matrices for cell in matrix.cells.values()):
        raise NothingToScore("No correlation could be computed; the list of exclusions says why.")
    across, frame = _frame(result, theme, ids, len(matrices))
    cell_height = frame.row * len(ids)
    lines = -(-len(matrices) // across)
    inner = lines * cell_height + (lines - 1) * (_HEAD + _BELOW)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_KEY + _HEAD + inner + _BELOW),
            "margin": {"l": round(frame.left), "r": _RIGHT, "t": _KEY + _HEAD, "b": _BELOW},
        }
    )
    share = frame.width / (frame.width * across + (_GAP + frame.left) * (across - 1))
    for at, matrix in enumerate(matrices):
        start = (at % across) * (1 - share)
        top = 1 - (at // across) * (cell_height + _HEAD + _BELOW) / inner
        domain = ((start, min(1.0, start + share)), (max(0.0, top - cell_height / inner), top))
        _draw(figure, frame, matrix, "" if at == 0 else str(at + 1), domain)
    undefined = any(cell.r is None for matrix in matrices for cell in matrix.cells.values())
    key = (
        f'<span style="color:{theme.groups[2]}">■</span> move together, '
        f'<span style="color:{theme.groups[3]}">■</span> run against each other<br><b>bold</b>: p &lt; .05'
        + (f"; {UNDEFINED} undefined" if undefined else "")
    )
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": _HEAD + 4, "align": "left"}
    write(figure, key, theme.ink, SMALL_SIZE, **above, xshift=4 - frame.left)
    return figure


def _matrix(
    result: AgreementResult,
    model: str | None,
    representation: str | None,
    ids: Sequence[str],
) -> _Matrix:
    rows = pairs_of(result, model, representation)
    named, place = dict(result.names), {name: at for at, name in enumerate(ids)}
    cells: dict[tuple[int, int], _Cell] = {}
    columns = [*result.columns, "r", "p", "n", "significant"]
    for a, b, r_value, p_value, n, significant in rows[columns].itertuples(index=False):
        r, p = finite(r_value), finite(p_value)
        for first, second in ((str(a), str(b)), (str(b), str(a))):
            cells[place[first], place[second]] = _Cell(
                r, pd.notna(significant) and bool(significant), _hover(result, first, second, named, r, p, int(n))
            )
    if result.kind == TEMPLATES:
        title = result.title(str(representation))
    else:
        title = model if model is not None and rows["model"].notna().any() else f"{result.kind} over models"
    return _Matrix(representation or "", title, significance_text(rows), cells)


def _hover(
    result: AgreementResult, a: str, b: str, named: Mapping[str, str], r: float | None, p: float | None, n: int
) -> str:
    ids = result.kind == TEMPLATES
    lines = [f"<b>{literal(f'{one}: {named[one]}' if ids else named[one])}</b>" for one in (a, b)]
    if r is None:
        lines.append(f"{n} points; {FEWEST_POINTS} are needed" if n < FEWEST_POINTS else "undefined: no variation")
    else:
        what = "Pearson" if result.options.method == "pearson" else "Spearman"
        lines.append(f"{what} r = {signed(r)}" + ("" if p is None else f", {literal(p_text(p))}") + f", n = {n}")
    return "<br>".join(lines)


def _frame(result: AgreementResult, theme: Theme, ids: Sequence[str], count: int) -> tuple[int, _Frame]:
    """How many matrices stand beside each other, and what they have in common."""
    short = result.kind == TEMPLATES
    columns = tuple(ids) if short else tuple(str(at + 1) for at in range(len(ids)))
    named = dict(result.names)
    rows = tuple(ids) if short else tuple(f"{named[name]}  {at + 1}" for at, name in enumerate(ids))
    asked = max(text_width(row, SMALL_SIZE) for row in rows) + 10
    number = text_width(_WIDEST, 1.0)
    for across in range(count, 0, -1):
        # Long names give way to the numbers, but not to nothing.
        room = (theme.width - _RIGHT - _GAP * (across - 1)) / across
        spare = room - len(ids) * (_NUMBERS[0] * number + 1)
        left = min(asked, _LABELS[1], max(_LABELS[0], spare))
        cell = (room - left) / len(ids)
        size = int((cell - 2) / number / BOLD + 0.5)
        if size >= _NUMBERS[0] or across == 1:
            break
    size = max(_NUMBERS[0], min(_NUMBERS[1], size))
    row = max(_CELL[0], min(_CELL[1], cell))
    width = (theme.width - _RIGHT - _GAP * (across - 1)) / across - left
    cut = tuple(row if short else _cut(row, left - 10) for row in rows)
    return across, _Frame(theme, tuple(ids), cut, columns, left, width, row, size)


def _cut(row: str, pixels: float) -> str:
    """A name that may be shortened, with its number, which may not."""
    name, number = row.rsplit("  ", 1)
    return f"{shorten(name, pixels - text_width(f'  {number}', SMALL_SIZE), SMALL_SIZE)}  {number}"


def _draw(
    figure: go.Figure,
    frame: _Frame,
    matrix: _Matrix,
    axis: str,
    domain: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    theme, count = frame.theme, len(frame.ids)
    r_of = {place: cell.r for place, cell in matrix.cells.items()}
    figure.add_heatmap(
        xaxis=f"x{axis}",
        yaxis=f"y{axis}",
        z=[[_rounded(r_of.get((row, column))) for column in range(count)] for row in range(count)],
        zmin=-1,
        zmax=1,
        colorscale=[[0, theme.groups[3]], [0.5, theme.paper], [1, theme.groups[2]]],
        xgap=1,
        ygap=1,
        showscale=False,
        hoverinfo="skip",
    )
    places = list(matrix.cells)
    answering_cells(
        figure,
        axis,
        matrix.title,
        places,
        min(frame.row, frame.width / count),
        [[matrix.representation, frame.ids[row], frame.ids[column]] for row, column in places],
        [matrix.cells[place].hover for place in places],
    )
    texts = {place: (_text(cell), _ground(theme, cell.r)) for place, cell in matrix.cells.items()}
    write_in_cells(figure, theme, axis, frame.size, texts)
    plain = figure.layout.template.layout.xaxis.to_plotly_json()
    tick = {"tickmode": "array", "tickvals": list(range(count)), "showgrid": False}
    figure.layout[f"xaxis{axis}"] = {
        **plain,
        **tick,
        "tickfont": {"color": theme.muted, "size": min(SMALL_SIZE, frame.size + 1)},
        "ticktext": [literal(name) for name in frame.columns],
        "domain": domain[0],
        "anchor": f"y{axis}",
        "range": [-0.5, count - 0.5],
    }
    figure.layout[f"yaxis{axis}"] = {
        **plain,
        **tick,
        "tickfont": {"color": theme.ink, "size": SMALL_SIZE},
        "ticktext": [literal(name) for name in frame.rows],
        "ticklabelstandoff": 4,
        "domain": domain[1],
        "anchor": f"x{axis}",
        "range": [count - 0.5, -0.5],
    }
    title = shorten(matrix.title, frame.width, SMALL_SIZE * BOLD)
    head = f'<b>{literal(title)}</b><br><span style="color:{theme.muted}">{literal(matrix.caption)}</span>'
    place = {"x": domain[0][0], "y": domain[1][1], "yref": "paper", "yanchor": "bottom", "yshift": 4}
    write(figure, head, theme.ink, SMALL_SIZE, **place, align="left", hovertext=literal(matrix.title))


def _rounded(r: float | None) -> float | None:
    return None if r is None else round(r, 4)


def _text(cell: _Cell) -> str:
    if cell.r is None:
        return UNDEFINED
    return f"<b>{coefficient(cell.r)}</b>" if cell.significant else coefficient(cell.r)


def _ground(theme: Theme, r: float | None) -> str:
    """The colour of a cell."""
    return theme.paper if r is None else blend(theme.paper, theme.groups[2 if r > 0 else 3], min(1.0, abs(r)))
