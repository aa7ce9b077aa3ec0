"""A history of 10,000 made-up runs: opened and searched; and a kept run of the professions, reopened."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import insert

from core.engine.pool import ModelPool
from core.history import entry as entries
from core.history.history import COMMAND, Query
from core.history.schema import RUNS
from core.measures.lpbs.professions.spec import ProfessionSpec
from tests.support.past import past, scores

pytestmark = pytest.mark.benchmark
MANY = 10_000


def median_of(work: Callable[[], object], times: int = 9) -> float:
    """Milliseconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - began))
    return statistics.median(found)


def test_ten_thousand_runs(tmp_path: Path) -> None:
    kept = past(tmp_path)
    result = scores()
    first = kept.record(result, origin=COMMAND)
    words = entries.searched(first, result)
    padding = " ".join(f"word{number}" for number in range(200))  # as many words as a common run has
    rows = [
        entries.as_row(
            replace(first, id=uuid4().hex, created=f"2025-{at % 12 + 1:02}-{at % 28 + 1:02}T00:00:00Z"),
            f"{words}\n{padding}\nrun{at}",
        )
        for at in range(MANY - 1)
    ]
    with kept._database.writing() as connection:
        connection.execute(insert(RUNS), rows)

    def opened() -> None:
        fresh = past(tmp_path)
        assert fresh.find(Query()).total == MANY
        fresh._database.close()

    def searched() -> None:
        assert kept.find(Query(words="nurse run7777", model="bert")).total == 1

    print(f"\nhistory of {MANY:,} runs: opened in {median_of(opened):.0f} ms (target 300), "
          f"searched in {median_of(searched):.0f} ms (target 100)")  # fmt: skip


def test_reopening_a_kept_run_of_the_professions(tmp_path: Path) -> None:
    kept = past(tmp_path)
    result = ProfessionSpec().run(pool=ModelPool())
    entry = kept.record(result, origin=COMMAND)
    assert kept.result(entry) == result
    print(f"\nkept professions run reopened in {median_of(lambda: kept.result(entry)):.0f} ms (target 500); "
          f"kept in {median_of(lambda: kept.record(result, origin=COMMAND)):.0f} ms")  # fmt: skip
