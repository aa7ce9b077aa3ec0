"""A gender direction of vectors that gender was erased from: fitted on what, applied to all, and said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engine.erasure import leace
from core.engine.loading import LoadedModel
from core.engine.pool import ModelPool
from core.errors import NothingToScore
from core.measures.association import erasing
from core.measures.association.direction import compute, words
from core.measures.association.direction.compute import WITHOUT_GENDER
from core.measures.association.direction.result import DirectionResult
from core.measures.association.direction.spec import DirectionSpec
from core.measures.measure import load
from core.measures.mitigation.change.spec import ChangeSpec
from core.report.methods import methods_paragraph
from core.result import Note
from core.run import Run
from core.sources import gender_pairs
from tests.support.association import plain
from tests.support.commands import Command
from tests.support.erasure import erased
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

PAIRS = (("she", "he"), ("Woman", "man"), ("sister", "brother"), ("queen", "king"))
WORDS = ("carpenter", "judge", "secretary", "roofer", "plumber", "actress", "taper", "nurse")
Vector = np.ndarray


@pytest.fixture
def pool() -> Iterator[ModelPool]:
    found = ModelPool()
    yield found
    found.clear()


def of(*models: LoadedModel, run: Run[Any] | None = None, **asked: Any) -> DirectionResult:
    given = {"pairs": PAIRS, "words": WORDS, "representations": ("pooled-no-context",), "erase": "leace", **asked}
    return compute.measure(DirectionSpec(**given), models, run or Run())


def fitted_words() -> tuple[list[str], list[str]]:
    """Male and female words of the pairs that hold no word that is measured, whatever its case; each once."""
    taken = {word.lower() for word in (*WORDS, *(word for pair in PAIRS for word in pair))}
    pairs = [(male, female) for male, female in gender_pairs() if not {male, female} & taken]
    return sorted({male for male, _ in pairs}), sorted({female for _, female in pairs})


def write(path: Path, every: Sequence[str], width: int = 6) -> dict[str, Vector]:
    generator = np.random.default_rng(5)
    vectors = {word: generator.normal(size=width).round(4) for word in dict.fromkeys(every)}
    put(path, vectors)
    return vectors


def put(path: Path, vectors: Mapping[str, Vector]) -> Path:
    path.write_text("".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in vectors.items()))
    return path


def every_word() -> list[str]:
    pairs = (word for pair in (*PAIRS, *gender_pairs()) for word in pair)
    return [*pairs, *WORDS]


def by_hand(vectors: dict[str, Vector], male: Sequence[str], female: Sequence[str]) -> tuple[Vector, float]:
    """Projections and share by numpy's closed form, and the eigenvectors of the products of the differences."""
    sides = [np.stack([vectors[word] for word in side]) for side in (male, female)]

    def units(names: Sequence[str]) -> Vector:
        left = erased(np.stack([vectors[word] for word in names]), *sides)
        return left / np.linalg.norm(left, axis=1, keepdims=True)

    differences = units([first for first, _ in PAIRS]) - units([second for _, second in PAIRS])
    values, found = np.linalg.eigh(differences.T @ differences)
    direction = found[:, -1] * np.sign((differences @ found[:, -1]).sum())
    return units(WORDS) @ direction, values[-1] / values.sum()


def test_the_fitted_words_hold_none_that_is_measured() -> None:
    """Nor their partners: actress takes actor with it."""
    measured = [*WORDS, *(word for pair in PAIRS for word in pair)]
    male, female = erasing.gendered_words(measured)
    assert (sorted(male), sorted(female)) == fitted_words()
    assert {"he", "man", "woman", "she", "king", "queen", "actor", "actress"}.isdisjoint({*male, *female})
    assert {"his", "father", "kings"} <= {*male}


def test_a_file_is_erased_as_the_closed_form_says(tmp_path: Path) -> None:
    vectors = write(tmp_path / "v.txt", every_word())
    result = of(vectors=tmp_path / "v.txt", representations=())
    male, female = fitted_words()
    expected, share = by_hand(vectors, male, female)
    assert result["projections"]["word"].tolist() == list(WORDS)
    assert result["projections"]["projection"].to_numpy() == pytest.approx(expected, abs=1e-5)
    (row,) = result["directions"].to_dict("records")
    assert row["share"] == pytest.approx(share, abs=1e-5)
    assert row["direct_bias"] == pytest.approx(np.abs(expected).mean(), abs=1e-5)
    (fit,) = result["erased"].to_dict("records")
    assert (fit["model"], fit["representation"]) == ("v.txt", "vectors")
    assert (fit["n_male"], fit["n_female"], fit["vectors"]) == (len(male), len(female), len(male) + len(female))
    assert (fit["lost"], fit["rank"], fit["width"]) == (0, 1, 6)
    every = len({male for male, _ in gender_pairs()}) + len({female for _, female in gender_pairs()})
    assert fit["held_out"] == every - len(male) - len(female)
    assert [note for note in result.notes if "LEACE" in note.text] == [Note(WITHOUT_GENDER)]
    plainly = of(vectors=tmp_path / "v.txt", representations=(), erase="nothing")["projections"]["projection"]
    assert np.abs(plainly - expected).max() > 0.01


def test_the_fitted_means_coincide_and_nothing_else_is_made_equal() -> None:
    """In a model, by vectors from plain transformers calls; the projections are those of the vectors without it."""
    model = plain(tiny_folder("bert"))
    male, female = map(list, fitted_words())
    vectors = {word: model.input_vector(word).astype(float) for word in every_word()}
    keys = [{tuple(model.ids(word)): word for word in reversed(side)} for side in (male, female)]
    male, female = ([word for k, word in keys[at].items() if k not in keys[1 - at]] for at in (0, 1))
    result = of(load_tiny("bert"), representations=("input-embedding",))
    expected, share = by_hand(vectors, male, female)
    assert result["projections"]["projection"].to_numpy() == pytest.approx(expected, abs=1e-3)
    assert result["directions"]["share"].tolist() == pytest.approx([share], abs=1e-3)
    one, other = (np.stack([vectors[word] for word in side]) for side in (male, female))
    erase = leace(one, other)
    assert erase(one).mean(axis=0) == pytest.approx(erase(other).mean(axis=0), abs=1e-9)
    (fit,) = result["erased"].to_dict("records")
    assert (fit["n_male"], fit["n_female"]) == (len(male), len(female))


def test_nothing_erased_changes_nothing() -> None:
    """By default, and where what was fitted is the identity."""
    default = DirectionSpec(pairs=PAIRS, words=WORDS, representations=("pooled-no-context",))
    plainly = compute.measure(default, [load_tiny("bert")], Run())
    same = of(load_tiny("bert"), erase="nothing")
    for name in DirectionResult.SCHEMA.tables:
        assert same[name].equals(plainly[name])
    assert plainly["erased"].empty
    assert "erase" not in methods_paragraph(plainly)
    assert WITHOUT_GENDER not in {note.text for note in plainly.notes}


def test_an_eraser_of_nothing_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Identity:
        rank = 0

        def __call__(self, vectors: Vector) -> Vector:
            return vectors

    monkeypatch.setattr(erasing, "leace", lambda first, second: Identity())
    kinds = ("pooled-no-context", "input-embedding")
    erased_of_nothing, plainly = (of(load_tiny("bert"), representations=kinds, erase=e) for e in ("leace", "nothing"))
    for name in ("directions", "projections", "components", "pairs", "correlations", "alternatives"):
        one, other = (result[name].select_dtypes("number").to_numpy() for result in (erased_of_nothing, plainly))
        assert one == pytest.approx(other, abs=1e-6, nan_ok=True)
    assert erased_of_nothing["erased"]["rank"].tolist() == [0, 0]


def test_too_few_words_to_fit_on_are_a_sentence(tmp_path: Path) -> None:
    write(tmp_path / "v.txt", [*WORDS, *(word for pair in PAIRS for word in pair), "father", "mother", "aunt"])
    with pytest.raises(NothingToScore) as caught:
        of(vectors=tmp_path / "v.txt", representations=())
    assert str(caught.value) == (
        "There is no direction. direction by vectors: not computed, LEACE needs 2 words of either side, and 1 and 2 "
        "could be read."
    )


def test_where_gender_is_all_that_words_differ_in_nothing_is_left(tmp_path: Path) -> None:
    """The fitted means are (−1, 0, 0) and (a, 0, 0), and 0 over all: erased, the first coordinate is 0.

    The first two pairs differ in it alone; nurse has nothing else; carpenter (5, 3, 4) becomes (0, .6, .8).
    """
    generator = np.random.default_rng(1)
    lines: dict[str, Vector] = {}
    male, female = fitted_words()
    for side, gender in ((male, -1.0), (female, len(male) / len(female))):
        rest = generator.normal(size=(len(side), 2))
        lines |= {word: np.array([gender, *row]) for word, row in zip(side, rest - rest.mean(axis=0), strict=True)}
    lines |= {"she": np.array([1, 3, 4]), "he": np.array([-1, 3, 4]), "Woman": np.array([2, 1, 1])}
    lines |= {"man": np.array([-1, 1, 1]), "sister": np.array([1, 1, 0]), "brother": np.array([-1, 0, 1])}
    lines |= {"queen": np.array([9, 2, 0]), "king": np.array([1, 0, 7]), "carpenter": np.array([5, 3, 4])}
    lines |= {"nurse": np.array([1, 0, 0])}
    result = of(vectors=put(tmp_path / "v.txt", lines), representations=(), words=("carpenter", "nurse"))
    reasons = {item.what: item.why for item in result.excluded if item.kind in ("target", "attribute")}
    assert reasons["she / he"] == "she / he is excluded, since its words do not differ with gender erased."
    assert set(reasons) == {"she / he", "Woman / man", "nurse"}
    assert reasons["nurse"] == "nurse has no vector left with gender erased."
    # What is left of both other pairs is (1, −1) / √2: carpenter lies at (.6 − .8) / √2.
    assert result["projections"]["projection"].tolist() == pytest.approx([-0.2 / np.sqrt(2)], abs=1e-5)
    lines |= {"sister": np.array([2, 0, 1]), "queen": np.array([9, 0, 7])}
    with pytest.raises(NothingToScore, match="0 of 4 pairs are left with gender erased, and 2 are needed"):
        of(vectors=put(tmp_path / "w.txt", lines), representations=(), words=("carpenter", "nurse"))


def test_what_was_erased_is_said_and_kept(tmp_path: Path) -> None:
    result = of(load_tiny("bert"), representations=("input-embedding",))
    (fit,) = result["erased"].to_dict("records")
    text = methods_paragraph(result)
    assert f"fitted on {fit['n_male'] + fit['n_female']} gendered words (pronouns and nouns)" in text
    assert "before the direction was found by least-squares concept erasure" in text
    assert "words of the pairs, words that are projected and their partners held out" in text
    assert "Belrose" in " ".join(words.references(result))
    assert "Gender erased before (LEACE)." in words.material(result)
    assert "Gender was erased" in words.finding(result, result.places[0]).support
    assert any("Hall Maudslay" in source for source in result.provenance.data)
    result.save(tmp_path / "d.tilt")
    again = load(tmp_path / "d.tilt")
    assert again.spec == result.spec
    assert again["erased"].equals(result["erased"])


def test_a_finished_direction_is_not_fitted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run: Run[Any] = Run()
    first = of(load_tiny("bert"), run=run)
    monkeypatch.setattr(erasing, "leace", None)
    again: Run[Any] = Run()
    again.memory = run.memory
    assert of(load_tiny("bert"), run=again)["erased"].equals(first["erased"])


def test_it_is_a_model_after_without_training(pool: ModelPool) -> None:
    base = str(tiny_folder("bert"))
    asked = DirectionSpec(pairs=PAIRS, words=WORDS, representations=("input-embedding",))
    found = ChangeSpec(models=base, measured=asked, erased=True).run(pool=pool)
    before, after = (of(load_tiny("bert"), representations=("input-embedding",), erase=e) for e in ("nothing", "leace"))
    (row,) = found["summaries"].to_dict("records")
    assert row["before"] == pytest.approx(before["directions"]["direct_bias"].iloc[0], abs=1e-9)
    assert row["after"] == pytest.approx(after["directions"]["direct_bias"].iloc[0], abs=1e-9)
    assert found.children == ("bert, gender erased",)
    assert any("Nothing was trained" in note.text for note in found.notes)


def test_the_commands_erase_too(capsys: pytest.CaptureFixture[str]) -> None:
    base = str(tiny_folder("bert"))
    asked = [
        *("--representation", "input-embedding"),
        *(part for pair in PAIRS for part in ("--pair", "/".join(pair))),
        *(part for word in WORDS for part in ("--word", word)),
    ]
    found = Command("direction").document(capsys, *asked, "--model", base, "--erase", "leace")
    expected = of(load_tiny("bert"), representations=("input-embedding",))["directions"]["direct_bias"].iloc[0]
    assert found["tables"]["directions"][0]["direct_bias"] == pytest.approx(expected, abs=1e-6)
    assert [row["rank"] for row in found["tables"]["erased"]] == [1]
    change = Command("change").document(capsys, "direction", *asked, "--base", base, "--erased")
    assert [row["after"] for row in change["tables"]["summaries"]] == [pytest.approx(expected, abs=1e-6)]
