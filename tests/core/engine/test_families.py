"""Every family against plain transformers calls.

Expected values come from the published way to ask a model: the text with the tokenizer's own mask token goes through
tokenizer and model alone, unbatched, and the log softmax is read at the mask. Which piece a word is in its place is
written down by hand below, from how each kind of vocabulary marks a word after a space.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from core.engine import checkpoints, loading, reading
from core.engine.causal import CausalScorer, TextQuery, TextScore
from core.engine.masked import MaskedScorer, MaskQuery
from core.errors import NoPredictionHead, UnsupportedModel
from core.result import Progress
from core.run import Callbacks
from core.sources.templates import MASK
from tests.support.tiny import CASED, CAUSAL, MASKED, tiny_folder

TOLERANCE = 1e-5  # nats, float32
WORDS = ("he", "she", "him", "her", "they", "nurse", "teacher")
# The marker a vocabulary writes on a word at the start of the text, and on one after a space.
MARKERS = {"word pieces": ("", ""), "bytes": ("", "Ġ"), "sentence pieces": ("▁", "▁")}
KIND = dict.fromkeys(MASKED, "word pieces") | dict.fromkeys(("roberta", "modernbert"), "bytes")
KIND |= dict.fromkeys(("albert", "xlm-roberta", "deberta-v2"), "sentence pieces")


@dataclass(frozen=True)
class Place:
    """A masked text, the mask that is read, and the form a word has there."""

    text: str
    mask: int = 0
    after_space: bool = True
    capital: bool = False
    bare: bool = False  # directly after a quotation mark or a bracket: no vocabulary marks a space

    def piece(self, family: str, word: str) -> str:
        word = word.capitalize() if self.capital and family in CASED else word
        return word if self.bare else MARKERS[KIND[family]][self.after_space] + word


START = Place(f"{MASK} is a nurse.", after_space=False, capital=True)
INSIDE = Place(f"The man said that {MASK} was tired.")
END = Place(f"The secretary knew the woman and told {MASK}")
PLACES = (
    START,
    INSIDE,
    END,
    Place(f"The nurse asked {MASK}."),
    Place(f"A friend of {MASK}, a teacher, was there."),
    Place(f"Do you know {MASK}?"),
    Place(f"The man was tired. {MASK} is a doctor.", capital=True),
    Place(f'"{MASK} is tired," said the engineer.', after_space=False, capital=True, bare=True),
    Place(f"The manager ({MASK}) was calm.", after_space=False, bare=True),
    Place(f"{MASK} is a {MASK}.", after_space=False, capital=True),
    Place(f"{MASK} is a {MASK}.", mask=1),
    Place(f"The {MASK} {MASK} said that {MASK} was very tired, and that the boy was not.", mask=2),
    Place(f"The {MASK} {MASK} said that {MASK} was very tired, and that the boy was not.", mask=1),
)
QUERIES = [MaskQuery(place.text, place.mask, WORDS) for place in PLACES]


@functools.cache
def load(family: str) -> loading.LoadedModel:
    return loading.load(checkpoints.fetch(checkpoints.ModelRequest(str(tiny_folder(family)))), device="cpu")


@functools.cache
def plain(family: str) -> tuple[Any, Any]:
    """Tokenizer and model as transformers gives them, apart from the ones under test."""
    auto = AutoModelForCausalLM if family in CAUSAL else AutoModelForMaskedLM
    tokenizer = AutoTokenizer.from_pretrained(tiny_folder(family), local_files_only=True)
    return tokenizer, auto.from_pretrained(tiny_folder(family), local_files_only=True).eval()


def plain_log_probs(family: str, text: str, fill: dict[int, str] | None = None) -> torch.Tensor:
    """ln P [mask, vocabulary] at the masks of the text, left to right; ``fill`` puts a piece in place of some."""
    tokenizer, model = plain(family)
    inputs = tokenizer(text.replace(MASK, tokenizer.mask_token), return_tensors="pt")
    places = (inputs.input_ids[0] == tokenizer.mask_token_id).nonzero().flatten().tolist()
    assert len(places) == text.count(MASK)
    for mask, piece in (fill or {}).items():
        inputs.input_ids[0, places[mask]] = piece_id(family, piece)
    with torch.inference_mode():
        return model(**inputs).logits[0, places].log_softmax(dim=-1)


def piece_id(family: str, piece: str) -> int:
    tokenizer = plain(family)[0]
    index = tokenizer.convert_tokens_to_ids(piece)
    assert index is not None
    assert index != tokenizer.unk_token_id, piece
    return int(index)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.text} {place.mask}")
@pytest.mark.parametrize("family", MASKED)
def test_masked_scores_are_those_of_a_plain_call(family: str, place: Place) -> None:
    expected = plain_log_probs(family, place.text)[place.mask]
    query = MaskQuery(place.text, place.mask, WORDS)
    for found in MaskedScorer(load(family)).log_probs([query])[0]:
        assert found.ln_p == pytest.approx(
            expected[piece_id(family, place.piece(family, found.word))].item(), abs=TOLERANCE
        ), (found.word, found.pieces, found.reason)


@pytest.mark.parametrize("family", MASKED)
def test_top_fills_are_those_of_a_plain_call(family: str) -> None:
    scorer = MaskedScorer(load(family))
    for place in PLACES:
        expected = plain_log_probs(family, place.text)[place.mask].exp().sort(descending=True).values[:5]
        fills = scorer.top_fills(place.text, place.mask, 5)
        assert [fill.probability for fill in fills] == pytest.approx(expected.tolist(), abs=TOLERANCE)


@pytest.mark.parametrize("family", MASKED)
def test_the_same_numbers_in_any_company(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone, all together, backwards, and with one, few and all inputs a batch."""
    scorer = MaskedScorer(load(family))
    alone = [[word.ln_p for word in scorer.log_probs([query])[0]] for query in QUERIES]
    largest_batch = {}
    for tokens in (1, 40, 4096):
        monkeypatch.setattr(reading, "TOKENS", tokens)
        reports: list[Progress] = []
        forwards = scorer.log_probs(QUERIES, run=Callbacks(reports.append))
        backwards = scorer.log_probs(QUERIES[::-1])[::-1]
        for values, forward, other in zip(alone, forwards, backwards, strict=True):
            assert [word.ln_p for word in forward] == pytest.approx(values, abs=TOLERANCE)
            assert [word.ln_p for word in other] == pytest.approx(values, abs=TOLERANCE)
        assert reports[-1].done == reports[-1].total
        largest_batch[tokens] = max(after.done - before.done for before, after in pairwise(reports))
    assert largest_batch[1] == 1 < largest_batch[4096]  # otherwise the budget was not varied


@pytest.mark.parametrize("family", MASKED)
@pytest.mark.parametrize(
    ("text", "mask"),
    [
        (f"The {MASK} was tired.", 0),
        (f"They asked the {MASK}.", 0),
        (f"The man and the {MASK} said that a {MASK} was there", 0),
        (f"The man and the {MASK} said that a {MASK} was there", 1),
    ],
)
def test_joint_scores_follow_the_product_rule(family: str, text: str, mask: int) -> None:
    """chairwoman = chair + woman: P(chair | both masked) · P(woman | chair filled in), by two plain calls."""
    chair = MARKERS[KIND[family]][1] + "chair"
    woman = "##woman" if KIND[family] == "word pieces" else "woman"
    parts = text.split(MASK)
    parts[mask] += f"{MASK} "
    masked = MASK.join(parts)
    expected = (
        plain_log_probs(family, masked)[mask, piece_id(family, chair)]
        + plain_log_probs(family, masked, {mask: chair})[mask + 1, piece_id(family, woman)]
    )
    scorer = MaskedScorer(load(family))
    query = MaskQuery(text, mask, ("chairwoman", "chairman"))
    woman_score, man_score = scorer.log_probs([query], several_pieces="joint")[0]
    assert woman_score.ln_p == pytest.approx(expected.item(), abs=TOLERANCE)
    single_woman, single_man = scorer.log_probs([query])[0]
    assert man_score.ln_p == pytest.approx(single_man.ln_p, abs=TOLERANCE)  # one piece: the two rules agree
    assert single_woman.ln_p is None
    assert len(single_woman.pieces) == 2
    assert single_woman.reason
    assert all(piece in single_woman.reason for piece in single_woman.pieces)


@pytest.mark.parametrize("family", MASKED)
def test_a_word_may_be_one_piece_inside_and_several_at_the_start(family: str) -> None:
    """ "engineer" is in every vocabulary, "Engineer" in none that is cased."""
    at_start, inside = MaskedScorer(load(family)).log_probs(
        [MaskQuery(f"{MASK} is a word.", 0, ("engineer",)), MaskQuery(f"The {MASK} was tired.", 0, ("engineer",))]
    )
    assert inside[0].ln_p is not None
    assert (at_start[0].ln_p is None) == (family in CASED)


@pytest.mark.parametrize("family", ["roberta", "modernbert"])
def test_the_form_after_a_space_is_another_piece(family: str) -> None:
    """The bare piece of the same letters has a different probability, so taking it would be noticed."""
    expected = plain_log_probs(family, INSIDE.text)[0]
    found = MaskedScorer(load(family)).log_probs([MaskQuery(INSIDE.text, 0, ("he",))])[0][0]
    assert found.ln_p == pytest.approx(expected[piece_id(family, "Ġhe")].item(), abs=TOLERANCE)
    assert abs(expected[piece_id(family, "he")].item() - expected[piece_id(family, "Ġhe")].item()) > 0.01
    assert found.pieces == ("he",)


def test_a_form_the_vocabulary_lacks_is_unknown() -> None:
    scorer = MaskedScorer(load("bert-wrong-case"))
    start, inside = scorer.log_probs([MaskQuery(place.text, 0, ("she",)) for place in (START, INSIDE)])
    assert start[0].ln_p is None
    assert "unknown to this model" in start[0].reason
    assert inside[0].ln_p is not None


@pytest.mark.parametrize(
    ("family", "error"), [("electra-discriminator", UnsupportedModel), ("bert-encoder", NoPredictionHead)]
)
def test_headless_checkpoints_are_refused_for_scoring_only(family: str, error: type[Exception]) -> None:
    model = load(family)
    assert model.info.kind == "encoder"
    with pytest.raises(error, match="LPBS is not possible, embeddings and attention are"):
        MaskedScorer(model)


def test_masked_and_causal_models_are_not_mixed_up() -> None:
    with pytest.raises(UnsupportedModel):
        MaskedScorer(load("gpt2"))
    with pytest.raises(UnsupportedModel):
        CausalScorer(load("bert"))


SENTENCES = (
    "He is a nurse.",
    "She",
    "The man said that he was tired.",
    "The secretary knew that the chairwoman had a daughter, a son and a friend, said the manager.",
    '"I know her," said the teacher.',
)
STARTLESS = ("gpt2", "gpt-neox")  # their tokenizers put nothing in front


def plain_likelihood(family: str, text: str, given: str = "") -> tuple[float, int]:
    """Σ ln P(next token) over the tokens behind those of ``given``, the start token in front, and their number."""
    tokenizer, model = plain(family)
    start = [tokenizer.bos_token_id] if family in STARTLESS else []
    ids = start + tokenizer(text).input_ids
    known = start + tokenizer(given).input_ids if given else ids[:1]
    assert ids[: len(known)] == known
    with torch.inference_mode():
        log_probs = model(input_ids=torch.tensor([ids])).logits[0].log_softmax(dim=-1)
    scored = range(len(known), len(ids))
    return math.fsum(log_probs[i - 1, ids[i]].item() for i in scored), len(scored)


def check(found: TextScore, expected: tuple[float, int]) -> None:
    assert found.reason == ""
    assert found.ln_p == pytest.approx(expected[0], abs=TOLERANCE * max(1, expected[1]))
    assert found.tokens == expected[1]


@pytest.mark.parametrize("family", CAUSAL)
def test_whole_sentences_have_the_likelihood_of_a_plain_call(family: str) -> None:
    found = CausalScorer(load(family)).log_likelihood([TextQuery(text, (0, len(text))) for text in SENTENCES])
    for score, text in zip(found, SENTENCES, strict=True):
        check(score, plain_likelihood(family, text))


@pytest.mark.parametrize("family", CAUSAL)
def test_the_end_of_a_sentence_is_scored_given_its_beginning(family: str) -> None:
    text, given = "He said that the chairwoman was calm.", "He said that the"
    start = len(given) + 1  # at the first letter; the space before it belongs to the first piece
    expected = plain_likelihood(family, text, given)
    assert expected[1] >= 5  # chairwoman is several pieces, all of them scored
    scorer = CausalScorer(load(family))
    scored = scorer.log_likelihood([TextQuery(text, (start, len(text)))])[0]  # alone: no other places are read
    whole = scorer.log_likelihood([TextQuery(text, (0, len(text)))])[0]
    check(scored, expected)
    assert whole.ln_p is not None
    assert scored.ln_p is not None
    assert whole.ln_p - scored.ln_p == pytest.approx(plain_likelihood(family, given)[0], abs=1e-4)  # chain rule


@pytest.mark.parametrize("family", CAUSAL)
def test_one_word_in_the_middle_is_scored_given_what_stands_before_it(family: str) -> None:
    text, given = "The doctor said that she was tired.", "The doctor said that"
    start = len(given) + 1
    found = CausalScorer(load(family)).log_likelihood([TextQuery(text, (start, start + len("she")))])[0]
    check(found, plain_likelihood(family, f"{given} she", given))


@pytest.mark.parametrize("family", CAUSAL)
def test_the_first_word_counts_and_an_added_start_token_is_told(family: str) -> None:
    scorer = CausalScorer(load(family))
    he, she = scorer.log_likelihood([TextQuery(f"{word} is a nurse.", (0, len(word))) for word in ("He", "She")])
    check(he, plain_likelihood(family, "He"))
    check(she, plain_likelihood(family, "She"))
    assert he.ln_p != she.ln_p
    assert ("start token added" in scorer.note) == (family in STARTLESS)


@pytest.mark.parametrize("family", CAUSAL)
def test_likelihoods_do_not_depend_on_order_or_batch(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = CausalScorer(load(family))
    queries = [TextQuery(text, (0, len(text))) for text in SENTENCES]
    alone = [scorer.log_likelihood([query])[0].ln_p for query in queries]
    for tokens in (1, 30, 4096):
        monkeypatch.setattr(reading, "TOKENS", tokens)
        assert [score.ln_p for score in scorer.log_likelihood(queries)] == pytest.approx(alone, abs=1e-4)
        assert [score.ln_p for score in scorer.log_likelihood(queries[::-1])][::-1] == pytest.approx(alone, abs=1e-4)
