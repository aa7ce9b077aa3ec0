"""A gender direction as a whole: against plain transformers and numpy, what is excluded, what must not change it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.engine.loading import LoadedModel
from core.errors import NothingToScore, OptionError, WordListError
from core.measures.association.direction import compute
from core.measures.association.direction.result import DirectionResult
from core.measures.association.direction.spec import DirectionSpec
from core.measures.shared.representations import OF_WORDS
from core.run import Run
from core.sources import shares
from core.spec import File
from tests.support.association import Plain, plain
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

PAIRS = (
    ("she", "he"),
    ("woman", "man"),
    ("mother", "father"),
    ("girl", "boy"),
    ("sister", "brother"),
    ("aunt", "uncle"),
    ("queen", "king"),
)
WORDS = ("carpenter", "judge", "secretary", "roofer", "plumber", "registered nurse", "dental hygienist", "taper")
FRAMES = ("This is {}.", "That is {}.", "There is {}.", "It is {}.")
Vector = np.ndarray


def of(*models: LoadedModel, run: Run[Any] | None = None, **asked: Any) -> DirectionResult:
    given = {"pairs": PAIRS, "words": WORDS, "representations": ("pooled-no-context",), **asked}
    return compute.measure(DirectionSpec(**given), models, run or Run())


def by_hand(vector: Callable[[str], Vector], pairs: Sequence[tuple[str, str]] = PAIRS) -> tuple[Vector, Vector]:
    """The direction by the eigenvectors of the products of the differences, and the shares, descending."""
    differences = np.stack([unit(vector(first)) - unit(vector(second)) for first, second in pairs])
    values, vectors = np.linalg.eigh(differences.T @ differences)
    found = vectors[:, -1]
    return found * np.sign((differences @ found).sum()), values[::-1] / values.sum()


def unit(vector: Vector) -> Vector:
    return vector / math.sqrt(float(vector @ vector))


def in_templates(model: Plain, word: str) -> Vector:
    return np.mean([model.in_frame(frame, word)[-1] for frame in FRAMES], axis=0)


KINDS = pytest.mark.parametrize(
    ("kind", "vector"),
    [
        ("input-embedding", lambda model, word: model.input_vector(word)),
        ("pooled-no-context", lambda model, word: model.word(word, word)[-1]),
        ("pooled-in-templates", in_templates),
        ("vulic", lambda model, word: model.word(word, word)[1:5].mean(axis=0)),
    ],
)


@KINDS
def test_it_is_what_plain_transformers_and_numpy_give(kind: str, vector: Callable[[Plain, str], Vector]) -> None:
    model = plain(tiny_folder("bert"))
    result = of(load_tiny("bert"), representations=(kind,))
    direction, every = by_hand(lambda word: vector(model, word))
    projections = np.array([unit(vector(model, word)) @ direction for word in WORDS])
    rows = result["projections"]
    assert rows["word"].tolist() == list(WORDS)
    assert rows["projection"].to_numpy() == pytest.approx(projections, abs=1e-5)
    assert result["components"]["share"].to_numpy() == pytest.approx(every[: len(PAIRS)], abs=1e-5)
    (row,) = result["directions"].to_dict("records")
    assert (row["n_pairs"], row["n_words"]) == (7, 8)
    assert row["direct_bias"] == pytest.approx(np.abs(projections).mean(), abs=1e-5)
    assert row["mean_projection"] == pytest.approx(projections.mean(), abs=1e-5)
    cosines = result["pairs"].set_index(["first", "second"])["cosine"]
    for pair in PAIRS:
        first, second = (unit(vector(model, word)) for word in pair)
        assert cosines[pair] == pytest.approx(unit(first - second) @ direction, abs=1e-4)


def test_it_is_compared_with_the_statistic() -> None:
    """Pearson and Spearman by scipy over the shares of 2019; the line by its normal equations."""
    result = of(load_tiny("bert"), seed=3)
    percents = [shares("bls", year=2019).find(word) for word in WORDS]
    rows = result["projections"]
    assert rows["percent"].tolist() == percents
    assert None not in percents
    found = result["correlations"].set_index("method")
    for method, test in (("pearson", pearsonr), ("spearman", spearmanr)):
        expected = test(percents, rows["projection"])
        assert found.loc[method, "r"] == pytest.approx(expected.statistic)
        assert found.loc[method, "p_value"] == pytest.approx(expected.pvalue)
        assert found.loc[method, "n"] == 8
    assert found["p_adjusted"].max() == pytest.approx(found["p_value"].max())
    slope, intercept = np.linalg.lstsq(np.column_stack([percents, np.ones(8)]), rows["projection"], rcond=None)[0]
    (row,) = result["directions"].to_dict("records")
    assert (row["slope"], row["intercept"]) == (pytest.approx(slope), pytest.approx(intercept))
    assert any("2019" in source for source in result.provenance.data)


def test_swapping_the_sides_of_all_pairs_flips_what_has_a_sign() -> None:
    there = of(load_tiny("bert"))
    back = of(load_tiny("bert"), pairs=tuple((second, first) for first, second in PAIRS))
    assert back["projections"]["projection"].to_numpy() == pytest.approx(-there["projections"]["projection"].to_numpy())
    low, high = (there["projections"][name].to_numpy() for name in ("ci_low", "ci_high"))
    assert back["projections"]["ci_low"].to_numpy() == pytest.approx(-high, abs=1e-9)
    assert back["projections"]["ci_high"].to_numpy() == pytest.approx(-low, abs=1e-9)
    assert back["correlations"]["r"].to_numpy() == pytest.approx(-there["correlations"]["r"].to_numpy())
    for name in ("direct_bias", "direct_bias_low", "direct_bias_high", "share", "cosine", "cosine_low"):
        assert back["directions"][name].to_numpy() == pytest.approx(there["directions"][name].to_numpy())


def test_the_order_of_pairs_and_words_changes_nothing() -> None:
    there = of(load_tiny("bert"))
    back = of(load_tiny("bert"), pairs=PAIRS[::-1], words=WORDS[::-1])
    for table, key in (("projections", ["word"]), ("pairs", ["first"]), ("correlations", ["method"])):
        one, other = (result[table].sort_values(key).reset_index(drop=True) for result in (there, back))
        numbers = one.select_dtypes("number").columns
        assert np.allclose(one[numbers], other[numbers], atol=1e-9)
    one, other = (result["directions"].select_dtypes("number").to_numpy() for result in (there, back))
    assert other == pytest.approx(one, abs=1e-9)
    four = [of(load_tiny("bert"), pairs=PAIRS[:4][::step], words=WORDS[::step]) for step in (1, -1)]
    one, other = (result["components"]["random"].to_numpy() for result in four)
    assert other == pytest.approx(one)


def test_the_intervals_are_those_of_resampled_pairs() -> None:
    """2.5 % and 97.5 % of 1,000 resamples, each with its own singular vectors; pairs in the order of their words."""
    model = plain(tiny_folder("bert"))
    result = of(load_tiny("bert"), seed=5)

    def vector(word: str) -> Vector:
        return unit(model.word(word, word)[-1])

    ordered = sorted(PAIRS, key=sorted)
    differences = np.stack([vector(first) - vector(second) for first, second in ordered])
    whole, _ = by_hand(vector)
    words = np.stack([vector(word) for word in WORDS])
    cosines, projections = [], []
    for rows in np.random.default_rng(5).integers(7, size=(1000, 7)):
        found = np.linalg.svd(differences[rows])[2][0]
        found *= np.sign((differences[rows] @ found).sum())
        cosines.append(found @ whole)
        projections.append(words @ found)
    (row,) = result["directions"].to_dict("records")
    assert [row["cosine_low"], row["cosine"], row["cosine_high"]] == pytest.approx(
        np.percentile(cosines, [2.5, 50, 97.5]), abs=1e-4
    )
    low, high = np.percentile(projections, [2.5, 97.5], axis=0)
    assert result["projections"]["ci_low"].to_numpy() == pytest.approx(low, abs=1e-4)
    assert result["projections"]["ci_high"].to_numpy() == pytest.approx(high, abs=1e-4)
    biases = np.abs(projections).mean(axis=1)
    assert [row["direct_bias_low"], row["direct_bias_high"]] == pytest.approx(
        np.percentile(biases, [2.5, 97.5]), abs=1e-4
    )


def write(path: Path, vectors: dict[str, list[float]]) -> Path:
    path.write_text("".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in vectors.items()))
    return path


def test_a_file_by_hand_and_its_scale_changes_nothing(tmp_path: Path) -> None:
    """she = (1, 0), he = (0, 1) and woman = (4, 3), man = (3, 4): both differ along (1, −1), which explains all.

    carpenter (0, 2) lies at −.7071, judge (7, 7) at 0, secretary (3, −4) at 1.4/√2 = .9899; direct bias .5657.
    """
    vectors = {
        "she": [1.0, 0.0], "he": [0.0, 1.0], "woman": [4.0, 3.0], "man": [3.0, 4.0],
        "carpenter": [0.0, 2.0], "judge": [7.0, 7.0], "secretary": [3.0, -4.0],
    }  # fmt: skip
    asked: dict[str, Any] = {"pairs": PAIRS[:2], "words": tuple(vectors)[4:], "representations": ()}
    result = of(vectors=write(tmp_path / "v.txt", vectors), **asked)
    assert result["projections"]["projection"].tolist() == pytest.approx([-0.70711, 0, 0.98995], abs=1e-5)
    (row,) = result["directions"].to_dict("records")
    assert (row["model"], row["representation"], row["layer"]) == ("v.txt", "vectors", "file")
    assert row["share"] == pytest.approx(1)
    assert row["direct_bias"] == pytest.approx(0.56569, abs=1e-5)
    assert math.isnan(row["cosine"])  # two pairs
    assert result["components"]["random"].isna().all()  # three words are no two pairs
    squared = of(vectors=tmp_path / "v.txt", strictness=2, **asked)["directions"]["direct_bias"]
    assert squared.tolist() == pytest.approx([(0.5 + 0 + 0.98) / 3], abs=1e-5)
    longer = {word: [10.0 ** (at - 3) * number for number in v] for at, (word, v) in enumerate(vectors.items())}
    again = of(vectors=write(tmp_path / "longer.txt", longer), **asked)
    assert again["projections"]["projection"].to_numpy() == pytest.approx(
        result["projections"]["projection"].to_numpy(), abs=1e-6
    )
    assert {item.why for item in result.excluded if item.kind == "statistic"} == {
        "direction by vectors: intervals not computed, n too small (2 of at least 6 pairs).",
        "pearson correlation by vectors: not computed, 3 of at least 4 words have a share.",
        "spearman correlation by vectors: not computed, 3 of at least 4 words have a share.",
    }


def test_the_other_ways_stand_beside_it() -> None:
    """The mean of the differences by hand; where it is subtracted, something else is left."""
    model = plain(tiny_folder("bert"))
    result = of(load_tiny("bert"))
    ways = result["alternatives"].set_index("way")
    differences = np.stack([np.subtract(*(unit(model.word(word, word)[-1]) for word in pair)) for pair in PAIRS])
    mean = unit(differences.mean(axis=0))
    direction, _ = by_hand(lambda word: model.word(word, word)[-1])
    assert ways.loc["mean of the differences", "cosine"] == pytest.approx(mean @ direction, abs=1e-4)
    projections = [unit(model.word(word, word)[-1]) @ mean for word in WORDS]
    assert ways.loc["mean of the differences", "direct_bias"] == pytest.approx(np.abs(projections).mean(), abs=1e-5)
    expected = pearsonr(result["projections"]["percent"], projections).statistic
    assert ways.loc["mean of the differences", "r"] == pytest.approx(expected, abs=1e-4)
    assert len(ways) == 3


def test_what_cannot_be_told_apart_is_excluded_with_the_reason() -> None:
    """An uncased model reads She as she, and a word of a pair is not projected."""
    pairs = (*PAIRS, ("She", "he"), ("nurse", "Nurse"), ("日本", "man"))
    result = of(load_tiny("bert"), pairs=pairs, words=(*WORDS, "Judge", "MAN", "woman", "日本"))
    reasons = {item.what: item.why for item in result.excluded if item.kind in ("target", "attribute")}
    assert reasons["She / he"] == "She / he is the same input as she / he to this model, and is counted once."
    assert reasons["nurse / Nurse"] == "nurse / Nurse is excluded, since both words are the same input to this model."
    assert reasons["日本 / man"].startswith("日本 / man is excluded, since 日本 is unknown to this model")
    assert "same input as “judge”" in reasons["Judge"]
    assert reasons["MAN"] == "MAN is the same input as “man” of a pair to this model, and is not projected."
    assert reasons["woman"] == "woman stands in a pair, and is not projected."
    assert "unknown" in reasons["日本"]
    assert result["directions"]["n_pairs"].tolist() == [7]
    assert result["projections"]["word"].tolist() == list(WORDS)


def test_fewer_than_two_pairs_left_are_no_direction() -> None:
    with pytest.raises(NothingToScore) as caught:
        of(load_tiny("bert"), pairs=(("she", "he"), ("日本", "man")))
    assert str(caught.value) == (
        "There is no direction. direction by pooled-no-context: not computed, 1 of 2 pairs could be read, and 2 are "
        "needed."
    )


def test_words_without_a_share_are_said_once_where_none_has_one() -> None:
    result = of(load_tiny("bert"), words=("flower", "insect", "rose", "ant", "bee", "tulip"))
    assert result["projections"]["percent"].isna().all()
    assert result["correlations"]["n"].tolist() == [0, 0]
    assert [item.why for item in result.excluded] == [
        f"{method} correlation by pooled-no-context: not computed, 0 of at least 4 words have a share."
        for method in ("pearson", "spearman")
    ]
    some = of(load_tiny("bert"), words=(*WORDS, "flower"))
    assert [item.what for item in some.excluded] == ["flower"]
    assert some["correlations"]["n"].tolist() == [8, 8]
    assert of(load_tiny("bert"), statistic=None)["correlations"].empty


def test_a_statistic_of_the_user_s_own() -> None:
    file = File.of("own.csv", b"job,percent\ncarpenter,1\njudge,40\nsecretary,90\nroofer,2\nplumber,3\ntaper,50\n")
    spec = DirectionSpec.of({"statistic": "file", "share_file": (file,)})
    result = of(load_tiny("bert"), statistic=spec.statistic)
    assert result["correlations"]["n"].tolist() == [6, 6]
    assert result["projections"]["percent"].dropna().tolist() == [1, 40, 90, 2, 3, 50]


def test_every_representation_of_single_words_in_encoder_and_decoder() -> None:
    result = of(load_tiny("bert"), load_tiny("gpt2"), representations=OF_WORDS)
    assert len(result["directions"]) == 2 * len(OF_WORDS)
    assert result.places[0] == ("bert", OF_WORDS[0])
    assert {note.model for note in result.notes if "last token" in note.text} == {"gpt2"}
    at = of(load_tiny("bert"), layer=1)["directions"]
    assert at["layer"].tolist() == ["1"]
    assert not np.isclose(at["share"][0], of(load_tiny("bert"))["directions"]["share"][0])


@pytest.mark.parametrize(
    ("asked", "error", "sentence"),
    [
        ({"pairs": (("she", "he"),)}, WordListError, "1 pairs are given; a direction needs 2 to 200"),
        ({"pairs": "zhao"}, WordListError, "There is no list of pairs “zhao”"),
        ({"representations": ("lpbs",)}, OptionError, "“lpbs” reads no word by itself"),
        ({"representations": ()}, OptionError, "No representation is chosen"),
        ({"strictness": 0}, OptionError, "Strictness of the direct bias is 0"),
        ({"words": ()}, WordListError, "The attribute list is empty"),
        ({"layer": 40}, OptionError, "Layer 40 does not exist in every model; choose 0 (embeddings) to 2."),
        ({"words": ("a [MASK] b",)}, WordListError, "[MASK]"),
        ({"words": ("[PAD]", "nurse")}, WordListError, "a special token of models"),
    ],
)
def test_bad_input_is_a_sentence(asked: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        of(load_tiny("bert"), **asked)
    assert sentence in str(caught.value)


def test_a_finished_direction_is_not_read_again() -> None:
    run: Run[Any] = Run()
    first = of(load_tiny("bert"), run=run, representations=("pooled-no-context", "input-embedding"))
    seen: list[Any] = []
    again: Run[Any] = Run()
    again.memory = run.memory
    again.report = seen.append  # type: ignore[method-assign]
    assert of(load_tiny("bert"), run=again, representations=("pooled-no-context", "input-embedding"))["pairs"].equals(
        first["pairs"]
    )
    assert not seen
