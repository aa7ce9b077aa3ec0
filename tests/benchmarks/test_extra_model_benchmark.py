"""The second model, converted from its wheel: how long it takes, and that it knows something."""

from __future__ import annotations

import importlib.util
import time
from pathlib import Path

import pytest

from core.engine import extra
from core.engine.catalog import EXTRA, find
from core.engine.causal import CausalScorer, TextQuery
from tests.support.watching import load_folder


@pytest.mark.benchmark
@pytest.mark.skipif(importlib.util.find_spec(extra._WHEEL) is None, reason=f"the wheel {extra._WHEEL} is not installed")
def test_the_wheels_model_is_converted_and_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    started = time.perf_counter()
    folder = extra.convert(tmp_path / "tiltmeter" / "models" / EXTRA.name)
    print(f"\n{EXTRA.name}, conversion: {time.perf_counter() - started:.1f} s")
    assert [path.name for path in folder.parent.iterdir()] == [EXTRA.name]
    assert find(EXTRA.name) is not None
    scorer = CausalScorer(load_folder(folder))
    text = "The capital of France is"
    assert scorer.top_next(text, 1)[0].word == "Paris"
    paris, cairo = scorer.log_likelihood(
        [TextQuery(f"{text} {city}", (len(text), len(text) + 6)) for city in ("Paris", "Cairo")]
    )
    assert paris.ln_p is not None
    assert cairo.ln_p is not None
    assert paris.ln_p > cairo.ln_p + 3
