"""The figures of reliability: matrices of correlations, the points behind one, and divergences with their words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from ...charts.heat import answering_cells, blend, outline, write_in_cells
from ...charts.key import legend_entries, model_marks, write
from ...charts.rows import (
    AXIS,
    Dot,
    SignedBar,
    add_dots,
    finite,
    name_bands,
    signed_bars,
    stack_bands,
    write_caption,
    write_not_computed,
)
from ...charts.scale import most_ticks, tick_texts, ticks_between
from ...charts.scatter import Point, Scale, plot_width, point_chart
from ...charts.text import literal, shorten, text_width
from ...charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme
from ...charts.theme import template as layout_of
from ...errors import NothingToScore, OptionError
from ...report.numbers import coefficient, fixed, p_text, percent, signed
from ...stats.correlation import FEWEST_POINTS
from ...stats.samples import is_enough
from .result import DIVERGENCE, FULL, GENDERED, PAIRS, POINTS, WORDS, AgreementResult

UNDEFINED = "–"
MOST_MATRICES = 6

_RIGHT, _BETWEEN = 8, 18  # pixels, as all that follows
_KEY, _HEAD, _BELOW = 42, 42, 26  # above all, above each matrix, below each
_KEY_LINE = 16  # a third line of the key
_LABELS = (64, 130)  # of a column of names: at least, and what it takes from large numbers
_CELL = (20, 34)  # least and greatest height
_NUMBERS = (8, 12)  # smallest and largest size of a cell's number
_WIDEST = "−.00"

# Of the points behind a correlation.
_NAMED = 12  # models; the subsets of templates and representations have numbers alone
_UP = 380  # pixels of the title of an upright axis
_PAD = 0.08  # of the span, free on either side
_LEAST = 0.1  # the scale never shows less, so that noise stays small

# Of divergences.
SCOPES = {FULL: "kl_full", GENDERED: "kl_gendered"}

_SENTENCE = 16  # pixels, above the marks of a template
_TITLE = 25  # above a panel
_GAP = 24  # between the panels
_SIDE = 8  # free left and right of them
_SMALLEST = 0.01  # nats; the scale never shows less


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


def draw(result: AgreementResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the correlations in one model, or the divergences of its templates."""
    if not result.of_pairs:
        return divergences(result, theme=theme, model=model)
    representations = tuple(result[PAIRS]["representation"].dropna().unique())
    return correlation_matrix(result, theme=theme, model=model, representations=representations)


def correlation_matrix(
    result: AgreementResult,
    *,
    theme: Theme,
    model: str | None,
    representations: tuple[str, ...] = (),
    order: tuple[str, ...] | None = None,
) -> go.Figure:
    """How far each two are correlated, r from −1 to 1, in a square of all pairs.

    For ``templates`` each of ``representations`` gives a matrix (Delobelle et al. 2022, Figures 2a and 2b),
    beside each other where the numbers have room, else below each other. A model or representations that pairs do not
    belong to are not looked at. ``order`` gives the ids of ``result.names`` in another order, such as that of a
    clustering.

    The hue of group 3 is a positive r, that of group 4 a negative one, the paper 0: no gender is meant. A
    significant r is bold, an undefined one is ``UNDEFINED``; cells of a metric with a downstream result are outlined
    (the paper's Figure 4). A cell's ``customdata`` is (representation or "", id of
    the row, id of the column).

    Raises OptionError for a model, a representation or an order the result does not have, NothingToScore where there
    is no correlation at all.
    """
    wanted: tuple[str | None, ...] = representations if result.by_template else (None,)
    if not 1 <= len(wanted) <= MOST_MATRICES:
        raise OptionError(f"The chart shows 1 to {MOST_MATRICES} representations; {len(wanted)} were given.")
    ids = tuple(result.names)
    if order is not None and sorted(order) != sorted(ids):
        raise OptionError(f"The order {', '.join(order)} is not one of {', '.join(ids)}.")
    ids = order or ids
    matrices = [_matrix(result, model, representation, ids) for representation in wanted]
    if all(cell.r is None for matrix in matrices for cell in matrix.cells.values()):
        raise NothingToScore("No correlation could be computed; the list of exclusions says why.")
    across, frame = _frame(result, theme, ids, len(matrices))
    cell_height = frame.row * len(ids)
    lines = -(-len(matrices) // across)
    inner = lines * cell_height + (lines - 1) * (_HEAD + _BELOW)
    crossing = {(row, column) for row, a in enumerate(ids) for column, b in enumerate(ids) if result.is_cross(a, b)}
    key_height = _KEY + (_KEY_LINE if crossing else 0)
    figure = go.Figure(
        layout={
            "template": layout_of(theme),
            "height": round(key_height + _HEAD + inner + _BELOW),
            "margin": {"l": round(frame.left), "r": _RIGHT, "t": key_height + _HEAD, "b": _BELOW},
        }
    )
    plot = theme.width - frame.left - _RIGHT
    share, step = frame.width / plot, (frame.width + _BETWEEN + frame.left) / plot
    for at, matrix in enumerate(matrices):
        start = (at % across) * step
        top = 1 - (at // across) * (cell_height + _HEAD + _BELOW) / inner
        domain = ((start, min(1.0, start + share)), (max(0.0, top - cell_height / inner), top))
        _draw(figure, frame, matrix, "" if at == 0 else str(at + 1), domain)
    if crossing:  # of metrics, which have one matrix
        outline(figure, theme, "", crossing)
    undefined = any(cell.r is None for matrix in matrices for cell in matrix.cells.values())
    key = (
        f'<span style="color:{theme.groups[2]}">■</span> move together, '
        f'<span style="color:{theme.groups[3]}">■</span> run against each other<br><b>bold</b>: p &lt; .05'
        + (f"; {UNDEFINED} undefined" if undefined else "")
        + ("<br>outlined: a metric with a downstream result" if crossing else "")
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
    index = {name: at for at, name in enumerate(ids)}
    cells: dict[tuple[int, int], _Cell] = {}
    columns = ["a", "b", "r", "p", "n", "significant"]
    for a, b, r_value, p_value, n, significant in rows[columns].itertuples(index=False):
        r, p = finite(r_value), finite(p_value)
        for first, second in ((str(a), str(b)), (str(b), str(a))):
            cells[index[first], index[second]] = _Cell(
                r, bool(significant), _hover(result, first, second, r, p, int(n))
            )
    if result.by_template:
        title = result.title(str(representation))
    else:
        title = "metrics over models" if result.of_models or model is None else model
    return _Matrix(representation or "", title, significance_text(rows), cells)


def _hover(result: AgreementResult, a: str, b: str, r: float | None, p: float | None, n: int) -> str:
    names = [f"{name}: {result.names[name]}" if result.by_template else result.names[name] for name in (a, b)]
    lines = [f"<b>{literal(name)}</b>" for name in names]
    lines += [literal(meaning) for name, meaning in result.meanings.items() if name in (a, b)]
    if r is None:
        lines.append(f"{n} points; {FEWEST_POINTS} are needed" if n < FEWEST_POINTS else "undefined: no variation")
    else:
        lines.append(literal(_in_words(result, r, p, n)))
    return "<br>".join(lines)


def _frame(result: AgreementResult, theme: Theme, ids: Sequence[str], count: int) -> tuple[int, _Frame]:
    """How many matrices stand beside each other, and what they have in common."""
    short, named = result.by_template, result.names
    columns = tuple(ids) if short else tuple(str(at + 1) for at in range(len(ids)))
    rows = tuple(ids) if short else tuple(f"{named[name]}  {at + 1}" for at, name in enumerate(ids))
    longest = max(text_width(row, SMALL_SIZE) for row in rows) + 11  # more than ``_cut`` takes off, by a rounding
    number = text_width(_WIDEST, 1.0)
    for across in range(count, 0, -1):
        # Long names get what the largest numbers leave; where that is little, numbers shrink before names do.
        room = (theme.width - _RIGHT - _BETWEEN * (across - 1)) / across
        spare = room - len(ids) * (_NUMBERS[1] * number * BOLD + 2)
        left = min(longest, max(_LABELS[0], spare, min(_LABELS[1], room - len(ids) * (_NUMBERS[0] * number + 1))))
        cell = (room - left) / len(ids)
        size = int((cell - 2) / number / BOLD + 0.5)
        if size >= _NUMBERS[0] or across == 1:
            break
    size = max(_NUMBERS[0], min(_NUMBERS[1], size))
    row = max(_CELL[0], min(_CELL[1], cell))
    width = (theme.width - _RIGHT - _BETWEEN * (across - 1)) / across - left
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
    above = {"x": domain[0][0], "y": domain[1][1], "yref": "paper", "yanchor": "bottom", "yshift": 4}
    write(figure, head, theme.ink, SMALL_SIZE, **above, align="left", hovertext=literal(matrix.title))


def _rounded(r: float | None) -> float | None:
    return None if r is None else round(r, 4)


def _text(cell: _Cell) -> str:
    if cell.r is None:
        return UNDEFINED
    return f"<b>{coefficient(cell.r)}</b>" if cell.significant else coefficient(cell.r)


def _ground(theme: Theme, r: float | None) -> str:
    """The colour of a cell."""
    return theme.paper if r is None else blend(theme.paper, theme.groups[2 if r > 0 else 3], min(1.0, abs(r)))


def pairs_of(result: AgreementResult, model: str | None, representation: str | None) -> pd.DataFrame:
    """The pairs of one model and representation; of what they do not belong to, all.

    Raises OptionError for a model or a representation the result does not hold, NothingToScore where it has no pair.
    """
    pairs = result[PAIRS]
    if pairs.empty:
        raise NothingToScore("The result holds no pair; agreement needs two or more.")
    for column, wanted in (("model", model), ("representation", representation)):
        held = [str(name) for name in pairs[column].dropna().unique()]
        if held and wanted not in held:
            raise OptionError(f"The result holds no {column} {wanted}; it holds {', '.join(held)}.")
    return result.pairs(model, representation)


def significance_text(rows: pd.DataFrame) -> str:
    """The number of points of these pairs, and above which |r| a correlation of so many is significant."""
    fewest, most = int(rows["n"].min()), int(rows["n"].max())
    n = f"n = {fewest}" + (f" to {most}" if most > fewest else "")
    if most < FEWEST_POINTS:
        return f"{n}: too few for a correlation"
    if not is_enough(most):
        return f"{n}: too few to say"
    bounds = rows[rows["n"] == most]["critical"].dropna()
    if bounds.empty:
        return n
    with_most = "," if most == fewest else f"; with {most},"
    return f"{n}{with_most} |r| > {coefficient(bounds.iloc[0])} is significant"


def agreement_scatter(
    result: AgreementResult,
    *,
    theme: Theme,
    model: str | None,
    representation: str | None,
    a: str,
    b: str,
) -> go.Figure:
    """A point for each subset of words, or each model, by what two measures say of it; ``a`` across, ``b`` up.

    Templates and representations are effect sizes d, positive where the female-typical professions are more strongly
    associated with the female words: both axes have one scale, and on the dashed line the two agree. Metrics have a
    scale each, and their points are named. The caption holds r, p and n of the pair, or why there is no r. A model or
    representation that pairs do not belong to is not looked at. ``customdata`` of a point is (point,), as text.

    Raises OptionError for what the result does not hold, NothingToScore where no point has both values.
    """
    for name in (a, b):
        if name not in result.names:
            raise OptionError(f"The result holds no {name}; it holds {', '.join(result.names)}.")
    if a == b:
        raise OptionError(f"{a} is not compared with itself; choose two.")
    rows = pairs_of(result, model, representation)
    across, up = _values(result, model, representation, a), _values(result, model, representation, b)
    both = [point for point in across if point in up]
    if not both:
        raise NothingToScore(f"No point has a value in both {a} and {b}; the list of exclusions says why.")
    models = result.of_models
    x, y = [across[point] for point in both], [up[point] for point in both]
    labels = [_title(result, name) for name in (a, b)]
    ends = [x, y] if models else [[*x, *y]] * 2
    room = plot_width(theme)
    scales = [_scale(values, label, models, min(room, _UP)) for values, label in zip(ends, labels, strict=True)]
    points = [
        Point(
            point if models else "",
            across[point],
            up[point],
            theme.groups[2],
            f"<b>{literal(point if models else f'subset {point}')}</b><br>{literal(labels[0])}: {signed(across[point])}"
            f"<br>{literal(labels[1])}: {signed(up[point])}",
            (point,),
        )
        for point in both
    ]
    caption = [_caption(result, rows, a, b, len(both))]
    where = [] if models or model is None else [model]
    where += [result.title(representation)] if result.by_template and representation is not None else []
    if where:
        caption.append(shorten(", ".join(where), room, TEXT_SIZE))
    return point_chart(
        points,
        *scales,
        theme=theme,
        caption=caption,
        name=f"{a} and {b}",
        square=not models,
        named=_NAMED if models else 0,
        order=range(len(points)),
        line=None if models else (0.0, 1.0),
    )


def _values(result: AgreementResult, model: str | None, representation: str | None, name: str) -> dict[str, float]:
    """The values of what is compared, by the names of the models or the numbers of the subsets."""
    points = result[POINTS]
    rows = points[points["name"] == name]
    if result.of_models:
        return dict(zip(rows["model"], rows["value"], strict=True))
    rows = rows[(rows["model"] == model) & (rows["representation"].isna() | (rows["representation"] == representation))]
    return dict(zip(rows["point"].astype(str), rows["value"], strict=True))


def _title(result: AgreementResult, name: str) -> str:
    title = result.names[name]
    return f"{name} “{title}”" if result.by_template else title


def _scale(values: Sequence[float], label: str, models: bool, room: float) -> Scale:
    low, high = min(values), max(values)
    middle, half = (low + high) / 2, max(high - low, _LEAST) / 2 * (1 + 2 * _PAD)
    marks = ticks_between(middle - half, middle + half)
    texts = tick_texts(marks, sign=not models)
    title = literal(shorten(label if models else f"d by {label}", room, SMALL_SIZE))
    return Scale(middle - half, middle + half, tuple(zip(marks, texts, strict=True)), title)


def _caption(result: AgreementResult, rows: pd.DataFrame, a: str, b: str, points: int) -> str:
    pair = rows[rows[["a", "b"]].isin([a, b]).all(axis=1)]
    r, p = (finite(pair.iloc[0][column]) if len(pair) else None for column in ("r", "p"))
    if points < FEWEST_POINTS:
        return f"n = {points}: too few for a correlation (at least {FEWEST_POINTS} are required)"
    if r is None:
        return f"r undefined: no variation, n = {points}"
    return _in_words(result, r, p, points)


def _in_words(result: AgreementResult, r: float, p: float | None, n: int) -> str:
    return ", ".join([f"{result.spec.method.label} r = {signed(r)}", *([] if p is None else [p_text(p)]), f"n = {n}"])


def divergences(result: AgreementResult, *, theme: Theme, model: str | None = None) -> go.Figure:
    """KL(template ‖ base) in nats of every template: left over the whole vocabulary, right over the gendered words.

    (Delobelle et al. 2022, Table 4.) The two have a scale each, from 0. ``model`` is the one shown, None for all: a
    line and a mark each, named above. A mark's ``customdata`` is (model, template, scope).

    Raises OptionError for an unknown model or more than can be told apart, NothingToScore where there is no value.
    """
    divergence, names = result[DIVERGENCE], result.names
    models = list(dict.fromkeys(divergence["model"]))
    shown = _chosen(models, model)
    marks = model_marks(theme, shown)
    rows = divergence[divergence["model"].isin(shown)]
    texts = {name: text for name, text in names.items() if name != result.spec.base_id}
    if not any(finite(value) is not None for column in SCOPES.values() for value in rows[column]):
        raise NothingToScore("No divergence could be computed; the list of exclusions says why.")
    bands = stack_bands([(0.0, len(shown))] * len(texts), _SENTENCE)
    plot = (theme.width - 2 * _SIDE - _GAP) / 2
    share = plot / (theme.width - 2 * _SIDE)
    figure = go.Figure(
        layout={
            "template": layout_of(theme),
            "height": round(bands[-1].bottom) + _TITLE + AXIS,
            "margin": {"l": _SIDE, "r": _SIDE, "t": _TITLE, "b": AXIS},
        }
    )
    name_bands(figure, theme, bands, [f"{template}  {text}" for template, text in texts.items()], 0)
    panels = ((FULL, "", 0.0, "whole vocabulary"), (GENDERED, "2", 1 - share, f"{len(result.gendered)} gendered words"))
    for scope, axis, start, title in panels:
        values = [number for value in rows[SCOPES[scope]] if (number := finite(value)) is not None]
        most = max([_SMALLEST, *values])
        # Room for the number behind the furthest mark on the narrowest page.
        room = plot - text_width(f"  {fixed(most, 3)}", SMALL_SIZE) - _SIDE
        figure.layout[f"xaxis{axis}"] = {
            **figure.layout.template.layout.xaxis.to_plotly_json(),
            "domain": [start, min(1.0, start + share)],
            "anchor": "y",
            "range": [0, most * plot / room],
            "nticks": most_ticks(plot, 4) + 1,
            "zeroline": True,
            "zerolinecolor": theme.zero,
            "zerolinewidth": 1.5,
        }
        for line, name in enumerate(shown):
            of_model = rows[rows["model"] == name].set_index("template")[SCOPES[scope]]
            dots = []
            for template, band in zip(texts, bands, strict=True):
                value = finite(of_model[template])
                if value is None:
                    write_not_computed(figure, theme, band.at(line), axis)
                    continue
                hover = f"<b>{literal(template)}</b>, {literal(name)}<br>{title}: {fixed(value, 4)} nats"
                data = (name, template, scope)
                dots.append(Dot(value, band.at(line), (0, value), hover, data, text=f" {fixed(value, 3)}"))
            add_dots(figure, theme, name, marks[name], dots, f"from 0, {name}", axis)
        head = {"x": start, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6}
        write(figure, f"<b>{title}</b>", theme.ink, SMALL_SIZE, **head)
    base = result.spec.base_id
    caption = f"KL from {base} “{names[base]}”, in nats: 0 is the same expectation. The scales differ."
    write_caption(figure, theme, caption)
    legend_entries(figure, theme, [(mark.hue, mark.symbol, name) for name, mark in marks.items()])
    return figure


def _chosen(models: Sequence[str], model: str | None) -> list[str]:
    if model is not None and model not in models:
        raise OptionError(f"The result holds no model {model}; it holds {', '.join(models)}.")
    return [model] if model is not None else list(models)


def contributions(result: AgreementResult, *, theme: Theme, model: str, template: str, scope: str = FULL) -> go.Figure:
    """What single words add to a divergence, p ln(p / p in the base) in nats, the largest first.

    Right is positive: the word is more expected in the template than in the base. ``scope`` is ``full`` (the words of
    the vocabulary that contribute most) or ``gendered`` (each gendered word). ``customdata`` of a bar is (word,).

    Raises OptionError for a scope that does not exist, NothingToScore where the result holds no word.
    """
    if scope not in SCOPES:
        raise OptionError(f"There is no scope {scope}; choose one of {', '.join(SCOPES)}.")
    detail, summary = result[WORDS], result[DIVERGENCE]
    rows = detail[(detail["model"] == model) & (detail["template"] == template) & (detail["scope"] == scope)]
    rows = rows[rows["contribution"].abs() < math.inf].sort_values("contribution", ascending=False, kind="stable")
    if rows.empty:
        raise NothingToScore(f"No word of {template} contributes in {model}; the list of exclusions says why.")
    total = summary.loc[(summary["model"] == model) & (summary["template"] == template), SCOPES[scope]]
    base = result.spec.base_id
    of = "whole vocabulary" if scope == FULL else f"{len(rows)} gendered words"
    bars = [
        SignedBar(
            word,
            value,
            theme.groups[2] if value > 0 else theme.neutral,
            f"<b>{literal(word)}</b><br>{literal(template)}: {percent(p, 2)}<br>{literal(base)}: "
            f"{percent(p_base, 2)}<br>contributes {signed(value, 4)} nats",
            (word,),
        )
        for word, p, p_base, value in rows[["word", "p", "p_base", "contribution"]].itertuples(index=False)
    ]
    return signed_bars(
        bars,
        theme=theme,
        name=template,
        smallest=_SMALLEST,
        sides=(("less expected",), ("more expected",)),
        caption=f"{template} from {base}, {of}: {fixed(float(total.iloc[0]), 3)} nats in all, "
        f"{len(rows)} words shown; a bar is p ln(p / p in {base})",
    )
