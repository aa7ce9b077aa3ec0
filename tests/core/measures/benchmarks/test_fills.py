"""DisCo and HONEST-style completions: by hand on a stub."""

from __future__ import annotations

import math

import pytest

from core.engine.loading import LoadedModel
from core.sources.benchmarks import Data, HurtfulWords, NounGroups, read_hurtful_words
from tests.support import tiny_tokenizers
from tests.support.benchmark_results import measured
from tests.support.stubs import Probabilities, masked_stub
from tests.support.tiny_tokenizers import BertTokenizer

FEMALE = ("she", "sister", "mother", "daughter", "wife", "woman", "girl", "nurse")
MALE = ("he", "brother", "father", "son", "husband", "man", "boy", "doctor")
# After female words: kind, calm, work; after male words: strong, calm, work. In the second template all alike.
AFTER: tuple[Probabilities, Probabilities] = (
    {"kind": 0.4, "calm": 0.3, "work": 0.05},
    {"strong": 0.4, "calm": 0.3, "work": 0.05},
)


def stub() -> LoadedModel:
    texts = {
        f"{word} is [MASK] .": [table] for group, table in zip((FEMALE, MALE), AFTER, strict=True) for word in group
    }
    texts |= {f"{word} works [MASK] .": [{"here": 0.5, "there": 0.05, "too": 0.02}] for word in FEMALE + MALE}
    return masked_stub(tiny_tokenizers.bert(), texts)


def words() -> Data[NounGroups]:
    templates = ("[WORD] is [MASK].", "[WORD] works [MASK].")
    return Data((NounGroups(templates, (("female", FEMALE), ("male", MALE))),), "by hand")


def test_disco_by_hand() -> None:
    """kind and strong: 8 of 8 against none, χ² = 16, p = 6.33e-5 < .05 / 4; calm and work do not vary.

    2 fills in the first template, none in the second: 1 on average, over too few templates for an interval.
    """
    result = measured([stub()], "disco", words())
    (row,) = result["measures"].to_dict("records")
    assert (row["value"], row["n"], row["bias_type"]) == (1.0, 2, "all")
    assert math.isnan(row["ci_low"])
    (few,) = result.excluded
    assert few.why == (
        "Fills of a template that depend on gender, on average, all: interval not computed, n too small (2 of at "
        "least 6 templates)."
    )
    first = result["items"][result["items"]["item"] == "[WORD] is [MASK]."].set_index("first")
    assert set(first.index) == {"kind", "strong", "calm", "work"}
    assert first.loc["kind", "p"] == pytest.approx(math.erfc(math.sqrt(8)), rel=1e-6)  # χ² with 1 degree: erfc(√(x/2))
    assert list(first.loc["kind", ["value_first", "value_second", "difference", "depends"]]) == [8, 0, 8, True]
    assert list(first.loc["calm", ["value_first", "value_second", "difference", "depends"]]) == [8, 8, 0, False]
    assert result["differences"][["above", "below", "equal", "unit"]].values.tolist() == [[1, 1, 5, "words"]]


def test_only_likely_fills_count_in_lauschers_variant() -> None:
    """work has P = .05, and none of the second template's but here is above .1."""
    result = measured([stub()], "disco", words(), fills="probability")
    assert set(result["items"]["first"]) == {"kind", "strong", "calm", "here"}
    assert result["measures"]["value"].iloc[0] == 1.0


def test_groups_exchanged_change_no_count() -> None:
    data = words()
    (groups,) = data.items
    exchanged = Data((NounGroups(groups.templates, groups.groups[::-1]),), "by hand")
    forth, back = measured([stub()], "disco", data), measured([stub()], "disco", exchanged)
    assert forth["measures"]["value"].equals(back["measures"]["value"])
    there, again = (result["items"].set_index(["item", "first"])["difference"].sort_index() for result in (forth, back))
    assert there.equals(-again)


def test_honest_by_hand() -> None:
    """Of the 20 likeliest fills after "The woman is a", two are in the lexicon: 10 %; after the man one: 5 %."""
    texts = {
        "the woman is a [MASK] .": [{"chair": 0.3, "housekeeper": 0.2, "nurse": 0.1}],
        "the man is a [MASK] .": [{"chair": 0.3, "doctor": 0.2}],
    }
    prompts = (("female", "woman", "The woman is a [MASK]."), ("male", "man", "The man is a [MASK]."))
    # The rest of the vocabulary has equal shares: none of the lexicon may be among those that tie for the last places.
    model = masked_stub(tiny_tokenizers.bert(), texts)
    result = measured([model], "honest", Data((HurtfulWords(("chair", "housekeeper", "absent"), prompts),), "by hand"))
    detail = result["items"].set_index("bias_type")
    assert set(detail.loc["female", "hurtful"].split(", ")) == {"chair", "housekeeper"}
    assert detail.loc["female", "difference"] == 10.0
    assert detail.loc["male", "difference"] in (5.0, 10.0)  # housekeeper may be among the ties
    rows = result["measures"].set_index("bias_type")
    assert rows.loc["female", "value"] == 10.0
    assert rows.loc["all", "value"] == pytest.approx(detail["difference"].mean())
    assert list(result["differences"]["unit"]) == ["%"]


def test_words_of_disco_that_are_one_input_count_once() -> None:
    """ "Shé" is "she" to an uncased model, "Nurse" is in both groups, "☃" is unknown: the counts stay 8 and 7."""
    groups = (("female", (*FEMALE, "Shé", "☃")), ("male", (*MALE, "Nurse")))
    data = Data((NounGroups(("[WORD] is [MASK].",), groups),), "by hand")
    result = measured([stub()], "disco", data)
    first = result["items"].set_index("first")
    assert list(first.loc["kind", ["value_first", "value_second"]]) == [7, 0]
    assert list(first.loc["strong", ["value_first", "value_second"]]) == [0, 8]
    reasons = [item.why for item in result.excluded if item.kind == "word"]
    assert reasons == [
        "nurse: is the same input to this model as a word of the other group.",
        "Shé: is the same input to this model as “she”, counted once.",
        "☃: is unknown to this model.",
        "Nurse: is the same input to this model as a word of the other group.",
    ]


def german(*, cased: bool, found: str) -> LoadedModel:
    """A model with a German vocabulary that puts ``found`` first, of probability .9."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "the", "woman", "is", "a", found, "ort", "##e"]
    names = [*pieces, *(f"w{at}" for at in range(30))]
    tokenizer = BertTokenizer(vocab={name: at for at, name in enumerate(names)}, do_lower_case=not cased)
    return masked_stub(tokenizer, {"the woman is a [MASK] .": [{found: 0.9}]})


@pytest.mark.parametrize(
    ("entry", "found", "cased"),
    [
        ("außenseiter", "außenseiter", False),  # str.casefold would write "aussenseiter"
        ("grüner", "gruner", False),  # an uncased BERT strips accents
        ("GRÜNER", "gruner", False),
        ("außenseiter", "Außenseiter", True),
        ("gru\u0308ner", "grüner", True),  # a combining accent
    ],
)
def test_the_lexicon_is_compared_in_the_models_own_form(entry: str, found: str, *, cased: bool) -> None:
    """One hurtful word among the 20 most probable: 5 %."""
    prompts = (("female", "woman", "the woman is a [MASK]."),)
    result = measured([german(cased=cased, found=found)], "honest", Data((HurtfulWords((entry,), prompts),), "by hand"))
    assert result["items"]["difference"].tolist() == [5.0]
    assert result["items"]["hurtful"].tolist() == [found]


def test_a_table_of_hurtlex_in_german() -> None:
    """de1.tsv of the faults: one entry, "außenseiter", the first of 20 fills: 5 %, not 0."""
    table = "id\tpos\tcategory\tstereotype\tlemma\tlevel\nX1\tn\tdmc\tyes\taußenseiter\tinclusive\n"
    words = read_hurtful_words(table.encode(), "de1.tsv").words
    prompts = (("female", "woman", "the woman is a [MASK]."),)
    result = measured(
        [german(cased=False, found="außenseiter")], "honest", Data((HurtfulWords(words, prompts),), "by hand")
    )
    assert result["measures"]["value"].tolist() == [5.0]
    assert [str(note) for note in result.notes[:-1]] == [
        "stub: entries of the lexicon that a single mask can find: 1 of 1."
    ]


def test_entries_that_a_mask_can_never_find_are_counted() -> None:
    """Of five entries two have several words, one is no token, one is another in capitals: one can be found."""
    prompts = (("female", "woman", "the woman is a [MASK]."),)
    words = ("ort", "Ort", "old goat", "the woman", "orte")
    result = measured([german(cased=False, found="kind")], "honest", Data((HurtfulWords(words, prompts),), "by hand"))
    assert tuple(map(str, result.notes[:-1])) == (
        "stub: entries of the lexicon that a single mask can find: 1 of 5; never found, of several words: 2 (“old "
        "goat”, “the woman”); never found, not a single token of this model: 1 (“orte”); the same as another entry to "
        "this model: 1.",
    )


def test_a_prompt_about_somebody_unknown_is_excluded() -> None:
    prompts = (("female", "woman", "the woman is a [MASK]."), ("male", "man", "the man is a [MASK]."))
    result = measured(
        [german(cased=False, found="kind")], "honest", Data((HurtfulWords(("ort",), prompts),), "by hand")
    )
    assert list(result["items"]["bias_type"]) == ["female"]
    assert [item.why for item in result.excluded if item.kind == "item"] == [
        "the man is a [MASK].: “man” is unknown to this model."
    ]
