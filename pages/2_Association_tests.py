"""WEAT, SEAT, CEAT and LPBS side by side: does the answer depend on how you ask?"""

import streamlit as st

from core.measures.association import figures, words
from core.measures.association.spec import AssociationSpec
from core.report.alternatives import described
from pages.association import cards as association_cards
from pages.association.controls import INPUTS, association_spec
from pages.shared import links, panels, saved, tables
from pages.shared.controls import toggle
from pages.shared.frame import open_page, theme

open_page(
    "Association tests",
    "Does the model hold the associations people hold, and does it depend on how you ask?",
    inputs=INPUTS,
    views=association_cards.VIEWS,
)
spec, result = saved.shown(AssociationSpec, association_spec)

finding = words.finding(result)
panels.show_finding(finding, ())
panels.show_notes(result.notes)
published = not result["published"].empty and toggle(association_cards.PUBLISHED)
figure = figures.effect_sizes(result, theme=theme(), published=published)
above = st.container()
details = association_cards.choose(result)
with above:
    alt = described("Effect size d of every test and representation", finding)
    panels.show_chart(figure, "effects", alt, details)
    panels.export_panel(
        "association",
        result,
        figure=figure,
        title="Effect size d of every test and representation",
        table=result["tests"],
    )
if details is not None:
    model, test, representation = details.chosen
    association_cards.show_test(result, (model, test, representation))
    association_cards.show_models(result, (model, test, representation))

st.subheader("The numbers", anchor=False)
tables.show(association_cards.titled(result, "tests"), result.SCHEMA.tables["tests"].columns)
panels.export_panel("association-table", result, table=result["tests"])
if not result["published"].empty:
    st.caption("As printed in the papers, each for the model named.")
    tables.show(association_cards.titled(result, "published"), result.SCHEMA.tables["published"].columns)
    panels.export_panel("association-published", result, table=result["published"])
if not result["erased"].empty:
    st.caption("What gender was erased by before each test (LEACE).")
    tables.show(association_cards.titled(result, "erased"), result.SCHEMA.tables["erased"].columns)
    panels.export_panel("association-erased", result, table=result["erased"])
panels.show_left_out(result.excluded)
with st.expander("Sources of the tests"):
    for chosen in spec.tests:
        st.text(f"{chosen.title}: {chosen.source or 'your own lists'}. {chosen.note}".strip())
panels.explain_method("association")
links.close()
