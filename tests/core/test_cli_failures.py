"""What a command says when something fails: one sentence; with --verbose, what lies beneath it too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli import main, models
from core.errors import ModelNotFound
from tests.support.paths import ROOT


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_a_traceback_is_for_those_who_ask(
    known: bool, verbose: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> None:
        try:
            raise KeyError("deep")
        except KeyError as error:
            if known:
                raise ModelNotFound("A sentence.") from error
            raise

    monkeypatch.setattr(models, "run", fail)
    assert main(["models", *(["--verbose"] if verbose else [])]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert ("Traceback" in said.err) == verbose
    last = "A sentence." if known else "something failed inside the program (KeyError: 'deep'); please report"
    assert said.err.splitlines()[-1].startswith(f"tiltmeter: {last}")
    assert verbose or said.err.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full on this machine")
def test_output_to_a_full_disk_is_a_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "core", "models"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
        )
    assert (done.returncode, done.stderr) == (1, "tiltmeter: stopped: the disk is full\n")


@pytest.mark.parametrize("command", ["score", "scan"])
def test_a_device_that_is_not_here_is_the_only_thing_said(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    (tmp_path / "corpus.txt").write_text("She met the nurse.\n")
    asked = {
        "score": ["--template", "[TARGET] is a [ATTRIBUTE].", "--groups", "he-she", "--attribute", "nurse"],
        "scan": ["--corpus", str(tmp_path / "corpus.txt"), "--out", str(tmp_path / "scan")],
    }[command]
    assert main([command, *asked, "--device", "mps"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tiltmeter: The device “mps” cannot be used here (")
    assert said.err.count("\n") == 1
    assert not (tmp_path / "scan").exists()
