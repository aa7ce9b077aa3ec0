"""Fine-tuning the embedded model: steps per second against a bare training loop over the same batches."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

from core.engine.loading import LoadedModel
from core.engine.parentage import Settings
from core.engine.training.finetuning import HiddenTokens, examples
from core.engine.training.loop import Training
from core.run import UNWATCHED
from core.sources.documents import read_documents
from tests.support.paths import ROOT
from tests.support.timing import in_turns

pytestmark = pytest.mark.benchmark
STEPS, ROUNDS, THREADS = 20, 3, 2
EXAMPLE = ROOT / "assets" / "data" / "example_documents.txt"


@contextmanager
def threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def bare(model: LoadedModel, batches: list[dict[str, torch.Tensor]], rate: float) -> None:
    """The loop of a tutorial: forward, backward, clip, step."""
    module = copy.deepcopy(model.module).requires_grad_(True).train()
    optimizer = torch.optim.AdamW(module.parameters(), lr=rate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, len(batches))
    for batch in batches:
        optimizer.zero_grad()
        module(**batch).loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        optimizer.step()
        schedule.step()


@pytest.mark.parametrize("rank", [0, 8], ids=["all weights", "adapters"])
def test_fine_tuning_against_a_bare_loop(embedded: LoadedModel, rank: int) -> None:
    documents = read_documents(EXAMPLE.read_bytes(), EXAMPLE.name).documents
    texts = examples(embedded, [document.text for document in documents]).items
    settings = Settings(epochs=99, max_steps=STEPS, lora_rank=rank)
    plan = HiddenTokens(embedded, texts, settings)
    batches = [dict(plan.batch(step)) for step in range(STEPS)]

    def ours() -> None:
        Training(HiddenTokens(embedded, texts, settings), settings, STEPS).go(
            UNWATCHED, "Fine-tuning", lambda: None, 300.0
        )

    with threads(THREADS):
        own, loop = in_turns(ours, lambda: bare(embedded, batches, settings.rate), rounds=ROUNDS)
    print(f"\n{STEPS} steps on the embedded model, LoRA rank {rank}: {own.wall:.2f} s, CPU {own.cpu:.2f} s;")
    print(f"all weights in a bare loop over the same batches, tensors ready: {loop.wall:.2f} s, CPU {loop.cpu:.2f} s")
    print(f"ratio: {own.wall / loop.wall:.2f} by the clock, {own.cpu / loop.cpu:.2f} of CPU (target 1.15)")
