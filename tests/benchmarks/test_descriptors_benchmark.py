"""Descriptor likelihood with its default words on the embedded model."""

from __future__ import annotations

import time

import pytest

from core.engine.loading import LoadedModel
from core.measures.descriptors import compute
from core.measures.descriptors.spec import DescriptorSpec
from core.run import Run

pytestmark = pytest.mark.benchmark


def test_the_default_words(embedded: LoadedModel) -> None:
    spec = DescriptorSpec()
    started, busy = time.perf_counter(), time.process_time()
    compute.measure(spec, [embedded], Run(spec))
    took, used = time.perf_counter() - started, time.process_time() - busy
    print(f"\nDescriptors, {spec.sentences:,} sentences: {took:.0f} s, {used:.0f} s of processor time (target 60)")
