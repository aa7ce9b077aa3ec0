"""Inside the heads: attention from an occupation to the gendered words of its sentence, in one sentence or a corpus."""

from pages.shared import attention_views, jobs, panels, resources, scan_panel
from pages.shared.attention_controls import sentence_inputs
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

open_page("Attention", "Where in the model does the lean sit?")
models = choose_models()
if choice("What", {"sentence": "one sentence", "corpus": "a corpus"}, "what") == "sentence":
    _, result = jobs.measured("attention", lambda: sentence_inputs(models), resources.measure)
    attention_views.show(result)
else:
    scan_panel.show(models)
panels.explain_method("attention")
