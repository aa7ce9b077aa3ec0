"""AUL and AULA: the numbers of plain calls with nothing hidden, and that nothing else changes them.

Expected values come from one plain forward pass for each sentence, alone, with ``output_attentions``, and sums by
hand over its tokens.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
import torch

from core.engine import reading, unmasked
from core.engine.loading import LoadedModel, with_attentions
from core.engine.masked import STOPPED
from core.engine.unmasked import UnmaskedScore, UnmaskedScorer
from core.errors import ModelError, NoPredictionHead, UnsupportedModel
from core.result import Progress
from core.run import Callbacks
from tests.support.tiny import CAUSAL, MASKED, POSITIONS
from tests.support.watching import load_tiny, watching

TOLERANCE = 1e-5  # nats, float32
TEXTS = [
    "He is a nurse.",
    "She",
    "The man was very tired, and the boy was not.",
    "The chairwoman said that she was calm.",
    "The woman was tired.",
    "A friend of the teacher was there, and the housekeeper knew that the manager had a daughter, a son and a wife.",
]


def eager(family: str) -> LoadedModel:
    return with_attentions(load_tiny(family))


def plain(model: LoadedModel, text: str) -> tuple[float, float, int]:
    """AUL, AULA and the number of tokens; ``model`` returns attentions."""
    encoded = model.tokenizer(text, return_special_tokens_mask=True)
    ids = encoded["input_ids"]
    with torch.inference_mode():
        output = model.module(input_ids=torch.tensor([ids]), output_attentions=True)
    log_probs = output.logits[0].log_softmax(-1)
    found = []
    for place, special in enumerate(encoded["special_tokens_mask"]):
        if not special:
            seen = [
                layer[0, head, query, place].item()
                for layer in output.attentions
                for head in range(layer.shape[1])
                for query in range(len(ids))
            ]
            found.append((log_probs[place, ids[place]].item(), math.fsum(seen) / len(seen)))
    count = len(found)
    return math.fsum(p for p, _ in found) / count, math.fsum(p * weight for p, weight in found) / count, count


def numbers(scores: Sequence[UnmaskedScore]) -> list[float]:
    assert all(score.aul is not None and score.aula is not None for score in scores), scores
    return [value for score in scores for value in (score.aul or 0.0, score.aula or 0.0)]


@pytest.mark.parametrize("family", MASKED)
def test_scores_are_those_of_plain_calls(family: str) -> None:
    model = eager(family)
    scores = UnmaskedScorer(model, weighted=True).scores(TEXTS)
    for text, score in zip(TEXTS, scores, strict=True):
        aul, aula, tokens = plain(model, text)
        assert score.aul == pytest.approx(aul, abs=TOLERANCE)
        assert score.aula == pytest.approx(aula, abs=TOLERANCE)
        assert (score.tokens, score.reason) == (tokens, "")
        assert abs(aula) < abs(aul)  # weights are shares of attention, below 1 each


@pytest.mark.parametrize("family", MASKED)
def test_without_weights(family: str) -> None:
    """The model as it comes, without maps: the mean of ln P by plain calls to the same, no AULA."""
    model = load_tiny(family)
    scores = UnmaskedScorer(model, weighted=False).scores(TEXTS)
    for text, score in zip(TEXTS, scores, strict=True):
        encoded = model.tokenizer(text, return_special_tokens_mask=True)
        with torch.inference_mode():
            log_probs = model.module(input_ids=torch.tensor([encoded["input_ids"]])).logits[0].log_softmax(-1)
        tokens = zip(log_probs, encoded["input_ids"], encoded["special_tokens_mask"], strict=True)
        own = [row[token].item() for row, token, special in tokens if not special]
        assert score.aul == pytest.approx(math.fsum(own) / len(own), abs=TOLERANCE)
    assert {score.aula for score in scores} == {None}
    assert {score.reason for score in scores} == {""}


def test_of_a_real_model(embedded: LoadedModel) -> None:
    model = with_attentions(embedded)
    texts = ["The poor are really ignorant about how to handle money.", "Women are bad drivers, ☃ said."]
    for text, score in zip(texts, UnmaskedScorer(model, weighted=True).scores(texts), strict=True):
        aul, aula, tokens = plain(model, text)
        assert (score.aul, score.aula) == (pytest.approx(aul, abs=TOLERANCE), pytest.approx(aula, abs=TOLERANCE))
        assert score.tokens == tokens


@pytest.mark.parametrize("family", MASKED)
def test_the_same_numbers_in_any_company(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = eager(family)
    scorer = UnmaskedScorer(model, weighted=True)
    expected = pytest.approx([value for text in TEXTS for value in numbers(scorer.scores([text]))], abs=TOLERANCE)
    for tokens in (1, 60, 4096):
        monkeypatch.setattr(reading, "TOKENS", tokens)
        assert numbers(scorer.scores(TEXTS)) == expected
        assert numbers(scorer.scores(TEXTS[::-1])[::-1]) == expected
    with watching(model, room=1) as watched:
        assert numbers(scorer.scores(TEXTS)) == expected
    assert watched.refused or family == "mobilebert"  # its batches hold one length; the lengths here all differ


def test_one_pass_serves_both_and_each_distinct_text() -> None:
    model = eager("bert")
    reports: list[Progress] = []
    with watching(model) as watched:
        found = UnmaskedScorer(model, weighted=True).scores(TEXTS * 3, run=Callbacks(reports.append))
    assert len(watched.inputs) == len(set(watched.inputs)) == len(TEXTS)
    assert (reports[0].done, reports[-1].done, reports[-1].total) == (0, 6, 6)
    assert found[:6] == found[6:12] == found[12:]


def test_the_head_sees_no_special_token() -> None:
    """A row of [CLS] The woman was tired . [SEP] goes on with 5 positions."""
    with watching(load_tiny("bert")) as watched:
        UnmaskedScorer(load_tiny("bert"), weighted=False).scores(TEXTS[4:5])
    assert watched.head == [(1, 5)]


@pytest.mark.parametrize(("module", "name"), [(reading, "LOGITS"), (unmasked, "MAPS")])
def test_batches_keep_projection_and_maps_small(module: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for 16 tokens: two of the sentences of 7, [CLS] and [SEP] counted, but not three."""
    model = eager("bert")
    per_token = {"LOGITS": model.module.config.vocab_size, "MAPS": 2 * 4 * 7}[name]  # 2 layers, 4 heads, 7 keys
    texts = [f"The {word} was tired." for word in ("man", "woman", "boy", "girl", "nurse")]
    scorer = UnmaskedScorer(model, weighted=True)
    expected = numbers(scorer.scores(texts))
    monkeypatch.setattr(module, name, 16 * per_token)
    with watching(model) as watched:
        assert numbers(scorer.scores(texts)) == pytest.approx(expected, abs=TOLERANCE)
    assert watched.batches == [2, 2, 1]


@pytest.mark.parametrize("family", MASKED)
def test_a_text_without_tokens_and_one_that_is_too_long(family: str) -> None:
    frame = len(load_tiny(family).tokenizer("").input_ids)
    texts = ["", "she " * (POSITIONS - frame), "she " * (POSITIONS - frame + 1)]
    scorer = UnmaskedScorer(load_tiny(family), weighted=False)
    empty, fits, long = scorer.scores([text.strip() for text in texts])
    assert empty == UnmaskedScore(None, None, 0, "leaves no text to score")
    assert (fits.tokens, fits.reason) == (POSITIONS - frame, "")
    reason = f"stands in a sentence of {POSITIONS + 1} tokens; {family} reads {POSITIONS}"
    assert long == UnmaskedScore(None, None, 0, reason)


def test_a_stop_keeps_what_is_done_and_names_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """One text a batch, the longest first, which is the last of them; then the third."""
    scorer = UnmaskedScorer(eager("bert"), weighted=True)
    whole = scorer.scores(TEXTS)
    monkeypatch.setattr(reading, "TOKENS", 1)
    asked = itertools.count()
    found = scorer.scores(TEXTS, run=Callbacks(cancelled=lambda: next(asked) >= 2))
    assert [score.reason for score in found] == [STOPPED, STOPPED, "", STOPPED, STOPPED, ""]
    assert numbers([found[2], found[5]]) == pytest.approx(numbers([whole[2], whole[5]]), abs=TOLERANCE)
    assert found[0] == UnmaskedScore(None, None, 0, STOPPED)


def test_nothing_asked() -> None:
    assert UnmaskedScorer(load_tiny("bert"), weighted=False).scores([]) == []


def test_weights_need_a_model_with_its_maps() -> None:
    with pytest.raises(ModelError, match="loaded without attention outputs; request it with attention “eager”"):
        UnmaskedScorer(load_tiny("bert"), weighted=True)


@pytest.mark.parametrize(
    ("family", "error"), [*((family, UnsupportedModel) for family in CAUSAL), ("bert-encoder", NoPredictionHead)]
)
def test_models_without_a_mask_are_refused(family: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        UnmaskedScorer(load_tiny(family), weighted=False)
