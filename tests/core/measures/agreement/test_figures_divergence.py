"""Divergences of templates from the base, and the words that make them."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.agreement.figures import contributions, divergences
from tests.support.agreement_results import divergence_result


def _marks(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.customdata]


def test_each_template_has_a_mark_in_both_panels_of_their_own_scales() -> None:
    figure = divergences(divergence_result(), theme=LIGHT)
    full, gendered = _marks(figure)
    assert list(full.x) == [0.218, 5.5]
    assert list(gendered.x) == [0.0321, 0.004]
    assert list(full.y) == list(gendered.y)
    assert [list(data) for data in full.customdata] == [["m", "T2", "full"], ["m", "T10", "full"]]
    assert list(gendered.customdata[0]) == ["m", "T2", "gendered"]
    assert list(full.text) == [" 0.218", " 5.500"]
    assert figure.layout.xaxis.range[0] == figure.layout.xaxis2.range[0] == 0
    assert figure.layout.xaxis.range[1] > 5.5 > 0.1 > figure.layout.xaxis2.range[1] > 0.0321


def test_templates_are_named_by_their_texts_and_the_base_below() -> None:
    texts = [note.text for note in divergences(divergence_result(), theme=LIGHT).layout.annotations]
    assert "T2  The _ is here." in texts
    assert "T10  The _ of the &lt;b&gt;." in texts
    assert not any(text.startswith("T1  ") for text in texts)
    assert any(text.startswith("KL from T1 “This is the _.”, in nats") for text in texts)
    assert "<b>2 gendered words</b>" in texts


def test_models_stand_below_each_other_and_are_told_apart_by_mark() -> None:
    result = divergence_result(models=("m", "n"))
    first, second = _marks(divergences(result, theme=LIGHT))[:2]
    assert first.marker.symbol != second.marker.symbol
    assert all(a < b for a, b in zip(first.y, second.y, strict=True))
    key = [entry for entry in divergences(result, theme=LIGHT).data if entry.showlegend]
    assert [(entry.name, entry.marker.symbol) for entry in key] == [
        ("m", first.marker.symbol),
        ("n", second.marker.symbol),
    ]
    assert [trace.name for trace in _marks(divergences(result, theme=LIGHT, model="n"))] == ["n", "n"]


def test_what_has_no_value_says_so() -> None:
    figure = divergences(divergence_result({"T2": (0.5, None), "T10": (0.25, None)}), theme=LIGHT)
    assert len(_marks(figure)) == 1
    assert [note.text for note in figure.layout.annotations].count("not computed") == 2


def test_divergences_refuse() -> None:
    with pytest.raises(OptionError, match="no model o; it holds m"):
        divergences(divergence_result(), theme=LIGHT, model="o")
    with pytest.raises(NothingToScore, match="No divergence"):
        divergences(divergence_result({"T2": (None, None)}), theme=LIGHT)


def _words(**changes: Any) -> go.Figure:
    named: dict[str, Any] = {"theme": LIGHT, "model": "m", "template": "T2"}
    return contributions(divergence_result(), **{**named, **changes})


def test_words_stand_from_the_most_added_to_the_most_taken_away() -> None:
    figure = _words()
    (bars,) = figure.data
    assert list(bars.x) == [0.3466, -0.1733]
    assert list(figure.layout.yaxis.ticktext) == ["nurse", "&lt;i&gt;"]
    assert [list(data) for data in bars.customdata] == [["nurse"], ["<i>"]]
    assert list(bars.text) == ["+0.347", "−0.173"]
    assert bars.marker.color[0] != bars.marker.color[1]
    low, high = figure.layout.xaxis.range
    assert low == -high < -0.3466


def test_hover_holds_both_probabilities() -> None:
    assert _words().data[0].hovertext[0] == ("<b>nurse</b><br>T2: 50.00 %<br>T1: 25.00 %<br>contributes +0.3466 nats")
    assert "T2: < 0.01 %<br>T1: 0.02 %" in _words(scope="gendered").data[0].hovertext[1]


def test_the_caption_holds_the_whole_divergence() -> None:
    texts = [note.text.replace("<br>", " ") for note in _words().layout.annotations]
    assert any("T2 from T1, whole vocabulary: 0.218 nats in all, 2 words shown" in text for text in texts)
    texts = [note.text.replace("<br>", " ") for note in _words(scope="gendered").layout.annotations]
    assert any("T2 from T1, 2 gendered words: 0.032 nats in all, 2 words shown" in text for text in texts)


def test_contributions_refuse() -> None:
    with pytest.raises(OptionError, match="no scope all; choose one of full, gendered"):
        _words(scope="all")
    with pytest.raises(NothingToScore, match="No word of T10"):
        _words(template="T10")
