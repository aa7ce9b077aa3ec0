from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from core import lexicon
from core.experiments import playground
from core.models.loading import LoadedModel
from core.results import LpbsOptions, LpbsResult
from core.templates import Template
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
        return playground.run(
            models or [embedded],
            [Template.parse(line) for line in template.splitlines()],
            lexicon.parse_groups(groups),
            attributes,
            options,
        )

    return measure
