"""How attention is asked for: places of words, refusals, batches, one pass for everything, and what may go wrong.

The numbers themselves are checked in ``test_attention_values``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.engine import attention, reading
from core.engine.attention import TOO_LONG, UNREADABLE, AttentionQuery, AttentionReader, HeadSums, Refusal
from core.engine.checkpoints import ModelRequest
from core.engine.loading import LoadedModel, with_attentions
from core.engine.pool import ModelPool
from core.errors import ModelError
from core.result import Progress
from core.run import Callbacks
from core.sources.templates import MASK
from tests.support.tiny import CAUSAL, MASKED, build, tiny_folder
from tests.support.watching import load_folder, load_tiny

TOLERANCE = 1e-5


def span(text: str, word: str) -> tuple[int, int]:
    found = re.search(rf"\b{word}\b", text)
    assert found is not None
    return found.span()


def ask(text: str, occupation: str, male: Sequence[str] = (), female: Sequence[str] = ()) -> AttentionQuery:
    return AttentionQuery(
        text,
        span(text, occupation),
        tuple(span(text, word) for word in male),
        tuple(span(text, word) for word in female),
    )


QUERIES = (
    ask("He is a nurse.", "nurse", ["He"]),
    ask("The man said that he asked the chairwoman, and the nurse was tired.", "nurse", ["man", "he"], ["chairwoman"]),
    ask("The woman told the teacher that she was tired.", "teacher", [], ["woman", "she"]),
    ask("The man told the teacher that he was tired.", "teacher", ["man", "he"]),
    ask(
        "A friend of the chairwoman, a teacher, was there, and the man said that he was very tired.", "teacher", ["man"]
    ),
    ask("They asked the nurse and the man.", "nurse", ["man"]),
)


def eager(family: str) -> LoadedModel:
    return with_attentions(load_tiny(family))


def in_order(reader: AttentionReader, queries: Sequence[AttentionQuery], **options: Any) -> list[HeadSums | Refusal]:
    """Answers in the order asked; each index has come exactly once."""
    found: dict[int, HeadSums | Refusal] = {}
    for part, answers in reader.sums(queries, detectors=True, **options):
        for i, answer in zip(part, answers, strict=True):
            assert i not in found
            found[i] = answer
    assert sorted(found) == list(range(len(queries)))
    return [found[i] for i in range(len(queries))]


def numbers(answer: HeadSums | Refusal) -> np.ndarray:
    assert isinstance(answer, HeadSums), answer
    assert answer.detector_male is not None
    assert answer.detector_female is not None
    return np.concatenate([answer.maps_male, answer.maps_female, answer.detector_male, answer.detector_female], axis=0)


@contextmanager
def passes(model: LoadedModel) -> Iterator[list[list[tuple[int, ...]]]]:
    """Inputs of every forward pass, padding cut off."""
    seen: list[list[tuple[int, ...]]] = []

    def before(_module: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        rows = zip(kwargs["input_ids"], kwargs["attention_mask"], strict=True)
        seen.append([tuple(ids[kept.bool()].tolist()) for ids, kept in rows])

    handle = model.module.base_model.register_forward_pre_hook(before, with_kwargs=True)
    try:
        yield seen
    finally:
        handle.remove()


def test_maps_of_a_model_that_was_loaded_with_default_attention() -> None:
    """The default attention returns none; the pool's second instance does: layers × heads, every row sums to 1."""
    pool, name = ModelPool(), str(tiny_folder("bert"))
    with (
        pool.lease(ModelRequest(name, device="cpu")) as plain,
        pool.lease(ModelRequest(name, device="cpu", attention="eager")) as model,
    ):
        with pytest.raises(ModelError, match="bert was loaded without attention outputs; request it with attention"):
            AttentionReader(plain)
        maps = AttentionReader(model).maps("The man said that he was tired.")
    assert maps.shape[:2] == (2, 4)
    assert np.abs(maps.sum(axis=-1) - 1).max() < TOLERANCE


def test_tokens_of_a_map() -> None:
    reader, text = AttentionReader(eager("bert")), "The chairwoman was tired."
    tokens = reader.tokens(text)
    assert tokens.pieces == ("[CLS]", "the", "chair", "##woman", "was", "tired", ".", "[SEP]")
    assert tokens.spans == ((0, 0), (0, 3), (4, 9), (9, 14), (15, 18), (19, 24), (24, 25), (0, 0))
    assert tokens.is_special == (True, *[False] * 6, True)
    assert reader.maps(text).shape == (2, 4, 8, 8)


def test_spans_beside_a_mask_are_those_of_the_text_as_written() -> None:
    """RoBERTa writes the mask as <mask>, a character shorter than the [MASK] of the text or longer."""
    text = f"The {MASK} said that {MASK} was tired."
    tokens = AttentionReader(eager("roberta")).tokens(text)
    assert [text[start:end].strip() for start, end in tokens.spans[1:-1]] == [
        "The", MASK, "said", "that", MASK, "was", "tired", "."
    ]  # fmt: skip
    assert tokens.is_special == (True, *[False] * 8, True)


@pytest.mark.parametrize("family", [*MASKED, *CAUSAL])
def test_company_order_batch_and_padding_change_nothing(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = AttentionReader(eager(family))
    together = [numbers(answer) for answer in in_order(reader, QUERIES)]
    alone = [numbers(in_order(reader, [query])[0]) for query in QUERIES]
    backwards = [numbers(answer) for answer in in_order(reader, QUERIES[::-1])][::-1]
    monkeypatch.setattr(reading, "TOKENS", 40)
    monkeypatch.setattr(attention, "WINDOW", 4)
    in_parts = [numbers(answer) for answer in in_order(reader, QUERIES)]
    # MobileBERT normalises nothing: its scores reach the hundreds, of which float32 keeps less.
    tolerance = 1e-4 if family == "mobilebert" else TOLERANCE
    for expected, *others in zip(alone, together, backwards, in_parts, strict=True):
        for found in others:
            assert found == pytest.approx(expected, abs=tolerance)
    assert np.abs(alone[2] - alone[3]).max() > 0.1  # unlike sentences have unlike numbers


def test_one_pass_for_each_distinct_sentence_serves_maps_and_detectors() -> None:
    model = eager("bert")
    reader = AttentionReader(model)
    queries = [*QUERIES, QUERIES[2], QUERIES[0], QUERIES[2]]
    with passes(model) as seen:
        answers = in_order(reader, queries)
    rows = [ids for batch in seen for ids in batch]
    assert len(rows) == len(set(rows)) == len(QUERIES)
    for twin, first in ((6, 2), (7, 0), (8, 2)):
        assert np.array_equal(numbers(answers[twin]), numbers(answers[first]))


def test_without_detectors() -> None:
    reader = AttentionReader(eager("gpt2"))
    full = in_order(reader, QUERIES)
    for part, answers in reader.sums(QUERIES, detectors=False):
        for i, answer in zip(part, answers, strict=True):
            assert isinstance(answer, HeadSums)
            assert answer.detector_male is None
            assert answer.detector_female is None
            assert answer.maps_male == pytest.approx(numbers(full[i])[:2], abs=TOLERANCE)


def test_a_side_without_words_and_a_word_named_twice() -> None:
    reader = AttentionReader(eager("bert"))
    text = "He is a nurse."
    once, twice = in_order(
        reader, [AttentionQuery(text, (8, 13), ((0, 2),), ()), AttentionQuery(text, (8, 13), ((0, 2), (0, 2)), ())]
    )
    assert np.array_equal(numbers(once), numbers(twice))
    assert isinstance(once, HeadSums)
    assert once.maps_female.max() == 0
    assert once.maps_male.min() > 0


def test_sentences_that_cannot_be_asked_about() -> None:
    reader = AttentionReader(with_attentions(load_tiny("bert-cased")))
    text = "The engineer asked."  # the vocabulary has no capital Engineer; letters are left to it
    good = ask("He is a nurse.", "nurse", ["He"])
    neighbour = "They asked chairwoman."
    cases = (
        AttentionQuery("The nurse λ asked him.", (4, 9), ((10, 11),), ()),
        AttentionQuery(neighbour, (11, 13), (), ()),
        AttentionQuery("The nurse asked.", (4, 9), ((9, 10),), ()),
        AttentionQuery("very " * 200 + "nurse", (1000, 1005), (), ()),
    )
    found = in_order(reader, [cases[0], cases[1], good, cases[2], cases[3], ask(text, "engineer")])
    assert found[0] == Refusal("holds “λ”, which is unknown to this model", UNREADABLE)
    assert found[1] == Refusal("holds “ch”, which is read as one token with its neighbour here (chair)", UNREADABLE)
    assert found[3] == Refusal("holds “ ”, which is read as nothing by this model", UNREADABLE)
    assert found[4] == Refusal("is 203 tokens long; bert-cased reads 128", TOO_LONG)
    assert isinstance(found[2], HeadSums)
    assert isinstance(found[5], HeadSums)


def test_texts_that_have_no_map(embedded: LoadedModel) -> None:
    reader = AttentionReader(with_attentions(embedded))
    with pytest.raises(ModelError, match=r"The text is 602 tokens long; minilm-mlm reads 512\."):
        reader.maps("the " * 600)
    with pytest.raises(ModelError, match="There is no text to look at; write a sentence"):
        AttentionReader(eager("gpt2")).maps("")
    assert reader.tokens("").pieces == ("[CLS]", "[SEP]")


@pytest.mark.parametrize(("family", "short"), [("bert", "nurse"), ("modernbert", "nurse"), ("llama", "asked nurse")])
def test_a_sentence_of_600_tokens_and_one_of_3(family: str, short: str, tmp_path: Path) -> None:
    model = with_attentions(load_folder(build(family, tmp_path / family, max_position_embeddings=1024)))
    reader = AttentionReader(model)
    around = len(reader.tokens("nurse").pieces) - 1  # special tokens
    long = "He said " + "very " * (600 - around - 3) + "nurse"
    queries = [ask(long, "nurse", ["He"]), ask(short, "nurse", short.split()[:1])]
    together = in_order(reader, queries)
    for query, answer, tokens in zip(queries, together, (600, 3), strict=True):
        maps = reader.maps(query.text)
        assert maps.shape == (2, 4, tokens, tokens)
        assert np.abs(maps.sum(axis=-1) - 1).max() < TOLERANCE
        assert numbers(answer) == pytest.approx(numbers(in_order(reader, [query])[0]), abs=TOLERANCE)


def test_batches_are_small_where_maps_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for 2 layers × 4 heads × 32 × 64 numbers: with a longest sentence of 32 tokens, 64 tokens a batch."""
    model = eager("bert")
    reader = AttentionReader(model)
    monkeypatch.setattr(attention, "MAPS", 2 * 4 * 32 * 64)
    queries = [ask("He asked the nurse " + "very " * 26, "nurse", ["He"]), *QUERIES]
    with passes(model) as seen:
        in_order(reader, queries)
    longest = [max(map(len, batch)) for batch in seen]
    assert longest[0] == 32
    assert max(len(batch) * most for batch, most in zip(seen, longest, strict=True)) <= 64
    assert len(seen) > 2


def test_memory_that_runs_out_halves_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = AttentionReader(eager("bert"))
    expected = in_order(reader, QUERIES)
    plain, sizes = attention.forward, list[int]()

    def forward(model: LoadedModel, ids: torch.Tensor, mask: torch.Tensor, *, states: bool) -> Any:
        sizes.append(len(ids))
        if len(ids) > 2:
            raise torch.OutOfMemoryError("out of memory, says the test")
        return plain(model, ids, mask, states=states)

    monkeypatch.setattr(attention, "forward", forward)
    for found, answer in zip(in_order(reader, QUERIES), expected, strict=True):
        assert numbers(found) == pytest.approx(numbers(answer), abs=TOLERANCE)
    assert sizes == [6, 3, 2, 1, 3, 2, 1]


def test_progress_and_a_run_that_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    model = eager("bert")
    reader = AttentionReader(model)
    monkeypatch.setattr(attention, "WINDOW", 2)
    queries = [*QUERIES, AttentionQuery("He asked.", (2, 3), (), ())]
    reports: list[Progress] = []
    in_order(reader, queries, run=Callbacks(reports.append))
    assert {(report.stage, report.total) for report in reports} == {("Looking at bert", 7)}
    assert [report.done for report in reports] == [0, 2, 4, 6, 7]
    done: list[int] = []
    with passes(model) as seen:
        for part, _ in reader.sums(queries, detectors=True, run=Callbacks(cancelled=lambda: len(done) >= 2)):
            done.extend(part)
    assert sorted(done) == [0, 1]
    assert len(seen) == 1


def test_a_corpus_goes_by_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tokenized or read before it is asked for, so that memory does not grow with the corpus."""
    reader = AttentionReader(eager("bert"))
    sizes: list[int] = []
    plain = attention.tokenize

    def tokenize(tokenizer: Any, texts: Sequence[tuple[str, tuple[int, int]]]) -> Any:
        sizes.append(len(texts))
        return plain(tokenizer, texts)

    monkeypatch.setattr(attention, "tokenize", tokenize)
    monkeypatch.setattr(attention, "WINDOW", 50)
    text = "He is a nurse."
    corpus = [AttentionQuery(f"{text} {'very ' * (i % 7)}{i}", (8, 13), ((0, 2),), ()) for i in range(1000)]
    run = reader.sums(corpus, detectors=True)
    first, _ = next(run)
    assert sizes == [100]  # two spans of each sentence
    assert max(first) < 50
    run.close()


def test_threads_share_one_model_and_not_their_numbers() -> None:
    model = eager("albert")
    expected = [numbers(answer) for answer in in_order(AttentionReader(model), QUERIES)]
    barrier = threading.Barrier(3)

    def once(_: int) -> list[np.ndarray]:
        barrier.wait()
        reader = AttentionReader(model)
        return [numbers(in_order(reader, [query])[0]) for query in QUERIES]

    with ThreadPoolExecutor(3) as threads:
        for found in threads.map(once, range(3)):
            for item, other in zip(found, expected, strict=True):
                assert item == pytest.approx(other, abs=TOLERANCE)


def test_half_precision_gives_nearly_the_same() -> None:
    full, half = (
        AttentionReader(with_attentions(load_folder(tiny_folder("bert"), dtype=dtype)))
        for dtype in ("float32", "bfloat16")
    )
    assert half.missing == ""
    assert half.maps(QUERIES[0].text) == pytest.approx(full.maps(QUERIES[0].text), abs=0.1)
    found, expected = (numbers(in_order(reader, QUERIES[:1])[0]) for reader in (half, full))
    assert np.abs(found - expected).mean() < 0.02
