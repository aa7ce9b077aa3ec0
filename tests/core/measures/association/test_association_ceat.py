"""CEAT against ``metrics.ceat`` on vectors that the test pools itself, and what it says where it cannot be computed."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import numpy as np
import pytest

from core.errors import NothingToScore
from core.measures.association.contexts import MAX_CONTEXTS
from core.measures.association.metric import ComputedInContexts, SetSizes, contextual_test
from core.measures.association.result import AssociationResult
from core.measures.association.spec import AskedTest, AssociationSpec, read_sentences
from core.run import Run
from core.sources import association_test, own_test
from core.spec import File
from tests.support.association import cells, document, lost, plain, refusals, row, run
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

SETS = {
    "X": ("engineer", "programmer"),
    "Y": ("nurse", "chairwoman"),
    "A": ("he", "man"),
    "B": ("she", "woman"),
}
TEST = own_test(*SETS.values())
FRAMES = ("The {} said that {} was tired.", "A {} knew that {} had done it.", "“{} and {} are friends”")
# Each profession beside each pronoun, and two sentences for man and woman; (sentence, word as it stands there)
SENTENCES = [
    *(
        frame.format(entry, other)
        for frame, entry, other in itertools.product(FRAMES, SETS["X"] + SETS["Y"], ("he", "she"))
    ),
    "The Man is a teacher.",
    "Then the WOMAN and the man were there.",
    "They know the other doctor.",  # none of the words: "the" holds a "he" that is no word
]


def ceat(sentences: list[str], test: Any = TEST, *, layer: int | None = None, **options: Any) -> AssociationResult:
    options = {"ceat_samples": 50, **options}
    return run(
        [load_tiny("bert")],
        [test],
        ["input-embedding"],
        layer=layer,
        **options,
        sentences=sentences,
    )


def contexts_of(word: str) -> list[tuple[str, str]]:
    """Sentences in which a word of letters stands between others than letters, by splitting; and its form there."""
    found = []
    for sentence in SENTENCES:
        bare = "".join(letter if letter.isalpha() else " " for letter in sentence).split()
        found += [(sentence, form) for form in bare if form.lower() == word]
    return found


def pooled(word: str, layer: int) -> Any:
    """[context, width] from plain transformers calls; "man" is told from the end of "woman" by the space before it."""
    model = plain(tiny_folder("bert"))
    vectors = []
    for sentence, form in contexts_of(word):
        start = f" {sentence}".replace("“", " ").replace("”", " ").index(f" {form} ")
        before = len(model.ids(sentence[:start], special=False))
        until = len(model.ids(sentence[: start + len(form)], special=False))
        vectors.append(model.states(sentence)[layer, model.front + before : model.front + until].mean(axis=0))
    return np.stack(vectors)


@pytest.mark.parametrize(("layer", "ddof", "variance"), [(None, 1, "authors"), (1, 0, "formula")])
def test_equals_the_metric_on_vectors_pooled_here(layer: int | None, ddof: int, variance: str) -> None:
    expected = contextual_test(
        *([pooled(word, -1 if layer is None else layer) for word in words] for words in SETS.values()),
        asked=SetSizes(2, 2, 2, 2),
        ddof=ddof,
        seed=7,
        samples=50,
        variance="authors" if variance == "authors" else "formula",
    )
    assert isinstance(expected, ComputedInContexts)
    result = ceat(SENTENCES, layer=layer, ddof=ddof, seed=7, ceat_variance=variance)
    found = row(result, representation="ceat")
    for name in ("effect_size", "test_statistic"):
        assert found[name] == pytest.approx(getattr(expected, name), rel=1e-4, abs=1e-5), name
    # Two words a set are too few for an interval and for a p that is no permutation's.
    assert np.isnan([found.ci_low, found.ci_high, found.p_two_sided]).all()
    assert "own by ceat: interval and p not computed, n too small (X 2 of at least 6, Y 2 of at least 6 members)" in {
        item.why.removesuffix(".") for item in result.excluded
    }
    assert (found.p_kind, found.n_permutations, found.ddof) == ("random effects", 50, ddof)
    assert (found.n_x, found.n_y, found.n_a, found.n_b) == (2, 2, 2, 2)
    assert found.layer == ("last" if layer is None else "1")
    (cell,) = (cell for cell in cells(result) if cell.representation == "ceat")
    np.testing.assert_allclose(cell.s_x, expected.s_x, rtol=1e-4, atol=1e-6)
    bars = result["distribution"][result["distribution"]["representation"] == "ceat"]
    assert bars["count"].sum() == 50
    assert bars["low"].min() - 1e-3 <= expected.distribution.min()
    assert bars["high"].max() + 1e-3 >= expected.distribution.max()
    assert bars.loc[bars["in_tail"], "count"].sum() == pytest.approx(
        np.count_nonzero(expected.distribution * np.sign(expected.effect_size) >= 0), abs=1
    )
    assert (cell.members_x, cell.members_b) == (SETS["X"], SETS["B"])


def test_the_contexts_of_this_test_are_those_it_says() -> None:
    assert [len(contexts_of(word)) for words in SETS.values() for word in words] == [6, 6, 6, 6, 12, 2, 12, 1]


def test_seed_and_samples() -> None:
    first, again, other = (row(ceat(SENTENCES, seed=seed), representation="ceat") for seed in (1, 1, 2))
    assert first.effect_size == again.effect_size
    assert first.effect_size != other.effect_size
    assert row(ceat(SENTENCES, ceat_samples=7), representation="ceat").n_permutations == 7


def test_no_more_contexts_than_the_cap() -> None:
    """The words beside the capped one have so few contexts that each is met: one number changes with the cap's draw."""
    long = [*SENTENCES, *(f"he is number {number}" for number in range(MAX_CONTEXTS))]
    capped = [row(ceat(long, seed=seed), representation="ceat").effect_size for seed in (0, 0, 1)]
    assert capped[0] == capped[1]
    assert capped[0] != capped[2]
    assert any("at most 200 places" in note.text for note in ceat(long).notes)


def test_the_screen_says_that_samples_share_sentences() -> None:
    (note,) = ceat(SENTENCES).notes
    assert note.text.startswith("CEAT: the samples share sentences, so its p shrinks with their number")


def test_words_in_no_sentence_are_lost_by_set() -> None:
    test = own_test(("engineer", "programmer", "zqx"), SETS["Y"], SETS["A"], ("she", "woman", "daughter"))
    result = ceat(SENTENCES, test)
    assert lost(result, "ceat") == {
        ("X", "zqx"): "zqx is in none of the sentences",
        ("B", "daughter"): "daughter is in none of the sentences",
    }
    found = row(result, representation="ceat")
    assert (found.n_x, found.n_y, found.n_a, found.n_b) == (2, 2, 2, 2)
    assert found.effect_size == row(ceat(SENTENCES), representation="ceat").effect_size


def test_too_few_words_in_the_sentences() -> None:
    result = ceat([sentence for sentence in SENTENCES if "nurse" not in sentence])
    found = row(result, representation="ceat")
    assert np.isnan(found.effect_size)
    assert refusals(result.excluded) == ["own by ceat: not computed, Y kept 1 of 2"]
    (line,) = (line for line in document(result)["tables"]["tests"] if line["representation"] == "ceat")
    assert {line[name] for name in ("effect_size", "p_two_sided", "n_x", "ci_low", "test_statistic")} == {None}
    assert refusals(ceat(["They know the other."]).excluded) == [
        "own by ceat: not computed, X kept 0 of 2, Y kept 0 of 2, A kept 0 of 2, B kept 0 of 2"
    ]


def test_tests_of_sentences_are_refused() -> None:
    result = ceat(SENTENCES, association_test("irani"))
    reason = "irani by ceat: not computed, the members are sentences, and CEAT looks for words in sentences"
    assert reason in refusals(result.excluded)


def test_a_row_says_why_it_has_no_one_sided_p() -> None:
    """A value that is missing is explained: CEAT has one p, which is two-sided."""
    result = ceat(SENTENCES)
    found = row(result, representation="ceat")
    assert np.isnan(float(found.p_one_sided))
    assert any(item.representation == "ceat" and "one-sided" in item.why for item in result.excluded)


def test_kurita_s_rule_holds_for_the_words_in_sentences() -> None:
    test = own_test(SETS["X"], ("nurse", "chairwoman", "secretary"), SETS["A"], SETS["B"])
    sentences = [*SENTENCES, "The secretary was tired.", "They asked the secretary."]
    result = ceat(sentences, test, lost="several pieces")
    assert lost(result, "ceat") == {("Y", "chairwoman"): "chairwoman = chair + ##woman: not a single token"}
    assert row(result, representation="ceat").n_y == 2
    equal = row(ceat(sentences, test, unequal="drop"), representation="ceat")
    assert (equal.n_x, equal.n_y) == (2, 2)


def test_ceat_needs_no_other_representation() -> None:
    alone = run([load_tiny("bert")], [TEST], [], ceat_samples=50, sentences=SENTENCES)
    assert alone["tests"]["representation"].tolist() == ["ceat"]
    assert alone["tests"]["effect_size"].tolist() == [row(ceat(SENTENCES), representation="ceat").effect_size]


def test_nothing_to_score_without_any_context() -> None:
    with pytest.raises(NothingToScore, match="own by ceat: not computed, X kept 0 of 2"):
        run([load_tiny("bert")], [TEST], ["lpbs"], sentences=["They know the other."])


def test_what_was_assumed_in_reading_the_sentences_is_said() -> None:
    """A file in another encoding than UTF-8 is read by a guess, which every reader of the result must see."""
    content = "\n".join([*SENTENCES, "Das Café war zu."]).encode("cp1252")
    spec = AssociationSpec(
        tests=(AskedTest.of(TEST),), representations=(), sentences=(File.of("latin.txt", content),), ceat_samples=50
    )
    assert read_sentences(spec.sentences).notes
    result = spec.measure([load_tiny("bert")], Run(spec))
    assert set(read_sentences(spec.sentences).notes) <= {note.text for note in result.notes}
    assert "sentences of latin.txt" in result.provenance.data


def test_the_sentences_are_known_by_their_content() -> None:
    """SHA-256 of the sentences, a line each, is what ``sha256sum`` prints for such a file."""
    digest = hashlib.sha256("".join(f"{sentence}\n" for sentence in SENTENCES).encode()).hexdigest()
    assert f"{len(SENTENCES)} sentences, SHA-256 {digest}" in ceat(SENTENCES).provenance.data
