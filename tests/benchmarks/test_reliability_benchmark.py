"""Agreement of Delobelle's templates on the embedded model, and what of it is the forward passes."""

from __future__ import annotations

import time

import pytest
import torch

from core.engine.loading import LoadedModel
from core.measures.agreement.compute import measure
from core.measures.agreement.spec import AgreementSpec
from core.run import Run

pytestmark = pytest.mark.benchmark
ROUNDS = 3


def test_eleven_templates_in_two_representations(embedded: LoadedModel) -> None:
    """T1 to T11, 20 subsets, [CLS] and pooled in templates: each sentence goes through the model once."""
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    spec = AgreementSpec(representations=("cls-in-templates", "pooled-in-templates"))
    took = []
    try:
        for _ in range(ROUNDS):
            started = time.perf_counter()
            measure(spec, [embedded], Run())
            took.append(time.perf_counter() - started)
    finally:
        torch.set_num_threads(threads)
    print(f"\nT1–T11 × 20 subsets × two representations: {sorted(took)[1]:.1f} s (target 20), runs {took}")
