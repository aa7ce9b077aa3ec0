"""Template, groups and attributes → LPBS per attribute, what stands behind each number, models side by side."""

from operator import itemgetter

import streamlit as st

from core.report.alternatives import described
from core.report.finding import lpbs_finding
from core.report.tables import all_scores, score_table
from pages.playground import cards
from pages.playground import chart as lpbs_chart
from pages.shared import controls, jobs, links, panels, resources, tables
from pages.shared.details import DETAILS
from pages.shared.frame import choose_models, open_page
from pages.shared.markdown import literal

open_page(
    "Playground",
    "Hide a word, ask the model to fill it in, and see whom it thinks of.",
    inputs=controls.LPBS,
    views=(*lpbs_chart.VIEWS, DETAILS, cards.TEMPLATE),
)
models = choose_models()
(inputs, noun), result = jobs.measured(
    "playground", lambda: controls.lpbs_inputs(models), resources.measure, itemgetter(0)
)

names = [info.name for info in result.provenance.models]
contrast = lpbs_chart.choose_contrast(result)
findings = {name: lpbs_finding(result, contrast, name, noun) for name in names}
for name, finding in findings.items():
    panels.show_finding(finding, result.groups, f"{name}: " if len(names) > 1 else "")
panels.show_notes(result.notes)

with st.container(key="result"):
    left, right = st.columns([2.5, 1], gap="medium")
details = cards.choose(right, result, contrast, names)
if details is None:
    panels.show_left_out(result.left_out)
    links.close()
    st.stop()
attribute, model = details.chosen
with left:
    look = lpbs_chart.choose(result, names)
    figure = lpbs_chart.draw(result, contrast, names, look, attribute)
    alt = described(f"Log probability bias score, {contrast.label}, of each of the {noun}", *findings.values())
    panels.show_chart(figure, "tilt", alt, details)
with right:
    cards.attribute_card(inputs, result, model, attribute, contrast)
    table = score_table(result, contrast, look.order)
    panels.export_panel(
        "playground",
        result,
        figure=figure,
        title=f"Log probability bias score of {len(result.attributes):,} attributes, {contrast.label}",
        table=all_scores(result, look.order),
    )

st.subheader("The numbers", anchor=False)
st.caption(literal(" ".join(["Natural logarithms, in nats.", *(f"Source: {one}." for one in result.provenance.data)])))
tables.show(table, "score")
panels.export_panel("playground-table", result, table=all_scores(result, look.order))
panels.show_left_out(result.left_out)
panels.explain_method("lpbs")
links.close()
