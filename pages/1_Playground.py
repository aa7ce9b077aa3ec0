"""Template, groups and attributes → LPBS per attribute, what stands behind each number, models side by side."""

import streamlit as st

from core.measures.lpbs import figures, words
from core.measures.lpbs.result import SHARES
from core.measures.lpbs.spec import LpbsSpec
from core.measures.lpbs.tables import all_scores, score_columns, score_table, scored
from core.report.alternatives import described
from core.report.numbers import counted
from pages.playground import cards, chart, controls
from pages.shared import links, panels, saved, tables
from pages.shared.details import DETAILS
from pages.shared.frame import open_page, theme
from pages.shared.markdown import literal

open_page(
    "Playground",
    "Hide a word, ask the model to fill it in, and see whom it thinks of.",
    inputs=LpbsSpec.inputs(),
    views=(*chart.VIEWS, DETAILS, cards.TEMPLATE),
)
spec, result = saved.shown(LpbsSpec, controls.lpbs_spec)
noun = spec.attributes.noun_plural

names = [info.name for info in result.provenance.models]
contrast = chart.choose_contrast(result)
findings = {name: words.finding(result, contrast, name) for name in names}
for name, finding in findings.items():
    panels.show_finding(result, finding, result.groups, f"{name}: " if len(spec.models) > 1 else "")
# What does not fit is said beside the controls, where there are some.
said = () if links.value_of(links.SAVED) else spec.misfits
panels.show_notes(note for note in result.notes if note.text not in said)

with st.container(key="result"):
    left, right = st.columns([2.5, 1], gap="medium")
details = cards.choose(right, result, contrast)
if details is None:
    panels.show_left_out(result.excluded)
    links.close()
    st.stop()
attribute, model = details.chosen
with left:
    count = scored(result, contrast)["attribute"].nunique()
    look = chart.choose(count, names)
    figure = panels.drawn(lambda: chart.draw(result, contrast, names, look, attribute))
    alt = described(f"Log probability bias score, {contrast.label}, of each of the {noun}", *findings.values())
    panels.show_chart(figure, "tilt", alt, details)
with right:
    cards.attribute_card(spec, result, model, attribute, contrast)
    table = score_table(result, contrast, look.order)
    panels.export_panel(
        "playground",
        result,
        figure=figure,
        title=f"Log probability bias score of {counted(count, 'attribute')}, {contrast.label}",
        table=all_scores(result, look.order),
    )

if len(result.contrasts) > 1:
    cards.all_contrasts(result, names)

st.subheader("How many lean which way", anchor=False)
shares = {name: words.shares_finding(result, contrast, name) for name in names}
for name, finding in shares.items():
    st.caption(literal(f"{f'{name}: ' if len(names) > 1 else ''}{finding.text} {finding.support}"))
shares_figure = panels.drawn(lambda: figures.shares(result, contrast=contrast, theme=theme()))
title = f"Share of the {noun} that lean towards each group, {contrast.label}"
panels.show_chart(shares_figure, "shares", described(title, *shares.values()))
panels.export_panel("playground-shares", result, figure=shares_figure, title=title, table=result[SHARES])

st.subheader("The numbers", anchor=False)
st.caption("Natural logarithms, in nats.")
panels.show_sources(result)
tables.show(table if len(names) > 1 else table.drop(columns="model"), score_columns(result))
panels.export_panel("playground-table", result, table=all_scores(result, look.order))
panels.show_left_out(result.excluded)
panels.explain_method("lpbs")
links.close()
