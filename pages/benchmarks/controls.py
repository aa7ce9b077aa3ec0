"""The inputs of the benchmarks page: which benchmark, and the user's copy of its data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import TiltmeterError, log_cause
from core.measures.benchmarks.benchmark import Benchmark
from core.measures.benchmarks.registry import benchmark
from core.measures.benchmarks.spec import OWN, BenchmarkSpec
from core.sources.benchmarks import Lexicon, Words
from core.sources.published import of_measure
from pages.shared import links, shelved
from pages.shared.controls import ask, measure_button, select, text, upload
from pages.shared.markdown import literal


def benchmark_spec(models: tuple[str, ...]) -> BenchmarkSpec:
    """Draw the controls; ends the script run, after saying so, when the data are missing. Raises TiltmeterError."""
    with st.container(key="choices"):
        name_place, data_place, button_place = st.columns([2.4, 4.0, 0.9])
    chosen = benchmark(select(name_place, BenchmarkSpec.input("benchmark")))
    measure_button(button_place)
    given = {"models": models, "benchmark": chosen.id, **_method(chosen)}
    st.caption(literal(f"{chosen.citation}."))
    given |= _words(data_place) if isinstance(chosen.reads, Words) else _files(chosen, data_place)
    published = shelved.choose(BenchmarkSpec, lambda: BenchmarkSpec.of({**given, "published": ()}))
    links.settle()
    if not isinstance(chosen.reads, Words) and not (given["data"] or given["data_set"].strip()):
        st.info(literal(f"Give your copy of the data to measure. {chosen.expects}"), icon=":material/upload_file:")
        st.caption(literal(f"Known problems of the data: {chosen.problems}"))
        entries = [known for known in of_measure(BenchmarkSpec.COMMAND) if known.inputs["benchmark"] == chosen.id]
        if entries:
            st.caption("Without them you can open what others published of real models; it was not measured here.")
            shelved.offer(entries)
        st.stop()
    try:
        with st.spinner("Reading the data …"):
            return BenchmarkSpec.of({**given, "published": published})
    except TiltmeterError as error:
        if given.get("data_set"):  # what the library raised is worth a log; what a file holds is not
            log_cause(error)
        raise


def _words(place: DeltaGenerator) -> dict[str, Any]:
    kind = select(place, BenchmarkSpec.input("words"))
    if kind != OWN:
        return {"words": kind}
    left, right = st.columns(2)
    boxes = {"female_words": left, "male_words": right}
    return {"words": kind, **{name: text(box, BenchmarkSpec.input(name)) for name, box in boxes.items()}}


def _files(chosen: Benchmark, place: DeltaGenerator) -> dict[str, Any]:
    label = "A lexicon of hurtful words" if isinstance(chosen.reads, Lexicon) else BenchmarkSpec.input("data").label
    upload(place, replace(BenchmarkSpec.input("data"), label=label, help=chosen.expects))
    by_name = replace(BenchmarkSpec.input("data_set"), placeholder=chosen.hub)
    data_set = text(st, by_name) if chosen.hub else ""
    files = tuple(file for file in links.values()["data"] if file.content is not None)
    return {"data": files, "data_set": data_set}


def _method(chosen: Benchmark) -> dict[str, Any]:
    """Draws the choices that the benchmark has, and those of all."""
    with st.expander("Method", key="method"):
        left, right = st.columns(2)
        places = {**dict.fromkeys(chosen.options, left), "dtype": right, "seed": right}
        return {name: ask(place, BenchmarkSpec.input(name)) for name, place in places.items()}
