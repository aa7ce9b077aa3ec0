"""How long a report takes: every picture, file and page of 30 figures."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

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
    made = pins.chart(
        kept,
        "scores",
        result,
        lambda look: figures.draw(result, model=result.models[0], theme=look),
        title="Figure",
        table=result["attributes"],
    )
    report = kept.new()
    for number in range(FIGURES):
        another = replace(made, id=str(number), title=f"Figure {number}")
        report = kept.change(report.id, lambda now, another=another: now.with_pins(another))  # type: ignore[misc]
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
