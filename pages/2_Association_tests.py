"""WEAT, SEAT, CEAT and LPBS side by side: does the answer depend on how you ask?"""

import streamlit as st

from core.measures.association import figures
from core.report.alternatives import described
from core.report.finding import association_finding
from pages.association import cards as association_cards
from pages.association.controls import INPUTS, TITLES, association_inputs
from pages.shared import jobs, links, panels, resources, tables
from pages.shared.controls import toggle
from pages.shared.frame import choose_models, open_page, theme

open_page(
    "Association tests",
    "Does the model hold the associations people hold, and does it depend on how you ask?",
    inputs=INPUTS,
    views=association_cards.VIEWS,
)
models = choose_models()
inputs, result = jobs.measured("association", lambda: association_inputs(models), resources.measure)
tests = {test.id: test for test in inputs.tests}

finding = association_finding(result)
panels.show_finding(finding, ())
panels.show_notes(result.notes)
published = not result.published.empty and toggle(association_cards.PUBLISHED)
figure = figures.effect_sizes(
    result,
    theme=theme(),
    titles=TITLES,
    test_titles={key: test.title for key, test in tests.items()},
    published=published,
)
place = st.container()
details = association_cards.choose(result, tests, TITLES) if result.cells else None
with place:
    alt = described("Effect size d of every test and representation", finding)
    panels.show_chart(figure, "effects", alt, details)
    panels.export_panel(
        "association",
        result,
        figure=figure,
        title="Effect size d of every test and representation",
        table=result.summary,
    )
if details is not None:
    cell = next(cell for cell in result.cells if association_cards.mark_of(cell) == details.chosen)
    association_cards.show_cell(result, cell, tests, TITLES)

st.subheader("The numbers", anchor=False)
tables.show(result.summary, "association")
panels.export_panel("association-table", result, table=result.summary)
if not result.published.empty:
    st.caption("As printed in the papers, each for the model named.")
    tables.show(result.published, "association")
    panels.export_panel("association-published", result, table=result.published)
panels.show_left_out(result.left_out)
with st.expander("Sources of the tests"):
    for test in inputs.tests:
        st.text(f"{test.title}: {test.source or 'your own lists'}. {test.note}".strip())
panels.explain_method("association")
links.close()
