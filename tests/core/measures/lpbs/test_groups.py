"""Groups beyond two: what is said of their words, of all contrasts together, and how these are drawn."""

from __future__ import annotations

from dataclasses import replace
from math import log, nan
from typing import Any

import pytest

from core.charts.rows import Gap
from core.charts.theme import DARK, LIGHT, Theme
from core.errors import NothingToScore
from core.measures.lpbs.figures import contrasts
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import PAIRED_NAMES, LpbsSpec
from core.measures.lpbs.words import contrasts_finding, finding, shares_finding
from core.plain import plain, restored
from core.result import Group
from core.run import UNWATCHED, Part
from core.sources.lists import GroupPreset, group_preset
from tests.support.lpbs import replaced, run
from tests.support.stubs import SAID, said_model

RELIGION = group_preset("religion")


def result_of(make_result: Any, means: dict[str, tuple[float, float]], groups: tuple[str, ...]) -> LpbsResult:
    """Means of ``m`` by contrast with their adjusted p; the interval is ±.1 where there is a p."""
    made = make_result({"m": {"nurse": 0.1}}, groups=groups)
    rows = [
        {"model": "m", "contrast": label, "n": 60, "lpbs": mean, "p_value": p, "p_adjusted": p}
        | ({} if p != p else {"ci_low": mean - 0.1, "ci_high": mean + 0.1})
        for label, (mean, p) in means.items()
    ]
    return replaced(made, overall=rows)


MEANS = {"a − b": (0.4, 0.01), "a − c": (-0.2, 0.04), "b − c": (-0.5, 0.05)}


def test_all_contrasts_are_said_at_once(make_result: Any) -> None:
    """b − c is the largest but not clear: p is not below .05."""
    found = contrasts_finding(result_of(make_result, MEANS, ("a", "b", "c")), "m")
    assert found.text == (
        "A clear lean in 2 of 3 contrasts of 3 groups; furthest apart: towards a against b, by 0.40 nats."
    )
    assert [phrase.group for phrase in found.headline if phrase.group] == ["a", "b"]
    assert found.support == "Means over the attributes; clear: sign-flip p below .05, adjusted over 3 tests."


def test_the_side_is_that_of_the_sign(make_result: Any) -> None:
    means = {"a − b": (0.1, 0.01), "a − c": (-0.2, 0.04), "b − c": (-0.1, 0.5)}
    found = contrasts_finding(result_of(make_result, means, ("a", "b", "c")), "m")
    assert "furthest apart: towards c against a, by 0.20 nats." in found.text


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.2, "No clear lean in any of 2 contrasts of 3 groups."),
        (nan, "2 contrasts of 3 groups: too few attributes to say which of them lean."),
    ],
)
def test_no_lean_and_too_few_words_are_told_apart(make_result: Any, p: float, text: str) -> None:
    means = {"a − b": (0.4, p), "a − c": (0.3, p), "b − c": (nan, nan)}
    found = contrasts_finding(result_of(make_result, means, ("a", "b", "c")), "m")
    assert found.text == text
    assert found.support.endswith("Without a score: b − c.")


@pytest.mark.parametrize("theme", [LIGHT, DARK, replace(LIGHT, width=350)], ids=["light", "dark", "narrow"])
def test_a_bar_has_the_hue_of_its_group_where_the_lean_is_clear(make_result: Any, theme: Theme) -> None:
    figure = contrasts(result_of(make_result, MEANS, ("a", "b", "c")), model="m", theme=theme)
    (drawn,) = figure.select_traces({"type": "bar"})
    assert [tuple(data) for data in drawn.customdata] == [("b − c", "m"), ("a − c", "m"), ("a − b", "m")]
    assert list(drawn.x) == [-0.5, -0.2, 0.4]
    assert list(drawn.marker.color) == [theme.neutral, theme.groups[2], theme.groups[0]]
    assert list(drawn.marker.pattern.shape) == ["/", "", ""]
    (interval,) = figure.select_traces({"name": "95 % interval"})
    assert list(interval.x)[:2] == pytest.approx([-0.6, -0.4])
    assert "no clear lean" in drawn.hovertext[0]
    assert "leans towards c" in drawn.hovertext[1]
    said = [annotation.text for annotation in figure.layout.annotations]
    assert any("hatched: no clear lean" in text.replace("<br>", " ") for text in said)


def test_many_groups_leave_out_the_middle(make_result: Any) -> None:
    """Ten groups have 45 contrasts: the 26 outermost are drawn, 19 counted in a row."""
    groups = tuple("abcdefghij")
    labels = [f"{group} − {other}" for at, group in enumerate(groups) for other in groups[at + 1 :]]
    means = {label: (0.01 * at - 0.22, 0.5) for at, label in enumerate(labels)}
    figure = contrasts(result_of(make_result, means, groups), model="m", theme=LIGHT)
    (drawn,) = figure.select_traces({"type": "bar"})
    assert len(drawn.x) == 26
    assert any(f"{Gap(19).count} more between" in text for text in figure.layout.yaxis.ticktext)


def test_no_mean_is_no_chart(make_result: Any) -> None:
    with pytest.raises(NothingToScore):
        contrasts(result_of(make_result, {"a − b": (nan, nan)}, ("a", "b", "c")), model="m", theme=LIGHT)


def test_a_preset_brings_its_caution_and_its_misfit() -> None:
    spec = LpbsSpec(groups="religion", attributes="traits-positive")
    assert spec.cautions == (RELIGION.note, *RELIGION.misfits(spec.templates[0]))
    assert len(spec.misfits) == 1
    fitting = replace(spec, templates=("The [TARGET] person is [ATTRIBUTE].", "[TARGET] people are [ATTRIBUTE]."))
    assert fitting.misfits == ()
    assert fitting.cautions == (RELIGION.note,)
    assert LpbsSpec().cautions == ()


def test_cautions_are_notes_of_the_result(embedded: Any) -> None:
    spec = LpbsSpec(groups="age", templates="A [TARGET] person is [ATTRIBUTE].", attributes=["kind", "rude"])
    result = spec.measure([embedded], Part(UNWATCHED, {}))
    texts = [note.text for note in result.notes if note.model is None]
    assert texts[0] == group_preset("age").note
    assert "“old” and 1 more" in texts[1]
    assert len(texts) == 2


def test_a_finding_from_an_ungrammatical_sentence_says_so_first(make_result: Any) -> None:
    share = {"model": "m", "contrast": "Christian − Muslim", "n": 2, "first": 2, "second": 0, "ties": 0, "share": 1.0}
    scored = make_result({"m": {"kind": 0.1, "rude": 0.2}}, groups=("Christian", "Muslim"))
    made = replaced(scored, shares=[{**share, "template": None}])
    good, bad = "The [TARGET] person is [ATTRIBUTE].", "The [ATTRIBUTE] said that [TARGET] was tired."

    def said(*templates: str) -> list[str]:
        result = replace(made, spec=LpbsSpec(groups="religion", attributes=["kind", "rude"], templates=templates))
        (contrast,) = result.contrasts[:1]
        return [
            f"{found.text} {found.support}"
            for found in (
                finding(result, contrast, "m"),
                shares_finding(result, contrast, "m"),
                contrasts_finding(result, "m"),
            )
        ]

    assert all(text.startswith("Caution: ungrammatical sentence. ") for text in said(bad))
    assert all("nobody would write says little about the groups." in text for text in said(bad))
    assert all(text.startswith("Caution: 1 of 2 templates ungrammatical. ") for text in said(good, bad))
    assert not any("Caution" in text for text in said(good))


def test_a_finding_from_an_ungrammatical_sentence_says_what_to_use_instead(make_result: Any) -> None:
    made = make_result({"m": {"kind": 0.1, "rude": 0.2}}, groups=("Christian", "Muslim"))
    bad = "The [ATTRIBUTE] said that [TARGET] was tired."

    def support(attributes: str | list[str]) -> str:
        result = replace(made, spec=LpbsSpec(groups="religion", attributes=attributes, templates=bad))
        return finding(result, result.contrasts[0], "m").support

    assert "grammatical, such as “The [TARGET] person is [ATTRIBUTE].” " in support("traits-positive")
    assert "such as" not in support(["kind", "rude"])  # own words: nouns or adjectives, nobody knows


def test_names_are_no_pairs_of_anything() -> None:
    names = LpbsSpec(groups="ethnicity-names", templates="[TARGET] is [ATTRIBUTE].", attributes="traits-positive")
    assert names.cautions == (group_preset("ethnicity-names").note, PAIRED_NAMES)
    assert replace(names, paired=False).cautions == (group_preset("ethnicity-names").note,)


def test_groups_that_were_saved_without_axis_and_kind_are_read() -> None:
    """As results held them before there were presets on other axes."""
    saved: Any = plain(group_preset("he-she"))
    old = {name: value for name, value in saved.items() if name not in ("axis", "kind")}
    found = restored(GroupPreset, old)
    assert found.groups == group_preset("he-she").groups
    assert (found.axis, found.kind) == ("", "")
    assert restored(GroupPreset, saved) == group_preset("he-she")
    assert replace(LpbsSpec(), groups=found).cautions == ()


SPLIT = (Group("he", ("he",)), Group("xe", ("chairman",)))
TABLE = {"he": 0.1, "she": 0.2}


def test_a_group_of_split_words_is_told_to_be_scored_jointly() -> None:
    model = said_model({"nurse": TABLE}, dict.fromkeys(TABLE, 0.1), "m", without=("chairman",))
    groups = (*SPLIT, Group("she", ("she",)))
    result = run([model], [SAID], groups, ["nurse"])
    assert [str(note) for note in result.notes] == [
        "m: no word of “xe” is a single token, so there is no score: choose “score all their tokens together” (joint)."
    ]
    rows = result["attributes"].set_index("contrast")["lpbs"]
    assert rows["he − she"] == pytest.approx(log(0.1 / 0.2), abs=1e-6)
    assert rows[["he − xe", "xe − she"]].isna().all()
    whole = [item for item in result.excluded if item.kind == "attribute"]
    assert [(item.what, item.contrast) for item in whole] == [
        ("all attributes", "he − xe"),
        ("all attributes", "xe − she"),
    ]
    assert whole[0].why == "all attributes in he − xe: not computed, no word of he or of xe could be scored."


def test_only_split_words_are_refused_with_that_advice() -> None:
    model = said_model({"nurse": {}}, {}, "m", without=("chairman", "woman"))
    with pytest.raises(NothingToScore, match=r"For words of several tokens, choose “score all their tokens together”"):
        run([model], [SAID], (SPLIT[1], Group("she", ("chairwoman",))), ["nurse"])
