"""Vectors of words and sentences against plain transformers calls.

Expected states come from ``AutoModel``, loaded apart from the model under test: each text goes through alone,
unpadded. Where a word's pieces stand is found by tokenising the text up to the word and up to its end, without
offsets.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from tokenizers.processors import TemplateProcessing
from transformers import AutoModel, AutoTokenizer

from core.engine import embeddings, reading
from core.engine.embeddings import POOLINGS, Embedded, Encoder, SpanText
from core.engine.loading import LoadedModel
from core.engine.masked import STOPPED, MaskedScorer, MaskQuery
from core.errors import OptionError, UnsupportedModel
from core.result import Progress
from core.run import Callbacks
from core.sources.templates import MASK
from tests.support.tiny import CAUSAL, HEADLESS, MASKED, POSITIONS, WIDTH, build, tiny_folder
from tests.support.watching import load_folder, load_tiny

FAMILIES = (*MASKED, *CAUSAL, *HEADLESS)
FIRST_TOKENS = (
    dict.fromkeys((*MASKED, *HEADLESS), "[CLS]")
    | dict.fromkeys(("roberta", "xlm-roberta", "mpnet"), "<s>")
    | dict.fromkeys(CAUSAL, "last token")
)


def at(text: str, word: str, occurrence: int = 0) -> SpanText:
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(word, start + 1)
    return SpanText(text, (start, start + len(word)))


ITEMS = (
    at("Chairwoman is a word.", "Chairwoman"),
    at("The chairwoman was tired.", "chairwoman"),
    at("They know the chairwoman", "chairwoman"),
    at("The chairwoman asked the other chairwoman to wait, and a friend of the nurse was there too.", "chairwoman", 1),
    at("The manager (chairwoman) was calm.", "chairwoman"),
    at("chairwoman", "chairwoman"),
    at("The zqx was tired.", "zqx"),
    at("He is a nurse.", "He"),
    at("The nurse was tired.", "nurse"),
    at("They asked the nurse.", "nurse"),
    SpanText("The man said that he was tired."),
    SpanText("nurse"),
)
MASKED_ITEMS = (
    at(f"The chairwoman is a {MASK}.", "chairwoman"),
    at(f"{MASK} is a chairwoman", "chairwoman"),
    at(f"The {MASK} {MASK} said that the chairwoman was not {MASK}.", "chairwoman"),
    at(f"The {MASK} is a nurse.", MASK),
)


@functools.cache
def plain(family: str) -> tuple[Any, Any]:
    """Tokenizer and body of a model as transformers gives them."""
    folder = tiny_folder(family)
    body = AutoModel.from_pretrained(folder, local_files_only=True).eval()
    return AutoTokenizer.from_pretrained(folder, local_files_only=True), body


def plain_states(family: str, text: str) -> NDArray[np.float32]:
    """[layer, token, width]"""
    tokenizer, body = plain(family)
    inputs = {"input_ids": torch.tensor([ids_of(tokenizer, text)])}
    with torch.inference_mode():
        output = body(**inputs, output_hidden_states=True)
    assert torch.equal(output.hidden_states[-1], output.last_hidden_state)
    return torch.cat(output.hidden_states).numpy()


def ids_of(tokenizer: Any, text: str, *, special: bool = True) -> list[int]:
    ids: list[int] = tokenizer(text.replace(MASK, tokenizer.mask_token or MASK), add_special_tokens=special).input_ids
    return ids


def plain_places(family: str, item: SpanText) -> range:
    """Where the pieces of the span stand: behind the special tokens and the pieces of what comes before."""
    tokenizer, _ = plain(family)
    start, end = item.span or (0, len(item.text))
    front = 0 if family in ("gpt2", "gpt-neox") else 1
    before, until = (
        len(ids_of(tokenizer, text, special=False)) for text in (item.text[:start].rstrip(), item.text[:end])
    )
    return range(front + before, front + until)


def plain_vector(family: str, item: SpanText, pooling: str) -> NDArray[np.float32]:
    """[layer, width]"""
    states = plain_states(family, item.text)
    places = plain_places(family, item)
    chosen = {
        "first-token": [states.shape[1] - 1 if family in CAUSAL else 0],
        "span-mean": list(places),
        "span-first": [places[0]],
        "all-mean": list(range(states.shape[1])),
    }[pooling]
    mean: NDArray[np.float32] = states[:, chosen].mean(axis=1)
    return mean


def close(found: NDArray[np.float32], expected: NDArray[np.float32]) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max(initial=1))


def items_for(family: str) -> tuple[SpanText, ...]:
    return ITEMS + MASKED_ITEMS if family in MASKED else ITEMS


@contextmanager
def rows_through(model: LoadedModel, room: int | None = None) -> Iterator[list[list[tuple[int, ...]]]]:
    """The rows of each call of the model's body, padding cut off; with ``room``, more rows run out of memory."""
    calls: list[list[tuple[int, ...]]] = []

    def before(_module: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        ids, attention = kwargs["input_ids"], kwargs["attention_mask"]
        if room is not None and len(ids) > room:
            raise torch.OutOfMemoryError("out of memory, says the test")
        calls.append([tuple(row[kept.bool()].tolist()) for row, kept in zip(ids, attention, strict=True)])

    handle = model.module.base_model.register_forward_pre_hook(before, with_kwargs=True)
    try:
        yield calls
    finally:
        handle.remove()


def embed(family: str, items: Sequence[SpanText], poolings: Sequence[str] = POOLINGS, **options: Any) -> Embedded:
    return Encoder(load_tiny(family)).embed(items, poolings, **options)


@pytest.mark.parametrize("family", FAMILIES)
def test_vectors_are_those_of_a_plain_call(family: str) -> None:
    """In every layer, by every pooling, all texts in one call; the texts differ in length, so most are padded."""
    items = items_for(family)
    found = embed(family, items)
    assert found.lost == ("",) * len(items)
    assert found.vectors.shape == (4, len(items), 3, WIDTH)
    assert found.vectors.dtype == np.float32
    for pooling in POOLINGS:
        for vector, item in zip(found.of(pooling), items, strict=True):
            close(vector, plain_vector(family, item, pooling))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_pieces_of_the_span_are_told(family: str) -> None:
    """chairwoman is several pieces in every vocabulary, nurse is one; a mask is one."""
    items = items_for(family)
    for item, pieces in zip(items, embed(family, items).pieces, strict=True):
        assert len(pieces) == len(plain_places(family, item))
        word = item.text[slice(*(item.span or (0, None)))]
        if word == "chairwoman":
            assert len(pieces) > 1
            assert "".join(piece.removeprefix("##") for piece in pieces) == "chairwoman"
        elif word == "nurse":
            assert pieces == ("nurse",)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_first_token_goes_by_its_name(family: str) -> None:
    assert embed(family, []).first_token == FIRST_TOKENS[family]


def test_an_end_token_a_tokenizer_adds_is_not_the_last_token() -> None:
    """Behind a causal text its end token changes nothing before it: the vector stays that of "tired"."""
    text = "The nurse was tired"
    model = load_folder(tiny_folder("llama"))
    model.tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    with rows_through(model) as calls:
        found = Encoder(model).embed([SpanText(text)], ["first-token", "span-mean"])
    assert calls == [[(*ids_of(plain("llama")[0], text), 2)]]
    close(found.of("first-token")[0], plain_vector("llama", SpanText(text), "first-token"))
    close(found.of("span-mean")[0], plain_vector("llama", SpanText(text), "span-mean"))


def test_one_layer_alone_is_that_of_all() -> None:
    every, last, first = (Encoder(load_tiny("bert")).embed(ITEMS, POOLINGS, layer=at).vectors for at in (None, -1, 0))
    np.testing.assert_array_equal(last[:, :, 0], every[:, :, -1])
    np.testing.assert_array_equal(first[:, :, 0], every[:, :, 0])


def test_an_unknown_word_anywhere_in_the_text_is_told() -> None:
    items = [SpanText("the nurse", (4, 9)), SpanText("She the nurse", (8, 13)), SpanText("She", (0, 3))]
    found = Encoder(load_tiny("bert-wrong-case")).embed(items, ["span-mean"])
    assert found.unknown == (False, True, True)
    assert [bool(reason) for reason in found.lost] == [False, False, True]
    # The token GPT-2 puts in front is also its unknown one.
    assert Encoder(load_tiny("gpt2")).embed([SpanText("The nurse")], ["span-mean"]).unknown == (False,)


def test_a_decoder_without_its_head_is_read_as_a_decoder(tmp_path: Path) -> None:
    load_tiny("llama").module.base_model.save_pretrained(tmp_path)
    plain("llama")[0].save_pretrained(tmp_path)
    model = load_folder(tmp_path)
    assert model.info.kind == "encoder"
    found = Encoder(model).embed(ITEMS, ["first-token"])
    assert found.first_token == "last token"
    np.testing.assert_array_equal(found.vectors, embed("llama", ITEMS, ["first-token"]).vectors)


@pytest.mark.parametrize("family", FAMILIES)
def test_order_batch_and_company_change_no_number(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    items = items_for(family)
    expected = embed(family, items).vectors
    largest_batch = {}
    for tokens in (1, 60, 4096):
        monkeypatch.setattr(reading, "TOKENS", tokens)
        with rows_through(load_tiny(family)) as calls:
            close(embed(family, items).vectors, expected)
            close(embed(family, items[::-1]).vectors[:, ::-1], expected)
        largest_batch[tokens] = max(map(len, calls))
    assert largest_batch[1] == 1 < largest_batch[60] <= largest_batch[4096]  # otherwise the budget was not varied
    for pooling, vectors in zip(POOLINGS, expected, strict=True):
        close(embed(family, items[:1], [pooling]).vectors[0], vectors[:1])


@pytest.mark.parametrize("family", FAMILIES)
def test_each_distinct_text_goes_through_once(family: str) -> None:
    """Two spans of one text, the whole of it, and everything three times over."""
    items = (*items_for(family), SpanText(ITEMS[3].text), at(ITEMS[3].text, "friend"), at(ITEMS[3].text, "nurse")) * 3
    texts = {item.text for item in items}
    expected = [tuple(ids_of(plain(family)[0], text)) for text in texts]
    with rows_through(load_tiny(family)) as calls:
        found = embed(family, items)
    rows = list(itertools.chain(*calls))
    assert len(rows) == len(texts)
    assert sorted(rows) == sorted(expected)
    third = len(items) // 3
    np.testing.assert_array_equal(found.vectors[:, :third], found.vectors[:, third : 2 * third])
    close(found.of("span-mean")[-1], plain_vector(family, items[-1], "span-mean"))


def test_mobileberts_batches_hold_one_length_each() -> None:
    """Its padding leaks into the words, so the numbers of the tests above rest on this."""
    with rows_through(load_tiny("mobilebert")) as calls:
        embed("mobilebert", ITEMS)
    assert all(len({len(row) for row in rows}) == 1 for rows in calls)
    assert max(map(len, calls)) > 1


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_scoring_in_between_cuts_nothing(family: str) -> None:
    """The scorers cut the states to the places they read; here every place counts."""
    before = embed(family, ITEMS).vectors
    if family == "bert":
        MaskedScorer(load_tiny(family)).log_probs([MaskQuery(f"{MASK} is a nurse.", 0, ("he",))])
    assert not np.isnan(before).any()
    np.testing.assert_array_equal(embed(family, ITEMS).vectors, before)


def test_a_few_states_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for the states of 40 tokens, 3 layers of 32 numbers each."""
    expected = embed("bert", ITEMS).vectors
    monkeypatch.setattr(embeddings, "STATES", 40 * 3 * WIDTH)
    with rows_through(load_tiny("bert")) as calls:
        close(embed("bert", ITEMS).vectors, expected)
    assert all(len(rows) * max(map(len, rows)) <= 40 for rows in calls)
    assert len(calls) > 1


@pytest.mark.parametrize("room", [1, 3])
def test_running_out_of_memory_changes_no_number(room: int) -> None:
    expected = embed("bert", ITEMS).vectors
    reports: list[Progress] = []
    with rows_through(load_tiny("bert"), room) as calls:
        close(embed("bert", ITEMS, run=Callbacks(reports.append)).vectors, expected)
    assert max(map(len, calls)) == room
    assert reports[-1].done == reports[-1].total == sum(map(len, calls))


def test_progress_counts_distinct_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "TOKENS", 20)
    reports: list[Progress] = []
    embed("bert", ITEMS * 2, run=Callbacks(reports.append))
    assert [report.done for report in reports] == sorted(report.done for report in reports)
    assert (reports[0].done, reports[-1].done) == (0, len(ITEMS))
    assert {(report.stage, report.total) for report in reports} == {("Reading vectors of bert", len(ITEMS))}
    assert len(reports) > 3


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_a_stop_keeps_what_is_done(batches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = embed("bert", ITEMS).vectors
    monkeypatch.setattr(reading, "TOKENS", 20)
    asked = itertools.count()
    with rows_through(load_tiny("bert")) as calls:
        found = embed("bert", ITEMS, run=Callbacks(cancelled=lambda: next(asked) >= batches))
    assert len(calls) == batches
    tokenizer = plain("bert")[0]
    reached = [tuple(ids_of(tokenizer, item.text)) in itertools.chain(*calls) for item in ITEMS]
    assert sum(reached) == sum(map(len, calls))
    assert found.lost == tuple("" if there else STOPPED for there in reached)
    assert [not np.isnan(vector).any() for vector in found.of("all-mean")] == reached
    assert [np.isnan(vector).all() for vector in found.of("all-mean")] == [not there for there in reached]
    close(found.vectors[:, reached], expected[:, reached])


def test_an_unknown_word_is_lost_and_its_neighbours_are_not() -> None:
    """A lower-case vocabulary, lower-casing switched off: "She" is unknown, and so is a text that holds it."""
    text = "She is a nurse."
    found = embed("bert-wrong-case", [at(text, "She"), at(text, "nurse"), SpanText(text), at("she is", "she")])
    assert found.lost == ("is unknown to this model", "", "is unknown to this model", "")
    assert [bool(np.isnan(vectors).all()) for vectors in found.of("all-mean")] == [True, False, True, False]


@pytest.mark.parametrize("family", ["bert", "roberta", "gpt2", "bert-encoder"])
def test_a_text_that_is_too_long_is_lost_with_its_length(family: str) -> None:
    """600 words of one piece, between the special tokens; then exactly as many as fit, and one more."""
    own = len(ids_of(plain(family)[0], "the")) - 1
    long, fits, over = (" ".join(["the"] * n) for n in (600, POSITIONS - own, POSITIONS - own + 1))
    found = embed(family, [at(long, "the"), SpanText(fits), SpanText(over), at("the nurse", "nurse")])
    name = load_tiny(family).info.name
    assert found.lost == (
        f"stands in a sentence of {600 + own} tokens; {name} reads {POSITIONS}",
        "",
        f"stands in a sentence of {POSITIONS + 1} tokens; {name} reads {POSITIONS}",
        "",
    )
    assert [bool(np.isnan(vectors).any()) for vectors in found.of("span-mean")] == [True, False, True, False]
    close(found.of("first-token")[1], plain_vector(family, SpanText(fits), "first-token"))


def test_a_part_of_a_piece_is_no_word() -> None:
    found = embed("bert", [at("The nurse was tired.", "urse"), at("The chairwoman", "chair")])
    assert found.lost == ("is read as one token with its neighbour here (nurse)", "")
    assert found.pieces == (("nurse",), ("chair",))


@pytest.mark.parametrize("item", [SpanText(""), SpanText("He is", (2, 2)), SpanText("He is ", (6, 6))])
@pytest.mark.parametrize("family", ["bert", "deberta-v2", "gpt2", "llama"])
def test_nothing_has_no_vector(family: str, item: SpanText) -> None:
    found = embed(family, [item, ITEMS[0]])
    assert found.lost == ("is read as nothing by this model", "")
    assert np.isnan(found.vectors[:, 0]).all()


@pytest.mark.parametrize("family", CAUSAL)
def test_a_decoder_has_no_mask(family: str) -> None:
    found = embed(family, [*MASKED_ITEMS, ITEMS[0]])
    reason = f"stands in a sentence with a mask, which {family} does not have"
    assert found.lost == (*[reason] * len(MASKED_ITEMS), "")


def test_no_items_and_a_pooling_that_does_not_exist() -> None:
    reports: list[Progress] = []
    found = embed("bert", [], run=Callbacks(reports.append))
    assert found.vectors.shape == (4, 0, 3, WIDTH)
    assert (found.lost, found.pieces) == ((), ())
    assert [(report.done, report.total) for report in reports] == [(0, 0)]
    with pytest.raises(OptionError, match="There is no pooling “max”; choose first-token, span-mean"):
        embed("bert", ITEMS, ["span-mean", "max"])


def test_layers_of_several_widths_are_refused(tmp_path: Path) -> None:
    """OPT-350m's kind: the last layer's states are projected down to the width of the embedding matrix."""
    model = load_folder(build("opt", tmp_path, word_embed_proj_dim=16))
    with pytest.raises(UnsupportedModel, match="differ in width"):
        Encoder(model).embed(ITEMS, POOLINGS)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_comes_out_as_float32(dtype: str) -> None:
    found = Encoder(load_folder(tiny_folder("bert"), dtype=dtype)).embed(ITEMS, ["span-mean"]).vectors
    expected = embed("bert", ITEMS, ["span-mean"]).vectors
    assert found.dtype == np.float32
    assert np.abs(found - expected).max() < 0.1 * np.abs(expected).max()


@pytest.mark.parametrize("family", FAMILIES)
def test_input_vectors_are_means_of_rows_of_the_matrix(family: str) -> None:
    """The pieces are those that follow on "a" when the word is tokenised behind it."""
    words = ("nurse", "chairwoman", "Engineer", "zqx", "nurse")
    tokenizer, body = plain(family)
    matrix = body.get_input_embeddings().weight.detach().numpy()
    found = Encoder(load_tiny(family)).input_vectors(words)
    assert found.lost == ("",) * len(words)
    assert found.vectors.dtype == np.float32
    start = len(ids_of(tokenizer, "a", special=False))
    for word, vector, pieces in zip(words, found.vectors, found.pieces, strict=True):
        ids = ids_of(tokenizer, f"a {word}", special=False)[start:]
        assert len(pieces) == len(ids)
        np.testing.assert_allclose(vector, matrix[ids].mean(axis=0), rtol=1e-6, atol=1e-6)
    assert [len(pieces) > 1 for pieces in found.pieces[:2]] == [False, True]


def test_the_input_vector_is_that_of_the_form_after_a_space() -> None:
    tokenizer, body = plain("roberta")
    row = body.get_input_embeddings().weight[tokenizer.convert_tokens_to_ids("Ġnurse")].detach().numpy()
    np.testing.assert_array_equal(Encoder(load_tiny("roberta")).input_vectors(["nurse"]).vectors[0], row)


def test_words_without_an_input_vector() -> None:
    found = Encoder(load_tiny("bert-wrong-case")).input_vectors(["She", "she", ""])
    assert found.lost == ("is unknown to this model", "", "is read as nothing by this model")
    assert [bool(np.isnan(vector).all()) for vector in found.vectors] == [True, False, True]
    assert Encoder(load_tiny("bert")).input_vectors([]).vectors.shape == (0, WIDTH)
