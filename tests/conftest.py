from __future__ import annotations

import pytest

from core.models import loading
from core.models.loading import LoadedModel


@pytest.fixture(scope="session")
def embedded() -> LoadedModel:
    """The default model, loaded once."""
    return loading.load(loading.fetch(loading.ModelRequest("default")), device="cpu")
