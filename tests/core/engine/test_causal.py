"""The causal scorer around the numbers: what is asked once, the start token, what is left out, stopping, threads."""

from __future__ import annotations

import itertools
import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine.causal import CausalScorer, TextQuery, TextScore
from core.engine.masked import STOPPED
from core.errors import ModelError
from core.result import Progress
from core.run import Callbacks
from tests.support.tiny import CAUSAL, POSITIONS
from tests.support.watching import load_tiny, watching

TOLERANCE = 1e-5  # nats per piece, float32
SENTENCES = (
    "He is a nurse.",
    "She is a nurse.",
    "She",
    "The man said that he was tired.",
    "The secretary knew that the chairwoman had a daughter, a son and a friend, said the manager.",
    '"I know her," said the teacher.',
    "They are calm.",
)
QUERIES = [TextQuery(text, span) for text in SENTENCES for span in ((0, len(text)), (0, 3), (3, len(text)))]
WITHOUT_START = ("gpt2", "gpt-neox")


def scorer(family: str) -> CausalScorer:
    return CausalScorer(load_tiny(family))


def agree(found: list[TextScore], expected: list[TextScore]) -> bool:
    """The same stretches have a number, and the same one, to 1e-5 for each of their pieces."""
    return all(
        (a.reason, a.tokens) == (b.reason, b.tokens)
        and (a.ln_p is None) == (b.ln_p is None)
        and (a.ln_p or 0.0) == pytest.approx(b.ln_p or 0.0, abs=TOLERANCE * max(1, a.tokens))
        for a, b in zip(found, expected, strict=True)
    )


@pytest.mark.parametrize("family", CAUSAL)
def test_a_text_goes_through_once_whatever_is_asked_of_it(family: str) -> None:
    with watching(load_tiny(family)) as watched:
        found = scorer(family).log_likelihood(QUERIES * 2)
    assert len(watched.inputs) == len(set(watched.inputs)) == len(SENTENCES)
    assert found[: len(QUERIES)] == found[len(QUERIES) :]


@pytest.mark.parametrize("family", [name for name in CAUSAL if name != "opt"])
def test_the_head_sees_the_wanted_positions_only(family: str) -> None:
    text = "The man said that he was very tired."
    start = text.index("he was")
    with watching(load_tiny(family)) as watched:
        scorer(family).log_likelihood([TextQuery(text, (start, start + 2))])
    assert watched.head == [(1, 1)]


@pytest.mark.parametrize("family", CAUSAL)
def test_out_of_memory_changes_no_number(family: str) -> None:
    expected = scorer(family).log_likelihood(QUERIES)
    with watching(load_tiny(family), room=2) as watched:
        found = scorer(family).log_likelihood(QUERIES)
    assert watched.refused
    assert agree(found, expected)


@settings(deadline=None, max_examples=30)
@given(chosen=st.lists(st.sampled_from(QUERIES), max_size=15), family=st.sampled_from(CAUSAL))
def test_any_choice_of_queries_in_any_order(chosen: list[TextQuery], family: str) -> None:
    expected = dict(zip(QUERIES, scorer(family).log_likelihood(QUERIES), strict=True))
    assert agree(scorer(family).log_likelihood(chosen), [expected[query] for query in chosen])


@pytest.mark.parametrize("family", CAUSAL)
def test_a_text_is_the_sum_of_its_stretches(family: str) -> None:
    """Chain rule: ln P(beginning) + ln P(rest | beginning) = ln P(whole), wherever a word ends."""
    text = "The secretary knew that she was calm."
    cuts = [i for i, letter in enumerate(text) if letter == " "]
    whole, *parts = scorer(family).log_likelihood(
        [TextQuery(text, (0, len(text))), *(TextQuery(text, s) for cut in cuts for s in ((0, cut), (cut, len(text))))]
    )
    assert whole.ln_p is not None
    for first, second in zip(parts[::2], parts[1::2], strict=True):
        assert first.ln_p is not None
        assert second.ln_p is not None
        assert first.ln_p + second.ln_p == pytest.approx(whole.ln_p, abs=1e-4)
        assert first.tokens + second.tokens == whole.tokens


@pytest.mark.parametrize("family", CAUSAL)
def test_what_follows_a_stretch_does_not_count(family: str) -> None:
    """A causal model reads nothing behind the place it guesses."""
    found = scorer(family).log_likelihood(
        [TextQuery("He is a nurse.", (0, 13)), TextQuery("He is a nurse and was tired", (0, 13))]
    )
    assert found[0].ln_p == pytest.approx(found[1].ln_p, abs=1e-4)


def test_three_threads_at_once() -> None:
    orders = [QUERIES, QUERIES[::-1], random.Random(1).sample(QUERIES, len(QUERIES))]
    for family in ("gpt2", "opt"):
        shared = scorer(family)
        expected = dict(zip(QUERIES, shared.log_likelihood(QUERIES), strict=True))
        start = Barrier(3)

        def ask(queries: list[TextQuery], shared: CausalScorer = shared, start: Barrier = start) -> list[TextScore]:
            start.wait()
            return [score for _ in range(5) for score in shared.log_likelihood(queries)]

        with ThreadPoolExecutor(3) as pool:
            for queries, found in zip(orders, pool.map(ask, orders), strict=True):
                assert agree(found, [expected[query] for query in queries] * 5)


def test_progress_ends_at_the_number_of_texts() -> None:
    reports: list[Progress] = []
    scorer("gpt2").log_likelihood(QUERIES * 2, run=Callbacks(reports.append))
    assert (reports[0].done, reports[-1].done, reports[-1].total) == (0, len(SENTENCES), len(SENTENCES))


def test_a_stop_keeps_what_is_done_and_names_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.reading.TOKENS", 1)
    whole = scorer("llama").log_likelihood(QUERIES)
    asked = itertools.count()
    with watching(load_tiny("llama")) as watched:
        scores = scorer("llama").log_likelihood(QUERIES, run=Callbacks(cancelled=lambda: next(asked) >= 3))
    assert len(watched.inputs) == 3
    stopped = [score for score in scores if score.reason == STOPPED]
    # three of the seven texts were read; a stretch of "She" behind its end is left out for another reason
    assert len(stopped) == 3 * 4 - 1
    assert all((score.ln_p, score.tokens) == (None, 0) for score in stopped)
    kept = [(score, before) for score, before in zip(scores, whole, strict=True) if score.reason != STOPPED]
    assert agree([score for score, _ in kept], [before for _, before in kept])


@pytest.mark.parametrize("family", CAUSAL)
def test_a_text_that_is_too_long_is_left_out_with_its_length(family: str) -> None:
    long = ("she " * 600).strip()
    too_long, short = scorer(family).log_likelihood([TextQuery(long, (0, 3)), QUERIES[0]])
    assert too_long == TextScore(None, 0, f"stands in a sentence of 601 tokens; {family} reads {POSITIONS}")
    assert short.ln_p is not None


@pytest.mark.parametrize("family", CAUSAL)
def test_the_longest_text_a_model_reads_is_read(family: str) -> None:
    """The start token takes one of the positions."""
    texts = [" ".join(["she"] * count) for count in (POSITIONS - 1, POSITIONS)]
    fits, too_long = scorer(family).log_likelihood([TextQuery(text, (0, len(text))) for text in texts])
    assert fits.tokens == POSITIONS - 1
    assert too_long.ln_p is None
    assert f"sentence of {POSITIONS + 1} tokens" in too_long.reason


@pytest.mark.parametrize("family", CAUSAL)
def test_the_next_word_after_a_text_that_is_too_long(family: str) -> None:
    with pytest.raises(ModelError, match=f"sentence of 601 tokens; {family} reads {POSITIONS}"):
        scorer(family).top_next(" ".join(["she"] * 600))


@pytest.mark.parametrize("family", CAUSAL)
def test_nothing_asked(family: str) -> None:
    assert scorer(family).log_likelihood([]) == []
    empty, behind = scorer(family).log_likelihood([TextQuery("", (0, 0)), TextQuery("She", (3, 3))])
    assert empty == behind == TextScore(None, 0, "leaves no text to score")


def test_an_unknown_piece_is_left_out() -> None:
    """Bytes spell every letter; a tokenizer without them is stood in for by calling a known piece unknown."""
    model = load_tiny("gpt2")

    class Unknowing:
        """The tokenizer of GPT-2, to which "Ġnurse" is the unknown token."""

        unk_token_id = model.tokenizer.convert_tokens_to_ids("Ġnurse")

        def __getattr__(self, name: str) -> Any:
            return getattr(model.tokenizer, name)

    nurse, man = CausalScorer(replace(model, tokenizer=Unknowing())).log_likelihood(
        [TextQuery("He is a nurse", (0, 13)), TextQuery("He is a man", (0, 11))]
    )
    assert nurse == TextScore(None, 0, "is unknown to this model")
    assert man.ln_p is not None


def test_without_any_start_token_the_first_word_has_no_probability() -> None:
    model = load_tiny("gpt2")

    class Startless:
        """The tokenizer of GPT-2 without its one special token."""

        bos_token_id = None
        eos_token_id = None

        def __getattr__(self, name: str) -> Any:
            return getattr(model.tokenizer, name)

    startless = CausalScorer(replace(model, tokenizer=Startless()))
    first, later = startless.log_likelihood([TextQuery("He is a nurse", (0, 2)), TextQuery("He is a nurse", (3, 13))])
    assert first.ln_p is None
    assert "no start token" in first.reason
    assert later.ln_p is not None
    assert startless.note == ""


@pytest.mark.parametrize("family", CAUSAL)
def test_the_start_token_is_added_once_and_told(family: str) -> None:
    with watching(load_tiny(family)) as watched:
        scorer(family).log_likelihood([TextQuery("He is a nurse", (0, 2))])
    tokenizer = load_tiny(family).tokenizer
    ((first, second, *_),) = watched.inputs
    assert first == tokenizer.bos_token_id != second
    assert bool(scorer(family).note) == (family in WITHOUT_START)
    if scorer(family).note:
        assert tokenizer.bos_token in scorer(family).note


@pytest.mark.parametrize("family", CAUSAL)
def test_the_likeliest_next_pieces_are_those_of_a_plain_call(family: str) -> None:
    model = load_tiny(family)
    ids = model.tokenizer("The man said that").input_ids
    ids = [model.tokenizer.bos_token_id, *ids] if family in WITHOUT_START else ids
    with torch.inference_mode():
        expected = model.module(input_ids=torch.tensor([ids])).logits[0, -1].softmax(-1).sort(descending=True)
    fills = scorer(family).top_next("The man said that", 5)
    assert [fill.probability for fill in fills] == pytest.approx(expected.values[:5].tolist(), abs=TOLERANCE)
    pieces = [model.tokenizer.decode([token]).strip() for token in expected.indices[:5].tolist()]
    assert all(fill.word == piece for fill, piece in zip(fills, pieces, strict=True) if piece)


@pytest.mark.parametrize("family", CAUSAL)
def test_the_likeliest_first_pieces(family: str) -> None:
    """After an empty text the start token alone is read."""
    model = load_tiny(family)
    with torch.inference_mode():
        expected = model.module(input_ids=torch.tensor([[model.tokenizer.bos_token_id]])).logits[0, -1].softmax(-1)
    fills = scorer(family).top_next("", 3)
    assert [fill.probability for fill in fills] == pytest.approx(expected.topk(3).values.tolist(), abs=TOLERANCE)
    assert math.fsum(fill.probability for fill in fills) <= 1
