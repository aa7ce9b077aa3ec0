"""What can be done about a bias, and what it changes."""

import streamlit as st

from core.inputs import Choice
from core.measures.measure import MODELS
from core.measures.mitigation.swap.result import SwapResult
from core.measures.mitigation.swap.spec import SwapSpec
from pages.mitigation import swapped
from pages.shared import links, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "What", choices={"swapped": "Swapped text"})

open_page(
    "Mitigation",
    "What can be done about a bias, and what does it change?",
    inputs=(MODELS, WHAT, *swapped.INPUTS),
    views=swapped.VIEWS,
)
place = st.sidebar.container()
result = saved.opened_result(SwapSpec)
if isinstance(result, SwapResult):
    swapped.show(result)
else:
    models = choose_models(place)
    choice(WHAT)
    swapped.show(swapped.result(models))
links.close()
