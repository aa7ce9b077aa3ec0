"""The inputs of the benchmarks page: which benchmark, and the user's copy of its data."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core import lexicon
from core.lexicon import benchmarks
from core.lexicon.benchmarks import Benchmark, Data
from core.results import BenchmarkOptions
from pages.shared import resources
from pages.shared.controls import OWN, PRECISIONS, measure_button, seed_box, select
from pages.shared.inputs import BenchmarkInputs
from pages.shared.markdown import literal

_FIRST = "disco"  # needs no file: a first visit has a result
_WORDS = {"names": "first names", "nouns": "nouns for people", OWN: "your own …"}
_PIECES = {
    "together": "masked together, mean log probability",
    "revealed": "revealed from left to right, mean probability (authors’ code)",
}
_AVERAGE = {"terms": "target terms", "pairs": "items"}
_TEXT = {"exact": "as the file has them", "normalised": "normalised (Unicode NFC, single spaces)"}
_FILLS = {"top": "the top three (Webster et al.)", "probability": "all with P > .1 (Lauscher et al.)"}


def benchmark_inputs(models: tuple[str, ...]) -> BenchmarkInputs:
    """Draw the controls; ends the script run, after saying so, when the data are missing. Raises TiltmeterError."""
    titles = {one.id: one.title for one in benchmarks.BENCHMARKS}
    titles = {_FIRST: titles[_FIRST], **titles}
    with st.container(key="choices"):
        name_place, data_place, button_place = st.columns([2.4, 4.0, 0.9])
    one = benchmarks.benchmark(select(name_place, "Benchmark", titles, "benchmark"))
    measure_button(button_place)
    options, dtype = _method(one)
    st.caption(literal(f"{one.citation}. {one.problems}"))
    data = _words(data_place) if one.needs == "words" else _file(one, data_place)
    if data is None:
        st.info(literal(f"Give your copy of the data to measure. {one.expects}"), icon=":material/upload_file:")
        st.stop()
    return BenchmarkInputs(models, dtype, one.id, data, options)


def _words(place: st.delta_generator.DeltaGenerator) -> Data[Any]:
    kind = select(place, "Words", _WORDS, "words", help="Two groups, put into the templates one after the other.")
    if kind != OWN:
        return benchmarks.published_words(kind)
    left, right = st.columns(2)
    female, male = (
        side.text_area(label, value, key=key, bind="query-params", height=130)
        for side, label, value, key in (
            (left, "Female words, one a line", "Mary\nAnna\nEmma\nAda", "female_words"),
            (right, "Male words, one a line", "John\nPaul\nPeter\nAlan", "male_words"),
        )
    )
    return benchmarks.own_words(lexicon.parse_words(female), lexicon.parse_words(male))


def _file(one: Benchmark, place: st.delta_generator.DeltaGenerator) -> Data[Any] | None:
    files = place.file_uploader(
        "A lexicon of hurtful words (up to 32 MB)" if one.needs == "lexicon" else "Your copy of its data (up to 32 MB)",
        accept_multiple_files=True,
        key=f"file {one.id}",
        help=one.expects,
    )
    name = ""
    if one.hub:
        name = st.text_input(
            "or by name, where there is a network",
            key=f"name_{one.id}",
            bind="query-params",
            placeholder=one.hub,
            help="A data set of the Hugging Face Hub: owner/name, perhaps /configuration and :split.",
        ).strip()
    if files:
        return one.read([(file.getvalue(), file.name) for file in files])
    return resources.library_data(one.id, name) if name else None


def _method(one: Benchmark) -> tuple[BenchmarkOptions, str]:
    default = BenchmarkOptions()
    pieces, average, fills, text = default.pieces, default.average, default.fills, default.text
    with st.expander("Method", key="method"):
        left, right = st.columns(2)
        if one.id == "stereoset":
            pieces = select(left, "Candidates of several tokens", _PIECES, "pieces")
            average = select(left, "Averaged over", _AVERAGE, "average")
        if one.id == "disco":
            fills = select(left, "Fills looked at", _FILLS, "fills")
        if one.needs == "file":
            text = select(
                left,
                "Sentences",
                _TEXT,
                "text",
                help="A double space or another form of a letter is another input to many models.",
            )
        dtype = select(right, "Precision", PRECISIONS, "dtype")
        seed = seed_box(right)
    return BenchmarkOptions(pieces, average, fills, text, seed), dtype
