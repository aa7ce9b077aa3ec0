"""Several models beside each other: one and those that were fine-tuned from it (Irani et al. 2020, Figures 1–7).

The first model of the result is the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ...charts.key import legend_entries, model_marks, write
from ...charts.rows import (
    ABOVE,
    AXIS,
    EDGE,
    RIGHT,
    STANDOFF,
    Dot,
    Row,
    add_dots,
    axis_name,
    finite,
    label_column,
    label_rows,
    label_width,
    signed_bands,
    stack_bands,
    write_caption,
    write_directions,
    write_not_computed,
)
from ...charts.scale import tick_texts, ticks_between
from ...charts.text import literal, sentence_lines, shorten, shorten_within, text_width, wrap
from ...charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from ...errors import InputError, NothingToScore
from ...report.numbers import counted, fixed, interval, p_text, signed
from ..shared.representations import LPBS
from .figures import asked_test, names_of, title_of
from .result import AssociationResult
from .spec import AskedTest

BASE = "base"
# Pixels, unless it says otherwise.
_NARROWEST_SCALE = 1.0  # of d: the scale never shows less than ±1
_LABELS = 225
_DIRECTIONS = 29
_WORDS = 160
_ROW = 19
_LEAST_PANEL = 128
_PANEL_GAP = 22
_TITLE_LINE = 16
_TITLE_LINES = 4
_APART = 0.19  # of a row: how far the mark of X stands above its middle, that of Y below
_POINT = 7
_SYMBOLS = {"X": "circle", "Y": "square"}


@dataclass(frozen=True)
class Effect:
    """What a test by one representation gives in one model; ``d`` is None where there is no value.

    ``p`` is the one on the side that d has, CEAT's two-sided one; None where there is none.
    """

    model: str
    d: float | None
    ends: tuple[float, float] | None
    p: float | None
    significant: bool
    why: str

    @property
    def numbers(self) -> str:
        """d and p in a few words."""
        if self.d is None:
            return "not computed"
        return f"d = {signed(self.d)}" + ("" if self.p is None else f", {p_text(self.p)}")


def effects(result: AssociationResult, test: str, representation: str) -> tuple[Effect, ...]:
    """The effect sizes of a test by one representation, the base first."""
    reasons = {
        item.model: item.why
        for item in result.excluded
        if item.kind == "statistic" and (item.test, item.representation) == (test, representation)
    }
    rows = result["tests"]
    found = []
    for row in rows[(rows["test"] == test) & (rows["representation"] == representation)].to_dict("records"):
        low, high = finite(row["ci_low"]), finite(row["ci_high"])
        p = finite(row["p_observed_direction"])
        found.append(
            Effect(
                str(row["model"]),
                finite(row["effect_size"]),
                None if low is None or high is None else (low, high),
                finite(row["p_two_sided"]) if p is None else p,
                bool(row["significant"]),
                reasons.get(str(row["model"]), ""),
            )
        )
    return tuple(found)


def called(models: Sequence[Effect], effect: Effect) -> str:
    """The name of a model, the base marked where there are others."""
    return f"{effect.model} ({BASE})" if len(models) > 1 and effect is models[0] else effect.model


def effects_by_model(result: AssociationResult, test: str, representation: str, *, theme: Theme) -> go.Figure:
    """Effect size d of one test by one representation, a row for each model, the base on top (Figures 2 and 3).

    Right is positive: X is more strongly associated with A. Thin lines are 95 % intervals, filled marks significant,
    the dotted line is d of the base. A mark's ``customdata`` is (model, test, representation).

    Raises NothingToScore where no model has a value, OptionError for more models than can be told apart.
    """
    found = effects(result, test, representation)
    values = [abs(end) for effect in found if effect.d is not None for end in (effect.d, *(effect.ends or ()))]
    if not values:
        raise NothingToScore(f"{asked_test(result, test).title}: no model has a value; the exclusions say why.")
    marks = model_marks(theme, [effect.model for effect in found])
    bands = stack_bands(((0.0, 1) for _ in found), ABOVE if theme.is_narrow else 0)
    names = [_named(found, effect, theme) for effect in found]
    numbers = max(text_width(effect.numbers, SMALL_SIZE) for effect in found)
    right = RIGHT if theme.is_narrow else round(numbers) + 2 * STANDOFF
    half = 1.06 * max(_NARROWEST_SCALE, *values)
    figure, _, side = signed_bands(theme, bands, names, half, labels=_LABELS, top=_DIRECTIONS, right=right)
    base = found[0].d
    if base is not None and len(found) > 1:
        dotted = {"color": theme.muted, "width": 1, "dash": "dot"}
        figure.add_shape(type="line", layer="below", line=dotted, x0=base, x1=base, y0=0, y1=1, yref="paper")
    for effect, band in zip(found, bands, strict=True):
        if effect.d is None:
            write_not_computed(figure, theme, band.at(0), why=effect.why)
            continue
        ends = "" if effect.ends is None else f"<br>{interval(*effect.ends)}"
        hover = f"<b>{literal(called(found, effect))}</b><br>{effect.numbers}{ends}"
        data = (effect.model, test, representation)
        dot = Dot(effect.d, band.at(0), effect.ends, hover, data, filled=effect.significant)
        add_dots(figure, theme, effect.model, marks[effect.model], [dot], "95 % interval")
        if not theme.is_narrow:
            end = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": STANDOFF, "y": band.at(0)}
            write(figure, literal(effect.numbers), theme.muted, SMALL_SIZE, **end)
    sides = [(theme.ink, (f"X associated with {letter}", f"X with {letter}")) for letter in "BA"]
    write_directions(figure, sides, side, 4)
    caption = (
        "effect size d; thin line: 95 % interval; filled: two-sided p < .05 after correction over "
        f"{counted(result.family_size, 'test')}; p written: one-sided, on the side that d has"
    )
    if base is not None and len(found) > 1:
        caption += f"; dotted: {found[0].model}, taken as the base"
    write_caption(figure, theme, caption)
    return figure


def _named(found: Sequence[Effect], effect: Effect, theme: Theme) -> str:
    """A model's name; on a narrow page its numbers stand behind it."""
    name = called(found, effect)
    if not theme.is_narrow:
        return shorten_within(name, _LABELS, TEXT_SIZE)
    room = theme.width - 2 * EDGE - text_width(f"  {effect.numbers}", TEXT_SIZE)
    return f"{shorten_within(name, room, TEXT_SIZE)}  {effect.numbers}"


def cosine_table(result: AssociationResult, test: str, representation: str) -> pd.DataFrame:
    """The cosines of X and of Y with each word of A and B: model, other_set, word, set, n, mean, low, high.

    Where the members are sentences, those of one word are taken together, as the paper's figures do. By LPBS they are
    associations with the groups that stand for A and B, in nats.
    """
    cells = result["matrix"]
    cells = cells[(cells["test"] == test) & (cells["representation"] == representation)].dropna(subset="value")
    word = _word_of(asked_test(result, test), representation)
    words = [word(letter, other) for letter, other in zip(cells["other_set"], cells["other"], strict=True)]
    grouped = cells.assign(word=words).groupby(["model", "other_set", "word", "set"], sort=False)["value"]
    return grouped.agg(n="count", mean="mean", low="min", high="max").reset_index()


def _word_of(asked: AskedTest, representation: str) -> Callable[[str, str], str]:
    """The word that a member of a set is read at: itself, or the one that a sentence is about."""
    try:
        test = asked.test()
    except InputError:  # saved by a Tiltmeter with other words
        return lambda _letter, member: member
    templates = test.templates
    if representation == LPBS or test.level == "words" or templates is None:
        return lambda _letter, member: member

    def word(letter: str, member: str) -> str:
        text, (start, stop) = templates.sentences(member, letter)[0]
        return text[start:stop]

    return word


def cosine_plot(result: AssociationResult, test: str, representation: str, *, theme: Theme) -> go.Figure:
    """The cosines of X and of Y with each word of A and B, a panel for each model, the base first (Figures 1, 4–7).

    A mark is a mean over the members (or sentences) of X, or of Y, its thin line goes from the lowest cosine to the
    highest. All panels have one scale. A mark's ``customdata`` is (model, test, representation).

    Raises NothingToScore where no model has a cosine.
    """
    table = cosine_table(result, test, representation)
    if table.empty:
        raise NothingToScore(f"{asked_test(result, test).title}: no model has a cosine; the exclusions say why.")
    every = effects(result, test, representation)
    found = [effect for effect in every if effect.model in set(table["model"])]
    x, y, a, b = names_of(result, (found[0].model, test, representation))
    words = {letter: list(dict.fromkeys(table.loc[table["other_set"] == letter, "word"])) for letter in "AB"}
    places = {("A", word): at for at, word in enumerate(words["A"], 1)}
    places |= {("B", word): at for at, word in enumerate(words["B"], len(places) + 2)}
    rows, row = len(places) + 2, Row(theme, _ROW)

    left = label_column(theme, [*words["A"], *words["B"]], _WORDS)
    if not theme.is_narrow:
        left = max(left, min(_WORDS, *(text_width(name, TEXT_SIZE * BOLD) for name in (a, b))) + STANDOFF + 4)
    plot = theme.width - left - RIGHT
    fitting = max(1, int((plot + _PANEL_GAP) / (_LEAST_PANEL + _PANEL_GAP)))
    lines = -(-len(found) // fitting)
    across = -(-len(found) // lines)
    width = (plot - _PANEL_GAP * (across - 1)) / across
    titles = [_title(every, effect, width) for effect in found]
    above = _TITLE_LINE * max(map(len, titles)) + 6
    tall, between = row.height * rows, AXIS + above
    inner = lines * tall + (lines - 1) * between
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(above + inner + AXIS),
            "margin": {"l": round(left), "r": RIGHT, "t": above, "b": AXIS},
        }
    )
    labels = {at: literal(shorten(word, label_width(theme, _WORDS), TEXT_SIZE)) for (_, word), at in places.items()}
    for at, name in ((0, a), (len(words["A"]) + 1, b)):
        labels[at] = f"<b>{literal(shorten(name, label_width(theme, _WORDS), TEXT_SIZE * BOLD))}</b>"
    for line in range(lines):
        top = 1 - line * (tall + between) / inner
        label_rows(figure, row, labels, rows, axis_name(line), domain=(max(0.0, top - tall / inner), top))
    scale = _scale(float(table["low"].min()), float(table["high"].max()), width)
    for at, effect in enumerate(found):
        start = at % across * (width + _PANEL_GAP) / plot
        axes = axis_name(at), axis_name(at // across)
        figure.layout[f"xaxis{axes[0]}"] = {
            **figure.layout.template.layout.xaxis.to_plotly_json(),
            **scale,
            "domain": (start, min(1.0, start + width / plot)),
            "anchor": f"y{axes[1]}",
        }
        of_model = table[table["model"] == effect.model].to_dict("records")
        for letter, name in (("X", x), ("Y", y)):
            marks = [(places[line["other_set"], line["word"]], line) for line in of_model if line["set"] == letter]
            _add_marks(figure, theme, marks, letter, name, axes, row, (effect.model, test, representation))
        middle = {"x": 0.5, "xref": f"x{axes[0]} domain", "xanchor": "center"}
        over = {"y": 1, "yref": f"y{axes[1]} domain", "yanchor": "bottom", "yshift": 3}
        write(figure, "<br>".join(titles[at]), theme.ink, SMALL_SIZE, **middle, **over)
    quantity = "association with the group’s words, nats" if representation == LPBS else "cosine"
    write_caption(
        figure,
        theme,
        f"{quantity} of X and of Y with each word of A and B, {title_of(representation)}: mean; thin line: from the "
        "lowest to the highest" + (f"; base: {every[0].model}, the first model" if len(every) > 1 else ""),
    )
    legend_entries(
        figure,
        theme,
        [
            (theme.groups[at], _SYMBOLS[letter], f"{letter}: {name}")
            for at, (letter, name) in enumerate((("X", x), ("Y", y)))
        ],
    )
    return figure


def _title(every: Sequence[Effect], effect: Effect, width: float) -> list[str]:
    """The lines above a panel, in plotly's markup: whose it is, and what the test gives."""
    name = [f"<b>{literal(line)}</b>" for line in wrap(effect.model, width, SMALL_SIZE * BOLD, _TITLE_LINES)]
    base = [BASE] if len(every) > 1 and effect is every[0] else []
    return [*name, *base, *map(literal, sentence_lines(effect.numbers, width, SMALL_SIZE))]


def _scale(low: float, high: float, width: float) -> dict[str, Any]:
    """Of a layout, the axis that all panels have."""
    room = 0.06 * (high - low) or 0.05
    marks = ticks_between(low - room, high + room)
    every = max(1, -(-len(marks) * 40 // max(1, int(width))))
    texts = tick_texts(marks, sign=False)
    return {
        "range": [low - room, high + room],
        "tickmode": "array",
        "tickvals": marks[::every],
        "ticktext": texts[::every],
    }


def _add_marks(
    figure: go.Figure,
    theme: Theme,
    marks: Sequence[tuple[int, dict[Any, Any]]],
    letter: str,
    name: str,
    axes: tuple[str, str],
    row: Row,
    data: tuple[str, str, str],
) -> None:
    """The means of X, or of Y, in one panel, each on its thin line."""
    hue = theme.groups["XY".index(letter)]
    shift = row.share(_APART) * (-1 if letter == "X" else 1) + row.lower
    on: dict[str, Any] = {"xaxis": f"x{axes[0]}", "yaxis": f"y{axes[1]}", "showlegend": False}
    figure.add_scatter(
        name="lowest to highest",
        x=[end for _, line in marks for end in (line["low"], line["high"], None)],
        y=[height for at, _ in marks for height in (at + shift, at + shift, None)],
        mode="lines",
        line={"color": hue, "width": 1.2},
        hoverinfo="skip",
        **on,
    )
    figure.add_scatter(
        name=letter,
        x=[line["mean"] for _, line in marks],
        y=[at + shift for at, _ in marks],
        mode="markers",
        marker={"color": hue, "symbol": _SYMBOLS[letter], "size": _POINT, "opacity": 1, "line": {"width": 0}},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        customdata=[list(data) for _ in marks],
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(line['word'])}</b>, {literal(name)}<br>mean {fixed(line['mean'], 3)}, "
            f"{fixed(line['low'], 3)} to {fixed(line['high'], 3)}, n = {line['n']}"
            for _, line in marks
        ],
        **on,
    )
