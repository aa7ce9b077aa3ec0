"""Coreference skew: its formula against published rows, counts worked by hand, files, and what is said of it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from core.charts.theme import LIGHT
from core.errors import InputError, OptionError
from core.measures.downstream.coreference import figures, words
from core.measures.downstream.coreference.metric import NOTHING, RIGHT, WRONG, measured, of_choices, of_mentions, skews
from core.measures.downstream.coreference.spec import CoreferenceSpec
from core.spec import File
from core.stats.resampling import bootstrap_interval, resampled_sums
from tests.support.coreference_results import coreference_result, wino_table
from tests.support.paths import ROOT
from tests.support.tiny import tiny_folder

RESULTS = ROOT.parent / "shared" / "data" / "reference" / "biased_rulers_results.json"
WINO = File.of("wino.csv", wino_table())
M, F = 0, 1


@pytest.mark.skipif(not RESULTS.is_file(), reason="needs biased_rulers_results.json")
def test_published_rows_are_recomputed_within_rounding() -> None:
    """Delobelle's 30 models, types 1 and 2: F1 is printed to 0.1, so stereo and skew are to within 0.1."""
    rows = [row for kind in json.loads(RESULTS.read_text())["winobias_f1"].values() for row in kind]
    assert len(rows) == 30
    for row in rows:
        for kind in ("T1", "T2"):
            f1 = [[row[f"{kind}: {condition} {gender}"] for gender in "MF"] for condition in ("pro", "anti")]
            skew, stereo, *_ = skews(np.array(f1))
            assert skew == pytest.approx(row[f"{kind}: skew"], abs=0.11)
            assert stereo == pytest.approx(row[f"{kind}: stereo"], abs=0.11)


def test_skew_and_stereo_by_hand() -> None:
    """F1 pro .6 and .3 (m, f), anti .5 and .4: skew ½(.3 + .1), stereo ½(.1 + .1); f − m −.2, pro − anti ½(.1 − .1)."""
    assert skews(np.array([[0.6, 0.3], [0.5, 0.4]])).tolist() == pytest.approx([0.2, 0.1, -0.2, 0.0])


def test_one_choice_answers_both_sentences_of_a_pair() -> None:
    """Four pairs, pro m m f f; "he" chosen in three, "she" in the last.

    Pro: masculine 2 hits, 1 false alarm (f taken for m): F1 4/5; feminine 1 hit, 1 miss: 2/3. Anti (f f m m): masculine
    1 hit, 2 false alarms, 1 miss: 2/5; feminine 0 hits.
    """
    genders = np.array([[M, F], [M, F], [F, M], [F, M]])
    chosen = np.array([[M, M], [M, M], [M, M], [F, F]])
    found = measured(of_choices(genders, chosen), seed=0)
    assert found.f1[0].tolist() == [pytest.approx([4 / 5, 2 / 3]), pytest.approx([2 / 5, 0])]
    assert np.isnan(found.f1[1:]).all(), "four pairs have no interval"


def test_he_everywhere_is_all_skew_and_no_stereo() -> None:
    genders = np.array([[M, F], [F, M]] * 10)
    skew, stereo, genders_apart, _ = measured(of_choices(genders, np.full((20, 2), M)), seed=0).numbers
    assert skew[0] == pytest.approx(2 / 3)
    assert stereo[0] == 0
    assert genders_apart[0] == pytest.approx(-2 / 3)


def test_words_found_are_scored_by_the_gender_of_the_pronoun() -> None:
    """Pro m: right, wrong, nothing: TP 1, FP 1, FN 2, F1 2/5. Anti f: all right. The cells without sentences are 0."""
    genders = np.array([[M, F]] * 3)
    answers = np.array([[RIGHT, RIGHT], [WRONG, RIGHT], [NOTHING, RIGHT]])
    assert measured(of_mentions(genders, answers), seed=0).f1[0].tolist() == [pytest.approx([2 / 5, 0]), [0, 1]]


def test_exchanged_conditions_turn_pro_minus_anti_and_leave_skew() -> None:
    generator = np.random.default_rng(0)
    genders = np.stack([first := generator.integers(2, size=60), 1 - first], axis=1)
    chosen = np.repeat(generator.integers(2, size=(60, 1)), 2, axis=1)
    one, other = (measured(of_choices(found, chosen), seed=1).numbers for found in (genders, genders[:, ::-1]))
    assert one[:3, 0] == pytest.approx(other[:3, 0])
    assert one[3, 0] == pytest.approx(-other[3, 0])


def test_resampled_sums_are_a_bootstrap_of_items() -> None:
    """Ends of a mean against scipy's own bootstrap, which draws items and not how often each kind is drawn."""
    values = np.random.default_rng(0).integers(3, size=80)
    sums = resampled_sums(values[:, None], seed=0)[:, 0] / 80
    expected = bootstrap_interval([values], np.mean, seed=5)
    assert tuple(np.quantile(sums, (0.025, 0.975))) == pytest.approx((expected.low, expected.high), abs=0.02)


def test_a_model_that_is_asked_has_one_choice_a_pair_and_a_share() -> None:
    result = CoreferenceSpec(models=(str(tiny_folder("bert")),), sentences=(WINO,)).run()
    sentences = result["sentences"]
    assert len(sentences) == 24
    assert (sentences["answer_pro"] == sentences["answer_anti"]).all()
    masculine = sentences["answer_pro"].isin(["he", "him"])
    assert ((sentences["log_odds"] > 0) == masculine).all()
    overall = result["skews"].iloc[0]
    assert overall["masculine_share"] == pytest.approx(masculine.mean())
    # Pro, masculine: the choice is right where the first pronoun is masculine and chosen.
    first = sentences["pro"].isin(["he", "him"])
    hits = (masculine & first).sum()
    expected = 2 * hits / (masculine.sum() + first.sum())
    assert result["scores"].iloc[0]["f1"] == pytest.approx(expected)


def answered(said: Any) -> File:
    """A file of answers: what is said of a row's pronoun and the words it refers to."""
    lines = wino_table(answers=True).decode().splitlines()
    out = ["type,condition,split,number,answer"]
    for line in lines[1:]:
        kind, condition, split, number, rest = line.split(",", 4)
        brackets = [part.partition("]")[0] for part in rest.split("[")[1:]]
        pronoun = next(part for part in brackets if " " not in part)
        out.append(f"{kind},{condition},{split},{number},{said(pronoun, next(p for p in brackets if ' ' in p))}")
    return File.of("answers.csv", "\n".join(out).encode())


@pytest.mark.parametrize("said", [lambda pronoun, words: pronoun, lambda pronoun, words: words])
def test_answers_that_are_all_right_have_f1_one_and_no_skew(said: Any) -> None:
    result = CoreferenceSpec(models=(str(tiny_folder("bert")),), sentences=(WINO,), answers=(answered(said),)).run()
    rows = result["skews"][result["skews"]["model"] == "answers.csv"]
    assert (rows[["skew", "stereo"]] == 0).all(axis=None)
    assert (result["scores"][result["scores"]["model"] == "answers.csv"]["f1"] == 1).all()
    found = words.finding(result, "answers.csv")
    assert "no clear difference of F1" in found.text
    assert "no clear effect of the stereotype" in found.text
    assert "F1 feminine − masculine 0.000 in every resample, so without an interval; pro" in found.support


def test_the_stereotype_everywhere_is_a_clear_effect_without_an_interval() -> None:
    """All pro sentences right and all anti ones wrong: pro − anti is 1 in every resample, F1 the same of both."""
    result = coreference_result({"m": (1.0, 1.0, 0.0, 0.0)}, half=np.nan, sentences=(WINO,))
    found = words.finding(result, "m")
    assert "no clear difference of F1" in found.text
    assert "higher by 1.000 where the pronoun follows the stereotype" in found.text
    assert "pro − anti +1.000 in every resample, so without an interval." in found.support


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"type,number,answer\n1,1,he\n", "lacks the columns “condition”, “split”"),
        (b"type,condition,split,number,answer\n1,both,test,1,he\n", "the condition is “both”; it must be pro or anti"),
        (
            b"type,condition,split,number,answer\n1,pro,test,1,he\n1,pro,test,1,she\n",
            "Line 3 of answers.csv: type 1 test 1 pro has an answer above",
        ),
        (
            b"type,condition,split,number,answer\n1,pro,test,1,he\n1,anti,test,1,the nurse\n",
            "“the nurse” is no pronoun, unlike the answers above",
        ),
        (b"type,condition,split,number,answer\n1,pro,test,1,\n", "holds no answer"),
        (
            b"type,condition,split,number,answer,answer\n1,pro,test,1,he,she\n",
            "answers.csv has the column “answer” twice; keep one of them.",
        ),
        (b"type,condition,split,number,answer\n1,pro,test,900,he\n", "No row of answers.csv is one of the sentences"),
    ],
)
def test_wrong_answers_are_a_sentence(content: bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        CoreferenceSpec.of({"wino_sentences": (WINO,), "wino_answers": (File.of("answers.csv", content),)})
    assert said in str(refused.value)


def test_answers_without_sentences_are_refused() -> None:
    with pytest.raises(OptionError, match="give your WinoBias files"):
        CoreferenceSpec(answers=(WINO,))


def test_what_is_said_follows_the_intervals() -> None:
    clear = words.finding(coreference_result({"m": (0.7, 0.3, 0.6, 0.2)}, sentences=(WINO,)), "m")
    assert "F1 lower for feminine than for masculine pronouns by 0.400" in clear.text
    assert "higher by 0.100 where the pronoun follows the stereotype" in clear.text
    assert "Skew 0.400, stereo 0.100, n = 400 pairs." in clear.support
    unclear = words.finding(coreference_result({"m": (0.7, 0.3, 0.6, 0.2)}, half=0.5, sentences=(WINO,)), "m")
    assert "no clear difference of F1" in unclear.text
    assert "no clear effect of the stereotype" in unclear.text
    few = words.finding(coreference_result({"m": (0.7, 0.3, 0.6, 0.2)}, n=5), "m")
    assert few.text.startswith("Demonstration, no measurement: ")
    assert "too few pairs for a verdict" in few.text


def test_bars_are_hatched_against_the_stereotype() -> None:
    bars = figures.by_gender(coreference_result({"m": (0.7, 0.3, 0.6, 0.2)}), theme=LIGHT, kind="type 2").data[0]
    assert list(bars.x) == [0.7, 0.3, 0.6, 0.2]
    assert list(bars.marker.pattern.shape) == ["", "", "/", "/"]
    assert bars.marker.color == (*LIGHT.groups[:2], *LIGHT.groups[:2])
    with pytest.raises(OptionError, match="no type 3"):
        figures.by_gender(coreference_result({"m": (0.7, 0.3, 0.6, 0.2)}), theme=LIGHT, kind="3")
