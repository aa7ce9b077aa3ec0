from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core import sources
from core.measures.lpbs.result import LpbsResult
from tests.pages.visiting import PAGES, WORKED, bars, charts, errors, findings, scores, visit

PROFESSIONS = sources.attribute_list("professions").words


def test_first_visit_shows_the_outermost_professions_of_a_measurement_made_here(
    measured: Callable[..., LpbsResult],
) -> None:
    at = visit()
    assert not errors(at)
    (panel,) = bars(charts(at)[0])
    expected = scores(measured(PROFESSIONS), "minilm-mlm")
    ordered = list(expected)
    assert list(panel) == ordered[:13] + ordered[-13:], "from she to he, the middle left out"
    assert panel == pytest.approx({word: expected[word] for word in panel}, abs=1e-5)
    assert next(iter(panel.values())) < 0 < list(panel.values())[-1]


def test_finding_counts_what_the_chart_holds(measured: Callable[..., LpbsResult]) -> None:
    expected = scores(measured(PROFESSIONS), "minilm-mlm")
    he = sum(value > 0 for value in expected.values())
    she = sum(value < 0 for value in expected.values())
    (finding,) = findings(visit())
    assert f"towards he for {he}" in finding
    assert f"towards she for {she}" in finding


def test_home_shows_the_sentence_as_typed_and_leads_on() -> None:
    at = visit()
    assert WORKED in [text.value for text in at.text]
    labels = [item.label for item in at.main.get("page_link")]
    assert labels == ["Change the sentence, the words or the model"]


# Until something is asked for, or was measured before; they say so.
MEASURING_NOTHING = (
    "pages/9_Papers.py",
    "pages/10_History.py",
    "pages/11_Report.py",
    "pages/12_Jobs.py",
    "pages/13_Lessons.py",
)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_works_from_whatever_folder_the_program_is_started(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    at = visit(page)
    assert not errors(at)
    assert findings(at) if page not in MEASURING_NOTHING else at.info or at.subheader
