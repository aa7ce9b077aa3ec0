"""From click to chart: 60 professions × he/she on the embedded model, loaded and warm."""

from __future__ import annotations

import statistics
import time

import pytest

from core.charts import LIGHT
from core.engine.loading import LoadedModel
from core.measures.lpbs import figures
from core.sources import attribute_list, group_preset
from core.sources.templates import Template
from tests.support import lpbs


@pytest.mark.benchmark
def test_sixty_professions(embedded: LoadedModel) -> None:
    template = Template.parse("The [ATTRIBUTE] said that [TARGET] was tired.")
    groups, professions = group_preset("he-she").groups, attribute_list("professions").words
    assert len(professions) == 60
    times = []
    for _ in range(8):
        started = time.perf_counter()
        result = lpbs.run([embedded], [template], groups, professions)
        figure = figures.tilt(result, contrast=result.contrasts[0], model=embedded.info.name, theme=LIGHT)
        assert len(figure.to_json()) > 1000
        times.append(time.perf_counter() - started)
    warm = times[1:]
    print(
        f"\n60 professions × he/she, click to chart: {statistics.median(warm):.3f} s, median of {len(warm)} "
        f"(from {min(warm):.3f} to {max(warm):.3f}; target 0.5)"
    )
