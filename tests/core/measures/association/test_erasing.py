"""Association tests of vectors that gender was erased from: fitted on what, applied to all, and said."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import NothingToScore
from core.measures.association import words
from core.measures.association.compute import ERASED
from core.measures.association.erasing import FEW_WORDS, gendered
from core.measures.association.result import AssociationResult
from core.measures.shared.representations import OF_WORDS
from core.report.captions import caption
from core.report.methods import methods_paragraph
from core.result import Note
from core.sources import AssociationTest, association_test, gender_pairs, own_test
from tests.support.association import plain, refusals, row, run, weat_d
from tests.support.erasure import erased
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

X, Y = ("engineer", "programmer", "manager"), ("nurse", "secretary", "housekeeper")
A, B = ("he", "Man", "brother"), ("she", "woman", "sister")
TEST = own_test(X, Y, A, B, templates=("[TARGET] is a [ATTRIBUTE].",), group1=("he",), group2=("she",))
FRAMES = ("This is {}.", "That is {}.", "There is {}.", "It is {}.")
Vector = np.ndarray


def fitted_words(test_words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Male and female words of the pairs that hold no word of the test, whatever its case; each once."""
    taken = {word.lower() for word in test_words}
    pairs = [(male, female) for male, female in gender_pairs() if not {male, female} & taken]
    return sorted({male for male, _ in pairs}), sorted({female for _, female in pairs})


def one_input_each(words_of: tuple[list[str], list[str]], key: Callable[[str], object]) -> tuple[list[str], list[str]]:
    """Without words that are the same input as an earlier one of their side, or as one of the other side."""
    keys = [{key(word): word for word in reversed(side)} for side in words_of]
    male, female = ([word for k, word in keys[at].items() if k not in keys[1 - at]] for at in (0, 1))
    return male, female


def d_after(vector: Callable[[str], Vector], male: Sequence[str], female: Sequence[str]) -> float:
    one, other = (np.stack([vector(word) for word in side]) for side in (male, female))
    return weat_d(*(erased(np.stack([vector(word) for word in names]), one, other) for names in (X, Y, A, B)))


def write(path: Path, every: Sequence[str], width: int = 6) -> dict[str, Vector]:
    generator = np.random.default_rng(5)
    vectors = {word: generator.normal(size=width).round(4) for word in dict.fromkeys(every)}
    path.write_text("".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in vectors.items()))
    return vectors


def test_a_file_of_vectors_is_erased_by_the_words_that_are_not_the_test_s(tmp_path: Path) -> None:
    """d of the closed form in numpy, fitted on the list without he, man, brother and their partners.

    In 6 dimensions the words are more than the dimensions, so that nothing hangs on the shrinking alone.
    """
    every = [word for pair in gender_pairs() for word in pair]
    vectors = write(tmp_path / "v.txt", [*X, *Y, *A, *B, *every])
    result = run([], [TEST], [], vectors=tmp_path / "v.txt", erase="leace")
    male, female = fitted_words((*A, *B))
    assert {"he", "man", "brother", "she", "woman", "sister"}.isdisjoint({*male, *female})
    assert {"his", "her", "men", "brothers"} < {*male, *female}  # other forms of the test's words stay
    expected = d_after(vectors.__getitem__, male, female)
    found = row(result, test="own")
    assert found.effect_size == pytest.approx(expected, rel=1e-5)
    plainly = row(run([], [TEST], [], vectors=tmp_path / "v.txt"), test="own").effect_size
    assert abs(found.effect_size - plainly) > 0.01
    (fit,) = result["erased"].to_dict("records")
    assert (fit["n_male"], fit["n_female"], fit["vectors"]) == (len(male), len(female), len(male) + len(female))
    assert (fit["held_out"], fit["lost"], fit["rank"], fit["width"]) == (6, 0, 1, 6)
    assert result.notes == (Note(ERASED),)  # more vectors than dimensions: nothing about few words


@pytest.mark.parametrize(
    ("kind", "vector"),
    [
        ("pooled-no-context", lambda model, word: model.word(word, word)[-1]),
        ("input-embedding", lambda model, word: model.input_vector(word)),
        (
            "pooled-in-templates",
            lambda model, word: np.mean([model.in_frame(frame, word)[-1] for frame in FRAMES], axis=0),
        ),
    ],
)
def test_a_model_is_erased_in_the_representation_that_is_tested(kind: str, vector: Any) -> None:
    """The same by vectors from plain transformers calls; width 32, so the words are more than the dimensions."""
    model = plain(tiny_folder("bert"))
    kept = one_input_each(fitted_words((*A, *B)), lambda word: tuple(model.ids(word)))
    found = run([load_tiny("bert")], [TEST], [kind], erase="leace")
    (fit,) = found["erased"].to_dict("records")
    assert (fit["n_male"], fit["n_female"]) == tuple(map(len, kept))
    expected = d_after(lambda word: vector(model, word), *kept)
    assert row(found, test="own").effect_size == pytest.approx(expected, rel=1e-3)


def test_by_default_nothing_is_erased() -> None:
    result = run([load_tiny("bert")], [TEST], ["pooled-no-context"])
    assert result["erased"].empty
    assert ERASED not in {note.text for note in result.notes}
    assert not result["layers"].empty
    assert "erase" not in methods_paragraph(result)


def test_lpbs_is_refused_and_the_others_are_computed() -> None:
    result = run([load_tiny("bert")], [TEST], ["lpbs", "input-embedding"], erase="leace")
    assert refusals(result.excluded) == [
        "own by lpbs: not computed, LPBS reads no vectors, so there is nothing to erase gender from"
    ]
    assert math.isnan(row(result, representation="lpbs").effect_size)
    assert math.isfinite(row(result, representation="input-embedding").effect_size)
    with pytest.raises(NothingToScore, match="LPBS reads no vectors"):
        run([load_tiny("bert")], [TEST], ["lpbs"], erase="leace")


def test_every_representation_of_vectors_can_be_erased() -> None:
    kinds = (*OF_WORDS, "partner-masked")
    result = run([load_tiny("bert"), load_tiny("gpt2")], [TEST], kinds, erase="leace")
    assert refusals(result.excluded) == [
        "own by partner-masked: not computed, X kept 0 of 3, Y kept 0 of 3, A kept 0 of 3, B kept 0 of 3"
    ]
    assert len(result["erased"]) == 2 * len(kinds) - 1
    assert result["layers"].empty
    assert set(result["erased"]["rank"]) == {1}


def test_swapping_the_targets_flips_the_sign() -> None:
    kinds = ["pooled-no-context", "input-embedding"]
    there, back = (
        run([load_tiny("bert")], [own_test(*sets, A, B)], kinds, erase="leace")["tests"]["effect_size"]
        for sets in ((X, Y), (Y, X))
    )
    assert back.to_numpy() == pytest.approx(-there.to_numpy(), rel=1e-6)


def test_where_the_members_are_sentences_so_are_the_fitted_ones() -> None:
    """Four sentences a word, and the words of SEAT 7's sentences are held out in singular and plural."""
    test = association_test("seat-weat7")
    own = gendered(test)
    assert "This is he." not in own.x.members
    assert "This is father." in own.x.members
    assert {"This is brother.", "It is brothers.", "That is girls."}.isdisjoint({*own.x.members, *own.y.members})
    assert len(own.x.members) % 4 == 0
    result = run([load_tiny("bert")], [test], ["input-embedding"], erase="leace")
    (fit,) = result["erased"].to_dict("records")
    assert fit["n_male"] + fit["n_female"] + fit["lost"] == len(own.x.members) + len(own.y.members)
    assert fit["vectors"] == fit["n_male"] + fit["n_female"]


def test_ceat_is_fitted_on_every_place_of_a_word() -> None:
    """his twice and her twice, father and mother once: 3 vectors of each side of 2 words; he and she are the test's."""
    sentences = [
        *(f"The {word} said that {person} was there." for word in (*X, *Y) for person in ("he", "she")),
        "The man saw his brother and his friend.",
        "The woman saw her sister and her friend.",
        "A father was here.",
        "A mother was there.",
    ]
    test: AssociationTest = own_test(X, Y, ("he",), ("she",))
    result = run([load_tiny("bert")], [test], [], sentences=sentences, erase="leace", ceat_samples=20)
    (fit,) = result["erased"].to_dict("records")
    male, female = (
        sum(f" {word} " in f" {text} ".replace(".", " ") for text in sentences for word in side)
        for side in fitted_words(("he", "she"))
    )
    assert (fit["n_male"], fit["n_female"]) == (4, 4)  # man, his, brother, father; woman, her, sister, mother
    assert fit["vectors"] == male + female + 2 == 10  # the second his and the second her
    assert math.isfinite(row(result, test="own").effect_size)


def test_too_few_words_are_a_sentence(tmp_path: Path) -> None:
    """father alone of the male words: no spread to fit on."""
    write(tmp_path / "v.txt", [*X, *Y, *A, *B, "father", "mother", "aunt"])
    with pytest.raises(NothingToScore) as caught:
        run([], [TEST], [], vectors=tmp_path / "v.txt", erase="leace")
    assert str(caught.value) == (
        "No test could be computed. own by vectors: not computed, LEACE needs 2 words of either side, and 1 and 2 "
        "could be read."
    )


def test_what_was_erased_is_said() -> None:
    """In notes, in the methods with how many words and dimensions, and in the caption of a figure."""
    result = run([load_tiny("bert")], [TEST], ["input-embedding"], erase="leace")
    assert Note(ERASED) in result.notes
    assert Note(FEW_WORDS) not in result.notes
    (fit,) = result["erased"].to_dict("records")
    text = methods_paragraph(result)
    assert f"fitted on {fit['n_male'] + fit['n_female']} gendered words (pronouns and nouns)" in text
    assert "of 32 dimensions" in text
    assert "erased 1 of the dimensions" in text
    assert "Belrose" in text
    assert "linear" in text
    assert "Gender erased before the test (LEACE)." in " ".join(words.material(result))
    assert "LEACE" in repr(caption(result, "A figure"))
    assert any("Hall Maudslay" in source for source in result.provenance.data)


def test_few_words_for_many_dimensions_are_said(tmp_path: Path) -> None:
    every = [word for pair in gender_pairs()[:20] for word in pair]
    write(tmp_path / "v.txt", [*X, *Y, *A, *B, *every], width=80)
    result = run([], [TEST], [], vectors=tmp_path / "v.txt", erase="leace")
    assert Note(FEW_WORDS) in result.notes


def test_a_finished_combination_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    memory: dict[Any, Any] = {}
    options: dict[str, Any] = {"erase": "leace", "memory": memory}
    first: AssociationResult = run([load_tiny("bert")], [TEST], ["input-embedding"], **options)
    monkeypatch.setattr("core.measures.association.erasing.leace", None)
    assert run([load_tiny("bert")], [TEST], ["input-embedding"], **options)["erased"].equals(first["erased"])
