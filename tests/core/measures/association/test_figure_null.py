from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore
from core.measures.association.figures import null_distribution
from core.measures.association.result import AssociationCell
from tests.support.association_results import association_cell

OCHRE, TEAL = LIGHT.groups[:2]


def _worked() -> tuple[AssociationCell, float]:
    """The worked case of five members: X 1, .2, .68 and Y −.2, −1, whose S is the highest of its 10 partitions."""
    s = [1.0, 0.2, 0.68, -0.2, -1.0]
    parts = [(c, [i for i in range(5) if i not in c]) for c in itertools.combinations(range(5), 3)]
    null = [sum(s[i] for i in x) / 3 - sum(s[i] for i in y) / 2 for x, y in parts]
    return association_cell(s[:3], s[3:], null=null), 1.88 / 3 + 0.6


def _bars(figure: go.Figure) -> Any:
    return figure.data[0]


def _words(figure: go.Figure) -> str:
    return next(str(one.text) for one in figure.layout.annotations if ";" in one.text)


def _in_tail(figure: go.Figure) -> int:
    bars = _bars(figure)
    return sum(n for n, colour in zip(bars.y, bars.marker.color, strict=True) if colour != LIGHT.neutral)


def test_every_partition_is_in_a_bar_and_the_tail_is_those_at_or_beyond() -> None:
    cell, observed = _worked()
    figure = null_distribution(cell, theme=LIGHT, test_statistic=observed, title="t")
    assert sum(_bars(figure).y) == 10
    assert _words(figure) == "<b>observed +1.227; 1 of 10 at or beyond</b>"
    assert _in_tail(figure) == 1
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == observed
    assert set(_bars(figure).marker.color) == {OCHRE, LIGHT.neutral}


def test_the_mirrored_test_is_the_mirrored_picture() -> None:
    cell, observed = _worked()
    there = null_distribution(cell, theme=LIGHT, test_statistic=observed, title="t")
    mirrored = association_cell((-cell.s_x).tolist(), (-cell.s_y).tolist(), null=(-cell.null).tolist())
    back = null_distribution(mirrored, theme=LIGHT, test_statistic=-observed, title="t")
    assert list(_bars(back).x) == pytest.approx([-x for x in _bars(there).x])
    assert list(_bars(back).y) == list(_bars(there).y)
    assert set(_bars(back).marker.color) == {TEAL, LIGHT.neutral}
    assert _words(back) == "<b>observed −1.227; 1 of 10 at or beyond</b>"


def test_a_tie_up_to_rounding_is_in_the_tail() -> None:
    s = [0.1] * 8
    cell = association_cell(s, s, null=[-0.3, -0.1, 0.3 - 1e-16, 0.3])
    figure = null_distribution(cell, theme=LIGHT, test_statistic=0.3, title="t")
    assert _in_tail(figure) == 2


def test_the_words_count_in_all_partitions_where_the_cell_holds_a_share() -> None:
    # 8 + 8 members have C(16, 8) = 12,870 partitions, of which the cell keeps a few.
    cell = association_cell([0.1] * 8, [0.0] * 8, null=np.linspace(-1, 0.9, 100).tolist())
    figure = null_distribution(
        cell, theme=LIGHT, test_statistic=1.0, title="t", p_observed_direction=12 / 12870, n_permutations=12870
    )
    assert _words(figure) == "<b>observed +1.000; 12 of 12,870 at or beyond</b>"
    assert figure.layout.yaxis.title.text == "partitions, 100 shown"
    # 100,000 drawn partitions and the observed one: p = (11 + 1) / 100,001.
    drawn = association_cell([0.1] * 25, [0.0] * 25, null=cell.null.tolist())
    figure = null_distribution(
        drawn, theme=LIGHT, test_statistic=1.0, title="t", p_observed_direction=12 / 100001, n_permutations=100000
    )
    assert _words(figure) == "<b>observed +1.000; 12 of 100,001 at or beyond</b>"
    figure = null_distribution(drawn, theme=LIGHT, test_statistic=0.85, title="t")
    assert "of 100 drawn for this picture at or beyond" in _words(figure)


def test_ten_thousand_values_make_few_bars() -> None:
    null = np.random.default_rng(0).normal(size=10_000)
    cell = association_cell([0.1] * 25, [0.0] * 25, null=null.tolist())
    figure = null_distribution(cell, theme=LIGHT, test_statistic=1.5, title="t")
    assert sum(_bars(figure).y) == 10_000
    assert len(_bars(figure).y) <= 52
    assert _in_tail(figure) == int((null >= 1.5).sum())
    assert len(figure.to_json()) < 20_000


def test_ceat_shows_its_samples_and_the_side_of_the_combined_value() -> None:
    cell = association_cell([0.1] * 3, [0.0] * 3, null=[-0.5, -0.4, -0.3, 0.1], representation="ceat")
    figure = null_distribution(cell, theme=LIGHT, test_statistic=-0.3, title="t")
    assert _words(figure) == "<b>combined −0.300; 3 of 4 samples below 0</b>"
    assert _in_tail(figure) == 3
    assert figure.layout.xaxis.title.text == "effect size d of a sample"
    same = association_cell([0.1] * 3, [0.0] * 3, null=[0.5, 0.5], representation="ceat")
    assert sum(_bars(null_distribution(same, theme=LIGHT, test_statistic=0.5, title="t")).y) == 2


def test_missing_values_and_titles() -> None:
    cell = association_cell([0.1] * 3, [0.0] * 3, null=[0.1, math.nan, 0.2])
    figure = null_distribution(cell, theme=LIGHT, test_statistic=0.1, title="<b>x</b> & $y$")
    assert sum(_bars(figure).y) == 2
    assert "NaN" not in figure.to_json()
    assert any(one.text == "<b>&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;</b>" for one in figure.layout.annotations)
    again = null_distribution(cell, theme=LIGHT, test_statistic=0.1, title="<b>x</b> & $y$")
    assert again.to_json() == figure.to_json()
    for null, statistic in (([], 0.1), ([math.nan], 0.1), ([0.1], math.nan)):
        with pytest.raises(NothingToScore, match="WEAT 1: no distribution to draw"):
            null_distribution(
                association_cell([0.1], [0.0], null=null), theme=LIGHT, test_statistic=statistic, title="WEAT 1"
            )
