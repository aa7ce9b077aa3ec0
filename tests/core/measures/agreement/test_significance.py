"""How n and the bound of significance of agreements are written."""

from __future__ import annotations

import pytest

from core.measures.agreement.figures import significance_text
from tests.support.agreement_results import pairs


@pytest.mark.parametrize(
    ("counts", "r", "text"),
    [
        ([20, 20], 0.5, "n = 20, |r| > .44 is significant"),
        ([4, 20], 0.5, "n = 4 to 20; with 20, |r| > .44 is significant"),
        ([3], None, "n = 3: too few for a correlation"),
        ([9], None, "n = 9"),
        ([5], 0.5, "n = 5: too few to say"),
    ],
)
def test_n_and_bound_in_words(counts: list[int], r: float | None, text: str) -> None:
    rows = pairs({("T1", f"T{at}"): (r, None, n) for at, n in enumerate(counts, 2)})
    assert significance_text(rows) == text
