"""Pronoun resolution with models and with predictions brought along."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.engine.pool import ModelPool
from core.errors import InputError, NothingToScore, OptionError, UnsupportedModel
from core.measures.downstream.resolution import words
from core.measures.downstream.resolution.result import ResolutionResult
from core.measures.downstream.resolution.spec import Missing, Network, ResolutionSpec
from core.measures.measure import load
from core.report.methods import methods_paragraph
from core.run import Run
from core.sources import gap
from core.spec import File
from tests.support.gap import demo_files, gap_file, predictions_file
from tests.support.reference import corpus_file
from tests.support.resolution_results import resolution_result
from tests.support.tiny import tiny_folder

TINY = str(tiny_folder("bert"))
TESTED = gap.demonstration()["test"].documents
TEST_FILE = demo_files()["test"]
TRUTH = {"A": ("TRUE", "FALSE"), "B": ("FALSE", "TRUE"), "neither": ("FALSE", "FALSE")}
HEADING = "ID,A-coref,B-coref"


@pytest.fixture(scope="module")
def pool() -> Iterator[ModelPool]:
    pool = ModelPool()
    yield pool
    pool.clear()


@pytest.fixture(scope="module")
def demo(pool: ModelPool) -> ResolutionResult:
    result: ResolutionResult = ResolutionSpec(models=(TINY,), layer=-1).run(pool=pool)
    return result


def scored(pool: ModelPool, *files: File, **choices: object) -> ResolutionResult:
    spec = ResolutionSpec(models=(TINY,), test=(TEST_FILE,), predictions=files, **choices)  # type: ignore[arg-type]
    result: ResolutionResult = spec.run(pool=pool)
    return result


def by_gender(result: ResolutionResult, column: str, labels: str = "as published") -> dict[str, float]:
    rows = result["scores"]
    return rows[rows["labels"] == labels].set_index("gender")[column].to_dict()


def right(name: str = "truth.csv") -> File:
    return File.of(name, predictions_file({item.id: TRUTH[item.label] for item in TESTED}, HEADING))


def test_the_demonstration_has_every_table_and_says_what_it_is(demo: ResolutionResult) -> None:
    assert all(len(demo[name]) for name in demo.tables)
    assert len(demo["networks"]) == 5
    assert by_gender(demo, "n") == {"all": 32, "masculine": 16, "feminine": 16}
    assert by_gender(demo, "share_neither") == {"all": 0.25, "masculine": 0.25, "feminine": 0.25}
    assert any("demonstration" in note.text for note in demo.notes)
    name = demo.resolvers[0]
    assert words.finding(demo, name).text.startswith("Demonstration, no measurement: ")
    assert "demonstration" in methods_paragraph(demo)


def test_scores_are_means_over_the_networks_and_the_documents(demo: ResolutionResult) -> None:
    whole = demo["scores"].iloc[0]
    assert whole["f1"] == pytest.approx(demo["networks"]["f1"].mean())
    assert whole["f1_sd"] == pytest.approx(demo["networks"]["f1"].std(ddof=1))
    assert whole["accuracy"] == pytest.approx(demo["documents"]["correct"].mean())
    assert whole["p_neither"] == pytest.approx(demo["documents"]["p_neither"].mean())
    assert demo["documents"][["p_a", "p_b", "p_neither"]].sum(axis=1).to_numpy() == pytest.approx(1)
    bias = demo["networks"]["f1_feminine"] / demo["networks"]["f1_masculine"]
    assert demo["networks"]["bias"].to_numpy() == pytest.approx(bias.to_numpy(), nan_ok=True)


def test_a_model_is_summed_up_by_its_differences_and_a_demonstration_by_none(demo: ResolutionResult) -> None:
    by_hand = resolution_result({"m": (0.9, 0.8), "other": (0.5, 0.75)}, test=(TEST_FILE,), predictions=(right(),))
    f1, neither = by_hand.HEADLINES
    assert [f1.of_model(by_hand, model) for model in ("m", "other")] == pytest.approx([-0.1, 0.25])
    assert neither.column.title == "GAP: Mean P(neither), feminine − masculine"
    assert f1.column.sign == "higher for feminine pronouns"
    assert f1.of_model(by_hand, "third") == "no network on its vectors was scored for both genders"
    assert "demonstration" in str(f1.of_model(demo, demo.models[0]))


def test_a_topic_s_score_is_the_sum_over_its_words(demo: ResolutionResult) -> None:
    weighted = demo["words"].assign(part=demo["words"]["weight"] * demo["words"]["lpbs"])
    sums = weighted.groupby("topic")["part"].sum()
    topics = demo["topics"].set_index("topic")
    known = topics["score"].notna()
    assert known.any()
    assert topics.loc[known, "score"].to_numpy() == pytest.approx(sums.loc[known[known].index].to_numpy())
    assert topics["n_masculine"].sum() + topics["n_feminine"].sum() == 32
    assert (demo["words"].groupby("topic").size() <= 15).all()


def test_the_words_scores_are_those_of_the_measure_itself(demo: ResolutionResult, pool: ModelPool) -> None:
    from core.measures.lpbs.spec import LpbsSpec

    some = demo["words"].dropna(subset="lpbs").drop_duplicates("word").head(3)
    spec = LpbsSpec(
        models=(TINY,),
        templates=("[TARGET] are interested in [ATTRIBUTE]",),  # type: ignore[arg-type]
        groups={"men": ("men",), "women": ("women",)},  # type: ignore[arg-type]
        attributes=tuple(some["word"]),  # type: ignore[arg-type]
    )
    found = spec.run(pool=pool)["attributes"].set_index("attribute")["lpbs"]
    assert some["lpbs"].to_numpy() == pytest.approx(found.loc[some["word"]].to_numpy(), abs=1e-5)


def test_predictions_that_are_all_right_have_f1_one_and_no_probabilities(pool: ModelPool) -> None:
    result = scored(pool, right())
    assert set(by_gender(result, "f1").values()) == set(by_gender(result, "accuracy").values()) == {1.0}
    assert result["scores"]["p_neither"].isna().all()
    assert result["networks"].empty
    assert result["correlations"].empty
    assert any("no probabilities" in item.why for item in result.excluded)
    assert "gives decisions without probabilities" in words.neither(result, "truth.csv").text


def test_predictions_with_probabilities_by_hand(pool: ModelPool) -> None:
    """Always A with P = (.6, .3, .1): accuracy is the share of A, 3/8; log loss its mean over 12 A, 12 B, 8 neither."""
    always = File.of("always.csv", predictions_file({item.id: (0.6, 0.3, 0.1) for item in TESTED}))
    result = scored(pool, always)
    assert by_gender(result, "accuracy") == {"all": 0.375, "masculine": 0.375, "feminine": 0.375}
    loss = -(12 * np.log(0.6) + 12 * np.log(0.3) + 8 * np.log(0.1)) / 32
    assert by_gender(result, "log_loss")["all"] == pytest.approx(loss)
    assert by_gender(result, "f1")["all"] == pytest.approx(2 * 12 / (2 * 12 + 20 + 12))
    assert by_gender(result, "p_neither")["feminine"] == pytest.approx(0.1)
    row = result["differences"].set_index("measure").loc["Mean P(neither)"]
    assert row["difference"] == 0
    assert row["p"] == 1


def test_missing_answers_count_as_the_option_says(pool: ModelPool) -> None:
    half = {item.id: TRUTH[item.label] for item in TESTED if item.label != "B"}
    some = File.of("some.csv", predictions_file(half, HEADING))
    result = scored(pool, some)
    assert by_gender(result, "missing")["all"] == 12
    assert by_gender(result, "f1")["all"] == pytest.approx(2 * 12 / (2 * 12 + 12))
    official = scored(pool, some, missing=Missing.ALWAYS)
    assert by_gender(official, "f1")["all"] == pytest.approx(2 * 12 / (2 * 12 + 24))
    assert any("has no answer on 12 of 32" in note.text for note in result.notes)


def test_corrections_are_scored_beside_the_published_labels(pool: ModelPool) -> None:
    one = TESTED[0]
    assert one.label == "A"
    list_of = File.of("list.csv", predictions_file({one.id: ("FALSE", "TRUE")}, HEADING))
    result = scored(pool, right(), corrections=(list_of,))
    assert by_gender(result, "accuracy")["all"] == 1
    assert by_gender(result, "accuracy", "corrected")["all"] == pytest.approx(31 / 32)
    assert result.labels == "corrected"
    assert any("change the labels of 1 of 32" in note.text for note in result.notes)
    assert "31" not in words.finding(result, "truth.csv").support.split("n =")[0]


def test_several_resolvers_stand_side_by_side_and_are_kept(pool: ModelPool, tmp_path: object) -> None:
    files = demo_files()
    spec = ResolutionSpec(
        models=(TINY,), train=(files["training"],), validation=(files["validation"],), test=(files["test"],),
        predictions=(right(),), network=Network.COMMON, layer=0,
    )  # fmt: skip
    result = spec.run(pool=pool)
    assert len(result.resolvers) == 2  # type: ignore[attr-defined]
    assert load_again(result, tmp_path) == result


def load_again(result: object, folder: object) -> object:
    path = folder / "x.tilt"  # type: ignore[operator]
    result.save(path)  # type: ignore[attr-defined]
    return load(path)


def test_a_layer_that_a_model_does_not_have_is_refused(pool: ModelPool) -> None:
    with pytest.raises(UnsupportedModel, match="layers, so there is no layer -9; choose 0 to"):
        ResolutionSpec(models=(TINY,), layer=-9).run(pool=pool)


def test_a_model_without_a_head_resolves_and_scores_no_topic(pool: ModelPool) -> None:
    result = ResolutionSpec(models=(str(tiny_folder("bert-encoder")),), layer=-1).run(pool=pool)
    assert len(result["scores"]) == 3
    assert result["correlations"].empty
    assert any(item.what == "topic scores" for item in result.excluded)


def test_a_causal_model_is_said_to_see_what_stands_before_alone(pool: ModelPool) -> None:
    result = ResolutionSpec(models=(str(tiny_folder("gpt2")),), layer=-1).run(pool=pool)
    assert any("nothing of what follows" in note.text for note in result.notes)


def test_texts_longer_than_the_model_takes_are_cut_around_the_mentions(pool: ModelPool) -> None:
    """A long tail that no mention is in changes what is read, and is said; mentions too far apart are excluded."""
    tail = " It rained." * 400
    far = replace(TESTED[0], id="far", text=TESTED[0].text + tail + " End", pronoun=(0, 0))
    start = len(far.text) - len("She")
    far = replace(far, text=far.text[:-3] + "She", pronoun=(start, start + 3), gender="feminine")
    long = [replace(item, text=item.text + tail) for item in TESTED]
    files = demo_files()
    spec = ResolutionSpec(
        models=(TINY,), train=(files["training"],), validation=(files["validation"],),
        test=(File.of("long.tsv", gap_file([*long, far])),), layer=-1,
    )  # fmt: skip
    result = spec.run(pool=pool)
    assert result["scores"]["n"].iloc[0] == 32
    (item,) = [item for item in result.excluded if item.kind == "item"]
    assert item.what == "far"
    assert "further apart" in item.why
    (note,) = [note for note in result.notes if "texts are longer than it takes" in note.text]
    assert int(note.text.split()[0]) >= len(long)  # those of training may be too


def test_stopped_before_a_network_is_trained_there_is_nothing_to_score(pool: ModelPool) -> None:
    run: Run[ResolutionResult] = Run()
    run.cancelled = lambda: True  # type: ignore[method-assign]
    with pytest.raises(NothingToScore, match="stopped before the networks of a model were trained"):
        ResolutionSpec(models=(TINY,)).run(run, pool=pool)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"test": ("test",)}, "nothing to score"),
        ({"train": ("training",), "test": ("test",)}, "needs both training and validation"),
        ({"train": ("training",), "validation": ("validation",)}, "no test documents"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(given: dict[str, tuple[str, ...]], said: str) -> None:
    files = demo_files()
    with pytest.raises(OptionError, match=said):
        ResolutionSpec(**{name: tuple(files[split] for split in splits) for name, splits in given.items()})  # type: ignore[arg-type]


def test_predictions_on_other_documents_are_refused() -> None:
    other = File.of("other.csv", predictions_file({"x": ("TRUE", "FALSE")}, HEADING))
    spec = ResolutionSpec(test=(TEST_FILE,), predictions=(other,))
    with pytest.raises(InputError, match=r"No ID of other.csv is one of test.tsv \(such as demo-33-f\)"):
        spec.documents()


def test_two_files_of_one_name_are_refused(pool: ModelPool) -> None:
    always = File.of("truth.csv", predictions_file({item.id: ("TRUE", "FALSE") for item in TESTED}, HEADING))
    with pytest.raises(OptionError, match=r"are called truth\.csv; rename one"):
        scored(pool, right(), always)


def test_the_published_predictions_score_as_published(pool: ModelPool) -> None:
    """The frozen BERT-large stack on GAP's test split; metrics recomputed from its predictions (ID,A,B,NEITHER)."""
    predictions = corpus_file("gap-test-predictions.csv", "published predictions on GAP").read_bytes()
    test = File.of("gap-test.tsv", corpus_file("gap-test.tsv", "GAP").read_bytes())
    spec = ResolutionSpec(models=(TINY,), test=(test,), predictions=(File.of("published.csv", predictions),))
    result: ResolutionResult = spec.run(pool=pool)
    expected = {
        "accuracy": {"masculine": 0.8830, "feminine": 0.8660},
        "f1": {"masculine": 0.9038, "feminine": 0.8819, "all": 0.8929},
        "p_neither": {"masculine": 0.1050, "feminine": 0.1147},
    }
    for column, values in expected.items():
        found = by_gender(result, column)
        assert {gender: found[gender] for gender in values} == pytest.approx(values, abs=5e-5), column
