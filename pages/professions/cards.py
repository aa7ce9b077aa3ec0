"""The card for one profession: the sentences as the model saw them, its persons, and where it lies."""

from __future__ import annotations

import html

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts import hue
from core.measures.lpbs.professions import words
from core.measures.lpbs.professions.result import PROFESSIONS, ProfessionResult, Series
from core.measures.lpbs.professions.tables import by_residual, of_series, person_means
from core.report.numbers import signed
from pages.professions.views import hues, series_name
from pages.shared import details
from pages.shared.details import Details
from pages.shared.frame import theme

Point = tuple[str, str, str]  # profession, model, language


def choose(place: DeltaGenerator, result: ProfessionResult) -> Details | None:
    """Whose card is shown: at first the profession with the largest residual. None where there is none."""
    rows = result[PROFESSIONS].dropna(subset="difference")
    points = list(zip(rows["profession"], rows["model"], rows["language"], strict=True))
    if not points:
        return None
    several = len(result.series) > 1
    names = {
        point: f"{point[0]}, {series_name(result, (point[1], point[2]))}" if several else point[0] for point in points
    }
    largest = (
        (str(rows["profession"][0]), *series) for series in result.series if len(rows := by_residual(result, series))
    )
    return details.choose(place, names, next(largest, points[0]))


def show(result: ProfessionResult, point: Point) -> None:
    """Explain one point."""
    profession, *place = point
    series = (place[0], place[1])
    parts = (_heading(result, series, profession), _input(result, series, profession))
    with st.container(border=True, key="card"):
        st.html(f'<div class="card">{"".join(parts)}{_persons(result, series, profession)}</div>')


def _heading(result: ProfessionResult, series: Series, profession: str) -> str:
    rows = of_series(result[PROFESSIONS], series)
    difference = float(rows.loc[rows["profession"] == profession, "difference"].iloc[0])
    colour = hue(theme().in_words, hues(result), result.contrast.first if difference > 0 else result.contrast.second)
    where = f" in {series_name(result, series)}" if len(result.series) > 1 else ""
    lines = words.profession_lines(result, series, profession, where)
    shown = "".join(f"<p class='muted'>{html.escape(line)}</p>" for line in lines)
    return f'<h3>{html.escape(profession)} <span style="color:{colour}">{signed(difference)}</span></h3>{shown}'


def _input(result: ProfessionResult, series: Series, profession: str) -> str:
    what, texts = words.model_input(result, series, profession)
    shown = "".join(f"<code>{html.escape(text)}</code>" for text in texts)
    return f"<p class='muted'>{what}</p>{shown}"


def _persons(result: ProfessionResult, series: Series, profession: str) -> str:
    """A line a pair, or a kind of person where there are no pairs: mean associations and their difference."""
    lines = []
    for name, (first, second) in person_means(result, series, profession).items():
        cells = [html.escape(name), signed(first), signed(second), signed(first - second)]
        shown = [f"<b>{cell}</b>" for cell in cells] if name == "mean" else cells
        lines.append("".join(f"<td>{cell}</td>" for cell in shown))
    heads = ("", result.contrast.first, result.contrast.second, "diff.")
    header = "".join(f"<th>{html.escape(head)}</th>" for head in heads)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in (header, *lines))}</table>"
