"""Charts along a model: the numbers of the profile, gaps, and which way is up."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from core.charts import DARK, LIGHT, Theme, biased_share, degree_boxes, degree_curve, degree_steps
from core.errors import NothingToScore
from tests.support.attention_results import profile

MEANS = [0.1, -0.2, 0.3, None, 0.05, 0.2]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_curve_is_the_mean_degree_with_gaps(theme: Theme) -> None:
    figure = degree_curve(profile("m", MEANS), theme=theme)
    (line,) = figure.data
    assert list(line.y) == MEANS
    assert list(line.x) == [0, 1, 2, 3, 4, 5]
    assert list(figure.layout.xaxis.ticktext) == ["E", "Q", "K", "V", "A", "O"]
    assert figure.layout.yaxis.range[0] == -figure.layout.yaxis.range[1]
    assert line.hovertext[1] == "<b>query of L0</b><br>m: mean degree −0.200, n = 7"
    assert line.hovertext[3] == ""


def test_models_share_one_chart_and_are_named() -> None:
    rows = pd.concat([profile("<a>", MEANS), profile("b", MEANS[:4])], ignore_index=True)
    figure = degree_curve(rows, theme=LIGHT)
    assert [trace.name for trace in figure.data] == ["<a>", "b"]
    key = next(one.text for one in figure.layout.annotations if "&lt;a&gt;" in (one.text or ""))
    assert "b" in key
    assert len(figure.layout.xaxis.tickvals) == 6  # of the longer one


def test_steps_stand_above_the_share_that_rises() -> None:
    rows = profile(
        "m", MEANS, difference=[None, -0.3, 0.5, None, -0.25, 0.15], share_rising=[None, 0, 1, None, 0.4, 0.6]
    )
    steps, share = degree_steps(rows, theme=LIGHT).data
    assert list(steps.x) == [1, 2, 4, 5]
    assert list(steps.y) == [-0.3, 0.5, -0.25, 0.15]
    assert list(share.y) == pytest.approx([0, 100, 40, 60])
    assert [colour == LIGHT.paper for colour in steps.marker.color] == [True, False, True, False]
    assert "rises in 40 % of sentences" in steps.hovertext[2]


def test_boxes_are_the_quartiles_given() -> None:
    ends = {"low": [-0.5], "q1": [-0.25], "median": [0.0], "q3": [0.125], "high": [0.75]}
    box, marks = degree_boxes(profile("m", [0.1], **ends), theme=LIGHT).data
    assert [float(getattr(box, name)[0]) for name in ("lowerfence", "q1", "median", "q3", "upperfence")] == [
        -0.5,
        -0.25,
        0,
        0.125,
        0.75,
    ]
    assert marks.hovertext[0] == (
        "<b>embedding</b><br>median 0.000<br>middle half −0.250 to +0.125<br>all −0.500 to +0.750"
    )


def test_the_share_of_biased_heads_is_in_percent() -> None:
    figure = biased_share(profile("m", [0.1, 0.2], share_biased=[0.25, None]), theme=LIGHT)
    assert list(figure.data[0].y) == [25, None]
    assert figure.data[0].hovertext == ("<b>embedding</b><br>m: 25.0 % of heads biased", "")


DRAWN = [degree_curve, degree_steps, degree_boxes, biased_share]


@pytest.mark.parametrize("draw", DRAWN)
def test_every_chart_names_its_model_as_it_stands(draw: Any) -> None:
    figure = draw(profile("<i>m</i>", MEANS), theme=LIGHT)
    assert any("&lt;i&gt;m&lt;/i&gt;" in one.text for one in figure.layout.annotations)
    assert "<i>" not in figure.layout.to_json()


@pytest.mark.parametrize("draw", DRAWN)
def test_layers_are_parted_below_the_marks(draw: Any) -> None:
    # Over a curve a line in the colour of the grid would look like a missing value.
    parting = [one for one in draw(profile("m", MEANS), theme=LIGHT).layout.shapes if one.x0 == one.x1]
    assert [(one.x0, one.layer) for one in parting] == [(0.5, "below")]


@pytest.mark.parametrize("draw", [degree_curve, degree_steps, biased_share])
def test_a_click_fades_nothing(draw: Any) -> None:
    for trace in draw(profile("m", MEANS), theme=LIGHT).data:
        assert trace.unselected.marker.opacity == 1


@pytest.mark.parametrize("draw", DRAWN)
def test_without_values_there_is_nothing_to_draw(draw: object) -> None:
    with pytest.raises(NothingToScore, match="No position has a degree"):
        draw(profile("m", [None], share_biased=[None]), theme=LIGHT)  # type: ignore[operator]


def test_sixty_one_positions_are_named_by_their_layers() -> None:
    figure = degree_curve(profile("m", [0.1] * 61), theme=LIGHT)
    assert sum(bool(text) for text in figure.layout.xaxis.ticktext) == 1
    assert [one.text for one in figure.layout.annotations if one.text.startswith("L")][-1] == "L11"
