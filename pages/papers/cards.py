"""A card on screen: what it shows, the print beside what was obtained, why they differ, and what to bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.errors import TiltmeterError
from core.inputs import Choice
from core.measures.prepared import Prepared
from core.papers.card import NOTHING, Card
from core.papers.comparison import NOTHING_OF_IT, Row, compared, frame, refused, remarks, text_frame
from core.papers.registry import card as card_of
from core.papers.registry import cards, papers
from core.report.wording import listed
from core.result import Result
from pages.papers.table import as_html
from pages.shared import jobs, links, panels, resources, saved
from pages.shared.controls import select
from pages.shared.frame import path_of
from pages.shared.markdown import literal
from pages.shared.places import PAGE_OF, address

_NAMES = {paper.id: paper.name for paper in papers()}
CARD = Choice(
    "card",
    "Table or figure",
    "kurita-table-3",  # the first with numbers: what a reader came for
    choices={card.id: f"{_NAMES[card.paper]}, {card.place}: {card.title}" for card in cards().values()},
)
NONE = "none"
RUN = Choice("run", "The card that is measured", choices={NONE: "none", **{id: id for id in cards()}})
_MEANS = {
    "of": "Of: what the obtained value is of, which is not what was printed.",
    "difference": "Difference: obtained less printed.",
    "agrees": "Agrees: obtained is within the tolerance, or is what is printed.",
}


def choose() -> Card:
    """The card that is chosen."""
    return card_of(select(st, CARD))


def index() -> None:
    """Every card, and whether it runs as it is."""
    every = cards().values()
    with st.expander(f"All {len(every)} cards"):
        rows = [
            {"paper": _NAMES[card.paper], "place": card.place, "title": card.title, "runs": card.runs} for card in every
        ]
        st.html(as_html(pd.DataFrame(rows), "All cards"))


def saved_result(card: Card) -> Result | None:
    """A saved result that is open beside the card."""
    return saved.opened_result(*card.kinds)


def show(card: Card, models: tuple[str, ...]) -> None:
    """The card; where it is measured, with what the models give."""
    links.take(RUN, links.value_of(RUN))
    st.markdown(literal(card.shows))
    asked = () if card.asks is None else card.asks(models)
    if asked:
        _offer(card, asked, models)
    progress, rows, below = st.container(), st.empty(), st.container()  # a long table must not hide the progress
    with rows.container():
        _tables(card, compared(card))
    with below:
        _explain(card)
    if not asked:
        if card.runs == NOTHING:
            progress.info("Nothing to measure: no model is needed here.", icon=":material/info:")
        return
    with progress:
        if links.value_of(RUN) != card.id:
            st.info("Nothing is measured yet; the button above measures the same here.", icon=":material/info:")
            return
        results = _measured(card, asked)
    with rows.container():
        _with_results(card, results)


def show_beside(card: Card, result: Result) -> None:
    """The card beside a saved result."""
    st.markdown(literal(card.shows))
    _with_results(card, [result])
    _explain(card)


def _with_results(card: Card, results: Sequence[Result]) -> None:
    found = compared(card, results)
    _tables(card, found)
    why = refused(card, results)
    for line in why:
        st.warning(literal(line), icon=":material/warning:")
    for line in remarks(card, results):
        st.info(literal(line), icon=":material/info:")
    if not why and all(row.obtained is None for row in found):
        st.info(NOTHING_OF_IT, icon=":material/info:")
    if len(results) > 1:
        every = "both" if len(results) == 2 else f"all {len(results)}"
        st.caption(
            literal(
                f"CSV and Pin have the rows of {every} measurements of this card, and a pin keeps them all. JSON, "
                f"TILT, methods text and “For others” are of {results[0].spec.line}; the others follow below."
            )
        )
    panels.export_panel(
        "paper",
        results[0],
        title=CARD.choices[card.id] + (f"; printed for {card.model}" if card.model else ""),
        table=frame(found),
        also=results[1:],
    )
    for number, result in enumerate(results):
        if number:
            st.caption(literal(f"Also behind this card: {result.spec.line}."))
            panels.export_panel(f"paper-{number + 1}", result)
        panels.show_notes(result.notes)
        panels.show_left_out(result.excluded)


def _offer(card: Card, asked: Sequence[Prepared], models: tuple[str, ...]) -> None:
    """The button that measures, and the way to the same inputs on the measure's own page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(f"Run on {listed(models)}", type="primary", key=jobs.AGAIN, on_click=_run, args=(card,))
        for ask in asked:
            page = PAGE_OF[ask.kind.COMMAND]
            part = literal(told_apart(ask, [other for other in asked if PAGE_OF[other.kind.COMMAND] == page]))
            label = f"The same on {page}{f': {part}' if part else ''}"
            st.page_link(path_of(page), label=label, query_params=address(ask))


def told_apart(ask: Prepared, others: Sequence[Prepared]) -> str:
    """What tells a measurement from the others: the measure, or the inputs that differ; empty where nothing does."""
    if any(other.kind is not ask.kind for other in others):
        return ask.kind.TITLE
    values = {option.name: ask.inputs.get(option.name, option.default) for option in ask.kind.inputs()}
    return "; ".join(
        option.shown(values[option.name])
        for option in ask.kind.inputs()
        if any(other.inputs.get(option.name, option.default) != values[option.name] for other in others)
    )


def _run(card: Card) -> None:
    links.change(RUN, card.id)


def _measured(card: Card, asked: Sequence[Prepared]) -> list[Result]:
    results = []
    for number, ask in enumerate(asked):
        try:
            spec = ask.spec
        except TiltmeterError as error:
            jobs.refuse(error)
        base = jobs.finished(f"{card.id} {number}", spec.base, resources.measure)
        results.append(spec.finish(base))
    return results


def _tables(card: Card, rows: Sequence[Row]) -> None:
    """A table for each model, below its name."""
    words = any(row.value.printed and row.value.number is None for row in rows)
    shown: set[str] = set()
    for model in dict.fromkeys(row.model for row in rows):
        if model:
            st.markdown(f"**{literal(model)}**")
        table = text_frame([replace(row, model="") for row in rows if row.model == model])
        title = f"{card.place}: {card.title}" + (f", {model}" if model else "")
        st.html(as_html(table, title, numbers=not words))
        shown.update(map(str, table.columns))
    if means := [what for name, what in _MEANS.items() if name in shown]:
        st.caption(" ".join(means))


def _explain(card: Card) -> None:
    """Whose numbers are printed, what the columns are, why there are differences, what to bring."""
    if card.model:
        st.caption(literal(f"Printed for {card.model}. With another model, a difference is one between the models."))
    for name, what in card.references.items():
        st.caption(literal(f"{name}: {what}"))
    if card.tolerance:
        st.caption(literal(f"Tolerance: {card.tolerance}"))
    if card.causes:
        st.subheader("Known causes of differences", anchor=False)
        st.markdown("\n".join(f"- {literal(cause)}" for cause in card.causes))
    if card.needs:
        st.info(literal(f"To bring: {card.needs}"), icon=":material/upload_file:")
        if card.commands:
            st.code("\n".join(card.commands), language=None, wrap_lines=True)
