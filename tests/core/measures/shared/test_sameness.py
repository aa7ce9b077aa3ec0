"""Words that are one input to a model, and what a model cannot read: said, and never counted twice."""

from __future__ import annotations

from math import log
from typing import Any

import pytest

from core.engine.loading import LoadedModel
from core.errors import NothingToScore, TemplateError
from core.measures.shared.sameness import Named, not_told_apart
from core.result import Group
from core.sources import corpus, own_test
from core.sources.templates import Template
from tests.core.measures.lpbs.test_forms import loaded
from tests.support import association, tiny_tokenizers
from tests.support import profession_results as professions
from tests.support.lpbs import run
from tests.support.stubs import SAID, masked_stub, renamed, said, said_model

HE_SHE = (Group("he", ("he",)), Group("she", ("she",)))
EVEN = {"he": 0.2, "she": 0.2, "him": 0.1, "her": 0.1}
# nurse: he ln(.1 / .2), she ln(.4 / .2): LPBS −ln 4. teacher: LPBS ln 2.
TWO = {"nurse": {"he": 0.1, "she": 0.4, "him": 0.1, "her": 0.1}, "teacher": {"he": 0.4, "she": 0.2}}


def test_by_hand() -> None:
    """b stands twice in one set; c and C are of both sets; what cannot be read (None) is another matter."""
    found = not_told_apart(
        [Named("X", ("a", "b", "B", "c", "?"), (1, 2, 2, 3, None)), Named("Y", ("C", "d", "!"), (3, 4, None))]
    )
    assert found == [
        {
            2: "is the same input as “b” to this model, and is counted once",
            3: "is the same input as “C” of Y to this model, and counts in neither",
        },
        {0: "is the same input as “c” of X to this model, and counts in neither"},
    ]
    assert not_told_apart([]) == []


def test_two_attributes_of_one_input_are_counted_once() -> None:
    # The mean is over nurse (−ln 4) and teacher (ln 2) alone: (ln 2 − ln 4) / 2. Counted twice it were −ln 4 / 3 · …
    result = run([said_model(TWO, EVEN)], [SAID], HE_SHE, ["nurse", "Nurse", "teacher", "NÚRSE"])
    whole = result["overall"].iloc[0]
    assert whole["n"] == 2
    assert whole["lpbs"] == pytest.approx((log(2) - log(4)) / 2, abs=1e-6)
    twice = {item.what: item.why for item in result.excluded if item.kind == "attribute"}
    assert twice == {
        word: f"{word} is the same input as “nurse” to this model, and is counted once." for word in ("Nurse", "NÚRSE")
    }


def test_attributes_that_a_cased_model_tells_apart_are_two() -> None:
    cased = loaded("bert-cased")
    result = run([cased], [SAID], HE_SHE, ["nurse", "Nurse"])
    assert result["overall"]["n"].tolist()[-1] == 2
    # Where a sentence begins they are one, unless words are left as typed.
    first = [Template.parse("[ATTRIBUTE]s know [TARGET].")]
    assert run([cased], first, HE_SHE, ["nurse", "Nurse"])["overall"]["n"].tolist()[-1] == 1
    assert run([cased], first, HE_SHE, ["nurse", "Nurse"], {"form": "typed"})["overall"]["n"].tolist()[-1] == 2
    # One template that tells them apart is enough.
    assert run([cased], [*first, SAID], HE_SHE, ["nurse", "Nurse"])["overall"]["n"].tolist()[-1] == 2


def test_what_one_model_reads_once_is_left_out_for_all() -> None:
    cased = renamed(loaded("bert-cased"), "cased")
    bert = renamed(loaded("bert"), "uncased")
    result = run([bert, cased], [SAID], HE_SHE, ["nurse", "Nurse"])
    assert result["overall"]["n"].tolist() == [1, 1]
    alone = run([bert, cased], [SAID], HE_SHE, ["nurse", "Nurse"], {"common_words": False})
    assert alone["overall"]["n"].tolist() == [1, 2]


def test_groups_that_a_model_cannot_tell_apart_are_refused() -> None:
    """Sixty zeros would say that there is no lean."""
    groups = (Group("a", ("He",)), Group("b", ("he",)))
    with pytest.raises(NothingToScore, match="He is the same input as “he” of b to this model, and counts in neither"):
        run([said_model(TWO, EVEN)], [SAID], groups, ["nurse", "teacher"])


def test_a_pair_that_cannot_be_told_apart_goes_and_the_others_stay() -> None:
    groups = (Group("a", ("He", "him")), Group("b", ("he", "her")))
    result = run([said_model(TWO, EVEN)], [SAID], groups, ["nurse"])
    assert set(result["targets"]["target"]) == {"him", "her"}
    assert {item.what for item in result.excluded if item.kind == "target"} == {"He", "he"}


def test_a_word_that_stands_twice_in_its_group_takes_its_partner_with_it() -> None:
    groups = (Group("a", ("he", "He")), Group("b", ("she", "her")))
    result = run([said_model(TWO, EVEN)], [SAID], groups, ["nurse"])
    assert result["attributes"]["n"][0] == 1
    assert result["attributes"]["lpbs"][0] == pytest.approx(-log(4), abs=1e-6)
    reasons = {item.what: item.why for item in result.excluded if item.kind == "target"}
    assert reasons["He"] == "He is the same input as “he” to this model, and is counted once."
    assert reasons["her"] == "her cannot be paired, since its partner He could not be scored."


REPRESENTATIONS = ("input-embedding", "pooled-no-context", "pooled-in-templates", "partner-masked", "lpbs")


@pytest.mark.parametrize("one", REPRESENTATIONS)
def test_members_of_a_set_that_are_one_input_are_counted_once(one: str) -> None:
    """The value is that of the set without the repetition; what is in X and in Y at once is in neither."""
    design: dict[str, Any] = {"templates": ("The [TARGET] is a [ATTRIBUTE].",), "group1": ("he",), "group2": ("she",)}
    x, y, a, b = ("nurse", "teacher", "man"), ("doctor", "engineer", "woman"), ("boy", "brother"), ("girl", "sister")
    twice = own_test((*x, "Nurse", "friend"), (*y, "FRIEND"), (*a, "Boy"), b, **design)
    once = own_test(x, y, a, b, **design)
    found, expected = (association.run([loaded("bert")], [test], [one]) for test in (twice, once))
    assert found["tests"]["effect_size"][0] == pytest.approx(expected["tests"]["effect_size"][0], rel=1e-5)
    assert found["tests"][["n_x", "n_y"]].iloc[0].tolist() == expected["tests"][["n_x", "n_y"]].iloc[0].tolist()
    said = {item.what: item.why.removesuffix(".") for item in found.excluded if item.kind != "statistic"}
    assert said["Boy"] == "Boy is the same input as “boy” to this model, and is counted once"
    if one != "lpbs":  # where A and B are permuted and X and Y not asked about
        assert said["Nurse"] == "Nurse is the same input as “nurse” to this model, and is counted once"
        assert said["friend"] == "friend is the same input as “FRIEND” of Y to this model, and counts in neither"
        assert said["FRIEND"] == "FRIEND is the same input as “friend” of X to this model, and counts in neither"


def test_words_that_stand_in_the_same_sentences_are_counted_once() -> None:
    test = own_test(("nurse", "NURSE", "teacher"), ("doctor", "engineer"), ("he",), ("she",))
    sentences = [f"The {word} said that {who} was tired." for word in ("nurse", "teacher") for who in ("he", "she")]
    sentences += [f"The {word} knew {who}." for word in ("doctor", "engineer") for who in ("he", "she")]
    result = association.run([loaded("bert")], [test], [], ceat_samples=9, sentences=sentences)
    assert result["tests"]["n_x"].tolist() == [2]
    assert "NURSE is the same input as “nurse” to this model, and is counted once" in {
        item.why.removesuffix(".") for item in result.excluded
    }


def test_professions_and_persons_that_are_one_input_are_counted_once() -> None:
    templates = "[TARGET] is a [ATTRIBUTE].\nThe [ATTRIBUTE] said that [TARGET] was tired."
    twice = corpus("en").changed(
        templates=templates, pairs="she / he\nShe / him\nsister / Sister", professions="nurse\ndoctor\nDoctor"
    )
    once = corpus("en").changed(templates=templates, pairs="she / he", professions="nurse\ndoctor")
    found, expected = (professions.run([loaded("bert")], [entry]) for entry in (twice, once))
    of_profession = [result["professions"].dropna(subset="difference") for result in (found, expected)]
    assert of_profession[0]["profession"].tolist() == ["nurse", "doctor"]
    assert of_profession[0]["difference"].tolist() == pytest.approx(of_profession[1]["difference"].tolist())
    said = {item.what: item.why for item in found.excluded if item.kind in ("target", "profession")}
    assert said["Doctor"] == "Doctor is the same input as “doctor” to this model, and is counted once."
    assert said["She"] == "She is the same input as “she” to this model, and is counted once."
    assert said["sister"] == "sister is the same input as “Sister” of male to this model, and counts in neither."
    assert said["him"].startswith("him cannot be paired, since its partner She")


def test_tokens_that_the_model_does_not_know_are_said() -> None:
    template = Template.parse("The [ATTRIBUTE] 護士 said that [TARGET] was tired.")
    text = "the {} [UNK] [UNK] said that [MASK] was tired ."  # BERT reads each Chinese sign as a word
    model = masked_stub(
        tiny_tokenizers.bert(),
        {text.format("nurse"): [TWO["nurse"]], text.format("[MASK]"): [{}, EVEN]},
    )
    notes = run([model], [template], HE_SHE, ["nurse"]).notes
    # the 護 士 said that was tired . = 8 tokens
    assert notes[0].text == (
        f"does not know 2 of the 8 tokens around the slots of “{template.text}”: it reads [UNK] in their place, "
        "and another unknown word would give the same numbers."
    )
    assert notes[1].text == (
        f"knows English, and “{template.text[:40]}…” is written in another script: its numbers there say little."
    )
    several = run([model], [template], HE_SHE, ["nurse", "護"]).notes
    assert "“護” are written in another script" in several[1].text
    assert not run([said_model(TWO, EVEN)], [SAID], HE_SHE, ["nurse"]).notes


def test_letters_that_touch_the_attribute_are_said() -> None:
    cased = loaded("bert-cased")
    (note,) = run([cased], [Template.parse("The [ATTRIBUTE]s know [TARGET].")], HE_SHE, ["nurse"]).notes
    assert (
        note.text
        == "letters that touch [ATTRIBUTE] are a part of its word: “nurses” in “The [ATTRIBUTE]s know [TARGET].”."
    )


@pytest.mark.parametrize("word", ["[unused1]", "<extra>"])
def test_a_models_own_special_token_is_refused(word: str) -> None:
    tokenizer = tiny_tokenizers.bert()
    tokenizer.add_special_tokens({"additional_special_tokens": [word]})
    model: LoadedModel = masked_stub(tokenizer, {said("nurse"): [EVEN]})
    with pytest.raises(TemplateError, match="which is a special token of stub and no text to it; omit it"):
        run([model], [Template.parse(f"{word} [TARGET] is a [ATTRIBUTE].")], HE_SHE, ["nurse"])
    with pytest.raises(TemplateError, match="special token of stub"):
        run([model], [SAID], HE_SHE, [f"nurse {word}"])
