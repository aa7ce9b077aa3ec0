"""The charts of the professions page and how they are chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core import charts, sources
from core.errors import TiltmeterError
from core.inputs import Choice, Switch
from core.measures.lpbs.professions import figures
from core.measures.lpbs.professions.result import SENTENCES, ProfessionResult, Series
from core.measures.lpbs.professions.tables import differences, differences_by, points
from core.result import Group
from pages.shared import panels
from pages.shared.controls import choice, select, toggle
from pages.shared.frame import theme_beside_card
from pages.shared.markdown import literal
from pages.shared.pinning import Drawn

_VIEWS = {
    "scatter": "against the statistic",
    "bars": "female and male words",
    "templates": "by template",
    "pairs": "by pair",
    "models": "one against the other",
}
VIEW = Choice("view", "View", choices=_VIEWS)
SHOWN_LANGUAGE = Choice("shown_language", "Language shown")
SERIES = Choice("series", "Model")
FIRST_SERIES = Choice("first_series", "First")
SECOND_SERIES = Choice("second_series", "Second")
ALL = Switch("all", "Show all")
VIEWS = (VIEW, SHOWN_LANGUAGE, SERIES, FIRST_SERIES, SECOND_SERIES, ALL)
LIMIT = 12  # rows of a group that fit on a screen


@dataclass(frozen=True)
class View:
    """What is drawn: a name of ``_VIEWS``, the series (one, or two for a difference), and the most rows of a group."""

    name: str
    series: tuple[Series, ...]
    limit: int | None

    def what(self, result: ProfessionResult) -> str:
        """What is drawn, in words."""
        return f"Professions {_views(result)[self.name]}, {result.contrast.label}"

    def table(self, result: ProfessionResult) -> pd.DataFrame:
        """The numbers of the chart."""
        if self.name == "scatter":
            return pd.concat([points(result, series) for series in self.series], ignore_index=True)
        by = {"templates": "template", "pairs": "pair"}.get(self.name)
        if by is not None:
            return differences_by(result, self.series[0], by)
        return differences(result, self.series)


def series_name(result: ProfessionResult, series: Series) -> str:
    """The model, with the language where there are several."""
    languages = {language for _, language in result.series}
    return f"{series[0]}, {sources.language_name(series[1])}" if len(languages) > 1 else series[0]


def _views(result: ProfessionResult) -> dict[str, str]:
    """What each view shows, by its name."""
    first, second = result.contrast.first, result.contrast.second
    # Long names of groups would push the other views out of sight.
    return {**_VIEWS, "bars": "both groups of names" if first.endswith("names") else f"{first} and {second}"}


def hues(result: ProfessionResult) -> tuple[Group, ...]:
    """The two kinds of person words in the order of the hues: male words are ochre on every page, female words teal."""
    return (Group(result.contrast.second, ()), Group(result.contrast.first, ()))


def choose(result: ProfessionResult) -> View:
    """The controls above the chart."""
    several = len(result.series) > 1
    paired = result[SENTENCES]["pair"].notna().any()
    views = {
        name: title
        for name, title in _views(result).items()
        if (name != "models" or several) and (name != "pairs" or paired)
    }
    series = result.series
    limit = None
    with st.container(horizontal=True, vertical_alignment="center"):
        name = choice(replace(VIEW, choices=views))
        names = {series_name(result, item): item for item in result.series}
        labels = {label: label for label in names}
        if name == "scatter" and len(series) > figures.MOST_SERIES:
            languages = {language: sources.language_name(language) for _, language in series}
            shown = select(st, replace(SHOWN_LANGUAGE, choices=languages), bare=True)
            series = tuple(item for item in series if item[1] == shown)
        if several and name in ("bars", "templates", "pairs"):
            series = (names[select(st, replace(SERIES, choices=labels), bare=True)],)
        if name == "models":
            first = select(st, replace(FIRST_SERIES, choices=labels), bare=True)
            rest = {label: label for label in names if label != first}
            second = select(st, replace(SECOND_SERIES, choices=rest), bare=True)
            series = (names[first], names[second])
        if name in ("bars", "models"):
            limit = None if toggle(ALL) else LIMIT
    return View(name, series, limit)


def draw(result: ProfessionResult, view: View) -> Drawn | None:
    """The figure of a view; None, with a sentence in its place, where it cannot be drawn."""
    try:
        return panels.drawn(lambda: _drawn(result, view))
    except TiltmeterError as error:
        st.info(literal(str(error)))
        return None


def _drawn(result: ProfessionResult, view: View) -> go.Figure:
    look = theme_beside_card(charts.PANELS_WIDTH if len(view.series) > 1 else charts.WIDTH)
    if view.name == "scatter":
        return figures.profession_scatter(result, series=view.series, theme=look)
    if view.name == "bars":
        return figures.profession_bars(result, series=view.series[0], theme=look, limit=view.limit)
    if view.name == "models":
        first, second = view.series
        return figures.profession_differences(result, first=first, second=second, theme=look, limit=view.limit)
    by = {"templates": "template", "pairs": "pair"}[view.name]
    return figures.profession_heat(result, series=view.series[0], by=by, theme=look)
