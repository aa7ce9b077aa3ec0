"""The lines above a figure that leaves the program."""

from __future__ import annotations

from dataclasses import replace

from core.measures.lpbs.result import LpbsResult
from core.report.captions import caption
from tests.support.past import scores


def test_sources_that_hold_commas_are_told_apart() -> None:
    made = scores()
    result = LpbsResult(
        spec=made.spec,
        tables=made.tables,
        excluded=(),
        notes=(),
        provenance=replace(made.provenance, data=("Kurita et al. 2019, Table 2", "Bartl et al. 2020, BEC-Pro")),
    )
    assert caption(result, "A chart").lines[-1] == "Source: Kurita et al. 2019, Table 2; Bartl et al. 2020, BEC-Pro"
