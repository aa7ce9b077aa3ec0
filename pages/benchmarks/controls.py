"""The inputs of the benchmarks page: which benchmark, and the user's copy of its data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import sources
from core.inputs import Choice, Text, Upload
from core.measures.benchmarks.benchmark import Benchmark
from core.measures.benchmarks.registry import BENCHMARKS, benchmark
from core.measures.benchmarks.spec import BenchmarkOptions
from core.measures.measure import MODELS, PRECISION
from core.sources import benchmarks
from core.sources.benchmarks import Data, Lexicon, Words
from pages.shared import links, resources
from pages.shared.controls import OWN, SEED, measure_button, number, select, text, upload
from pages.shared.inputs import BenchmarkInputs
from pages.shared.markdown import literal
from pages.shared.options import choice_of

_FIRST = "disco"  # needs no file: a first visit has a result
_TITLES = {benchmark.id: benchmark.title for benchmark in BENCHMARKS}

BENCHMARK = Choice("benchmark", "Benchmark", choices={_FIRST: _TITLES[_FIRST], **_TITLES})
WORDS = Choice(
    "words",
    "Words",
    choices={"names": "first names", "nouns": "nouns for people", OWN: "your own …"},
    help="Two groups, put into the templates one after the other.",
)
FEMALE_WORDS = Text("female_words", "Female words, one a line", "Mary\nAnna\nEmma\nAda", height=130)
MALE_WORDS = Text("male_words", "Male words, one a line", "John\nPaul\nPeter\nAlan", height=130)
FILES = {
    benchmark.id: Upload(
        f"{benchmark.id}_file",
        "A lexicon of hurtful words" if isinstance(benchmark.reads, Lexicon) else "Your copy of its data",
        several=True,
        megabytes=benchmarks.MAX_BYTES >> 20,
        help=benchmark.expects,
    )
    for benchmark in BENCHMARKS
    if not isinstance(benchmark.reads, Words)
}
NAMES = {
    benchmark.id: Text(
        f"{benchmark.id}_name",
        "or by name, where there is a network",
        placeholder=benchmark.hub,
        help="A data set of the Hugging Face Hub: owner/name, perhaps /configuration and :split.",
    )
    for benchmark in BENCHMARKS
    if benchmark.hub
}
PIECES = choice_of(
    BenchmarkOptions,
    "pieces",
    "Candidates split into several tokens",
    {
        "together": "masked together, mean log probability",
        "revealed": "revealed from left to right, mean probability (authors’ code)",
    },
)
AVERAGE = choice_of(BenchmarkOptions, "average", "Averaged over", {"terms": "target terms", "pairs": "items"})
SENTENCES = choice_of(
    BenchmarkOptions,
    "text",
    "Sentences",
    {"exact": "as the file has them", "normalised": "normalised (Unicode NFC, single spaces)"},
    help="A double space or another form of a letter is another input to many models.",
)
FILLS = choice_of(
    BenchmarkOptions,
    "fills",
    "Fills looked at",
    {"top": "the top three (Webster et al.)", "probability": "all with P > .1 (Lauscher et al.)"},
)
_OPTIONS = {"pieces": PIECES, "average": AVERAGE, "text": SENTENCES, "fills": FILLS}

INPUTS = (
    MODELS,
    BENCHMARK,
    WORDS,
    FEMALE_WORDS,
    MALE_WORDS,
    *FILES.values(),
    *NAMES.values(),
    PIECES,
    AVERAGE,
    FILLS,
    SENTENCES,
    PRECISION,
    SEED,
)


def benchmark_inputs(models: tuple[str, ...]) -> BenchmarkInputs:
    """Draw the controls; ends the script run, after saying so, when the data are missing. Raises TiltmeterError."""
    with st.container(key="choices"):
        name_place, data_place, button_place = st.columns([2.4, 4.0, 0.9])
    chosen = benchmark(select(name_place, BENCHMARK))
    measure_button(button_place)
    options, dtype = _method(chosen)
    st.caption(literal(f"{chosen.citation}. {chosen.problems}"))
    read = _words(data_place) if isinstance(chosen.reads, Words) else _files(chosen, data_place)
    links.settle()
    data = read()
    if data is None:
        st.info(literal(f"Give your copy of the data to measure. {chosen.expects}"), icon=":material/upload_file:")
        st.stop()
    return BenchmarkInputs(models, dtype, chosen.id, data, options)


def _words(place: DeltaGenerator) -> Callable[[], Data[Any] | None]:
    """Draws the words; what is returned reads them."""
    kind = select(place, WORDS)
    if kind != OWN:
        return lambda: benchmarks.published_words(kind)
    left, right = st.columns(2)
    female, male = text(left, FEMALE_WORDS), text(right, MALE_WORDS)
    return lambda: benchmarks.own_words(sources.parse_words(female), sources.parse_words(male))


def _files(chosen: Benchmark, place: DeltaGenerator) -> Callable[[], Data[Any] | None]:
    """Draws the choice of the data; what is returned reads them, None where there are none."""
    files = upload(place, FILES[chosen.id])
    name = text(st, NAMES[chosen.id]).strip() if chosen.id in NAMES else ""

    def read() -> Data[Any] | None:
        if files:
            return chosen.read([(file.data, file.name) for file in files])
        return resources.library_data(chosen.id, name) if name else None

    return read


def _method(chosen: Benchmark) -> tuple[BenchmarkOptions, str]:
    """Draws the options that the benchmark heeds, and those of all."""
    with st.expander("Method", key="method"):
        left, right = st.columns(2)
        found = {name: select(left, _OPTIONS[name]) for name in chosen.options}
        dtype = select(right, PRECISION)
        seed = number(right, SEED)
    return BenchmarkOptions(**found, seed=seed), dtype
