"""The papers this program follows: every table and figure, what was printed, and the same on any model."""

import streamlit as st

from core.measures.measure import MODELS
from pages.papers import cards
from pages.shared import links
from pages.shared.frame import choose_models, open_page

open_page(
    "Papers",
    "What was printed, what the stored scores give, and what a model gives here.",
    inputs=(MODELS,),
    views=(cards.CARD, cards.RUN),
)
place = st.sidebar.container()
card = cards.choose()
result = cards.saved_result(card)
if result is None:
    models = choose_models(place)
    links.settle()
    cards.show(card, models)
else:
    cards.show_beside(card, result)
cards.index()
links.close()
