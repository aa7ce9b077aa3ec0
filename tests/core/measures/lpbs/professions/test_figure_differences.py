from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import pytest

from core.charts import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.figures import profession_differences
from core.result import Contrast
from tests.support.profession_results import profession_result, sentence, sentences

M, N = ("m", "en"), ("n", "en")
FIRST = {"nurse": 1.0, "judge": 0.2, "mason": -0.5, "only m": 0.3}
SECOND = {"nurse": 0.25, "judge": 0.5, "mason": -0.6, "only n": 2.0}  # differences +.75, −.3, +.1: mean +.1833


def _result(first: Any = FIRST, second: Any = SECOND) -> Any:
    return profession_result(sentences(first) + sentences(second, model="n"))


def _chart(result: Any = None, *, first: Any = M, second: Any = N, theme: Any = LIGHT, limit: Any = None) -> go.Figure:
    return profession_differences(result or _result(), first=first, second=second, theme=theme, limit=limit)


def _bars(figure: go.Figure) -> Any:
    (bars,) = (trace for trace in figure.data if trace.type == "bar")
    return bars


def _title(figure: go.Figure) -> str:
    (title,) = (annotation.text for annotation in figure.layout.annotations if annotation.text.endswith(".</b>"))
    return str(title).replace("</b><br><b>", " ")


def test_bars_are_first_minus_second_from_side_to_side() -> None:
    figure = _chart()
    bars = _bars(figure)
    assert [data[0] for data in bars.customdata] == ["judge", "mason", "nurse"]
    assert list(bars.x) == pytest.approx([-0.3, 0.1, 0.75])
    assert list(figure.layout.yaxis.ticktext) == ["judge", "mason", "nurse"]
    assert list(bars.marker.color) == [LIGHT.groups[0], LIGHT.groups[1], LIGHT.groups[1]]
    low, high = figure.layout.xaxis.range
    assert low == -high < -0.75


def test_swapping_the_two_mirrors_the_chart() -> None:
    there, back = _bars(_chart()), _bars(_chart(first=N, second=M))
    assert list(back.x) == pytest.approx([-x for x in reversed(there.x)])
    assert [data[0] for data in back.customdata] == [data[0] for data in reversed(there.customdata)]


def test_the_title_says_which_leans_more_to_which() -> None:
    assert (
        _title(_chart())
        == "<b>m leans more towards women than n: by 0.18 nats on average, and for 2 of 3 professions.</b>"
    )
    assert _title(_chart(first=N, second=M)) == (
        "<b>n leans more towards men than m: by 0.18 nats on average, and for 2 of 3 professions.</b>"
    )
    even = _result({"nurse": 0.5, "judge": 0.5, "mason": 0.5}, {"nurse": 0.25, "judge": 0.625, "mason": 0.625})
    assert _title(_chart(even)) == "<b>m and n lean alike on average; m more towards men for 2 of 3 professions.</b>"


def test_directions_are_said_in_words_and_hue() -> None:
    found = {annotation.text: annotation for annotation in _chart().layout.annotations}
    left, right = found["<b>◀ m leans more towards men</b>"], found["<b>m leans more towards women ▶</b>"]
    assert (left.xanchor, left.font.color) == ("right", LIGHT.words[0])
    assert (right.xanchor, right.font.color) == ("left", LIGHT.words[1])
    assert "female − male of m minus n, nats" in found


def test_long_names_of_sides_stay_whole() -> None:
    contrast = Contrast("African American names", "European American names")
    rows = [row for model in ("m" * 20, "n" * 20) for row in sentences(FIRST, contrast=contrast, model=model)]
    result = profession_result(rows, contrast=contrast)
    texts = [
        annotation.text
        for annotation in _chart(result, first=("m" * 20, "en"), second=("n" * 20, "en")).layout.annotations
    ]
    (left,), (right,) = ([text for text in texts if arrow in text] for arrow in "◀▶")
    assert left == "<b>◀ more to European American names</b>"
    assert right.endswith("more to African American names ▶</b>")
    assert not any("…" in text for text in texts)


def test_languages_of_one_model_can_be_compared() -> None:
    result = profession_result(sentences(FIRST) + sentences(SECOND, language="de"))
    assert _title(_chart(result, first=("m", "de"), second=M)).startswith("<b>m (German) leans more towards men than")


def test_hover_holds_the_whole_numbers() -> None:
    assert _bars(_chart()).hovertext[0] == ("<b>judge</b><br>m: +0.2000<br>n: +0.5000<br>difference: −0.3000 nats")


def test_a_limit_keeps_the_outermost_and_counts_the_rest() -> None:
    many = {f"job {at}": at / 10 for at in range(10)}
    figure = _chart(_result(many, dict.fromkeys(many, 0.45)), limit=4)
    muted = f'<span style="color:{LIGHT.muted}">· · · 6 more between</span>'
    assert list(figure.layout.yaxis.ticktext) == ["job 0", "job 1", muted, "job 8", "job 9"]
    # The title is about all of them, not about those shown.
    assert "for 5 of 10 professions" in _title(figure)


def test_words_are_shown_as_they_stand() -> None:
    result = profession_result(sentences({"<b>x</b>": 1.0}, model="<i>m</i>") + sentences({"<b>x</b>": 0.5}, model="n"))
    figure = _chart(result, first=("<i>m</i>", "en"))
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;"]
    assert _title(figure).startswith("<b>&lt;i&gt;m&lt;/i&gt; leans more")
    assert "&lt;i&gt;m&lt;/i&gt;: +1.0000" in _bars(figure).hovertext[0]


def test_refusals() -> None:
    with pytest.raises(OptionError, match="cannot be compared with itself"):
        _chart(second=M)
    with pytest.raises(OptionError, match=r"no o \(en\)"):
        _chart(second=("o", "en"))
    with pytest.raises(OptionError, match="at least 2"):
        _chart(limit=1)
    with pytest.raises(NothingToScore, match="difference in both"):
        _chart(_result({"nurse": 1.0}, {"judge": 1.0}))
    one_sided = profession_result([sentence("nurse", "female", 0.5), *sentences({"nurse": 1.0}, model="n")])
    with pytest.raises(NothingToScore, match="difference in both"):
        _chart(one_sided)
