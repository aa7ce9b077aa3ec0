"""GAP's 4,454 contexts on the embedded model: vectors, one network, topics."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from core.engine.loading import LoadedModel
from core.engine.training.probes import Network, fit
from core.measures.downstream.resolution.compute import read
from core.run import Run
from core.sources import gap
from core.sources.topic_words import word_counts
from core.stats.topics import factorise, tf_idf
from tests.support.reference import corpus_file
from tests.support.timing import seconds

pytestmark = pytest.mark.benchmark


@pytest.fixture(autouse=True)
def two_cores() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(threads)


def test_gap(embedded: LoadedModel) -> None:
    splits = {
        split: gap.read_documents(corpus_file(f"gap-{split}.tsv", "GAP").read_bytes(), f"gap-{split}.tsv").documents
        for split in ("development", "validation", "test")
    }
    documents = sorted((item for split in splits.values() for item in split), key=lambda item: -len(item.text))
    assert len(documents) == 4454
    found = []
    took = seconds(lambda: found.append(read(embedded, -3, documents, Run())))
    (vectors,) = found
    assert vectors is not None
    print(
        f"\nvectors of {len(documents):,} contexts: {took.wall:.0f} s (target 300), {took.cpu:.0f} s of computing, "
        f"load {os.getloadavg()[0]:.0f}"
    )
    of = {item.id: vector for item, vector in zip(documents, np.concatenate(vectors.chunks), strict=True)}
    inputs = {split: np.stack([of[item.id] for item in items]) for split, items in splits.items()}
    labels = {split: np.array([gap.LABELS.index(item.label) for item in items]) for split, items in splits.items()}
    train, validation = ((inputs[split], labels[split]) for split in ("development", "validation"))
    started = time.perf_counter()
    fit(Network(31, batch_norm=False), train, validation, inputs["test"], classes=3, seed=0)
    print(f"one network on {len(labels['development']):,} documents: {time.perf_counter() - started:.1f} s")
    started = time.perf_counter()
    counts, _ = word_counts([item.text for item in splits["test"]])
    factorise(tf_idf(counts), 20)
    print(
        f"20 topics of {counts.shape[0]:,} texts and {counts.shape[1]:,} words: {time.perf_counter() - started:.1f} s"
    )
