"""The inputs of the association tests: published tests or own lists, representations, sentences for CEAT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from core import sources
from core.errors import OptionError, WordListError
from core.inputs import Several, Text, Upload
from core.measures.association.result import AssociationOptions
from core.measures.measure import MODELS, PRECISION
from core.measures.shared import representations
from core.sources import AssociationTest, FileWords
from pages.shared import links
from pages.shared.controls import FORM, SEED, File, measure_button, number, select, sentences_of, several, text, upload
from pages.shared.inputs import AssociationInputs
from pages.shared.options import choice_of

_SETS = (("x", "Targets X"), ("y", "Targets Y"), ("a", "Attributes A"), ("b", "Attributes B"))
_SIDES = (("own_group1", "Group 1, stands for X"), ("own_group2", "Group 2, stands for Y"))

TITLES = {
    kind.id: kind.title for kind in (*representations.REPRESENTATIONS, representations.CEAT, representations.VECTORS)
}

TESTS = Several(
    "tests",
    "Tests",
    ("weat1", "weat6", "weat7", "weat8"),
    {test.id: test.title for test in sources.association_tests()},
    help="Each test compares two sets of targets, X and Y, by two sets of attributes, A and B.",
)
REPRESENTATIONS = Several(
    "representations",
    "Representations",
    ("lpbs", "pooled-in-templates", "cls-in-templates", "input-embedding"),
    {kind.id: kind.title for kind in representations.REPRESENTATIONS},
    help="How a word is turned into numbers. The answer may depend on it: that is what this page shows.",
)
OWN_TEST = Upload("own_test", "A CSV file with the columns x, y, a, b")
OWN_SETS = tuple(Text(f"own_{letter}", label, height=120, placeholder="one word a line") for letter, label in _SETS)
OWN_TEMPLATES = Text(
    "own_templates", "For LPBS: templates, one a line", height=80, placeholder="[TARGET] likes [ATTRIBUTE]."
)
OWN_SIDES = tuple(Text(name, label, height=80) for name, label in _SIDES)
SENTENCES = Upload(
    "sentences",
    "CEAT: your sentences, one a line, in a TXT file",
    help="The words of a test are read in these sentences; 1,000 samples of one sentence a word are combined.",
)
VECTOR_FILE = Text(
    "vectors",
    "A file of static vectors on this machine (GloVe, word2vec or fastText text)",
    placeholder="/path/to/glove.6B.300d.txt",
)
LAYER = Text("layer", "Layer to read instead of each representation’s own", placeholder="none")
LOST = choice_of(
    AssociationOptions,
    "lost",
    "Excluded are",
    {
        "unknown": "words the model does not know",
        "several pieces": "all words split into several tokens (Kurita)",
    },
)
UNEQUAL = choice_of(
    AssociationOptions,
    "unequal",
    "Sets of unequal size",
    {"keep": "stay as they are", "drop": "are made equal at random (Kurita)"},
)
LPBS_VALUES = choice_of(
    AssociationOptions,
    "lpbs_values",
    "LPBS: values tested",
    {"mean": "a word’s mean over templates", "pool": "all templates together (Kurita’s code)"},
)
CEAT_VARIANCE = choice_of(
    AssociationOptions,
    "ceat_variance",
    "CEAT: variance of a sample’s effect",
    {"authors": "that of s (authors’ code)", "formula": "by the formula for d"},
)
DDOF = choice_of(AssociationOptions, "ddof", "ddof of the standard deviation in d", {"1": "1", "0": "0"})

INPUTS = (
    MODELS,
    TESTS,
    REPRESENTATIONS,
    OWN_TEST,
    *OWN_SETS,
    OWN_TEMPLATES,
    *OWN_SIDES,
    SENTENCES,
    VECTOR_FILE,
    LAYER,
    LOST,
    UNEQUAL,
    LPBS_VALUES,
    CEAT_VARIANCE,
    DDOF,
    FORM,
    PRECISION,
    SEED,
)


def association_inputs(models: tuple[str, ...]) -> AssociationInputs:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="controls"):
        tests_place, rulers_place, button_place = st.columns([2.6, 2.6, 0.9])
    chosen = several(tests_place, TESTS)
    rulers = several(rulers_place, REPRESENTATIONS)
    measure_button(button_place)
    written = _own_lists()
    method = _method()
    links.settle()
    own = _own_tests(*written)
    options, dtype, vectors, sentences = _read_method(*method)
    tests = (*(sources.association_test(name) for name in chosen), *own)
    if not tests:
        raise OptionError("No test is chosen; pick one above, or write your own lists.")
    if not rulers and vectors is None and not sentences.words:
        raise OptionError("No representation is chosen; pick one above.")
    data = [test.citation for test in tests]
    if sentences.words:
        data += sentences.notes
    return AssociationInputs(models, dtype, tests, rulers, options, vectors, sentences.words, tuple(data))


def _own_lists() -> tuple[tuple[File, ...], list[str], str, list[str]]:
    """Files, the four sets, templates and the two groups, as they are written."""
    with st.expander("Your own lists", key="own_lists"):
        files = upload(st, OWN_TEST)
        texts = [text(place, option) for place, option in zip(st.columns(4), OWN_SETS, strict=True)]
        left, *right = st.columns([2, 1, 1])
        templates = text(left, OWN_TEMPLATES)
        groups = [text(place, option) for place, option in zip(right, OWN_SIDES, strict=True)]
    return files, texts, templates, groups


def _own_tests(
    files: tuple[File, ...], texts: list[str], templates: str, groups: list[str]
) -> tuple[AssociationTest, ...]:
    own = [sources.read_test(file.data, file.name) for file in files]
    if any(words.strip() for words in texts):
        missing = [label for words, (_, label) in zip(texts, _SETS, strict=True) if not words.strip()]
        if missing:
            raise WordListError(f"Your own lists need all four sets; {' and '.join(missing)} is still empty.")
        group1, group2 = (sources.parse_words(words) if words.strip() else () for words in groups)
        own.append(
            sources.own_test(
                *(sources.parse_words(words) for words in texts),
                templates=tuple(line.strip() for line in templates.splitlines() if line.strip()),
                group1=group1,
                group2=group2,
            )
        )
    return tuple(own)


def _method() -> tuple[AssociationOptions, str, str, str, tuple[File, ...]]:
    """Options without the layer, precision, and layer, path of vectors and sentences as they are given."""
    with st.expander("Method, CEAT and vector files", key="method"):
        left, right = st.columns(2)
        sentences = upload(left, SENTENCES)
        path = text(left, VECTOR_FILE).strip()
        layer = text(left, LAYER).strip()
        options = AssociationOptions(
            lost=select(right, LOST),
            unequal=select(right, UNEQUAL),
            lpbs_values=select(right, LPBS_VALUES),
            ceat_variance=select(right, CEAT_VARIANCE),
            ddof=int(select(right, DDOF)),
            seed=number(right, SEED),
            form=select(right, FORM),
        )
        dtype = select(right, PRECISION)
    return options, dtype, layer, path, sentences


def _read_method(
    options: AssociationOptions, dtype: str, layer: str, path: str, files: tuple[File, ...]
) -> tuple[AssociationOptions, str, Path | None, FileWords]:
    if layer and not (layer.isascii() and layer.isdecimal()):
        raise OptionError(f"“{layer}” is not a valid layer; write a number, 0 for the embeddings, or nothing.")
    if path and not Path(path).expanduser().is_file():
        raise WordListError(f"There is no file {path}; give the path of a vector file on the machine of the server.")
    sentences = sentences_of(files)
    options = replace(options, layer=int(layer) if layer else None)
    return options, dtype, Path(path).expanduser() if path else None, sentences
