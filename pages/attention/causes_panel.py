"""Which heads cause what a model says, on the page: in one sentence, in the example corpus, or in one of the user's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from core.inputs import Choice
from core.measures.attention.causes import figures
from core.measures.attention.causes.result import (
    CORRELATIONS,
    COUNTS,
    HEADS,
    SENTENCES,
    TOTALS,
    CausesResult,
)
from core.measures.attention.causes.spec import ONE, OVER, OWN, OWN_PAIR, PAIR, PATH, CausesSpec, over_read
from core.measures.attention.causes.words import (
    finding,
    head_text,
    largest_text,
    scatter_text,
    totals_text,
)
from core.measures.attention.scan.spec import COLUMN
from core.measures.attention.spec import EXAMPLE
from core.measures.lpbs.spec import groups_read
from core.measures.measure import PRECISION
from core.report.alternatives import described
from core.report.numbers import head_name
from core.sources.example_corpus import example_note
from pages.attention.controls import sentence_and_twin
from pages.attention.scan_panel import CORPUS_FILE, stored
from pages.shared import details, jobs, links, panels, saved, tables
from pages.shared.controls import choice, number, select, text, upload
from pages.shared.details import Details
from pages.shared.frame import theme
from pages.shared.jobs import AGAIN
from pages.shared.markdown import literal

INTERVENTION, OUTCOME = CausesSpec.input("intervention"), CausesSpec.input("outcome")
MOST, SEED = CausesSpec.input("most"), CausesSpec.input("seed")
MODEL = Choice("causes_model", "Model")
INPUTS = (OVER, INTERVENTION, OUTCOME, PAIR, OWN_PAIR, MOST, SEED)
VIEWS = (MODEL,)
EXPLANATION = "attention/causes"


def measured(models: tuple[str, ...]) -> CausesResult:
    """What each head does, as the controls ask for it, which are drawn."""
    _, result = saved.measured(CausesSpec, lambda: _spec(models))
    found: CausesResult = result
    return found


def _spec(models: tuple[str, ...]) -> CausesSpec:
    """Draw the controls; raises TiltmeterError when an input is not well formed."""
    over = choice(OVER)
    sentence, twin, source = None, None, ("", "")
    if over == ONE:
        sentence, twin = sentence_and_twin()
    elif over == OWN:
        source = _own_corpus()
    else:
        st.caption(literal(example_note()))
    left, middle, right = st.columns(3)
    given: dict[str, Any] = {
        "models": models,
        "intervention": select(left, INTERVENTION),
        "outcome": select(middle, OUTCOME),
    }
    preset = select(right, PAIR)
    own = text(right, OWN_PAIR) if preset == OWN else ""
    left, right = st.columns([4, 1])
    with left.expander("Method"):
        if over != ONE:
            given["most"] = number(st, MOST)
        given |= {"seed": number(st, SEED), "dtype": select(st, PRECISION)}
    right.button("Measure", type="primary", width="stretch", key=AGAIN)
    links.settle()
    if over == OWN and not source[0]:
        st.caption("Upload a text or CSV file, or give the path of one; then it is measured.")
        raise jobs.Refused("There is no corpus.")
    if sentence is not None and twin is not None:
        given |= {"sentence": sentence(), "twin": twin()}
    else:
        given |= {"sentence": EXAMPLE, "corpus": over_read(over, *source)}
    return CausesSpec(groups=groups_read(preset, own), **given)


def _own_corpus() -> tuple[str, str]:
    """The path of the corpus, empty where there is none yet, and its column."""
    left, right = st.columns(2)
    files = upload(left, CORPUS_FILE)
    path = text(left, replace(PATH, label="or its path on the server’s machine")).strip()
    column = text(right, COLUMN).strip()
    return str(stored(links.file_of(files[0])) if files else path and Path(path).expanduser()), column


def show(result: CausesResult) -> None:
    """The finding of each model, its heads, and their effects beside their degrees."""
    models = list(result.models)
    groups = result.spec.pair
    for model in models:
        panels.show_finding(result, finding(result, model), groups, f"{model}: " if len(models) > 1 else "")
    panels.show_notes(result.notes)
    model = models[0]
    if len(models) > 1:
        model = select(st, replace(MODEL, choices={name: name for name in models}), bare=True)
    place = st.container()
    chosen = _choose_head(result, model)
    layer, head = int(chosen.chosen[1]), int(chosen.chosen[2])
    st.text(f"{head_name(layer, head)}: {head_text(result, model, layer, head)}")
    selected = (layer, head)
    with place:
        figure = panels.drawn(lambda: figures.effect_grid(result, model=model, theme=theme(), selected=selected))
        title = "Effect of each attention head, layer by layer"
        panels.show_chart(figure, "effects", described(title, finding(result, model)), chosen)
        panels.export_panel("causes-heads", result, figure=figure, title=title, table=result.heads_of(model))
    st.subheader("Largest effects", anchor=False)
    figure = panels.drawn(lambda: figures.largest_effects(result, model=model, theme=theme(), selected=selected))
    panels.show_chart(figure, "largest", largest_text(result, model))
    panels.export_panel(
        "causes-largest", result, figure=figure, title="Heads with the largest effects", table=result.heads_of(model)
    )
    st.caption(literal(totals_text(result, model)))
    _scatter(result, model, chosen)
    _numbers(result)
    panels.show_left_out(result.excluded)


def _scatter(result: CausesResult, model: str, chosen: Details) -> None:
    """Effects beside degrees."""
    st.subheader("Effect against degree", anchor=False)
    rows = result.heads_of(model)
    if not rows["degree"].notna().any():
        st.info("No head has a degree here; “Not computed” below says why.")
        return
    figure = panels.drawn(lambda: figures.effect_against_degree(result, model=model, theme=theme()))
    panels.show_chart(figure, "against_degree", scatter_text(result, model), chosen)
    st.caption(
        "Degree: attention to the same gender in both versions (Li et al. 2021). Heads of one model depend on each "
        "other: r describes this model, and has no valid p."
    )
    panels.export_panel(
        "causes-degree", result, figure=figure, title="Effect of each head against its degree", table=rows
    )


_TABLES = {
    TOTALS: "What the heads are parts of",
    HEADS: "Head by head",
    CORRELATIONS: "Effect with degree, over heads",
    SENTENCES: "Sentence by sentence",
    COUNTS: "What became of the corpus’s sentences",
}


def _numbers(result: CausesResult) -> None:
    st.subheader("The numbers", anchor=False)
    for name in (TOTALS, HEADS, CORRELATIONS, SENTENCES, *((COUNTS,) if result.spec.corpus is not None else ())):
        st.caption(_TABLES[name])
        tables.show(result[name], result.SCHEMA.tables[name].columns)
    panels.export_panel("causes-table", result, table=result[HEADS])


def _choose_head(result: CausesResult, model: str) -> Details:
    """Which head is looked at: at first the one with the largest effect."""
    rows = result.heads_of(model)
    names = {
        (model, str(row["layer"]), str(row["head"])): head_name(row["layer"], row["head"])
        for row in rows.to_dict("records")
    }
    top = rows.sort_values("effect", key=abs, kind="stable").iloc[-1]
    return details.choose(st, names, (model, str(int(top["layer"])), str(int(top["head"]))))
