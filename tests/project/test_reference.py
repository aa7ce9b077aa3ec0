"""The facts that travel with the clone are described, and what does not travel is named at the end of a run."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.support import reference


def test_every_file_has_its_row() -> None:
    rows = [line.strip("| ").split(" | ") for line in (reference.FOLDER / "README.md").read_text("utf-8").splitlines()]
    described = {row[0].strip("`"): row[1:] for row in rows if row[0].startswith("`")}
    assert set(described) == {path.name for path in reference.FOLDER.iterdir()} - {"README.md"}
    assert all(len(row) == 3 and all(row) for row in described.values())


def test_a_digest_is_of_the_lines() -> None:
    assert reference.digest(["a", "b"]) == hashlib.sha256(b"a\nb").hexdigest()[:16]
    assert reference.digest(["a", "b"]) != reference.digest(["b", "a"])


def test_a_missing_corpus_skips_and_is_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(reference, "CORPORA", tmp_path)
    reasons = ["Skipped: there is no CUDA device on this machine"]
    assert reference.absent(reasons) == ""
    for corpus in ("WinoBias", "StereoSet", "WinoBias"):
        with pytest.raises(pytest.skip.Exception) as caught:
            reference.corpus_file("any.csv", corpus)
        reasons.append(f"Skipped: {caught.value}")
    assert re.search(r": StereoSet \(1\), WinoBias \(2\); see tests/reference/README\.md\.$", reference.absent(reasons))
