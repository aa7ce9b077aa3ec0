"""The inputs of the association tests: published tests or own lists, representations, sentences for CEAT."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core import lexicon
from core.errors import OptionError, WordListError
from core.experiments.representations import CEAT, RULERS, VECTORS
from core.lexicon import AssociationTest
from core.results import AssociationOptions
from pages.shared.controls import PRECISIONS, measure_button, seed_box, select
from pages.shared.inputs import AssociationInputs

_FIRST_TESTS = ("weat1", "weat6", "weat7", "weat8")
_FIRST_RULERS = ("lpbs", "pooled-in-templates", "cls-in-templates", "input-embedding")
_LOST = {"unknown": "words the model does not know", "several pieces": "all words of several pieces (Kurita)"}
_UNEQUAL = {"keep": "stay as they are", "drop": "are made equal at random (Kurita)"}
_VALUES = {"mean": "a word’s mean over templates", "pool": "all templates together (Kurita’s code)"}
_VARIANCE = {"authors": "that of s (authors’ code)", "formula": "by the formula for d"}

TITLES = {one.id: one.title for one in (*RULERS, CEAT, VECTORS)}


def association_inputs(models: tuple[str, ...]) -> AssociationInputs:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    published = {test.id: test for test in lexicon.association_tests()}
    with st.container(key="controls"):
        tests_place, rulers_place, button_place = st.columns([2.6, 2.6, 0.9])
    chosen = tests_place.multiselect(
        "Tests",
        list(published),
        default=list(_FIRST_TESTS),
        key="tests",
        bind="query-params",
        format_func=lambda key: published[key].title,
        help="Each test holds two sets of targets, X and Y, against two sets of attributes, A and B.",
    )
    rulers = rulers_place.multiselect(
        "Representations",
        [one.id for one in RULERS],
        default=list(_FIRST_RULERS),
        key="representations",
        bind="query-params",
        format_func=TITLES.get,
        help="How a word is turned into numbers. The answer may depend on it: that is what this page shows.",
    )
    measure_button(button_place)
    own = _own_lists()
    options, dtype, vectors, sentences = _method()
    tests = (*(published[key] for key in chosen), *own)
    if not tests:
        raise OptionError("No test is chosen; pick one above, or write your own lists.")
    if not rulers and vectors is None and not sentences:
        raise OptionError("No representation is chosen; pick one above.")
    data = [test.citation for test in tests]
    if vectors is not None:
        data.append(f"vectors of {vectors.name}")
    if sentences:
        data.append(f"{len(sentences):,} sentences of the user's own")
    return AssociationInputs(models, dtype, tests, tuple(rulers), options, vectors, sentences, tuple(data))


def _own_lists() -> tuple[AssociationTest, ...]:
    with st.expander("Your own lists", key="own_lists"):
        file = st.file_uploader(
            "A CSV file with the columns x, y, a, b (up to 5 MB)", type=["csv", "tsv"], key="own_test_file"
        )
        areas = st.columns(4)
        labels = (("x", "Targets X"), ("y", "Targets Y"), ("a", "Attributes A"), ("b", "Attributes B"))
        texts = [
            place.text_area(label, key=f"own_{letter}", bind="query-params", height=120, placeholder="one word a line")
            for place, (letter, label) in zip(areas, labels, strict=True)
        ]
        left, middle, right = st.columns([2, 1, 1])
        templates = left.text_area(
            "For LPBS: templates, one a line",
            key="own_templates",
            bind="query-params",
            height=80,
            placeholder="[TARGET] likes [ATTRIBUTE].",
        )
        group1 = middle.text_area("Group 1, stands for X", key="own_group1", bind="query-params", height=80)
        group2 = right.text_area("Group 2, stands for Y", key="own_group2", bind="query-params", height=80)
    own = []
    if file is not None:
        own.append(lexicon.read_test(file.getvalue(), file.name))
    if any(text.strip() for text in texts):
        missing = [label for text, (_, label) in zip(texts, labels, strict=True) if not text.strip()]
        if missing:
            raise WordListError(f"Your own lists need all four sets; {' and '.join(missing)} is still empty.")
        own.append(
            lexicon.own_test(
                *(lexicon.parse_words(text) for text in texts),
                templates=tuple(line.strip() for line in templates.splitlines() if line.strip()),
                group1=lexicon.parse_words(group1) if group1.strip() else (),
                group2=lexicon.parse_words(group2) if group2.strip() else (),
            )
        )
    return tuple(own)


def _method() -> tuple[AssociationOptions, str, Path | None, tuple[str, ...]]:
    with st.expander("Method, CEAT and vector files", key="method"):
        left, right = st.columns(2)
        file = left.file_uploader(
            "CEAT: your sentences, one a line, in a TXT file (up to 5 MB)",
            type=["txt"],
            key="sentences_file",
            help="The words of a test are read in these sentences; 1,000 samples of one sentence a word are combined.",
        )
        path = left.text_input(
            "A file of static vectors on this machine (GloVe, word2vec or fastText text)",
            key="vectors",
            bind="query-params",
            placeholder="/path/to/glove.6B.300d.txt",
        ).strip()
        layer = left.text_input(
            "Layer to read instead of each representation’s own", key="layer", bind="query-params", placeholder="none"
        ).strip()
        lost = select(right, "Left out are", _LOST, "lost")
        unequal = select(right, "Sets of unequal size", _UNEQUAL, "unequal")
        values = select(right, "LPBS: values tested", _VALUES, "lpbs_values")
        variance = select(right, "CEAT: variance of a sample’s effect", _VARIANCE, "ceat_variance")
        ddof = right.selectbox("ddof of the standard deviation in d", [1, 0], key="ddof", bind="query-params")
        dtype = select(right, "Precision", PRECISIONS, "dtype")
        seed = seed_box(right)
    if layer and not layer.isdecimal():
        raise OptionError(f"“{layer}” is no layer; write a number, 0 for the embeddings, or nothing.")
    if path and not Path(path).expanduser().is_file():
        raise WordListError(f"There is no file {path}; give the path of a vector file on the machine of the server.")
    sentences = lexicon.read_lines(file.getvalue(), file.name) if file is not None else ()
    options = AssociationOptions(
        ddof=int(ddof),
        lost=lost,
        unequal=unequal,
        lpbs_values=values,
        ceat_variance=variance,
        layer=int(layer) if layer else None,
        seed=seed,
    )
    return options, dtype, Path(path).expanduser() if path else None, sentences
