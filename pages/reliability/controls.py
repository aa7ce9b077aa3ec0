"""The inputs of the reliability page: templates, representations, metrics and what they are computed from."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.engine.checkpoints import located, request
from core.errors import ModelError, OptionError
from core.inputs import Reference, Several, Upload
from core.measures.agreement.choices import Compared
from core.measures.agreement.metrics import METRICS
from core.measures.agreement.spec import BASE, METRIC_NAMES, MORE_MODELS, OWN_TEMPLATES, REPRESENTATIONS, SET
from core.measures.agreement.spec import AgreementSpec as Spec
from core.measures.downstream.task import DownstreamResult
from core.measures.shared.representations import IN_TEMPLATES, OF_WORDS
from core.sources import blanks
from core.sources.lists import OWN
from pages.shared import links, resources, shelved
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
        problem = "" if _metrics(models) else "No metric is chosen; pick two or more above."
    elif compare == Compared.DIVERGENCE:
        _divergence()
    else:
        problem = "" if _effects(compare) else "No representation is chosen; pick one above."
    asked = {"models": models}
    chosen = shelved.choose(Spec, lambda: Spec.of({**links.values(), **asked, "published": ()}))
    links.settle()
    if problem:
        raise OptionError(problem)
    return Spec.of({**links.values(), **asked, "published": chosen})


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
        draws_place, dtype_place = st.columns(2)
        select(draws_place, Spec.input("draws"))
        select(dtype_place, Spec.input("dtype"))
    return names


def _representations(compare: str) -> Several:
    fitting, first = (IN_TEMPLATES, _FIRST) if compare == Compared.TEMPLATES else (OF_WORDS, _DELOBELLE)
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


def _metrics(models: tuple[str, ...]) -> tuple[str, ...]:
    """The metrics chosen."""
    with st.container(key="choices"):
        metrics_place, method_place, button_place = st.columns([5.2, 1.2, 0.9])
    measure_button(button_place)
    select(method_place, Spec.input("method"))
    with st.expander("Your data, downstream results, more models", key="method_panel"):
        left, right = st.columns(2)
        given = [name for name in _FILES if upload(left, Spec.input(name))]
        upload(left, Spec.input("columns"))
        more = text(right, MORE_MODELS)
        with right:
            _offer((*models, *filter(None, map(str.strip, more.splitlines()))))
        upload(right, Spec.input("downstream"))
        select(right, Spec.input("dtype"))
        number(right, Spec.input("seed"))
    possible = tuple(metric.id for metric in METRICS if not metric.needs or metric.needs in given)
    return several(metrics_place, replace(METRIC_NAMES, default=possible))


def _offer(models: tuple[str, ...]) -> None:
    """The downstream results of these models that were measured on this server, each with a button that takes it in."""
    option = Spec.input("downstream")
    taken = {file.name for file in links.value_of(option)}
    ids = set(map(_id, models))
    offered = [
        result
        for result in resources.finished(DownstreamResult)
        if _name(result) not in taken
        and any(info.id in ids for info in result.provenance.models)
        and _has_number(result)
    ]
    if offered:
        st.caption("Downstream results measured on this server:")
    for result in offered:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(result.spec.line)
            st.button("Compare with it", key=f"take {_name(result)}", on_click=_take, args=(option, result))


def _take(option: Upload, result: DownstreamResult) -> None:
    file = Reference(resources.uploads().put(result.to_bytes()), _name(result))
    links.change(option, (*links.value_of(option), file))


def _name(result: DownstreamResult) -> str:
    """What a result that was measured here is called as a file."""
    return f"{result.spec.COMMAND}-{result.provenance.created.replace(':', '')}.tilt"


def _has_number(result: DownstreamResult) -> bool:
    return bool(result.headlines())


def _id(model: str) -> str:
    """The id that provenance has of a model, as far as it can be told without its files."""
    try:
        return located(request(model))[1]
    except ModelError:
        return model


def _templates_panel(chosen: str) -> str:
    """Where the templates are from, or the user's own as they are written."""
    if chosen == OWN:
        return text(st, OWN_TEMPLATES)
    templates = blanks.template_set(chosen)
    st.caption(literal(" ".join(filter(None, (f"{templates.citation}.", templates.note)))))
    return ""
