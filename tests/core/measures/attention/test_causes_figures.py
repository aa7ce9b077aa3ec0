"""The figures of the effects of heads, by the data they are given."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts import DARK, LIGHT
from core.charts.theme import Theme
from core.errors import NothingToScore
from core.measures.attention.causes import figures
from tests.support.causes_results import causes_result

EFFECTS = [[0.5, -1.25, 0.0, 0.1], [0.2, -0.3, 0.02, 0.4]]
DEGREES = [[0.1, None, -0.4, 0.2], [0.3, 0.1, 0.0, 0.9]]
RESULT = causes_result("m", EFFECTS, degrees=DEGREES)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_grid_holds_every_head_and_has_the_hue_of_the_group_moved_towards(theme: Theme) -> None:
    figure = figures.effect_grid(RESULT, model="m", theme=theme)
    (heat,) = [trace for trace in figure.data if trace.type == "heatmap"]
    assert np.array(heat.z).tolist() == EFFECTS
    assert (heat.zmin, heat.zmax) == (-1.25, 1.25)
    assert [colour for _, colour in heat.colorscale] == [theme.groups[1], theme.paper, theme.groups[0]]
    texts = {
        (int(row), int(column)): text
        for trace in figure.data
        if trace.type == "scatter" and trace.mode == "text"
        for row, column, text in zip(trace.y, trace.x, trace.text, strict=True)
    }
    assert texts[0, 1] == "<b>−1.25</b>"  # p is .01


def test_heads_of_the_grid_answer_to_clicks() -> None:
    figure = figures.effect_grid(RESULT, model="m", theme=LIGHT, selected=(1, 2))
    (cells,) = [trace for trace in figure.data if trace.name == "m"]
    assert [tuple(data) for data in cells.customdata][:2] == [("m", "0", "0"), ("m", "0", "1")]
    assert len(cells.customdata) == 8
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (1.5, 2.5, 0.5, 1.5)
    assert "effect −1.250 nats, n = 8" in cells.hovertext[1]
    assert "degree undefined" in cells.hovertext[1]


def test_the_largest_effects_have_their_intervals() -> None:
    figure = figures.largest_effects(RESULT, model="m", theme=LIGHT)
    (bars,) = [trace for trace in figure.data if trace.type == "bar"]
    values = dict(zip((mark[0] for mark in bars.customdata), bars.x, strict=True))
    assert values["L0 H1"] == -1.25
    assert list(bars.x) == sorted(value for row in EFFECTS for value in row)
    (whiskers,) = [trace for trace in figure.data if trace.name == "95 % interval"]
    assert whiskers.x[:2] == pytest.approx((-1.35, -1.15))


def test_few_sentences_have_no_intervals() -> None:
    figure = figures.largest_effects(causes_result("m", EFFECTS, n=1), model="m", theme=LIGHT)
    assert not [trace for trace in figure.data if trace.name == "95 % interval"]
    assert any("no interval" in note.text for note in figure.layout.annotations)


def test_many_heads_are_cut_to_those_with_the_largest_effects() -> None:
    many = np.random.default_rng(0).normal(size=(6, 12)).round(3)
    figure = figures.largest_effects(causes_result("m", many.tolist()), model="m", theme=LIGHT)
    (bars,) = [trace for trace in figure.data if trace.type == "bar"]
    ordered = np.sort(many.ravel())
    half = figures.MOST_ROWS // 2
    assert list(bars.x) == [*ordered[:half], *ordered[-half:]]


def test_the_scatter_has_a_point_for_each_head_with_a_degree() -> None:
    figure = figures.effect_against_degree(RESULT, model="m", theme=LIGHT)
    (points,) = [trace for trace in figure.data if trace.name == "heads"]
    assert list(points.x) == [0.1, -0.4, 0.2, 0.3, 0.1, 0.0, 0.9]
    assert list(points.y) == [0.5, 0.0, 0.1, 0.2, -0.3, 0.02, 0.4]
    r = np.corrcoef(points.x, points.y)[0, 1]
    said = "".join(note.text for note in figure.layout.annotations)
    assert f"Pearson r = +{r:.2f}" in said.replace("\u00a0", " ").replace("<br>", " ")
    assert "n = 7 heads" in said.replace("\u00a0", " ").replace("<br>", " ")


def test_without_degrees_there_is_no_scatter_and_without_heads_no_grid() -> None:
    with pytest.raises(NothingToScore, match="has a degree"):
        figures.effect_against_degree(causes_result("m", EFFECTS), model="m", theme=LIGHT)
    with pytest.raises(NothingToScore, match="No head of n was measured"):
        figures.effect_grid(RESULT, model="n", theme=LIGHT)
    with pytest.raises(NothingToScore, match="No head of n was measured"):
        figures.largest_effects(RESULT, model="n", theme=LIGHT)
