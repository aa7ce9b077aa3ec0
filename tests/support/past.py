"""Runs for the tests of the history: made by hand, in a database of their own."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL

from core.history.database import Database
from core.history.history import History
from core.measures.lpbs.result import LpbsResult
from core.measures.lpbs.spec import LpbsSpec
from core.result import ModelInfo, Provenance
from tests.support.lpbs import by_hand


def past(folder: Path) -> History:
    """The history in a SQLite file of this folder."""
    return History(Database(URL.create("sqlite", database=str(folder / "history.db"))))


def scores(
    lpbs: float = 0.5, *, model: str = "bert", created: str = "2026-01-02T03:04:05Z", word: str = "nurse"
) -> LpbsResult:
    """A mean LPBS of he − she with one attribute, of a made-up model."""
    info = ModelInfo(
        model, f"me/{model}", None, f"sha256:{model}", "bert", "masked", 2, 2, 1, ("en",), False, "f", "c", "d"
    )
    row = {"model": model, "contrast": "he − she", "lpbs": lpbs}
    return by_hand(
        LpbsSpec(attributes=(word,), models=(model,)),
        {"attributes": [{**row, "attribute": word}], "overall": [row]},
        provenance=Provenance("Tiltmeter", (info,), ("made up",), 0, (), created),
    )
