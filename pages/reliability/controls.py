"""The inputs of the reliability page: templates, representations, metrics and what they are computed from."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import OptionError
from core.inputs import Several
from core.measures.agreement.metrics import METRICS
from core.measures.agreement.spec import BASE, METRIC_NAMES, MORE_MODELS, OWN_TEMPLATES, REPRESENTATIONS, SET, Compared
from core.measures.agreement.spec import AgreementSpec as Spec
from core.measures.shared.representations import COMPARABLE, IN_TEMPLATES
from core.sources import blanks
from core.sources.lists import OWN
from pages.shared import links
from pages.shared.controls import choice, measure_button, number, select, several, text, upload
from pages.shared.markdown import literal

# At first those that the paper draws: a matrix each of templates, and all of its own ways to represent a word.
_FIRST = ("cls-in-templates", "pooled-in-templates")
_DELOBELLE = (
    "cls-in-templates",
    "cls-no-context",
    "pooled-no-context",
    "pooled-in-templates",
    "first-piece-in-templates",
    "vulic",
)
_FILES = ("crows_pairs", "stereoset", "sentences")


def agreement_spec(models: tuple[str, ...]) -> Spec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    compare = choice(Spec.input("compare"))
    problem = ""
    if compare == Compared.METRICS:
        problem = "" if _metrics() else "No metric is chosen; pick two or more above."
    elif compare == Compared.DIVERGENCE:
        _divergence()
    else:
        problem = "" if _effects(compare) else "No representation is chosen; pick one above."
    links.settle()
    if problem:
        raise OptionError(problem)
    return Spec.of({**links.values(), "models": models})


def _effects(compare: str) -> tuple[str, ...]:
    """Of templates or of representations: the representations chosen."""
    with st.container(key="choices"):
        set_place, names_place, method_place, button_place = st.columns([2.0, 3.6, 1.2, 0.9])
    chosen = select(set_place, SET)
    names = several(names_place, _representations(compare))
    select(method_place, Spec.input("method"))
    measure_button(button_place)
    with st.expander("Method and your own templates", key="method_panel"):
        _templates_panel(chosen)
        for place, name in zip(st.columns(3), ("subsets", "drawn", "seed"), strict=True):
            number(place, Spec.input(name))
        select(st, Spec.input("dtype"))
    return names


def _representations(compare: str) -> Several:
    fitting, first = (IN_TEMPLATES, _FIRST) if compare == Compared.TEMPLATES else (COMPARABLE, _DELOBELLE)
    choices = {name: REPRESENTATIONS.choices[name] for name in fitting}
    return replace(REPRESENTATIONS, default=first, choices=choices, most=2 if compare == Compared.TEMPLATES else None)


def _divergence() -> None:
    with st.container(key="choices"):
        set_place, base_place, button_place = st.columns([2.4, 4.4, 0.9])
    chosen = select(set_place, SET)
    measure_button(button_place)
    with st.expander("Precision and your own templates", key="method_panel"):
        own = _templates_panel(chosen)
        select(st, Spec.input("dtype"))
    templates = blanks.own_templates(own) if chosen == OWN else blanks.template_set(chosen).templates
    select(base_place, replace(BASE, choices={item.id: f"{item.id}  {item.text}" for item in templates}))


def _metrics() -> tuple[str, ...]:
    """The metrics chosen."""
    with st.container(key="choices"):
        metrics_place, method_place, button_place = st.columns([5.2, 1.2, 0.9])
    measure_button(button_place)
    select(method_place, Spec.input("method"))
    with st.expander("Your data, your own scores, more models", key="method_panel"):
        left, right = st.columns(2)
        given = [name for name in _FILES if upload(left, Spec.input(name))]
        upload(right, Spec.input("columns"))
        text(right, MORE_MODELS)
        select(right, Spec.input("dtype"))
        number(right, Spec.input("seed"))
    possible = tuple(metric.id for metric in METRICS if not metric.needs or metric.needs in given)
    return several(metrics_place, replace(METRIC_NAMES, default=possible))


def _templates_panel(chosen: str) -> str:
    """Where the templates are from, or the user's own as they are written."""
    if chosen == OWN:
        return text(st, OWN_TEMPLATES)
    templates = blanks.template_set(chosen)
    st.caption(literal(" ".join(filter(None, (f"{templates.citation}.", templates.note)))))
    return ""
