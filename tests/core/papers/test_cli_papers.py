"""``paper list`` and ``paper run``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.measures.attention.scan.compute import read
from core.papers.card import NEEDED, NOTHING, RUNS
from core.papers.comparison import compared
from core.papers.registry import cards
from core.sources.example_corpus import EXAMPLE_SCAN
from tests.core.papers.test_kurita import resolved
from tests.support.past import scores

FIRST = {kind: next((card for card in cards().values() if card.runs == kind), None) for kind in (RUNS, NEEDED, NOTHING)}


def test_the_list_has_every_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "list", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in found] == list(cards())
    assert {row["id"]: row["runs"] for row in found} == {card.id: card.runs for card in cards().values()}


@pytest.mark.parametrize(("kind", "code"), [(NEEDED, 1), (NOTHING, 0)])
def test_a_card_without_a_measurement_prints_what_there_is(
    kind: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    card = FIRST[kind]
    if card is None:
        pytest.skip("there is no such card")
    assert main(["paper", "run", card.id, "--format", "json"]) == code
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert [(row["row"], row["column"]) for row in rows] == [value.key for value in card.values]
    assert len(rows) == len(compared(card))
    assert card.shows in err
    assert (f"To bring: {card.needs}" in err) == (kind == NEEDED)


def test_a_card_is_measured_and_put_beside_the_print(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "run", "kurita-table-3", "--no-history", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert [row["printed"] for row in rows][:3] == ["1.543*", "0.6688", "0.8744*"]
    for row in rows:
        assert row["model"] == "minilm-mlm"
        if row["column"] == "WEAT on GloVe":
            assert row["obtained"] is None
        else:
            printed = float(row["printed"].rstrip("*"))
            assert row["obtained"] - printed == pytest.approx(row["difference"])
            assert row["tolerance"] == 0.2
    assert "Printed for bert-base-uncased" in err
    assert "Known cause: The prior" in err


def test_a_saved_result_is_compared_in_place_of_measuring(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scores().save("scores.tilt")
    assert main(["paper", "run", "kurita-table-4", "--result", "scores.tilt"]) == 2
    assert "Table 4 cannot be compared with a result of lpbs; it takes results of “resolve”" in capsys.readouterr().err
    resolved().save("gap.tilt")
    assert main(["paper", "run", "kurita-table-4", "--result", "gap.tilt", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["obtained"] for row in rows][:2] == [0.11, 0.115]
    assert main(["paper", "run", "kurita-table-4", "--result", "gap.tilt", "--model", "minilm-mlm"]) == 2
    assert "either --result or --model" in capsys.readouterr().err


def test_what_is_of_another_corpus_has_no_difference_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    read(EXAMPLE_SCAN).save("scan.tilt")
    assert main(["paper", "run", "li-corpus", "--result", "scan.tilt", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    (row,) = json.loads(out)
    assert (row["printed"], row["of"]) == ("60,548", "another corpus")
    assert "difference" not in row
    assert "Obtained from another corpus (example_corpus.txt): no difference from the print is given." in err
