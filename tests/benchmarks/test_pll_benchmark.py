"""CrowS-Pairs on the embedded model: pseudo-log-likelihood in batches and one mask at a time, and AUL and AULA."""

from __future__ import annotations

import csv
import math
import random
import time
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import Any

import pytest
import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

from core.engine.loading import LoadedModel, with_attentions
from core.engine.pseudo import PseudoScorer
from core.engine.unmasked import UnmaskedScorer
from tests.support.paths import EMBEDDED
from tests.support.reference import corpus_file

pytestmark = pytest.mark.benchmark

SAMPLE, ROUNDS = 6, 3
Pair = tuple[str, str]


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    with corpus_file("crows_pairs_anonymized.csv", "CrowS-Pairs").open(encoding="utf-8", newline="") as lines:
        return [(row["sent_more"], row["sent_less"]) for row in csv.DictReader(lines)]


@pytest.fixture(autouse=True)
def two_cores() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(threads)


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def shared_places(first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    both = [(a + i, b + i) for a, b, size in blocks for i in range(size)]
    kept = [(a, b) for a, b in both if 0 < a < len(first) - 1 and 0 < b < len(second) - 1]
    return [a for a, _ in kept], [b for _, b in kept]


@torch.inference_mode()
def test_against_one_mask_at_a_time(embedded: LoadedModel, pairs: list[Pair]) -> None:
    """Of one seeded sample, in turns in this one run, so that a busy machine slows both."""
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED, local_files_only=True)
    module = AutoModelForMaskedLM.from_pretrained(EMBEDDED, local_files_only=True, dtype=torch.float32).eval()
    sample = random.Random(0).sample(pairs, SAMPLE)

    def one_at_a_time() -> list[float]:
        found = []
        for pair in sample:
            inputs = [tokenizer(text).input_ids for text in pair]
            for ids, places in zip(inputs, shared_places(*inputs), strict=True):
                total = []
                for place in places:
                    hidden = torch.tensor([ids])
                    hidden[0, place] = tokenizer.mask_token_id
                    total.append(module(input_ids=hidden).logits[0, place].log_softmax(-1)[ids[place]].item())
                found.append(math.fsum(total))
        return found

    scorer = PseudoScorer(embedded)
    scores = [score.ln_p for pair in scorer.pairs(sample) for score in pair]
    assert scores == pytest.approx(one_at_a_time(), abs=1e-3)
    ratios = [seconds(one_at_a_time) / seconds(lambda: scorer.pairs(sample)) for _ in range(ROUNDS)]
    print(f"\nPLL of {SAMPLE} pairs, ratio to one mask at a time: 1/{sorted(ratios)[ROUNDS // 2]:.1f} (target 1/4)")


def test_all_of_crows_pairs(embedded: LoadedModel, pairs: list[Pair]) -> None:
    took = seconds(lambda: PseudoScorer(embedded).pairs(pairs))
    print(f"\nPLL of {len(pairs):,} pairs: {took:.0f} s (target 240)")


def test_aul_and_aula(embedded: LoadedModel, pairs: list[Pair]) -> None:
    texts = [text for pair in pairs for text in pair]
    model = with_attentions(embedded)
    plain = seconds(lambda: UnmaskedScorer(embedded, weighted=False).scores(texts))
    weighted = seconds(lambda: UnmaskedScorer(model, weighted=True).scores(texts))
    print(f"\nAUL of {len(texts):,} sentences: {plain:.0f} s; with AULA: {weighted:.0f} s (target 45)")
