"""The gender direction on the page of association tests: its controls, and the views of a result."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from core.errors import NothingToScore
from core.inputs import Choice
from core.measures.association.direction import figures, words
from core.measures.association.direction.result import (
    ALTERNATIVES,
    COMPONENTS,
    CORRELATIONS,
    DIRECTIONS,
    ERASED,
    PAIRS,
    PROJECTIONS,
    DirectionResult,
    Which,
)
from core.measures.association.direction.spec import (
    KINDS,
    OWN_PAIRS,
    OWN_WORDS,
    WORDS,
    DirectionSpec,
)
from core.measures.association.direction.spec import PAIRS as PAIR_LIST
from core.measures.association.spec import LAYER, VECTORS
from core.measures.lpbs.professions.spec import OWN_FILE, SHARE_FILE, STATISTIC, YEAR
from core.measures.measure import MODELS, PRECISION
from core.measures.shared.representations import TITLES
from core.report.alternatives import described
from core.sources import BLS
from core.sources.lists import OWN
from pages.shared import links, panels
from pages.shared.controls import ask, measure_button, number, select, several, text, upload
from pages.shared.frame import theme
from pages.shared.markdown import literal

INPUTS = tuple(item for item in DirectionSpec.inputs() if item.name != MODELS.name)
SHOWN = Choice("direction_shown", "Direction")
VIEWS = (SHOWN,)
EXPLANATION = "association/direction"
_STRICTNESS, _SEED, _ERASE = map(DirectionSpec.input, ("strictness", "seed", "erase"))
_TABLES = {
    DIRECTIONS: "The directions",
    CORRELATIONS: "Against the statistic",
    PAIRS: "Pair by pair",
    COMPONENTS: "Principal components",
    ALTERNATIVES: "Other ways to a direction",
    PROJECTIONS: "Word by word",
    ERASED: "What gender was erased by (LEACE)",
}


def direction_spec(models: tuple[str, ...]) -> DirectionSpec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    with st.container(key="direction_choices"):
        pairs_place, words_place, kinds_place, button_place = st.columns([1.8, 1.8, 2.6, 0.9])
    if select(pairs_place, PAIR_LIST) == OWN:
        text(pairs_place, OWN_PAIRS)
    if select(words_place, WORDS) == OWN:
        text(words_place, OWN_WORDS)
    several(kinds_place, KINDS)
    measure_button(button_place)
    with st.expander("Statistic, method and vector files", key="direction_method"):
        left, right = st.columns(2)
        statistic = select(left, STATISTIC)
        if statistic == BLS:
            select(left, YEAR)
        elif statistic == OWN_FILE:
            upload(left, SHARE_FILE)
        text(left, VECTORS)
        text(right, LAYER)
        ask(right, _ERASE)
        number(right, _STRICTNESS)
        number(right, _SEED)
        select(right, PRECISION)
    links.settle()
    return DirectionSpec.of({**links.values(), MODELS.name: models})


def show(result: DirectionResult) -> None:
    """All of a result: the finding of each direction, and one of them looked at closely."""
    several_places = len(result.places) > 1
    for which in result.places:
        prefix = f"{_title(result, which)}: " if several_places else ""
        panels.show_finding(result, words.finding(result, which), words.groups(result), prefix)
    panels.show_notes(result.notes)
    which = _choose(result)
    title = f"How {result.spec.words.noun_plural} lie along the direction"
    figure = panels.drawn(lambda: figures.projections(result, which, theme=theme()))
    panels.show_chart(figure, "projections", described(title, words.finding(result, which)))
    panels.export_panel("direction-words", result, figure=figure, title=title, table=result.of(PROJECTIONS, which))
    st.subheader("Against the share of women", anchor=False)
    _scatter(result, which)
    st.subheader("How much of the pairs it explains", anchor=False)
    figure = panels.drawn(lambda: figures.variance(result, which, theme=theme()))
    panels.show_chart(figure, "variance", words.variance_text(result, which))
    panels.export_panel(
        "direction-explained",
        result,
        figure=figure,
        title="Share of the variance of the pairs, component by component",
        table=result.of(COMPONENTS, which),
    )
    panels.show_tables(result, _TABLES, "direction", (DIRECTIONS,), _told)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _scatter(result: DirectionResult, which: Which) -> None:
    try:
        figure = panels.drawn(lambda: figures.against_share(result, which, theme=theme()))
    except NothingToScore as nothing:
        st.info(literal(str(nothing)), icon=":material/info:")
        return
    panels.show_chart(figure, "against_share", words.scatter_text(result, which))
    panels.export_panel(
        "direction-women",
        result,
        figure=figure,
        title="Projection on the direction against the share of women",
        table=result.of(PROJECTIONS, which),
    )


def _choose(result: DirectionResult) -> Which:
    """Which direction is looked at: at first the first."""
    names = {" · ".join(which): _title(result, which) for which in result.places}
    if len(names) == 1:
        return result.places[0]
    chosen = select(st, replace(SHOWN, choices=names), bare=True)
    return dict(zip(names, result.places, strict=True))[chosen]


def _title(result: DirectionResult, which: Which) -> str:
    model, kind = which
    return f"{TITLES[kind]} · {model}" if len(dict.fromkeys(model for model, _ in result.places)) > 1 else TITLES[kind]


def _told(rows: pd.DataFrame) -> pd.DataFrame:
    """With representations as a reader knows them."""
    return rows.assign(representation=rows["representation"].map(TITLES))
