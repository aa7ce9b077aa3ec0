"""A corpus scan from file to Parquet: against bare eager passes over the same texts, and its memory."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch

from core.engine import batching, reading
from core.engine.loading import LoadedModel, with_attentions
from core.engine.masked import MaskedScorer
from core.measures.shared.twins import twin
from core.sources import CorpusFile
from tests.benchmarks.scan_memory import lines
from tests.support.attention_results import scanned as run
from tests.support.paths import ROOT

pytestmark = pytest.mark.benchmark
SENTENCES = 1024


def bare(model: LoadedModel, texts: list[str]) -> float:
    """Seconds of forward passes with attentions over the texts, in the batches a scan makes, tensors ready."""
    ids = [tuple(model.tokenizer(text).input_ids) for text in texts]
    batches = [
        reading.padded([ids[at] for at in batch], model.tokenizer.pad_token_id)
        for batch in batching.plan([len(text) for text in ids], reading.tokens_at_once(model.module))
    ]
    started = time.perf_counter()
    with torch.inference_mode():
        for tokens, mask in batches:
            model.module.base_model(input_ids=tokens, attention_mask=mask, output_attentions=True)
    return time.perf_counter() - started


def test_a_scan_against_the_bare_model(embedded: LoadedModel, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text(lines(SENTENCES), encoding="utf-8")
    model = with_attentions(embedded)
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        started = time.perf_counter()
        run(model, embedded, CorpusFile(tmp_path / "corpus.txt"), tmp_path / "out")
        whole = time.perf_counter() - started
        parts = [pq.read_table(path).to_pydict() for path in sorted((tmp_path / "out").glob("part-*.parquet"))]
        texts = [text for which in ("sentence", "twin") for part in parts for text in part[which]]
        started = time.perf_counter()
        twin(MaskedScorer(embedded), texts[: len(texts) // 2])
        twins = time.perf_counter() - started
        plain = min(bare(model, texts) for _ in range(2))
    finally:
        torch.set_num_threads(threads)
    print(f"\nscan of {SENTENCES} sentences: {whole:.1f} s, of which {twins:.1f} s making the twins")
    print(f"bare eager passes {plain:.1f} s")
    print(f"sentences per second, of those of the bare passes: {plain / (whole - twins):.2f} (target 0.5)")


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    """In processes of their own, so that the highest memory is that of one scan."""
    highest = []
    for count in (600, 60_000):
        folder = tmp_path / str(count)
        folder.mkdir()
        run = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.scan_memory", str(count), str(folder)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        highest.append(int(run.stdout.split()[-1]))
    print(f"\nscan, highest memory: {highest[0]} MB for 600 sentences, {highest[1]} MB for 60,000")
