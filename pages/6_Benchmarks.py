"""What a model prefers or expects in prepared sentences: published benchmarks, and descriptors of people."""

import streamlit as st

from core.inputs import Choice
from core.measures.benchmarks import words
from core.measures.benchmarks.result import BenchmarkResult
from core.measures.benchmarks.spec import BenchmarkSpec
from core.measures.descriptors.result import DescriptorResult
from core.measures.descriptors.spec import DescriptorSpec
from pages.benchmarks import descriptors, views
from pages.benchmarks.controls import benchmark_spec
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "Tab", choices={"published": "Published benchmarks", "descriptors": "Descriptor likelihood"})

open_page(
    "Benchmarks",
    "What does the model prefer in data that others made, and which sentences about people does it expect less?",
    # Models and precision mean the same in both tabs; all other inputs have names of their own.
    inputs=(WHAT, *BenchmarkSpec.inputs(), *descriptors.INPUTS),
    views=(*views.VIEWS, *descriptors.VIEWS),
)
place = st.sidebar.container()
result = saved.opened_result(BenchmarkSpec, DescriptorSpec)
if result is None:
    models = choose_models(place)
    if choice(WHAT) == "descriptors":
        result = saved.measured(DescriptorSpec, lambda: descriptors.descriptor_spec(models))[1]
    else:
        result = saved.measured(BenchmarkSpec, lambda: benchmark_spec(models))[1]
match result:
    case DescriptorResult():
        descriptors.show(result)
        panels.explain_method("descriptors")
    case BenchmarkResult():
        views.show(result)
        panels.explain_method("benchmarks", words.explanation(result))
links.close()
