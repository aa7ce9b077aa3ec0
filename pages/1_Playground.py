"""Template, groups and attributes → LPBS per attribute, what stands behind each number, models side by side."""

import streamlit as st

from core import charts
from core.export.finding import lpbs_finding
from core.export.tables import score_table
from pages.shared import cards, controls, jobs, panels, resources, tables
from pages.shared.frame import choose_models, open_page, theme

EXTREMES = 26

open_page("Playground", "Hide a word, ask the model to fill it in, and see whom it thinks of.")
models = choose_models()
inputs, noun = controls.lpbs_inputs(models)
result = jobs.finished("playground", inputs, lambda progress, cancelled: resources.measure(inputs, progress, cancelled))

names = [info.name for info in result.provenance.models]
contrast = result.contrasts[0]
if len(result.contrasts) > 1:
    labels = {one.label: one for one in result.contrasts}
    contrast = labels[
        st.segmented_control(
            "Contrast", labels, default=contrast.label, required=True, key="contrast", bind="query-params"
        )
    ]
for name in names:
    panels.show_finding(
        lpbs_finding(result, contrast, name, noun), result.groups, f"{name}: " if len(names) > 1 else ""
    )
for note in result.notes:
    st.caption(note)

left, right = st.columns([2.6, 1], gap="medium")
with left:
    with st.container(horizontal=True, vertical_alignment="center"):
        order = st.segmented_control(
            "Sort",
            ["lean", "name"],
            format_func={"lean": "by lean", "name": "by name"}.get,
            default="lean",
            required=True,
            key="order",
            bind="query-params",
            label_visibility="collapsed",
        )
        every = len(result.attributes) <= EXTREMES + 1 or st.toggle(
            f"Show all {len(result.attributes)}", key="all", bind="query-params"
        )
        view = "bars"
        if len(names) > 1:
            view = st.segmented_control(
                "View",
                ["bars", "scatter"],
                format_func={"bars": "side by side", "scatter": "one against the other"}.get,
                default="bars",
                required=True,
                key="view",
                bind="query-params",
                label_visibility="collapsed",
            )
    picked = cards.picked(result, contrast, names)
    limit = None if every else EXTREMES
    if view == "scatter":
        pair = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :]]
        x_model, y_model = (
            pair[0] if len(pair) == 1 else st.selectbox("Pair", pair, format_func=" against ".join, key="pair")
        )
        figure = charts.model_against_model(result, contrast=contrast, x_model=x_model, y_model=y_model, theme=theme())
    elif len(names) > 1:
        figure = charts.small_multiples(result, contrast=contrast, theme=theme(), order=order, limit=limit)
    else:
        figure = charts.tilt(
            result, contrast=contrast, model=names[0], theme=theme(), order=order, limit=limit, highlight=picked[0]
        )
    cards.take_click(panels.show_chart(figure, "tilt", f"{noun}: log probability bias score, {contrast.label}"), names)
with right:
    cards.attribute_card(inputs, result, picked[1], picked[0], contrast)
    table = score_table(result, contrast, order)
    panels.export_panel("playground", result, figure=figure, table=table)

st.subheader("The numbers", anchor=False)
tables.show(table)
panels.export_panel("playground-table", result, table=table)
panels.show_left_out(result.left_out)
panels.explain_method("lpbs")
