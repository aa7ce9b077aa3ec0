"""The inputs of the reliability page: templates, representations, metrics and what they are computed from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from core.errors import OptionError
from core.inputs import Choice, Several, Text, Upload
from core.measures.agreement.result import TEMPLATES, AgreementOptions, DivergenceOptions
from core.measures.benchmarks.registry import benchmark
from core.measures.measure import MODELS, PRECISION
from core.measures.shared.representations import COMPARABLE, IN_TEMPLATES, TITLES
from core.sources import blanks, measured
from core.sources.benchmarks import MAX_BYTES, Data
from core.sources.blanks import BlankTemplate
from pages.shared import links
from pages.shared.controls import OWN, SEED, File, measure_button, number, select, sentences_of, several, text, upload
from pages.shared.inputs import AgreementInputs, DivergenceInputs, MetricInputs, MetricTableInputs
from pages.shared.markdown import literal
from pages.shared.options import choice_of, number_of

_FIRST = ("cls-in-templates", "pooled-in-templates")
_DELOBELLE = (
    "cls-in-templates",
    "cls-no-context",
    "pooled-no-context",
    "pooled-in-templates",
    "first-piece-in-templates",
    "vulic",
)
SET = Choice(
    "set",
    "Templates",
    choices={templates.id: templates.title for templates in blanks.template_sets()} | {OWN: "your own …"},
)
OWN_TEMPLATES = Text(
    "own_templates",
    "Your templates, one a line",
    "This is the _.\nThe _ is here.\nThe _ is a [MASK].",
    height=160,
    help="Each has one blank, written as _, where professions and gendered words are put; [MASK] hides a word.",
)
IN_TEMPLATES_OF = Several(
    "vectors",
    "Representations",
    _FIRST,
    {name: TITLES[name] for name in IN_TEMPLATES},
    most=2,
    help="How a word is turned into a vector: one or two, a matrix each.",
)
REPRESENTATIONS = Several(
    "representations",
    "Representations",
    _DELOBELLE,
    {name: TITLES[name] for name in COMPARABLE},
    help="How a word is turned into a vector; each is compared with each.",
)
METHOD = choice_of(AgreementOptions, "method", "Correlation", {"pearson": "Pearson", "spearman": "Spearman"})
SUBSETS = number_of(AgreementOptions, "subsets", "Subsets of professions")
SIZE = number_of(AgreementOptions, "drawn", "Professions of each kind in a subset")
BASE = Choice("base", "Base template", help="The template that the others are compared with.")
CHOSEN_METRICS = Several(
    "metrics",
    "Metrics",
    help="One number a model each; those that need a file of yours are added when it is there.",
)
CROWS_FILE = Upload("crows_pairs_file", "CrowS-Pairs, for CrowS-Pairs, AUL and AULA", megabytes=MAX_BYTES >> 20)
STEREO_FILE = Upload("stereoset_file", "StereoSet (dev.json or a table)", megabytes=MAX_BYTES >> 20)
SENTENCES = Upload("sentences", "Sentences, one a line, for CEAT")
COLUMNS = Upload(
    "columns",
    "Your own scores: a CSV file with a column of models and one for each score",
    help="Such as downstream results. Models are matched by their name.",
)
MORE_MODELS = Text(
    "more_models",
    "More models, one a line",
    height=110,
    help="Metrics need five models or more to be compared. They are loaded one after the other.",
)
INPUTS = (
    MODELS,
    SET,
    OWN_TEMPLATES,
    IN_TEMPLATES_OF,
    REPRESENTATIONS,
    METHOD,
    SUBSETS,
    SIZE,
    BASE,
    CHOSEN_METRICS,
    CROWS_FILE,
    STEREO_FILE,
    SENTENCES,
    COLUMNS,
    MORE_MODELS,
    PRECISION,
    SEED,
)


def agreement_inputs(models: tuple[str, ...], kind: str) -> AgreementInputs:
    """Of templates or representations; raises TiltmeterError when one is not right."""
    with st.container(key="choices"):
        set_place, names_place, method_place, button_place = st.columns([2.0, 3.6, 1.2, 0.9])
    chosen = select(set_place, SET)
    names = several(names_place, IN_TEMPLATES_OF if kind == TEMPLATES else REPRESENTATIONS)
    method = select(method_place, METHOD)
    measure_button(button_place)
    with st.expander("Method and your own templates", key="method_panel"):
        own = _templates_panel(chosen)
        left, middle, right = st.columns(3)
        subsets = number(left, SUBSETS)
        size = number(middle, SIZE)
        seed = number(right, SEED)
        dtype = select(left, PRECISION)
    links.settle()
    templates, source = _templates(chosen, own)
    if not names:
        raise OptionError("No representation is chosen; pick one above.")
    options = AgreementOptions(method, subsets, size, seed)
    return AgreementInputs(models, dtype, kind, templates, names, options, (source,))


def divergence_inputs(models: tuple[str, ...]) -> DivergenceInputs:
    """Of the divergence; raises TiltmeterError when one is not right."""
    with st.container(key="choices"):
        set_place, base_place, button_place = st.columns([2.4, 4.4, 0.9])
    chosen = select(set_place, SET)
    measure_button(button_place)
    with st.expander("Precision and your own templates", key="method_panel"):
        own = _templates_panel(chosen)
        dtype = select(st, PRECISION)
    templates, source = _templates(chosen, own)
    texts = {template.id: f"{template.id}  {template.text}" for template in templates}
    base = select(base_place, replace(BASE, choices=texts))
    links.settle()
    return DivergenceInputs(models, dtype, templates, DivergenceOptions(base), (source,))


def metric_inputs(models: tuple[str, ...]) -> MetricTableInputs:
    """Of the metrics of each model; raises TiltmeterError when something is not right."""
    from core.measures.agreement.metrics import METRICS, Materials, computable

    with st.container(key="choices"):
        metrics_place, method_place, button_place = st.columns([5.2, 1.2, 0.9])
    measure_button(button_place)
    method = select(method_place, METHOD)
    with st.expander("Your data, your own scores, more models", key="method_panel"):
        left, right = st.columns(2)
        crows_files = upload(left, CROWS_FILE)
        stereo_files = upload(left, STEREO_FILE)
        text_files = upload(left, SENTENCES)
        column_files = upload(right, COLUMNS)
        more = text(right, MORE_MODELS)
        dtype = select(right, PRECISION)
        seed = number(right, SEED)
    crows_pairs, stereoset = _data("crows-pairs", crows_files), _data("stereoset", stereo_files)
    sentences = sentences_of(text_files)
    columns = tuple(column for file in column_files for column in measured.read_columns(file.data, file.name))
    titles = {metric.id: metric.title for metric in METRICS}
    possible = computable(Materials(crows_pairs, stereoset, sentences.words))
    chosen = several(metrics_place, replace(CHOSEN_METRICS, default=tuple(possible), choices=titles))
    links.settle()
    if not chosen:
        raise OptionError("No metric is chosen; pick two or more above.")
    names = dict.fromkeys([*models, *(line.strip() for line in more.splitlines() if line.strip())])
    options = AgreementOptions(method, seed=seed)
    inputs = (MetricInputs((name,), dtype, chosen, crows_pairs, stereoset, sentences, options) for name in names)
    return MetricTableInputs(tuple(inputs), columns)


def _templates_panel(chosen: str) -> str:
    """Where the templates are from, or the user's own as they are written."""
    if chosen == OWN:
        return text(st, OWN_TEMPLATES)
    templates = blanks.template_set(chosen)
    st.caption(literal(" ".join(filter(None, (f"{templates.citation}.", templates.note)))))
    return ""


def _templates(chosen: str, own: str) -> tuple[tuple[BlankTemplate, ...], str]:
    """The templates, and where they are from."""
    if chosen == OWN:
        return blanks.own_templates(own), f"templates: {blanks.OWN}"
    templates = blanks.template_set(chosen)
    return templates.templates, templates.citation


def _data(name: str, files: tuple[File, ...]) -> Data[Any] | None:
    return benchmark(name).read([(file.data, file.name) for file in files]) if files else None
