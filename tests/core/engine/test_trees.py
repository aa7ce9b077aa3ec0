"""Texts of a causal model read as trees: the numbers of each text alone, each beginning once, and who cannot.

Expected numbers come from one plain forward pass per text, its logits read at the cell's place.
"""

from __future__ import annotations

import copy
import functools
import itertools
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoConfig, AutoModelForCausalLM

from core.engine import loading, positions, reading
from core.engine.causal import CausalScorer, TextQuery
from core.engine.masked import STOPPED
from core.engine.reading import LONGEST_IN_TREE, TREE, Cell
from core.result import Progress
from core.run import Callbacks
from tests.support.tiny import CAUSAL, randomise, tiny_folder
from tests.support.watching import load_folder, load_tiny, watching

TOLERANCE = 1e-5  # nats, float32
VOCABULARY = 90
WIDE = {"vocab_size": VOCABULARY, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
LLAMA = {**WIDE, "intermediate_size": 64, "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 256}
GPT2 = {"vocab_size": VOCABULARY, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256}
WINDOW = LONGEST_IN_TREE - 2  # the longest text's last token does not see its first two
READ_TREES: dict[str, dict[str, Any]] = {
    "gpt2": GPT2,
    "opt": {**WIDE, "ffn_dim": 64, "word_embed_proj_dim": 32, "max_position_embeddings": 256},
    "gpt_neox": {**WIDE, "intermediate_size": 64, "max_position_embeddings": 256},
    "gptj": {**GPT2, "rotary_dim": 4},
    "llama": LLAMA,
    "qwen2": LLAMA,
    "qwen3": LLAMA,
    "phi3": {**LLAMA, "pad_token_id": 0},
    "gemma": LLAMA,
    "gemma2": LLAMA,  # windows of 4,096
    "gemma3_text": LLAMA,
    "mistral": {**LLAMA, "sliding_window": LONGEST_IN_TREE + 1},  # the window of a text too long for a tree
}
DO_NOT: dict[str, dict[str, Any]] = {
    "mistral": {**LLAMA, "sliding_window": WINDOW},
    "gemma3_text": {**LLAMA, "sliding_window": WINDOW},
    "gpt_neo": {
        **{**WIDE, "num_layers": 2, "num_heads": 4, "max_position_embeddings": 256},
        **{"attention_types": [[["global", "local"], 1]], "window_size": 64},
    },
    "mpt": {"vocab_size": VOCABULARY, "d_model": 32, "n_layers": 2, "n_heads": 4},  # distances in the row
    "bloom": {"vocab_size": VOCABULARY, "hidden_size": 32, "n_layer": 2, "n_head": 4},  # refuses such a mask
    "mamba": {"vocab_size": VOCABULARY, "hidden_size": 32, "num_hidden_layers": 2},  # states
    "lfm2": {**LLAMA, "layer_types": ["conv", "full_attention"]},  # one layer hands states on
}


@functools.cache
def module_of(family: str, readers: bool = True) -> Any:
    """A tiny random model without a tokenizer."""
    config = AutoConfig.for_model(family, **(READ_TREES if readers else DO_NOT)[family])
    module = AutoModelForCausalLM.from_config(config).eval()
    randomise(module, 0)
    positions.install(module)
    return module


def cells_of(texts: int = 40, *, seed: int = 0, long: int = 0) -> list[Cell]:
    """Two cells each of random texts over few tokens, so that many begin alike and some are a beginning of others."""
    draw = random.Random(seed)
    lengths = [draw.randint(1, 12) for _ in range(texts)] + [LONGEST_IN_TREE + 1 + n for n in range(long)]
    inputs = [(1, *draw.choices((2, 3), weights=(3, 1), k=length - 1)) for length in lengths]
    return [
        Cell(ids, place, draw.randrange(VOCABULARY))
        for ids in inputs
        for place in (draw.randrange(len(ids)), len(ids) - 1)
    ]


def plain(module: Any, cells: Sequence[Cell]) -> list[float]:
    """Each text alone through the model, whole."""
    with torch.inference_mode():
        return [
            module(input_ids=torch.tensor([cell.ids])).logits[0, cell.position].log_softmax(-1)[cell.token].item()
            for cell in cells
        ]


def read(module: Any, cells: Sequence[Cell], **options: Any) -> list[float]:
    found: list[float] = reading.read(module, cells, 0, stage="Reading", trees=True, **options).tolist()
    return found


@pytest.mark.parametrize("family", READ_TREES)
def test_a_tree_gives_each_text_the_numbers_it_has_alone(family: str) -> None:
    """Beyond the texts that a tree holds there are nine that have rows of their own."""
    module, cells = module_of(family), cells_of(long=9)
    assert reading.reads_trees(module)
    assert read(module, cells) == pytest.approx(plain(module, cells), abs=TOLERANCE)


@pytest.mark.parametrize("family", DO_NOT)
def test_who_does_not_read_trees_is_found_out(family: str) -> None:
    """What is found out is that the numbers would be others, or that such a mask is refused."""
    module = module_of(family, readers=False)
    assert not reading.reads_trees(module)


@pytest.mark.parametrize("family", ["mpt", "lfm2"])
def test_where_trees_are_not_read_they_would_give_other_numbers(family: str) -> None:
    module, cells = module_of(family, readers=False), cells_of()
    assert np.abs(np.array(read(module, cells)) - plain(module, cells)).max() > 0.01


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_is_not_taken_for_another_number(dtype: str) -> None:
    modules = {family: copy.deepcopy(module_of(family)).to(getattr(torch, dtype)) for family in READ_TREES}
    assert [family for family, module in modules.items() if not reading.reads_trees(module)] == []


@settings(deadline=None, max_examples=30)
@given(order=st.permutations(range(80)), tokens=st.integers(1, 300), family=st.sampled_from(tuple(READ_TREES)))
def test_order_and_budget_change_no_number(order: list[int], tokens: int, family: str) -> None:
    module, cells = module_of(family), cells_of()
    expected = plain(module, cells)
    found = read(module, [cells[c] for c in order], max_tokens=tokens)
    assert found == pytest.approx([expected[c] for c in order], abs=TOLERANCE)


@pytest.mark.parametrize("family", CAUSAL)
def test_each_beginning_is_computed_once_and_nothing_behind_the_last_place(family: str) -> None:
    """All in one row: as many tokens as there are distinct beginnings that end where a number is read, or before."""
    model = load_tiny(family)
    cells = [Cell((*ids, 4, 4), len(ids) - 1, 5) for ids in itertools.product((5, 6), (7, 8), (9, 10, 11))]
    with watching(model) as watched:
        values = read(model.module, cells)
    assert watched.tokens == 2 + 2 * 2 + 2 * 2 * 3
    assert sorted(watched.inputs) == sorted(cell.ids[:3] for cell in cells)
    assert values == pytest.approx(plain(model.module, cells), abs=TOLERANCE)


@pytest.mark.parametrize("family", [name for name in CAUSAL if name != "opt"])
def test_a_place_that_texts_share_is_projected_once(family: str) -> None:
    """Four texts are read behind the beginning they share, and behind each of their own third tokens."""
    cells = [Cell((5, 6, last), place, 7) for last in (8, 9, 10, 11) for place in (1, 2)]
    with watching(load_tiny(family)) as watched:
        read(load_tiny(family).module, cells)
    assert watched.head == [(1, 5)]


def test_rows_and_batches_keep_to_their_room() -> None:
    model, cells = load_tiny("llama"), cells_of(400)
    with watching(model) as watched:
        read(model.module, cells, max_tokens=3 * TREE)
    assert watched.batches[0] == 3 == max(watched.batches)
    beginnings = {cell.ids[: length + 1] for cell in cells for length in range(cell.position + 1)}
    assert len(beginnings) <= watched.tokens <= sum(watched.batches) * TREE


@pytest.mark.parametrize("family", CAUSAL)
def test_out_of_memory_changes_no_number(family: str) -> None:
    model, cells = load_tiny(family), cells_of(400)
    reports: list[Progress] = []
    with watching(model, room=1) as watched:
        values = read(model.module, cells, run=Callbacks(reports.append))
    assert watched.refused
    assert set(watched.batches) == {1}
    assert values == pytest.approx(plain(model.module, cells), abs=TOLERANCE)
    assert (reports[0].done, reports[-1].done) == (0, len({cell.ids for cell in cells}))
    assert {report.total for report in reports} == {reports[-1].done}


def test_a_stop_keeps_what_is_done() -> None:
    model, cells = load_tiny("gpt2"), cells_of(400)
    asked = itertools.count()
    values = np.array(read(model.module, cells, max_tokens=TREE, run=Callbacks(cancelled=lambda: next(asked) >= 2)))
    done = ~np.isnan(values)
    assert 0 < done.sum() < len(cells)
    assert values[done] == pytest.approx(np.array(plain(model.module, cells))[done], abs=TOLERANCE)


PEOPLE = ("He", "She", "The man", "The woman", "The teacher", "The secretary")
REST = ("is a nurse.", "is a teacher.", "is calm.", "said that she was tired.", "said that he was tired.", "had a son.")
TEXTS = [f"{person} {rest} {more}" for person in PEOPLE for rest in REST for more in ("They are calm.", "It was good.")]
QUERIES = [TextQuery(text, span) for text in TEXTS for span in ((0, len(text)), (text.index(" "), len(text) - 3))]


@pytest.mark.parametrize("family", CAUSAL)
def test_the_scorer_has_the_same_numbers_with_and_without(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_folder(tiny_folder(family))
    assert model.reads_trees
    with watching(model) as trees:
        found = CausalScorer(model).log_likelihood(QUERIES)
        backwards = CausalScorer(model).log_likelihood(QUERIES[::-1])[::-1]
    monkeypatch.setattr(loading, "reads_trees", lambda _: False)
    without = load_folder(tiny_folder(family))
    with watching(without) as whole:
        expected = CausalScorer(without).log_likelihood(QUERIES)
    assert trees.tokens / 2 < 0.5 * whole.tokens
    for score, other, alone in zip(found, backwards, expected, strict=True):
        assert score.ln_p == pytest.approx(alone.ln_p, abs=TOLERANCE * alone.tokens)
        assert other.ln_p == pytest.approx(alone.ln_p, abs=TOLERANCE * alone.tokens)
        assert score.tokens == other.tokens == alone.tokens > 0


def test_a_stopped_scorer_names_what_it_did_not_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.reading.TOKENS", TREE)
    asked = itertools.count()
    scores = CausalScorer(load_tiny("llama")).log_likelihood(QUERIES, run=Callbacks(cancelled=lambda: next(asked) >= 1))
    whole = CausalScorer(load_tiny("llama")).log_likelihood(QUERIES)
    kept = [(score, other) for score, other in zip(scores, whole, strict=True) if score.reason != STOPPED]
    assert 0 < len(kept) < len(scores)
    assert all(score.ln_p == pytest.approx(other.ln_p, abs=1e-4) for score, other in kept)


def test_a_few_texts_are_not_worth_finding_out() -> None:
    model = load_folder(tiny_folder("gpt2"))
    with watching(model) as watched:
        CausalScorer(model).log_likelihood(QUERIES[:4])
    assert len(watched.inputs) == 2
    assert "reads_trees" not in vars(model)
