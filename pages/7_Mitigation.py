"""What can be done about a bias, and what it changes."""

import streamlit as st

from core.inputs import Choice
from core.measures.measure import MODELS
from core.measures.mitigation.swap.result import SwapResult
from core.measures.mitigation.swap.spec import SwapSpec
from core.measures.mitigation.tuning.result import TuningResult
from core.measures.mitigation.tuning.spec import TuningSpec
from pages.mitigation import swapped, tuned
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "What", choices={"swapped": "Swapped text", "tuned": "Fine-tuning"})

open_page(
    "Mitigation",
    "What can be done about a bias, and what does it change?",
    # The seed is one of both tabs.
    inputs=(MODELS, WHAT, *swapped.INPUTS, *(option for option in tuned.INPUTS if option not in swapped.INPUTS)),
    views=swapped.VIEWS,
)
place = st.sidebar.container()
result = saved.opened_result(SwapSpec, TuningSpec)
if result is None:
    models = choose_models(place)
    result = tuned.result(models) if choice(WHAT) == "tuned" else swapped.result(models)
if isinstance(result, SwapResult):
    swapped.show(result)
    panels.explain_method("mitigation/swap")
else:
    if isinstance(result, TuningResult):
        tuned.show(result)
    panels.explain_method("mitigation/tuning")
links.close()
