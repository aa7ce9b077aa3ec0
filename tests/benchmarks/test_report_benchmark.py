"""How long a report takes: every picture, file and page of 30 figures."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.charts import LIGHT
from core.measures.lpbs import figures
from core.measures.lpbs.spec import LpbsSpec
from core.publication import pins
from core.publication.bundle import to_zip
from core.publication.contents import contents
from core.publication.store import Reports
from core.report.renderer import RENDERER
from core.run import Callbacks

pytestmark = pytest.mark.benchmark
FIGURES, LIMIT = 30, 60.0


def test_a_report_of_thirty_figures(tmp_path: Path) -> None:
    result = LpbsSpec().run()
    kept = Reports(tmp_path)
    figure = figures.draw(result, model=result.models[0], theme=LIGHT)
    report = kept.new()
    for number in range(FIGURES):
        made = pins.chart(kept, "scores", result, figure, title=f"Figure {number}", table=result["attributes"])
        report = kept.change(report.id, lambda now, made=made: now.with_pins(made))  # type: ignore[misc]
    RENDERER.close()  # the browser's start counts
    heard: list[float] = []
    start = time.perf_counter()
    data = to_zip(contents(report, kept), Callbacks(lambda _: heard.append(time.perf_counter())))
    seconds = time.perf_counter() - start
    gap = max(after - before for before, after in zip([start, *heard], [*heard, start + seconds], strict=True))
    print(
        f"\nreport of {FIGURES} figures: {seconds:.1f} s, {len(data) / 1e6:.1f} MB; "
        f"longest without progress {gap:.1f} s"
    )
    assert seconds < LIMIT
