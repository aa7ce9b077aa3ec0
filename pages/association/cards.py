"""One association test looked at closely: its words, its null distribution, the matrix behind it, its layers."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.inputs import Choice, Switch
from core.measures.association import figures
from core.measures.association.result import AssociationCell, AssociationResult
from core.report.alternatives import cell_text
from core.sources import AssociationTest
from pages.shared import details, panels
from pages.shared.controls import choice
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


def choose(result: AssociationResult, tests: Mapping[str, AssociationTest], titles: Mapping[str, str]) -> Details:
    """Which combination of model, test and representation is looked at: at first the first."""
    several = len({cell.model for cell in result.cells}) > 1
    names = {
        mark_of(cell): f"{tests[cell.test].title} · {titles[cell.representation]}" + f" · {cell.model}" * several
        for cell in result.cells
    }
    return details.choose(st, names, mark_of(result.cells[0]))


def mark_of(cell: AssociationCell) -> tuple[str, str, str]:
    """What a mark of the chart says of the cell it stands for."""
    return cell.model, cell.test, cell.representation


def show_cell(
    result: AssociationResult, cell: AssociationCell, tests: Mapping[str, AssociationTest], titles: Mapping[str, str]
) -> None:
    """A chart of one combination, chosen among four, with its way out."""
    test = tests[cell.test]
    st.subheader(literal(f"{test.title} · {titles[cell.representation]}"), anchor=False)
    st.caption(literal(cell.model))
    view = choice(VIEW)
    if view == "layers" and not (result.layers["test"] == cell.test).any():
        st.info("This test has no curve over layers here: no chosen representation reads a model’s layers.")
        return
    figure, table = _draw(result, cell, view, test, titles)
    alt = cell_text(result, cell, f"{test.title}, {titles[cell.representation]}: {VIEW.choices[view]}")
    panels.show_chart(figure, f"cell {view}", alt)
    panels.export_panel(
        f"association-{view}",
        result,
        figure=figure,
        title=f"{test.title}: {VIEW.choices[view]} ({cell.representation}, {cell.model})",
        table=table,
    )


def _draw(
    result: AssociationResult, cell: AssociationCell, view: str, test: AssociationTest, titles: Mapping[str, str]
) -> tuple[go.Figure, pd.DataFrame]:
    names = set_names(cell, test)
    if view == "words":
        detail = result.detail
        rows = detail[
            (detail["model"] == cell.model)
            & (detail["test"] == cell.test)
            & (detail["representation"] == cell.representation)
        ]
        return figures.member_associations(cell, theme=theme(), names=names), rows.sort_values("association")
    if view == "matrix":
        columns = pd.Index([*cell.members_a, *cell.members_b])
        table = pd.DataFrame(cell.matrix, columns=columns)
        table.insert(0, "member", [*cell.members_x, *cell.members_y][: len(table)])
        return figures.association_matrix(cell, theme=theme(), names=names), table
    if view == "layers":
        curve = figures.layer_curve(result, theme=theme(), test=cell.test, titles=titles)
        return curve, result.layers[result.layers["test"] == cell.test]
    row = result.summary[
        (result.summary["model"] == cell.model)
        & (result.summary["test"] == cell.test)
        & (result.summary["representation"] == cell.representation)
    ].iloc[0]
    sampled = cell.representation == "ceat"
    figure = figures.null_distribution(
        cell,
        theme=theme(),
        test_statistic=float(row["effect_size"] if sampled else row["test_statistic"]),
        title=test.title,
        p_observed_direction=None if sampled else float(row["p_observed_direction"]),
        n_permutations=None if sampled else int(row["n_permutations"]),
    )
    return figure, pd.DataFrame({"test_statistic": cell.null})


def set_names(cell: AssociationCell, test: AssociationTest) -> tuple[str, str, str, str]:
    """Names of the four sets as the cell holds them: LPBS permutes A and B where the groups stand for X and Y."""
    x, y, a, b = test.x.name, test.y.name, test.a.name, test.b.name
    if cell.representation == "lpbs" and test.lpbs is not None:
        by_letter = {letter: words.name for letter, words in test.sets}
        first, second = (by_letter[letter] for letter in test.lpbs.permuted)
        return first, second, *test.lpbs.groups
    return x, y, a, b
