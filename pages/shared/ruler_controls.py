"""The inputs of the rulers page: templates, representations, metrics and what they are computed from."""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import lexicon
from core.errors import OptionError
from core.experiments.representations import COMPARABLE, IN_TEMPLATES
from core.lexicon import measured, rulers
from core.lexicon.benchmarks import Data, benchmark
from core.lexicon.rulers import RulerTemplate
from core.results import TEMPLATES, AgreementOptions, DivergenceOptions
from pages.shared.association_controls import TITLES
from pages.shared.controls import OWN, PRECISIONS, measure_button, seed_box, select
from pages.shared.inputs import AgreementInputs, DivergenceInputs, MetricInputs, MetricTableInputs
from pages.shared.markdown import literal

_METHODS = {"pearson": "Pearson", "spearman": "Spearman"}
_FIRST = ("cls-in-templates", "pooled-in-templates")
_DELOBELLE = (
    "cls-in-templates",
    "cls-no-context",
    "pooled-no-context",
    "pooled-in-templates",
    "first-piece-in-templates",
    "vulic",
)
_OWN_TEMPLATES = "This is the _.\nThe _ is here.\nThe _ is a [MASK]."


def agreement_inputs(models: tuple[str, ...], kind: str) -> AgreementInputs:
    """Of templates or representations; raises TiltmeterError when one is not right."""
    with st.container(key="choices"):
        set_place, rulers_place, method_place, button_place = st.columns([2.0, 3.6, 1.2, 0.9])
    chosen = _set(set_place)
    names = rulers_place.multiselect(
        "Representations",
        IN_TEMPLATES if kind == TEMPLATES else COMPARABLE,
        default=list(_FIRST if kind == TEMPLATES else _DELOBELLE),
        key=f"rulers_{kind}",
        bind="query-params",
        max_selections=2 if kind == TEMPLATES else None,
        format_func=TITLES.get,
        help="How a word is turned into a vector"
        + (": one or two, a matrix each." if kind == TEMPLATES else "; each is held against each."),
    )
    method = select(method_place, "Correlation", _METHODS, "method")
    measure_button(button_place)
    with st.expander("Method and your own templates", key="method_panel"):
        templates, source = _templates(chosen)
        left, middle, right = st.columns(3)
        subsets = left.number_input("Subsets of professions", 4, 500, 20, key="subsets", bind="query-params")
        drawn = middle.number_input("Professions of each kind in a subset", 2, 30, 10, key="drawn", bind="query-params")
        seed = seed_box(right)
        dtype = select(left, "Precision", PRECISIONS, "dtype")
    if not names:
        raise OptionError("No representation is chosen; pick one above.")
    options = AgreementOptions(method, int(subsets), int(drawn), seed)
    return AgreementInputs(models, dtype, kind, templates, tuple(names), options, (source,))


def divergence_inputs(models: tuple[str, ...]) -> DivergenceInputs:
    """Of the divergence; raises TiltmeterError when one is not right."""
    with st.container(key="choices"):
        set_place, base_place, button_place = st.columns([2.4, 4.4, 0.9])
    chosen = _set(set_place)
    measure_button(button_place)
    with st.expander("Precision and your own templates", key="method_panel"):
        templates, source = _templates(chosen)
        dtype = select(st.container(), "Precision", PRECISIONS, "dtype")
    texts = {one.id: f"{one.id}  {one.text}" for one in templates}
    base = select(
        base_place, "Base template", texts, f"base_{chosen}", help="The template that the others are held against."
    )
    return DivergenceInputs(models, dtype, templates, DivergenceOptions(base), (source,))


def metric_inputs(models: tuple[str, ...]) -> MetricTableInputs:
    """Of the metrics of each model; raises TiltmeterError when something is not right."""
    from core.experiments.rulers.metric_list import METRICS, Materials, computable

    titles = {one.id: one.title for one in METRICS}
    with st.container(key="choices"):
        metrics_place, method_place, button_place = st.columns([5.2, 1.2, 0.9])
    measure_button(button_place)
    method = select(method_place, "Correlation", _METHODS, "method")
    with st.expander("Your data, your own scores, more models", key="method_panel"):
        left, right = st.columns(2)
        crows_file = left.file_uploader("CrowS-Pairs, for CrowS-Pairs, AUL and AULA", key="metric_crows")
        stereo_file = left.file_uploader("StereoSet (dev.json or a table)", key="metric_stereo")
        text_file = left.file_uploader("Sentences, one a line, for CEAT", type=["txt"], key="metric_sentences")
        column_file = right.file_uploader(
            "Your own scores: a CSV file with a column of models and one for each score",
            type=["csv", "tsv"],
            key="metric_columns",
            help="Such as downstream results. Models are matched by their name.",
        )
        more = right.text_area(
            "More models, one a line",
            key="more_models",
            bind="query-params",
            height=110,
            help="Metrics need five models or more to be compared. They are loaded one after the other.",
        )
        dtype = select(right, "Precision", PRECISIONS, "dtype")
        seed = seed_box(right)
    crows_pairs, stereoset = _data("crows-pairs", crows_file), _data("stereoset", stereo_file)
    sentences = lexicon.read_lines(text_file.getvalue(), text_file.name) if text_file is not None else ()
    columns = measured.read_columns(column_file.getvalue(), column_file.name) if column_file is not None else ()
    possible = computable(Materials(crows_pairs, stereoset, sentences))
    chosen = metrics_place.multiselect(
        "Metrics",
        list(titles),
        default=possible,
        key=f"metrics {','.join(possible)}",
        format_func=titles.get,
        help="One number a model each; those that need a file of yours are added when it is there.",
    )
    if not chosen:
        raise OptionError("No metric is chosen; pick two or more above.")
    names = dict.fromkeys([*models, *(line.strip() for line in more.splitlines() if line.strip())])
    options = AgreementOptions(method, seed=seed)
    inputs = (MetricInputs((name,), dtype, tuple(chosen), crows_pairs, stereoset, sentences, options) for name in names)
    return MetricTableInputs(tuple(inputs), columns)


def _set(place: DeltaGenerator) -> str:
    titles = {one.id: one.title for one in rulers.template_sets()}
    return select(place, "Templates", {**titles, OWN: "your own …"}, "set")


def _templates(chosen: str) -> tuple[tuple[RulerTemplate, ...], str]:
    """The templates, and where they are from."""
    if chosen != OWN:
        one = rulers.template_set(chosen)
        st.caption(literal(" ".join(filter(None, (f"{one.citation}.", one.note)))))
        return one.templates, one.citation
    text = st.text_area(
        "Your templates, one a line",
        _OWN_TEMPLATES,
        key="own_ruler_templates",
        bind="query-params",
        height=160,
        help="Each has one blank, written as _, where professions and gendered words are put; [MASK] hides a word.",
    )
    return rulers.own_templates(text), f"templates: {rulers.OWN}"


def _data(name: str, file: Any) -> Data[Any] | None:
    read = benchmark(name).read
    return None if file is None or read is None else read([(file.getvalue(), file.name)])
