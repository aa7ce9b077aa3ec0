"""The tab of before and after: a base, models made from it, any measure; and the views of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.engine.descendants import made_last_from
from core.inputs import Choice, Option, Roles, Text
from core.measures.measure import MODELS, PRECISION
from core.measures.mitigation.change import figures, words
from core.measures.mitigation.change.result import (
    CHANGES,
    ENTRIES,
    LEAN,
    PRICE,
    SIZE,
    SPREAD,
    SUMMARIES,
    ChangeResult,
)
from core.measures.mitigation.change.result import MODELS as MODEL_ROWS
from core.measures.mitigation.change.spec import (
    CHILDREN,
    CONTROLS,
    MEASURED,
    MOST,
    TEXT,
    ChangeSpec,
    comparable,
)
from core.measures.mitigation.change.tables import section_columns, section_table
from pages.shared import links, panels, saved, tables
from pages.shared.controls import ask, choice, measure_button, select, upload
from pages.shared.frame import pick_models, theme
from pages.shared.markdown import literal

_ERASED: Option = ChangeSpec.input("erased")
_MEASURES = replace(MEASURED, choices={name: kind.TITLE for name, kind in comparable().items()})
# Under names that no other tab has; a marked sentence has no control of its own, its words are found by the lists.
_INNER = {
    name: tuple((item, replace(item, name=f"{name}_{item.name}")) for item in items if not isinstance(item, Roles))
    for name, items in ChangeSpec.inner().items()
}
INPUTS: tuple[Option, ...] = (
    _MEASURES,
    CHILDREN,
    CONTROLS,
    TEXT,
    _ERASED,
    PRECISION,
    *(named for items in _INNER.values() for _, named in items),
)
QUANTITY = Choice(
    "quantity", "Shown", choices={LEAN: "the values", SIZE: "their size"}, help="Size: how far means are from 0."
)
PART = Choice("compared_part", "Shown in detail")
VIEWS = (QUANTITY, PART)

_TABLES = {
    CHANGES: "Each model against the base, values and sizes",
    SUMMARIES: "Numbers of the whole model",
    SPREAD: "Over the models, against the controls",
    PRICE: "The price: pseudo-perplexity",
    MODEL_ROWS: "Where the models come from",
}
_LONG = 30  # rows from which a table stays closed


def result(models: tuple[str, ...]) -> ChangeResult | None:
    """The controls, and their result; None before there is a model to compare with the base."""
    left, right = st.columns(2)
    select(left, _MEASURES)
    of = comparable()[links.value_of(_MEASURES)].COMPARABLE
    erased = of is not None and of.erased is not None and bool(ask(left, _ERASED))
    if not erased and not _models_chosen(left, right, models[0]):
        links.settle(whole=False)
        st.info(
            "Choose the models after. Those that were fine-tuned here from the chosen base are found by themselves: "
            "make one in the tab “Fine-tuning”, best with three seeds and a control. Any folder or hub model works.",
            icon=":material/compare_arrows:",
        )
        return None
    _, found = saved.measured(ChangeSpec, lambda: _asked(models, erased))
    measured: ChangeResult = found
    return measured


def show(result: ChangeResult) -> None:
    """All of a result."""
    panels.show_finding(result, words.finding(result), ())
    panels.show_notes(result.notes)
    means = figures.means_of(result)
    _chart(
        result,
        "change-bars",
        f"{figures.bars_of(result)} before and after".capitalize(),
        lambda: figures.section_bars(result, theme=theme()),
        words.means_text(means, figures.bars_of(result), result.unit),
        section_table(result),
    )
    tables.show(section_table(result), section_columns(result))
    if note := words.beside_the_table(result):
        st.caption(literal(note))
    st.subheader("Each model, with its interval", anchor=False)
    quantity = choice(QUANTITY)
    _chart(
        result,
        f"change-{quantity}",
        "After minus before",
        lambda: figures.differences(result, quantity=quantity, theme=theme()),
        words.differences_text(result, quantity),
        result[CHANGES],
    )
    st.subheader(f"Each {result.comparable.entry}", anchor=False)
    wholes = result.wholes
    part = select(st, replace(PART, choices={name: name for name in wholes}, default=wholes[0])) if wholes[1:] else ""
    whole = part or wholes[0]
    _chart(
        result,
        "change-entries",
        f"Each {result.comparable.entry} before and after",
        lambda: figures.entry_dots(result, whole=whole, theme=theme()),
        words.entries_text(result, whole),
        result[ENTRIES],
    )
    opened = [name for name in (CHANGES, PRICE) if len(result[name]) <= _LONG]
    panels.show_tables(result, _TABLES, "change", opened, _told)
    panels.show_left_out(result.excluded)
    panels.show_sources(result)


def _models_chosen(left: DeltaGenerator, right: DeltaGenerator, base: str) -> bool:
    """Draw the boxes of models after, controls and text; whether there is a model after."""
    found = made_last_from(base)
    chosen = pick_models(left, replace(CHILDREN, default=found.children[:MOST]))
    pick_models(right, replace(CONTROLS, default=found.controls[:MOST]))
    upload(right, TEXT)
    return bool(chosen)


def _asked(models: tuple[str, ...], erased: bool) -> ChangeSpec:
    """Draw the controls of the measure. Raises TiltmeterError."""
    command = links.value_of(_MEASURES)
    with st.expander("Options of the measure", key="method"):
        st.caption(literal(comparable()[command].DESCRIPTION))
        places = st.columns(2)
        for at, named in enumerate(_shown(command)):
            ask(places[at % 2], named)
        ask(places[0], PRECISION)
    measure_button(st.columns((1, 4))[0])
    links.settle()
    held = links.values()
    inner = {item.name: held[named.name] for item, named in _INNER[command]}
    trained = () if erased else (CHILDREN, CONTROLS, TEXT)
    own = {option.name: held[option.name] for option in (MEASURED, PRECISION, *trained)}
    return ChangeSpec.of({**inner, **own, _ERASED.name: erased, MODELS.name: models})


def _shown(command: str) -> list[Option]:
    """The inputs of a measure that have a use: the user's own words only where they are chosen."""
    unused = set()
    for item, named in _INNER[command]:
        if isinstance(item, Choice) and item.own and links.value_of(named) != item.own_value:
            unused.add(item.own)
    if command == "benchmark" and "female_words" in unused:
        unused.add("male_words")
    if command == "professions":
        held: Mapping[str, Any] = {item.name: links.value_of(named) for item, named in _INNER[command]}
        kinds = tuple(f"{language}_{held['persons']}_" for language in held["language"])
        unused |= {
            item.name for item, _ in _INNER[command] if isinstance(item, Text) and not item.name.startswith(kinds)
        }
    return [named for item, named in _INNER[command] if item.name not in unused]


def _chart(
    result: ChangeResult, name: str, title: str, make: Callable[[], go.Figure], alt: str, table: pd.DataFrame
) -> None:
    figure = panels.drawn(make)
    panels.show_chart(figure, name, alt)
    panels.export_panel(name, result, figure=figure, title=title, table=table)


def _told(rows: pd.DataFrame) -> pd.DataFrame:
    """Without columns that hold nothing."""
    return rows.dropna(axis=1, how="all")
