"""How far can the measures be trusted? Templates, representations and metrics against each other."""

from core.measures.agreement.choices import Compared
from core.measures.agreement.spec import AgreementSpec
from pages.reliability import controls, correlations, divergences
from pages.shared import links, panels, saved
from pages.shared.frame import open_page

open_page(
    "Reliability",
    "How far can the measures be trusted? Do two templates, two representations, two metrics give the same answer?",
    inputs=AgreementSpec.inputs(),
    views=correlations.VIEWS,
)
spec, result = saved.shown(AgreementSpec, controls.agreement_spec)
if spec.compare == Compared.DIVERGENCE:
    divergences.show(result)
else:
    correlations.show(result)
if spec.compare == Compared.METRICS:
    correlations.published()
panels.explain_method("agreement")
links.close()
