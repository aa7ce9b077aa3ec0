"""The matrix of correlations: cells, colours, what is bold, what a click gives, sizes, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.charts import DARK, LIGHT, Theme
from core.charts.heat import blend, contrast
from core.charts.text import text_width
from core.errors import NothingToScore, OptionError
from core.measures.agreement.choices import Compared
from core.measures.agreement.figures import correlation_matrix
from core.measures.shared.representations import OF_WORDS, TITLES
from tests.support.agreement_results import CLS, PAIRS, POOLED, agreement_result, pairs

SHOWN = {"model": "m", "representations": (POOLED,)}


def _maps(figure: go.Figure) -> list[list[list[float | None]]]:
    return [[list(row) for row in trace.z] for trace in figure.data if trace.type == "heatmap"]


def _cells(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers"]


def _lines(figure: go.Figure) -> list[Any]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"]


def _texts(figure: go.Figure) -> dict[tuple[int, int], str]:
    """By (row, column)."""
    return {
        (y, x): text
        for trace in figure.data
        if trace.type == "scatter" and trace.mode == "text"
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    }


def _many(count: int, **changes: Any) -> Any:
    names = [(f"T{at}", f"sentence {at}") for at in range(1, count + 1)]
    found = {(a, b): (-0.55, 0.01, 20) for at, (a, _) in enumerate(names) for b, _ in names[at + 1 :]}
    rows = pd.concat([pairs(found), pairs(found, representation=CLS)])
    return agreement_result(rows, names=names, **changes)


def test_the_matrix_is_symmetric_with_an_empty_diagonal() -> None:
    (z,) = _maps(correlation_matrix(agreement_result(), theme=LIGHT, **SHOWN))
    assert z == [[None, 0.91, -0.12], [0.91, None, None], [-0.12, None, None]]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_scale_runs_from_minus_one_to_one_in_hues_of_no_gender(theme: Theme) -> None:
    figure = correlation_matrix(agreement_result(), theme=theme, **SHOWN)
    heat = figure.data[0]
    assert (heat.zmin, heat.zmax) == (-1, 1)
    assert [colour for _, colour in heat.colorscale] == [theme.groups[3], theme.paper, theme.groups[2]]
    assert not {theme.groups[0], theme.groups[1]} & {colour for _, colour in heat.colorscale}


def test_every_cell_has_its_number_bold_where_significant_and_a_dash_where_undefined() -> None:
    texts = _texts(correlation_matrix(agreement_result(), theme=LIGHT, **SHOWN))
    assert texts == {
        **dict.fromkeys([(0, 1), (1, 0)], "<b>.91</b>"),
        **dict.fromkeys([(0, 2), (2, 0)], "−.12"),
        **dict.fromkeys([(1, 2), (2, 1)], "–"),
    }


def test_significance_is_p_below_five_percent() -> None:
    found = {("T1", "T2"): (0.44, 0.0499, 20), ("T1", "T10"): (0.44, 0.05, 20), ("T2", "T10"): (1.0, 0.0, 20)}
    texts = _texts(correlation_matrix(agreement_result(pairs(found)), theme=LIGHT, **SHOWN))
    assert (texts[0, 1], texts[0, 2], texts[1, 2]) == ("<b>.44</b>", ".44", "<b>1.00</b>")


def test_a_click_names_the_pair_and_hover_tells_all() -> None:
    (cells,) = _cells(correlation_matrix(agreement_result(), theme=LIGHT, **SHOWN))
    found = dict(zip(map(tuple, cells.customdata), cells.hovertext, strict=True))
    assert len(found) == 6  # no cell of the diagonal
    assert found[POOLED, "T10", "T1"] == (
        "<b>T10: The _ of the &lt;b&gt;.</b><br><b>T1: This is the _.</b><br>Pearson r = −0.12, p = 0.610, n = 20"
    )
    assert found[POOLED, "T2", "T10"].endswith("<br>undefined: no variation")
    assert (cells.marker.opacity, cells.unselected.marker.opacity) == (0, 0)


def test_too_few_points_are_not_called_constant() -> None:
    found = {**PAIRS, ("T2", "T10"): (None, None, 3)}
    (cells,) = _cells(correlation_matrix(agreement_result(pairs(found)), theme=LIGHT, **SHOWN))
    assert cells.hovertext[-1].endswith("<br>3 points; 4 are needed")


def test_the_caption_holds_n_and_the_bound() -> None:
    figure = correlation_matrix(agreement_result(), theme=LIGHT, **SHOWN)
    (head,) = (annotation.text for annotation in figure.layout.annotations if "pooled" in annotation.text)
    assert head.startswith("<b>pooled in templates</b><br>")
    assert "n = 20, |r| &gt; .44 is significant" in head


def test_another_order_moves_rows_and_columns_alike() -> None:
    figure = correlation_matrix(agreement_result(), theme=LIGHT, **SHOWN, order=("T10", "T1", "T2"))
    assert list(figure.layout.yaxis.ticktext) == list(figure.layout.xaxis.ticktext) == ["T10", "T1", "T2"]
    assert _maps(figure) == [[[None, -0.12, None], [-0.12, None, 0.91], [None, 0.91, None]]]
    (cells,) = _cells(figure)
    where = {(row, column): tuple(data) for row, column, data in zip(cells.y, cells.x, cells.customdata, strict=True)}
    assert where[0, 1] == (POOLED, "T10", "T1")


def test_two_representations_are_two_matrices_on_one_scale() -> None:
    other = {("T1", "T2"): (-0.3, 0.2, 20), ("T1", "T10"): (0.2, 0.4, 20), ("T2", "T10"): (0.1, 0.7, 20)}
    result = agreement_result(pd.concat([pairs(), pairs(other, representation=CLS)]))
    figure = correlation_matrix(result, theme=LIGHT, model="m", representations=(CLS, POOLED))
    assert [z[0][1] for z in _maps(figure)] == [-0.3, 0.91]
    assert [cells.customdata[0][0] for cells in _cells(figure)] == [CLS, POOLED]
    assert any("[CLS] in templates" in annotation.text for annotation in figure.layout.annotations)
    # Beside each other: the same height, the second further right.
    first, second = figure.layout.xaxis.domain, figure.layout.xaxis2.domain
    assert first[1] < second[0]
    assert figure.layout.yaxis.domain == figure.layout.yaxis2.domain == (0, 1)


def test_three_matrices_beside_each_other_end_where_the_page_ends() -> None:
    names = (POOLED, CLS, "cls-no-context")
    result = agreement_result(pd.concat([pairs(representation=name) for name in names]))
    layout = correlation_matrix(result, theme=LIGHT, model="m", representations=names).layout
    (first, second, third) = (axis.domain for axis in (layout.xaxis, layout.xaxis2, layout.xaxis3))
    assert first[0] == 0
    assert third[1] == pytest.approx(1)
    assert second[0] - first[1] == pytest.approx(third[0] - second[1])
    assert first[1] < second[0]


@pytest.mark.parametrize(("count", "beside"), [(11, True), (17, False)])
def test_two_large_matrices_stand_below_each_other(count: int, beside: bool) -> None:
    figure = correlation_matrix(_many(count), theme=LIGHT, model="m", representations=(POOLED, CLS))
    assert (figure.layout.yaxis.domain == figure.layout.yaxis2.domain) == beside
    if not beside:
        assert figure.layout.yaxis2.domain[1] < figure.layout.yaxis.domain[0]
        assert figure.layout.yaxis2.domain[0] == pytest.approx(0)


@pytest.mark.parametrize("width", [350, 500, 640])
@pytest.mark.parametrize("count", [5, 11])
def test_numbers_fit_their_cells_on_a_page_of_any_width(count: int, width: int) -> None:
    figure = correlation_matrix(_many(count), theme=replace(LIGHT, width=width), **SHOWN)
    cell = (width - figure.layout.margin.l - figure.layout.margin.r) / count
    (size,) = {trace.textfont.size for trace in figure.data if trace.type == "scatter" and trace.mode == "text"}
    assert size >= 8
    assert text_width("−.55", size) <= cell + 0.6  # of a font wider than the one shown
    rows = (figure.layout.height - figure.layout.margin.t - figure.layout.margin.b) / count
    assert rows > size + 4


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("r", [-1.0, -0.6, -0.3, 0.3, 0.6, 1.0])
def test_numbers_can_be_read_on_their_cells(theme: Theme, r: float) -> None:
    result = agreement_result(pairs(dict.fromkeys(PAIRS, (r, 0.001, 20))))
    figure = correlation_matrix(result, theme=theme, **SHOWN)
    (colour,) = {
        trace.textfont.color
        for trace in figure.data
        if trace.type == "scatter" and trace.mode == "text" and len(trace.x)
    }
    ground = blend(theme.paper, theme.groups[2 if r > 0 else 3], abs(r))
    assert contrast(colour, ground) >= 4.5


def test_metrics_have_numbered_columns_and_need_no_model() -> None:
    names = [("weat", "WEAT, input embedding"), ("lpbs", "LPBS")]
    rows = pairs({("weat", "lpbs"): (0.5, 0.3, 6)}, model=None, representation=None)
    result = agreement_result(rows, compare=Compared.METRICS, names=names)
    figure = correlation_matrix(result, theme=LIGHT, model="ignored")
    assert list(figure.layout.xaxis.ticktext) == ["1", "2"]
    first, second = figure.layout.yaxis.ticktext
    assert (first[:6], first[-3:], second) == ("WEAT, ", "  1", "LPBS  2")
    assert [list(data) for data in _cells(figure)[0].customdata] == [["", "weat", "lpbs"], ["", "lpbs", "weat"]]
    assert any(
        "metrics over models" in annotation.text and ".81" in annotation.text
        for annotation in figure.layout.annotations
    )


def test_long_names_are_whole_where_the_numbers_leave_them_room() -> None:
    names = [(name, TITLES[name]) for name in OF_WORDS]  # nine, up to "next to last layer, all tokens"
    found: Any = {(a, b): (0.5, 0.03, 20) for at, (a, _) in enumerate(names) for b, _ in names[at + 1 :]}
    result = agreement_result(pairs(found, representation=None), compare=Compared.REPRESENTATIONS, names=names)
    wide = correlation_matrix(result, theme=LIGHT, model="m")
    assert list(wide.layout.yaxis.ticktext) == [f"{name}  {at + 1}" for at, (_, name) in enumerate(names)]


def test_few_models_have_no_bound_to_be_significant_by() -> None:
    names = [("weat", "WEAT"), ("lpbs", "LPBS")]
    rows = pairs({("weat", "lpbs"): (0.97, None, 5)}, model=None, representation=None)
    result = agreement_result(rows, compare=Compared.METRICS, names=names)
    captions = [
        annotation.text for annotation in correlation_matrix(result, theme=LIGHT, model="ignored").layout.annotations
    ]
    assert any("n = 5: too few to say" in text for text in captions)
    assert not any("significant" in text for text in captions)


def test_representations_are_of_a_model() -> None:
    names = [("a", "title a"), ("b", "title b")]
    rows = pd.concat(
        pairs({("a", "b"): (r, 0.3, 20)}, model=model, representation=None) for model, r in (("m", 0.5), ("n", -0.5))
    )
    result = agreement_result(rows, compare=Compared.REPRESENTATIONS, names=names)
    assert _maps(correlation_matrix(result, theme=LIGHT, model="n"))[0][0][1] == -0.5
    with pytest.raises(OptionError, match="no model o; it holds m, n"):
        correlation_matrix(result, theme=LIGHT, model="o")


def test_spearman_is_named() -> None:
    result = agreement_result(method="spearman")
    assert "Spearman r" in _cells(correlation_matrix(result, theme=LIGHT, **SHOWN))[0].hovertext[0]


def test_refusals() -> None:
    result = agreement_result()
    with pytest.raises(OptionError, match="no representation cls-in-templates; it holds pooled-in-templates"):
        correlation_matrix(result, theme=LIGHT, model="m", representations=(CLS,))
    with pytest.raises(OptionError, match=r"1 to \d representations; 0"):
        correlation_matrix(result, theme=LIGHT, model="m")
    with pytest.raises(OptionError, match="The order T1, T2 is not one of"):
        correlation_matrix(result, theme=LIGHT, **SHOWN, order=("T1", "T2"))
    nothing = agreement_result(pairs(dict.fromkeys(PAIRS, (None, None, 3))))
    with pytest.raises(NothingToScore, match="No correlation"):
        correlation_matrix(nothing, theme=LIGHT, **SHOWN)
    with pytest.raises(NothingToScore, match="no pair"):
        correlation_matrix(agreement_result(pairs({})), theme=LIGHT, **SHOWN)


def _over_models(*kinds: str) -> Any:
    names = [(name, f"<b>{name}</b>") for name in ("x", "y", "z")]
    found = {("x", "y"): (0.9, 0.01, 6), ("x", "z"): (-0.3, 0.5, 6), ("y", "z"): (0.1, 0.8, 6)}
    rows = pairs(found, model=None, representation=None)
    return agreement_result(rows, names=names, compare=Compared.METRICS, kinds=kinds)


def test_a_metric_with_a_downstream_result_is_outlined() -> None:
    figure = correlation_matrix(_over_models("metric", "metric", "downstream"), theme=LIGHT, model=None)
    (line,) = _lines(figure)
    steps = [*zip(line.x, line.y, strict=True)]
    sides = {frozenset((steps[at], steps[at + 1])) for at in range(0, len(steps), 3)}
    # Rows x and y of the last column, and their mirror: each a rectangle of six sides, none between its two cells.
    upright = {
        *(frozenset({(1.5, row - 0.5), (1.5, row + 0.5)}) for row in (0, 1)),
        *(frozenset({(2.5, row - 0.5), (2.5, row + 0.5)}) for row in (0, 1)),
        *(frozenset({(1.5, row), (2.5, row)}) for row in (-0.5, 1.5)),
    }
    assert sides == upright | {frozenset((y, x) for x, y in side) for side in upright}
    assert any("outlined: a metric with a downstream result" in note.text for note in figure.layout.annotations)
    (cells,) = _cells(figure)
    assert sum("What z is." in text for text in cells.hovertext) == 4
    plain = correlation_matrix(_over_models("metric", "metric", "own scores"), theme=LIGHT, model=None)
    assert not _lines(plain)
    assert not any("outlined" in note.text for note in plain.layout.annotations)
