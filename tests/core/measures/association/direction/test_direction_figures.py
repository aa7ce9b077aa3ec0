"""Figures and sentences of a gender direction, by the data they are given."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts import DARK, LIGHT
from core.charts.theme import Theme
from core.errors import NothingToScore
from core.measures.association.direction import figures, words
from core.report.methods import methods_paragraph
from core.sources.pairs import own_pairs
from tests.support.direction_results import KIND, direction_result

WHICH = ("m", KIND)
LISTED: dict[str, tuple[float, float | None]] = {
    "roofer": (-0.19, 0.0),
    "judge": (0.06, 40.0),
    "clerk": (0.05, 60.0),
    "nurse": (0.15, 90.0),
    "aide": (0.13, 80.0),
    "cook": (0.03, 55.0),
}
R = f"+{np.corrcoef([x for _, x in LISTED.values()], [y for y, _ in LISTED.values()])[0, 1]:.2f}"
RESULT = direction_result({**LISTED, "flower": (0.01, None)})


def marks(theme: Theme) -> dict[str, tuple[float, str]]:
    """Value and hue of each word of the figure of projections."""
    figure = figures.projections(RESULT, WHICH, theme=theme)
    return {
        data[0]: (x, colour)
        for trace in figure.data
        if trace.customdata is not None
        for data, x, colour in zip(trace.customdata, trace.x, trace.marker.color, strict=True)
    }


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_each_word_has_its_value_and_the_hue_of_its_side(theme: Theme) -> None:
    """Female words have the hue of group 2, as everywhere."""
    found = marks(theme)
    assert {word: value for word, (value, _) in found.items()} == {
        **{word: value for word, (value, _) in LISTED.items()},
        "flower": 0.01,
    }
    assert found["nurse"][1] == theme.groups[1]
    assert found["roofer"][1] == theme.groups[0]


def test_words_stand_from_the_second_side_to_the_first_with_their_intervals() -> None:
    figure = figures.projections(RESULT, WHICH, theme=LIGHT)
    assert figure.layout.yaxis.ticktext == ("roofer", "flower", "cook", "clerk", "judge", "aide", "nurse")
    spans = [x for trace in figure.data if trace.mode == "lines" for x in trace.x if x is not None]
    assert (min(spans), max(spans)) == (pytest.approx(-0.21), pytest.approx(0.17))
    texts = " ".join(note.text for note in figure.layout.annotations)
    assert "towards female words ▶" in texts
    assert "◀ towards male words" in texts
    assert "95 % interval over pairs" in texts
    few = direction_result(LISTED, half=None)
    caption = " ".join(note.text for note in figures.projections(few, WHICH, theme=LIGHT).layout.annotations)
    assert "fewer than 6 pairs" in caption


def test_many_words_are_counted_in_one_row() -> None:
    many = direction_result({f"word {at}": (0.001 * (at - 50), None) for at in range(100)})
    figure = figures.projections(many, WHICH, theme=LIGHT)
    assert len(figure.layout.yaxis.ticktext) == figures.MOST_ROWS + 1
    assert "· · · 40 more between" in figure.layout.yaxis.ticktext


def test_the_scatter_holds_the_words_with_a_share_and_their_line() -> None:
    figure = figures.against_share(RESULT, WHICH, theme=LIGHT)
    (points,) = [trace for trace in figure.data if trace.name == "words"]
    assert {data[0]: (x, y) for data, x, y in zip(points.customdata, points.x, points.y, strict=True)} == {
        word: (percent, projection) for word, (projection, percent) in LISTED.items()
    }
    (line,) = [trace for trace in figure.data if trace.name == "line"]
    x, y = (np.array([value[at] for value in LISTED.values()], dtype=float) for at in (1, 0))
    slope, intercept = np.polyfit(x, y, 1)
    assert list(line.y) == pytest.approx([intercept + slope * end for end in line.x])
    assert f"Pearson r = {R}, n = 6" in [note.text.replace("\xa0", " ") for note in figure.layout.annotations]
    with pytest.raises(NothingToScore, match="No word has a row in the statistic"):
        figures.against_share(direction_result({"rose": (0.1, None)}), WHICH, theme=LIGHT)


def test_the_components_stand_beside_those_of_random_pairs() -> None:
    figure = figures.variance(RESULT, WHICH, theme=LIGHT)
    shares = {trace.name: list(trace.x) for trace in figure.data if trace.x is not None and trace.x[0] is not None}
    assert shares == {
        "the pairs": [0.6, 0.3, 0.1],
        "as many random pairs of the words, mean of 100 draws": [0.4, 0.35, 0.25],
    }
    alone = figures.variance(direction_result(LISTED, random=None), WHICH, theme=LIGHT)
    assert [trace.name for trace in alone.data if trace.x is not None and trace.x[0] is not None] == ["the pairs"]


def test_a_direction_that_is_not_there_is_a_sentence() -> None:
    for draw in (figures.projections, figures.variance, figures.against_share):
        with pytest.raises(NothingToScore, match="There is no direction of n"):
            draw(RESULT, ("n", KIND), theme=LIGHT)


def test_the_finding_says_which_way_and_how_firm() -> None:
    found = words.finding(RESULT, WHICH)
    assert found.text == f"Professions with more women lie further towards female words: r = {R}."
    assert "adjusted p = 0.010" in found.support
    assert "60.0 % of the variance of 10 pairs (of as many random pairs: 40.0 %)" in found.support
    assert "cosine of 0.95" in found.support
    assert "Above 0: towards female words." in found.support
    turned = direction_result({word: (-value, percent) for word, (value, percent) in LISTED.items()})
    assert words.finding(turned, WHICH).text.endswith(f"further towards male words: r = −{R[1:]}.")


def test_a_finding_without_a_clear_correlation() -> None:
    unclear = words.finding(direction_result(LISTED, p=0.2), WHICH)
    assert unclear.text == f"No clear correlation of professions along the direction with % women: r = {R}."
    few = words.finding(direction_result(dict(list(LISTED.items())[:5]), p=None, half=None), WHICH)
    assert few.text.endswith("but 5 of at least 6 are too few to say.")
    assert "Too few pairs" in few.support
    none = words.finding(direction_result({"rose": (0.1, None), "ant": (-0.3, None)}), WHICH)
    assert none.text.startswith(
        "The direction explains 60.0 % of how the pairs differ; professions lie along it by 0.200"
    )


def test_pairs_of_ones_own_name_the_sides() -> None:
    own = direction_result(LISTED, pairs=own_pairs([("xe", "he"), ("moon", "sun")]))
    assert figures.side_names(own) == ("“xe”", "“he”")
    assert "towards “xe”" in words.finding(own, WHICH).text
    text = methods_paragraph(own)
    assert "xe / he, moon / sun" in text
    assert "2 pairs of the user's own" in text


def test_the_methods_say_what_is_done_and_what_else_there_is() -> None:
    text = methods_paragraph(direction_result(LISTED, strictness=2))
    for part in ("unit length", "no mean is subtracted", "to the power of 2", "Bolukbasi", "she / he", "1,000 times"):
        assert part in text
    assert words.variance_text(RESULT, WHICH) == (
        "Share of the variance of 10 pairs along the first components: 60.0 %, 30.0 %, 10.0 %; of as many random pairs "
        "of the words: 40.0 %, 35.0 %, 25.0 %."
    )
    assert "Direction from 10 pairs (she / he" in words.material(RESULT)[0]
