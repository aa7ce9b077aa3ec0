"""What every figure promises: colours of its theme alone, the same every time, no NaN, words as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import plotly
import pytest

from core.charts.theme import DARK, LIGHT, Theme
from tests.support.every_figure import figures

FIGURES = figures()
EVERY = pytest.mark.parametrize("name", FIGURES)
MARKUP = {"b", "br", "span", "extra"}  # what we write ourselves


def texts(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """(where, text) of every text in a figure."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from texts(item, key)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item, where)
    elif isinstance(value, str):
        yield where, value


@EVERY
@pytest.mark.parametrize(("theme", "other"), [(LIGHT, DARK), (DARK, LIGHT)], ids=["light", "dark"])
def test_it_has_no_colour_of_plotly_or_of_the_other_theme(name: str, theme: Theme, other: Theme) -> None:
    drawn = FIGURES[name](theme).to_json().lower()
    mine = {theme.paper, theme.ink, theme.muted, theme.hairline, theme.zero, theme.shade, theme.neutral, *theme.groups}
    for colour in ("#636efa", "#2a3f5f", "#e5ecf6", "#ebf0f8", other.paper, other.ink, *other.groups):
        assert colour in mine or colour.lower() not in drawn


@EVERY
def test_it_is_the_same_every_time_whatever_plotly_s_default(name: str) -> None:
    once, default = FIGURES[name](LIGHT).to_json(), plotly.io.templates.default
    try:
        plotly.io.templates.default = "plotly_dark"
        assert FIGURES[name](LIGHT).to_json() == once
    finally:
        plotly.io.templates.default = default
    assert "NaN" not in once
    assert "Infinity" not in once


@EVERY
def test_words_of_a_user_are_shown_as_they_stand(name: str) -> None:
    figure = FIGURES[name](LIGHT).to_dict()
    figure["layout"].pop("template")
    for where, text in texts(figure):
        if where in ("customdata", "name"):
            continue  # never drawn
        tags = {tag.lower() for tag in re.findall(r"</?([a-zA-Z]+)", text)}
        assert tags <= MARKUP, (where, text)
        assert "$" not in text, (where, text)


@EVERY
def test_a_name_in_the_legend_is_shown_as_it_stands(name: str) -> None:
    for trace in FIGURES[name](LIGHT).data:
        if trace.showlegend:
            assert "<" not in trace.name
