"""All ten WEAT tests by eight representations on the embedded model, loaded and warm."""

from __future__ import annotations

import os
import time

import pytest
import torch

from core.engine.loading import LoadedModel
from core.sources import association_test
from tests.support import association
from tests.support.association import texts_through

RULERS = (
    "input-embedding",
    "cls-in-templates",
    "cls-no-context",
    "pooled-no-context",
    "pooled-in-templates",
    "first-piece-in-templates",
    "vulic",
    "lpbs",
)
TARGET = 45  # seconds on two cores
DESIGNS = 5  # WEAT tests with templates for LPBS: 1, 3, 6, 7 and 8


@pytest.mark.benchmark
def test_ten_tests_by_eight_representations(embedded: LoadedModel) -> None:
    tests = [association_test(f"weat{number}") for number in range(1, 11)]
    threads = torch.get_num_threads()
    torch.set_num_threads(min(2, os.cpu_count() or 1))
    try:
        with texts_through(embedded) as inputs:
            started, cpu = time.perf_counter(), time.process_time()
            result = association.run([embedded], tests, RULERS)
            seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    finally:
        torch.set_num_threads(threads)
    assert len(result["tests"]) == 80
    assert result["tests"]["effect_size"].notna().sum() == 70 + DESIGNS
    mask = embedded.tokenizer.mask_token_id
    read, asked = ([ids for ids in inputs if (mask in ids) is masked] for masked in (False, True))  # masks: LPBS
    print(
        f"\n10 WEAT tests × 8 representations: {seconds:.1f} s, {cpu:.1f} s of it computing (target {TARGET}); "
        f"{len(read):,} texts read for vectors, {len(asked):,} asked for LPBS"
    )
    for texts in (read, asked):
        again = len(texts) - len(set(texts))
        assert again == 0, f"{again:,} of {len(texts):,} texts went through the model again"
