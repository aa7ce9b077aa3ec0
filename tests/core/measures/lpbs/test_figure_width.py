"""Charts of scores on a narrow page: labels above their rows, and panels below each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from core.charts import LIGHT
from core.measures.lpbs.figures import small_multiples, tilt
from core.result import Contrast

HE_SHE = Contrast("he", "she")
PHONE = replace(LIGHT, width=350)
LONG = "director of religious activities"
SCORES = {LONG: 0.4, "nurse": -1.2, "engineer": 0.9}


def test_a_narrow_page_has_the_labels_above_the_bars_and_whole(make_result: Any) -> None:
    result = make_result({"m": SCORES})
    wide = tilt(result, contrast=HE_SHE, model="m", theme=LIGHT)
    narrow = tilt(result, contrast=HE_SHE, model="m", theme=PHONE)
    assert wide.layout.yaxis.ticktext == ("nurse", LONG, "engineer")
    assert narrow.layout.yaxis.ticktext == ("", "", "")
    above = {annotation.text: annotation for annotation in narrow.layout.annotations if annotation.text in SCORES}
    assert {text: item.y for text, item in above.items()} == {"nurse": 0, LONG: 1, "engineer": 2}
    (bars,) = (trace for trace in narrow.data if trace.type == "bar")
    # Plotly counts pixels upwards and these rows downwards: the label is lifted, its bar lowered, within the row.
    assert all(entry.yshift > 0 for entry in above.values())
    assert all(row < y and y + bars.width / 2 <= row + 0.5 for row, y in enumerate(bars.y))
    plot = PHONE.width - narrow.layout.margin.l - narrow.layout.margin.r
    assert plot >= 0.9 * PHONE.width


@pytest.mark.parametrize("count", [2, 3, 4])
def test_panels_stand_below_each_other_where_the_page_has_no_room(make_result: Any, count: int) -> None:
    result = make_result({f"model-{at}": SCORES for at in range(count)})
    figure = small_multiples(result, contrast=HE_SHE, theme=PHONE)
    domains = [figure.layout[f"xaxis{axis}"].domain for axis in ("", "2", "3", "4")[:count]]
    plot = PHONE.width - figure.layout.margin.l - figure.layout.margin.r
    assert min(high - low for low, high in domains) * plot >= 121 - 1e-9
    bars = [trace for trace in figure.data if trace.type == "bar"]
    places = [(trace.xaxis, trace.yaxis) for trace in bars]
    assert len(set(places)) == count
    lines = {trace.yaxis for trace in bars}
    assert len(lines) == (1 if count == 2 else 2)
    for axis in lines:
        labels = [
            annotation.text
            for annotation in figure.layout.annotations
            if annotation.yref == axis and annotation.text in SCORES
        ]
        assert labels == ["nurse", LONG, "engineer"]
    tops = sorted(figure.layout[axis.replace("y", "yaxis")].domain for axis in lines)
    assert all(below[1] < above[0] for below, above in pairwise(tops))
