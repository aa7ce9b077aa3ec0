"""The points behind one cell of the matrix."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.agreement.choices import Compared
from core.measures.agreement.figures import agreement_scatter
from tests.support.agreement_results import agreement_result, pairs, points

VALUES: dict[str, list[float | None]] = {
    "T1": [0.5, 1.0, -0.5, 0.25, 0.0],
    "T2": [0.6, 0.9, -0.25, None, 0.1],
    "T10": [1.0, 1.0, 1.0, 1.0, 1.0],
}


def _result() -> Any:
    found: Any = {("T1", "T2"): (0.91, 0.031, 4), ("T1", "T10"): (None, None, 5), ("T2", "T10"): (0.2, 0.8, 4)}
    detail = pd.concat([points(VALUES), points({"T1": [9.0], "T2": [9.0]}, representation="cls-in-templates")])
    return agreement_result(pairs(found), detail)


def _chart(a: str = "T1", b: str = "T2", **changes: Any) -> go.Figure:
    named: dict[str, Any] = {"model": "m", "representation": "pooled-in-templates"}
    return agreement_scatter(_result(), theme=LIGHT, a=a, b=b, **{**named, **changes})


def _points(figure: go.Figure) -> Any:
    (found,) = (trace for trace in figure.data if trace.customdata)
    return found


def _caption(figure: go.Figure) -> list[str]:
    return str(figure.layout.annotations[0].text).split("<br>")


def test_a_point_for_each_subset_that_has_both_values() -> None:
    found = _points(_chart())
    assert list(found.x) == [0.5, 1.0, -0.5, 0.0]
    assert list(found.y) == [0.6, 0.9, -0.25, 0.1]
    assert [list(data) for data in found.customdata] == [["1"], ["2"], ["3"], ["5"]]
    assert found.hovertext[2] == ("<b>subset 3</b><br>T1 “This is the _.”: −0.50<br>T2 “The _ is here.”: −0.25")


def test_the_other_way_round_the_axes_are_swapped() -> None:
    there, back = _points(_chart()), _points(_chart("T2", "T1"))
    assert (list(there.x), list(there.y)) == (list(back.y), list(back.x))
    assert _caption(_chart()) == _caption(_chart("T2", "T1"))


def test_effect_sizes_have_one_scale_and_a_line_of_agreement() -> None:
    figure = _chart()
    # −.5 to 1, and 8 % of it on either side.
    assert list(figure.layout.xaxis.range) == pytest.approx([-0.62, 1.12])
    assert figure.layout.xaxis.range == figure.layout.yaxis.range
    assert (figure.layout.yaxis.scaleanchor, figure.layout.yaxis.scaleratio) == ("x", pytest.approx(1))
    (line,) = (trace for trace in figure.data if trace.mode == "lines")
    assert list(line.x) == list(line.y)


def test_the_caption_holds_r_p_n_and_where() -> None:
    assert _caption(_chart()) == ["Pearson r = +0.91, p = 0.031, n = 4", "m, pooled in templates"]


def test_without_r_the_caption_says_why() -> None:
    assert _caption(_chart("T1", "T10"))[0] == "r undefined: no variation, n = 5"
    few = agreement_result(pairs(), points({"T1": [0.5, 1.0], "T2": [0.6, 0.9]}))
    figure = agreement_scatter(few, theme=LIGHT, model="m", representation="pooled-in-templates", a="T1", b="T2")
    assert _caption(figure)[0] == "n = 2: too few for a correlation (at least 4 are required)"


def test_metrics_have_a_scale_each_and_named_models() -> None:
    models = ["bert", "<gpt>", "minilm", "roberta", "albert"]
    detail = points(
        {"weat": [0.1, 0.9, 0.5, 0.3, 1.1], "crows": [50.0, 60.0, 55.0, 52.0, 70.0]},
        models=models,
    )
    rows = pairs({("weat", "crows"): (0.93, 0.02, 5)}, model=None, representation=None)
    names = [("weat", "WEAT"), ("crows", "CrowS-Pairs")]
    result = agreement_result(rows, detail, compare=Compared.METRICS, names=names)
    figure = agreement_scatter(result, theme=LIGHT, model=None, representation=None, a="weat", b="crows")
    found = _points(figure)
    assert list(found.y) == [50, 60, 55, 52, 70]
    assert [text.strip() for text in found.text] == ["bert", "&lt;gpt&gt;", "minilm", "roberta", "albert"]
    assert list(figure.layout.xaxis.range) == pytest.approx([0.02, 1.18])
    assert list(figure.layout.yaxis.range) == pytest.approx([48.4, 71.6])
    assert figure.layout.yaxis.scaleanchor is None
    assert not [trace for trace in figure.data if trace.mode == "lines"]
    assert _caption(figure) == ["Pearson r = +0.93, p = 0.020, n = 5"]


def test_refusals() -> None:
    with pytest.raises(OptionError, match="no T9; it holds T1, T2, T10"):
        _chart("T9")
    with pytest.raises(OptionError, match="not compared with itself"):
        _chart("T1", "T1")
    with pytest.raises(OptionError, match="no representation cls-in-templates"):
        _chart(representation="cls-in-templates")
    lone = agreement_result(pairs(), points({"T1": [0.5]}))
    with pytest.raises(NothingToScore, match="both T1 and T2"):
        agreement_scatter(lone, theme=LIGHT, model="m", representation="pooled-in-templates", a="T1", b="T2")
