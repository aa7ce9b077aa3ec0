from __future__ import annotations

import pytest

from core.charts import DARK, LIGHT
from core.charts.rows import Gap
from core.charts.text import sentence_lines, text_width
from core.errors import NothingToScore, OptionError
from core.measures.lpbs.professions.figures import (
    Heading,
    Means,
    check_series,
    heading_text,
    means_of,
    people,
    sections,
    series_title,
    side_hue,
    words,
)
from core.result import Contrast
from tests.support.profession_results import profession_result, sentence, sentences


def test_means_are_those_of_the_sentences_of_one_series() -> None:
    result = profession_result(
        [
            sentence("nurse", "female", 1.0),
            sentence("nurse", "female", 2.0, template="T2"),
            sentence("nurse", "male", -0.5),
            sentence("nurse", "male", 77.0, model="n"),
            sentence("nurse", "male", 88.0, language="de"),
            sentence("judge", "male", 0.25, group="balanced"),
        ]
    )
    assert means_of(result, ("m", "en")) == (
        Means("nurse", "female", 1.5, -0.5, (2, 1)),
        Means("judge", "balanced", None, 0.25, (0, 1)),
    )
    assert [row.difference for row in means_of(result, ("m", "en"))] == [2.0, None]


def test_sections_follow_the_groups_and_rows_the_size_of_the_difference() -> None:
    found = {"a": ("male", 0.1), "b": ("female", -0.2), "c": ("female", 0.3), "d": ("female", None), "e": ("own", 1.0)}
    rows = [Means(name, group, value, None if value is None else 0.0, (1, 1)) for name, (group, value) in found.items()]
    ordered = sections(rows, ("female", "balanced", "male"))
    assert [row.profession if isinstance(row, Means) else row for row in ordered] == [
        Heading("female", 3), "c", "b", "d", Heading("male", 1), "a", Heading("own", 1), "e"
    ]  # fmt: skip


def test_a_limit_counts_the_rest_of_each_section() -> None:
    rows = [Means(f"{group}{at}", group, at / 10, 0.0, (1, 1)) for group in ("f", "m") for at in range(1, 5)]
    limited = sections(rows, ("f", "m"), limit=2)
    assert [row.profession if isinstance(row, Means) else row for row in limited] == [
        Heading("f", 4), "f4", "f3", Gap(2), Heading("m", 4), "m4", "m3", Gap(2)
    ]  # fmt: skip
    # One row left over is shown, not counted.
    assert sections(rows, ("f", "m"), limit=3) == sections(rows, ("f", "m"))
    with pytest.raises(OptionError, match="at least 1"):
        sections(rows, ("f", "m"), limit=0)


def test_the_language_is_named_where_there_are_several() -> None:
    one = profession_result(sentences({"nurse": 1.0}))
    assert series_title(one, ("m", "en")) == "m"
    two = profession_result(sentences({"nurse": 1.0}) + sentences({"nurse": 1.0}, language="de"))
    assert series_title(two, ("m", "en")) == "m (English)"
    assert series_title(two, ("m", "de")) == "m (German)"


def test_unknown_series_and_empty_results_are_said() -> None:
    result = profession_result(sentences({"nurse": 1.0}))
    check_series(result, [("m", "en")])
    for unknown in (("m", "de"), ("n", "en")):
        with pytest.raises(OptionError, match=r"it holds m \(en\)"):
            check_series(result, [("m", "en"), unknown])
    with pytest.raises(NothingToScore, match="No profession was scored"):
        check_series(profession_result([]), [("m", "en")])


def test_female_is_teal_and_male_ochre_whichever_comes_first() -> None:
    for theme in (LIGHT, DARK):
        hues = [side_hue(theme, Contrast("female", "male"), name) for name in ("male", "female", "balanced", "other")]
        assert hues == [theme.groups[0], theme.groups[1], theme.neutral, theme.neutral]
    # Groups of professions have nothing to do with names.
    names = Contrast("African American names", "European American names")
    assert side_hue(LIGHT, names, "female") == LIGHT.neutral


def test_words_for_the_sides() -> None:
    assert [people(name) for name in ("female", "male", "African American names")] == [
        "women", "men", "African American names"
    ]  # fmt: skip
    assert [words(name) for name in ("female", "European American names")] == [
        "female words",
        "European American names",
    ]
    assert heading_text(Heading("female", 20)) == "female · 20 professions"
    assert heading_text(Heading("own", 1)) == "own · 1 profession"


def test_a_sentence_breaks_between_words_alone() -> None:
    text = "Pearson r = +0.72, n = 60"
    assert sentence_lines(text, 1000, 12) == ["Pearson r\u00a0=\u00a0+0.72, n\u00a0=\u00a060"]
    assert sentence_lines(text, 10, 12) == ["Pearson", "r\u00a0=\u00a0+0.72,", "n\u00a0=\u00a060"]
    lines = sentence_lines("a model leans by 0.25 nats on average", 100, 12)
    assert " ".join(lines) == "a model leans by 0.25 nats on average"
    assert len(lines) > 1
    assert all(text_width(line, 12) <= 100 for line in lines)
