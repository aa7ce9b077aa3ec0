"""BEC-Pro English on SmolLM2: the scorer, which computes shared beginnings once, against bare passes over the texts.

A seeded ten of the sixty professions, 900 sentences. The program asks 1,800 at a time, and the more are asked at once
the more is shared: of the whole corpus the ratio is no higher. The times are measured in one run, in turns.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch

from core.engine import checkpoints, loading, reading
from core.engine.batching import plan
from core.engine.catalog import EXTRA, user_models
from core.engine.causal import CausalScorer, TextQuery
from core.sources import CorpusSentence, corpus
from tests.support.timing import in_turns
from tests.support.watching import watching

TARGET = 0.65
ROUNDS = 3
PROFESSIONS = 10


def query_of(sentence: CorpusSentence) -> TextQuery:
    """From the profession to the end; where the person stands last, the person's noun."""
    rest = (sentence.form_span[0], len(sentence.text))
    return TextQuery(sentence.text, rest if sentence.target_first else sentence.noun)


@pytest.mark.benchmark
@pytest.mark.skipif(not (user_models() / EXTRA.name / "config.json").is_file(), reason="`make extra-model` brings it")
@torch.inference_mode()
def test_against_bare_passes_over_the_distinct_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    model = loading.load(checkpoints.fetch(checkpoints.ModelRequest(EXTRA.name)), device="cpu")
    chosen = random.Random(0).sample(range(60), PROFESSIONS)
    queries = [query_of(sentence) for sentence in corpus("en").sentences() if sentence.place[2] in chosen]
    scorer, tokenizer, module = CausalScorer(model), model.tokenizer, model.module
    texts = [(tokenizer.bos_token_id, *tokenizer(text).input_ids) for text in sorted({q.text for q in queries})]
    batches = [
        reading.padded([texts[i] for i in batch], tokenizer.pad_token_id)
        for batch in plan([len(text) for text in texts], reading.tokens_at_once(module))
    ]

    def bare() -> None:
        for ids, attention in batches:
            module(input_ids=ids, attention_mask=attention)

    def body_alone() -> None:
        for ids, attention in batches:
            module.base_model(input_ids=ids, attention_mask=attention)

    with watching(model) as watched:
        found = scorer.log_likelihood(queries)
    ours, whole, body = in_turns(lambda: scorer.log_likelihood(queries), bare, body_alone, rounds=ROUNDS)
    monkeypatch.setattr(loading, "reads_trees", lambda _: False)
    expected = CausalScorer(replace(model)).log_likelihood(queries)
    assert [score.ln_p for score in found] == pytest.approx([score.ln_p for score in expected], abs=1e-4)
    tokens = sum(ids.numel() for ids, _ in batches)
    print(f"\nCausal, {len(texts)} texts, tokens computed: {watched.tokens} of {tokens}, {watched.tokens / tokens:.2f}")
    print(f"Causal, here: {ours.wall:.1f} s, bare passes: {whole.wall:.1f} s, without the head: {body.wall:.1f} s")
    print(
        f"Causal, ratio to bare passes: {ours.wall / whole.wall:.2f}, in CPU seconds {ours.cpu / whole.cpu:.2f} "
        f"(target {TARGET}); to bare passes without the head: {ours.wall / body.wall:.2f}, "
        f"in CPU seconds {ours.cpu / body.cpu:.2f}"
    )
    assert ours.cpu / whole.cpu < TARGET
