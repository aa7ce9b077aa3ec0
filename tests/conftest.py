from __future__ import annotations

import pytest
import torch

from core.models import checkpoints, loading
from core.models.loading import LoadedModel

# Tiny models gain nothing from threads, and threads that wait for each other starve whatever else the machine runs.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def embedded() -> LoadedModel:
    """The default model, loaded once."""
    return loading.load(checkpoints.fetch(checkpoints.ModelRequest("default")), device="cpu")
