"""The figures of log probability bias scores: bars for each attribute, one model against another, top predictions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence

import plotly.graph_objects as go

from ...charts.key import legend_entries, model_marks, write
from ...charts.rows import (
    AXIS,
    EDGE,
    RIGHT,
    Bar,
    Dot,
    Gap,
    Panel,
    SignedBar,
    add_dots,
    add_panel,
    axis_name,
    choose,
    empty_figure,
    extent,
    finite,
    label_column,
    label_rows,
    label_width,
    name_bands,
    numbers_width,
    reach_of,
    signed_bars,
    stack_bands,
    write_caption,
    write_directions,
)
from ...charts.scale import most_ticks, tick_texts, ticks
from ...charts.scatter import SIDE, Point, Scale, correlation_caption, plot_width, point_chart
from ...charts.text import literal, sentence_lines, shorten, text_width, wrap
from ...charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, hue, template
from ...errors import NothingToScore, OptionError
from ...report.numbers import counted, interval, p_text, percent, signed
from ...result import Contrast, Group
from ...stats.samples import ALPHA, LEAST
from .result import OVERALL, SHARES, LpbsResult

MOST_PANELS = 4
EXTREMES = 26  # bars that fit on a screen

_LABELS = 225  # pixels; "director of religious activities" fits
_LABELS_BESIDE_PANELS = 190
_TITLE_LINE = 16
_PANEL_GAP = 14
_NARROWEST = 121  # of a panel beside another; those that find no room stand below
_NAMED = 8
_FILL_ROW = 21  # pixels
_WORDS = 110
_NUMBERS = 62
_NOMINAL = 290  # the width of the card, for which room is kept beside the longest bar
_SIDE, _ABOVE, _BAND_NAME = 12, 28, 18  # pixels, of the shares: beside and above the plot, and of a row's name
_GAP_TEXTS = {"lean": "between", "name": "that lean less"}


def draw(result: LpbsResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the furthest scores of one model in the first contrast."""
    return tilt(result, contrast=result.contrasts[0], model=model, theme=theme, limit=EXTREMES)


def tilt(
    result: LpbsResult,
    *,
    contrast: Contrast,
    model: str,
    theme: Theme,
    order: str = "lean",
    limit: int | None = None,
    highlight: str | None = None,
) -> go.Figure:
    """One model's log probability bias score per attribute, in nats, as diverging horizontal bars.

    Right is positive and leans towards the contrast's first group; the hue is that of the favoured group, the thin line
    the 95 % interval. ``order`` is ``lean`` or ``name``; ``limit`` keeps the outermost rows (by name: the
    strongest) and counts the others in one; the row of ``highlight`` is shaded and always shown. ``customdata`` of
    a bar is (attribute, model). An attribute without a value has no bar.

    Raises OptionError for an unknown contrast, model or order or a limit below 2, NothingToScore for no value.
    """
    bars = {bar.name: bar for bar in values(result, contrast, model)}
    rows = choose({name: bar.value for name, bar in bars.items()}, order=order, limit=limit, highlight=highlight)
    shown = [bars[row] for row in rows if isinstance(row, str)]
    return diverging_bars(
        bars,
        rows,
        contrast=contrast,
        groups=result.groups,
        theme=theme,
        name=model,
        gap=_GAP_TEXTS[order],
        directions=_directions(result, contrast, theme),
        caption=_caption(contrast, shown),
        highlight=highlight,
    )


def diverging_bars(
    bars: Mapping[str, Bar],
    rows: tuple[str | Gap, ...],
    *,
    contrast: Contrast,
    groups: tuple[Group, ...],
    theme: Theme,
    name: str,
    gap: str,
    directions: Sequence[tuple[str, Sequence[str]]],
    caption: str,
    title: Sequence[str] = (),
    highlight: str | None = None,
) -> go.Figure:
    """Bars to both sides of zero, a row each, their numbers at their ends.

    ``gap`` says of the rows that are counted in one what they are, ``directions`` of the left and of the right side
    what it means (``write_directions``), ``title`` stands above everything, a line each. The row of ``highlight`` is
    shaded. ``name`` is that of the bars' trace.
    """
    shown = [bars[row] for row in rows if isinstance(row, str)]
    left = label_column(theme, _texts(rows, gap), _LABELS)
    pixels = (theme.width - left - RIGHT) / 2
    half = extent(shown) * pixels / max(pixels - numbers_width(shown), pixels / 4)
    panel = Panel(contrast, groups, theme, rows, half, reach_of(half, pixels), most_ticks(pixels, 3))
    figure = empty_figure(panel, left, top=(_TITLE_LINE + 1) * len(title) + 36)
    if title:
        text = "<br>".join(f"<b>{literal(line)}</b>" for line in title)
        above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 25, "xshift": EDGE - round(left)}
        write(figure, text, theme.ink, TEXT_SIZE, **above, align="left")
    if highlight in rows:
        _shade(figure, rows.index(highlight), left, theme)
    label_rows(figure, panel.row, _labels(rows, gap, theme, _LABELS, highlight), len(rows))
    add_panel(figure, panel, dict(bars), name, highlight, ("", ""), (0.0, 1.0))
    write_directions(figure, directions, pixels, 4)
    write_caption(figure, theme, caption)
    return figure


def small_multiples(
    result: LpbsResult, *, contrast: Contrast, theme: Theme, order: str = "lean", limit: int | None = None
) -> go.Figure:
    """The scores of 2 to 4 models side by side: one row per attribute, one scale, a panel per model.

    Signs, hues and ``customdata`` are those of ``tilt``. Rows are ordered, and chosen under a ``limit``, by the mean
    of the models that have a value, or by name.

    Raises OptionError for another number of models, and as ``tilt`` does.
    """
    models = models_of(result)
    if not 2 <= len(models) <= MOST_PANELS:
        raise OptionError(f"Panels side by side take 2 to {MOST_PANELS} models; the result holds {len(models)}.")
    by_model = {model: {bar.name: bar for bar in values(result, contrast, model)} for model in models}
    lean: dict[str, float] = {}
    for attribute in dict.fromkeys(name for bars in by_model.values() for name in bars):
        scores = [bars[attribute].value for bars in by_model.values() if attribute in bars]
        lean[attribute] = math.fsum(scores) / len(scores)
    rows = choose(lean, order=order, limit=limit)
    gap = _GAP_TEXTS[order]
    shown = [bars[row] for bars in by_model.values() for row in rows if isinstance(row, str) and row in bars]

    left = label_column(theme, _texts(rows, gap), _LABELS_BESIDE_PANELS)
    plot = theme.width - left - RIGHT
    fitting = max(1, int((plot + _PANEL_GAP) / (_NARROWEST + _PANEL_GAP)))
    lines = -(-len(models) // fitting)
    across = -(-len(models) // lines)
    width = (plot - _PANEL_GAP * (across - 1)) / across
    numbers = numbers_width(shown)
    pixels = (width - numbers) / 2
    half = extent(shown) * 1.04
    column = half * numbers / pixels
    panel = Panel(contrast, result.groups, theme, rows, half, reach_of(half, pixels), 1, column)

    titles = {model: wrap(model, width, SMALL_SIZE * BOLD, 4) for model in models}
    title_height = _TITLE_LINE * max(map(len, titles.values())) + 4
    tall, between = panel.row.height * len(rows), AXIS + title_height
    inner = lines * tall + (lines - 1) * between
    figure = empty_figure(panel, left, top=title_height + _TITLE_LINE + 26, inner=inner)
    labels = _labels(rows, gap, theme, _LABELS_BESIDE_PANELS)
    for line in range(lines):
        top = 1 - line * (tall + between) / inner
        label_rows(figure, panel.row, labels, len(rows), axis_name(line), domain=(max(0.0, top - tall / inner), top))
    for index, (model, bars) in enumerate(by_model.items()):
        start = index % across * (width + _PANEL_GAP) / plot
        domain = (start, min(1.0, start + width / plot))
        axes = (axis_name(index), axis_name(index // across))
        add_panel(figure, panel, bars, model, None, axes, domain)
        text = "<br>".join(f"<b>{literal(line)}</b>" for line in titles[model])
        middle = {"x": 0.5, "xref": f"x{axes[0]} domain", "xanchor": "center"}
        above = {"y": 1, "yref": f"y{axes[1]} domain", "yanchor": "bottom", "yshift": 4}
        write(figure, text, theme.ink, SMALL_SIZE, **middle, **above)
    write_directions(figure, _directions(result, contrast, theme), plot / 2, title_height + 10)
    write_caption(figure, theme, _caption(contrast, shown))
    return figure


def _texts(rows: Sequence[str | Gap], gap: str) -> list[str]:
    return [row if isinstance(row, str) else f"· · · {row.count} more {gap}" for row in rows]


def _labels(
    rows: Sequence[str | Gap], gap: str, theme: Theme, most: float, highlight: str | None = None
) -> dict[int, str]:
    """The labels of rows as they are drawn: cut where they are too long, that of ``highlight`` in bold."""
    room = label_width(theme, most)
    labels = {}
    for at, (row, text) in enumerate(zip(rows, _texts(rows, gap), strict=True)):
        if isinstance(row, Gap):
            labels[at] = f'<span style="color:{theme.muted}">{text}</span>'
        elif row == highlight:
            labels[at] = f"<b>{literal(shorten(text, room, TEXT_SIZE * BOLD))}</b>"
        else:
            labels[at] = literal(shorten(text, room, TEXT_SIZE))
    return labels


def _shade(figure: go.Figure, position: int, left: float, theme: Theme) -> None:
    """Shade a row from the left edge of the figure, labels included, to the right edge of the plot."""
    row: dict[str, object] = {"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": theme.shade}
    row |= {"xref": "paper", "y0": position - 0.5, "y1": position + 0.5}
    figure.add_shape(x0=0, x1=1, **row)
    figure.add_shape(x0=-round(left), x1=0, xsizemode="pixel", xanchor=0, **row)


def contrasts(result: LpbsResult, *, model: str, theme: Theme) -> go.Figure:
    """One model's mean score (nats) in every contrast of its groups, as diverging bars, at most ``EXTREMES`` of them.

    Right is positive and leans towards the group named first. A bar has the hue of the group it leans towards where
    the lean is clear (adjusted p below .05), else it is hatched; the thin line is the 95 % interval. A bar's
    ``customdata`` is (contrast, model).

    Raises NothingToScore where no contrast has a score.
    """
    rows = result[OVERALL]
    records = rows[rows["model"] == model].dropna(subset="lpbs").to_dict("records")
    found = {record["contrast"]: record for record in records}
    chosen = choose({label: record["lpbs"] for label, record in found.items()}, order="lean", limit=EXTREMES)
    named = {contrast.label: contrast for contrast in result.contrasts}
    bars = [row if isinstance(row, Gap) else _contrast_bar(result, named[row], found[row], theme) for row in chosen]
    with_p = int(rows["p_value"].notna().sum())
    judged = (
        f"hatched: no clear lean (p ≥ .05, adjusted over {with_p} tests); thin line: 95 % interval"
        if with_p
        else f"no interval and no p: fewer than {LEAST} attributes"
    )
    return signed_bars(
        bars,
        theme=theme,
        name=model,
        smallest=0.1,
        sides=(_side("second"), _side("first")),
        caption=f"mean LPBS over the attributes, nats; {judged}",
    )


def _side(place: str) -> tuple[str, ...]:
    return f"leans towards the group named {place}", f"towards the {place} group", f"{place} group"


def _contrast_bar(result: LpbsResult, contrast: Contrast, row: Mapping[Hashable, object], theme: Theme) -> SignedBar:
    value, low, high, p = (finite(row[name]) for name in ("lpbs", "ci_low", "ci_high", "p_adjusted"))
    assert value is not None
    group = contrast.first if value > 0 else contrast.second
    clear = p is not None and p < ALPHA
    lines = [f"<b>{literal(contrast.label)}</b>", f"{signed(value, 3)} nats, n = {row['n']}"]
    if low is not None and high is not None and p is not None:
        lines += [interval(low, high), f"adjusted {p_text(p)}"]
    lines.append(f"leans towards {literal(group)}" if clear else "no clear lean")
    return SignedBar(
        contrast.label,
        value,
        hue(theme, result.groups, group) if clear else theme.neutral,
        "<br>".join(lines),
        (contrast.label, str(row["model"])),
        hatched=p is not None and not clear,
        interval=None if low is None or high is None else (low, high),
    )


def _directions(result: LpbsResult, contrast: Contrast, theme: Theme) -> list[tuple[str, tuple[str, str]]]:
    """Which side leans towards which group; a long name does without its verb before it is cut."""
    return [
        (hue(theme.in_words, result.groups, group), (f"leans towards {group}", group))
        for group in (contrast.second, contrast.first)
    ]


def _caption(contrast: Contrast, shown: Sequence[Bar]) -> str:
    """The quantity, its unit and the thin lines."""
    has_some = any(bar.interval for bar in shown)
    intervals = "thin line: 95 % interval" if has_some else f"no interval: fewer than {LEAST} values each"
    first, second = (shorten(name, 150, SMALL_SIZE) for name in (contrast.first, contrast.second))
    return f"LPBS {first} − {second}, nats; {intervals}"


def shares(result: LpbsResult, *, contrast: Contrast, theme: Theme) -> go.Figure:
    """The share of the attributes that lean towards the contrast's first group, in percent, from 0 to 100.

    A row for the mean over all templates and one for each template, where there are several, with a mark for each
    model; thin lines are 95 % intervals (Wilson). Left of the line at 50 % more attributes lean towards the second
    group. (Kurita et al. 2019, Table 5.)

    Raises OptionError for an unknown contrast or too many models, NothingToScore where there is no share.
    """
    _check_contrast(result, contrast)
    rows = result[SHARES]
    rows = rows[(rows["contrast"] == contrast.label) & (rows["n"] > 0)]
    if rows.empty:
        raise NothingToScore("No attribute has a score in this contrast; the list of exclusions says why.")
    marks = model_marks(theme, list(dict.fromkeys(rows["model"])))
    several = bool(rows["template"].notna().any())
    names = {"": "all templates" if several else result.templates[0]}
    names |= {template: template for template in rows["template"].dropna().unique()}
    bands = stack_bands([(0.0, len(marks))] * len(names), _BAND_NAME)
    numbers = [f"{percent(share)} of {n:,}" for share, n in zip(rows["share"], rows["n"], strict=True)]
    right = round(max(text_width(number, SMALL_SIZE) for number in numbers)) + 2 * _SIDE
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(bands[-1].bottom) + _ABOVE + AXIS,
            "margin": {"l": _SIDE, "r": right, "t": _ABOVE, "b": AXIS},
            "xaxis": {
                "range": [0, 100],
                "tickmode": "array",
                "tickvals": [0, 25, 50, 75, 100],
                "ticktext": ["0", "25", "50", "75", "100 %"],
            },
        }
    )
    name_bands(figure, theme, bands, list(names.values()), 0)
    figure.add_shape(
        type="line", x0=50, x1=50, y0=0, y1=1, yref="paper", layer="below", line={"color": theme.zero, "width": 1.5}
    )
    for line, (model, mark) in enumerate(marks.items()):
        dots = []
        for at, name in enumerate(names):
            found = rows[(rows["model"] == model) & (rows["template"].fillna("") == name)]
            for row in found.to_dict("records"):
                y = bands[at].at(line)
                low, high = finite(row["ci_low"]), finite(row["ci_high"])
                span = None if low is None or high is None else (100 * low, 100 * high)
                dots.append(Dot(100 * row["share"], y, span, _shares_hover(row, contrast, names[name])))
                end = {"x": 1, "xref": "paper", "xanchor": "right", "xshift": right - 4, "y": y}
                write(figure, f"{percent(row['share'])} of {row['n']:,}", theme.muted, SMALL_SIZE, **end)
        add_dots(figure, theme, model, mark, dots, f"95 % interval, {model}")
    room = (theme.width - _SIDE - right) / 2
    sides = [
        (hue(theme.in_words, result.groups, group), (f"more lean towards {group}", group))
        for group in (contrast.second, contrast.first)
    ]
    write_directions(figure, sides, room, 6)
    known = rows["ci_low"].notna().any()
    intervals = "thin line: 95 % interval" if known else f"no interval: fewer than {LEAST} attributes"
    first = shorten(contrast.first, 150, SMALL_SIZE)
    write_caption(figure, theme, f"% of attributes that lean towards {first}; {intervals}")
    if len(marks) > 1:
        legend_entries(figure, theme, [(mark.hue, mark.symbol, name) for name, mark in marks.items()])
    return figure


def _shares_hover(row: Mapping[Hashable, object], contrast: Contrast, name: str) -> str:
    """What hovering says of a share, in plotly's markup."""
    lines = [
        f"<b>{literal(str(row['model']))}</b>",
        literal(name),
        *(
            f"towards {literal(group)}: {row[side]}"
            for group, side in ((contrast.first, "first"), (contrast.second, "second"))
        ),
        f"towards neither: {row['ties']}; n = {row['n']}",
    ]
    low, high = finite(row["ci_low"]), finite(row["ci_high"])
    if low is not None and high is not None:
        lines.append(f"95 % CI {percent(low)} to {percent(high)} towards {literal(contrast.first)}")
    return "<br>".join(lines)


def model_against_model(
    result: LpbsResult, *, contrast: Contrast, x_model: str, y_model: str, theme: Theme
) -> go.Figure:
    """The log probability bias scores (nats) of one model against another, a point per attribute both have.

    Both axes have the same scale; positive leans towards the contrast's first group; on the dashed line the models
    agree. A point has the hue of the group both lean towards, none where they differ. The attributes that differ most
    are named where there is room. The caption holds Pearson's r and n; under 4 points, or where a model's scores
    do not vary, it says why there is none. A point's ``customdata`` is (attribute,).

    Raises OptionError for an unknown contrast or model, NothingToScore where no attribute has both scores.
    """
    across = {bar.name: bar.value for bar in values(result, contrast, x_model)}
    up = {bar.name: bar.value for bar in values(result, contrast, y_model)}
    both = {attribute: (across[attribute], up[attribute]) for attribute in across if attribute in up}
    if not both:
        raise NothingToScore(f"No attribute has a score in both {x_model} and {y_model}.")
    x, y = zip(*both.values(), strict=True)
    half = 1.08 * max(0.1, *map(abs, x), *map(abs, y))
    room = min(SIDE, plot_width(theme))
    positions = ticks(half, most_ticks(room / 2, 4))
    marks = tuple(zip(positions, tick_texts(positions), strict=True))
    return point_chart(
        [
            Point(
                attribute,
                a,
                b,
                _hue(result, contrast, theme, a, b),
                f"<b>{literal(attribute)}</b><br>{literal(x_model)}: {signed(a)}<br>{literal(y_model)}: {signed(b)}"
                f"<br>difference: {signed(b - a)} nats",
                (attribute,),
            )
            for attribute, (a, b) in both.items()
        ],
        *(Scale(-half, half, marks, _axis_title(result, contrast, name, theme, room)) for name in (x_model, y_model)),
        theme=theme,
        caption=sentence_lines(correlation_caption(x, y), room, TEXT_SIZE),
        name=contrast.label,
        square=True,
        named=_NAMED,
        order=sorted(range(len(both)), key=lambda at: -abs(x[at] - y[at])),
        line=(0.0, 1.0),
    )


def _hue(result: LpbsResult, contrast: Contrast, theme: Theme, x: float, y: float) -> str:
    if x * y <= 0:
        return theme.neutral
    return hue(theme, result.groups, contrast.first if x > 0 else contrast.second)


def _axis_title(result: LpbsResult, contrast: Contrast, model: str, theme: Theme, side: int) -> str:
    """The model between the two directions; turned upright, the arrows point down and up."""
    most = side * 0.22
    arrows = [f"◀ {shorten(contrast.second, most, SMALL_SIZE)}", f"{shorten(contrast.first, most, SMALL_SIZE)} ▶"]
    second, first = (
        f'<span style="color:{hue(theme.in_words, result.groups, group)}"><b>{literal(text)}</b></span>'
        for group, text in zip((contrast.second, contrast.first), arrows, strict=True)
    )
    room = side - sum(text_width(text, SMALL_SIZE * BOLD) for text in (*arrows, "  ·  , nats  ·  "))
    return f"{second}  ·  {literal(shorten(model, room, SMALL_SIZE))}, nats  ·  {first}"


def top_fills(words: Sequence[str], probabilities: Sequence[float], theme: Theme) -> go.Figure:
    """Words with their probabilities (0 to 1) as grey bars, in the order given, the first on top.

    A bar's ``customdata`` is (word,). A probability that is not finite has no bar. Raises ValueError where the
    two sequences differ in length.
    """
    found = [(word, p) for word, p in zip(words, probabilities, strict=True) if math.isfinite(p)]
    most = max((p for _, p in found), default=1.0) or 1.0
    left = round(min(_WORDS, max((text_width(word, TEXT_SIZE) for word, _ in found), default=0))) + 12
    plot = _NOMINAL - left - 4
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": _FILL_ROW * max(1, len(found)) + 8,
            "margin": {"l": left, "r": 4, "t": 4, "b": 4},
            "xaxis": {"range": [0, most * plot / (plot - _NUMBERS)], "visible": False},
            "yaxis": {
                "range": [max(1, len(found)) - 0.5, -0.5],
                "tickmode": "array",
                "tickvals": list(range(len(found))),
                "ticktext": [literal(shorten(word, _WORDS, TEXT_SIZE)) for word, _ in found],
                "tickfont": {"size": TEXT_SIZE, "color": theme.ink},
                "ticklabelstandoff": 4,
                "showgrid": False,
            },
        }
    )
    figure.add_bar(
        orientation="h",
        x=[float(p) for _, p in found],
        y=list(range(len(found))),
        width=0.42,
        marker={"color": theme.neutral, "line": {"width": 0}, "cornerradius": 2},
        customdata=[[word] for word, _ in found],
        text=[percent(p) for _, p in found],
        textposition="outside",
        constraintext="none",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[f"<b>{literal(word)}</b>: {percent(p, 2)}" for word, p in found],
    )
    return figure


def models_of(result: LpbsResult) -> tuple[str, ...]:
    """The models with scores, in the order of the result."""
    return tuple(dict.fromkeys(str(model) for model in result["attributes"]["model"]))


def _check_contrast(result: LpbsResult, contrast: Contrast) -> None:
    if contrast not in result.contrasts:
        known = ", ".join(known.label for known in result.contrasts)
        raise OptionError(f"The result holds no contrast {contrast.label}; it holds {known}.")


def values(result: LpbsResult, contrast: Contrast, model: str) -> tuple[Bar, ...]:
    """The finite scores of a model in a contrast, in the order of the table.

    Raises OptionError for a contrast or a model the result does not hold.
    """
    _check_contrast(result, contrast)
    if model not in models_of(result):
        raise OptionError(f"The result holds no model {model}; it holds {', '.join(models_of(result))}.")
    scores = result["attributes"]
    chosen = scores[(scores["model"] == model) & (scores["contrast"] == contrast.label)]
    family = int(scores["p_value"].notna().sum())
    association = _association_lines(result, contrast, model)
    found = []
    for row in chosen.to_dict("records"):
        lpbs = finite(row["lpbs"])
        if lpbs is None:
            continue
        low, high = finite(row["ci_low"]), finite(row["ci_high"])
        ends = None if low is None or high is None else (low, high)
        attribute = str(row["attribute"])
        lines = [
            f"<b>{literal(attribute)}</b>",
            f"{literal(contrast.label)}: {signed(lpbs)} nats",
            *association.get(attribute, ()),
            *_statistics_lines(row, ends, family),
        ]
        found.append(Bar(attribute, lpbs, ends, "<br>".join(lines)))
    return tuple(found)


def _association_lines(result: LpbsResult, contrast: Contrast, model: str) -> dict[str, list[str]]:
    """Per attribute and group of the contrast, what the model gives the group's words with and without it."""
    causal = any(info.name == model and info.kind == "causal" for info in result.provenance.models)
    names = [group.name for group in result.groups]
    shown = [contrast.first, contrast.second]
    if contrast.second not in names:
        shown = [contrast.first, *(name for name in names if name != contrast.first)]
    detail = result["targets"][result["targets"]["model"] == model]
    means = detail.groupby(["attribute", "group"], observed=True, sort=False)[["ln_p_target", "ln_p_prior"]].mean()
    by_key = {(str(row[0]), str(row[1])): (row[2], row[3]) for row in means.reset_index().itertuples(index=False)}
    lines: dict[str, list[str]] = {}
    for attribute in dict.fromkeys(attribute for attribute, _ in by_key):
        lines[attribute] = [
            _association_line(name, *by_key[attribute, name], causal=causal)
            for name in shown
            if (attribute, name) in by_key
        ]
    return lines


def _association_line(name: str, target: object, prior: object, *, causal: bool) -> str:
    written = []
    for value, what in ((finite(target), ""), (finite(prior), "prior ")):
        if value is not None:
            written.append(what + (f"ln P {signed(value)}" if causal else percent(math.exp(value), 2)))
    return f"{literal(name)}: {', '.join(written) or 'no probability'}"


def _statistics_lines(row: Mapping[Hashable, object], ends: tuple[float, float] | None, family: int) -> list[str]:
    lines = []
    if (n := finite(row["n"])) is not None:
        lines.append(f"n = {counted(n, 'value')}")
    if ends is not None:
        lines.append(interval(*ends))
    p_value, adjusted = finite(row["p_value"]), finite(row["p_adjusted"])
    if p_value is not None:
        line = f"sign-flip {p_text(p_value)}"
        if adjusted is not None:
            line += f", adjusted {p_text(adjusted)} over {family} tests"
        lines.append(line)
    return lines
