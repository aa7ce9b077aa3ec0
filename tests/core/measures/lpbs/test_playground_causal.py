"""LPBS of causal models with fixed probabilities; every expected value is worked by hand beside it."""

from __future__ import annotations

from math import log

import pytest

from core.engine.loading import LoadedModel
from core.measures.lpbs.compute import explain
from core.result import Group
from core.sources.templates import Template
from tests.support import tiny_tokenizers
from tests.support.lpbs import run, spec_of
from tests.support.stubs import Probabilities, causal_stub, masked_stub

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
START = "<|endoftext|>"
IS_A = Template.parse("[TARGET] is a [ATTRIBUTE]")
SAID = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired")
TOLERANCE = 1e-5  # nats, float32
GPT2 = tiny_tokenizers.gpt2()


def test_worked_example() -> None:
    # P(He | start) .04, P(She | start) .01, the rest equal: ln 4 = 1.3863, and nothing of it is the attribute's.
    model = causal_stub(GPT2, {START: {"He": 0.04, "She": 0.01}})
    result = run([model], [IS_A], HE_SHE, ["nurse"])
    found = result["attributes"].iloc[0]
    assert found["log_ratio"] == pytest.approx(1.3863, abs=5e-5)
    assert found["lpbs"] == pytest.approx(0, abs=1e-9)
    assert found["prior_log_ratio"] == pytest.approx(1.3863, abs=5e-5)
    assert any("start token added" in note.text for note in result.notes)
    assert len(result["targets"]) == 2


def test_target_first_scores_the_attribute_and_what_follows() -> None:
    # ln (.1/.4) + ln (.5/.25) = ln .5. The words between, .6 and .3, and the targets, .04 and .01, are given:
    # they count in the log ratio only, ln 4 + ln 2 + ln .5 = ln 4.
    model = causal_stub(
        GPT2,
        {
            START: {"He": 0.04, "She": 0.01},
            f"{START} He": {"Ġis": 0.6},
            f"{START} She": {"Ġis": 0.3},
            f"{START} He Ġis Ġa": {"Ġnurse": 0.1},
            f"{START} She Ġis Ġa": {"Ġnurse": 0.4},
            f"{START} He Ġis Ġa Ġnurse": {"Ġhere": 0.5},
            f"{START} She Ġis Ġa Ġnurse": {"Ġhere": 0.25},
        },
    )
    result = run([model], [Template.parse("[TARGET] is a [ATTRIBUTE] here")], HE_SHE, ["nurse"])
    found = result["attributes"].iloc[0]
    assert found["lpbs"] == pytest.approx(log(0.5), abs=TOLERANCE)
    assert found["log_ratio"] == pytest.approx(log(4), abs=TOLERANCE)
    assert found["prior_log_ratio"] == pytest.approx(log(8), abs=TOLERANCE)
    assert "the words after the attribute (“here”) are scored with it." in {note.text for note in result.notes}


def test_punctuation_after_the_attribute_needs_no_note() -> None:
    result = run([causal_stub(GPT2, {})], [Template.parse("[TARGET] is a [ATTRIBUTE].")], HE_SHE, ["nurse"])
    assert not any("words after" in note.text for note in result.notes)


def test_a_tokenizer_with_a_start_token_of_its_own_needs_no_note() -> None:
    result = run([causal_stub(tiny_tokenizers.opt(), {})], [IS_A], HE_SHE, ["nurse"])
    assert result.notes
    assert not any("start token" in note.text for note in result.notes)


def test_words_of_several_pieces_are_scored_as_they_are() -> None:
    pieces = GPT2.tokenize("Chairwoman")
    assert len(pieces) > 1
    chain: dict[str, Probabilities] = {
        " ".join([START, *pieces[:i]]): {piece: 0.5} for i, piece in enumerate(pieces)
    } | {START: {pieces[0]: 0.5, "He": 0.25}}
    groups = (Group("one", ("chairwoman",)), Group("two", ("he",)))
    result = run([causal_stub(GPT2, chain)], [IS_A], groups, ["nurse"])
    assert result["attributes"].iloc[0]["log_ratio"] == pytest.approx(len(pieces) * log(0.5) - log(0.25), abs=TOLERANCE)


def said_model() -> LoadedModel:
    """P(he), P(she) after each attribute; " was" follows he with .8 and she with .4."""
    probabilities = {"nurse": (0.2, 0.6), "engineer": (0.5, 0.1), "doctor": (0.2, 0.2), "teacher": (0.1, 0.3)}
    after: dict[str, Probabilities] = {}
    for attribute, (he, she) in probabilities.items():
        beginning = f"{START} The Ġ{attribute} Ġsaid Ġthat"
        after[beginning] = {"Ġhe": he, "Ġshe": she}
        after[f"{beginning} Ġhe"], after[f"{beginning} Ġshe"] = {"Ġwas": 0.8}, {"Ġwas": 0.4}
    return causal_stub(GPT2, after, name="gpt")


def test_target_last_is_held_against_the_mean_over_the_attributes() -> None:
    # he: mean (.2 + .5 + .2) / 3 = .3; she: (.6 + .1 + .2) / 3 = .3.
    # nurse ln (.2/.3) − ln (.6/.3) = −ln 3; engineer ln 5; doctor 0; log ratios ln 2 more, from " was".
    result = run([said_model()], [SAID], HE_SHE, ["nurse", "engineer", "doctor"])
    assert result["attributes"]["lpbs"].tolist()[:3] == pytest.approx([-log(3), log(5), 0], abs=TOLERANCE)
    assert result["attributes"]["log_ratio"].tolist()[:3] == pytest.approx([log(2 / 3), log(10), log(2)], abs=TOLERANCE)
    assert result["targets"]["ln_p_prior"].tolist() == pytest.approx([log(0.3)] * 6, abs=TOLERANCE)
    assert result["targets"]["ln_p_target"].tolist()[:2] == pytest.approx([log(0.2), log(0.6)], abs=TOLERANCE)
    assert any("the prior is a mean over 3 attributes" in note.text for note in result.notes)


def test_the_mean_runs_over_the_attributes_that_stay() -> None:
    """The other model has no piece for "teacher…": the attribute leaves both, and the mean with it."""
    texts: dict[str, list[Probabilities]] = {
        f"the {word} said that [MASK] was tired": [{"he": 0.1, "she": 0.1}] for word in ("nurse", "engineer", "doctor")
    }
    vocabulary = tiny_tokenizers.wordpiece_vocabulary(specials=tiny_tokenizers.BERT_SPECIALS, cased=False)
    pieces = [piece for piece in vocabulary if piece not in ("teacher", "t")]
    bert = tiny_tokenizers.BertTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, do_lower_case=True)
    masked = masked_stub(bert, {**texts, "the [MASK] said that [MASK] was tired": [{}, {"he": 0.1, "she": 0.1}]})
    words = ["nurse", "engineer", "doctor", "teacher"]
    result = run([said_model(), masked], [SAID], HE_SHE, words)
    gpt = result["attributes"][result["attributes"]["model"] == "gpt"]
    assert gpt["lpbs"].tolist()[:3] == pytest.approx([-log(3), log(5), 0], abs=TOLERANCE)
    assert gpt["lpbs"].isna().tolist() == [False, False, False, True]
    overall = result["overall"].set_index("model")
    assert overall.loc["gpt", "lpbs"] == pytest.approx((-log(3) + log(5)) / 3, abs=TOLERANCE)
    assert overall["n"].tolist() == [3, 3]
    assert [item.what for item in result.excluded if item.kind == "attribute"] == ["teacher", "teacher"]
    assert any("the prior is a mean over 3 attributes" in note.text for note in result.notes)
    # Kept in both, teacher would move the mean: he (.2 + .5 + .2 + .1) / 4 = .25, she (.6 + .1 + .2 + .3) / 4 = .3
    own = run([said_model(), masked], [SAID], HE_SHE, words, {"common_words": False})
    assert own["attributes"]["lpbs"].iloc[0] == pytest.approx(log(0.2 / 0.25) - log(0.6 / 0.3), abs=TOLERANCE)


def test_explanation_with_the_target_first() -> None:
    nurse, doctor = {"Ġnurse": 0.4, "Ġteacher": 0.3}, {"Ġdoctor": 0.5, "Ġnurse": 0.2}
    model = causal_stub(GPT2, {f"{START} He Ġis Ġa": doctor, f"{START} She Ġis Ġa": nurse})
    found = explain(model, IS_A, "nurse", spec_of([IS_A], HE_SHE, ["nurse"]))
    assert found.asked == (("“he”", "He is a nurse"), ("“she”", "She is a nurse"))
    (he, he_fills), (she, she_fills) = found.fills
    assert (he, she) == ("after “He is a”", "after “She is a”")
    assert [(fill.word, pytest.approx(fill.probability, abs=TOLERANCE)) for fill in he_fills[:2]] == [
        ("doctor", 0.5),
        ("nurse", 0.2),
    ]
    assert [fill.word for fill in she_fills[:2]] == ["nurse", "teacher"]
    assert len(he_fills) == len(she_fills) == 10


def test_explanation_with_the_target_last() -> None:
    found = explain(said_model(), SAID, "nurse", spec_of([SAID], HE_SHE, ["nurse"]))
    assert found.asked == (("beginning", "The nurse said that"),)
    ((caption, fills),) = found.fills
    assert caption == "after “The nurse said that”"
    assert [fill.word for fill in fills[:2]] == ["she", "he"]
    assert [fill.probability for fill in fills[:2]] == pytest.approx([0.6, 0.2], abs=TOLERANCE)
    assert len(fills) == 10
