"""The figure of the toy."""

from __future__ import annotations

import plotly.graph_objects as go

from core.charts.text import literal
from core.charts.theme import Theme, template
from tests.conformance.toy.spec import ToyResult


def draw(result: ToyResult, *, model: str, theme: Theme) -> go.Figure:
    """A bar for each word of one model."""
    rows = result["words"][result["words"]["model"] == model]
    words = [literal(word) for word in rows["word"]]
    return go.Figure(go.Bar(x=rows["tokens"], y=words, orientation="h"), {"template": template(theme)})
