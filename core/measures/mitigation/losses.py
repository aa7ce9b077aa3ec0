"""How the loss of trainings fell."""

from __future__ import annotations

import math

import pandas as pd
import plotly.graph_objects as go

from ...charts.key import legend_entries
from ...charts.scale import tick_texts, ticks_between
from ...charts.theme import Theme, template
from ...errors import NothingToScore
from ...report.numbers import fixed

_POINTS = 40  # of a curve; a single step's loss says little
_HEIGHT = 260


def curves(rows: pd.DataFrame, *, theme: Theme) -> go.Figure:
    """The loss (nats) over the steps, a line for each seed, means of a fortieth of the steps; control dashed and grey.

    ``rows`` have the columns seed, control, step and loss. Raises NothingToScore where no step was made.
    """
    if rows.empty:
        raise NothingToScore("No step was made, so there is no loss.")
    lines = {}
    for control, seed in sorted(set(zip(rows["control"], rows["seed"], strict=True))):
        curve = rows[(rows["control"] == control) & (rows["seed"] == seed)]
        group = max(1, -(-len(curve) // _POINTS))
        means = curve.groupby([at // group for at in range(len(curve))]).agg({"step": "last", "loss": "mean"})
        lines[bool(control), int(seed)] = means
    low = min(float(curve["loss"].min()) for curve in lines.values())
    high = max(float(curve["loss"].max()) for curve in lines.values())
    last = max(int(curve["step"].max()) for curve in lines.values())
    room = 0.05 * (high - low) or 0.1
    marks, steps = ticks_between(low - room, high + room), ticks_between(0, last)
    whole = [step for step in steps if step == math.floor(step)]
    figure = go.Figure(
        layout={
            "template": template(theme),
            "height": _HEIGHT,
            "margin": {"l": 64, "r": 24, "t": 12, "b": 48},
            "xaxis": {
                "range": [0, last * 1.01],
                "tickmode": "array",
                "tickvals": whole,
                "ticktext": [f"{step:,.0f}" for step in whole],
                "title": {"text": "step", "standoff": 8},
            },
            "yaxis": {
                "range": [low - room, high + room],
                "tickmode": "array",
                "tickvals": marks,
                "ticktext": tick_texts(marks, sign=False),
                "title": {"text": "loss, nats", "standoff": 8},
            },
        }
    )
    for (control, seed), curve in lines.items():
        numbers = list(zip(curve["step"].tolist(), curve["loss"].tolist(), strict=True))
        of = "control, " if control else ""
        figure.add_scatter(
            x=[step for step, _ in numbers],
            y=[loss for _, loss in numbers],
            mode="lines+markers",
            line={"color": theme.neutral if control else theme.groups[2], "width": 1.6, "dash": _dash(control)},
            marker={"size": 5, "symbol": _SYMBOL[control], "opacity": 1},
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            hoverinfo="text",
            hovertext=[f"<b>{of}seed {seed}</b><br>step {step:,}: loss {fixed(loss, 3)}" for step, loss in numbers],
            showlegend=False,
        )
    if any(control for control, _ in lines):
        names = ((False, theme.groups[2], "the text"), (True, theme.neutral, "control"))
        legend_entries(figure, theme, [(hue, _SYMBOL[control], name) for control, hue, name in names])
    return figure


_SYMBOL = {False: "circle", True: "diamond-open"}


def _dash(control: bool) -> str:
    return "dot" if control else "solid"
