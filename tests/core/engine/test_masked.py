"""The masked scorer around the numbers: what is asked once, what is left out and why, stopping, threads.

The numbers of each family are held against plain calls in ``test_families``; here they only must stay the same.
"""

from __future__ import annotations

import itertools
import math
import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED, MaskedScorer, MaskQuery, PieceScores, WordScore
from core.engine.pieces import Tokenized
from core.errors import ModelError
from core.result import Progress
from core.run import Callbacks
from core.sources.templates import MASK
from tests.support.tiny import MASKED, POSITIONS
from tests.support.watching import load_tiny, watching

TOLERANCE = 1e-5  # nats, float32
WORDS = ("he", "she", "nurse", "chairwoman", "zzq")
NOUNS = ("nurse", "teacher", "doctor", "secretary", "engineer", "manager")
QUERIES = [
    *(MaskQuery(f"{MASK} is a {noun}.", 0, WORDS) for noun in NOUNS),
    *(MaskQuery(f"The {noun} said that {MASK} was very tired, and that the boy was not.", 0, WORDS) for noun in NOUNS),
    MaskQuery(f"{MASK} is a {MASK}.", 0, WORDS),
    MaskQuery(f"{MASK} is a {MASK}.", 1, WORDS),
]


def scorer(family: str = "bert") -> MaskedScorer:
    return MaskedScorer(load_tiny(family))


def numbers(answers: list[tuple[WordScore, ...]]) -> list[float | None]:
    return [score.ln_p for answer in answers for score in answer]


def agree(found: list[float | None], expected: list[float | None]) -> bool:
    """The same words have a number, and the same one."""
    pairs = list(zip(found, expected, strict=True))
    return all((a is None) == (b is None) for a, b in pairs) and [a for a, _ in pairs if a is not None] == (
        pytest.approx([b for _, b in pairs if b is not None], abs=TOLERANCE)
    )


@pytest.mark.parametrize("family", MASKED)
def test_a_text_goes_through_once_whatever_is_asked_of_it(family: str) -> None:
    """14 queries × 5 words, each asked three times; two of them read one text at another mask: 13 texts."""
    with watching(load_tiny(family)) as watched:
        answers = scorer(family).log_probs(QUERIES * 3)
    assert len(watched.inputs) == len(set(watched.inputs)) == 13
    assert answers[:14] == answers[14:28] == answers[28:]


def test_more_words_cost_no_more_passes() -> None:
    text = f"The man said that {MASK} was tired."
    with watching(load_tiny("bert")) as watched:
        scorer().log_probs([MaskQuery(text, 0, (word,)) for word in ("he", "she", "nurse")])
        scorer().log_probs([MaskQuery(text, 0, ("he", "she", "nurse"))])
    assert watched.batches == [1, 1]


def test_the_head_sees_the_masks_only() -> None:
    """One mask is read in 12 of the 13 texts, two in the last: rows of one or two positions, never of eight."""
    with watching(load_tiny("bert")) as watched:
        scorer().log_probs(QUERIES)
    assert max(positions for _, positions in watched.head) <= 2
    assert sum(rows for rows, _ in watched.head) == 13


def test_joint_words_share_what_they_can() -> None:
    """chair + ##woman, nurse + ##s, and nurse: "[M] [M]" for both, "chair [M]", "nurse [M]", and "[M]"."""
    query = MaskQuery(f"The {MASK} was tired.", 0, ("chairwoman", "nurses", "chairwoman", "nurse"))
    with watching(load_tiny("bert")) as watched:
        woman, _, again, _ = scorer().log_probs([query], several_pieces="joint")[0]
    assert len(watched.inputs) == 4
    assert woman == again


@pytest.mark.parametrize("family", MASKED)
@pytest.mark.parametrize("several_pieces", ["single", "joint"])
def test_out_of_memory_changes_no_number(family: str, several_pieces: str) -> None:
    expected = numbers(scorer(family).log_probs(QUERIES, several_pieces=several_pieces))
    with watching(load_tiny(family), room=2) as watched:
        found = numbers(scorer(family).log_probs(QUERIES, several_pieces=several_pieces))
    assert watched.refused
    assert agree(found, expected)


@settings(deadline=None, max_examples=30)
@given(chosen=st.lists(st.sampled_from(QUERIES), max_size=20), joint=st.booleans())
def test_any_choice_of_queries_in_any_order(chosen: list[MaskQuery], joint: bool) -> None:
    rule = "joint" if joint else "single"
    expected = dict(zip(QUERIES, scorer().log_probs(QUERIES, several_pieces=rule), strict=True))
    found = scorer().log_probs(chosen, several_pieces=rule)
    assert agree(numbers(found), numbers([expected[query] for query in chosen]))
    assert [tuple(score.word for score in answer) for answer in found] == [query.candidates for query in chosen]


def test_three_threads_at_once() -> None:
    """Different orders in each thread, so that a mixed-up position or answer would be seen."""
    families = ("bert", "roberta", "deberta-v2")
    orders = [QUERIES, QUERIES[::-1], random.Random(1).sample(QUERIES, len(QUERIES))]
    for family in families:
        shared = scorer(family)
        expected = dict(zip(QUERIES, shared.log_probs(QUERIES), strict=True))
        start = Barrier(3)

        def ask(queries: list[MaskQuery], shared: MaskedScorer = shared, start: Barrier = start) -> list[float | None]:
            start.wait()
            return [value for _ in range(5) for value in numbers(shared.log_probs(queries))]

        with ThreadPoolExecutor(3) as pool:
            for queries, found in zip(orders, pool.map(ask, orders), strict=True):
                assert agree(found, numbers([expected[query] for query in queries]) * 5)


def test_progress_ends_at_the_number_of_texts() -> None:
    reports: list[Progress] = []
    scorer().log_probs(QUERIES * 2, run=Callbacks(reports.append))
    assert (reports[0].done, reports[-1].done, reports[-1].total) == (0, 13, 13)
    assert "bert" in reports[0].stage


def test_a_stop_keeps_what_is_done_and_names_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.reading.TOKENS", 60)
    whole = [score for answer in scorer().log_probs(QUERIES) for score in answer]
    asked = itertools.count()
    answers = scorer().log_probs(QUERIES, run=Callbacks(cancelled=lambda: next(asked) >= 2))
    scores = [score for answer in answers for score in answer]
    stopped = [score for score in scores if score.reason == STOPPED]
    assert stopped
    assert all(score.ln_p is None for score in stopped)
    kept = [(score, before) for score, before in zip(scores, whole, strict=True) if score.reason != STOPPED]
    assert any(score.ln_p is not None for score, _ in kept)
    assert agree([score.ln_p for score, _ in kept], [before.ln_p for _, before in kept])
    assert all(score.reason == before.reason for score, before in kept)


def test_a_joint_word_stopped_half_way_has_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its two passes only one was made; half a sum is no log probability."""
    monkeypatch.setattr("core.engine.reading.TOKENS", 1)
    asked = itertools.count()
    ((score,),) = scorer().log_probs(
        [MaskQuery(f"The {MASK} was tired.", 0, ("chairwoman",))],
        several_pieces="joint",
        run=Callbacks(cancelled=lambda: next(asked) >= 1),
    )
    assert (score.ln_p, score.reason) == (None, STOPPED)


def test_reasons_go_on_from_the_word() -> None:
    """The vocabulary has chair and ##woman; nurse is whole; a snowman is in no vocabulary."""
    text = f"The {MASK} was tired."
    nurse, woman, snowman = scorer().log_probs([MaskQuery(text, 0, ("nurse", "chairwoman", "☃"))])[0]
    assert nurse.ln_p is not None
    assert (nurse.pieces, nurse.reason) == (("nurse",), "")
    assert (woman.ln_p, woman.pieces, woman.reason) == (None, ("chair", "##woman"), "= chair + ##woman: not scored")
    assert (snowman.ln_p, snowman.reason) == (None, "is unknown to this model")


def test_a_word_that_melts_into_its_neighbour_is_left_out() -> None:
    """ "The secreta[MASK]" with "ry" is the one piece "secretary": there is no piece that is the word."""
    ((score,),) = scorer().log_probs([MaskQuery(f"The secreta{MASK} was tired.", 0, ("ry",))])
    assert score.ln_p is None
    assert score.reason == "is read as one token with its neighbour here (secretary)"


@pytest.mark.parametrize("rule", ["single", "joint"])
def test_an_empty_word_is_left_out(rule: str) -> None:
    ((score,),) = scorer().log_probs([MaskQuery(f"The {MASK} was tired.", 0, ("",))], several_pieces=rule)
    assert score.ln_p is None
    assert score.reason


@pytest.mark.parametrize("family", MASKED)
@pytest.mark.parametrize("rule", ["single", "joint"])
def test_a_sentence_that_is_too_long_is_left_out_with_its_length(family: str, rule: str) -> None:
    long = MaskQuery("she " * 600 + MASK, 0, ("he", "chairwoman"))
    with watching(load_tiny(family)) as watched:
        answers = scorer(family).log_probs([long, QUERIES[0]], several_pieces=rule)
    he = answers[0][0]
    assert he.ln_p is None
    assert he.reason == f"stands in a sentence of 603 tokens; {family} reads {POSITIONS}"
    assert answers[0][1].ln_p is None
    assert answers[1][0].ln_p is not None
    assert all(len(row) <= POSITIONS for row in watched.inputs)
    with pytest.raises(ModelError, match=f"sentence of 603 tokens; {family} reads {POSITIONS}"):
        scorer(family).top_fills(long.text, 0)


@pytest.mark.parametrize("family", MASKED)
def test_the_longest_sentence_a_model_reads_is_read(family: str) -> None:
    """Up to and including the last position, none beyond; "she" is one piece each."""
    frame = len(load_tiny(family).tokenizer("she").input_ids) - 1
    fits, too_long = (
        scorer(family).log_probs([MaskQuery("she " * count + MASK, 0, ("he",))])[0][0]
        for count in (POSITIONS - frame - 1, POSITIONS - frame)
    )
    assert fits.ln_p is not None
    assert too_long.ln_p is None
    assert f"sentence of {POSITIONS + 1} tokens" in too_long.reason


def test_nothing_asked() -> None:
    reports: list[Progress] = []
    assert scorer().log_probs([], run=Callbacks(reports.append)) == []
    assert [(report.done, report.total) for report in reports] == [(0, 0)]
    assert scorer().log_probs([MaskQuery(f"{MASK} is a nurse.", 0, ())]) == [()]
    assert scorer().pieces([]) == []


def test_top_fills_of_either_mask() -> None:
    text = f"{MASK} is a {MASK}."
    for mask in (0, 1):
        fills = scorer().top_fills(text, mask, 3)
        scores = scorer().log_probs([MaskQuery(text, mask, tuple(fill.word for fill in fills))])[0]
        for fill, score in zip(fills, scores, strict=True):
            if score.ln_p is not None:  # a piece such as ##s is no word of its own
                assert fill.probability == pytest.approx(math.exp(score.ln_p), abs=1e-5)
    assert scorer().top_fills(text, 0, 3) != scorer().top_fills(text, 1, 3)


FILLS = [
    *((f"{MASK} is a {noun}.", 0) for noun in NOUNS),
    *((f"The {noun} said that {MASK} was very tired, and that the boy was not.", 0) for noun in NOUNS),
    (f"{MASK} is a {MASK}.", 0),
    (f"{MASK} is a {MASK}.", 1),
]


def plain(model: LoadedModel, text: str) -> tuple[list[int], torch.Tensor]:
    """Ids of the text with the model's own masks, and ln P [position, vocabulary], alone and whole."""
    ids = model.tokenizer(text.replace(MASK, model.tokenizer.mask_token)).input_ids
    with torch.inference_mode():
        return ids, model.module(input_ids=torch.tensor([ids])).logits[0].log_softmax(-1)


@pytest.mark.parametrize("family", MASKED)
def test_pieces_hidden_together_have_the_numbers_of_one_plain_call(family: str) -> None:
    """chairwoman is two pieces: two masks, none of them filled, each piece at its own. A single piece is as ever."""
    model = load_tiny(family)
    query = MaskQuery(f"The man saw that the {MASK} was tired.", 0, ("chairwoman", "nurse", "☃"))
    woman, nurse, snowman = scorer(family).together([query])[0]
    ids, log_probs = plain(model, f"The man saw that the {MASK} {MASK} was tired.")
    masks = [at for at, token in enumerate(ids) if token == model.tokenizer.mask_token_id]
    # The pieces between what stands before the word and what stands after it, which no family reads otherwise.
    behind = len(ids) - 1 - masks[1]
    filled = model.tokenizer("The man saw that the chairwoman was tired.").input_ids
    pieces = filled[: len(filled) - behind][-2:]
    assert woman.ln_p == pytest.approx(
        [log_probs[at, piece].item() for at, piece in zip(masks, pieces, strict=True)], abs=TOLERANCE
    )
    assert (len(woman.pieces), woman.reason) == (2, "")
    single = scorer(family).log_probs([query])[0][1]
    assert nurse.ln_p == (pytest.approx(single.ln_p, abs=TOLERANCE),)
    assert (snowman.ln_p is None) == bool(snowman.reason)


def test_pieces_hidden_together_share_one_pass() -> None:
    """[M] [M] for both of two pieces and [M] for nurse: not "chair [M]", as ``joint`` asks."""
    query = MaskQuery(f"The {MASK} was tired.", 0, ("chairwoman", "nurses", "nurse", "nurse"))
    with watching(load_tiny("bert")) as watched:
        scorer().together([query, query])
    assert len(watched.inputs) == 2
    assert all(load_tiny("bert").tokenizer.mask_token_id in row for row in watched.inputs)


@pytest.mark.parametrize("family", MASKED)
def test_pieces_hidden_together_in_any_company(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def values(answers: list[tuple[PieceScores, ...]]) -> list[float]:
        return [value for answer in answers for score in answer for value in score.ln_p or ()]

    alone = values([scorer(family).together([query])[0] for query in QUERIES])
    monkeypatch.setattr("core.engine.reading.TOKENS", 60)
    assert values(scorer(family).together(QUERIES)) == pytest.approx(alone, abs=TOLERANCE)
    assert values(scorer(family).together(QUERIES[::-1])[::-1]) == pytest.approx(alone, abs=TOLERANCE)


def test_reasons_of_pieces_hidden_together() -> None:
    text = f"The {MASK} was tired."
    words = ("☃", "", "nurse")
    snowman, empty, nurse = scorer().together([MaskQuery(text, 0, words)], run=Callbacks(cancelled=lambda: True))[0]
    assert (snowman.ln_p, snowman.reason) == (None, "is unknown to this model")
    assert empty.ln_p is None
    assert empty.reason
    assert (nurse.ln_p, nurse.reason) == (None, STOPPED)
    ((long,),) = scorer().together([MaskQuery("she " * 600 + MASK, 0, ("he",))])
    assert (long.ln_p, long.reason) == (None, f"stands in a sentence of 603 tokens; bert reads {POSITIONS}")


@pytest.mark.parametrize("family", MASKED)
def test_fills_in_batches_are_those_of_one_at_a_time(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [scorer(family).top_fills(text, mask, 4) for text, mask in FILLS]
    for tokens in (1, 60, 4096):
        monkeypatch.setattr("core.engine.reading.TOKENS", tokens)
        for order in (FILLS, FILLS[::-1]):
            found = dict(zip(order, scorer(family).fills(order, 4), strict=True))
            for query, fills in zip(FILLS, alone, strict=True):
                assert [fill.word for fill in found[query]] == [fill.word for fill in fills]
                assert [fill.probability for fill in found[query]] == pytest.approx(
                    [fill.probability for fill in fills], abs=TOLERANCE
                )
    assert all(sorted(fills, key=lambda fill: -fill.probability) == list(fills) for fills in alone)


def test_fills_are_asked_once_and_stop() -> None:
    """12 texts with one mask, and one that is read at both."""
    reports: list[Progress] = []
    with watching(load_tiny("bert")) as watched:
        found = scorer().fills(FILLS * 2, 3, run=Callbacks(reports.append))
    assert len(watched.inputs) == reports[-1].done == reports[-1].total == 14
    assert found[:14] == found[14:]
    assert scorer().fills(FILLS, 3, run=Callbacks(cancelled=lambda: True)) == [()] * 14
    assert scorer().fills([], 3) == []


@pytest.mark.parametrize("family", MASKED)
def test_distributions_are_those_of_plain_calls_and_sum_to_one(family: str) -> None:
    model = load_tiny(family)
    found = scorer(family).distributions(FILLS)
    assert found.shape == (14, model.module.get_input_embeddings().weight.shape[0])
    assert np.exp(found).sum(axis=1) == pytest.approx(1, abs=1e-5)
    for row, (text, mask) in zip(found, FILLS, strict=True):
        ids, log_probs = plain(model, text)
        at = [place for place, token in enumerate(ids) if token == model.tokenizer.mask_token_id][mask]
        # The largest difference among all tokens, down to the unlikeliest.
        assert row == pytest.approx(log_probs[at].numpy(), abs=4 * TOLERANCE)


def test_distributions_not_reached_are_missing_as_a_whole() -> None:
    size = len(load_tiny("bert").tokenizer)
    stopped = scorer().distributions(FILLS, run=Callbacks(cancelled=lambda: True))
    assert stopped.shape == (14, size)
    assert np.isnan(stopped).all()
    assert scorer().distributions([]).shape == (0, size)
    with pytest.raises(ModelError, match=f"sentence of 603 tokens; bert reads {POSITIONS}"):
        scorer().distributions([("she " * 600 + MASK, 0)])


@pytest.mark.parametrize("family", MASKED)
def test_tokens_in_a_place_are_those_the_scores_are_of(family: str) -> None:
    """The number of the distribution at a word's token is the score of the word, there as at a sentence's start."""
    for text, mask in ((f"{MASK} is a word.", 0), (f"The man said that {MASK} was tired.", 0), (FILLS[-1])):
        (row,) = scorer(family).distributions([(text, mask)])
        scores = scorer(family).log_probs([MaskQuery(text, mask, WORDS)])[0]
        for token, score in zip(scorer(family).tokens_of(text, mask, WORDS), scores, strict=True):
            if score.ln_p is None:
                assert token == score.reason
            else:
                assert isinstance(token, int)
                assert row[token] == pytest.approx(score.ln_p, abs=TOLERANCE)


def test_the_vocabulary_as_a_person_reads_it() -> None:
    """BERT writes what continues a word with ##, RoBERTa what follows a space with Ġ, which is left out."""
    bert, roberta = load_tiny("bert"), load_tiny("roberta")
    words = scorer().vocabulary(len(bert.tokenizer))
    assert len(words) == len(bert.tokenizer)
    assert words[bert.tokenizer.convert_tokens_to_ids("##woman")] == "##woman"
    assert words[bert.tokenizer.convert_tokens_to_ids("nurse")] == "nurse"
    assert (
        scorer("roberta").vocabulary(len(roberta.tokenizer))[roberta.tokenizer.convert_tokens_to_ids("Ġnurse")]
        == "nurse"
    )


def test_the_pieces_of_a_text_are_those_of_the_tokenizer() -> None:
    (found,) = scorer().pieces([(f"The chairwoman and {MASK}", (4, 14))])
    assert isinstance(found, Tokenized)
    assert found.pieces == ("chair", "##woman")
