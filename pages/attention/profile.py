"""The degrees of heads along the model, of one sentence or of a corpus."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.inputs import Choice
from core.measures.attention import figures
from core.measures.attention.result import AttentionResult
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.words import profile_text
from pages.shared import panels
from pages.shared.controls import select
from pages.shared.frame import theme

MODEL = Choice("profile_model", "Model")
VIEWS = (MODEL,)


def show(result: AttentionResult | ScanResult, rows: pd.DataFrame, name: str) -> None:
    """The charts along the model, of a sentence's or a corpus's profile; some are of one model."""
    if rows["mean_degree"].notna().sum() == 0:
        st.info("No position can be judged here.")
        return
    models = list(dict.fromkeys(rows["model"]))
    _chart(result, rows, f"{name}-curve", "Mean degree along the model", "mean_degree", figures.degree_curve)
    model = models[0]
    if len(models) > 1:
        model = select(st, replace(MODEL, choices={name: name for name in models}), bare=True)
    of_model = rows[rows["model"] == model]
    _chart(result, of_model, f"{name}-steps", "Differences between neighbours", "difference", figures.degree_steps)
    _chart(result, of_model, f"{name}-boxes", "Spread of the degrees", "median", figures.degree_boxes)
    _chart(result, rows, f"{name}-share", "Share of biased heads", "share_biased", figures.biased_share)


def _chart(
    result: AttentionResult | ScanResult,
    rows: pd.DataFrame,
    name: str,
    title: str,
    column: str,
    draw: Callable[..., object],
) -> None:
    st.subheader(title, anchor=False)
    figure = panels.drawn(lambda: draw(rows, theme=theme()))
    panels.show_chart(figure, name, profile_text(rows, column, title, share=column == "share_biased"))
    panels.export_panel(name, result, figure=figure, title=title, table=rows)
