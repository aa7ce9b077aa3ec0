"""Inside the heads: attention from an occupation to the gendered words of its sentence, in one sentence or a corpus."""

from core.inputs import Choice
from core.measures.attention.spec import AttentionSpec
from core.measures.measure import MODELS
from pages.attention import controls as attention_controls
from pages.attention import scan_panel
from pages.attention import views as attention_views
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "What", choices={"sentence": "one sentence", "corpus": "a corpus"})

open_page(
    "Attention",
    "Where in the model does the lean sit?",
    inputs=(MODELS, WHAT, *attention_controls.INPUTS, *scan_panel.INPUTS),
    views=attention_views.VIEWS,
)
models = choose_models()
if choice(WHAT) == "sentence":
    asked, result = saved.shown("attention", AttentionSpec, lambda: attention_controls.attention_spec(models))
    attention_views.show(asked, result)
else:
    scan_panel.show(models)
panels.explain_method("attention")
links.close()
