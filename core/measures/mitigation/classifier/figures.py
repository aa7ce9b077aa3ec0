"""The pictures of a text classifier: how much it gets right, and how its loss fell."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from ....charts.key import Mark, legend_entries, write
from ....charts.rows import (
    ABOVE,
    AXIS,
    EDGE,
    RIGHT,
    STANDOFF,
    Dot,
    add_dots,
    finite,
    label_column,
    name_bands,
    stack_bands,
    write_caption,
)
from ....charts.text import literal, text_width
from ....charts.theme import SMALL_SIZE, TEXT_SIZE, Theme, template
from ....errors import NothingToScore
from ....report.numbers import fixed
from ..losses import curves
from .result import AFTER, BEFORE, LOSSES, MAJORITY, SCORES, ClassifierResult

_LABELS = 190  # pixels, at most
_TOP = 12
_DOTTED = "dotted: accuracy of always saying the most frequent label of the training texts"


def draw(result: ClassifierResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the texts held out, or the loss where the run was stopped before."""
    return scores(result, theme=theme) if len(result[SCORES]) else loss_curve(result, theme=theme)


def loss_curve(result: ClassifierResult, *, theme: Theme) -> go.Figure:
    """The loss (nats) over the steps, a line for each seed (``losses.curves``)."""
    return curves(result[LOSSES].assign(control=False), theme=theme)


def scores(result: ClassifierResult, *, theme: Theme) -> go.Figure:
    """Accuracy on the texts held out, before and after training, beside always saying the majority label.

    A mark a seed, with its 95 % interval as a thin line; macro F1 is an open diamond. The dotted line is the majority
    label's accuracy. ``customdata`` of a mark is (classifier, seed).

    Raises NothingToScore where a run was stopped before.
    """
    rows = result[SCORES].to_dict("records")
    if not rows:
        raise NothingToScore("The run was stopped before the texts held out were labelled.")
    of = {name: [row for row in rows if row["classifier"] == name] for name in (MAJORITY, BEFORE, AFTER)}
    bands = stack_bands(((0.0, len(found)) for found in of.values()), ABOVE if theme.is_narrow else 0)
    left = round(label_column(theme, of, _LABELS))
    numbers = [_numbers(row) for row in rows]
    widest = max(text_width(text, SMALL_SIZE) for text in numbers)
    right = 1.5 * RIGHT if theme.is_narrow else round(widest) + 2 * STANDOFF
    ticks = (0, 50, 100) if theme.is_narrow else (0, 25, 50, 75, 100)
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": round(_TOP + bands[-1].bottom + AXIS),
            "margin": {"l": left, "r": right, "t": _TOP, "b": AXIS},
            "xaxis": {
                "range": [-1, 102],
                "tickmode": "array",
                "tickvals": ticks,
                "ticktext": [f"{tick} %" if tick else "0" for tick in ticks],
            },
        }
    )
    name_bands(figure, theme, bands, list(of), _LABELS)
    majority = of[MAJORITY][0]["accuracy"]
    dotted = {"color": theme.muted, "width": 1, "dash": "dot"}
    figure.add_shape(type="line", layer="below", line=dotted, x0=majority, x1=majority, y0=0, y1=1, yref="paper")
    accuracy, f1 = Mark(theme.groups[2], "circle", "●"), Mark(theme.neutral, "diamond", "◆")
    dots: list[Dot] = []
    diamonds: list[Dot] = []
    for band, found in zip(bands, of.values(), strict=True):
        for line, row in enumerate(found):
            y, hover, data = band.at(line), _hover(row), (row["classifier"], _seed(row))
            dots.append(Dot(row["accuracy"], y, _ends(row), hover, data))
            diamonds.append(Dot(100 * row["macro_f1"], y, None, hover, data, filled=False))
            if not theme.is_narrow:
                end = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": STANDOFF, "y": y}
                write(figure, literal(_numbers(row)), theme.muted, SMALL_SIZE, **end)
        if theme.is_narrow:
            shift = EDGE + round(text_width(f"{found[0]['classifier']}  ", TEXT_SIZE))
            beside = {"xshift": shift - left, "y": band.top + band.name / 2 + 2, "bgcolor": theme.paper}
            write(figure, literal(_range(found)), theme.muted, SMALL_SIZE, **beside)
    add_dots(figure, theme, "macro F1", f1, diamonds, "")
    add_dots(figure, theme, "accuracy", accuracy, dots, "95 % interval")
    write_caption(
        figure,
        theme,
        f"{_DOTTED}; thin line: 95 % interval (Wilson) over {rows[0]['n']:,} texts held out",
    )
    key = [(accuracy.hue, accuracy.symbol, "accuracy"), (f1.hue, f"{f1.symbol}-open", "macro F1 × 100")]
    legend_entries(figure, theme, key)
    return figure


def _seed(row: dict[Any, Any]) -> str:
    return "" if row["classifier"] == MAJORITY else str(row["seed"])


def _range(rows: list[dict[Any, Any]]) -> str:
    """The numbers of one row, or the accuracies that several seeds lie between."""
    if len(rows) == 1:
        return _numbers(rows[0])
    accuracies = [row["accuracy"] for row in rows]
    return f"{fixed(min(accuracies), 1)} to {fixed(max(accuracies), 1)} %"


def _numbers(row: dict[Any, Any]) -> str:
    seed = _seed(row)
    of = f"seed {seed}: " if seed else ""
    return f"{of}{fixed(row['accuracy'], 1)} %, F1 {fixed(row['macro_f1'])}"


def _ends(row: dict[Any, Any]) -> tuple[float, float] | None:
    low, high = finite(row["ci_low"]), finite(row["ci_high"])
    return None if low is None or high is None else (low, high)


def _hover(row: dict[Any, Any]) -> str:
    seed, ends = _seed(row), _ends(row)
    of = f"{row['classifier']}, seed {seed}" if seed else row["classifier"]
    lines = [f"<b>{literal(of)}</b>", f"{row['correct']:,} of {row['n']:,} right: {fixed(row['accuracy'], 1)} %"]
    if ends is not None:
        lines.append(f"95 % interval {fixed(ends[0], 1)} to {fixed(ends[1], 1)} %")
    return "<br>".join((*lines, f"macro F1 {fixed(row['macro_f1'], 3)}"))
