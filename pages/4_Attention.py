"""Inside the heads: attention from an occupation to the gendered words of its sentence, in one sentence or a corpus."""

import streamlit as st

from core.inputs import Choice
from core.measures.attention.causes.result import CausesResult
from core.measures.attention.causes.spec import CausesSpec
from core.measures.attention.result import AttentionResult
from core.measures.attention.scan.result import ScanResult
from core.measures.attention.scan.spec import ScanSpec
from core.measures.attention.spec import AttentionSpec
from core.measures.measure import MODELS
from pages.attention import causes_panel, scan_panel
from pages.attention import controls as attention_controls
from pages.attention import views as attention_views
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

WHAT = Choice("what", "Tab", choices={"sentence": "one sentence", "corpus": "a corpus", "causes": "effects of heads"})

open_page(
    "Attention",
    "Where in the model does the lean sit?",
    inputs=(MODELS, WHAT, *attention_controls.INPUTS, *scan_panel.INPUTS, *causes_panel.INPUTS),
    views=(*attention_views.VIEWS, *causes_panel.VIEWS),
)
place = st.sidebar.container()
result = saved.opened_result(AttentionSpec, ScanSpec, CausesSpec)
explanation = "attention"
if isinstance(result, AttentionResult):
    attention_views.show(result.spec, result)
elif isinstance(result, ScanResult):
    scan_panel.show(result)
elif isinstance(result, CausesResult):
    explanation = causes_panel.EXPLANATION
    causes_panel.show(result)
else:
    models = choose_models(place)
    what = choice(WHAT)
    if what == "sentence":
        attention_views.show(*saved.measured(AttentionSpec, lambda: attention_controls.attention_spec(models)))
    elif what == "causes":
        explanation = causes_panel.EXPLANATION
        causes_panel.show(causes_panel.measured(models))
    elif (scan := scan_panel.scan(models)) is not None:
        scan_panel.show(scan)
panels.explain_method(explanation)
links.close()
