"""Divergences: how far what a model expects in a template's blank is from what it expects in the base template's."""

from __future__ import annotations

import streamlit as st

from core.measures.agreement import figures, words
from core.measures.agreement.result import DIVERGENCE, WORDS, AgreementResult
from core.measures.agreement.tables import DIVERGENCE_COLUMNS, divergence_table
from core.report.alternatives import described
from pages.shared import details, panels, tables
from pages.shared.frame import theme


def show(result: AgreementResult) -> None:
    """How far each template's blank is from the base template's."""
    finding = words.divergence_finding(result)
    panels.show_finding(result, finding, ())
    panels.show_notes(result.notes)
    figure = panels.drawn(lambda: figures.divergences(result, theme=theme()))
    above = st.container()
    table = divergence_table(result)
    names = list(dict.fromkeys(result[DIVERGENCE]["model"]))
    texts = {name: f"{name}  {text}" for name, text in result.names.items() if name != result.spec.base_id}
    names_of_scopes = {"full": "all words", "gendered": "the gendered words"}
    marks = {
        (model, template, scope): f"{texts[template]}: {title}" + f", {model}" * (len(names) > 1)
        for model in names
        for template in texts
        for scope, title in names_of_scopes.items()
    }
    st.subheader("The words that contribute most", anchor=False)
    chosen = details.choose(st, marks, (names[0], _furthest(result, names[0]), "full"))
    model, template, scope = chosen.chosen
    with above:
        alt = described("Divergence of each template from the base template", finding)
        panels.show_chart(figure, "divergences", alt, chosen)
        panels.export_panel(
            "divergence",
            result,
            figure=figure,
            title="Divergence of each template from the base template, in nats",
            table=table,
        )
    contributions = panels.drawn(
        lambda: figures.contributions(result, theme=theme(), model=model, template=template, scope=scope)
    )
    panels.show_chart(contributions, "contributions", words.contributions_text(result, model, template, scope))
    shown = result[WORDS]
    shown = shown[(shown["model"] == model) & (shown["template"] == template) & (shown["scope"] == scope)]
    panels.export_panel(
        "contributions",
        result,
        figure=contributions,
        title=f"What single words add to the divergence of {template} in {model}",
        table=shown,
    )
    st.subheader("The numbers", anchor=False)
    tables.show(table, DIVERGENCE_COLUMNS)
    panels.export_panel("divergence-table", result, table=table)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _furthest(result: AgreementResult, model: str) -> str:
    rows = result[DIVERGENCE]
    rows = rows[rows["model"] == model]
    return str(rows["template"].iloc[int(rows["kl_full"].argmax())])
