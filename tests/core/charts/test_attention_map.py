"""Token maps: both sentences on one scale, roles on the labels, long sentences thinned out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT, token_maps
from core.errors import OptionError
from tests.support.attention_results import heads, maps, result

PIECES = ("[CLS]", "<he>", "she", "nurse")
ROLES = ("", "male", "female", "occupation")


def drawn(size: int = 4) -> go.Figure:
    pieces = [*PIECES, *(f"word{at}" for at in range(size - 4))]
    held = maps("m", pieces, [*ROLES, *[""] * (size - 4)])
    return token_maps(result(heads("m", [[0.1]], [["male"]]), held), model="m", layer=1, head=0, theme=LIGHT)


def test_both_maps_are_the_heads_on_one_scale() -> None:
    held = maps("m", PIECES, ROLES)
    first, second = (trace for trace in drawn().data if trace.type == "heatmap")
    np.testing.assert_allclose(np.array(first.z), held.attention[1, 0], atol=5e-5)
    np.testing.assert_allclose(np.array(second.z), held.attention[1, 0][:, ::-1], atol=5e-5)
    assert first.zmin == second.zmin == 0
    assert first.zmax == second.zmax == pytest.approx(held.attention[1, 0].max())


def test_labels_carry_the_roles_and_stand_as_written() -> None:
    figure = drawn()
    male, female = LIGHT.words[:2]
    assert list(figure.layout.yaxis.ticktext) == [
        f'<span style="color:{LIGHT.muted}">[CLS]</span>',
        f'<span style="color:{male}"><b>&lt;he&gt; (M)</b></span>',
        f'<span style="color:{female}"><b>she (F)</b></span>',
        f'<span style="color:{LIGHT.ink}"><b>nurse</b></span>',
    ]
    assert list(drawn(5).layout.yaxis.ticktext)[4] == "word0"
    assert "m, L1 H0" in figure.layout.annotations[-1].text


def test_hover_names_both_pieces_and_a_piece_that_comes_twice_has_two_places() -> None:
    held = maps("m", ("a", "<a>", "a"), ("male", "female", "occupation"))
    first = token_maps(result(heads("m", [[0.1]], [["male"]]), held), model="m", layer=0, head=1, theme=LIGHT).data[0]
    assert [name.rstrip("\u200b") for name in first.x] == ["a", "&lt;a&gt;", "a"]
    assert len(set(first.x)) == 3
    assert first.x == first.y
    assert first.hovertemplate.startswith("%{y} → %{x}<br><b>%{z:.4f}")


def test_values_are_printed_where_they_fit() -> None:
    attention = maps("m", PIECES, ROLES).attention[1, 0]
    written = {
        (row, column): text
        for trace in drawn(4).data
        if trace.type == "scatter" and trace.xaxis == "x"
        for row, column, text in zip(trace.y, trace.x, trace.text, strict=True)
    }
    names = list(drawn(4).data[0].x)
    assert written == {
        (row, column): f"{attention[at, to]:.2f}" for at, row in enumerate(names) for to, column in enumerate(names)
    }
    assert not [trace for trace in drawn(13).data if trace.type == "scatter"]


def test_short_sentences_stand_beside_each_other_and_long_ones_below() -> None:
    short, long = drawn(13), drawn(40)
    assert len(short.layout.xaxis.ticktext) == 13
    assert short.layout.xaxis2.domain[0] > 0.4
    assert list(short.layout.yaxis.domain) == list(short.layout.yaxis2.domain) == [0, 1]
    assert list(long.layout.xaxis.domain) == list(long.layout.xaxis2.domain) == [0, 1]
    assert long.layout.yaxis.domain[0] > long.layout.yaxis2.domain[1]


def test_six_hundred_tokens_are_drawn_with_few_labels_but_the_words_that_matter() -> None:
    figure = drawn(600)
    names, places = list(figure.layout.yaxis.ticktext), list(figure.layout.yaxis.tickvals)
    assert 40 < len(names) < 100
    assert "nurse" in names[0]
    # 620 pixels / 600 tokens: labels 13 pixels high need 13 places each.
    assert min(after - before for before, after in pairwise(places)) >= 12
    assert figure.layout.height < 2_500
    # Nothing is said cell by cell but the 2 × 360,000 values, of at most 7 characters each.
    assert len(figure.to_json()) < 6_000_000


def test_words_with_a_role_far_apart_are_all_named() -> None:
    roles = [""] * 200
    roles[10], roles[100], roles[190] = "male", "occupation", "female"
    held = maps("m", [f"w{at}" for at in range(200)], roles)
    figure = token_maps(result(heads("m", [[0.1]], [["male"]]), held), model="m", layer=0, head=0, theme=LIGHT)
    assert {10, 100, 190} <= set(figure.layout.yaxis.tickvals)
    assert {10, 100, 190} <= set(figure.layout.xaxis.tickvals)


def test_what_is_not_there_is_named() -> None:
    held = result(heads("m", [[0.1]], [["male"]]), maps("m", PIECES, ROLES))
    with pytest.raises(OptionError, match="no maps of x; it holds m"):
        token_maps(held, model="x", layer=0, head=0, theme=LIGHT)
    with pytest.raises(OptionError, match="no L2 H0"):
        token_maps(held, model="m", layer=2, head=0, theme=LIGHT)
