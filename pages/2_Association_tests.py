"""WEAT, SEAT, CEAT and LPBS side by side, and the gender direction: does the answer depend on how you ask?"""

import streamlit as st

from core.inputs import Choice
from core.measures.association.direction.result import DirectionResult
from core.measures.association.direction.spec import DirectionSpec
from core.measures.association.result import AssociationResult
from core.measures.association.spec import AssociationSpec
from pages.association import cards as association_cards
from pages.association import direction_panel
from pages.association.controls import INPUTS, association_spec
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "Tab", choices={"tests": "association tests", "direction": "gender direction"})

open_page(
    "Association tests",
    "Does the model hold the associations people hold, and does it depend on how you ask?",
    # Layer, vectors, precision and seed are those of both.
    inputs=(WHAT, *INPUTS, *(option for option in direction_panel.INPUTS if option not in INPUTS)),
    views=(*association_cards.VIEWS, *direction_panel.VIEWS),
)
place = st.sidebar.container()
result = saved.opened_result(AssociationSpec, DirectionSpec)
if result is None:
    models = choose_models(place)
    if choice(WHAT) == "direction":
        result = saved.measured(DirectionSpec, lambda: direction_panel.direction_spec(models))[1]
    else:
        result = saved.measured(AssociationSpec, lambda: association_spec(models))[1]
if isinstance(result, DirectionResult):
    direction_panel.show(result)
    panels.explain_method(direction_panel.EXPLANATION)
elif isinstance(result, AssociationResult):
    association_cards.show(result)
    panels.explain_method("association")
links.close()
