from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from core import sources
from core.engine.loading import LoadedModel
from core.measures.lpbs import compute
from core.measures.lpbs.result import LpbsOptions, LpbsResult
from core.sources.templates import Template
from tests.pages.visiting import WORKED


@pytest.fixture
def measured(embedded: LoadedModel) -> Callable[..., LpbsResult]:
    """Measure without any page, by default with the embedded model and the worked example's sentence."""

    def measure(
        attributes: Sequence[str],
        *,
        template: str = WORKED,
        groups: str = "he: he\nshe: she",
        models: Sequence[LoadedModel] | None = None,
        options: LpbsOptions | None = None,
    ) -> LpbsResult:
        return compute.run(
            models or [embedded],
            [Template.parse(line) for line in template.splitlines()],
            sources.parse_groups(groups),
            attributes,
            options,
        )

    return measure
