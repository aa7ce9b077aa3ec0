from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore
from core.measures.association.figures import association_matrix
from tests.support.association_results import association_cell

MEMBERS = (("rose", "tulip"), ("ant",))
ATTRIBUTES = (("love",), ("war", "crash"))
MATRIX = [[0.5, -0.25, 0.0], [0.1, 0.2, math.nan], [-0.3, 0.4, 0.12345678]]


def _chart(matrix: Any = MATRIX, members: Any = MEMBERS, attributes: Any = ATTRIBUTES, **more: Any) -> go.Figure:
    cell = association_cell([0.0] * 2, [0.0], members=members, attributes=attributes, matrix=matrix, **more)
    return association_matrix(cell, theme=LIGHT, names=("flowers", "insects", "pleasant", "unpleasant"))


def _seen(names: Any) -> list[str]:
    return [str(name).replace("\u200b", "") for name in names]


def test_cells_are_the_matrix_and_a_missing_value_is_a_hole() -> None:
    figure = _chart()
    heat = figure.data[0]
    assert [list(row) for row in heat.z] == [[0.5, -0.25, 0.0], [0.1, 0.2, None], [-0.3, 0.4, 0.1235]]
    assert _seen(heat.y) == ["rose", "tulip", "ant"]
    assert _seen(heat.x) == ["love", "war", "crash"]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # X on top
    written = {
        (*_seen([row, column]), text)
        for trace in figure.data[1:]
        for row, column, text in zip(trace.y, trace.x, trace.text, strict=True)
    }
    assert written == {
        *(("rose", "love", "+0.50"), ("rose", "war", "−0.25"), ("rose", "crash", "0.00")),
        *(("tulip", "love", "+0.10"), ("tulip", "war", "+0.20")),
        *(("ant", "love", "−0.30"), ("ant", "war", "+0.40"), ("ant", "crash", "+0.12")),
    }
    assert heat.hoverongaps is False
    assert "NaN" not in figure.to_json()
    assert "bdata" not in figure.to_json()


def test_the_scale_is_centred_on_zero_with_the_paper_there() -> None:
    heat = _chart().data[0]
    assert (heat.zmin, heat.zmax) == (-0.5, 0.5)
    assert heat.colorscale == ((0, LIGHT.groups[1]), (0.5, LIGHT.paper), (1, LIGHT.groups[0]))
    assert list(heat.colorbar.ticktext) == ["−0.50", "0", "+0.50"]
    # All on one side, the scale still reaches as far on the other.
    heat = _chart([[0.5, 0.8, 0.7]] * 3).data[0]
    assert (heat.zmin, heat.zmax) == (-0.8, 0.8)


def test_sets_are_set_apart_and_named() -> None:
    members = (tuple("abcde"), tuple("fghi"))
    figure = _chart(np.ones((9, 3)), members)
    lines = {(shape.x0, shape.x1, shape.y0, shape.y1) for shape in figure.layout.shapes}
    assert lines == {(0, 1, 4.5, 4.5), (0.5, 0.5, 0, 1)}  # five rows of X, one column of A
    names = {one.text: one for one in figure.layout.annotations}
    assert set(names) == {f"<b>{name}</b>" for name in ("flowers", "insects", "pleasant", "unpleasant")}
    assert names["<b>flowers</b>"].y > names["<b>insects</b>"].y
    assert names["<b>pleasant</b>"].x < names["<b>unpleasant</b>"].x
    # Three rows of 20 pixels have no room for the names along them: cut, and whole on hover.
    cut = [one for one in _chart().layout.annotations if "…" in one.text]
    assert [one.hovertext for one in cut] == ["flowers", "insects"]


def test_pooled_lpbs_names_a_word_once_a_template_and_once_in_the_matrix() -> None:
    members = (("rose", "tulip", "rose", "tulip"), ("ant", "ant"))
    figure = _chart([[0.1, 0.2]] * 3, members, (("men",), ("women",)), representation="lpbs")
    assert _seen(figure.data[0].y) == ["rose", "tulip", "ant"]


def test_names_alike_or_like_numbers_stay_rows_of_their_own() -> None:
    figure = _chart(members=(("1", "1"), ("0",)), attributes=(("2",), ("<b>w</b>", "$x$")))
    rows, columns = figure.data[0].y, figure.data[0].x
    assert len(set(rows)) == 3
    assert not any(str(name).isdecimal() for name in [*rows, *columns])
    assert _seen(columns) == ["2", "&lt;b&gt;w&lt;/b&gt;", "&#36;x&#36;"]
    assert list(figure.layout.xaxis.ticktext) == _seen(columns)


def test_two_hundred_sentences_square() -> None:
    sentences = tuple(f"This is a rather long sentence about the {at}th of the things." for at in range(200))
    values = np.random.default_rng(0).uniform(-1, 1, (200, 200)).tolist()
    figure = _chart(values, (sentences[:100], sentences[100:]), (sentences[:100], sentences[100:]))
    assert len(figure.to_json()) < 3_000_000
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    marks = list(figure.layout.yaxis.tickvals)
    assert min(b - a for a, b in pairwise(marks)) * plot / 200 >= 12  # the height of a text
    assert all(len(text) < 40 and text.endswith("…") for text in figure.layout.yaxis.ticktext)
    assert _seen(figure.data[0].y)[7] == sentences[7]
    assert len(figure.data) == 1


def test_nothing_to_draw_is_said() -> None:
    for matrix in (np.full((3, 3), np.nan), np.empty((0, 3))):
        with pytest.raises(NothingToScore, match="no matrix to draw"):
            _chart(matrix)
