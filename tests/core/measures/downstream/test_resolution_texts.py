"""What is said and drawn of pronoun resolution, from results made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.charts.theme import LIGHT
from core.errors import NothingToScore, OptionError
from core.measures.downstream.resolution import figures, words
from tests.support.resolution_results import SHARE, resolution_result

TOPICS = [("album, band", 0.2, 0.1, 9), ("queen, king", -0.1, 0.2, 4)]


def test_a_clear_difference_says_which_way_and_by_how_much() -> None:
    lower = words.finding(resolution_result({"m": (0.80, 0.72)}, clear=True), "m")
    assert "lower for feminine ones by 0.080" in lower.text
    assert "0.90 (0.90 to 1.10)" in lower.support
    higher = words.finding(resolution_result({"m": (0.72, 0.80)}, clear=True), "m")
    assert "higher for feminine ones by 0.080" in higher.text


def test_an_interval_with_zero_is_no_clear_difference() -> None:
    found = words.finding(resolution_result({"m": (0.80, 0.72)}), "m")
    assert "no clear difference" in found.text
    assert "which includes 0" in found.support


def test_few_documents_have_no_verdict() -> None:
    found = words.finding(resolution_result({"m": (0.80, 0.72)}, n=5), "m")
    assert "too few documents for a verdict" in found.text
    assert "No interval: 5 of at least 6 documents." in found.support


def test_p_neither_is_said_with_its_test_and_the_prior() -> None:
    found = words.neither(resolution_result({"m": (0.80, 0.72)}, p=0.007), "m")
    assert "lower for feminine ones" in found.text
    assert "p = 0.007" in found.support
    assert "11.0 % of feminine and 11.0 % of masculine" in found.support
    assert "no clear difference" in words.neither(resolution_result({"m": (0.80, 0.72)}, p=0.3), "m").text


def test_a_correlation_of_topics_is_said_for_both_genders() -> None:
    found = words.topics(resolution_result({"m": (0.8, 0.7)}, topics=TOPICS, p=0.3), "m", "m")
    assert "r = +0.20: no clear correlation." in found.text
    assert "masculine pronouns r = +0.05 (p = 0.300, n = 1,000)" in found.support
    assert "Documents of a topic share its score" in found.support
    untested = words.topics(resolution_result({"m": (0.8, 0.7)}, topics=TOPICS, p=math.nan), "m", "m")
    assert "masculine pronouns r = +0.05 (n = 1,000)" in untested.support
    none = words.topics(resolution_result({"m": (0.8, 0.7)}), "m", "m")
    assert "no correlation" in none.text


def test_bars_hold_the_values_their_intervals_and_the_prior() -> None:
    result = resolution_result({"m": (0.74, 0.72), "n": (0.70, 0.75)})
    bars, intervals = figures.by_gender(result, theme=LIGHT, measure="f1").data
    assert list(bars.x) == [0.74, 0.72, 0.70, 0.75]
    assert [tuple(data) for data in bars.customdata] == [
        (name, gender) for name in "mn" for gender in ("masculine", "feminine")
    ]
    assert [end for end in intervals.x if end is not None][:2] == pytest.approx([0.72, 0.76])
    assert bars.marker.color[:2] == LIGHT.groups[:2]
    *_, prior = figures.by_gender(result, theme=LIGHT, measure="p_neither", resolver="n").data
    assert list(prior.x) == [SHARE, SHARE]


def test_a_narrow_page_has_the_numbers_with_the_labels() -> None:
    result = resolution_result({"m": (0.74, 0.72)})
    narrow = figures.by_gender(result, theme=replace(LIGHT, width=350), measure="f1")
    texts = [annotation.text for annotation in narrow.layout.annotations]
    assert any(text.startswith("masculine  0.740 ± 0.005") for text in texts)


def test_topics_are_points_right_of_zero_where_they_lean_towards_men() -> None:
    result = resolution_result({"m": (0.74, 0.72)}, topics=TOPICS)
    figure = figures.topic_scatter(result, theme=LIGHT, resolver="m", words_by="m")
    (points,) = figure.data
    assert list(points.x) == [0.2, -0.1]
    assert list(points.y) == [0.1, 0.2]
    assert points.marker.color == (LIGHT.groups[0], LIGHT.groups[1])


def test_what_cannot_be_drawn_is_said() -> None:
    result = resolution_result({"m": (0.74, 0.72)})
    with pytest.raises(OptionError, match="no measure recall"):
        figures.by_gender(result, theme=LIGHT, measure="recall")
    with pytest.raises(OptionError, match="no resolver x"):
        figures.by_gender(result, theme=LIGHT, measure="f1", resolver="x")
    with pytest.raises(NothingToScore, match="No topic"):
        figures.topic_scatter(result, theme=LIGHT, resolver="m", words_by="m")
