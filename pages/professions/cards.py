"""The card for one profession: the sentences as the model saw them, its persons, and where it lies."""

from __future__ import annotations

import html
import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts import hue
from core.measures.lpbs.professions.result import PROFESSIONS, SENTENCES, ProfessionResult
from core.measures.lpbs.professions.tables import by_residual, of_series
from core.measures.lpbs.professions.words import words_of
from core.report.numbers import counted, fixed, signed
from core.sources.templates import mask_spans
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
    with st.container(border=True, key="card"):
        parts = (_heading(result, point), _asked(result, point), _persons(result, point))
        st.html(f'<div class="card">{"".join(parts)}</div>')


def _heading(result: ProfessionResult, point: Point) -> str:
    profession, *series = point
    rows = of_series(result[PROFESSIONS], (series[0], series[1]))
    row = rows[rows["profession"] == profession].iloc[0]
    difference = float(row["difference"])
    contrast = result.contrast
    side = contrast.first if difference > 0 else contrast.second
    colour = hue(theme().in_words, hues(result), side)
    # One profession has no test of its own: this says what the number says.
    lines = [f"higher with the {words_of(side)}" if round(difference, 2) else "as high with both"]
    if len(result.series) > 1:
        lines[0] += f" in {series_name(result, (series[0], series[1]))}"
    percent = result.percent_column
    if result.statistic is not None and percent is not None and not math.isnan(row["residual"]):
        lines.append(f"{fixed(row[percent], 1)} % {result.statistic.of}, residual {signed(row['residual'])} nats")
    shown = "".join(f"<p class='muted'>{html.escape(line)}</p>" for line in lines)
    return f'<h3>{html.escape(profession)} <span style="color:{colour}">{signed(difference)}</span></h3>{shown}'


def _asked(result: ProfessionResult, point: Point) -> str:
    corpus = next(corpus for corpus in result.spec.corpora if corpus.language == point[2])
    of_profession = [
        sentence
        for sentence in corpus.sentences(result.spec.form)
        if corpus.professions[sentence.place[2]].name == point[0]
    ]
    # That of the second person where there is one: the first is often a bare pronoun.
    place = next((sentence for sentence in of_profession if sentence.place[1] == 1), of_profession[0])
    masking = result.spec.masking
    masks = 1 if masking == "single" else len(place.text[slice(*place.form_span)].split())
    if any(model.name == point[1] and model.kind == "causal" for model in result.provenance.models):
        how, texts = "as the model reads it", [place.text]
    else:
        how = "with the profession and without"
        if masking == "wordpiece":
            how += " (the model gets a mask for each token)"
        texts = [mask_spans(place.text, [(place.noun, 1), *more]) for more in ([], [(place.form_span, masks)])]
    shown = "".join(f"<code>{html.escape(text)}</code>" for text in texts)
    return f"<p class='muted'>One of {counted(len(corpus.templates), 'template')}, {how}</p>{shown}"


def _persons(result: ProfessionResult, point: Point) -> str:
    """A line a pair, or a kind of person where there are no pairs: mean associations and their difference."""
    rows = of_series(result[SENTENCES], (point[1], point[2]))
    rows = rows[rows["profession"] == point[0]]
    first, second = result.contrast.first, result.contrast.second
    lines = []
    if rows["pair"].notna().any():
        means = rows.pivot_table(index="pair", columns="gender", values="association", sort=False)
        for pair, values in means.iterrows():
            lines.append(_line(str(pair), values[first], values[second]))
    means_of = rows.groupby("gender")["association"].mean()
    lines.append(_line("mean", means_of[first], means_of[second], strong=True))
    heads = "".join(f"<th>{html.escape(head)}</th>" for head in ("", first, second, "diff."))
    return f"<table><tr>{heads}</tr>{''.join(lines)}</table>"


def _line(name: str, first: float, second: float, *, strong: bool = False) -> str:
    cells = [html.escape(name), signed(first), signed(second), signed(first - second)]
    tag = ("<b>", "</b>") if strong else ("", "")
    return "<tr>" + "".join(f"<td>{tag[0]}{cell}{tag[1]}</td>" for cell in cells) + "</tr>"
