"""How far can the measures be trusted? Templates, representations and metrics against each other."""

from core.inputs import Choice
from core.measures.agreement.result import METRICS, REPRESENTATIONS, TEMPLATES
from pages.reliability import controls, views
from pages.shared import links, panels
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page

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
    "Reliability",
    "How far can the measures be trusted? Do two templates, two representations, two metrics give the same answer?",
    inputs=(VIEW, *controls.INPUTS),
    views=views.VIEWS,
)
models = choose_models()
view = choice(VIEW)
if view == DIVERGENCE:
    views.divergence(models)
elif view == METRICS:
    views.metrics(models)
else:
    views.agreement(models, view)
panels.explain_method("reliability")
links.close()
