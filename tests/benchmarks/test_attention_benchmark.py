"""A corpus scan with detectors on the embedded model, beside a bare pass over the same batches; and its memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
import torch

from core.engine.attention import AttentionQuery, AttentionReader, HeadSums
from core.engine.loading import LoadedModel, with_attentions
from tests.support.watching import load_tiny

SHARE = 0.5  # sentences per second, of those of the bare pass
ROUNDS = 3
ROOM = 1.05  # what an allocator may keep
OCCUPATIONS = (
    "nurse",
    "developer",
    "carpenter",
    "teacher",
    "lawyer",
    "secretary",
    "engineer",
    "cook",
    "clerk",
    "smith",
)
TEMPLATES = (
    "{he} is a {job}.",
    "The {job} said that {he} would come back later.",
    "{he} told the {job} about the plan, and the {job} did not answer for a long time.",
    "Because {he} was late, the {job} had to wait in front of the house until the others came.",
    "The {job} who lives next door asked whether {he} could help with the garden on Sunday morning.",
    "When the {job} had read the letter twice, {he} put it back into the drawer, closed the window and went to bed.",
)


def corpus(count: int) -> Iterator[AttentionQuery]:
    """Distinct sentences, so that nothing is saved by asking only once."""
    for number in range(count):
        template, job = TEMPLATES[number % 6], OCCUPATIONS[number // 6 % 10]
        he = ("he", "she")[number // 60 % 2]
        text = template.format(he=he, job=job) + f" That was in {1000 + number // 120}."
        start, place = text.index(job), text.split().index(he)
        before = len(" ".join([*text.split()[:place], ""]))
        word = ((before, before + len(he)),)
        yield AttentionQuery(text, (start, start + len(job)), *((word, ()) if he == "he" else ((), word)))


def scan(reader: AttentionReader, queries: list[AttentionQuery]) -> int:
    return sum(isinstance(a, HeadSums) for _, part in reader.sums(queries, detectors=True) for a in part)


@pytest.mark.benchmark
def test_a_scan_reaches_half_of_a_bare_pass(embedded: LoadedModel) -> None:
    model = with_attentions(embedded)
    reader, queries = AttentionReader(model), list(corpus(600))
    assert len(set(queries)) == 600
    batches: list[dict[str, Any]] = []
    body = model.module.base_model

    def watch(_module: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        batches.append({name: kwargs[name] for name in ("input_ids", "attention_mask")})

    handle = body.register_forward_pre_hook(watch, with_kwargs=True)
    assert scan(reader, queries) == 600  # warm as well
    handle.remove()
    threads = torch.get_num_threads()
    torch.set_num_threads(min(2, os.cpu_count() or 1))
    bare, scanned = [], []  # (seconds, seconds of computing)
    try:
        for _ in range(ROUNDS):  # one after the other, so that both see the same machine
            started, cpu = time.perf_counter(), time.process_time()
            with torch.inference_mode():
                for batch in batches:
                    body(**batch, output_attentions=True)
            bare.append((time.perf_counter() - started, time.process_time() - cpu))
            started, cpu = time.perf_counter(), time.process_time()
            scan(reader, queries)
            scanned.append((time.perf_counter() - started, time.process_time() - cpu))
    finally:
        torch.set_num_threads(threads)
    (bare_seconds, bare_cpu), (seconds, cpu) = (tuple(map(min, zip(*runs, strict=True))) for runs in (bare, scanned))
    share = bare_seconds / seconds
    print(
        f"\n600 sentences: scan with detectors {600 / seconds:.0f} sentences/s, bare eager pass "
        f"{600 / bare_seconds:.0f}; {share:.2f} of it (target {SHARE}), {bare_cpu / cpu:.2f} by time spent computing"
    )
    assert share >= SHARE


@pytest.mark.benchmark
def test_a_hundred_times_the_sentences_need_no_more_memory() -> None:
    """What the process holds after each batch, at its highest; the model is a tiny one, so that the rest shows."""
    reader = AttentionReader(with_attentions(load_tiny("bert")))
    corpora = [list(corpus(count)) for count in (600, 60_000)]
    process = psutil.Process()
    scan(reader, corpora[0])  # warm
    few, many = (
        max(process.memory_info().rss for _ in reader.sums(queries, detectors=True)) / 1e6 for queries in corpora
    )
    print(f"\nhighest after a batch: {few:.0f} MB for 600 sentences, {many:.0f} MB for 60,000")
    assert many < few * ROOM
