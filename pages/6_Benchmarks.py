"""Published benchmarks on the user's copy of their data: what a model prefers, and how far that can be trusted."""

from core.measures.benchmarks import words
from core.measures.benchmarks.spec import BenchmarkSpec
from pages.benchmarks import views
from pages.benchmarks.controls import benchmark_spec
from pages.shared import links, panels, saved
from pages.shared.frame import open_page

open_page(
    "Benchmarks",
    "What does the model prefer in data that others made, and how far can they be trusted?",
    inputs=BenchmarkSpec.inputs(),
    views=views.VIEWS,
)
_, result = saved.shown(BenchmarkSpec, benchmark_spec)
views.show(result)
panels.explain(words.explanation(result))
links.close()
