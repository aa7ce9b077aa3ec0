"""Each representation's d against one worked here from a plain transformers call: states pooled by hand, then numpy.

The sentences that a representation reads are written out here too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core import sources
from core.engine.loading import LoadedModel
from core.errors import OptionError
from core.measures.association.result import AssociationResult
from core.measures.shared.representations import REPRESENTATIONS, representation_by_id
from core.result import Note
from core.sources import AssociationTest, Placed, Placement, own_test
from core.sources.association_tests import WordSet
from tests.support.association import MASK, Plain, Vectors, document, plain, refusals, row, run, weat_d
from tests.support.paths import EMBEDDED
from tests.support.tiny import tiny_folder
from tests.support.watching import load_tiny

SETS = {
    "X": ("engineer", "programmer", "chairman"),
    "Y": ("nurse", "secretary", "chairwoman"),  # the last is several pieces
    "A": ("man", "brother"),
    "B": ("woman", "sister", "daughter"),
}
WORDS = own_test(
    *SETS.values(),
    templates=("The [ATTRIBUTE] said that the [TARGET] was tired.", "[TARGET] is a [ATTRIBUTE]."),
    group1=("he",),
    group2=("she",),
)
FRAMES = ("This is {}.", "That is {}.", "There is {}.", "It is {}.")
WITH_VECTORS = tuple(representation.id for representation in REPRESENTATIONS if representation.place != "scores")
FAMILIES = ("bert", "roberta", "albert", "gpt2", "llama", "bert-encoder")
DECODERS = ("gpt2", "llama")


def partner_texts(letter: str, word: str) -> tuple[tuple[str, str], ...]:
    """The other slot masked; X and Y take [TARGET], since the groups stand for them."""
    if letter in "XY":
        capital = word.capitalize()
        return ((f"The {MASK} said that the {word} was tired.", word), (f"{capital} is a {MASK}.", capital))
    return ((f"The {word} said that the {MASK} was tired.", word), (f"{MASK} is a {word}.", word))


Reading = Callable[[Plain, str, str, bool], Vectors]  # model, set, word, decoder → one vector


def in_frames(read: Callable[[Plain, str, str, bool], Vectors]) -> Reading:
    def mean(model: Plain, _letter: str, word: str, decoder: bool) -> Vectors:
        found: Vectors = np.mean([read(model, frame.format(word), word, decoder) for frame in FRAMES], axis=0)
        return found

    return mean


def stands_for_cls(decoder: bool) -> int:
    return -1 if decoder else 0


EXPECTED: dict[str, Reading] = {
    "input-embedding": lambda model, _letter, word, _decoder: model.input_vector(word),
    "cls-in-templates": in_frames(lambda model, text, _word, decoder: model.states(text)[-1, stands_for_cls(decoder)]),
    "cls-no-context": lambda model, _letter, word, decoder: model.states(word)[-1, stands_for_cls(decoder)],
    "pooled-no-context": lambda model, _letter, word, _decoder: model.word(word, word)[-1],
    "pooled-in-templates": in_frames(lambda model, text, word, _decoder: model.word(text, word)[-1]),
    "first-piece-in-templates": in_frames(
        lambda model, text, word, _decoder: model.states(text)[-1, model.places(text, word)[0]]
    ),
    "vulic": lambda model, _letter, word, _decoder: model.word(word, word)[1:5].mean(axis=0),
    "partner-masked": lambda model, letter, word, _decoder: np.mean(
        [model.word(text, shown)[-1] for text, shown in partner_texts(letter, word)], axis=0
    ),
    "layer-11-mean": in_frames(lambda model, text, _word, _decoder: model.states(text)[-2].mean(axis=0)),
    "last-two-layers-mean": in_frames(lambda model, text, _word, _decoder: model.states(text)[-2:].mean(axis=(0, 1))),
}


def expected_d(model: Plain, one: str, *, decoder: bool = False, ddof: int = 1) -> float:
    return weat_d(
        *([EXPECTED[one](model, letter, word, decoder) for word in words] for letter, words in SETS.items()), ddof=ddof
    )


@functools.cache
def result_of(family: str) -> AssociationResult:
    return run([load_tiny(family)], [WORDS], WITH_VECTORS)


def test_every_representation_is_tested() -> None:
    assert EXPECTED.keys() == set(WITH_VECTORS)


# A decoder has no mask to hide the partner behind; a test below says what it gives instead.
CASES = [
    (family, with_vector)
    for family in FAMILIES
    for with_vector in WITH_VECTORS
    if family not in DECODERS or with_vector != "partner-masked"
]


@pytest.mark.parametrize(("family", "one"), CASES)
def test_d_is_that_of_a_plain_call(family: str, one: str) -> None:
    found = row(result_of(family), representation=one)
    expected = expected_d(plain(tiny_folder(family)), one, decoder=family in DECODERS)
    assert found.effect_size == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert (found.n_x, found.n_y, found.n_a, found.n_b) == (3, 3, 2, 3)
    assert (found.p_kind, found.n_permutations) == ("exact", 20)  # 6 over 3
    assert np.isnan([found.ci_low, found.ci_high]).all()  # 3 of at least 6 members


def test_the_representations_differ() -> None:
    """Ten numbers apart from each other: reading one for another would be noticed."""
    found = np.sort(result_of("bert")["tests"]["effect_size"].to_numpy())
    assert len(found) == 10
    assert np.diff(found).min() > 1e-3


@pytest.mark.parametrize("one", WITH_VECTORS)
def test_d_on_the_embedded_model(embedded: LoadedModel, one: str) -> None:
    """Six layers: here Vulić's layers 1 to 4 are neither all layers nor the last ones."""
    found = row(run([embedded], [WORDS], [one], ddof=0), representation=one)
    assert found.effect_size == pytest.approx(expected_d(plain(EMBEDDED), one, ddof=0), rel=1e-3, abs=1e-4)
    assert found.ddof == 0
    assert found.templates == {"partner-masked": 2}.get(one, 4 if representation_by_id(one).place == "templates" else 0)


# [layer, width] of a word, whatever layers the representation itself is defined on
DEPTHS: dict[str, Reading] = {
    "cls-in-templates": in_frames(lambda model, text, _word, _decoder: model.states(text)[:, 0]),
    "pooled-no-context": lambda model, _letter, word, _decoder: model.word(word, word),
    "vulic": lambda model, _letter, word, _decoder: model.word(word, word),
    "last-two-layers-mean": in_frames(lambda model, text, _word, _decoder: model.states(text).mean(axis=1)),
}


def d_at(model: Plain, one: str, layer: int) -> float:
    return weat_d(*([DEPTHS[one](model, letter, word, False)[layer] for word in SETS[letter]] for letter in SETS))


@pytest.mark.parametrize("one", ["pooled-no-context", "vulic", "last-two-layers-mean"])
@pytest.mark.parametrize("layer", [0, 2, 6])
def test_the_layer_option_reads_that_layer_alone(embedded: LoadedModel, one: str, layer: int) -> None:
    found = row(run([embedded], [WORDS], [one], layer=layer), representation=one)
    assert found.effect_size == pytest.approx(d_at(plain(EMBEDDED), one, layer), rel=1e-3, abs=1e-4)
    assert found.layer == str(layer)


@pytest.mark.parametrize("one", DEPTHS)
def test_the_curve_over_layers_is_that_of_plain_calls(embedded: LoadedModel, one: str) -> None:
    """[CLS] hardly differs between words in the lower layers: s is 1e-7 there, which is what float32 rounds, so that
    the last digits of a batch would decide on d. A layer without a value is not compared here; in the first layers
    with one s still differs by 1e-5 and less, of which rounding is the hundredth part."""
    curve = run([embedded], [WORDS], [one])["layers"]
    found = dict(zip(curve["layer"], curve["effect_size"], strict=True))
    expected = {layer: d_at(plain(EMBEDDED), one, layer) for layer in found}
    assert found == pytest.approx(expected, rel=1e-2 if one == "cls-in-templates" else 1e-3, abs=1e-4)
    assert max(found) == 6
    if one != "cls-in-templates":
        assert list(found) == list(range(7))


def test_a_layer_without_a_value_has_no_point(embedded: LoadedModel) -> None:
    """[CLS] is the same for every word in the embeddings: no variation, so no d, and never NaN."""
    curve = run([embedded], [WORDS], ["cls-in-templates"])["layers"]
    assert curve["effect_size"].notna().all()
    assert 0 not in set(curve["layer"])


def test_each_row_names_its_layer(embedded: LoadedModel) -> None:
    found = run([embedded], [WORDS], WITH_VECTORS)["tests"]
    assert dict(zip(found["representation"], found["layer"], strict=True)) == {
        "input-embedding": "input",
        **dict.fromkeys(
            ("cls-in-templates", "cls-no-context", "pooled-no-context", "pooled-in-templates"), "last"
        ),
        **dict.fromkeys(("first-piece-in-templates", "partner-masked"), "last"),
        "vulic": "1–4",
        "layer-11-mean": "next to last",
        "last-two-layers-mean": "last two",
    }  # fmt: skip


def test_a_model_with_fewer_layers_than_vulic_reads_names_those_it_has() -> None:
    assert row(result_of("bert"), representation="vulic").layer == "1–2"


def as_sentences() -> AssociationTest:
    """The same words at level ``sentences``: every word in two of the frames, each sentence a member."""
    placed = {
        letter: tuple(
            Placed(frame.format(word), (frame.index("{"), frame.index("{") + len(word)))
            for word in words
            for frame in FRAMES[:2]
        )
        for letter, words in SETS.items()
    }
    x, y, a, b = (WordSet(letter, tuple(item.text for item in members)) for letter, members in placed.items())
    templates = sources.TestTemplates(
        tuple(Placement(letter, member.text, (member,)) for letter, members in placed.items() for member in members)
    )
    return replace(WORDS, id="seat", x=x, y=y, a=a, b=b, level="sentences", templates=templates, lpbs=None)


def test_seat_keeps_the_sentences_as_members() -> None:
    """Twice as many members as words, and no mean over the sentences of a word."""
    model = plain(tiny_folder("bert"))
    readings: dict[str, Callable[[str, str], NDArray[np.float64]]] = {
        "cls-in-templates": lambda text, _word: model.states(text)[-1, 0],
        "pooled-in-templates": lambda text, word: model.word(text, word)[-1],
        "first-piece-in-templates": lambda text, word: model.states(text)[-1, model.places(text, word)[0]],
        "layer-11-mean": lambda text, _word: model.states(text)[-2].mean(axis=0),
        "last-two-layers-mean": lambda text, _word: model.states(text)[-2:].mean(axis=(0, 1)),
    }
    result = run([load_tiny("bert")], [as_sentences()], list(readings))
    for reading, read in readings.items():
        found = row(result, representation=reading)
        sets = (
            [read(frame.format(word), word) for word in words for frame in FRAMES[:2]] for words in SETS.values()
        )  # fmt: skip
        assert found.effect_size == pytest.approx(weat_d(*sets), rel=1e-4, abs=1e-4), reading
        assert (found.n_x, found.n_y, found.n_a, found.n_b) == (6, 6, 4, 6)
        assert found.templates == 1
        assert found.n_permutations == 924  # 12 over 6
    averaged = row(result_of("bert"), representation="cls-in-templates")
    assert abs(averaged.effect_size - row(result, representation="cls-in-templates").effect_size) > 1e-3


def test_representations_that_read_words_refuse_sentences() -> None:
    names = ["cls-no-context", "pooled-no-context", "vulic", "partner-masked", "lpbs"]
    result = run([load_tiny("bert")], [as_sentences()], [*names, "cls-in-templates"])
    alone = "the members are sentences, and this representation reads words without context"
    assert refusals(result.excluded) == [
        *(f"seat by {name}: not computed, {alone}" for name in names[:3]),
        "seat by partner-masked: not computed, no template with a slot for the partner",
        "seat by lpbs: not computed, no template",
    ]
    assert result["tests"]["effect_size"].notna().tolist() == [False] * 5 + [True]


@pytest.mark.parametrize("family", DECODERS)
def test_a_decoder_has_no_mask_and_its_last_token_stands_for_cls(family: str) -> None:
    result = result_of(family)
    name = load_tiny(family).info.name
    assert Note("a causal (left-to-right) model has no [CLS]: its last token stands for it.", name) in result.notes
    (refused,) = (line for line in document(result)["tables"]["tests"] if line["effect_size"] is None)
    assert refused["representation"] == "partner-masked"
    assert refusals(result.excluded) == [
        "own by partner-masked: not computed, X kept 0 of 3, Y kept 0 of 3, A kept 0 of 2, B kept 0 of 3"
    ]
    reasons = {item.why.removesuffix(".") for item in result.excluded if item.what == "nurse"}
    assert reasons == {f"nurse stands in a sentence with a mask, which {name} does not have"}


def test_the_note_on_the_last_token_stands_only_where_one_was_read() -> None:
    assert run([load_tiny("gpt2")], [WORDS], ["pooled-no-context", "input-embedding"]).notes == ()
    assert len(run([load_tiny("gpt2")], [WORDS], ["cls-no-context"]).notes) == 1
    assert run([load_tiny("bert")], [WORDS], ["cls-no-context"]).notes == ()


def test_a_representation_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match=r"^There is no representation “cls”\. There are: input-embedding, .*lpbs\.$"):
        run([load_tiny("bert")], [WORDS], ["cls"])
    assert representation_by_id("vulic").title.startswith("Vulić")
