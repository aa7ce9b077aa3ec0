"""``attention`` and ``scan`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.sources import CorpusFile
from tests.support.tiny import tiny_folder

NURSE = "She accompanied him on stage and on several recordings before becoming a nurse in 1939."
SUMMARY = ["model", "position", "layer", "kind", "head", "t_male", "t_female", "bias", "bias_swapped", "degree"]


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    assert not captured.out
    return code, captured.err


def test_the_papers_sentence_on_the_embedded_model(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "attention", "--sentence", NURSE, "--model", "default")
    rows = found["tables"]["heads"]
    assert list(rows[0]) == [*SUMMARY, "direction"]
    own = [row for row in rows if row["position"] is None]
    assert len(own) == 6 * 12
    assert {row["kind"] for row in own} == {"attention"}
    assert len(rows) - len(own) == (5 * 6 + 1) * 12
    assert {row["direction"] for row in rows} <= {"male", "female", "neither"}
    assert all(row["degree"] == pytest.approx(row["bias"] * row["bias_swapped"]) for row in rows)
    twin = "".join(row["piece"] + " " for row in found["tables"]["tokens"] if row["which"] == "twin")
    assert "he accompanied her on stage" in twin


def test_words_and_twin_can_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "attention",
        "--model",
        str(tiny_folder("bert")),
        "--sentence",
        "The girl told the boy that work is hard.",
    ]
    code, error = refused(capsys, *arguments)
    assert code == 2
    assert "has no occupation" in error
    twin = ["--twin", "The boy told the girl that work is hard."]
    found = document(capsys, *arguments, *twin, "--occupation", "work", "--female", "girl", "--male", "boy")
    roles = {
        row["piece"]: row["role"] for row in found["tables"]["tokens"] if row["which"] == "sentence" and row["role"]
    }
    assert roles == {"girl": "female", "boy": "male", "work": "occupation"}


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--sentence", " "], 2, "There is no sentence"),
        (["--sentence", "He met her."], 2, "has no occupation"),
        (["--sentence", NURSE, "--occupation", "pilot"], 2, "“pilot” does not stand in the sentence"),
        (["--sentence", NURSE, "--twin", "It rained."], 2, "The twin: “It rained.” has no male word"),
        (["--sentence", NURSE, "--model", "none"], 1, "There is no model named “none”"),
    ],
)
def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], more: list[str], code: int, message: str) -> None:
    found, error = refused(capsys, "attention", *more)
    assert found == code
    assert message in error
    assert "Traceback" not in error


def test_a_scan_and_the_same_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    corpus = tmp_path / "c.csv"
    corpus.write_text("n,text\n1,She told him that the nurse was late.\n2,It rained.\n", encoding="utf-8")
    arguments = ["scan", "--corpus", str(corpus), "--column", "text", "--out", str(tmp_path / "out")]
    first = document(capsys, *arguments)
    rows = first["tables"]["positions"]
    assert len(rows) == 5 * 6 + 1 + 6
    assert list(rows[0])[:9] == [
        *("model", "position", "layer", "kind", "mean_degree", "difference", "share_biased", "share_rising", "n")
    ]
    assert [row["n"] for row in rows] == [1] * len(rows)
    assert first["tables"]["occupations"] == [{"occupation": "nurse", "n": 1}]
    assert CorpusFile(corpus).digest() in first["provenance"]["data"][0]
    assert document(capsys, *arguments)["tables"]["positions"] == rows


def test_what_is_wrong_with_a_scan_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    corpus = tmp_path / "c.csv"
    corpus.write_text("n,text\n1,It rained.\n", encoding="utf-8")
    out = ["--out", str(tmp_path / "out")]
    assert refused(capsys, "scan", "--corpus", str(tmp_path / "no.txt"), *out)[0] == 2
    code, error = refused(capsys, "scan", "--corpus", str(corpus), *out)
    assert (code, "choose the one with the text" in error) == (2, True)
    code, error = refused(capsys, "scan", "--corpus", str(corpus), "--column", "text", *out)
    assert (code, "No sentence of c.csv was kept" in error) == (1, True)
    code, error = refused(capsys, "scan", "--corpus", str(corpus), "--column", "text", "--out", str(tmp_path))
    assert (code, "holds other files" in error) == (2, True)
    code, error = refused(
        capsys, "scan", "--corpus", str(corpus), "--column", "text", "--out", str(tmp_path / "a" / "b")
    )
    assert (code, "which should hold b, does not exist" in error) == (2, True)
    assert not (tmp_path / "a").exists()
    assert "Loading" not in error  # said before any model is loaded
