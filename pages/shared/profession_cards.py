"""The card for one profession: the sentences as the model saw them, its persons, and where it lies."""

from __future__ import annotations

import html

import streamlit as st

from core.charts import hue, signed
from core.export.finding_professions import distances, words_of
from core.export.wording import counted
from core.lexicon import Corpus
from core.results import ProfessionResult
from core.templates import mask_spans
from pages.shared.frame import theme
from pages.shared.profession_views import hues, series_name

Point = tuple[str, str, str]  # profession, model, language

_PICKED = "picked profession"


def picked(result: ProfessionResult, mark: tuple[str, ...] | None) -> Point | None:
    """The point that was clicked last, else the one furthest from the line; None where there is no profession."""
    rows = result.summary[result.summary["kind"] == "profession"]
    known = list(zip(rows["profession"], rows["model"], rows["language"], strict=True))
    if mark is not None:
        # A bar of two models belongs to neither: the first of them is explained.
        of_name = (point for point in known if point[0] == mark[0])
        clicked = mark[:3] if mark[:3] in known else next(of_name, None)
        st.session_state[_PICKED] = clicked or st.session_state.get(_PICKED)
    chosen = st.session_state.get(_PICKED)
    if chosen in known:
        return chosen
    for model, language in result.series:
        table = distances(result, (model, language))
        if len(table):
            return str(table["profession"][0]), model, language
    return known[0] if known else None


def show(result: ProfessionResult, corpora: tuple[Corpus, ...], point: Point | None) -> None:
    """Explain one point. A click on a mark of the chart chooses it."""
    if point is None:
        return
    with st.container(border=True, key="card"):
        parts = (_heading(result, point), _asked(result, corpora, point), _persons(result, point))
        st.html(f'<div class="card">{"".join(parts)}</div>')


def _heading(result: ProfessionResult, point: Point) -> str:
    profession, model, language = point
    rows = result.summary
    row = rows[
        (rows["kind"] == "profession")
        & (rows["profession"] == profession)
        & (rows["model"] == model)
        & (rows["language"] == language)
    ].iloc[0]
    difference = float(row["difference"])
    contrast = result.contrast
    side = contrast.first if difference > 0 else contrast.second
    colour = hue(theme().in_words, hues(result), side)
    # One profession has no test of its own: this says what the number says.
    lines = [f"higher with the {words_of(side)}" if round(difference, 2) else "as high with both"]
    if len(result.series) > 1:
        lines[0] += f" in {series_name(result, (model, language))}"
    table = distances(result, (model, language))
    of_point = table[table["profession"] == profession]
    if len(of_point):
        found = of_point.iloc[0]
        lines.append(
            f"{found[result.percent_column]:.1f} % {result.statistic.of}, {signed(found['distance'])} nats off the line"
        )
    shown = "".join(f"<p class='muted'>{html.escape(line)}</p>" for line in lines)
    return f'<h3>{html.escape(profession)} <span style="color:{colour}">{signed(difference)}</span></h3>{shown}'


def _asked(result: ProfessionResult, corpora: tuple[Corpus, ...], point: Point) -> str:
    corpus = next(one for one in corpora if one.language == point[2])
    place = next(
        (one for one in corpus.sentences() if corpus.professions[one.place[2]].name == point[0] and one.place[1] == 1),
        None,
    ) or next(one for one in corpus.sentences() if corpus.professions[one.place[2]].name == point[0])
    masking = result.options.masking
    masks = 1 if masking == "single" else len(place.text[slice(*place.form_span)].split())
    if any(model.name == point[1] and model.kind == "causal" for model in result.provenance.models):
        how, texts = "as the model reads it", [place.text]
    else:
        how = "with the profession and without"
        if masking == "wordpiece":
            how += " (the model gets a mask for each word piece)"
        texts = [mask_spans(place.text, [(place.noun, 1), *more]) for more in ([], [(place.form_span, masks)])]
    shown = "".join(f"<code>{html.escape(text)}</code>" for text in texts)
    return f"<p class='muted'>One of {counted(len(corpus.templates), 'template')}, {how}</p>{shown}"


def _persons(result: ProfessionResult, point: Point) -> str:
    """A line a pair, or a kind of person where there are no pairs: mean associations and their difference."""
    detail = result.detail
    rows = detail[(detail["profession"] == point[0]) & (detail["model"] == point[1]) & (detail["language"] == point[2])]
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
