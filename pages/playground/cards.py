"""The card for one attribute: the sentences as the model saw them, the arithmetic, and what it would have said."""

from __future__ import annotations

import html
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts import hue
from core.engine.checkpoints import labels, request
from core.errors import ModelNotFound, TiltmeterError
from core.inputs import Choice
from core.measures.lpbs.figures import top_fills
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.report.numbers import interval, p_text, percent, signed
from core.result import Contrast
from core.sources.templates import Template
from core.stats.samples import ALPHA, is_enough, too_few
from pages.shared import details, resources
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
        told = _told(spec, result, model, Template(text), attribute)
        asked = _asked(told) if told is not None else ""
        st.html(f'<div class="card">{asked}{_arithmetic(result, model, text, attribute, contrast)}</div>')
        predicted = told.fills if told is not None else ()
        for caption, fills in predicted:
            st.caption("Top predictions" + (literal(f", {caption}") if len(predicted) > 1 else ""))
            figure = top_fills([fill.word for fill in fills], [fill.probability for fill in fills], theme())
            most = ", ".join(f"{fill.word} {percent(fill.probability)}" for fill in fills[:3])
            alt = f"Top predictions: {most}"
            st.plotly_chart(figure, theme=None, config=CHART_CONFIG, key=f"fills {caption}", alt=alt)


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


def choose(place: DeltaGenerator, result: LpbsResult, contrast: Contrast, models: list[str]) -> details.Details | None:
    """Whose card is shown: at first the strongest lean of the first model. None where no attribute has a score."""
    rows = result["attributes"]
    rows = rows[rows["contrast"] == contrast.label].dropna(subset="lpbs")
    if rows.empty:
        return None
    several = rows["model"].nunique() > 1
    names = {
        (attribute, model): f"{attribute}, {model}" if several else attribute
        for attribute, model in zip(rows["attribute"], rows["model"], strict=True)
    }
    first = rows[rows["model"] == models[0]] if (rows["model"] == models[0]).any() else rows
    strongest = first.iloc[int(first["lpbs"].abs().argmax())]
    return details.choose(place, names, (strongest["attribute"], strongest["model"]))


def _heading(result: LpbsResult, model: str, attribute: str, contrast: Contrast) -> str:
    rows = result["attributes"]
    row = rows[(rows["model"] == model) & (rows["attribute"] == attribute) & (rows["contrast"] == contrast.label)].iloc[
        0
    ]
    lpbs = float(row["lpbs"])
    side = contrast.first if lpbs > 0 else contrast.second
    colour = hue(theme().in_words, result.groups, side)
    name = html.escape(attribute)
    if math.isnan(lpbs):
        return f"<h3>{name}</h3><p class='muted'>not computed; “Excluded” below says why</p>"
    ends = "" if np.isnan(row["ci_low"]) else f", {interval(row['ci_low'], row['ci_high'])}"
    p = "" if np.isnan(row["p_adjusted"]) else f", adjusted {html.escape(p_text(row['p_adjusted']))}"
    where = f" in {html.escape(model)}" if len(result.provenance.models) > 1 else ""
    n = int(row["n"])
    if not is_enough(n):
        lean = f"{too_few(n)} values{where}: too few to say"
    elif row["p_adjusted"] < ALPHA:
        lean = f"leans towards {html.escape(side)}{where}"
    else:
        lean = f"no clear lean{where}"
    return f"<h3>{name} <span style=\"color:{colour}\">{signed(lpbs)}</span></h3><p class='muted'>{lean}{ends}{p}</p>"


def _asked(told: Explanation) -> str:
    texts = "".join(f"<code>{html.escape(text)}</code>" for _, text in told.asked)
    return f"<p class='muted'>Model input</p>{texts}"


def _arithmetic(result: LpbsResult, model: str, template: str, attribute: str, contrast: Contrast) -> str:
    """A line a target word: P, prior and ln of their ratio; then the difference of the groups' means."""
    detail = result["targets"]
    rows = detail[(detail["model"] == model) & (detail["template"] == template) & (detail["attribute"] == attribute)]
    names = [group.name for group in result.groups]
    if contrast.second in names:
        rows = rows[rows["group"].isin([contrast.first, contrast.second])]
    causal = next(info.kind for info in result.provenance.models if info.name == model) == "causal"
    whole_sentences = causal and Template(template).target_first
    heads = ("ln P(sentence)", "ln P(beginning)", "difference") if whole_sentences else ("P", "prior", "ln ratio")
    lines = []
    # The form is the word as it was scored in its place.
    for form, ln_p, prior, association in rows[["form", "ln_p_target", "ln_p_prior", "association"]].itertuples(
        index=False
    ):
        shown = (signed(ln_p), signed(prior)) if whole_sentences else (_percent(ln_p), _percent(prior))
        cells = "".join(f"<td>{cell}</td>" for cell in (*shown, signed(association)))
        lines.append(f"<tr><td>{html.escape(form)}</td>{cells}</tr>")
    first = rows.loc[rows["group"] == contrast.first, "association"]
    second = rows.loc[rows["group"] != contrast.first].groupby("group")["association"].mean()
    if len(first) and len(second):
        mean = "mean " if len(rows) > 2 else ""
        difference = signed(first.mean() - second.mean())
        lines.append(
            f"<tr><td colspan='3'><b>{mean}{html.escape(contrast.label)}</b></td><td><b>{difference}</b></td></tr>"
        )
    header = "".join(f"<th>{head}</th>" for head in ("", *heads))
    several = "<p class='muted'>The score is the mean over all templates.</p>" if len(result.templates) > 1 else ""
    return f"<table><tr>{header}</tr>{''.join(lines)}</table>{several}"


def _percent(ln_p: float) -> str:
    return html.escape(percent(math.exp(ln_p), 2))
