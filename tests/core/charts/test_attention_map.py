"""Token maps: both sentences on one scale, roles on the labels, long sentences thinned out."""

from __future__ import annotations

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
    first, second = drawn().data
    np.testing.assert_allclose(np.array(first.z), held.attention[1, 0], atol=5e-5)
    np.testing.assert_allclose(np.array(second.z), held.attention[1, 0][:, ::-1], atol=5e-5)
    assert first.zmin == second.zmin == 0
    assert first.zmax == second.zmax == pytest.approx(held.attention[1, 0].max())


def test_labels_carry_the_roles_and_stand_as_written() -> None:
    figure = drawn()
    male, female = LIGHT.groups[:2]
    assert list(figure.layout.yaxis.ticktext) == [
        "[CLS]",
        f'<span style="color:{male}"><b>&lt;he&gt;</b></span>',
        f'<span style="color:{female}"><b>she</b></span>',
        f'<span style="color:{LIGHT.ink}"><b>nurse</b></span>',
    ]
    assert list(figure.data[0].customdata[0][1]) == ["[CLS]", "&lt;he&gt;"]  # query, key


def test_short_sentences_stand_beside_each_other_and_long_ones_below() -> None:
    short, long = drawn(10), drawn(40)
    assert short.layout.xaxis2.domain[0] > 0.4
    assert list(short.layout.yaxis.domain) == list(short.layout.yaxis2.domain) == [0, 1]
    assert list(long.layout.xaxis.domain) == list(long.layout.xaxis2.domain) == [0, 1]
    assert long.layout.yaxis.domain[0] > long.layout.yaxis2.domain[1]


def test_six_hundred_tokens_are_drawn_with_few_labels_but_the_words_that_matter() -> None:
    figure = drawn(600)
    names = list(figure.layout.yaxis.ticktext)
    assert len(names) < 100
    assert sum("<b>" in name for name in names) == 3
    assert figure.layout.height < 2_500


def test_what_is_not_there_is_named() -> None:
    held = result(heads("m", [[0.1]], [["male"]]), maps("m", PIECES, ROLES))
    with pytest.raises(OptionError, match="no maps of x; it holds m"):
        token_maps(held, model="x", layer=0, head=0, theme=LIGHT)
    with pytest.raises(OptionError, match="no L2 H0"):
        token_maps(held, model="m", layer=2, head=0, theme=LIGHT)
