"""Published benchmarks on the user's copy of their data: what a model prefers, and how far that can be trusted."""

from pages.benchmarks import views as benchmark_views
from pages.benchmarks.controls import INPUTS, benchmark_inputs
from pages.shared import jobs, links, panels, resources
from pages.shared.frame import choose_models, open_page

open_page(
    "Benchmarks",
    "What does the model prefer in data that others made, and how far can they be trusted?",
    inputs=INPUTS,
    views=benchmark_views.VIEWS,
)
models = choose_models()
_, result = jobs.measured("benchmark", lambda: benchmark_inputs(models), resources.measure)
benchmark_views.show(result)
panels.explain_method("benchmarks")
links.close()
