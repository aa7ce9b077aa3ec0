"""The inputs of the association tests: published tests or own lists, representations, sentences for CEAT."""

from __future__ import annotations

import streamlit as st

from core.inputs import Option
from core.measures.association import spec as asked
from core.measures.association.spec import AssociationSpec
from core.measures.measure import MODELS
from pages.shared import links
from pages.shared.controls import ask, measure_button, select, several, text, upload

INPUTS = AssociationSpec.inputs()


def association_spec(models: tuple[str, ...]) -> AssociationSpec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="controls"):
        tests_place, kinds_place, button_place = st.columns([2.6, 2.6, 0.9])
    several(tests_place, asked.TESTS)
    several(kinds_place, asked.KINDS)
    measure_button(button_place)
    with st.expander("Your own lists", key="own_lists"):
        upload(st, asked.OWN_TEST)
        select(st, asked.OWN_XY)
        for place, option in zip(st.columns(4), asked.OWN_SETS, strict=True):
            text(place, option)
        for place, option in zip(st.columns([2, 1, 1]), (asked.OWN_TEMPLATES, *asked.OWN_SIDES), strict=True):
            text(place, option)
    with st.expander("Method, CEAT and vector files", key="method"):
        left, right = st.columns(2)
        files: tuple[Option, ...] = (asked.SENTENCES, asked.VECTORS, asked.LAYER)
        for given in files:
            ask(left, given)
        drawn = links.current().drawn
        for choice in INPUTS:
            if choice.name not in drawn and choice.name != MODELS.name:
                ask(right, choice)
    links.settle()
    return AssociationSpec.of({**links.values(), MODELS.name: models})
