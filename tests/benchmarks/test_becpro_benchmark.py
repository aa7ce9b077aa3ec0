"""All of BEC-Pro English on the embedded model: against one sentence at a time, and against the bare model.

Every ratio is of two times measured in this one run, in turns, so that a busy machine slows both.
"""

from __future__ import annotations

import functools
import random

import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from core.engine import reading
from core.engine.batching import plan
from core.engine.loading import LoadedModel
from core.engine.masked import MaskedScorer, MaskQuery
from core.result import Progress
from core.run import Callbacks
from core.sources import CorpusSentence, corpus
from core.sources.templates import MASK, mask_spans
from tests.support.paths import EMBEDDED
from tests.support.timing import in_turns

pytestmark = pytest.mark.benchmark

SAMPLE = 100
ROUNDS = 3


def queries_of(sentence: CorpusSentence) -> tuple[MaskQuery, MaskQuery]:
    """The noun masked; and each word of the profession as well (masking ``word``)."""
    text, noun = sentence.text, sentence.text[slice(*sentence.noun)]
    masks = len(text[slice(*sentence.form_span)].split())
    present = mask_spans(text, [(sentence.noun, 1)])
    prior = mask_spans(text, [(sentence.noun, 1), (sentence.form_span, masks)])
    return MaskQuery(present, 0, (noun,)), MaskQuery(prior, 0 if sentence.target_first else masks, (noun,))


@functools.cache
def sentences() -> tuple[CorpusSentence, ...]:
    """The 5,400 sentences."""
    return tuple(corpus("en").sentences())


@functools.cache
def all_queries() -> tuple[MaskQuery, ...]:
    return tuple(query for sentence in sentences() for query in queries_of(sentence))


def bare_batches(model: LoadedModel) -> list[dict[str, torch.Tensor]]:
    """The distinct inputs in the batches that the scorer makes of them, as tensors."""
    tokenizer = model.tokenizer
    texts = {query.text.replace(MASK, tokenizer.mask_token) for query in all_queries()}
    inputs = [tokenizer(text).input_ids for text in sorted(texts)]
    return [
        dict(tokenizer.pad({"input_ids": [inputs[i] for i in batch]}, return_tensors="pt"))
        for batch in plan([len(ids) for ids in inputs], reading.TOKENS)
    ]


@torch.inference_mode()
def test_against_one_sentence_at_a_time(embedded: LoadedModel) -> None:
    """One plain transformers call for each target and each prior, timed on a seeded sample and scaled up."""
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED, local_files_only=True)
    module = AutoModelForMaskedLM.from_pretrained(EMBEDDED, local_files_only=True, dtype=torch.float32).eval()
    sample = [query for sentence in random.Random(0).sample(sentences(), SAMPLE) for query in queries_of(sentence)]

    def one_at_a_time() -> list[float]:
        found = []
        for query in sample:
            inputs = tokenizer(query.text.replace(MASK, tokenizer.mask_token), return_tensors="pt")
            place = (inputs.input_ids[0] == tokenizer.mask_token_id).nonzero()[0, 0]
            log_probs = module(**inputs).logits[0, place].log_softmax(-1)
            (piece,) = tokenizer.tokenize(query.candidates[0])
            found.append(log_probs[tokenizer.convert_tokens_to_ids(piece)].item())
        return found

    scorer = MaskedScorer(embedded)
    reports: list[Progress] = []
    answers = scorer.log_probs(all_queries(), run=Callbacks(reports.append))
    scored = dict(zip(all_queries(), answers, strict=True))
    assert [scored[query][0].ln_p for query in sample] == pytest.approx(one_at_a_time(), abs=1e-4)
    ours, plain = in_turns(lambda: scorer.log_probs(all_queries()), one_at_a_time, rounds=ROUNDS)
    scale = len(all_queries()) / len(sample)
    print(f"\nBEC-Pro, distinct inputs of {len(all_queries()):,} queries: {reports[-1].total}")
    print(f"BEC-Pro, here: {ours.wall:.2f} s")
    print(f"BEC-Pro, one sentence at a time, scaled from {len(sample)} queries: {scale * plain.wall:.0f} s")
    print(
        f"BEC-Pro, ratio to one at a time: 1/{scale * plain.wall / ours.wall:.0f}, "
        f"in CPU seconds 1/{scale * plain.cpu / ours.cpu:.0f} (target 1/50)"
    )


@torch.inference_mode()
def test_against_the_bare_model(embedded: LoadedModel) -> None:
    """The same batches of the same distinct inputs, tensors ready: whole, and with the head at the masks only."""
    batches = bare_batches(embedded)
    scorer = MaskedScorer(embedded)
    module = embedded.module
    firsts = [(batch["input_ids"] == embedded.tokenizer.mask_token_id).int().argmax(1) for batch in batches]

    def whole() -> None:
        for batch in batches:
            module(**batch)

    def head_at_the_masks() -> None:
        for batch, first in zip(batches, firsts, strict=True):
            states = module.bert(**batch)[0]
            module.cls(states[torch.arange(len(first)), first])

    ours, bare, cut = in_turns(lambda: scorer.log_probs(all_queries()), whole, head_at_the_masks, rounds=ROUNDS)
    inputs = sum(len(batch["input_ids"]) for batch in batches)
    print(f"\nBEC-Pro, bare passes over {inputs} inputs in {len(batches)} batches, ready: {bare.wall:.2f} s")
    print(f"BEC-Pro, the same with the head at the masks only: {cut.wall:.2f} s")
    for name, other in (("bare passes", bare), ("bare passes, head at the masks only", cut)):
        print(
            f"BEC-Pro, ratio to {name}: {ours.wall / other.wall:.2f}, "
            f"in CPU seconds {ours.cpu / other.cpu:.2f} (target 1.25)"
        )
