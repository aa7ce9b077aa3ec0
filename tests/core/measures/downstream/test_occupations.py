"""Occupation classification: gaps worked by hand, splits, files, the classifier, and what is said of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as students_t

from core.charts.theme import LIGHT
from core.errors import InputError, NothingToScore, OptionError, TiltmeterError
from core.measures.downstream.occupations import figures, words
from core.measures.downstream.occupations.compute import answered, split, without_gender
from core.measures.downstream.occupations.metric import measured, share_ends
from core.measures.downstream.occupations.result import OccupationResult
from core.measures.downstream.occupations.spec import Erase, OccupationSpec, Texts
from core.sources.biographies import Biography, Columns, demonstration, read_biographies, scrubbed
from core.spec import File
from core.stats.logistic import fit_logistic
from core.stats.resampling import bootstrap_interval
from tests.support.occupation_results import bios_table, occupation_result
from tests.support.tiny import tiny_folder

MODEL = str(tiny_folder("bert"))
BIOS = File.of("bios.csv", bios_table())
NURSE = "text,occupation,gender\n"


def test_gaps_means_and_rms_by_hand() -> None:
    """TPR of men .5, .8, of women .9, .6: gaps .4 and −.2, mean .1, mean |gap| .3, RMS √.1. The third is small."""
    hits, n = np.array([[5, 8, 1], [9, 6, 1]]), np.array([[10, 10, 5], [10, 10, 9]])
    found = measured(hits, n, seed=0)
    assert found.gaps[0].tolist() == pytest.approx([0.4, -0.2, np.nan], nan_ok=True)
    assert found.mean[0] == pytest.approx(0.1)
    assert found.absolute == pytest.approx(0.3)
    assert found.rms == pytest.approx(np.sqrt(0.1))
    assert found.rates[1, 2] == pytest.approx(1 / 9)
    assert found.counted.tolist() == [True, True, False]


def test_the_interval_of_a_gap_is_that_of_drawn_biographies() -> None:
    """Against scipy's bootstrap of the biographies themselves, which draws rows and not binomial counts."""
    men, women = np.repeat([1, 0], [30, 20]), np.repeat([1, 0], [40, 10])
    found = measured(np.array([[30], [40]]), np.array([[50], [50]]), seed=0)
    expected = bootstrap_interval([women, men], lambda x, y, axis: x.mean(axis) - y.mean(axis), seed=4)
    assert found.gaps[1:, 0] == pytest.approx([expected.low, expected.high], abs=0.021)


def test_exchanged_genders_turn_gaps_and_leave_distances() -> None:
    hits, n = np.array([[5, 8], [9, 6]]), np.array([[10, 12], [14, 10]])
    one, other = measured(hits, n, seed=0), measured(hits[::-1], n[::-1], seed=0)
    assert one.gaps[0] == pytest.approx(-other.gaps[0])
    assert one.mean[0] == pytest.approx(-other.mean[0])
    assert (one.absolute, one.rms) == pytest.approx((other.absolute, other.rms))


def test_chance_is_the_mean_of_all_ways_to_deal_the_hits() -> None:
    """6 men and 6 women, 1 of 12 recognised: its gap is ±1/6 however the hit falls, so |gap| by chance is 1/6."""
    found = measured(np.array([[1], [0]]), np.array([[6], [6]]), seed=0)
    assert found.chance[0] == pytest.approx(1 / 6)


def test_without_variation_there_is_no_interval() -> None:
    found = measured(np.array([[8], [8]]), np.array([[8], [8]]), seed=0)
    assert found.gaps[0, 0] == 0
    assert np.isnan(found.gaps[1:]).all()
    assert np.isnan(share_ends(5, 5, seed=0)).all()


def test_a_split_takes_a_quarter_of_each_cell_whatever_the_order() -> None:
    people = [Biography(at, f"text {at}", "ab"[at % 2], ("men", "women")[at // 2 % 2]) for at in range(80)]
    training, test = split(people, 1)
    assert Counter((item.occupation, item.gender) for item in test) == dict.fromkeys(
        [("a", "men"), ("a", "women"), ("b", "men"), ("b", "women")], 5
    )
    assert len(training) == 60
    assert {item.id for item in split(people[::-1], 1)[1]} == {item.id for item in test}
    assert {item.id for item in split(people, 2)[1]} != {item.id for item in test}


def test_pronouns_titles_and_first_names_are_scrubbed() -> None:
    assert scrubbed("Ms. Mary Keller said that she sold her shop to Peter.") == (
        "_. _ Keller said that _ sold _ shop to _.",
        5,
    )


def test_the_order_of_the_file_changes_no_number() -> None:
    one, other = (
        OccupationSpec(models=(MODEL,), biographies=(File.of("b.csv", content),), text="bio", texts=Texts.BOTH).run()
        for content in (bios_table(splits=False), bios_table(splits=False, reverse=True))
    )
    for table in ("occupations", "overall", "correlations"):
        assert one[table].round(4).equals(other[table].round(4))


def test_what_is_trained_on_is_known_and_a_text_that_is_too_long_is_cut() -> None:
    long = "The nurse worked. " * 400
    lines = [
        f"{long if at == 0 else f'{job} number {at}'},{job},{'mf'[at % 2]}"
        for at in range(32)
        for job in ("nurse", "cook")
    ]
    file = File.of("b.csv", (NURSE + "\n".join(lines)).encode())
    result = OccupationSpec(models=(MODEL,), biographies=(file,)).run()
    assert result["overall"]["n"].iloc[0] == 16
    assert result["overall"]["accuracy"].iloc[0] > 0.8, "the text says the job"
    assert any("2 of 64 texts are longer than it takes" in note.text for note in result.notes)


def test_texts_that_are_trained_on_and_tested_are_said() -> None:
    """Four texts for each occupation and gender, a quarter of them tested; of the nurses' all are one text."""
    rows = [
        f"{'the same' if job == 'nurse' else f'{job} {at} {sex}'},{job},{sex}"
        for job in ("nurse", "cook")
        for sex in "mf"
        for at in range(4)
    ]
    file = File.of("b.csv", (NURSE + "\n".join(rows)).encode())
    result = OccupationSpec(models=(MODEL,), biographies=(file,)).run()
    assert any("2 of 4 test texts are training texts too" in note.text for note in result.notes)
    ours = OccupationSpec(models=(MODEL,)).run()
    assert not any("training texts too" in note.text for note in ours.notes)


def test_predictions_are_scored_without_a_model() -> None:
    rows = [("a", "a", "m")] * 6 + [("a", "b", "f")] * 3 + [("a", "a", "f")] * 3 + [("b", "", "m"), ("b", "b", "f")]
    content = "true,predicted,gender\n" + "\n".join(map(",".join, rows))
    result = OccupationSpec(models=(MODEL,), predictions=(File.of("p.csv", content.encode()),)).run()
    assert result.models == ()
    first = result["occupations"].iloc[0]
    assert (first["tpr_men"], first["tpr_women"], first["gap"]) == (1, 0.5, -0.5)
    assert first["women_file"] == 50
    assert any("no prediction on 1 of 14 rows" in note.text for note in result.notes)
    assert any("b: no gap, too few test biographies" in item.why for item in result.excluded)


def dealt(women: dict[str, int], hits: dict[str, int]) -> File:
    """Predictions: 6 men of each occupation, all recognised, and so many women, of whom so many are."""
    rows = [(job, job, "m") for job in women for _ in range(6)]
    rows += [(job, job if at < hits[job] else "", "f") for job, count in women.items() for at in range(count)]
    return File.of("p.csv", ("true,predicted,gender\n" + "\n".join(map(",".join, rows))).encode())


def test_a_correlation_over_five_occupations_has_no_p_and_over_six_it_has() -> None:
    """Women are 50, 60, 66.7, 71.4 and 75 (76.9) percent; gaps 0, −1/9, −1/12, −2/15, −3/18 (−4/20).

    r by hand from these; p of six by Student's t with 4 degrees of freedom, t = r · √(4 / (1 − r²)).
    """
    women, hits = (
        {"a": 6, "b": 9, "c": 12, "d": 15, "e": 18, "f": 20},
        {"a": 6, "b": 8, "c": 11, "d": 13, "e": 15, "f": 16},
    )
    for jobs in ("abcde", "abcdef"):
        share = np.array([100 * women[job] / (6 + women[job]) for job in jobs])
        gap = np.array([hits[job] / women[job] - 1 for job in jobs])
        x, y = share - share.mean(), gap - gap.mean()
        r = (x @ y) / np.sqrt((x @ x) * (y @ y))
        file = dealt({job: women[job] for job in jobs}, hits)
        result = OccupationSpec(models=(MODEL,), predictions=(file,)).run()
        found = result["correlations"].set_index("method").loc["Pearson"]
        assert found["r"] == pytest.approx(r)
        small = [item.why for item in result.excluded if "n too small" in item.why]
        support = words.finding(result, ("p.csv", "as given")).support
        described = figures._correlation(result, ("p.csv", "as given"), "% women in the file")
        if len(jobs) == 5:
            assert np.isnan([found["p"], found["ci_low"], found["ci_high"]]).all()
            assert small == [
                "% women in the file: interval and p not computed, n too small (5 of at least 6 occupations)."
            ]
            assert "n = 5 occupations, too few for a p value." in support
            assert "p =" not in support + described
        else:
            assert found["p"] == pytest.approx(2 * students_t.sf(abs(r) * np.sqrt(4 / (1 - r**2)), 4))
            assert small == []
            assert "n = 6 occupations." in support
            assert "p =" in support
            assert "p =" in described


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "bio,job\na,b\n",
            "lacks the columns “text”, “occupation”, “gender”; it has “bio”, “job”. Say what yours are ",
        ),
        (NURSE + "a,nurse,m\nb,cook,x\n", "Line 3 of b.csv: the gender is “x”; it must be male or female"),
        (NURSE + "a,nurse,m\n,cook,f\n", "Line 3 of b.csv: text is empty"),
        (
            "text,occupation,gender,Gender\na,nurse,m,f\nb,cook,f,m\n",
            "b.csv has the column “gender” twice; keep one of them.",
        ),
        (NURSE + "a,nurse,m\nb,nurse,f\n", "All 2 rows of b.csv have the occupation nurse"),
        (NURSE + "a,nurse,f\nb,cook,f\n", "All 2 rows of b.csv are of women; women and men are compared, so both"),
        ("", "b.csv is empty"),
    ],
)
def test_wrong_biographies_are_a_sentence(content: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        OccupationSpec.of({"bios": (File.of("b.csv", content.encode()),)})
    assert said in str(refused.value)


def test_wrong_splits_and_columns_are_a_sentence() -> None:
    content = b"text,occupation,gender,part\na,nurse,m,train\nb,cook,f,dev\nc,cook,f,train\n"
    with pytest.raises(InputError, match=r"b\.csv has no test texts"):
        read_biographies(content, "b.csv", Columns(split="part"))
    with pytest.raises(InputError, match="The column “gender” is given for two things"):
        read_biographies(content, "b.csv", Columns(occupation="gender"))
    with pytest.raises(OptionError, match="Column of texts: say what it is called"):
        OccupationSpec(text=" ")
    with pytest.raises(OptionError, match="give one file"):
        OccupationSpec(biographies=(BIOS, BIOS))


def test_the_demonstration_tests_the_same_texts_of_men_and_of_women() -> None:
    items = [item for item in demonstration().items if item.split == "test"]
    counts = Counter((item.occupation, item.gender) for item in items)
    assert set(counts.values()) == {6}
    assert len(counts) == 10
    assert all("{" not in item.text for item in demonstration().items)


def test_what_is_said_follows_the_interval() -> None:
    gaps = {"nurse": (0.3, 90.0), "cook": (-0.1, 40.0)}
    clear = words.finding(occupation_result(gaps, clear=0.05, biographies=(BIOS,)), ("m", "as they are"))
    assert "women are recognised more often than men, on average by 0.100 over 2 occupations" in clear.text
    assert "Mean |gap| 0.225 (0.080 by chance), RMS 0.270." in clear.support
    assert "Pearson r = +0.60" in clear.support
    unclear = words.finding(occupation_result(gaps), ("m", "as they are"))
    assert unclear.text.startswith("Demonstration, no measurement: ")
    assert "no clear difference" in unclear.text
    assert "which includes 0" in unclear.support


def test_gaps_are_bars_from_the_lowest_with_intervals_and_points_against_women() -> None:
    result = occupation_result({"nurse": (0.3, 90.0), "cook": (-0.1, 40.0)})
    classifier = ("m", "as they are")
    bars, intervals, numbers = figures.gaps(result, classifier=classifier, theme=LIGHT).data
    assert list(bars.x) == [-0.1, 0.3]
    assert bars.marker.color == (LIGHT.groups[0], LIGHT.groups[1])
    assert [end for end in intervals.x if end is not None] == pytest.approx([-0.2, 0.0, 0.2, 0.4])
    assert list(numbers.x) == pytest.approx([-0.2, 0.4])
    points = figures.against_women(result, classifier=classifier, against="% women in the file", theme=LIGHT).data[-1]
    assert sorted(zip(points.x, points.y, strict=True)) == [(40.0, -0.1), (90.0, 0.3)]
    with pytest.raises(NothingToScore, match="both a gap and % women in the labour statistics"):
        figures.against_women(result, classifier=classifier, against="% women in the labour statistics", theme=LIGHT)
    with pytest.raises(OptionError, match="no classifier x, texts scrubbed"):
        figures.gaps(result, classifier=("x", "scrubbed"), theme=LIGHT)


def test_an_unknown_sign_in_a_text_hides_that_sign_alone() -> None:
    lines = [f"{job} ☃ at work,{job},{'mf'[at % 2]}" for at in range(32) for job in ("nurse", "cook")]
    file = File.of("b.csv", (NURSE + "\n".join(lines)).encode())
    result = OccupationSpec(models=(MODEL,), biographies=(file,)).run()
    assert result["overall"]["n"].iloc[0] == 16
    assert any("64 of 64 texts hold a word or sign that is unknown" in note.text for note in result.notes)


def recognised(answers: tuple[Any, ...], occupation: str, gender: str) -> float:
    own = [answer for answer in answers if (answer.occupation, answer.gender) == (occupation, gender)]
    return sum(answer.predicted == occupation for answer in own) / len(own)


def test_a_gap_that_comes_from_gender_goes_with_it() -> None:
    """Vectors are (gender, clue): the clue names the occupation of half of the people, of the others it is 0.

    In training everybody without a clue is a nurse and a woman, or a surgeon and a man, so of the nurses that are
    tested without one only women are recognised: 1 of women and ½ of men, gap ½. Gender erased, all without a clue are
    alike and get one answer: the gap of either occupation is 0. The clue is as frequent with either gender, so it stays
    and half of all are recognised by it, the other half as one occupation.
    """
    sign = {"men": -1.0, "women": 1.0, "surgeon": -3.0, "nurse": 3.0}
    cells = [(job, gender) for job in ("nurse", "surgeon") for gender in ("men", "women")]
    taught = [(*cell, True) for cell in cells for _ in range(10)]
    taught += [(*cell, False) for cell in (("nurse", "women"), ("surgeon", "men")) for _ in range(10)]
    tested = [(*cell, clue) for cell in cells for clue in (True, False) for _ in range(6)]
    people = [Biography(at, str(at), job, gender) for at, (job, gender, _) in enumerate((*taught, *tested))]
    vectors = {
        at: np.array([sign[gender], sign[job] * clue]) for at, (job, gender, clue) in enumerate((*taught, *tested))
    }
    training, test = people[: len(taught)], people[len(taught) :]
    plain = answered(training, test, vectors, cancelled=lambda: False)
    assert plain is not None
    assert [recognised(plain[0], *cell) for cell in cells] == [0.5, 1, 1, 0.5]
    read, erased = without_gender(training, vectors)
    assert (erased.n_men, erased.n_women, erased.rank, erased.width) == (30, 30, 1, 2)
    without = answered(training, test, read, cancelled=lambda: False)
    assert without is not None
    rates = [recognised(without[0], *cell) for cell in cells]
    assert rates[0] == rates[1]
    assert rates[2] == rates[3]
    assert sorted(rates) == [0.5, 0.5, 1, 1]


def test_of_gender_nothing_linear_is_left_in_the_training_vectors() -> None:
    """Class means coincide, and a classifier of gender is left with the share; what is tested is no part of the fit."""
    generator = np.random.default_rng(0)
    people = [Biography(at, str(at), "ab"[at % 2], "men" if at % 5 < 2 else "women") for at in range(100)]
    lean = generator.normal(size=12)
    vectors = {item.id: generator.normal(size=12) + (item.gender == "men") * lean for item in people}
    training = people[:70]
    read, _ = without_gender(training, vectors)
    men, women = (np.mean([read[item.id] for item in training if item.gender == of], axis=0) for of in ("men", "women"))
    assert men == pytest.approx(women, abs=1e-9)
    fitted = fit_logistic(
        np.stack([read[item.id] for item in training]),
        np.array([item.gender == "men" for item in training]).astype(np.int64),
        classes=2,
    )
    assert fitted is not None
    assert fitted.weights == pytest.approx(np.zeros((12, 2)), abs=1e-4)
    moved = vectors | {item.id: vectors[item.id] + 50 for item in people[70:]}
    again, _ = without_gender(training, moved)
    assert all(np.array_equal(again[item.id], read[item.id]) for item in training)


def test_with_and_without_stand_side_by_side_and_without_erasing_nothing_changes() -> None:
    predictions = File.of("p.csv", bios_table(predicted=True))
    given = {"models": (MODEL,), "biographies": (BIOS,), "predictions": (predictions,), "text": "bio", "split": "part"}
    nothing, leace, both = (OccupationSpec(**given, erase=erase).run() for erase in Erase)
    name = both.models[0]
    assert both.classifiers == ((name, "as they are"), (name, "as they are, gender erased"), ("p.csv", "as given"))
    for table in ("occupations", "overall", "biographies"):
        erased = both[table]["texts"].str.endswith("erased")
        assert both[table][~erased].reset_index(drop=True).equals(nothing[table])
        assert both[table][erased].reset_index(drop=True).equals(leace[table][leace[table]["model"] == name])
    (row,) = both["erased"].to_dict("records")
    training = [item for item in demonstration().items if item.split != "test"]
    assert row["n_women"] == sum(item.gender == "women" for item in training)
    assert row["n_men"] == sum(item.gender == "men" for item in training)
    assert row["rank"] == 1
    assert nothing["erased"].empty
    said = " ".join(note.text for note in both.notes)
    assert f"training texts of women and {row['n_men']} of men, and erased 1 of {row['width']} dimensions" in said
    assert "nothing can be erased: they have no vectors" in said
    assert "accuracy" in said
    assert "LEACE" in words.methods(both)[0]
    assert (
        f"{row['n_women']} women and {row['n_men']} men (1 of {row['width']} dimensions erased)"
        in words.methods(both)[0]
    )
    assert "LEACE" not in words.methods(nothing)[0] + " ".join(note.text for note in nothing.notes)
    assert len(words.references(both)) == len(words.references(nothing)) + 1
    gap, *_ = (headline.of_model for headline in OccupationResult.HEADLINES)
    assert gap(both, name) == gap(nothing, name)
    assert gap(leace, name) == "gender was erased from its vectors, so that this is no number of the model as it is"


def test_one_training_text_of_a_gender_is_too_few_to_erase_it() -> None:
    rows = [
        f"{job} {at},{job},{'f' if at == 0 else 'm'},{'train' if at < 9 else 'test'}"
        for at in range(12)
        for job in ("nurse", "cook")
    ]
    rows[0] = "nurse 0,nurse,m,train"
    file = File.of("b.csv", ("text,occupation,gender,part\n" + "\n".join(rows)).encode())
    with pytest.raises(TiltmeterError, match="at least 2 training texts of women and of men, and it can read 1 and 17"):
        OccupationSpec(models=(MODEL,), biographies=(file,), split="part", erase=Erase.LEACE).run()
