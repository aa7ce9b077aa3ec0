"""How far the blank of each template is from the base template's, and which words make it so."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.charts.key import Mark, key_lines, model_marks, write
from core.charts.rows import finite
from core.charts.scale import tick_texts, ticks, ticks_between
from core.charts.text import literal, sentence_lines, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme
from core.charts.theme import template as layout_of
from core.errors import NothingToScore, OptionError
from core.measures.agreement.result import DivergenceResult
from core.report.numbers import fixed, percent, signed

FULL, GENDERED = "full", "gendered"
SCOPES = {FULL: "kl_full", GENDERED: "kl_gendered"}

_SIDE = 8  # pixels, as all that follows
_TEXT, _SLOT, _PADDING = 20, 16, 6  # of a template: its sentence, a line a model, and what is below
_LINE = 16
_AXIS = 28
_GAP = 24
_MARKER = 9
_SMALLEST = 0.01  # nats; the scale never shows less
_WORDS = 110
_ROW = 20
_BAR = 0.56


def divergences(result: DivergenceResult, *, theme: Theme, model: str | None = None) -> go.Figure:
    """KL(template ‖ base) in nats of every template: left over the whole vocabulary, right over the gendered words.

    (Delobelle et al. 2022, Table 4.) The two have a scale each, from 0. ``model`` is the one shown, None for all: a
    line and a mark each, named above. A mark's ``customdata`` is (model, template, scope).

    Raises OptionError for an unknown model or more than can be told apart, NothingToScore where there is no value.
    """
    models = list(dict.fromkeys(str(name) for name in result.summary["model"]))
    shown = _chosen(models, model)
    marks = model_marks(theme, shown)
    rows = result.summary[result.summary["model"].isin(shown)]
    texts = {name: text for name, text in result.templates if name != result.options.base}
    if not any(finite(value) is not None for column in SCOPES.values() for value in rows[column]):
        raise NothingToScore("No divergence could be computed; the list of exclusions says why.")
    band = _TEXT + _SLOT * len(shown) + _PADDING
    key = key_lines(theme, [(mark.hue, mark.glyph, name) for name, mark in marks.items()])
    base = dict(result.templates)[result.options.base]
    below = sentence_lines(
        f"KL from {result.options.base} “{base}”, in nats: 0 is the same expectation. The scales differ.",
        theme.width - 2 * _SIDE,
        SMALL_SIZE,
    )
    top = _LINE * (len(key) + 2) + 14
    bottom = _AXIS + _LINE * len(below) + 8
    figure = go.Figure(
        layout={
            "template": layout_of(theme),
            "height": band * len(texts) + top + bottom,
            "margin": {"l": _SIDE, "r": _SIDE, "t": top, "b": bottom},
            "yaxis": {"range": [band * len(texts), 0], "visible": False},
        }
    )
    gendered = f"{len(result.gendered)} gendered words"
    half = (1 - _GAP / (theme.width - 2 * _SIDE)) / 2
    panels = ((FULL, "whole vocabulary", 0.0), (GENDERED, gendered, 1 - half))
    for at, (scope, title, start) in enumerate(panels):
        axis = "" if at == 0 else str(at + 1)
        values = [value for one in rows[SCOPES[scope]] if (value := finite(one)) is not None]
        most = max([_SMALLEST, *values])
        number = text_width(f" {fixed(most, 3)}", SMALL_SIZE) + _MARKER
        plot = (theme.width - 2 * _SIDE - _GAP) / 2
        positions = ticks_between(0, most)
        figure.layout[f"xaxis{axis}"] = {
            **figure.layout.template.layout.xaxis.to_plotly_json(),
            "domain": [start, min(1.0, start + half)],
            "anchor": "y",
            # Room for the number behind the furthest mark on the narrowest page.
            "range": [0, most * plot / (plot - number)],
            "tickmode": "array",
            "tickvals": positions[:: 2 if len(positions) > 4 else 1],
            "ticktext": tick_texts(positions, sign=False)[:: 2 if len(positions) > 4 else 1],
            "zeroline": True,
            "zerolinecolor": theme.zero,
            "zerolinewidth": 1.5,
        }
        for place, (name, mark) in enumerate(marks.items()):
            found = {
                str(one): finite(value)
                for one, value in rows.loc[rows["model"] == name, ["template", SCOPES[scope]]].itertuples(index=False)
            }
            heights = {one: index * band + _TEXT + _SLOT * (place + 0.5) for index, one in enumerate(texts)}
            _stems(figure, theme, axis, (name, mark), (scope, title), found, heights)
        head = {"x": start, "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 6}
        write(figure, f"<b>{title}</b>", theme.ink, SMALL_SIZE, **head)
    for index, (name, text) in enumerate(texts.items()):
        sentence = shorten(f"{name}  {text}", theme.width - 2 * _SIDE, TEXT_SIZE)
        write(figure, literal(sentence), theme.ink, TEXT_SIZE, y=index * band + _TEXT / 2, bgcolor=theme.paper)
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": _LINE + 12, "align": "left"}
    write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, **above)
    write(
        figure,
        "<br>".join(literal(line) for line in below),
        theme.muted,
        SMALL_SIZE,
        y=0,
        yref="paper",
        yanchor="top",
        yshift=-_AXIS,
        align="left",
    )
    return figure


def _chosen(models: Sequence[str], model: str | None) -> list[str]:
    if model is not None and model not in models:
        raise OptionError(f"The result holds no model {model}; it holds {', '.join(models)}.")
    return [model] if model is not None else list(models)


def _stems(
    figure: go.Figure,
    theme: Theme,
    axis: str,
    model: tuple[str, Mark],
    scope: tuple[str, str],
    found: dict[str, float | None],
    heights: dict[str, float],
) -> None:
    """One model's marks of a panel, each on a line from 0, with its number; what has none says so."""
    name, mark = model
    drawn = [(one, value, heights[one]) for one, value in found.items() if value is not None]
    figure.add_scatter(
        name=f"from 0, {name}",
        xaxis=f"x{axis}",
        x=[x for _, value, _ in drawn for x in (0, value, None)],
        y=[y for *_, at in drawn for y in (at, at, None)],
        mode="lines",
        line={"color": mark.hue, "width": 1.4},
        hoverinfo="skip",
    )
    figure.add_scatter(
        name=name,
        xaxis=f"x{axis}",
        x=[value for _, value, _ in drawn],
        y=[at for *_, at in drawn],
        mode="markers+text",
        customdata=[[name, one, scope[0]] for one, *_ in drawn],
        marker={"symbol": mark.symbol, "size": _MARKER, "color": mark.hue, "opacity": 1, "line": {"width": 0}},
        text=[f" {fixed(value, 3)}" for _, value, _ in drawn],
        textposition="middle right",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": theme.muted}},
        cliponaxis=False,
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(one)}</b>, {literal(name)}<br>{scope[1]}: {fixed(value, 4)} nats" for one, value, _ in drawn
        ],
    )
    for one, value in found.items():
        if value is None:
            place = {"x": 0, "xref": f"x{axis}", "xshift": 6, "y": heights[one]}
            write(figure, "not computed", theme.muted, SMALL_SIZE, **place)


def contributions(result: DivergenceResult, *, theme: Theme, model: str, template: str, scope: str = FULL) -> go.Figure:
    """What single words add to a divergence, p ln(p / p in the base) in nats, the largest first.

    Right is positive: the word is more expected in the template than in the base. ``scope`` is ``full`` (the words of
    the vocabulary that contribute most) or ``gendered`` (each gendered word). ``customdata`` of a bar is (word,).

    Raises OptionError for a scope that does not exist, NothingToScore where the result holds no word.
    """
    if scope not in SCOPES:
        raise OptionError(f"There is no scope {scope}; choose one of {', '.join(SCOPES)}.")
    detail, summary = result.detail, result.summary
    rows = detail[(detail["model"] == model) & (detail["template"] == template) & (detail["scope"] == scope)]
    rows = rows.sort_values("contribution", ascending=False, kind="stable")
    found = [
        (str(word), float(p), float(base), value)
        for word, p, base, one in rows[["word", "p", "p_base", "contribution"]].itertuples(index=False)
        if (value := finite(one)) is not None
    ]
    if not found:
        raise NothingToScore(f"No word of {template} contributes in {model}; the list of exclusions says why.")
    total = summary.loc[(summary["model"] == model) & (summary["template"] == template), SCOPES[scope]]
    base_name = result.options.base
    of = "whole vocabulary" if scope == FULL else f"{len(found)} gendered words"
    head = f"{template} from {base_name}, {of}: {fixed(float(total.iloc[0]), 3)} nats in all, {len(found)} words shown"
    heads = sentence_lines(head, theme.width - 2 * _SIDE, SMALL_SIZE)
    left = round(min(_WORDS, max(text_width(word, TEXT_SIZE) for word, *_ in found))) + 14
    numbers = max(text_width(f" {signed(value, 3)} ", SMALL_SIZE) for *_, value in found)
    plot = (theme.width - left - _SIDE) / 2
    half = max(_SMALLEST, *(abs(value) for *_, value in found)) * plot / max(plot - numbers, plot / 3)
    positions = ticks(half * (1 - 16 / plot), 2)
    top = _LINE * (len(heads) + 1) + 14
    figure = go.Figure(
        layout={
            "template": layout_of(theme),
            "height": round(top + _ROW * len(found) + 48),
            "margin": {"l": left, "r": _SIDE, "t": top, "b": 48},
            "hovermode": "y",
            "bargap": 0,
            "xaxis": {
                "range": [-half, half],
                "tickmode": "array",
                "tickvals": positions,
                "ticktext": tick_texts(positions),
                "zeroline": True,
                "zerolinecolor": theme.zero,
                "zerolinewidth": 1.5,
                "title": {"text": f"p ln(p / p in {literal(base_name)}), nats", "standoff": 6},
            },
            "yaxis": {
                "range": [len(found) - 0.5, -0.5],
                "tickmode": "array",
                "tickvals": list(range(len(found))),
                "ticktext": [literal(shorten(word, _WORDS, TEXT_SIZE)) for word, *_ in found],
                "tickfont": {"size": TEXT_SIZE, "color": theme.ink},
                "ticklabelstandoff": 4,
                "showgrid": False,
            },
        }
    )
    figure.add_bar(
        name=template,
        orientation="h",
        x=[value for *_, value in found],
        y=list(range(len(found))),
        width=_BAR,
        marker={
            "color": [theme.groups[2] if value > 0 else theme.neutral for *_, value in found],
            "line": {"width": 0},
            "cornerradius": 2,
        },
        customdata=[[word] for word, *_ in found],
        text=[signed(value, 3) for *_, value in found],
        textposition="outside",
        constraintext="none",
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        cliponaxis=False,
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(word)}</b><br>{literal(template)}: {percent(p, 2)}<br>{literal(base_name)}: "
            f"{percent(base, 2)}<br>contributes {signed(value, 4)} nats"
            for word, p, base, value in found
        ],
    )
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    lines = "<br>".join(literal(line) for line in heads)
    write(figure, lines, theme.muted, SMALL_SIZE, **above, yshift=_LINE + 10, xshift=_SIDE - left, align="left")
    room = plot - 8
    for shift, text, arrow in ((-6, "less expected", "◀ {}"), (6, "more expected", "{} ▶")):
        side = {"x": 0.5, "xanchor": "right" if shift < 0 else "left", "xshift": shift, "yshift": 4}
        phrase = arrow.format(shorten(text, room, SMALL_SIZE * BOLD))
        write(figure, f"<b>{phrase}</b>", theme.ink, SMALL_SIZE, **above, **side)
    return figure
