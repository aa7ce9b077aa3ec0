"""The association of each single member of X and Y: diverging bars."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from core.charts.key import key_lines, write
from core.charts.panel import RIGHT, Row, label_column, label_rows, label_width
from core.charts.rows import Gap, choose
from core.charts.scale import most_ticks, tick_texts, ticks
from core.charts.text import literal, shorten, text_width
from core.charts.theme import BOLD, SMALL_SIZE, TEXT_SIZE, Theme, template
from core.errors import NothingToScore
from core.measures.association.result import AssociationCell
from core.report.numbers import fixed, signed

MOST_ROWS = 80  # more are counted in one row; the table has them all

_LABELS = 225  # pixels, as all that follows
_ROW = 20
_LINE = 17
_BAR = 0.56  # of a row
_AXIS = 50
_DECIMALS = 3
_SMALLEST = 0.01  # the scale never shows less than ± that, so that rounding is not drawn as an effect


def member_associations(cell: AssociationCell, *, theme: Theme, names: tuple[str, str, str, str]) -> go.Figure:
    """The association of each member of X and Y with A against B as horizontal bars, from B's side to A's.

    Right is positive: nearer to A than to B. X has the hue of group 1, Y that of group 2 and hatching. ``names`` are
    those of the four sets as the cell holds them: for LPBS first the two permuted sets, then those the groups stand
    for. A member with several values (pooled LPBS has one for each template) shows their mean. Beyond
    ``MOST_ROWS`` the innermost are counted in one row. ``customdata`` of a bar is (member, X or Y).

    Raises NothingToScore where no member has an association.
    """
    found: dict[tuple[str, str], list[float]] = {}
    for letter, members, values in (("X", cell.members_x, cell.s_x), ("Y", cell.members_y, cell.s_y)):
        for member, value in zip(members, values.tolist(), strict=True):
            if math.isfinite(value):
                found.setdefault((member, letter), []).append(value)
    is_lpbs = cell.representation == "lpbs"
    verb, unit = ("leans towards", "LPBS, nats") if is_lpbs else ("nearer to", "difference of mean cosines")
    if not found:
        raise NothingToScore("No member of X or Y has an association; the list of exclusions says why.")
    # A key of one text for each bar: the letter in front tells apart a member of both sets.
    lean = {letter + member: float(np.mean(values)) for (member, letter), values in found.items()}
    rows = choose(lean, order="lean", limit=MOST_ROWS)
    bars = [(at, row[1:], row[0], lean[row]) for at, row in enumerate(rows) if isinstance(row, str)]
    left = round(label_column(theme, (member for _, member, _, _ in bars), _LABELS))
    size = Row(theme, _ROW)
    pixels = (theme.width - left - RIGHT) / 2
    numbers = max(text_width(signed(value, _DECIMALS), SMALL_SIZE) for *_, value in bars) + 8
    half = max(_SMALLEST, *(abs(value) for *_, value in bars)) * pixels / max(pixels - numbers, pixels / 4)
    positions = ticks(half * (1 - 16 / pixels), most_ticks(pixels, 4))
    hues = {"X": theme.groups[0], "Y": theme.groups[1]}
    key = key_lines(theme, [(hues["X"], "■", names[0]), (hues["Y"], "▨", names[1])])
    top = _LINE * (len(key) + 1) + 12

    room = label_width(theme, _LABELS)
    labels = {at: literal(shorten(member, room, TEXT_SIZE)) for at, member, _, _ in bars}
    labels |= {
        at: f'<span style="color:{theme.muted}">· · · {row.count} more between</span>'
        for at, row in enumerate(rows)
        if isinstance(row, Gap)
    }
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": top + _AXIS + size.height * len(rows),
            "margin": {"l": left, "r": RIGHT, "t": top, "b": _AXIS},
            "hovermode": "y",
            "bargap": 0,
            "xaxis": {
                "range": [-half, half],
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
    figure.add_bar(
        name="association",
        orientation="h",
        x=[value for *_, value in bars],
        y=[at + size.lower for at, *_ in bars],
        width=size.share(_BAR),
        customdata=[[member, letter] for _, member, letter, _ in bars],
        marker={
            "color": [hues[letter] for _, _, letter, _ in bars],
            "opacity": 0.85,
            "line": {"width": 0},
            "pattern": {
                "shape": ["/" if letter == "Y" else "" for _, _, letter, _ in bars],
                "fillmode": "overlay",
                "fgcolor": theme.paper,
                "fgopacity": 0.6,
                "size": 5,
                "solidity": 0.25,
            },
        },
        unselected={"marker": {"opacity": 0.85}},
        hoverinfo="text",
        hovertext=[
            f"<b>{literal(member)}</b>, {literal(names[0 if letter == 'X' else 1])}<br>"
            f"{verb} {literal(names[2 if value >= 0 else 3])} by {fixed(abs(value), 3)}"
            + (f"<br>mean of {count} values" if (count := len(found[member, letter])) > 1 else "")
            for _, member, letter, value in bars
        ],
    )
    figure.add_scatter(
        name="numbers",
        x=[value for *_, value in bars],
        y=[at + size.lower for at, *_ in bars],
        mode="text",
        text=[f" {signed(value, _DECIMALS)} " for *_, value in bars],
        textposition=["middle left" if value < 0 else "middle right" for *_, value in bars],
        textfont={"size": SMALL_SIZE, "color": theme.muted},
        unselected={"textfont": {"color": theme.muted}},
        cliponaxis=False,
        hoverinfo="skip",
    )
    above: dict[str, object] = {"y": 1, "yref": "paper", "yanchor": "bottom"}
    room = theme.width / 2 - 40
    for name, shift in ((names[3], -8), (names[2], 8)):
        phrase = f"{verb} {name}"
        shown = literal(phrase if text_width(phrase, SMALL_SIZE * BOLD) <= room else shorten(name, room, SMALL_SIZE))
        text = f"<b>◀ {shown}</b>" if shift < 0 else f"<b>{shown} ▶</b>"
        side = {"x": 0.5, "xanchor": "right" if shift < 0 else "left", "xshift": shift}
        write(figure, text, theme.ink, SMALL_SIZE, **side, **above, yshift=4)
    write(figure, "<br>".join(key), theme.ink, SMALL_SIZE, xshift=4 - left, **above, yshift=_LINE + 6, align="left")
    below = {"x": 1, "xanchor": "right", "y": 0, "yref": "paper", "yanchor": "top", "yshift": -24}
    write(figure, unit, theme.muted, SMALL_SIZE, **below)
    return figure
