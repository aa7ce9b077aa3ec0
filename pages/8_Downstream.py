"""What a model's lean does in tasks that are built on it."""

import streamlit as st

from core.inputs import Choice
from core.measures.downstream.coreference.result import CoreferenceResult
from core.measures.downstream.coreference.spec import CoreferenceSpec
from core.measures.downstream.occupations.result import OccupationResult
from core.measures.downstream.occupations.spec import OccupationSpec
from core.measures.downstream.resolution.result import ResolutionResult
from core.measures.downstream.resolution.spec import ResolutionSpec
from core.measures.measure import MODELS, PRECISION
from pages.downstream import coreference, occupations, resolution
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

_TABS = {"pronouns": resolution, "occupations": occupations, "coreference": coreference}
WHAT = Choice(
    "what",
    "Tab",
    choices={
        "pronouns": "Pronoun resolution",
        "occupations": "Occupation classification",
        "coreference": "Coreference skew",
    },
)

open_page(
    "Downstream",
    "What does a lean do in tasks that are built on the model?",
    # Models and precision mean the same in every tab; all other inputs have names of their own.
    inputs=(MODELS, PRECISION, WHAT, *(option for tab in _TABS.values() for option in tab.INPUTS)),
    views=tuple(option for tab in _TABS.values() for option in tab.VIEWS),
)
place = st.sidebar.container()
result = saved.opened_result(ResolutionSpec, OccupationSpec, CoreferenceSpec)
if result is None:
    models = choose_models(place)
    result = _TABS[choice(WHAT)].result(models)
match result:
    case CoreferenceResult():
        coreference.show(result)
        panels.explain_method("downstream/coreference")
    case OccupationResult():
        occupations.show(result)
        panels.explain_method("downstream/occupations")
    case ResolutionResult():
        resolution.show(result)
        panels.explain_method("downstream/resolution")
links.close()
