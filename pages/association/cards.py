"""One association test looked at closely: its words, its null distribution, the matrix behind it, its layers."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.inputs import Choice, Switch
from core.measures.association import figures, side_by_side, words
from core.measures.association.figures import Which
from core.measures.association.result import AssociationResult
from core.report.alternatives import described
from pages.shared import details, panels, tables
from pages.shared.controls import choice, toggle
from pages.shared.details import DETAILS, Details
from pages.shared.frame import theme
from pages.shared.markdown import literal

PUBLISHED = Switch("published", "Show published values", help="As printed, of the models the papers used.")
VIEW = Choice(
    "view",
    "View",
    choices={
        "words": "single words",
        "null": "null distribution",
        "matrix": "the matrix behind it",
        "layers": "over layers",
    },
)
VIEWS = (PUBLISHED, DETAILS, VIEW)
_FIGURES: dict[str, tuple[str, Callable[..., go.Figure]]] = {
    "words": ("members", figures.member_associations),
    "null": ("distribution", figures.null_distribution),
    "matrix": ("matrix", figures.association_matrix),
}


def show(result: AssociationResult) -> None:
    """All of a result: the finding, every effect size, one of them looked at closely, the numbers."""
    finding = words.finding(result)
    panels.show_finding(result, finding, ())
    panels.show_notes(result.notes)
    published = not result["published"].empty and toggle(PUBLISHED)
    figure = panels.drawn(lambda: figures.effect_sizes(result, theme=theme(), published=published))
    above = st.container()
    chosen = choose(result)
    title = "Effect size d of every test and representation"
    with above:
        panels.show_chart(figure, "effects", described(title, finding), chosen)
        panels.export_panel("association", result, figure=figure, title=title, table=result["tests"])
    if chosen is not None:
        model, test, representation = chosen.chosen
        show_test(result, (model, test, representation))
        show_models(result, (model, test, representation))
    _numbers(result)
    panels.show_left_out(result.excluded)
    with st.expander("Sources of the tests"):
        for asked in result.spec.tests:
            st.text(f"{asked.title}: {asked.source or 'your own lists'}. {asked.note}".strip())


def _numbers(result: AssociationResult) -> None:
    st.subheader("The numbers", anchor=False)
    tables.show(titled(result, "tests"), result.SCHEMA.tables["tests"].columns)
    panels.export_panel("association-table", result, table=result["tests"])
    captions = {
        "published": "As printed in the papers, each for the model named.",
        "erased": "What gender was erased by before each test (LEACE).",
    }
    for table, caption in captions.items():
        if not result[table].empty:
            st.caption(caption)
            tables.show(titled(result, table), result.SCHEMA.tables[table].columns)
            panels.export_panel(f"association-{table}", result, table=result[table])


def choose(result: AssociationResult) -> Details | None:
    """Which combination of model, test and representation is looked at: at first the first; None without any."""
    computed = result["tests"].dropna(subset="effect_size")
    marks = [(str(model), str(test), str(kind)) for model, test, kind in computed[list(figures.WHICH)].to_numpy()]
    several = computed["model"].nunique() > 1
    names = {
        (model, test, kind): _title(result, (model, test, kind)) + f" · {model}" * several
        for model, test, kind in marks
    }
    return details.choose(st, names, marks[0]) if marks else None


def titled(result: AssociationResult, table: str) -> pd.DataFrame:
    """A table with tests and representations by the titles that the controls have."""
    titles = {asked.id: asked.title for asked in result.spec.tests}
    rows = result[table]
    return rows.assign(test=rows["test"].map(titles), representation=rows["representation"].map(figures.title_of))


def show_test(result: AssociationResult, which: Which) -> None:
    """A chart of one combination, chosen among four, with its way out."""
    model, test, kind = which
    st.subheader(literal(_title(result, which)), anchor=False)
    st.caption(literal(model))
    view = choice(VIEW)
    if view == "layers" and not (result["layers"]["test"] == test).any():
        why = "no chosen representation reads a model’s layers" if result["erased"].empty else "gender was erased"
        st.info(f"This test has no curve over layers here: {why}.")
        return
    figure, table = panels.drawn(lambda: _drawn(result, which, view)), _table(result, which, view)
    title = figures.asked_test(result, test).title
    alt = words.in_words(result, which, f"{title}, {figures.title_of(kind)}: {VIEW.choices[view]}")
    panels.show_chart(figure, f"cell {view}", alt)
    panels.export_panel(
        f"association-{view}",
        result,
        figure=figure,
        title=f"{title}: {VIEW.choices[view]} ({kind}, {model})",
        table=table,
    )


def show_models(result: AssociationResult, which: Which) -> None:
    """One test by one representation in all models, the base first: effect sizes, and the cosines behind them."""
    _, test, kind = which
    finding = words.models_finding(result, test, kind)
    if result["tests"]["model"].nunique() < 2 or finding is None:
        return
    st.subheader("The models side by side", anchor=False)
    panels.show_finding(result, finding, ())
    title = _title(result, which)
    rows = result["tests"]
    figure = panels.drawn(lambda: side_by_side.effects_by_model(result, test, kind, theme=theme()))
    what = "Effect size d of each model"
    panels.show_chart(figure, "effects by model", words.models_text(result, test, kind, what))
    panels.export_panel(
        "association-models",
        result,
        figure=figure,
        title=f"{what}: {title}",
        table=rows[(rows["test"] == test) & (rows["representation"] == kind)],
    )
    what = "X and Y with each word of A and B, model by model"
    figure = panels.drawn(lambda: side_by_side.cosine_plot(result, test, kind, theme=theme()))
    panels.show_chart(figure, "cosines by model", words.cosines_text(result, test, kind, what))
    panels.export_panel(
        "association-cosines",
        result,
        figure=figure,
        title=f"{what}: {title}",
        table=side_by_side.cosine_table(result, test, kind),
    )


def _drawn(result: AssociationResult, which: Which, view: str) -> go.Figure:
    if view == "layers":
        return figures.layer_curve(result, which[1], theme=theme())
    return _FIGURES[view][1](result, which, theme=theme())


def _table(result: AssociationResult, which: Which, view: str) -> pd.DataFrame:
    if view == "layers":
        layers = result["layers"]
        return layers[layers["test"] == which[1]]
    return figures.of_one(result, _FIGURES[view][0], which)


def _title(result: AssociationResult, which: Which) -> str:
    return f"{figures.asked_test(result, which[1]).title} · {figures.title_of(which[2])}"
