"""What a model's lean does in tasks that are built on it."""

import streamlit as st

from core.inputs import Choice
from core.measures.downstream.resolution.result import ResolutionResult
from core.measures.downstream.resolution.spec import ResolutionSpec
from core.measures.measure import MODELS
from pages.downstream import resolution
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "What", choices={"pronouns": "Pronoun resolution"})

open_page(
    "Downstream",
    "What does a lean do in tasks that are built on the model?",
    inputs=(MODELS, WHAT, *resolution.INPUTS),
    views=resolution.VIEWS,
)
place = st.sidebar.container()
result = saved.opened_result(ResolutionSpec)
if result is None:
    models = choose_models(place)
    choice(WHAT)
    _, result = saved.measured(ResolutionSpec, lambda: resolution.asked(models))
assert isinstance(result, ResolutionResult)
resolution.show(result)
panels.explain_method("downstream/resolution")
links.close()
