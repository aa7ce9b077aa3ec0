"""Which models of this machine were fine-tuned from a base, and which of them were made together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.engine.catalog import user_models
from core.engine.descendants import Descendants, made_last_from
from core.engine.parentage import FILE, Parentage, Settings

BASE = "bert-base-uncased"


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))


def made(place: str, *, at: int, base: str = BASE, text: str = "a" * 64, labels: tuple[str, ...] = ()) -> None:
    """A model's folder as fine-tuning leaves it, but for the weights; ``at`` is when, in seconds."""
    folder = user_models() / place
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    Parentage(
        base, None, "b" * 64, "a text", text, 3, 3, Settings(), "BERT", ("en",), cased=False, labels=labels
    ).write(folder)
    os.utime(folder / FILE, (at, at))


def test_those_made_last_and_their_controls() -> None:
    made("early/m-seed-0", at=1)
    made("late/n-seed-0", at=2)
    made("late/n-seed-1", at=3)
    made("late/n-control-seed-0", at=4)
    assert made_last_from(BASE) == Descendants(("n-seed-0", "n-seed-1"), ("n-control-seed-0",))


def test_models_that_lie_alone_belong_together_by_their_text() -> None:
    made("first-seed-0", at=1, text="c" * 64)
    made("second-seed-0", at=2, text="d" * 64)
    made("first-seed-1", at=3, text="c" * 64)
    assert made_last_from(BASE) == Descendants(("first-seed-0", "first-seed-1"))


def test_classifiers_and_models_of_another_base_are_none() -> None:
    made("of-another", at=1, base="bert-base-cased")
    made("classifier", at=2, labels=("nurse", "pilot"))
    assert made_last_from(BASE) == Descendants()


@pytest.mark.parametrize("base", ["no-such-model", "/no/such/folder", ""])
def test_of_what_is_no_model_there_is_none(base: str) -> None:
    made("of-it", at=1, base=base)
    assert made_last_from(base) == Descendants()
