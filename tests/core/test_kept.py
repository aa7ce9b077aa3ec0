"""What is kept within a bound in bytes, and how many bytes a thing takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.kept import Kept, size_of


def test_kept_within_its_bound_the_least_recently_used_goes_first() -> None:
    kilobyte = np.zeros(128)
    size = size_of(kilobyte)
    assert 1024 <= size < 1024 + 256
    kept = Kept(3 * size)
    for name in "abc":
        kept.put(name, kilobyte.copy())
    assert kept.get("a") is not None
    kept.put("d", kilobyte.copy())
    assert [name for name in "abcd" if kept.get(name) is not None] == ["a", "c", "d"]
    assert kept.bytes == 3 * size
    kept.put("d", kilobyte.copy())
    assert kept.bytes == 3 * size, "one of each"
    kept.put("large", np.zeros(1000))
    assert kept.get("large") is None
    assert kept.get("a") is not None, "what is too large drives nothing out"
    assert kept.pop("a") is not None
    assert kept.pop("a") is None
    assert kept.bytes == 2 * size


def test_size_of_a_result_is_that_of_its_frames_and_arrays() -> None:
    @dataclass(frozen=True)
    class Maps:
        model: str
        attention: Any

    # 24 layers × 16 heads × 128 × 128 places of four bytes: 24 MiB.
    attention = np.zeros((24, 16, 128, 128), dtype=np.float32)
    assert size_of(Maps("large", attention)) == pytest.approx(attention.nbytes, rel=1e-3)
    assert size_of((Maps("one", attention), Maps("two", attention))) == pytest.approx(attention.nbytes, rel=1e-3)
    assert size_of(Maps("layer", attention[3])) >= attention.nbytes, "a view keeps the whole in memory"
    frame = pd.DataFrame({"word": ["nurse"] * 1000, "score": np.arange(1000.0)})
    assert size_of({"detail": frame}) >= 1000 * 8 + 1000 * len("nurse")
    long = pd.DataFrame({"text": [f"{number:05d}" * 200 for number in range(500)]})
    assert size_of(long) >= 500 * 1000
