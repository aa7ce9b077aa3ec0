from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import DARK, LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.figures import profession_heat
from tests.support.profession_results import profession_result, sentence, sentences

SERIES = ("m", "en")
T1, T2 = "[TARGET] is a [ATTRIBUTE].", "[TARGET] wants to become a [ATTRIBUTE]."
ROWS = [
    # nurse, T1: she − he = 1 − .5 = .5, aunt − uncle = 2 − −1 = 3, together (1 + 2) / 2 − (.5 − 1) / 2 = 1.75.
    sentence("nurse", "female", 1.0, template=T1),
    sentence("nurse", "male", 0.5, template=T1),
    sentence("nurse", "female", 2.0, template=T1, pair="my aunt / my uncle"),
    sentence("nurse", "male", -1.0, template=T1, pair="my aunt / my uncle"),
    sentence("nurse", "female", -0.25, template=T2),
    sentence("nurse", "male", 0.0, template=T2),
    # mason: no template has both sides but the second.
    sentence("mason", "female", -0.5, group="male", template=T2),
    sentence("mason", "male", 0.25, group="male", template=T2),
    sentence("mason", "male", 0.25, group="male", template=T1),
]


def _chart(rows: Any = ROWS, by: str = "template", theme: Any = LIGHT, **more: Any) -> go.Figure:
    return profession_heat(profession_result(rows, **more), series=SERIES, by=by, theme=theme)


def _cells(figure: go.Figure) -> list[list[float | None]]:
    return [list(row) for row in figure.data[0].z]


def _columns(figure: go.Figure) -> list[str]:
    return [text.replace("<br>", " ") for text in figure.layout.xaxis.ticktext]


def test_cells_are_mean_differences_with_holes_where_a_side_is_missing() -> None:
    figure = _chart()
    # Row 0 and row 2 are the headings.
    assert _cells(figure) == [[None, None], [1.75, -0.25], [None, None], [None, -0.75]]
    assert _columns(figure) == [T1, T2]
    assert list(figure.layout.yaxis.ticktext) == ["nurse", "mason"]
    assert list(figure.layout.yaxis.tickvals) == [1, 3]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.data[0].hoverongaps is False
    assert "NaN" not in figure.to_json()


def test_by_pair_a_column_is_a_pair_of_persons() -> None:
    figure = _chart(by="pair")
    assert _columns(figure) == ["she / he", "my aunt / my uncle"]
    # she − he of the nurse: (1 − .25) / 2 − .5 / 2 = .125; of the mason −.5 − .25.
    assert _cells(figure) == [[None, None], [0.125, 3.0], [None, None], [-0.75, None]]


def test_headings_stand_in_rows_of_their_own() -> None:
    headings = {
        annotation.y: annotation.text for annotation in _chart().layout.annotations if "profession" in annotation.text
    }
    assert headings == {0: "<b>female · 1 profession</b>", 2: "<b>male · 1 profession</b>"}


def test_rows_are_those_of_the_bars_the_largest_difference_first() -> None:
    groups = {"roofer": "male", "mason": "male"}
    rows = sentences({"roofer": 0.1, "nurse": 0.2, "aide": -0.9, "mason": -0.3}, groups=groups)
    assert list(_chart(rows).layout.yaxis.ticktext) == ["aide", "nurse", "mason", "roofer"]


def test_the_scale_is_centred_on_zero_with_the_first_sides_hue_on_top() -> None:
    for theme in (LIGHT, DARK):
        figure = _chart(theme=theme)
        heat = figure.data[0]
        assert (heat.zmin, heat.zmax) == (-1.75, 1.75)
        assert heat.colorscale == ((0, theme.groups[0]), (0.5, theme.paper), (1, theme.groups[1]))
        assert list(heat.colorbar.ticktext) == ["−1.75", "0", "+1.75"]
        words = next(annotation.text for annotation in figure.layout.annotations if "leans towards" in annotation.text)
        assert f'<span style="color:{theme.words[1]}"><b>+ leans towards women</b></span>' in words
        assert f'<span style="color:{theme.words[0]}"><b>− leans towards men</b></span>' in words


def test_values_are_printed_where_they_fit_and_whole_on_hover() -> None:
    heat, *texts = _chart().data
    written = {place for trace in texts for place in zip(trace.y, trace.x, trace.text, strict=True)}
    assert written == {(1, 0, "+1.75"), (1, 1, "−0.25"), (3, 1, "−0.75")}
    assert heat.hovertext[1][0] == f"<b>nurse</b><br>{T1}<br>female − male: <b>+1.7500</b> nats"
    assert heat.hovertext[3][0] == ""
    rows = [sentence("nurse", side, 0.1, template=f"T{at}") for at in range(40) for side in ("female", "male")]
    figure = _chart(rows)
    assert len(figure.data) == 1
    assert len(_columns(figure)) < 40  # thinned, so that they do not touch
    assert figure.data[0].hovertext[1][39] == "<b>nurse</b><br>T39<br>female − male: <b>0.0000</b> nats"


def test_words_are_shown_as_they_stand() -> None:
    rows = [sentence("<b>x</b>", side, 0.5, template="<i>t</i> $x$") for side in ("female", "male")]
    figure = _chart(rows)
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;x&lt;/b&gt;"
    assert "<i>" not in figure.to_json().replace("\\u003c", "<")
    assert _columns(figure) == ["&lt;i&gt;t&lt;/i&gt; &#36;x&#36;"]


def test_refusals() -> None:
    with pytest.raises(OptionError, match="choose one of template, pair"):
        _chart(by="person")
    unpaired = [sentence("nurse", side, 0.5, pair=None) for side in ("female", "male")]
    with pytest.raises(OptionError, match="not pairs; show it by template"):
        _chart(unpaired, by="pair")
    assert _cells(_chart(unpaired)) == [[None], [0.0]]
    with pytest.raises(OptionError, match=r"no n \(en\)"):
        profession_heat(profession_result(ROWS), series=("n", "en"), by="pair", theme=LIGHT)
    with pytest.raises(NothingToScore, match="with both sides"):
        _chart([sentence("nurse", "female", 0.5)])
