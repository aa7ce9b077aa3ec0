from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from core import sources
from core.engine.loading import LoadedModel
from core.measures.lpbs.result import LpbsResult
from core.sources.templates import Template
from tests.pages.visiting import WORKED
from tests.support.lpbs import run


@pytest.fixture(autouse=True)
def _same_main() -> Iterator[None]:
    """A page puts itself in the place of ``__main__``, which a test that starts processes later would look for."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture
def measured(embedded: LoadedModel) -> Callable[..., LpbsResult]:
    """Measure without any page, by default with the embedded model and the worked example's sentence."""

    def measure(
        attributes: Sequence[str],
        *,
        template: str = WORKED,
        groups: str = "he: he\nshe: she",
        models: Sequence[LoadedModel] | None = None,
        options: dict[str, Any] | None = None,
    ) -> LpbsResult:
        return run(
            models or [embedded],
            [Template.parse(line) for line in template.splitlines()],
            sources.parse_groups(groups),
            attributes,
            options,
        )

    return measure
