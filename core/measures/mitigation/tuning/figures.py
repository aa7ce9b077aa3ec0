"""The picture of a fine-tuning: how the loss fell."""

from __future__ import annotations

import plotly.graph_objects as go

from ....charts.theme import Theme
from ..losses import curves
from .result import LOSSES, TuningResult


def draw(result: TuningResult, *, model: str, theme: Theme) -> go.Figure:
    """The chief figure: the loss over the steps."""
    return loss_curve(result, theme=theme)


def loss_curve(result: TuningResult, *, theme: Theme) -> go.Figure:
    """The loss (nats) over the steps, a line for each seed; control dashed and grey (``losses.curves``)."""
    return curves(result[LOSSES], theme=theme)
