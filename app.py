"""Home: what this is, and a first result already on screen. ``python app.py`` starts the server."""

from pathlib import Path

from streamlit import runtime

if not runtime.exists():
    from pages.shared.server import serve

    serve(Path(__file__))
    raise SystemExit

import streamlit as st

from core.measures.lpbs import words
from core.measures.lpbs.figures import draw
from core.measures.lpbs.spec import LpbsSpec
from core.measures.lpbs.tables import all_scores
from core.report.alternatives import described
from pages.shared import jobs, links, panels, resources, saved
from pages.shared.frame import HOME, link_to, open_page, theme

open_page(HOME, "Measure social bias in language models.")
links.settle()
saved.offer()
panels.show_text("home")
spec = LpbsSpec()
result = jobs.finished("home", spec, resources.measure)
(contrast,), (model,) = result.contrasts, spec.models
finding = words.finding(result, contrast, model)
panels.show_finding(result, finding, result.groups)
st.text(spec.templates[0].text)
figure = panels.drawn(lambda: draw(result, model=model, theme=theme()))
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
