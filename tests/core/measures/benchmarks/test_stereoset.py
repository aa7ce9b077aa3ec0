"""StereoSet: two items by hand, options, and causal models."""

from __future__ import annotations

import math

import pytest
import torch

from core.engine.loading import LoadedModel
from core.measures.benchmarks.result import BenchmarkResult
from core.sources.benchmarks import Association, Data
from tests.support import tiny_tokenizers
from tests.support.benchmark_results import measured
from tests.support.stubs import masked_stub
from tests.support.watching import load_tiny


def item(number: int, context: str, words: tuple[str, str, str], target: str = "woman") -> Association:
    return Association(str(number), "gender", target, context, *words)


def values(result: BenchmarkResult) -> dict[str, float]:
    whole = result["measures"][result["measures"]["bias_type"] == "all"]
    return dict(zip(whole["measure"], whole["value"], strict=True))


def unit(result: BenchmarkResult) -> str:
    return str(result["differences"]["unit"].iloc[0])


def stub() -> LoadedModel:
    texts = {
        "the woman is [MASK] .": [{"calm": 0.3, "strong": 0.2, "chair": 0.1}],
        "the man is [MASK] .": [{"strong": 0.2, "calm": 0.4, "chair": 0.3}],
        "the girl is [MASK] .": [{"kind": 0.1, "clever": 0.2, "sit": 0.05}],
    }
    return masked_stub(tiny_tokenizers.bert(), texts)


ITEMS = (
    item(1, "The woman is BLANK.", ("calm", "strong", "chair")),
    item(2, "The man is BLANK.", ("strong", "calm", "chair"), "man"),
    item(3, "The girl is BLANK.", ("kind", "clever", "sit")),
)


def test_three_items_by_hand() -> None:
    """Stereotype preferred: yes, no, no. Fits: 2 of 2, 1 of 2 (.2 < .3), 2 of 2.

    Terms: woman has items 1 and 3, SS 50 and LMS 100; man SS 0 and LMS 50. Over terms SS 25, LMS 75, ICAT
    75 · 25 / 50 = 37.5; over items SS 100/3, LMS 250/3, ICAT 250/3 · 100/3 / 50 = 500/9.
    """
    result = measured([stub()], "stereoset", Data(ITEMS, "by hand"))
    assert values(result) == pytest.approx({"stereoset-ss": 25, "stereoset-lms": 75, "stereoset-icat": 37.5})
    assert set(result["measures"]["n"]) == {3}
    row = result["items"].iloc[0]
    assert (row["value_first"], row["value_second"], row["value_unrelated"]) == pytest.approx(
        (math.log(0.3), math.log(0.2), math.log(0.1)), abs=1e-6
    )
    assert (row["target"], row["unrelated"], row["difference"]) == ("woman", "chair", pytest.approx(math.log(1.5)))
    over_items = measured([stub()], "stereoset", Data(ITEMS, "by hand"), average="pairs")
    assert values(over_items) == pytest.approx(
        {"stereoset-ss": 100 / 3, "stereoset-lms": 250 / 3, "stereoset-icat": 500 / 9}
    )


def test_tokens_are_masked_together_or_revealed_from_left_to_right() -> None:
    """chairwoman = chair + ##woman. Together: ln .5 and ln .02, mean ln .1, below man's .15.

    Revealed: .2 at the one mask, then .4 after chair, mean .3; man is .15 either way, as a single token is.
    """
    texts = {
        "he is a [MASK] .": [{"man": 0.15, "work": 0.01, "chair": 0.2}],
        "he is a [MASK] [MASK] .": [{"chair": 0.5}, {"##woman": 0.02}],
        "he is a chair [MASK] .": [{"##woman": 0.4}],
    }
    model = masked_stub(tiny_tokenizers.bert(), texts)
    data = Data((item(1, "He is a BLANK.", ("chairwoman", "man", "work")),), "by hand")
    logs = measured([model], "stereoset", data)
    assert logs["items"].iloc[0]["value_first"] == pytest.approx(math.log(0.1), abs=1e-6)
    assert (values(logs)["stereoset-ss"], unit(logs)) == (0, "nats")
    revealed = measured([model], "stereoset", data, pieces="revealed")
    assert list(revealed["items"].loc[0, ["value_first", "value_second", "value_unrelated"]]) == pytest.approx(
        [0.3, 0.15, 0.01], abs=1e-6
    )
    assert (values(revealed)["stereoset-ss"], unit(revealed)) == (100, "")


@pytest.mark.parametrize("family", ["bert", "roberta", "albert", "modernbert"])
def test_revealing_is_what_the_authors_do(family: str) -> None:
    """By brute force: "he is a c[MASK].", one forward pass for each token, the mean of the probabilities."""
    model = load_tiny(family)
    tokenizer = model.tokenizer
    context, words = "My brother is a BLANK here.", ("chairwoman", "doctor", "housekeepers")
    result = measured([model], "stereoset", Data((item(1, context, words),), "by hand"), pieces="revealed")
    found = result["items"].loc[0, ["value_first", "value_second", "value_unrelated"]].tolist()
    several = 0
    for word, value in zip(words, found, strict=True):
        before, whole = (tokenizer(text)["input_ids"] for text in ("My brother is a", f"My brother is a {word} here."))
        start = next(at for at, (a, b) in enumerate(zip(before, whole, strict=False)) if a != b)
        after = tokenizer("My brother is a nurse here.")["input_ids"][start + 1 :]  # a nurse is one token
        tokens = whole[start : len(whole) - len(after)]
        assert [*whole[:start], *tokens, *after] == whole
        several += len(tokens) > 1
        chances = []
        for count, token in enumerate(tokens):
            ids = [*whole[:start], *tokens[:count], tokenizer.mask_token_id, *after]
            logits = model.module(input_ids=torch.tensor([ids])).logits[0, start + count]
            chances.append(float(torch.softmax(logits, dim=-1)[token]))
        assert value == pytest.approx(sum(chances) / len(chances), rel=1e-4)
    assert several


def test_two_candidates_that_are_one_input_are_excluded() -> None:
    """An uncased model that strips accents reads "cälm" as "calm"."""
    data = Data((*ITEMS, item(4, "The woman is BLANK.", ("calm", "Cälm", "chair"))), "by hand")
    result = measured([stub()], "stereoset", data)
    assert len(result["items"]) == 3
    assert [entry.why for entry in result.excluded if entry.kind == "item"] == [
        "4: “calm” and “Cälm” are the same input to this model."
    ]


def test_ties_are_counted() -> None:
    even = masked_stub(tiny_tokenizers.bert(), {"the woman is [MASK] .": [{"calm": 0.3, "strong": 0.3, "chair": 0.1}]})
    summary = measured([even], "stereoset", Data(ITEMS[:1], "by hand"))["measures"].set_index("measure")
    assert summary["ties"].tolist()[:2] == [1, 0]
    assert summary["ties"].isna().tolist() == [False, False, True]


def test_a_word_the_model_does_not_know_takes_its_item_with_it() -> None:
    data = Data((*ITEMS, item(4, "The woman is BLANK.", ("calm", "☃", "chair"))), "by hand")
    result = measured([stub()], "stereoset", data)
    assert len(result["items"]) == 3
    lost = [(entry.what, entry.why) for entry in result.excluded if entry.kind == "item"]
    assert lost == [("4", "4: “☃” is unknown to this model.")]


def test_a_model_that_loses_every_item_is_listed_beside_one_that_does_not() -> None:
    data = Data((item(1, "The woman is BLANK.", ("calm", "strong", "chair")),), "by hand")
    lacking = masked_stub(tiny_tokenizers.roberta(), {}, name="lacking", max_tokens=2)
    result = measured([stub(), lacking], "stereoset", data)
    assert set(result["measures"]["model"]) == {"stub"}
    assert [(entry.model, entry.what) for entry in result.excluded if entry.kind == "item"] == [("lacking", "1")]


def test_a_causal_model_compares_sentences_per_token() -> None:
    model = load_tiny("gpt2")
    result = measured([model], "stereoset", Data(ITEMS, "by hand"))
    assert set(values(result)) == {
        "stereoset-likelihood-ss", "stereoset-likelihood-lms", "stereoset-likelihood-icat",
    }  # fmt: skip
    from core.engine.causal import CausalScorer, TextQuery

    text = "The woman is calm."
    (score,) = CausalScorer(model).log_likelihood([TextQuery(text, (0, len(text)))])
    assert score.ln_p is not None
    assert result["items"].iloc[0]["value_first"] == pytest.approx(score.ln_p / score.tokens)
