"""Home: what this is, and a first result already on screen. ``python app.py`` starts the server."""

from pathlib import Path

from streamlit import runtime

if not runtime.exists():
    from pages.shared.server import serve

    serve(Path(__file__))
    raise SystemExit

import streamlit as st

from core import charts
from core.report.alternatives import described
from core.report.finding import lpbs_finding
from core.report.tables import all_scores
from pages.shared import jobs, links, panels, resources
from pages.shared.frame import HOME, link_to, open_page, theme
from pages.shared.inputs import worked_example

open_page(HOME, "Measure social bias in language models.")
links.settle()
panels.show_text("home")
inputs = worked_example()
result = jobs.finished("home", inputs, resources.measure)
(contrast,), (model,) = result.contrasts, inputs.models
finding = lpbs_finding(result, contrast, model, "professions")
panels.show_finding(finding, result.groups)
st.text(inputs.templates[0].text)
figure = charts.tilt(result, contrast=contrast, model=model, theme=theme(), limit=26)
panels.show_chart(figure, "home", described("A bar for each profession", finding))
link_to(
    "pages/1_Playground.py", "Change the sentence, the words or the model", page="Playground", icon=":material/tune:"
)
panels.export_panel(
    "first-measurement",
    result,
    figure=figure,
    title=f"Log probability bias score of 60 professions, {contrast.label}",
    table=all_scores(result),
)
panels.explain_method("lpbs")
links.close()
