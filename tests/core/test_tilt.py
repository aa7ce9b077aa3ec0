"""A saved result whose tables would fill the memory is not opened."""

from __future__ import annotations

import pandas as pd
import pytest

from core import tilt
from core.errors import SavedFileError


def test_a_table_of_more_cells_than_a_result_has_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tilt.packed({}, {"rows": pd.DataFrame({"a": [1] * 500, "b": ["x"] * 500})})
    monkeypatch.setattr(tilt, "_MOST_CELLS", 1_000)
    assert len(tilt.unpacked(data, "x.tilt").tables["rows"]) == 500
    monkeypatch.setattr(tilt, "_MOST_CELLS", 999)
    with pytest.raises(SavedFileError, match=r"x\.tilt holds more than a result saved by Tiltmeter can"):
        tilt.unpacked(data, "x.tilt")
