"""The card for one attribute: the sentences as the model saw them, the arithmetic, and what it would have said."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts import hue
from core.engine.checkpoints import labels, request
from core.errors import ModelNotFound, TiltmeterError
from core.inputs import Choice
from core.measures.lpbs import words
from core.measures.lpbs.figures import contrasts, top_fills
from core.measures.lpbs.result import OVERALL, TARGETS, LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.measures.lpbs.tables import of_attribute, scored, strongest
from core.report.alternatives import described
from core.report.numbers import counted, percent, signed
from core.result import Contrast
from core.sources.templates import Template
from pages.shared import details, panels, resources
from pages.shared.controls import select
from pages.shared.frame import theme
from pages.shared.markdown import literal
from pages.shared.panels import CHART_CONFIG

if TYPE_CHECKING:
    from core.measures.lpbs.compute import Explanation

TEMPLATE = Choice("card_template", "Template")


def attribute_card(spec: LpbsSpec, result: LpbsResult, model: str, attribute: str, contrast: Contrast) -> None:
    """Explain one number of one model. The sentence shown is that of the first template, or of the one chosen."""
    templates = list(result.templates)
    with st.container(border=True, key="card"):
        st.html(f'<div class="card">{_heading(result, model, attribute, contrast)}</div>')
        shown = replace(TEMPLATE, choices={template: template for template in templates})
        text = templates[0] if len(templates) == 1 else select(st, shown)
        if result[TARGETS].empty:
            st.caption("Its score alone was published: the probabilities behind it are not here.")
            return
        told = _told(spec, result, model, Template(text), attribute)
        given = _input(told) if told is not None else ""
        st.html(f'<div class="card">{given}{_arithmetic(result, model, text, attribute, contrast)}</div>')
        predicted = told.fills if told is not None else ()
        for caption, fills in predicted:
            st.caption("Top predictions" + (literal(f", {caption}") if len(predicted) > 1 else ""))
            figure = top_fills([fill.word for fill in fills], [fill.probability for fill in fills], theme())
            most = ", ".join(f"{fill.word} {percent(fill.probability)}" for fill in fills[:3])
            alt = f"Top predictions: {most}"
            st.plotly_chart(figure, theme=None, config=CHART_CONFIG, key=f"fills {caption}", alt=alt)


def all_contrasts(result: LpbsResult, models: Sequence[str]) -> None:
    """The mean score in every contrast of the groups, a chart for each model."""
    st.subheader("All groups", anchor=False)
    rows = result[OVERALL]
    for model in models:
        found = words.contrasts_finding(result, model)
        panels.show_finding(result, found, result.groups, f"{model}: " if len(models) > 1 else "")
        table = rows[rows["model"] == model]
        if table["lpbs"].isna().all():
            continue
        figure = panels.drawn(partial(_contrasts, result, model))
        title = f"Mean log probability bias score in {counted(len(result.contrasts), 'contrast')}" + (
            f", {model}" if len(models) > 1 else ""
        )
        panels.show_chart(figure, f"contrasts {model}", described(title, found))
        panels.export_panel(
            f"playground-contrasts-{models.index(model)}", result, figure=figure, title=title, table=table
        )


def _contrasts(result: LpbsResult, model: str) -> go.Figure:
    return contrasts(result, model=model, theme=theme())


def _told(spec: LpbsSpec, result: LpbsResult, model: str, template: Template, attribute: str) -> Explanation | None:
    """What the model says now; None, with a word on it, where it is not here or is not the one that was measured."""
    digest = next(info.digest for info in result.provenance.models if info.name == model)
    try:
        # The spec's model text, since a folder or owner/name is needed to lend it again.
        named = dict(zip(labels([request(name) for name in spec.models]), spec.models, strict=True))
        if model not in named:
            raise ModelNotFound(f"{model} cannot be found here.")
        return resources.explain(spec, digest, named[model], template, attribute)
    except TiltmeterError as error:
        st.warning(literal(f"Model input and top predictions are not shown. {error}"))
        return None


def choose(place: DeltaGenerator, result: LpbsResult, contrast: Contrast) -> details.Details | None:
    """Whose card is shown: at first the strongest lean. None where no attribute has a score."""
    first = strongest(result, contrast)
    if first is None:
        return None
    rows = scored(result, contrast)
    several = rows["model"].nunique() > 1
    names = {
        (attribute, model): f"{attribute}, {model}" if several else attribute
        for attribute, model in zip(rows["attribute"], rows["model"], strict=True)
    }
    return details.choose(place, names, first)


def _heading(result: LpbsResult, model: str, attribute: str, contrast: Contrast) -> str:
    lpbs = float(of_attribute(result, contrast, model, attribute)["lpbs"])
    colour = hue(theme().in_words, result.groups, contrast.first if lpbs > 0 else contrast.second)
    number = "" if math.isnan(lpbs) else f' <span style="color:{colour}">{signed(lpbs)}</span>'
    said = html.escape(words.attribute_text(result, contrast, model, attribute))
    return f"<h3>{html.escape(attribute)}{number}</h3><p class='muted'>{said}</p>"


def _input(told: Explanation) -> str:
    texts = "".join(f"<code>{html.escape(text)}</code>" for _, text in told.asked)
    return f"<p class='muted'>Model input</p>{texts}"


def _arithmetic(result: LpbsResult, model: str, template: str, attribute: str, contrast: Contrast) -> str:
    """A line a target word, and the difference of the groups' means."""
    shown = words.arithmetic(result, contrast, model, template, attribute)
    lines = ["".join(f"<td>{html.escape(cell)}</td>" for cell in line) for line in shown.lines]
    if shown.difference:
        label = html.escape(shown.label)
        lines.append(f"<td colspan='3'><b>{label}</b></td><td><b>{shown.difference}</b></td>")
    header = "".join(f"<th>{head}</th>" for head in ("", *shown.heads))
    rows = "".join(f"<tr>{line}</tr>" for line in (header, *lines))
    several = "<p class='muted'>The score is the mean over all templates.</p>" if len(result.templates) > 1 else ""
    return f"<table>{rows}</table>{several}"
