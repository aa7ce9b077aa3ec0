"""How far can the ruler be trusted? Templates, representations and metrics against each other."""

from core.measures.agreement.result import METRICS, REPRESENTATIONS, TEMPLATES
from pages.reliability import controls as ruler_controls
from pages.reliability import views as ruler_views
from pages.shared import links, panels
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page
from pages.shared.options import Choice

DIVERGENCE = "divergence"
VIEW = Choice(
    "view",
    "What is compared with each other",
    choices={
        TEMPLATES: "templates",
        DIVERGENCE: "what a template expects",
        REPRESENTATIONS: "representations",
        METRICS: "metrics",
    },
)

open_page(
    "Rulers",
    "Do two templates, two representations, two metrics give the same answer?",
    inputs=(VIEW, *ruler_controls.INPUTS),
    views=ruler_views.VIEWS,
)
models = choose_models()
view = choice(VIEW)
if view == DIVERGENCE:
    ruler_views.divergence(models)
elif view == METRICS:
    ruler_views.metrics(models)
else:
    ruler_views.agreement(models, view)
panels.explain_method("rulers")
links.close()
