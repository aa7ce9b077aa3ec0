"""How r, p and n of agreements are written."""

from __future__ import annotations

import pytest

from core.charts.agreement_parts import significance_text
from tests.support.agreement_results import agreement_result


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ([20, 20], "n = 20, |r| > .44 is significant"),
        ([4, 20], "n = 4 to 20; with 20, |r| > .44 is significant"),
        ([3], "n = 3: too few for a correlation"),
        ([9], "n = 9"),  # none of these pairs has an r
    ],
)
def test_n_and_bound_in_words(counts: list[int], text: str) -> None:
    assert significance_text(agreement_result(critical=[(4, 0.95), (20, 0.4438)]), counts) == text
