"""How differently two series lean, profession by profession: diverging bars."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from core.charts.key import write
from core.charts.panel import (
    RIGHT,
    Panel,
    add_panel,
    empty_figure,
    label_column,
    label_rows,
    label_width,
    numbers_width,
    reach_of,
)
from core.charts.profession_parts import Series, means_of, people, series_title, side_hue
from core.charts.rows import Value, choose, extent
from core.charts.scale import most_ticks
from core.charts.text import literal, sentence_lines, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.result import ProfessionResult
from core.report.numbers import fixed, signed
from core.result import Group

_LABELS = 225  # pixels, as all that follows
_NAME = 300
_LINE = 17


def profession_differences(
    result: ProfessionResult, *, first: Series, second: Series, theme: Theme, limit: int | None = None
) -> go.Figure:
    """The difference (nats, contrast's first minus second) of one series minus that of another, a bar a profession.

    Right is positive: ``first`` leans more to the contrast's first side than ``second`` does. The title says so of
    the mean. Bars go from one side to the other; ``limit`` keeps the outermost and counts the others in one row.
    ``customdata`` of a bar is (profession,).

    Raises OptionError for an unknown series, twice the same or a limit below 2, NothingToScore where no profession
    has a difference in both.
    """
    if first == second:
        raise OptionError(f"{first[0]} ({first[1]}) cannot be compared with itself; choose two models or languages.")
    sides = [{row.profession: row.difference for row in means_of(result, series)} for series in (first, second)]
    pairs = {
        name: (value, other)
        for name, value in sides[0].items()
        if value is not None and (other := sides[1].get(name)) is not None
    }
    if not pairs:
        raise NothingToScore("No profession has a difference in both; the list of exclusions says why.")
    names = (_name(result, first, theme), _name(result, second, theme))
    found = {
        name: Value(name, value - other, None, _hover(name, names, (value, other)))
        for name, (value, other) in pairs.items()
    }
    rows = choose({name: value.lpbs for name, value in found.items()}, order="lean", limit=limit)
    shown = [found[row] for row in rows if isinstance(row, str)]
    room = label_width(theme, _LABELS)
    labels = {
        at: literal(shorten(row, room, TEXT_SIZE))
        if isinstance(row, str)
        else f'<span style="color:{theme.muted}">· · · {row.count} more between</span>'
        for at, row in enumerate(rows)
    }
    texts = [row if isinstance(row, str) else f"· · · {row.count} more between" for row in rows]
    left = label_column(theme, texts, _LABELS)
    pixels = (theme.width - left - RIGHT) / 2
    half = extent(shown) * pixels / max(pixels - numbers_width(shown), pixels / 4)
    contrast = result.contrast
    # In these places the two sides have their hues.
    groups = (Group(contrast.second, ()), Group(contrast.first, ()))
    panel = Panel(contrast, groups, theme, rows, half, reach_of(half, pixels), most_ticks(pixels, 3))
    comparison = f"{names[0]} − {names[1]}"
    title = sentence_lines(_finding(result, names, list(found.values())), theme.width - 8, TEXT_SIZE * BOLD)

    figure = empty_figure(panel, left, top=_LINE * (len(title) + 1) + 16)
    label_rows(figure, panel.row, labels, len(rows))
    add_panel(figure, panel, found, comparison, None, ("", ""), (0.0, 1.0))
    figure.update_traces(selector={"mode": "text"}, name="difference")
    # A bar belongs to neither of the two.
    figure.update_traces(selector={"type": "bar"}, customdata=[[value.attribute] for value in shown])
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 4}
    for name, anchor, shift in ((contrast.second, "right", -8), (contrast.first, "left", 8)):
        phrases = [f"{verb}{people(name)}" for verb in (f"{names[0]} leans more to ", "leans more to ", "more to ", "")]
        room = pixels - 24
        phrase = next((text for text in phrases if text_width(text, SMALL_SIZE * BOLD) <= room), phrases[-1])
        text = literal(shorten(phrase, room, SMALL_SIZE * BOLD))
        write(
            figure,
            f"<b>◀ {text}</b>" if anchor == "right" else f"<b>{text} ▶</b>",
            side_hue(theme.in_words, contrast, name),
            SMALL_SIZE,
            **{**above, "x": 0.5, "xanchor": anchor, "xshift": shift},
        )
    lines = "<br>".join(f"<b>{literal(line)}</b>" for line in title)
    lifted = {**above, "yshift": _LINE + 8}
    write(figure, lines, theme.ink, TEXT_SIZE, **lifted, xshift=4 - round(left), align="left")
    caption = f"{names[0]} minus {names[1]}, nats"
    if text_width(longer := f"{contrast.label} of {caption}", SMALL_SIZE) <= theme.width - 40:
        caption = longer
    below: dict[str, object] = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24}
    write(figure, literal(shorten(caption, theme.width - 40, SMALL_SIZE)), theme.muted, SMALL_SIZE, **below)
    return figure


def _name(result: ProfessionResult, series: Series, theme: Theme) -> str:
    return shorten(series_title(result, series), min(_NAME, theme.width / 2), SMALL_SIZE * BOLD)


def _finding(result: ProfessionResult, names: tuple[str, str], found: list[Value]) -> str:
    """Which of the two leans more to which side, on average and in how many professions."""
    mean = math.fsum(value.lpbs for value in found) / len(found)
    contrast = result.contrast
    rounded = fixed(abs(mean))
    way, side = (1, contrast.first) if mean > 0 else (-1, contrast.second)
    more = sum(way * value.lpbs > 0 for value in found)
    count = f"{more} of {len(found)} {'profession' if len(found) == 1 else 'professions'}"
    if float(rounded) == 0:
        return f"{names[0]} and {names[1]} lean alike on average; {names[0]} more to {people(side)} for {count}."
    return f"{names[0]} leans more to {people(side)} than {names[1]}: by {rounded} nats on average, and for {count}."


def _hover(name: str, names: tuple[str, str], values: tuple[float, float]) -> str:
    lines = [f"{literal(title)}: {signed(value, 4)}" for title, value in zip(names, values, strict=True)]
    return "<br>".join((f"<b>{literal(name)}</b>", *lines, f"difference: {signed(values[0] - values[1], 4)} nats"))
