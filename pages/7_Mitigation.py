"""What can be done about a bias, and what it changes."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.inputs import Choice, Option
from core.measures.measure import MODELS, MeasureSpec
from core.measures.mitigation.change.spec import ChangeSpec
from core.measures.mitigation.classifier.spec import ClassifierSpec
from core.measures.mitigation.swap.spec import SwapSpec
from core.measures.mitigation.tuning.spec import TuningSpec
from pages.mitigation import changed, classified, swapped, tuned
from pages.shared import links, panels, saved
from pages.shared.controls import choice
from pages.shared.frame import choose_models, open_page


@dataclass(frozen=True)
class Tab:
    """A tab: its title, its measure, the module with its controls and views, and the folder of its explanation."""

    title: str
    measure: type[MeasureSpec[Any]]
    module: Any
    explained: str


TABS = {
    "swapped": Tab("Swapped text", SwapSpec, swapped, "mitigation/swap"),
    "tuned": Tab("Fine-tuning", TuningSpec, tuned, "mitigation/tuning"),
    "changed": Tab("Before and after", ChangeSpec, changed, "mitigation/change"),
    "classified": Tab("Text classifier", ClassifierSpec, classified, "mitigation/classifier"),
}
WHAT = Choice("what", "Tab", choices={name: tab.title for name, tab in TABS.items()})
inputs: list[Option] = [MODELS, WHAT]
for tab in TABS.values():
    inputs += [option for option in tab.module.INPUTS if option not in inputs]  # the seed is one of all tabs

open_page(
    "Mitigation",
    "What can be done about a bias, and what does it change?",
    inputs=tuple(inputs),
    views=(*swapped.VIEWS, *changed.VIEWS),
)
place = st.sidebar.container()
result = saved.opened_result(*(tab.measure for tab in TABS.values()))
if result is None:
    models = choose_models(place)
    tab = TABS[choice(WHAT)]
    result = tab.module.result(models)
else:
    tab = next(tab for tab in TABS.values() if tab.measure.RESULT is type(result))
if result is not None:
    tab.module.show(result)
panels.explain_method(tab.explained)
links.close()
